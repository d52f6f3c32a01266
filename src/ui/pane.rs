//! Draws a memory's text, scrolled, with what the filter matches and the chosen link shown.

use crate::app::layout::{Area, PaneLayout};
use crate::app::model::{Focus, Open, Scroll};
use crate::app::query::Query;
use crate::memory::Time;
use crate::ui::page::Cache;
use crate::ui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// How many lines stand above the first match when the text is scrolled to it.
const ABOVE_A_MATCH: usize = 2;

/// Draws the memory under the cursor.
pub fn draw(
    open: &Open,
    now: Time,
    cache: &mut Cache,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) -> Option<PaneLayout> {
    let entry = open.current()?;
    let (columns, height) = (usize::from(area.width), usize::from(area.height));
    let query = open.list.filter.query.as_deref();
    let to = match open.pane.scroll {
        Scroll::Auto => height,
        Scroll::At(line) => line.saturating_add(height),
    };
    let recalled = open.recalled(entry, now).unwrap_or_default();
    let page = cache.page(&open.contents, entry, (columns, open.pane.view), &recalled, to, theme);
    let last = page.lines.len().saturating_sub(height);
    let scroll = match open.pane.scroll {
        Scroll::At(line) => line.min(last),
        Scroll::Auto => query.map_or(0, |query| first_match(query, &page.lines, height)).min(last),
    };
    let chosen = open.pane.link.and_then(|link| page.links.get(link));
    for (line, y) in page.lines.iter().enumerate().skip(scroll).zip(area.y..area.bottom()) {
        let (number, line) = line;
        if let Some(query) = query {
            buffer.set_line(area.x, y, &marked(query, line, theme), area.width);
        } else {
            buffer.set_line(area.x, y, line, area.width);
        }
        if chosen == Some(&number) && open.pane.focus != Focus::List {
            buffer.set_style(Rect { y, height: 1, ..area }, theme.link_chosen);
        }
    }
    let area = Area { x: area.x, y: area.y, width: area.width, height: area.height };
    Some(PaneLayout { area, scroll, lines: page.lines.len(), links: page.links.clone() })
}

/// The line to scroll to so that a match shows; the top when one shows there.
fn first_match(query: &Query, lines: &[Line<'_>], height: usize) -> usize {
    let found = lines.iter().position(|line| !query.highlights(&line.to_string()).is_empty());
    match found {
        Some(line) if line >= height => line.saturating_sub(ABOVE_A_MATCH),
        _ => 0,
    }
}

/// The line with what the filter matches set off.
#[must_use]
pub fn marked(query: &Query, line: &Line<'_>, theme: &Theme) -> Line<'static> {
    let text = line.to_string();
    let hits = query.highlights(&text);
    let mut marked = Line::default();
    let mut at = 0;
    for span in &line.spans {
        let end = at + span.content.len();
        let mut from = at;
        for hit in hits.iter().filter(|hit| hit.start < end && hit.end > at) {
            let (start, stop) = (hit.start.max(at), hit.end.min(end));
            push(&mut marked, text.get(from..start), span.style);
            push(&mut marked, text.get(start..stop), span.style.patch(theme.hit));
            from = stop;
        }
        push(&mut marked, text.get(from..end), span.style);
        at = end;
    }
    marked.style(line.style)
}

fn push(line: &mut Line<'static>, text: Option<&str>, style: ratatui::style::Style) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        line.push_span(Span::styled(text.to_string(), style));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_set_off_across_spans_too() {
        let theme = Theme::named("mono").unwrap();
        let line = Line::from(vec![Span::raw("ab中"), Span::styled("文cd", theme.code)]);
        let marked = marked(&Query::parse("中文 D").unwrap(), &line, &theme);
        let parts: Vec<_> =
            marked.spans.iter().map(|span| (span.content.as_ref(), span.style == theme.hit)).collect();
        assert_eq!(parts, [("ab", false), ("中", true), ("文", true), ("c", false), ("d", true)]);
        assert_eq!(marked.to_string(), line.to_string());
    }
}
