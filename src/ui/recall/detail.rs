//! What stands beside the candidates: why the one under the cursor was picked or not, the selector's prompt, or what would
//! be brought in.

use crate::app::commands::Command;
use crate::app::contents::one_line;
use crate::app::layout::{Area, PaneLayout};
use crate::app::model::{Model, Open};
use crate::app::recall::{Terms, Text, TextLine, View, lacking, place};
use crate::check::secrets;
use crate::prompt::recall::{Candidate, Fate, Field, Verdict};
use crate::ui::recall::bar;
use crate::ui::text::{fold, put, wrap};
use crate::ui::theme::Theme;
use crate::ui::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Columns of a label.
const LABEL: usize = 13;

/// Draws it below a line that says which views there are, scrolled.
pub(super) fn draw(model: &Model, open: &Open, theme: &Theme, area: Rect, buffer: &mut Buffer) -> PaneLayout {
    views(model, open, theme, Rect { height: 1, ..area }, buffer);
    let area = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    let finder = &open.finder;
    let columns = usize::from(area.width).max(1);
    let text =
        finder.found.as_ref().and_then(|found| found.text.as_ref()).filter(|it| it.view == finder.view);
    let (scroll, lines) = match (finder.view, text) {
        (View::Why, _) => {
            let lines = why(model, open, theme, columns);
            let scroll = finder.scroll.min(lines.len().saturating_sub(usize::from(area.height)));
            for (line, y) in lines.iter().skip(scroll).zip(area.y..area.bottom()) {
                buffer.set_line(area.x, y, line, area.width);
            }
            (scroll, lines.len())
        }
        (_, Some(text)) => self::text(text, finder.scroll, theme, area, buffer),
        (_, None) => (0, 0),
    };
    let area = Area { x: area.x, y: area.y, width: area.width, height: area.height };
    PaneLayout { area, scroll, lines, links: Vec::new() }
}

/// The views there are, and the key that goes through them.
fn views(model: &Model, open: &Open, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let mut x = row.x;
    for view in View::ALL {
        let style = if view == open.finder.view { theme.title } else { theme.dim };
        let sign = if view == open.finder.view { "▸" } else { " " };
        x = put(buffer, x, row.y, row.right().saturating_sub(x), &format!("{sign}{}", view.words()), style)
            + 2;
    }
    put(buffer, x, row.y, row.right().saturating_sub(x), &model.keymap.label(Command::RecallView), theme.key);
}

/// A text, of which only what shows is laid out; gives the first line drawn and how many there are.
fn text(text: &Text, scroll: usize, theme: &Theme, area: Rect, buffer: &mut Buffer) -> (usize, usize) {
    let scroll = scroll.min(text.lines.len().saturating_sub(1));
    let columns = usize::from(area.width).max(1);
    let mut y = area.y;
    let mut say = |text: &str, style: Style| {
        // A line may be long: only what can show is laid out.
        let most = columns * usize::from(area.height);
        let cut = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
        let text = text.get(..cut).unwrap_or_default();
        for part in fold(text, columns) {
            if y < area.bottom() {
                put(buffer, area.x, y, area.width, text.get(part).unwrap_or_default(), style);
                y += 1;
            }
        }
        y < area.bottom()
    };
    if scroll == 0 {
        say(&text.head, theme.dim);
        say("", theme.text);
        if text.lines.is_empty() {
            say("Nothing would be brought in: nothing is picked.", theme.text);
        }
    }
    for line in text.lines.iter().skip(scroll) {
        let goes_on = match line {
            TextLine::Head(path) => say(path, theme.heading),
            TextLine::Said(line) => say(line, theme.text),
        };
        if !goes_on {
            break;
        }
    }
    (scroll, text.lines.len())
}

