//! Markdown as a person reads it: styled lines, wrapped to a width.

use crate::memory::text::visible;
use crate::ui::table;
use crate::ui::text::wrap;
use crate::ui::theme::Theme;
use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use std::borrow::Cow;

/// Styled text that is not wrapped yet.
pub(super) type Piece = (Cow<'static, str>, Style);

/// The lines of a Markdown text, wrapped to `columns`. Whatever the text holds, it is safe to show.
#[must_use]
pub fn lines(text: &str, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_WIKILINKS;
    let mut writer = Writer {
        theme,
        columns,
        lines: Vec::new(),
        pieces: Vec::new(),
        styles: vec![theme.text],
        margins: Vec::new(),
        lists: Vec::new(),
        after_block: false,
        code: false,
        table: None,
        target: None,
    };
    for event in Parser::new_ext(text, options) {
        writer.event(event);
    }
    writer.flush();
    writer.lines
}

/// What stands left of the lines of a block.
struct Margin {
    /// Before the next line, once: a list item's sign.
    sign: Option<Span<'static>>,
    /// Before all others.
    rest: Span<'static>,
}

struct Writer<'a> {
    theme: &'a Theme,
    columns: usize,
    lines: Vec<Line<'static>>,
    pieces: Vec<Piece>,
    styles: Vec<Style>,
    margins: Vec<Margin>,
    /// The number of the next item, for each list that is open; `None`: signs.
    lists: Vec<Option<u64>>,
    /// A block ended: a blank line comes before the next one.
    after_block: bool,
    code: bool,
    /// The rows of the table that is being read.
    table: Option<Vec<Vec<Vec<Piece>>>>,
    /// Where the link leads that is being read, when that is to be shown behind its text.
    target: Option<String>,
}

impl Writer<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.code => self.code_lines(&text),
            Event::Text(text) => self.text(&text, self.style()),
            Event::Code(text) => self.text(&text, self.style().patch(self.theme.code)),
            Event::Html(html) | Event::InlineHtml(html) => {
                self.text(&html, self.style().patch(self.theme.dim))
            }
            Event::SoftBreak => self.text(" ", self.style()),
            Event::HardBreak => self.pieces.push(("\n".into(), self.style())),
            Event::Rule => {
                self.begin();
                self.lines.push(Line::styled("─".repeat(self.columns.min(40)), self.theme.rule));
                self.after_block = true;
            }
            Event::TaskListMarker(done) => self.text(if done { "[x] " } else { "[ ] " }, self.theme.label),
            Event::FootnoteReference(name) => self.text(&format!("[{name}]"), self.theme.dim),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text, self.theme.code),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.begin(),
            Tag::Heading { .. } => {
                self.begin();
                self.styles.push(self.theme.heading);
            }
            Tag::BlockQuote(_) => {
                self.begin();
                let bar = Span::styled("│ ", self.theme.rule);
                self.margins.push(Margin { sign: None, rest: bar });
                self.styles.push(self.theme.quote);
            }
            Tag::CodeBlock(kind) => {
                self.begin();
                if let CodeBlockKind::Fenced(language) = kind
                    && !language.trim().is_empty()
                {
                    self.text(&language, self.theme.dim);
                    self.flush();
                }
                self.code = true;
                self.margins.push(Margin { sign: None, rest: Span::styled("▏ ", self.theme.rule) });
            }
            Tag::List(first) => {
                self.flush();
                if self.lists.is_empty() {
                    self.begin();
                }
                self.after_block = false;
                self.lists.push(first);
            }
            Tag::Item => {
                self.flush();
                self.after_block = false;
                let sign = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "• ".into(),
                };
                let rest = Span::raw(" ".repeat(crate::ui::text::width(&sign)));
                self.margins.push(Margin { sign: Some(Span::styled(sign, self.theme.dim)), rest });
            }
            Tag::Table(_) => {
                self.begin();
                self.table = Some(Vec::new());
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(rows) = &mut self.table {
                    rows.push(Vec::new());
                }
            }
            Tag::Emphasis => self.push_modifier(Modifier::ITALIC),
            Tag::Strong => self.push_modifier(Modifier::BOLD),
            Tag::Strikethrough => self.push_modifier(Modifier::CROSSED_OUT),
            Tag::Link { link_type, dest_url, .. } => {
                let shown =
                    !matches!(link_type, LinkType::WikiLink { .. } | LinkType::Autolink | LinkType::Email);
                self.target = (shown && dest_url.contains("://")).then(|| dest_url.to_string());
                self.styles.push(self.style().patch(self.theme.link));
            }
            Tag::Image { .. } => {
                self.text("[image] ", self.theme.dim);
                self.styles.push(self.style());
            }
            Tag::FootnoteDefinition(name) => {
                self.begin();
                self.text(&format!("[{name}] "), self.theme.dim);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.end_block(),
            TagEnd::Heading(_) => {
                self.end_block();
                self.styles.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.end_block();
                self.margins.pop();
                self.styles.pop();
            }
            TagEnd::CodeBlock => {
                self.code = false;
                self.margins.pop();
                self.after_block = true;
            }
            TagEnd::List(_) => {
                self.lists.pop();
                self.after_block = self.lists.is_empty();
            }
            TagEnd::Item => {
                // An empty item still shows its sign.
                if self.margins.last().is_some_and(|margin| margin.sign.is_some()) || !self.pieces.is_empty()
                {
                    self.write();
                }
                self.margins.pop();
            }
            TagEnd::Table => {
                if let Some(rows) = self.table.take() {
                    self.lines.extend(table::lines(&rows, self.columns, self.theme));
                }
                self.after_block = true;
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.pieces);
                if let Some(row) = self.table.as_mut().and_then(|rows| rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Image => {
                self.styles.pop();
            }
            TagEnd::Link => {
                self.styles.pop();
                if let Some(target) = self.target.take() {
                    self.text(&format!(" ({target})"), self.theme.dim);
                }
            }
            _ => {}
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn push_modifier(&mut self, modifier: Modifier) {
        self.styles.push(self.style().add_modifier(modifier));
    }

    fn text(&mut self, text: &str, style: Style) {
        self.pieces.push((visible(text, true).into_owned().into(), style));
    }

    fn code_lines(&mut self, text: &str) {
        for line in text.lines() {
            let margin = self.margin();
            let text = visible(line, true).replace('\t', "    ");
            // Blanks of code stay: they are made unbreakable for wrapping and are blanks on the screen.
            let text = text.replace(' ', "\u{a0}");
            self.lines.extend(wrap(&[(text.into(), self.theme.code)], self.columns, &margin, &margin));
        }
    }

    /// A block begins: what is open ends, and a blank line comes before it.
    fn begin(&mut self) {
        self.flush();
        if self.after_block && !self.lines.is_empty() {
            let margin: Vec<_> = self.margins.iter().map(|margin| margin.rest.clone()).collect();
            self.lines.push(Line::from(margin));
        }
        self.after_block = false;
    }

    fn end_block(&mut self) {
        self.flush();
        self.after_block = true;
    }

    fn flush(&mut self) {
        if !self.pieces.is_empty() {
            self.write();
        }
    }

    fn write(&mut self) {
        let mut pieces = std::mem::take(&mut self.pieces);
        if let Some((last, _)) = pieces.last_mut() {
            // HTML keeps its line end.
            *last = last.trim_end_matches('\n').to_string().into();
        }
        let mut first = self.margin();
        let mut rest: Line<'static> = self.margins.iter().map(|margin| margin.rest.clone()).collect();
        if let Some(label) = take_label(&mut pieces) {
            first.push_span(Span::styled(format!("{label:<6}"), self.theme.label));
            rest.push_span(Span::raw(" ".repeat(6)));
        }
        self.lines.extend(wrap(&pieces, self.columns, &first, &rest));
    }

    /// What stands left of the next line; a list item's sign only once.
    fn margin(&mut self) -> Line<'static> {
        self.margins
            .iter_mut()
            .map(|margin| margin.sign.take().unwrap_or_else(|| margin.rest.clone()))
            .collect()
    }
}

