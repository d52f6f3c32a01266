//! A change as lines: what went, what came, by words where a line has mostly the same ones.

use crate::check::secrets;
use crate::memory::text::{lossy, visible};
use crate::review::hunks::{self, Fate, Hunk};
use crate::ui::text::{fold, wrap};
use crate::ui::theme::Theme;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use std::borrow::Cow;

/// Larger texts are not compared at every frame, in bytes of both.
const MOST: usize = 256 << 10;
/// Lines of a text that are laid out at most.
const MOST_LINES: usize = 2_000;
/// Unchanged lines that stand around a change.
const AROUND: usize = 2;

/// The parts of a change, each with the lines around it; `head` gives a line that stands above a part.
pub(super) fn lines(
    old: &[u8],
    new: &[u8],
    columns: usize,
    theme: &Theme,
    head: &dyn Fn(usize) -> Option<Line<'static>>,
) -> Vec<Line<'static>> {
    if old.len() + new.len() > MOST {
        let said = format!("too large to be compared here: {} bytes before, {} after", old.len(), new.len());
        return vec![Line::styled(said, theme.warning)];
    }
    let all = hunks::hunks(old, new);
    let mut out = Vec::new();
    let mut shown = 0;
    for (number, hunk) in all.iter().enumerate() {
        let from = hunk.new.start.saturating_sub(AROUND).max(shown);
        if number > 0 && from > shown {
            out.push(Line::styled("  …", theme.dim));
        }
        context(new, from..hunk.new.start, columns, theme, &mut out);
        out.extend(head(number));
        part(old, new, hunk, columns, theme, &mut out);
        let next = all.get(number + 1).map_or(usize::MAX, |next| next.new.start);
        let to = hunk.new.end.saturating_add(AROUND).min(next);
        context(new, hunk.new.end..to, columns, theme, &mut out);
        shown = to;
        if out.len() > MOST_LINES {
            out.push(Line::styled("  …", theme.dim));
            break;
        }
    }
    out
}

/// One part: by words when one line became one line that says mostly the same.
fn part(old: &[u8], new: &[u8], hunk: &Hunk, columns: usize, theme: &Theme, out: &mut Vec<Line<'static>>) {
    let (was, is) = (shown(&hunks::text(old, &hunk.old)), shown(&hunks::text(new, &hunk.new)));
    let pairs = hunk.old.len() == hunk.new.len();
    let (olds, news): (Vec<&str>, Vec<&str>) = (was.lines().collect(), is.lines().collect());
    if pairs && olds.len() == news.len() {
        let by_word: Vec<Option<Vec<(Fate, String)>>> =
            olds.iter().zip(&news).map(|(was, is)| mostly_the_same(was, is)).collect();
        if by_word.iter().all(Option::is_some) {
            for pieces in by_word.into_iter().flatten() {
                let styled: Vec<(Cow<'static, str>, Style)> =
                    pieces.into_iter().flat_map(|(fate, text)| marked(fate, text, theme)).collect();
                let (first, rest) = (Line::styled("~ ", theme.mark), Line::raw("  "));
                out.extend(wrap(&styled, columns, &first, &rest));
            }
            return;
        }
    }
    for (sign, lines, style) in [("- ", olds, theme.error), ("+ ", news, theme.good)] {
        for line in lines.into_iter().take(MOST_LINES) {
            whole(sign, line, style, columns, out);
        }
    }
}

fn mostly_the_same(was: &str, is: &str) -> Option<Vec<(Fate, String)>> {
    let words = hunks::words(was, is);
    let same: usize = words.iter().filter(|(fate, _)| *fate == Fate::Same).map(|(_, text)| text.len()).sum();
    (same * 2 > is.len().max(was.len())).then_some(words)
}

/// A piece with what says without colours whether it went or came.
fn marked(fate: Fate, text: String, theme: &Theme) -> Vec<(Cow<'static, str>, Style)> {
    let text: Cow<'static, str> = visible(&text, false).into_owned().into();
    match fate {
        Fate::Same => vec![(text, theme.text)],
        Fate::Gone => {
            let style = theme.error.add_modifier(Modifier::CROSSED_OUT);
            vec![("[-".into(), theme.dim), (text, style), ("-]".into(), theme.dim)]
        }
        Fate::New => {
            let style = theme.good.add_modifier(Modifier::UNDERLINED);
            vec![("{+".into(), theme.dim), (text, style), ("+}".into(), theme.dim)]
        }
    }
}

fn context(
    new: &[u8],
    range: std::ops::Range<usize>,
    columns: usize,
    theme: &Theme,
    out: &mut Vec<Line<'static>>,
) {
    for line in shown(&hunks::text(new, &range)).lines() {
        whole("  ", line, theme.dim, columns, out);
    }
}

/// A line with nothing left out: in a file the blanks at its start count.
fn whole(sign: &'static str, line: &str, style: Style, columns: usize, out: &mut Vec<Line<'static>>) {
    let line = visible(line, false);
    for (number, range) in fold(&line, columns.saturating_sub(2).max(1)).into_iter().enumerate() {
        let text = line.get(range).unwrap_or_default().to_owned();
        let sign = if number == 0 { sign } else { "  " };
        out.push(Line::from(vec![Span::styled(sign, style), Span::styled(text, style)]));
    }
}

/// Text as it may be shown: a secret is never echoed.
fn shown(bytes: &[u8]) -> String {
    secrets::mask(&lossy(bytes)).into_owned()
}
