//! Draws a memory that is verified: its claims with their verdicts, and what is said about the one that is looked at.

use crate::app::commands::Command;
use crate::app::contents::one_line;
use crate::app::layout::{Area, Layout, PaneLayout};
use crate::app::model::{Model, Open};
use crate::app::update::place;
use crate::app::verify::{Verifying, silenced};
use crate::check::claims::{Claim, Verdict};
use crate::memory::text::visible;
use crate::ui::passage::{self, Passage};
use crate::ui::text::{fit, put, wrap};
use crate::ui::theme::Theme;
use crate::ui::{READABLE, bars, to_area, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

/// Columns of a claim's kind in the list.
const KIND: usize = 9;

/// Draws the claims, and beside or below them the one that is looked at.
pub(super) fn draw(
    (model, open): (&Model, &Open),
    verifying: &Verifying,
    theme: &Theme,
    body: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let inner = |area: Rect| Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    // One row more than there are claims: the decision.
    let rows = u16::try_from(verifying.claims.len() + 1).unwrap_or(u16::MAX);
    let (list, detail) = if layout.is_wide {
        let list = Rect { width: (body.width * 2 / 5).clamp(40, 72), ..body };
        let x = list.right() + 1;
        bars::divider(theme, list.right(), body, buffer);
        (list, Rect { x, width: body.right() - x, ..body })
    } else {
        let list = Rect { height: rows.min(body.height / 3).max(1), ..body };
        bars::rule(theme, Rect { y: list.bottom(), height: 1, ..body }, buffer);
        let y = list.bottom() + 1;
        (list, Rect { y, height: body.bottom().saturating_sub(y), ..body })
    };
    let top = list_of(verifying, theme, list, buffer);
    layout.list = Some((to_area(list), top));
    let area = inner(Rect { width: detail.width.min(READABLE), ..detail });
    let lines = match verifying.current() {
        Some(claim) => of_claim((model, open), verifying, claim, theme, usize::from(area.width)),
        None => at_end(model, verifying, theme, usize::from(area.width)),
    };
    let last = lines.len().saturating_sub(usize::from(area.height));
    let scroll = verifying.scroll.min(last);
    for (line, y) in lines.iter().skip(scroll).zip(area.y..area.bottom()) {
        buffer.set_line(area.x, y, line, area.width);
    }
    let area = Area { x: area.x, y: area.y, width: area.width, height: area.height };
    layout.pane = Some(PaneLayout { area, scroll, lines: lines.len(), links: Vec::new() });
}

/// What stands on the rule above: which memory, which claim, how the claims are, what was looked at.
pub(super) fn rule(verifying: &Verifying, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let mut x = row.x + 1;
    let mut say = |text: &str, style| {
        x = put(buffer, x, row.y, row.right().saturating_sub(x), text, style);
    };
    let name = fit(&verifying.name, usize::from(row.width / 3)).into_owned();
    say(&format!(" verify {name} "), theme.title);
    if !verifying.claims.is_empty() {
        say("─", theme.rule);
        say(&format!(" {} ", verifying.summary()), theme.text);
    }
    say("─", theme.rule);
    match (&verifying.looked, &verifying.progress) {
        (Some(looked), _) => {
            let style =
                if looked.project.is_none() || looked.problem.is_some() { theme.warning } else { theme.dim };
            let problem = looked.problem.as_ref().map(|problem| format!("; {}", one_line(&problem.what)));
            say(&format!(" {}{} ", looked.words(), problem.unwrap_or_default()), style);
        }
        (None, progress) => {
            let so_far = progress.as_ref().map(|progress| match progress.what.as_str() {
                "" => format!(" {} %", progress.percent),
                what => format!(" {} %, {}", progress.percent, one_line(what)),
            });
            say(&format!(" looking…{} ", so_far.unwrap_or_default()), theme.mark);
        }
    }
}

/// What stands on the rule below: which claim it is, and whether more is said about it than shows.
pub(super) fn position(model: &Model, verifying: &Verifying) -> String {
    let pane = model.layout.pane.clone().unwrap_or_default();
    let is_cut = pane.scroll + usize::from(pane.area.height) < pane.lines;
    let more = match is_cut {
        true => format!("more: {} ", model.keymap.label(Command::PageDown)),
        false => String::new(),
    };
    match verifying.current() {
        Some(_) => format!(" {more}{}/{} ", verifying.at + 1, verifying.claims.len()),
        None if more.is_empty() => String::new(),
        None => format!(" {more}"),
    }
}

/// The sign and the style of a verdict.
fn sign(verifying: &Verifying, claim: &Claim, theme: &Theme) -> (&'static str, Style) {
    match claim.verdict {
        _ if verifying.is_open(claim) => ("…", theme.mark),
        Verdict::Holds => ("✓", theme.good),
        Verdict::Fails => ("✗", theme.error),
        Verdict::Unknown => ("?", theme.dim),
    }
}

/// Draws the list; gives the first row drawn.
fn list_of(verifying: &Verifying, theme: &Theme, area: Rect, buffer: &mut Buffer) -> usize {
    let (height, count) = (usize::from(area.height).max(1), verifying.claims.len() + 1);
    // The claim that is looked at stays away from the edges, where more follows.
    let top = verifying.at.saturating_sub(height / 2).min(count.saturating_sub(height));
    for (number, y) in (top..count).zip(area.y..area.bottom()) {
        let row = Rect { y, height: 1, ..area };
        let at_cursor = number == verifying.at;
        let lead = if at_cursor { "▸ " } else { "  " };
        let mut spans = vec![Span::raw(lead)];
        match verifying.claims.get(number) {
            Some(claim) => {
                let (sign, style) = sign(verifying, claim, theme);
                spans.push(Span::styled(format!("{sign} "), style));
                spans.push(Span::styled(format!("{:<KIND$} ", claim.kind.as_str()), theme.dim));
                let room = usize::from(area.width).saturating_sub(KIND + 6);
                let style = if claim.verdict == Verdict::Fails { style } else { theme.text };
                spans.push(Span::styled(fit(&claim.what, room).into_owned(), style));
            }
            None if verifying.claims.is_empty() && verifying.looked.is_none() => {
                spans.push(Span::styled("looking…", theme.mark));
            }
            None => spans.push(Span::styled("decide", theme.group)),
        }
        if at_cursor && theme.cursor.add_modifier.contains(Modifier::REVERSED) {
            // Reversed colours of every part would be a patchwork.
            spans.iter_mut().for_each(|span| span.style = Style::new());
            buffer.set_style(row, theme.cursor);
        }
        buffer.set_line(row.x, row.y, &Line::from(spans), row.width);
        if at_cursor {
            buffer.set_style(row, theme.cursor);
        }
    }
    top
}

/// All that is said about one claim.
fn of_claim(
    (model, open): (&Model, &Open),
    verifying: &Verifying,
    claim: &Claim,
    theme: &Theme,
    columns: usize,
) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    let mut paragraph = |text: &str, style: Style, first: &'static str, rest: &'static str| {
        let text = visible(text, false).into_owned();
        lines.extend(wrap(&[(text.into(), style)], columns, &Line::raw(first), &Line::raw(rest)));
    };
    paragraph(&format!("{}  {}", claim.kind.as_str(), claim.what), theme.title, "", "          ");
    let (_, style) = sign(verifying, claim, theme);
    match verifying.is_open(claim) {
        true => paragraph(&format!("… {}", claim.note), style, "", "  "),
        false => paragraph(&format!("{}: {}", claim.verdict.words(), claim.note), style, "", "  "),
    }
    if let Some(by) = silenced(&open.contents, &verifying.path, claim) {
        paragraph(&by, theme.flag, "", "  ");
    }
    if !claim.evidence.is_empty() {
        paragraph("", theme.text, "", "");
        paragraph("evidence", theme.label, "", "");
        for one in &claim.evidence {
            paragraph(&format!("{}{}", place(one), one.text), theme.text, "  ", "    ");
        }
        let key = model.keymap.label(Command::VerifyEvidence);
        if claim.evidence.iter().any(|one| one.commit.is_none() && one.path.is_some()) {
            paragraph(&format!("{key} shows it"), theme.dim, "  ", "  ");
        }
    }
    paragraph("", theme.text, "", "");
    paragraph("the memory says", theme.label, "", "");
    let range = claim.range.as_ref();
    let passage =
        Passage { bytes: &verifying.bytes, line: claim.line, range, is_secret: false, is_short: true };
    lines.extend(passage::lines(&passage, theme, columns));
    lines
}