/// Takes a bold `Why:` or `How to apply:` off the front of a paragraph; gives the label for it.
fn take_label(pieces: &mut Vec<Piece>) -> Option<&'static str> {
    let (text, style) = pieces.first()?;
    if !style.add_modifier.contains(Modifier::BOLD) {
        return None;
    }
    let label = match text.trim().trim_end_matches(':').to_lowercase().as_str() {
        "why" => "Why",
        "how to apply" | "how" => "How",
        _ => return None,
    };
    let has_colon = text.trim_end().ends_with(':');
    let next = pieces.get_mut(1).filter(|(text, _)| has_colon || text.trim_start().starts_with(':'));
    match next {
        Some((text, _)) => {
            let rest = text.trim_start().trim_start_matches(':').trim_start().to_string();
            *text = rest.into();
        }
        None if has_colon => {}
        None => return None,
    }
    pieces.remove(0);
    Some(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, columns: usize) -> Vec<String> {
        let theme = Theme::named("terminal").unwrap();
        let lines = lines(text, columns, &theme);
        lines.iter().map(|line| line.to_string().replace('\u{a0}', " ").trim_end().to_string()).collect()
    }

    #[test]
    fn reads_as_it_would_on_paper() {
        let text = "# Head\n\nSome *soft* and **bold**\ntext `code`.\n\n- one\n- two\n  - deep\n\n1. first\n2. second\n\n> said\n> so\n\n```rs\nfn x() {\n    1\n}\n```\n\n---\n[t](https://example.com) [[other]]";
        assert_eq!(
            shown(text, 40),
            [
                "Head",
                "",
                "Some soft and bold text code.",
                "",
                "• one",
                "• two",
                "  • deep",
                "",
                "1. first",
                "2. second",
                "",
                "│ said so",
                "",
                "rs",
                "▏ fn x() {",
                "▏     1",
                "▏ }",
                "",
                "────────────────────────────────────────",
                "",
                "t (https://example.com) other",
            ]
        );
    }

    #[test]
    fn why_and_how_are_labels() {
        let text =
            "Fact.\n\n**Why:** a long reason that wraps\n\n**How to apply**: always\n\n**Whyever** not";
        assert_eq!(
            shown(text, 24),
            ["Fact.", "", "Why   a long reason that", "      wraps", "", "How   always", "", "Whyever not"]
        );
    }

    #[test]
    fn tables_are_aligned_and_wrapped() {
        let text = "| a | b |\n|---|---|\n| 中文 | some longer text here |\n| x | y |";
        assert_eq!(
            shown(text, 20),
            ["a     b", "───── ──────────────", "中文  some longer", "      text here", "x     y"]
                .map(String::from)
        );
    }

    #[test]
    fn loose_lists_items_with_paragraphs_and_empty_items() {
        assert_eq!(shown("- a\n\n  more\n\n- b\n-\n", 20), ["• a", "", "  more", "• b", "•"]);
        assert_eq!(shown("", 20), [""; 0]);
        assert_eq!(shown("<div>x</div>\n", 20), ["<div>x</div>"]);
    }
}
