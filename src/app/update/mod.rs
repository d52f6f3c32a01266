//! `update`: what an action does to the model, and what is left for the shell to do.

mod checks;
mod editing;
mod filter;
mod hush;
mod inbox;
mod jobs;
mod links;
mod live;
mod memories;
mod mouse;
mod moves;
mod moving;
mod opening;
mod preview;
mod prove;
mod recall;
mod sheets;
#[cfg(test)]
mod tests;
mod verify;
mod walk;
mod what_if;

use crate::app::action::{Action, Effect, Outcome};
use crate::app::commands::{Command, Context};
use crate::app::field::Field;
use crate::app::help;
use crate::app::key::Key;
use crate::app::model::{Focus, Mode, Model, Screen, Scroll, Tone, Wanted};
use crate::app::preview::Part;
use crate::review::index_fix::Fix;

pub use checks::place;
pub use opening::{choose_store, open_store};

/// What an action does: the model changes at once, the effects are for the shell.
#[must_use = "the shell performs the effects"]
pub fn update(model: &mut Model, action: Action) -> Vec<Effect> {
    let mut effects = match action {
        Action::Key(key) if model.layout.is_too_small => on_unseen_key(model, key),
        Action::Paste(_) | Action::Mouse(_) if model.layout.is_too_small => Vec::new(),
        Action::Key(key) => on_key(model, key),
        Action::Do(command) => on_command(model, command),
        Action::Paste(text) => on_paste(model, &text),
        Action::Mouse(mouse) => mouse::on_mouse(model, mouse),
        Action::OpenStore(dir) => opening::open_store(model, dir),
        Action::Outcome(outcome) => on_outcome(model, outcome),
    };
    effects.extend(verify::follow(model));
    settle(model);
    let mut effects = effects;
    effects.extend(recall::follow_bench(model));
    effects
}

/// Where the terminal is too small to show what a key would do, it does nothing but leave.
fn on_unseen_key(model: &mut Model, key: Key) -> Vec<Effect> {
    match model.keymap.command(Context::List, key) {
        Some(command @ (Command::Quit | Command::Suspend)) => on_command(model, command),
        _ => Vec::new(),
    }
}

fn on_key(model: &mut Model, key: Key) -> Vec<Effect> {
    // A key that follows `/word Enter` at once must not meet the rows of before.
    if (model.mode == Mode::Browse && rows_are_old(model)) || !model.held.is_empty() {
        model.held.push_back(key);
        return Vec::new();
    }
    press(model, key)
}

/// The keys that waited for rows, unless these are still looked for: an answer may be one that came too late.
fn press_held(model: &mut Model) -> Vec<Effect> {
    let mut effects = Vec::new();
    while !rows_are_old(model) {
        let Some(key) = model.held.pop_front() else { break };
        settle(model);
        effects.extend(press(model, key));
    }
    effects
}

/// A worker still looks for the rows that the person asked for.
fn rows_are_old(model: &Model) -> bool {
    model.open().is_some_and(|open| {
        open.list.filter.is_waiting() || (model.screen == Screen::Recall && open.finder.is_waiting())
    })
}

fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let context = Context::of(model);
    if !matches!(model.mode, Mode::Question(_)) {
        model.message = None;
    }
    if let Some(command) = model.keymap.command(context, key) {
        return on_command(model, command);
    }
    match &mut model.mode {
        Mode::Filter(field) => {
            let edited = field.key(key);
            if edited { filter::typed(model) } else { Vec::new() }
        }
        Mode::Query(typing) => {
            let edited = typing.field.key(key);
            if edited { recall::typed(model) } else { Vec::new() }
        }
        Mode::Input(input) => {
            let edited = input.field.key(key);
            if edited { preview::typed(model) } else { Vec::new() }
        }
        Mode::Help { field, scroll } => {
            if field.key(key) {
                *scroll = 0;
            }
            Vec::new()
        }
        Mode::Palette { field, chosen } => {
            if field.key(key) {
                *chosen = 0;
            }
            Vec::new()
        }
        Mode::Moving(moving) => {
            moving.key(key);
            Vec::new()
        }
        Mode::Question(_) => {
            let text = format!(
                "{} does nothing here: {} or {} answers",
                key.label(),
                model.keymap.label(Command::Yes),
                model.keymap.label(Command::No)
            );
            model.say(Tone::Note, text);
            Vec::new()
        }
        Mode::Browse if model.sheet.is_some() => sheets::typed(model, key),
        Mode::Browse if model.editor.is_some() => editing::typed(model, key),
        Mode::Browse | Mode::Report(_) | Mode::Silence(_) | Mode::Nearest(_) => {
            let help = model.keymap.label(Command::Help);
            model.say(Tone::Note, format!("{} does nothing here; {help} shows every key", key.label()));
            Vec::new()
        }
    }
}