/// The end: how the claims are, and what can be decided.
fn at_end(model: &Model, verifying: &Verifying, theme: &Theme, columns: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    let mut paragraph = |text: &str, style: Style, first: Line<'static>, rest: &'static str| {
        lines.extend(wrap(&[(text.to_owned().into(), style)], columns, &first, &Line::raw(rest)));
    };
    if verifying.looked.is_none() {
        paragraph("Its claims are being looked up …", theme.mark, Line::default(), "");
    } else if verifying.claims.is_empty() {
        let text = "This memory names nothing that could be looked up: no path, name, flag, setting, date or link. \
                    Read it, and decide.";
        paragraph(text, theme.text, Line::default(), "");
    } else {
        let all = words::counted(verifying.claims.len(), "claim");
        paragraph(&format!("{all}: {}.", verifying.summary()), theme.title, Line::default(), "");
        for claim in verifying.claims.iter().filter(|claim| claim.verdict == Verdict::Fails) {
            paragraph(&format!("{}: {}", claim.what, claim.note), theme.error, Line::raw("  ✗ "), "    ");
        }
    }
    paragraph("", theme.text, Line::default(), "");
    let choices = [
        (Command::Affirm, "it is still true: its age starts again, its text stays"),
        (Command::Edit, "edit it"),
        (Command::Delete, "delete it, and its line in the index"),
        (Command::Park, "take it out of the index and keep its file; one that is out is put back"),
        (Command::VerifyLeave, "leave it undecided"),
    ];
    for (command, what) in choices {
        let key = format!("{:<6}", model.keymap.label(command));
        paragraph(what, theme.text, Line::from(vec![Span::styled(key, theme.key)]), "      ");
    }
    lines
}
