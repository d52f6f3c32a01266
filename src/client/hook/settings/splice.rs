//! Puts a member into a JSON object or list, and takes one out, as a person would who keeps the file's style.

/// An object or list in a text.
#[derive(Debug, Clone)]
pub(super) struct Text {
    /// Where its bracket opens.
    pub start: usize,
    /// Behind its closing bracket.
    pub end: usize,
    /// What is in it.
    pub members: Vec<Member>,
}

/// One property or element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub start: usize,
    pub end: usize,
}

/// The text with one more member at the end; it may have several lines, indented by two blanks a level.
pub(super) fn added(text: &str, container: &Text, member: &str) -> String {
    let nl = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let outer = indent_at(text, container.start);
    let unit = unit(text);
    let shaped = |indent: &str| {
        let lines = member.lines().map(|line| {
            let body = line.trim_start_matches(' ');
            unit.repeat((line.len() - body.len()) / 2) + body
        });
        lines.collect::<Vec<_>>().join(&format!("{nl}{indent}"))
    };
    let inside = text.get(container.start + 1..container.end.saturating_sub(1)).unwrap_or_default();
    let Some(last) = container.members.last() else {
        let indent = format!("{outer}{unit}");
        let piece = format!("{nl}{indent}{}", shaped(&indent));
        return if inside.trim().is_empty() {
            replaced(text, container.start + 1, container.end - 1, &format!("{piece}{nl}{outer}"))
        } else {
            // Comments stand there.
            let at = container.start + 1 + inside.trim_end().len();
            replaced(text, at, at, &piece)
        };
    };
    let is_long = member.contains('\n') || inside.contains('\n');
    let indent = match text.get(container.start..last.start).is_some_and(|head| head.contains('\n')) {
        true => indent_at(text, last.start),
        false => format!("{outer}{unit}"),
    };
    let piece =
        if is_long { format!("{nl}{indent}{}", shaped(&indent)) } else { format!(" {}", shaped(&indent)) };
    let close = container.end - 1;
    match comma_behind(text, last.end, close) {
        // A comma closes every member here.
        Some(comma) => {
            let at = line_end_behind(text, comma + 1, close);
            replaced(text, at, at, &format!("{piece},"))
        }
        None => {
            let at = line_end_behind(text, last.end, close);
            let with = replaced(text, at, at, &piece);
            replaced(&with, last.end, last.end, ",")
        }
    }
}

/// The text without a member.
pub(super) fn removed(text: &str, container: &Text, at: usize) -> String {
    let Some(member) = container.members.get(at) else { return text.to_owned() };
    let close = container.end - 1;
    let next = container.members.get(at + 1);
    let before = at.checked_sub(1).and_then(|at| container.members.get(at));
    let comma = comma_behind(text, member.end, next.map_or(close, |next| next.start));
    let end = comma.map_or(member.end, |comma| comma + 1);
    let start = start_of_blank(text, member.start);
    let mut with = replaced(text, start, end, "");
    let mut taken = end - start;
    if comma.is_none()
        && let Some(before) = before
        && let Some(comma) = comma_behind(text, before.end, member.start)
    {
        with = replaced(&with, comma, comma + 1, "");
        taken += 1;
    }
    let close = close - taken;
    let rest = with.get(container.start + 1..close).unwrap_or_default();
    if container.members.len() == 1 && rest.trim().is_empty() {
        return replaced(&with, container.start + 1, close, "");
    }
    with
}

fn replaced(text: &str, start: usize, end: usize, piece: &str) -> String {
    let (head, tail) = (text.get(..start).unwrap_or(text), text.get(end..).unwrap_or_default());
    [head, piece, tail].concat()
}

/// Where the blanks before a place begin, with the line end before them.
fn start_of_blank(text: &str, at: usize) -> usize {
    let head = text.get(..at).unwrap_or_default();
    let head = head.trim_end_matches([' ', '\t']);
    let head = head.strip_suffix('\n').unwrap_or(head);
    head.strip_suffix('\r').unwrap_or(head).len()
}

/// The comma between two places, if there is one outside of comments.
fn comma_behind(text: &str, from: usize, to: usize) -> Option<usize> {
    let mut at = from;
    while at < to {
        let rest = text.get(at..to)?;
        at += if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with(',') {
            return Some(at);
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
    }
    None
}

/// The end of the line, when nothing but blanks and comments stands before it; else the place itself.
fn line_end_behind(text: &str, from: usize, to: usize) -> usize {
    let rest = text.get(from..to).unwrap_or_default();
    let Some(line) = rest.split('\n').next().filter(|line| line.len() < rest.len()) else { return from };
    let line = line.strip_suffix('\r').unwrap_or(line);
    let blank = line.trim();
    let is_comment = blank.starts_with("//") || blank.starts_with("/*") && blank.ends_with("*/");
    if is_comment { from + line.trim_end().len() } else { from }
}

/// The blanks at the beginning of the line that a place is on.
fn indent_at(text: &str, at: usize) -> String {
    let head = text.get(..at).unwrap_or_default();
    let line = head.rsplit('\n').next().unwrap_or_default().trim_start_matches('\u{feff}');
    line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
}

/// What a level is indented by: as the first line that is.
fn unit(text: &str) -> String {
    let indents = text.lines().skip(1).map(|line| line.len() - line.trim_start_matches([' ', '\t']).len());
    let first =
        text.lines().skip(1).zip(indents).find(|(line, indent)| *indent > 0 && !line.trim().is_empty());
    first.and_then(|(line, indent)| line.get(..indent)).unwrap_or("  ").to_owned()
}
