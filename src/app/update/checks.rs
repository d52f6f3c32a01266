//! The Checks screen: what its keys do, and what the worker of the checks says.

use crate::app::action::Effect;
use crate::app::board::name_of;
use crate::app::commands::Command;
use crate::app::contents::{Contents, one_line};
use crate::app::deep::{Asked, Progress};
use crate::app::model::{
    ActsOn, Focus, Job, Library, Mode, Model, Open, Problem, Question, Screen, Scroll, Tone,
};
use crate::app::order::Order;
use crate::app::preview::report::{Kind, Report};
use crate::app::sheet::Sheet;
use crate::app::update::moves::Step;
use crate::app::update::{editing, filter, jobs, links, preview, sheets};
use crate::check::{Evidence, Finding, Fix, preview as shown, secrets};
use crate::memory::path::RelPath;
use crate::prompt::subject::Subject;
use crate::review::fix::Replacement;
use crate::review::index_fix::Fix as IndexFix;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// So many characters of a line stand around what is changed in it, in a question.
const AROUND: usize = 40;

/// `4`.
pub(super) fn show(model: &mut Model) {
    model.screen = Screen::Checks;
    if let Some(open) = model.open_mut() {
        open.pane.focus = Focus::List;
    }
}

/// The store is other than it was: the checks look again, on a worker.
pub(super) fn ask(model: &mut Model) -> Vec<Effect> {
    let (Some(subject), Library::Open(open)) = (subject(model), &model.library) else {
        return Vec::new();
    };
    let contents = open.contents.clone();
    model.checking.asked += 1;
    model.checking.progress = Some(Progress { percent: 0, what: String::new() });
    vec![Effect::Check(Asked { number: model.checking.asked, contents, subject })]
}

/// Whose sessions the open store is checked against.
pub(super) fn subject(model: &Model) -> Option<Subject> {
    let (subject, open) = (preview::subject(model)?, model.open()?);
    let against = model.checking.against.as_ref().filter(|(dir, _)| *dir == open.dir);
    Some(against.map_or(subject, |(_, project)| Subject::Client(project.clone())))
}

/// Lets the worker stop: what was found before stays.
pub(super) fn stop(model: &mut Model) -> Vec<Effect> {
    model.checking.asked += 1;
    model.checking.progress = None;
    let again = model.keymap.label(Command::Reload);
    model.say(Tone::Note, format!("the checks were stopped; {again} starts them again"));
    vec![Effect::StopChecks(model.checking.asked)]
}

pub(super) fn progress(model: &mut Model, number: u64, progress: Progress) {
    if model.checking.asked == number {
        model.checking.progress = Some(progress);
    }
}

/// The checks have looked: their findings come in, everything else stays where it is.
pub(super) fn checked(model: &mut Model, number: u64, result: Result<Arc<Contents>, Problem>) -> Vec<Effect> {
    if model.checking.asked != number {
        return Vec::new();
    }
    model.checking.progress = None;
    let contents = match result {
        Ok(contents) => contents,
        Err(problem) => {
            model.say_problem(&problem);
            return Vec::new();
        }
    };
    let Some(open) = model.open_mut() else { return Vec::new() };
    let row = open.list.cursor.saturating_sub(open.list.top);
    let keep = open.contents.entries.get(open.list.current().unwrap_or(usize::MAX)).map(|it| it.path.clone());
    open.contents = contents;
    open.list.forget();
    open.list.rebuild(&open.contents, keep.as_ref());
    open.list.top = open.list.cursor.saturating_sub(row);
    let asks = open.list.filter.query.is_some();
    let effects = asks.then(|| filter::ask(open)).flatten().into_iter().collect();
    preview::flag_lines(model);
    effects
}

/// Keeps the screen on what is there, and commands about memories on what the screen is about.
pub(super) fn settle(model: &mut Model) {
    let height = model.layout.list.as_ref().map_or(0, |(area, _)| usize::from(area.height));
    let walk = model.walk.as_ref().map(|walk| walk.current().cloned());
    let verified = model.verify.open.as_ref().map(|open| Some(open.path.clone()));
    let walk = verified.or(walk);
    let screen = model.screen;
    let Some(open) = model.open_mut() else { return };
    if screen == Screen::Checks && walk.is_none() {
        open.board.follow(&open.contents, &open.list.leaving);
        if height > 0 {
            open.board.top = open.board.top_for(height);
        }
    }
    open.acts_on = match (walk, screen) {
        (Some(path), _) => ActsOn::Only(path),
        (None, Screen::Checks) => ActsOn::Only(finding(open).map(|finding| finding.memory.clone())),
        // The Inbox and Recall say it themselves.
        (None, _) => ActsOn::List,
    };
}