fn on_paste(model: &mut Model, text: &str) -> Vec<Effect> {
    match &mut model.mode {
        Mode::Filter(field) => {
            field.insert(text);
            filter::typed(model)
        }
        Mode::Query(typing) => {
            typing.field.insert(text);
            recall::typed(model)
        }
        Mode::Input(input) => {
            input.field.insert(text);
            preview::typed(model)
        }
        Mode::Help { field, .. } | Mode::Palette { field, .. } => {
            field.insert(text);
            Vec::new()
        }
        Mode::Moving(moving) => {
            moving.insert(text);
            Vec::new()
        }
        Mode::Browse if model.sheet.is_some() => {
            sheets::pasted(model, text);
            Vec::new()
        }
        Mode::Browse if model.editor.is_some() => editing::pasted(model, text),
        Mode::Browse | Mode::Question(_) | Mode::Report(_) | Mode::Silence(_) | Mode::Nearest(_) => {
            model.say(Tone::Note, "pasted text is never taken for commands; nothing was done");
            Vec::new()
        }
    }
}

fn on_command(model: &mut Model, command: Command) -> Vec<Effect> {
    if let Err(why) = (command.row().available)(model) {
        let name = command.row().name.replace('-', " ");
        model.say(Tone::Note, format!("{} ({name}): {why}", model.keymap.label(command)));
        return Vec::new();
    }
    match command {
        Command::Open => focus(model, Focus::Full),
        Command::NextPane | Command::PreviousPane => other_pane(model),
        Command::Leave => return leave(model),
        Command::OpenStore => return opening::open_chosen(model),
        Command::ShowMemories => model.screen = Screen::Memories,
        Command::ShowPrompt => return preview::show(model),
        Command::ShowInbox => return inbox::show(model),
        Command::TakeIt
        | Command::RefuseIt
        | Command::EditItem
        | Command::MergeInto
        | Command::Split
        | Command::AllOfOrigin
        | Command::AllThatPass
        | Command::OpenItem
        | Command::NextItem
        | Command::PreviousItem
        | Command::ByOrigin
        | Command::IfApproved
        | Command::ShowRejected
        | Command::TakeBack
        | Command::AcceptAllChanges
        | Command::ReviewEverything
        | Command::ReviewFromNow
        | Command::TogglePart
        | Command::NextPart
        | Command::PreviousPart
        | Command::ApplyParts
        | Command::LeaveParts => return inbox::command(model, command),
        Command::AsIfApproved => return preview::as_if_approved(model),
        Command::ShowRecall => return recall::show(model),
        Command::OpenCandidate
        | Command::Ask
        | Command::RecallView
        | Command::ShowUnmatched
        | Command::MarkShown
        | Command::RecentTools
        | Command::AskModel
        | Command::CopyRecall => return recall::command(model, command),
        Command::KeepQuery | Command::LeaveQuery | Command::EarlierQuery | Command::LaterQuery => {
            return recall::field(model, command);
        }
        Command::Describe => return recall::describe(model),
        Command::TakeSuggestion | Command::AddQuery => return recall::bench(model, command),
        Command::ShowChecks => checks::show(model),
        Command::StopChecks => return checks::stop(model),
        Command::Edit if model.verify.open.is_some() => return verify::edit(model),
        Command::Edit if model.screen == Screen::Checks && model.walk.is_none() => {
            return checks::edit(model);
        }
        Command::OpenFinding
        | Command::FixFinding
        | Command::FixAll
        | Command::ShowSilenced
        | Command::Grouping
        | Command::Evidence
        | Command::CopyFinding => return checks::command(model, command),
        Command::Silence => return hush::start(model),
        Command::SilenceFinding
        | Command::SilenceUntilChanged
        | Command::SilenceCheck
        | Command::SilenceForGood
        | Command::Snooze => return hush::choose(model, command),
        Command::Verify => return verify::start(model),
        Command::VerifyNext | Command::VerifyBack | Command::VerifyEvidence | Command::VerifyLeave => {
            return verify::command(model, command);
        }
        Command::Walk => return walk::start(model),
        Command::WalkKeep
        | Command::WalkFix
        | Command::WalkEdit
        | Command::WalkPark
        | Command::WalkDelete
        | Command::WalkAffirm
        | Command::WalkSnooze
        | Command::WalkLater
        | Command::WalkBack
        | Command::WalkUndo
        | Command::WalkEnd
        | Command::WalkClose => return walk::command(model, command),
        Command::ShowStores => return opening::show_stores(model),
        Command::Reload if model.screen == Screen::Stores => return opening::find_stores(model),
        Command::Reload if model.screen == Screen::Prompt => return preview::ask(model),
        Command::Reload => return jobs::enqueue(model, crate::app::model::Job::Reload),
        Command::FollowLink => return links::follow(model),
        Command::NextLink => links::choose(model, 1),
        Command::PreviousLink => links::choose(model, -1),
        Command::Back => return links::back(model),
        Command::Mark => memories::mark(model),
        Command::Range => memories::range(model),
        Command::MarkAll => memories::mark_all(model),
        Command::Delete => return jobs::delete(model),
        Command::Park => return jobs::park(model),
        Command::Undo => {
            let taken_back = hush::undo(model).or_else(|| inbox::undo(model));
            return taken_back.unwrap_or_else(|| jobs::enqueue(model, crate::app::model::Job::Undo));
        }
        Command::Redo => return jobs::enqueue(model, crate::app::model::Job::Redo),
        Command::Filter => filter::start(model),
        Command::KeepFilter => model.mode = Mode::Browse,
        Command::ClearFilter => return filter::clear(model),
        Command::Jump => return preview::jump(model),
        Command::Search => preview::input(model, Wanted::Search),
        Command::NextHit => preview::next_hit(model, 1),
        Command::PreviousHit => preview::next_hit(model, -1),
        Command::Opened => preview::input(model, Wanted::Opened),
        Command::Prove => return prove::start(model),
        Command::SavePrompt => preview::input(model, Wanted::Save),
        Command::CopyPrompt => return preview::copy(model),
        Command::EditFile => return preview::edit_file(model),
        Command::Accept => return preview::accept(model),
        Command::Cancel => preview::cancel(model),
        Command::BeforeAfter => return preview::compare(model),
        Command::AsAgent => memories::as_agent(model),
        Command::IndexAddOrphans => return jobs::plan_fix(model, vec![Fix::AddOrphans]),
        Command::IndexDropDangling => return jobs::plan_fix(model, vec![Fix::DropDangling]),
        Command::IndexRemoveDuplicates => return jobs::plan_fix(model, vec![Fix::RemoveDuplicates]),
        Command::IndexMoveUp => return memories::move_up(model),
        Command::IndexShorten => jobs::shorten(model),
        Command::IndexRebuild => return jobs::plan_fix(model, vec![Fix::Rebuild]),
        Command::Order => memories::order(model),
        Command::Flagged => memories::flagged(model),
        Command::CopyPath => return memories::copy_path(model),
        Command::CopyText => return memories::copy_text(model),
        Command::Affirm => return jobs::affirm(model),
        Command::New | Command::Rename | Command::Merge | Command::Promote => {
            return sheets::open(model, command);
        }
        Command::MoveTo | Command::MergeStore | Command::ChoosePlace | Command::MoveOrCopy => {
            return moving::command(model, command);
        }
        Command::Finish
        | Command::NextField
        | Command::PreviousField
        | Command::StopEditing
        | Command::SaveAndLeave
        | Command::Discard
        | Command::BackToText
            if model.sheet.is_some() =>
        {
            return sheets::command(model, command);
        }
        Command::Finish => {}
        Command::Edit
        | Command::EditOutside
        | Command::Repair
        | Command::GoneDraft
        | Command::Save
        | Command::SaveOther
        | Command::NextField
        | Command::PreviousField
        | Command::StopEditing
        | Command::TurnView
        | Command::RepairField
        | Command::SaveAndLeave
        | Command::Discard
        | Command::OpenRaw
        | Command::TakeDraft
        | Command::DropDraft
        | Command::OutsideDone
        | Command::WriteAgain
        | Command::NextConflict
        | Command::PreviousConflict
        | Command::KeepMine
        | Command::KeepTheirs
        | Command::KeepBoth
        | Command::AllMine
        | Command::AllTheirs
        | Command::EditMerged
        | Command::TakeMerged
        | Command::BackToText => return editing::command(model, command),
        Command::Palette => model.mode = Mode::Palette { field: Field::default(), chosen: 0 },
        Command::Help | Command::HelpWhileEditing => {
            model.mode = Mode::Help { field: Field::default(), scroll: 0 }
        }
        Command::Quit => return jobs::quit(model),
        Command::Suspend => return vec![Effect::Suspend],
        Command::Yes => return jobs::answer_yes(model),
        Command::No => {
            model.mode = Mode::Browse;
            model.say(Tone::Note, "nothing was changed");
        }
        Command::Close => {
            model.mode = Mode::Browse;
            model.message = None;
        }
        Command::Choose => return choose_command(model),
        Command::TakeNearest => return inbox::take_nearest(model),
        Command::NextNearest => moves::overlay(model, moves::Step::Lines(1)),
        Command::PreviousNearest => moves::overlay(model, moves::Step::Lines(-1)),
        Command::Down
        | Command::Up
        | Command::PageDown
        | Command::PageUp
        | Command::HalfDown
        | Command::HalfUp
        | Command::Top
        | Command::Bottom
        | Command::FilterDown
        | Command::FilterUp
        | Command::ScrollDown
        | Command::ScrollUp
        | Command::ScrollPageDown
        | Command::ScrollPageUp => moves::go(model, command),
    }
    Vec::new()
}

