//! The text of a preview as the screen shows it: pieces of lines with where each comes from.

use crate::app::contents::Contents;
use crate::app::preview::rows::{self, Row};
use crate::check::Severity;
use crate::memory::index::Index;
use crate::memory::text::visible;
use crate::prompt::picture::{Preview, Role, Source};
use crate::prompt::subject::Subject;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// The longest piece of a line that is drawn at once, in characters: a line of megabytes must not hold up the screen.
const PIECE: usize = 400;

/// A preview, laid out for the screen.
#[derive(Debug)]
pub struct Page {
    /// What it is about.
    pub subject: Subject,
    /// What was found out.
    pub preview: Preview,
    /// All that the text pane shows, the screen's own rules included.
    pub text: String,
    /// Its lines; long ones in pieces.
    pub lines: Vec<Line>,
    /// The list of sources.
    pub rows: Vec<Row>,
    /// The version of an installed client whose words are not known yet.
    pub offer: Option<String>,
}

/// A line, or a piece of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The bytes of [`Page::text`].
    pub bytes: Range<usize>,
    /// Where it comes from.
    pub of: Of,
    /// It is the first one that comes from there.
    pub is_first: bool,
}

/// Where a line comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// The screen's own line between parts.
    Rule,
    /// The screen's own line where the index is cut.
    Cut,
    /// The memory part of the system prompt.
    System,
    /// The client's words around the content.
    Frame,
    /// The heading of a section (its number in the preview).
    Heading(usize),
    /// The content of a section.
    Body(usize),
    /// The notice about a cut index.
    Notice(usize),
    /// What lies below the cut: no session sees it.
    Below(usize),
    /// A file that loads because another one is opened (its number there).
    OnUse(usize),
}

impl Page {
    /// Lays a preview out.
    #[must_use]
    pub fn new(subject: Subject, preview: Preview, home: &Path) -> Self {
        let mut writer = Writer::default();
        if let Some(system) = &preview.system {
            writer.rule("system prompt, the part about memory");
            writer.lines(system.trim_end_matches('\n'), Of::System);
        }
        if !preview.text.is_empty() {
            writer.rule("first message");
            block(&preview, &mut writer);
        }
        for (at, section) in preview.opened.sections.iter().enumerate() {
            if let Some(by) = &section.opened_by {
                let matched =
                    section.matched.as_ref().map(|it| format!(", matches {it}")).unwrap_or_default();
                writer.rule(&format!("when {} is opened{matched}", rows::short(by, &subject, home)));
            }
            writer.lines(&format!("Contents of {}:", section.shown), Of::OnUse(at));
            writer.lines("", Of::OnUse(at));
            writer.lines(section.body.trim_end_matches('\n'), Of::OnUse(at));
        }
        let rows = rows::rows(&preview, &writer.lines, &subject, home);
        Self { subject, text: writer.text, lines: writer.lines, rows, preview, offer: None }
    }