/// The finding under the cursor.
pub(super) fn finding(open: &Open) -> Option<&Finding> {
    open.board.current(&open.contents)
}

fn current(model: &Model) -> Option<Finding> {
    model.open().and_then(finding).cloned()
}

pub(super) fn command(model: &mut Model, command: Command) -> Vec<Effect> {
    let narrow = !model.layout.is_wide;
    match command {
        Command::OpenFinding => {
            let in_list = model.open().is_some_and(|open| !open.board.in_detail);
            // Where both don't fit side by side, what is found comes before the memory.
            if let Some(open) = model.open_mut().filter(|_| narrow && in_list) {
                open.board.in_detail = true;
                return Vec::new();
            }
            return open_memory(model);
        }
        Command::Grouping => {
            if let Some(open) = model.open_mut() {
                open.board.grouping = open.board.grouping.next();
                let words = open.board.grouping.words();
                model.say(Tone::Note, format!("grouped {words}"));
            }
        }
        Command::ShowSilenced => {
            if let Some(open) = model.open_mut() {
                open.board.silenced = !open.board.silenced;
                (open.board.cursor, open.board.top, open.board.in_detail) = (0, 0, false);
            }
        }
        Command::FixFinding => {
            return current(model).map(|finding| fix(model, &finding)).unwrap_or_default();
        }
        Command::FixAll => fix_all(model),
        Command::Evidence => return evidence(model),
        Command::CopyFinding => {
            let Some(finding) = current(model) else { return Vec::new() };
            model.say(Tone::Good, "copied the finding");
            return vec![Effect::Copy(words(&finding))];
        }
        _ => {}
    }
    Vec::new()
}

/// Enter: the memory over the whole width; Esc comes back.
fn open_memory(model: &mut Model) -> Vec<Effect> {
    let Some(finding) = current(model) else { return Vec::new() };
    if model.open().is_none_or(|open| open.contents.find(&finding.memory).is_none()) {
        model.say(Tone::Note, "there is no such file to open");
        return Vec::new();
    }
    model.screen = Screen::Memories;
    let effects = links::go_to(model, &finding.memory);
    if let Some(open) = model.open_mut() {
        open.acts_on = ActsOn::List;
        open.pane.focus = Focus::Full;
        open.pane.scroll = Scroll::Auto;
        open.back_to = Some(Screen::Checks);
    }
    effects
}

/// `e`: the editor, at the passage.
pub(super) fn edit(model: &mut Model) -> Vec<Effect> {
    let Some(finding) = current(model) else { return Vec::new() };
    let at = finding.range.as_ref().map(|range| range.start);
    editing::start_at(model, at, finding.line)
}

/// The finding as text.
fn words(finding: &Finding) -> String {
    let mut text = format!("{}:{}: {}: {}", finding.memory, finding.line, finding.check.0, finding.message);
    for evidence in &finding.evidence {
        text.push_str(&format!("\n  {}", place(evidence)));
        text.push_str(&evidence.text);
    }
    text
}

/// Where evidence stands, in words with blanks behind them; empty when nowhere. Safe to show.
#[must_use]
pub fn place(evidence: &Evidence) -> String {
    let commit = evidence.commit.as_ref().map(|commit| one_line(commit.get(..7).unwrap_or(commit)));
    let path = evidence.path.as_ref().map(|path| match evidence.line {
        Some(line) => format!("{}:{line}", one_line(path)),
        None => one_line(path),
    });
    let parts: Vec<String> = path.into_iter().chain(commit).collect();
    if parts.is_empty() { String::new() } else { format!("{}  ", parts.join(" @ ")) }
}