fn on_outcome(model: &mut Model, outcome: Outcome) -> Vec<Effect> {
    match outcome {
        Outcome::Reading(dir, files) => opening::reading(model, &dir, files),
        Outcome::Loaded(dir, loaded) => return opening::loaded(model, &dir, loaded),
        Outcome::Filtered(number, query, matches) => {
            filter::answered(model, number, query, matches);
            return press_held(model);
        }
        Outcome::FilterFailed(number, problem) => filter::failed(model, number, &problem),
        Outcome::Changed(dir) => return live::changed(model, &dir),
        Outcome::Proposed(dir) => return inbox::proposed(model, &dir),
        Outcome::Looked(dir, contents) => return live::looked(model, &dir, contents),
        Outcome::UsageRead(dir, usage) => return filter::usage_read(model, &dir, usage),
        Outcome::Applied(result) => return jobs::applied(model, result),
        Outcome::Inbox(number, waits) => inbox::read(model, number, waits),
        Outcome::Gated(number, gated) => inbox::gated(model, number, gated),
        Outcome::Recalled(number, found) => {
            recall::answered(model, number, found);
            return press_held(model);
        }
        Outcome::Tried(number, tried) => recall::tried(model, number, tried),
        // The next frame says how long it takes already.
        Outcome::StillPicking(_) => {}
        Outcome::ModelPicked(number, result) => return recall::picked(model, number, result),
        Outcome::Checking(number, progress) => checks::progress(model, number, progress),
        Outcome::Checked(number, result) => return checks::checked(model, number, result),
        Outcome::Verifying(number, progress) => verify::progress(model, number, progress),
        Outcome::Verified(number, told) => verify::told(model, number, told),
        Outcome::Stores(found) => return opening::stores_found(model, found),
        Outcome::Previewing(number, files) => preview::progress(model, number, files),
        Outcome::Previewed(number, page) => return preview::answered(model, number, page),
        Outcome::Proved(result) => return prove::done(model, result),
        Outcome::Compared(result) => preview::compared(model, result),
        Outcome::FixPlanned(fixed) => jobs::ask_fix(model, fixed),
        Outcome::MovePlanned(asked, planned) => moving::planned(model, &asked, planned),
        Outcome::Found(number, lines) => preview::found(model, number, lines),
        Outcome::FileEdited(path, end) => return preview::file_edited(model, &path, end),
        Outcome::FileRead(path, read) => {
            if !checks::file_read(model, &path, &read) {
                preview::file_read(model, &path, read);
            }
        }
        Outcome::Saved(result) => preview::saved(model, result),
        Outcome::CopyFailed(problem) | Outcome::Noted(problem) | Outcome::DraftFailed(problem) => {
            model.say_problem(&problem)
        }
        Outcome::Drafts(root, drafts) => editing::found(model, &root, drafts),
        Outcome::Outside(end) => return editing::came_back(model, end),
    }
    Vec::new()
}