    /// A line as it is shown: nothing in it steers the terminal; tabs are four blanks.
    #[must_use]
    pub fn shown(&self, line: &Line) -> Cow<'_, str> {
        let text = self.text.get(line.bytes.clone()).unwrap_or_default();
        if text.contains('\t') {
            Cow::Owned(visible(&text.replace('\t', "    "), false).into_owned())
        } else {
            visible(text, false)
        }
    }

    /// The line that holds a byte of the text.
    #[must_use]
    pub fn line_at(&self, byte: usize) -> usize {
        self.lines.partition_point(|line| line.bytes.start <= byte).saturating_sub(1)
    }

    /// The whole line of which this one is a piece.
    #[must_use]
    pub fn whole(&self, line: usize) -> &str {
        let Some(bytes) = self.lines.get(line).map(|line| line.bytes.clone()) else { return "" };
        let start = self.text.get(..bytes.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let rest = self.text.get(bytes.start..).unwrap_or_default();
        let end = rest.find('\n').map_or(self.text.len(), |at| bytes.start + at);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The file that a line comes from.
    #[must_use]
    pub fn file(&self, line: usize) -> Option<&Path> {
        let section = |at: usize| self.preview.sections.get(at).map(|section| section.path.as_path());
        match self.lines.get(line)?.of {
            Of::Heading(at) | Of::Body(at) | Of::Below(at) => section(at),
            Of::OnUse(at) => self.preview.opened.sections.get(at).map(|section| section.path.as_path()),
            Of::Rule | Of::Cut | Of::System | Of::Frame | Of::Notice(_) => None,
        }
    }

    /// The lines of the index that name a memory on which something is found, with the worst of it; what is only
    /// worth knowing is left out.
    #[must_use]
    pub fn flags(&self, contents: &Contents) -> BTreeMap<usize, Severity> {
        // The lines as one index; a long one is in pieces, and its first piece stands for it.
        let lines: Vec<usize> = (0..self.lines.len()).filter(|line| self.is_of_index(*line)).collect();
        let is_start = |line: &usize| {
            let start = self.lines.get(*line).map_or(0, |line| line.bytes.start);
            start == 0 || self.text.as_bytes().get(start - 1) == Some(&b'\n')
        };
        let lines: Vec<usize> = lines.into_iter().filter(is_start).collect();
        let text: String = lines.iter().map(|line| format!("{}\n", self.whole(*line))).collect();
        let index = Index::parse(text.as_bytes());
        let resolution = index.resolve(&contents.snapshot);
        let mut flags = BTreeMap::new();
        for (entry, memory) in index.entries.iter().zip(resolution.memory_of) {
            let path = memory.and_then(|at| contents.snapshot.memories.get(at)).map(|memory| &memory.path);
            let found = path.and_then(|path| contents.entries.get(contents.find(path)?));
            let worst = found.and_then(|entry| entry.worst).filter(|worst| *worst >= Severity::Warning);
            if let (Some(worst), Some(line)) = (worst, lines.get(entry.line)) {
                let known = flags.entry(*line).or_insert(worst);
                *known = worst.max(*known);
            }
        }
        flags
    }

    /// Whether a line is one of an index.
    #[must_use]
    pub fn is_of_index(&self, line: usize) -> bool {
        match self.lines.get(line).map(|line| line.of) {
            Some(Of::Below(_)) => true,
            Some(Of::Body(at)) => self.preview.sections.get(at).is_some_and(|it| it.role == Role::Index),
            _ => false,
        }
    }
}

/// The block of the first message, with the cut and what lies below it where it falls.
fn block(preview: &Preview, writer: &mut Writer) {
    let cut = preview.index.as_ref().filter(|index| !index.cut().is_empty());
    let mut spans = preview.map.iter().peekable();
    for (number, text) in preview.text.trim_end_matches('\n').split('\n').enumerate() {
        while spans.peek().is_some_and(|span| span.lines.end <= number) {
            spans.next();
        }
        let source = spans.peek().map_or(Source::Frame, |span| span.source);
        let is_last = spans.peek().is_some_and(|span| span.lines.end == number + 1);
        let of = match source {
            Source::Frame => Of::Frame,
            Source::Heading(at) => Of::Heading(at),
            Source::Body(at) => Of::Body(at),
            Source::Notice(at) => Of::Notice(at),
        };
        writer.lines(text, of);
        let section = |at: usize| preview.sections.get(at);
        if let (Source::Body(at), Some(index), true) = (source, cut, is_last)
            && section(at).is_some_and(|section| section.path == index.path && section.role == Role::Index)
        {
            let limits = index.cut().into_iter().map(|limit| match limit {
                "lines" => format!("{} lines", crate::prompt::limits::MAX_LINES),
                _ => "25,000 characters".to_owned(),
            });
            let lost = match index.lost.len() {
                0 => "no memory is lost by it".to_owned(),
                1 => "1 memory below is not seen".to_owned(),
                many => format!("{many} memories below are not seen"),
            };
            writer.lines(&format!("cut: {}; {lost}", limits.collect::<Vec<_>>().join(" and ")), Of::Cut);
            writer.lines(index.cut_text.trim_matches('\n'), Of::Below(at));
        }
    }
}

#[derive(Default)]
struct Writer {
    text: String,
    lines: Vec<Line>,
}

impl Writer {
    fn rule(&mut self, text: &str) {
        self.lines(text, Of::Rule);
    }

    fn lines(&mut self, text: &str, of: Of) {
        for line in text.split('\n') {
            let mut rest = line;
            loop {
                let cut = rest.char_indices().nth(PIECE).map_or(rest.len(), |(at, _)| at);
                let (piece, behind) = rest.split_at_checked(cut).unwrap_or((rest, ""));
                let start = self.text.len();
                self.text.push_str(piece);
                let is_first = self.lines.last().is_none_or(|last| !same(last.of, of));
                self.lines.push(Line { bytes: start..self.text.len(), of, is_first });
                rest = behind;
                if rest.is_empty() {
                    break;
                }
            }
            self.text.push('\n');
        }
    }
}

/// Whether two lines belong together: heading and content of one section do.
fn same(one: Of, other: Of) -> bool {
    match (one, other) {
        (Of::Heading(a), Of::Body(b)) => a == b,
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::port::Environment;
    use crate::prompt::port::mem::MemPort;
    use crate::prompt::subject::Usual;

    fn page(index: &str) -> Page {
        let mut port = MemPort::default();
        port.file("/home/.claude/projects/-p/memory/MEMORY.md", index)
            .file("/p/CLAUDE.md", "Be\tkind.\x1b[31m\n");
        let env = Environment { home: "/home".into(), cwd: "/p".into(), ..Environment::default() };
        let subject = Subject::Client("/p".into());
        let now = "2026-11-30T12:00:00Z".parse().unwrap();
        let preview = subject.preview(&port, &env, &Usual::default().request(&[], now));
        Page::new(subject, preview, Path::new("/home"))
    }

    #[test]
    fn every_line_says_where_it_comes_from() {
        let page = page("- [A](a.md)\n");
        let find = |text: &str| page.lines.iter().position(|line| page.shown(line).contains(text)).unwrap();
        let kind = find("Be");
        assert_eq!(page.shown(&page.lines[kind]), "Be    kind.␛[31m");
        assert_eq!(page.file(kind), Some(Path::new("/p/CLAUDE.md")));
        let index = find("[A]");
        assert!(page.is_of_index(index) && !page.is_of_index(kind));
        assert_eq!(page.line_at(page.lines[index].bytes.start + 3), index);
        assert_eq!(page.lines[find("system prompt")].of, Of::Rule);
        assert!(page.lines.iter().all(|line| line.of != Of::Cut));
        // What the pane shows of the first message is what is sent.
        let sent = page.preview.text.trim_end_matches('\n');
        assert!(page.text.contains(sent));
    }

    #[test]
    fn the_cut_stands_where_it_falls_and_what_is_below_it_follows() {
        let lines: String = (0..203).map(|n| format!("- [M{n}](m{n}.md)\n")).collect();
        let page = page(&lines);
        let cut = page.lines.iter().position(|line| line.of == Of::Cut).unwrap();
        assert_eq!(page.shown(&page.lines[cut]), "cut: 200 lines; 3 memories below are not seen");
        assert_eq!(page.shown(&page.lines[cut - 1]), "- [M199](m199.md)");
        assert_eq!(page.shown(&page.lines[cut + 1]), "- [M200](m200.md)");
        assert!(matches!(page.lines[cut + 3].of, Of::Below(_)));
        assert!(matches!(page.lines[cut + 4].of, Of::Notice(_)));
    }

    #[test]
    fn a_line_of_megabytes_is_shown_in_pieces() {
        let page = page(&"é".repeat(20_000));
        let pieces: Vec<&Line> = page.lines.iter().filter(|line| matches!(line.of, Of::Body(1))).collect();
        assert_eq!(pieces.len(), 50);
        let at = page.lines.iter().position(|line| line == pieces[3]).unwrap();
        assert_eq!(page.whole(at).chars().count(), 20_000);
        assert_eq!(pieces.iter().filter(|line| line.is_first).count(), 0, "its heading comes first");
    }
}
