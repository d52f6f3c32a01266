//! All that is said about one that waits: where it is from, what speaks against it, the change, the gate, what is near.

use super::{diff, mark_style, sign_style};
use crate::app::commands::Command;
use crate::app::contents::one_line;
use crate::app::inbox::{Item, Standing, Waits, What};
use crate::app::layout::{Area, PaneLayout};
use crate::app::model::{Model, Open};
use crate::app::update::place;
use crate::check::Severity;
use crate::check::secrets;
use crate::memory::path::RelPath;
use crate::memory::text::{lossy, visible};
use crate::review::changes::{Change, Elsewhere, Kind};
use crate::review::gate::{Gate, Mark, Verdict};
use crate::ui::text::wrap;
use crate::ui::theme::Theme;
use crate::ui::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// From so many columns on the nearest memory stands beside the text.
const BESIDE: usize = 104;
/// So many lines of the nearest memory are shown.
const OF_NEAREST: usize = 60;

/// Draws it, scrolled.
pub(super) fn draw(
    model: &Model,
    open: &Open,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) -> Option<PaneLayout> {
    let waits = open.inbox.waits.as_ref()?;
    let item = open.inbox.current()?;
    let near =
        nearest(open, item).filter(|_| usize::from(area.width) >= BESIDE && open.inbox.split.is_none());
    let width = if near.is_some() { area.width * 3 / 5 } else { area.width };
    let said = Said { model, open, waits, item, theme, columns: usize::from(width) };
    let lines = said.lines(near.is_none());
    let last = lines.len().saturating_sub(usize::from(area.height));
    let at_part = said.line_of_part(&lines, usize::from(area.height));
    let scroll = at_part.unwrap_or(open.inbox.scroll).min(last);
    for (line, y) in lines.iter().skip(scroll).zip(area.y..area.bottom()) {
        buffer.set_line(area.x, y, line, width);
    }
    if let Some(path) = near {
        let beside = Rect { x: area.x + width + 2, width: area.width.saturating_sub(width + 2), ..area };
        for y in area.y..area.bottom() {
            crate::ui::text::put(buffer, area.x + width, y, 1, "│", theme.rule);
        }
        let columns = usize::from(beside.width);
        let lines = Said { columns, ..said }.memory(&path);
        for (line, y) in lines.iter().zip(beside.y..beside.bottom()) {
            buffer.set_line(beside.x, y, line, beside.width);
        }
    }
    let area = Area { x: area.x, y: area.y, width: area.width, height: area.height };
    Some(PaneLayout { area, scroll, lines: lines.len(), links: Vec::new() })
}

/// Who it is from and when, on one line; safe to show.
pub(super) fn origin(item: &Item) -> String {
    let by = if matches!(item.what, What::Change(_)) { String::new() } else { "proposed by ".to_owned() };
    let when = item.time.map(|time| time.format(" · %Y-%m-%d %H:%MZ").to_string()).unwrap_or_default();
    if item.origin.is_empty() {
        when.trim_start_matches(" · ").to_owned()
    } else {
        format!("{by}{}{when}", item.origin)
    }
}

/// The memory that is nearest to a proposal.
fn nearest(open: &Open, item: &Item) -> Option<RelPath> {
    let gate = open.inbox.gate_of(item)?;
    let near = gate.nearest.first().map(|near| near.path.clone())?;
    let of = item.proposal()?;
    (of.target != near).then_some(near)
}

struct Said<'a> {
    model: &'a Model,
    open: &'a Open,
    waits: &'a Waits,
    item: &'a Item,
    theme: &'a Theme,
    columns: usize,
}