/// Makes what hangs together hang together again: scrolled so that the cursor shows, the pane about the
/// memory under the cursor.
fn settle(model: &mut Model) {
    let height = model.layout.list.as_ref().map_or(0, |(area, _)| usize::from(area.height));
    if let (Screen::Prompt, Some(layout)) = (model.screen, &model.layout.prompt)
        && !matches!(model.prompt.part, Part::File(_))
        && layout.rows.contains(&model.prompt.line)
    {
        model.prompt.top = layout.top;
    }
    checks::settle(model);
    inbox::settle(model);
    recall::settle(model);
    what_if::follow(model);
    if model.screen == Screen::Prompt && model.walk.is_none() {
        return;
    }
    let Some(open) = model.open_mut() else { return };
    if height > 0 {
        open.list.top = open.list.top_for(height);
    }
    let current = open.current().map(|entry| entry.path.clone());
    if open.pane.of != current {
        open.pane.of = current;
        open.pane.scroll = Scroll::Auto;
        open.pane.link = None;
    }
    if open.pane.of.is_none() {
        open.pane.focus = Focus::List;
    }
    if open.pane.focus != Focus::Full {
        open.back_to = None;
    }
}

fn focus(model: &mut Model, focus: Focus) {
    if let Some(open) = model.open_mut() {
        open.pane.focus = focus;
    }
}

