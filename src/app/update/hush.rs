//! Silencing findings, and taking that back.

use crate::app::action::Effect;
use crate::app::commands::Command;
use crate::app::contents::Contents;
use crate::app::field::Field;
use crate::app::model::{Input, Job, Mode, Model, Tone, Wanted};
use crate::app::update::{checks, jobs, walk};
use crate::check::{By, Finding, Scope, Silence, fingerprint};
use crate::memory::path::RelPath;
use crate::memory::{Time, dates};
use chrono::{Months, TimeDelta};

/// For how long a memory is snoozed unless something else is typed.
const USUAL: &str = "30d";

/// `s`: how a finding is silenced is chosen; one that is silenced is reported again.
pub(super) fn start(model: &mut Model) -> Vec<Effect> {
    let Some(open) = model.open() else { return Vec::new() };
    let Some(finding) = checks::finding(open).cloned() else { return Vec::new() };
    match open.board.silenced_by(&open.contents).cloned() {
        None => model.mode = Mode::Silence(Box::new(finding)),
        Some(By::Memory) => {
            model.say(Tone::Note, "the memory says so itself: edit it (memcurator-silence, or the comment)");
        }
        Some(By::Person(silence)) if silence.scope == Scope::Config => {
            let text = format!("{}: take it out of `checks.silence` there", silence.words());
            model.say(Tone::Note, text);
        }
        Some(By::Person(silence)) => {
            let words = format!("reported again: {}", silence.words());
            return jobs::enqueue(model, Job::Hush { remove: vec![silence], add: Vec::new(), words });
        }
    }
    Vec::new()
}

/// A choice in the menu.
pub(super) fn choose(model: &mut Model, command: Command) -> Vec<Effect> {
    let Mode::Silence(finding) = std::mem::replace(&mut model.mode, Mode::Browse) else {
        return Vec::new();
    };
    let Some(open) = model.open() else { return Vec::new() };
    match command {
        Command::SilenceFinding => {
            let words = format!("silenced {}", checks::told(open, &finding));
            add(model, vec![Silence::of(&finding)], words)
        }
        Command::SilenceUntilChanged => {
            let words = format!("silenced {} until it changes", checks::told(open, &finding));
            let kept = keep(&open.contents, [&*finding]);
            add(model, kept, words)
        }
        Command::SilenceCheck => {
            let words = format!("silenced {} in this store", finding.check.0);
            add(model, vec![Silence::of_check(finding.check.0)], words)
        }
        Command::SilenceForGood => jobs::enqueue(model, Job::HushForGood(finding.check.0.into())),
        Command::Snooze => {
            ask_until(model, &finding.memory);
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// Findings are silenced as long as their memory says what it says.
pub(super) fn keep<'a>(contents: &Contents, findings: impl IntoIterator<Item = &'a Finding>) -> Vec<Silence> {
    let silence = |finding: &Finding| {
        let hash = fingerprint(&contents.snapshot, &finding.memory);
        Silence { hash, ..Silence::of(finding) }
    };
    findings.into_iter().map(silence).collect()
}

pub(super) fn add(model: &mut Model, add: Vec<Silence>, words: String) -> Vec<Effect> {
    jobs::enqueue(model, Job::Hush { remove: Vec::new(), add, words })
}

/// Asks until when nothing is said about a memory.
pub(super) fn ask_until(model: &mut Model, memory: &RelPath) {
    model.mode = Mode::Input(Input { what: Wanted::Snooze(memory.clone()), field: Field::new(USUAL) });
}

/// Enter in that field.
pub(super) fn snooze(model: &mut Model, memory: &RelPath, text: &str) -> Vec<Effect> {
    let Some(until) = until(text, model.now) else {
        model.say(
            Tone::Note,
            format!("`{text}` is no date to come: 2027-01-31, or 7d, 2w, 3m, 1y; nothing was done"),
        );
        return Vec::new();
    };
    let silence = Silence::snooze(memory, until);
    let words = format!("snoozed {memory} until {}", until.format("%Y-%m-%d"));
    let effects = add(model, vec![silence.clone()], words);
    walk::snoozed(model, memory, silence);
    effects
}

/// The time that a person means; `None`: it is none, or has passed.
fn until(text: &str, now: Time) -> Option<Time> {
    let text = text.trim();
    let span = || {
        let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let number: u32 = number.trim().parse().ok()?;
        match unit {
            "d" => now.checked_add_signed(TimeDelta::try_days(number.into())?),
            "w" => now.checked_add_signed(TimeDelta::try_weeks(number.into())?),
            "m" => now.checked_add_months(Months::new(number)),
            "y" => now.checked_add_months(Months::new(number.checked_mul(12)?)),
            _ => None,
        }
    };
    dates::parse(text).or_else(span).filter(|until| *until > now)
}

/// `u`, when the last thing done was to silence something.
pub(super) fn undo(model: &mut Model) -> Option<Vec<Effect>> {
    let (remove, add) = model.open_mut()?.hushed.pop()?;
    let words = "reported again".to_owned();
    // What was added goes, what was taken out comes back.
    Some(jobs::enqueue(model, Job::Hush { remove: add, add: remove, words }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::testing::now;

    #[test]
    fn dates_to_come() {
        let day = |text: &str| until(text, now()).map(|time| time.format("%Y-%m-%d").to_string());
        for (text, expected) in [
            ("30d", Some("2026-12-30")),
            (" 2w ", Some("2026-12-14")),
            ("3m", Some("2027-02-28")),
            ("1y", Some("2027-11-30")),
            ("2027-01-31", Some("2027-01-31")),
            ("2026-01-31", None),
            ("0d", None),
            ("soon", None),
            ("", None),
            ("é", None),
            ("99999999999d", None),
        ] {
            assert_eq!(day(text).as_deref(), expected, "{text}");
        }
    }
}
