//! A memory as it reads, laid out for a width: what stands above the body, the body, the links.

use crate::app::contents::{Contents, Entry, one_line};
use crate::app::model::PaneView;
use crate::app::update::place;
use crate::check::secrets;
use crate::memory::extended::{self, Key};
use crate::memory::path::RelPath;
use crate::memory::text::visible;
use crate::prompt::{read, wording};
use crate::ui::theme::Theme;
use crate::ui::{markdown, text, words};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::sync::Arc;

/// How much of a body is laid out at first; more follows when it is scrolled that far.
const FIRST_BYTES: usize = 1 << 16;

/// A memory, laid out.
#[derive(Debug, Default)]
pub struct Page {
    /// Its lines, no wider than asked for.
    pub lines: Vec<Line<'static>>,
    /// The line of each link, in the order of [`Entry::links`]; empty while the end is not laid out.
    pub links: Vec<usize>,
    /// Everything is laid out.
    pub is_whole: bool,
}

/// The page that was laid out last; drawing the same memory again costs nothing.
#[derive(Debug, Default)]
pub struct Cache {
    of: Option<(Arc<Contents>, RelPath, usize, PaneView)>,
    recalled: String,
    bytes: usize,
    page: Page,
}

impl Cache {
    /// The page of an entry, laid out at least down to line `to`. `recalled` says when sessions read it; it may be empty.
    pub fn page(
        &mut self,
        contents: &Arc<Contents>,
        entry: &Entry,
        (columns, view): (usize, PaneView),
        recalled: &str,
        to: usize,
        theme: &Theme,
    ) -> &Page {
        let is_same = self.of.as_ref().is_some_and(|(other, path, width, shown)| {
            Arc::ptr_eq(other, contents) && *path == entry.path && (*width, *shown) == (columns, view)
        }) && self.recalled == recalled;
        if !is_same {
            self.of = Some((contents.clone(), entry.path.clone(), columns, view));
            recalled.clone_into(&mut self.recalled);
            self.bytes = FIRST_BYTES;
            self.page = layout(contents, entry, (columns, view), recalled, self.bytes, theme);
        }
        while !self.page.is_whole && self.page.lines.len() < to {
            self.bytes = if to == usize::MAX { usize::MAX } else { self.bytes.saturating_mul(4) };
            self.page = layout(contents, entry, (columns, view), recalled, self.bytes, theme);
        }
        &self.page
    }
}

fn layout(
    contents: &Contents,
    entry: &Entry,
    (columns, view): (usize, PaneView),
    recalled: &str,
    bytes: usize,
    theme: &Theme,
) -> Page {
    if view == PaneView::Agent {
        return as_agent(contents, entry, columns, bytes, theme);
    }
    let mut page = Page::default();
    head(&mut page.lines, contents, entry, recalled, columns, theme);
    findings(&mut page.lines, contents, entry, columns, theme);
    page.lines.push(Line::default());
    let body = contents.body(entry);
    let part = body.get(..bytes).unwrap_or(body);
    page.is_whole = part.len() == body.len();
    // A character that the cut goes through becomes a placeholder for as long as the rest is not laid out.
    let mut shown = String::from_utf8_lossy(part).into_owned();
    if shown.contains('\r') {
        shown = shown.replace("\r\n", "\n").replace('\r', "\n");
    }
    if has_secret(contents, entry) {
        shown = secrets::mask(&shown).into_owned();
    }
    if body.is_empty() && entry.is_memory() {
        page.lines.push(Line::styled("(no text)", theme.dim));
    }
    page.lines.extend(markdown::lines(&shown, columns, theme));
    if page.is_whole {
        links(&mut page, contents, entry, columns, theme);
    }
    page
}

/// Whether a secret was found in it: a screen may be seen by others. The editor alone shows what stands there.
fn has_secret(contents: &Contents, entry: &Entry) -> bool {
    let mut found = entry.findings.iter().filter_map(|at| contents.findings.get(*at));
    found.any(|finding| finding.check.0 == "secret")
}

/// The file as the agent sees it when it reads it (CLIENT_FACTS D1), the note in our own words.
fn as_agent(contents: &Contents, entry: &Entry, columns: usize, bytes: usize, theme: &Theme) -> Page {
    let mut page = Page::default();
    let empty = Line::default();
    let mut paragraph = |text: String, style: Style| {
        page.lines.extend(text::wrap(&[(text.into(), style)], columns, &empty, &empty));
    };
    paragraph(entry.name.clone(), theme.title);
    paragraph("as the agent sees it when it reads the file; wording: built-in".into(), theme.dim);
    paragraph(String::new(), theme.text);
    match entry.client_note {
        Some(days) => paragraph(wording::age_note(days), theme.warning),
        None => paragraph("(no note about its age)".into(), theme.dim),
    }
    let whole = contents.memory(entry).map_or(contents.body(entry), |memory| &memory.bytes);
    let part = whole.get(..bytes).unwrap_or(whole);
    page.is_whole = part.len() == whole.len();
    if whole.is_empty() {
        page.lines.push(Line::styled("(the client says that the file is empty)", theme.dim));
    }
    let masked =
        has_secret(contents, entry).then(|| secrets::mask(&String::from_utf8_lossy(part)).into_owned());
    for (number, line) in read::numbered(masked.as_ref().map_or(part, |text| text.as_bytes())) {
        let first = Line::styled(format!("{number:>4}  "), theme.dim);
        let shown = visible(&line.replace('\t', "    "), false).into_owned();
        // Nothing of it is left out: blanks are part of what the agent sees.
        for (part, at) in text::fold(&shown, columns.saturating_sub(6).max(1)).into_iter().zip(0..) {
            let mut line = if at == 0 { first.clone() } else { Line::raw(" ".repeat(6)) };
            line.push_span(Span::styled(shown.get(part).unwrap_or_default().to_owned(), theme.text));
            page.lines.push(line);
        }
    }
    page
}