fn other_pane(model: &mut Model) {
    if model.screen == Screen::Prompt {
        return preview::other_part(model);
    }
    if let screen @ (Screen::Checks | Screen::Inbox | Screen::Recall) = model.screen {
        if let Some(open) = model.open_mut() {
            let in_detail = match screen {
                Screen::Checks => &mut open.board.in_detail,
                Screen::Inbox => &mut open.inbox.in_detail,
                _ => &mut open.finder.in_detail,
            };
            *in_detail = !*in_detail;
        }
        return;
    }
    let wide = model.layout.is_wide;
    if let Some(open) = model.open_mut() {
        open.pane.focus = match open.pane.focus {
            Focus::List if wide => Focus::Memory,
            Focus::List => Focus::Full,
            Focus::Memory | Focus::Full => Focus::List,
        };
    }
}

/// Esc: the layer that was opened last goes, one at a time.
fn leave(model: &mut Model) -> Vec<Effect> {
    if model.screen == Screen::Prompt {
        return preview::leave(model);
    }
    if model.screen == Screen::Stores {
        if !model.stores.filter.is_empty() {
            return filter::clear(model);
        }
        if model.dir().is_some() {
            model.screen = Screen::Memories;
        }
        return Vec::new();
    }
    if model.screen == Screen::Checks {
        return checks::leave(model);
    }
    if model.screen == Screen::Recall {
        return recall::leave(model);
    }
    if model.screen == Screen::Inbox {
        inbox::leave(model);
        return Vec::new();
    }
    let Some(open) = model.open_mut() else { return Vec::new() };
    if open.pane.focus != Focus::List {
        open.pane.focus = Focus::List;
        open.pane.link = None;
        if let Some(screen) = open.back_to.take() {
            model.screen = screen;
        }
    } else if open.list.range.take().is_some() {
    } else if open.list.filter.query.is_some() {
        return filter::clear(model);
    } else if !open.list.marks.is_empty() {
        open.list.marks.clear();
    } else if open.list.flagged_only {
        memories::flagged(model);
    }
    Vec::new()
}

fn choose_command(model: &mut Model) -> Vec<Effect> {
    let Mode::Palette { field, chosen } = &model.mode else { return Vec::new() };
    let rows = help::palette(model, &field.text());
    let command = rows.get(*chosen).map(|row| row.command);
    model.mode = Mode::Browse;
    match command {
        Some(command) => on_command(model, command),
        None => Vec::new(),
    }
}