/// Why the candidate under the cursor was picked or not.
fn why(model: &Model, open: &Open, theme: &Theme, columns: usize) -> Vec<Line<'static>> {
    let finder = &open.finder;
    let Some((verdict, found)) = finder.current().zip(finder.found.as_ref()) else { return Vec::new() };
    let Some(candidate) = finder.candidate(verdict) else { return Vec::new() };
    let mut said = Said { theme, columns, lines: Vec::new() };
    said.plain(&one_line(&secrets::mask(&candidate.title())), theme.title);
    let better = found.recall.verdicts.iter().filter(|other| other.score > verdict.score).count();
    let standing = match verdict.fate {
        Fate::Picked => {
            format!("picked, {} of {}", place(better + 1), words::grouped(found.recall.verdicts.len()))
        }
        Fate::NoMatch => "not picked: nothing of the query is in its header".into(),
        _ => format!("not picked: {}", one_line(&verdict.fate.words())),
    };
    said.plain(&standing, if verdict.fate == Fate::Picked { theme.good } else { theme.flag });
    if verdict.score > 0.0 {
        let text = format!("{} {:.2} of what is asked", bar(verdict.score).trim_end(), verdict.score);
        said.plain(&text, theme.dim);
    }
    by_model(open, verdict, &mut said);
    said.blank();
    header(candidate, &finder.query, theme, &mut said);
    said.blank();
    if !verdict.matches.is_empty() {
        said.plain("matched", theme.label);
        for found in &verdict.matches {
            let fields: Vec<&str> = found.fields.iter().map(|field| Field::as_str(*field)).collect();
            let weight = Line::styled(format!("  {:.2}  ", found.weight), theme.dim);
            let term = (one_line(&found.term).into(), theme.text);
            let fields = (format!(" · {}", fields.join(", ")).into(), theme.dim);
            said.lines.extend(wrap(&[term, fields], columns, &weight, &Line::raw(" ".repeat(8))));
        }
    }
    let lacking = lacking(&finder.query, verdict);
    if !lacking.is_empty() {
        said.plain("lacking", theme.label);
        let indent = Line::raw("  ");
        let text = (one_line(&lacking.join(", ")).into(), theme.text);
        said.lines.extend(wrap(&[text], columns, &indent, &indent));
    }
    if verdict.fate != Fate::Picked && candidate.unreadable.is_none() {
        said.blank();
        let key = model.keymap.label(Command::Describe);
        said.plain(&format!("{key} tries another description on queries"), theme.dim);
    }
    said.lines
}

/// What the model says of it, and what of its answer was refused.
fn by_model(open: &Open, verdict: &Verdict, said: &mut Said<'_>) {
    let Some(answer) = open.finder.answer() else { return };
    let theme = said.theme;
    match open.finder.by_model(&verdict.path).flatten() {
        Some(at) => said.plain(&format!("the model picks it, {}", place(at)), theme.mark),
        None => said.plain("the model does not pick it", theme.dim),
    }
    for refused in &answer.refused {
        said.plain(
            &format!("refused of its answer: {}: {}", one_line(&refused.file), one_line(&refused.why)),
            theme.warning,
        );
    }
}

/// The header, what answers the query set off.
fn header(candidate: &Candidate, query: &str, theme: &Theme, said: &mut Said<'_>) {
    let terms = Terms::of(query);
    let age = candidate.age.as_ref().map(|age| words::age(age, theme)).unwrap_or_default();
    let path = candidate.path.to_str_lossy();
    let rows = [
        ("file", Some(&*path)),
        ("name", candidate.name.as_deref()),
        ("description", candidate.description.as_deref()),
        ("type", Some(candidate.kind.as_str())),
        ("age", Some(age.as_str())),
    ];
    for (label, text) in rows {
        let Some(text) = text else {
            said.labelled(label, vec![("none".into(), theme.warning)]);
            continue;
        };
        let text = one_line(&secrets::mask(text));
        let hits = if label == "age" { Vec::new() } else { terms.hits(&text) };
        let mut pieces = Vec::new();
        let mut at = 0;
        for hit in hits {
            pieces.push((text.get(at..hit.start).unwrap_or_default().to_owned(), theme.text));
            pieces.push((text.get(hit.clone()).unwrap_or_default().to_owned(), theme.hit));
            at = hit.end;
        }
        pieces.push((text.get(at..).unwrap_or_default().to_owned(), theme.text));
        said.labelled(label, pieces);
    }
    if let Some(why) = &candidate.unreadable {
        said.plain(&format!("it can't be read: {}", one_line(why)), theme.error);
    }
}

struct Said<'a> {
    theme: &'a Theme,
    columns: usize,
    lines: Vec<Line<'static>>,
}

impl Said<'_> {
    fn plain(&mut self, text: &str, style: Style) {
        let none = Line::default();
        self.lines.extend(wrap(&[(text.to_owned().into(), style)], self.columns, &none, &none));
    }

    fn labelled(&mut self, label: &str, pieces: Vec<(String, Style)>) {
        let first = Line::from(Span::styled(format!("{label:<LABEL$}"), self.theme.label));
        let rest = Line::raw(" ".repeat(LABEL));
        let pieces: Vec<_> = pieces.into_iter().map(|(text, style)| (text.into(), style)).collect();
        self.lines.extend(wrap(&pieces, self.columns, &first, &rest));
    }

    fn blank(&mut self) {
        self.lines.push(Line::default());
    }
}