/// The one-key fix of a finding.
pub(super) fn fix(model: &mut Model, finding: &Finding) -> Vec<Effect> {
    let Some(fix) = finding.fixes.first() else {
        model.say(Tone::Note, "no key mends this");
        return Vec::new();
    };
    match fix {
        Fix::Replace { range, text, is_safe } => {
            let one = Replacement { path: finding.memory.clone(), range: range.clone(), text: text.clone() };
            if *is_safe {
                return jobs::enqueue(model, Job::Fix(vec![one]));
            }
            let Some(open) = model.open() else { return Vec::new() };
            let lines = change(&open.contents, &one);
            let ask = "Change it like this?".into();
            model.mode = Mode::Question(Question { ask, lines, scroll: 0, job: Job::Fix(vec![one]) });
            Vec::new()
        }
        Fix::Edit => {
            let at = finding.range.as_ref().map(|range| range.start);
            editing::start_at(model, at, finding.line)
        }
        Fix::Promote => sheets::open(model, Command::Promote),
        Fix::Merge(other) => {
            merge(model, &finding.memory, other);
            Vec::new()
        }
        Fix::Delete => jobs::delete(model),
        // To renew an age is a decision, not a correction.
        Fix::Affirm => {
            let ask = format!("Say that {} still holds?", one_line(&finding.memory.to_str_lossy()));
            let lines = vec![one_line(&finding.message)];
            let order = Order::Affirm(vec![finding.memory.clone()]);
            let job = Job::Order(Box::new(order));
            model.mode = Mode::Question(Question { ask, lines, scroll: 0, job });
            Vec::new()
        }
        Fix::Index => fix_index(model, finding),
        Fix::Purge => {
            let edit = model.keymap.label(Command::Edit);
            let path = one_line(&finding.memory.to_str_lossy());
            let text = format!(
                "take it out of the text first ({edit}); then, in a shell: memcurator history purge {path}"
            );
            model.say(Tone::Note, text);
            Vec::new()
        }
    }
}

fn merge(model: &mut Model, memory: &RelPath, other: &RelPath) {
    let Some(open) = model.open() else { return };
    let named = |path: &RelPath| {
        let entry = open.contents.entries.get(open.contents.find(path)?)?;
        Some((path.clone(), entry.name.clone()))
    };
    let both: Vec<_> = [memory, other].into_iter().filter_map(named).collect();
    if both.len() < 2 {
        model.say(Tone::Note, "the other memory is no longer there");
        return;
    }
    match Sheet::merge(&open.contents, both) {
        Ok(sheet) => model.sheet = Some(Box::new(sheet)),
        Err(why) => model.say(Tone::Note, why),
    }
}

fn fix_index(model: &mut Model, finding: &Finding) -> Vec<Effect> {
    let fix = match finding.check.0 {
        "index-dangling" => IndexFix::DropDangling,
        "index-orphan" => IndexFix::AddOrphans,
        "index-duplicate" => IndexFix::RemoveDuplicates,
        _ => {
            model.say(
                Tone::Note,
                "delete, merge or park memories that matter least; `:` has index-shorten, index-move-up and index-rebuild",
            );
            return Vec::new();
        }
    };
    jobs::plan_fix(model, vec![fix])
}

/// `F`: every finding of this kind whose fix is a replacement, named one by one.
fn fix_all(model: &mut Model) {
    let Some(open) = model.open() else { return };
    let Some(finding) = finding(open) else { return };
    let check = finding.check;
    let same = open.contents.findings.iter().filter(|one| one.check == check);
    let replacements: Vec<Replacement> = same.filter_map(replacement).collect();
    if replacements.is_empty() {
        return model
            .say(Tone::Note, format!("no finding of {} can be mended without looking at it", check.0));
    }
    let lines = replacements.iter().flat_map(|one| change(&open.contents, one)).collect();
    let ask = match replacements.len() {
        1 => format!("Mend this {}?", check.0),
        many => format!("Mend all {many} of {}?", check.0),
    };
    model.mode = Mode::Question(Question { ask, lines, scroll: 0, job: Job::Fix(replacements) });
}

/// The replacement that mends a finding, when its first fix is one.
pub(super) fn replacement(finding: &Finding) -> Option<Replacement> {
    match finding.fixes.first() {
        Some(Fix::Replace { range, text, .. }) => {
            Some(Replacement { path: finding.memory.clone(), range: range.clone(), text: text.clone() })
        }
        _ => None,
    }
}

/// What a replacement changes: the memory's name and line, the line before, the line after.
fn change(contents: &Contents, one: &Replacement) -> Vec<String> {
    let name =
        contents.find(&one.path).and_then(|at| contents.entries.get(at)).map(|entry| entry.name.clone());
    let Some(shown) = contents.bytes_of(&one.path).and_then(|bytes| shown(bytes, &one.range, &one.text))
    else {
        return Vec::new();
    };
    let line = format!("{}:{}", name.unwrap_or_else(|| one.path.to_string()), shown.line);
    let (before, after) = shown.around(AROUND);
    vec![format!("{line}\n- {before}\n+ {after}")]
}