fn head(
    lines: &mut Vec<Line<'static>>,
    contents: &Contents,
    entry: &Entry,
    recalled: &str,
    columns: usize,
    theme: &Theme,
) {
    let mut paragraph = |text: String, style: Style| {
        lines.extend(text::wrap(&[(text.into(), style)], columns, &Line::default(), &Line::default()));
    };
    paragraph(entry.name.clone(), theme.title);
    if !entry.description.is_empty() {
        paragraph(entry.description.clone(), theme.text);
    }
    paragraph(words::summary(entry, contents, theme), theme.dim);
    let mut about = vec![one_line(&entry.path.to_str_lossy()), words::size(entry.bytes as u64)];
    about.extend(words::client_note(entry));
    paragraph(about.join(" · "), theme.dim);
    if !recalled.is_empty() {
        paragraph(recalled.to_owned(), theme.dim);
    }
    if let Some(link) = contents.memory(entry).and_then(|memory| memory.stat.link.as_ref()) {
        let target = one_line(&link.target.to_string_lossy());
        let place = if link.inside { "in this store" } else { "outside this store: never written through" };
        paragraph(format!("a symbolic link to {target}, {place}"), theme.warning);
    }
    let Some(memory) = contents.memory(entry) else { return };
    let header = &memory.document.header;
    let origin = header.origin_session.iter().map(|id| format!("originSessionId {}", one_line(id)));
    let is_verify = |key: &str| key.rsplit('.').next() == Some("verify");
    if !entry.says.is_empty() {
        paragraph(entry.says.join(" · "), theme.dim);
    }
    for key in [Key::Reason, Key::Application] {
        if let Some(field) = extended::field(header, key) {
            paragraph(format!("{}: {}", key.as_str(), one_line(&secrets::mask(field.value))), theme.text);
        }
    }
    let is_said = |key: &str, value: &str| Key::of(key).is_some() && !value.trim().is_empty();
    let others = header.others.iter().filter(|(key, value)| !is_verify(key) && !is_said(key, value));
    let others = others.map(|(key, value)| format!("{} {}", one_line(key), one_line(value)));
    let rest: Vec<_> = origin.chain(others).collect();
    if !rest.is_empty() {
        paragraph(rest.join(" · "), theme.dim);
    }
    for (_, how) in header.others.iter().filter(|(key, _)| is_verify(key)) {
        paragraph(format!("to check it: {} (shown, never run)", one_line(how)), theme.label);
    }
}

fn findings(
    lines: &mut Vec<Line<'static>>,
    contents: &Contents,
    entry: &Entry,
    columns: usize,
    theme: &Theme,
) {
    let found = entry.findings.iter().filter_map(|at| contents.findings.get(*at));
    for (number, finding) in found.enumerate() {
        if number == 0 {
            lines.push(Line::default());
        }
        let style = words::severity(finding.severity, theme);
        let sign = if finding.severity == crate::check::Severity::Info { "· " } else { "▲ " };
        let message = format!(": {}", visible(&finding.message, false));
        let (first, rest) = (Line::styled(sign, style), Line::raw("  "));
        let said = [(finding.check.0.into(), style), (message.into(), theme.text)];
        lines.extend(text::wrap(&said, columns, &first, &rest));
        for evidence in &finding.evidence {
            let said = format!("{}{}", place(evidence), visible(&evidence.text, false));
            let margin = Line::raw("    ");
            lines.extend(text::wrap(&[(said.into(), theme.dim)], columns, &margin, &margin));
        }
    }
}

fn links(page: &mut Page, contents: &Contents, entry: &Entry, columns: usize, theme: &Theme) {
    let out = entry.links_out.iter().map(|at| ("→ ", *at));
    let all = out.chain(entry.links_in.iter().map(|at| ("← ", *at)));
    for (number, (sign, at)) in all.enumerate() {
        if number == 0 {
            page.lines.push(Line::default());
        }
        page.links.push(page.lines.len());
        let name = contents.entries.get(at).map(|entry| entry.name.as_str()).unwrap_or_default();
        let what = if sign == "→ " { "links to " } else { "linked from " };
        let room = columns.saturating_sub(2 + what.len());
        page.lines.push(Line::from(vec![
            Span::styled(sign, theme.dim),
            Span::styled(what, theme.dim),
            Span::styled(text::fit(name, room).into_owned(), theme.link),
        ]));
    }
}