impl Said<'_> {
    fn lines(&self, with_nearest: bool) -> Vec<Line<'static>> {
        let (theme, item) = (self.theme, self.item);
        let gate = self.open.inbox.gate_of(item).map(|gate| &**gate);
        let mut out = Vec::new();
        let kind = if item.kind.is_empty() { String::new() } else { format!(" · {}", item.kind) };
        out.push(Line::from(vec![
            Span::styled(format!("{} ", item.sign), sign_style(item.sign, theme)),
            Span::styled(item.title.clone(), theme.title),
            Span::styled(kind, theme.dim),
        ]));
        if let Some(path) = item.path(self.waits) {
            self.say(&mut out, &one_line(&path.to_str_lossy()), theme.dim);
        }
        self.say(&mut out, &origin(item), theme.dim);
        if let Some(proposal) = item.proposal() {
            for note in &proposal.notes {
                self.say(&mut out, &format!("note: {}", one_line(note)), theme.warning);
            }
            if let Some(reason) = &proposal.reason {
                self.say(&mut out, &format!("because: {}", one_line(reason)), theme.text);
            }
        }
        match &item.standing {
            Standing::Stale(why) | Standing::Faulty(why) => {
                self.say(&mut out, &format!("▲ {why}"), theme.error)
            }
            Standing::Merged(why) => self.say(&mut out, &format!("▲ {why}"), theme.warning),
            Standing::Rejected(when) => self.say(&mut out, &format!("rejected {when}"), theme.flag),
            Standing::Done => self.say(&mut out, "the store is so already", theme.good),
            Standing::Ready => {}
        }
        if let Some(change) = self.waits.change(item) {
            self.change(&mut out, change);
        }
        for verdict in gate.iter().flat_map(|gate| &gate.verdicts).filter(|one| one.mark > Mark::Pass) {
            self.verdict(&mut out, verdict, false);
        }
        out.push(Line::default());
        self.text(&mut out);
        if let Some(gate) = gate {
            self.gate(&mut out, gate, with_nearest);
        } else if item.proposal().is_some() && !self.open.inbox.rejected {
            out.push(Line::default());
            self.say(&mut out, "the gate has not looked at it yet", theme.dim);
        }
        out
    }

    /// The change itself, or the parts to choose from.
    fn text(&self, out: &mut Vec<Line<'static>>) {
        let (theme, item) = (self.theme, self.item);
        let split = self.open.inbox.split.as_ref();
        let head = |number: usize| {
            let split = split?;
            let is_at = split.at == number;
            let sign = if split.taken.get(number) == Some(&true) { "[x]" } else { "[ ]" };
            let arrow = if is_at { "▸ " } else { "  " };
            let text = format!("{arrow}{sign} part {} of {}", number + 1, split.hunks.len());
            Some(Line::styled(text, if is_at { theme.cursor } else { theme.label }))
        };
        if split.is_some() {
            let [toggle, apply, leave] = [Command::TogglePart, Command::ApplyParts, Command::LeaveParts]
                .map(|command| self.model.keymap.label(command));
            let how = format!("{toggle} takes or leaves a part, {apply} applies, {leave} cancels");
            self.say(out, &how, theme.dim);
        }
        let deletes = item.sign == "-";
        let lines = diff::lines(&item.old, if deletes { &[] } else { &item.new }, self.columns, theme, &head);
        if lines.is_empty() {
            self.say(out, "the text is the same", theme.dim);
        }
        out.extend(lines);
    }

    /// The line on which the part under the cursor stands, a little below the top.
    fn line_of_part(&self, lines: &[Line<'static>], height: usize) -> Option<usize> {
        let split = self.open.inbox.split.as_ref()?;
        let sign = format!(" part {} of ", split.at + 1);
        let at = lines.iter().position(|line| {
            let text = line.to_string();
            text.starts_with('▸') && text.contains(&sign)
        })?;
        Some(at.saturating_sub(height / 3))
    }

    fn change(&self, out: &mut Vec<Line<'static>>, change: &Change) {
        let theme = self.theme;
        if let Kind::Renamed { from } = &change.kind {
            self.say(out, &format!("renamed from {}", one_line(&from.to_str_lossy())), theme.text);
        }
        let place = match &change.moved_to {
            Some(Elsewhere::Memory(path)) => {
                Some(format!("its text is in {} now", one_line(&path.to_str_lossy())))
            }
            Some(Elsewhere::Instructions(path)) => {
                Some(format!("its text is in {} now, which every session loads", one_line(path)))
            }
            None => None,
        };
        if let Some(place) = place {
            self.say(out, &place, theme.text);
        }
        for line in &change.lines {
            let (sign, style) = if line.is_new { ("+", theme.good) } else { ("-", theme.error) };
            self.say(out, &format!("index {sign} {}", line.text), style);
        }
        let contents = &self.open.contents;
        let entry = contents.find(&change.path).and_then(|at| contents.entries.get(at));
        let found = entry.filter(|_| change.new.is_some()).into_iter().flat_map(|entry| &entry.findings);
        for finding in found.filter_map(|at| contents.findings.get(*at)) {
            if finding.severity > Severity::Info {
                let said = format!("▲ {}: {}", finding.check.0, visible(&finding.message, false));
                self.say(out, &said, words::severity(finding.severity, theme));
            }
        }
    }

    fn gate(&self, out: &mut Vec<Line<'static>>, gate: &Gate, with_nearest: bool) {
        let theme = self.theme;
        out.push(Line::default());
        out.push(Line::from(vec![
            Span::styled("gate ", theme.label),
            Span::styled(gate.mark.as_str(), mark_style(gate.mark, theme)),
        ]));
        for verdict in &gate.verdicts {
            self.verdict(out, verdict, true);
        }
        for near in &gate.nearest {
            let name = one_line(&near.path.to_str_lossy());
            let near = format!("near {name}, {:.0} %: {}", near.alike * 100.0, near.why);
            self.say(out, &near, theme.dim);
        }
        if let Some(path) = nearest(self.open, self.item).filter(|_| with_nearest) {
            out.push(Line::default());
            out.extend(self.memory(&path));
        }
    }

    fn verdict(&self, out: &mut Vec<Line<'static>>, verdict: &Verdict, whole: bool) {
        let theme = self.theme;
        let style = mark_style(verdict.mark, theme);
        let sign = match verdict.mark {
            Mark::Pass => "· ",
            Mark::Nearly => "▲ ",
            Mark::Fail => "✗ ",
        };
        let first = Line::styled(format!("{sign}{:<9}", verdict.question.as_str()), style);
        let rest = Line::raw("           ");
        let text_style = if verdict.mark == Mark::Pass { theme.dim } else { theme.text };
        let says = visible(&verdict.says, false).into_owned();
        out.extend(wrap(&[(says.into(), text_style)], self.columns, &first, &rest));
        if let Some(path) = verdict.instead.as_ref().filter(|_| !whole) {
            let key = self.model.keymap.label(Command::MergeInto);
            let text = format!("nearest  {}   update that one: {key}", one_line(&path.to_str_lossy()));
            out.extend(wrap(&[(text.into(), theme.key)], self.columns, &rest, &rest));
        }
        for evidence in verdict.evidence.iter().filter(|_| whole) {
            let said = format!("{}{}", place(evidence), visible(&evidence.text, false));
            out.extend(wrap(&[(said.into(), theme.dim)], self.columns, &rest, &rest));
        }
    }

    /// The nearest memory, as it reads.
    fn memory(&self, path: &RelPath) -> Vec<Line<'static>> {
        let theme = self.theme;
        let mut out = Vec::new();
        let key = self.model.keymap.label(Command::MergeInto);
        self.say(&mut out, &format!("nearest  {}", one_line(&path.to_str_lossy())), theme.title);
        self.say(&mut out, &format!("update that one: {key}"), theme.key);
        out.push(Line::default());
        let text = self.open.contents.bytes_of(path).map(|bytes| secrets::mask(&lossy(bytes)).into_owned());
        for line in text.unwrap_or_default().lines().take(OF_NEAREST) {
            self.say(&mut out, &visible(line, false), theme.text);
        }
        out
    }

    fn say(&self, out: &mut Vec<Line<'static>>, text: &str, style: Style) {
        let none = Line::default();
        out.extend(wrap(&[(text.to_owned().into(), style)], self.columns, &none, &none));
    }
}