/// `v`: the next file that evidence names.
fn evidence(model: &mut Model) -> Vec<Effect> {
    let Some(finding) = current(model) else { return Vec::new() };
    let files =
        // What a commit tells of is not there any more.
        finding.evidence.iter().filter(|one| one.commit.is_none());
    let files: Vec<(&String, usize)> =
        files.filter_map(|one| Some((one.path.as_ref()?, one.line.unwrap_or(1)))).collect();
    let commit = finding.evidence.iter().find_map(|one| one.commit.as_deref()).map(one_line);
    let Some(open) = model.open_mut() else { return Vec::new() };
    let at = open.board.evidence;
    let Some((path, line)) = files.get(at).or(files.first()) else {
        match commit {
            Some(commit) => model.say(Tone::Note, format!("its evidence is a commit: git show {commit}")),
            None => model.say(Tone::Note, "its evidence is in no file that can be shown"),
        }
        return Vec::new();
    };
    open.board.evidence = if at + 1 < files.len() { at + 1 } else { 0 };
    let in_store = RelPath::new(path.as_str()).filter(|path| open.contents.find(path).is_some());
    let root = match (&in_store, &open.contents.looked) {
        (Some(_), _) => open.contents.snapshot.root.clone(),
        (None, Some(looked)) => looked.project.clone().unwrap_or_default(),
        (None, None) => PathBuf::new(),
    };
    let file = root.join(path);
    open.board.wanted = Some((file.clone(), *line));
    vec![Effect::ReadFile(file)]
}

/// A file was read: when it is evidence that was asked for, it shows in a window, at its line.
pub(super) fn file_read(model: &mut Model, path: &Path, read: &Result<Arc<Vec<String>>, Problem>) -> bool {
    let Some(open) = model.open_mut() else { return false };
    let Some((_, line)) = open.board.wanted.take_if(|(wanted, _)| wanted == path) else { return false };
    match read {
        Ok(lines) => {
            let numbered = lines.iter().enumerate().map(|(at, text)| {
                let kind = if at + 1 == line { Kind::Said } else { Kind::Same };
                (kind, format!("{:>5}  {}", at + 1, secrets::mask(text)))
            });
            let title = one_line(&path.to_string_lossy());
            let report = Report { title, lines: numbered.collect(), scroll: line.saturating_sub(4) };
            if model.mode == Mode::Browse {
                model.mode = Mode::Report(report);
            }
        }
        Err(problem) => model.say_problem(problem),
    }
    true
}

/// Moves in what keys go to.
pub(super) fn go(model: &mut Model, step: Step) {
    let list = model.layout.list.as_ref().map_or(1, |(area, _)| usize::from(area.height)).max(1);
    let pane = model.layout.pane.clone().unwrap_or_default();
    let Some(open) = model.open_mut() else { return };
    if open.board.in_detail {
        let height = usize::from(pane.area.height).max(1);
        let last = pane.lines.saturating_sub(height);
        open.board.scroll = step.from(open.board.scroll.min(last), height).min(last);
        return;
    }
    match step {
        // A head is no place to stop at: down goes past it.
        Step::Lines(by) => {
            for _ in 0..by.unsigned_abs() {
                let at = open.board.cursor;
                let next = (at + 1..open.board.rows.len()).find(|row| is_finding(open, *row));
                let before = (0..at).rev().find(|row| is_finding(open, *row));
                if let Some(row) = if by > 0 { next } else { before } {
                    open.board.go(row);
                }
            }
        }
        step => {
            let to = step.from(open.board.cursor, list);
            open.board.go(to);
        }
    }
}

fn is_finding(open: &Open, row: usize) -> bool {
    open.board.finding(&open.contents, row).is_some()
}

/// Esc: what is said about the finding, the filter, the silenced ones, the checks that run, the screen.
pub(super) fn leave(model: &mut Model) -> Vec<Effect> {
    let is_checking = model.checking.progress.is_some();
    let Some(open) = model.open_mut() else {
        model.screen = Screen::Memories;
        return Vec::new();
    };
    let board = &mut open.board;
    if std::mem::take(&mut board.in_detail) {
    } else if !board.filter.is_empty() {
        board.filter.clear();
    } else if std::mem::take(&mut board.silenced) {
    } else if is_checking {
        return stop(model);
    } else {
        model.screen = Screen::Memories;
    }
    Vec::new()
}

/// What a finding is about, for messages.
pub(super) fn told(open: &Open, finding: &Finding) -> String {
    format!("{} on {}", finding.check.0, name_of(&open.contents, finding))
}
