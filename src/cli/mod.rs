//! The commands without screens, and the way to the screens: one file a command.

mod affirm;
pub mod args;
mod asking;
mod change;
mod changes;
mod check;
mod context;
mod desk;
pub mod docs;
mod edit;
mod extract;
mod failure;
mod files;
mod history;
mod hook;
mod index;
mod init;
mod learn;
mod list;
mod memory_tool;
mod merge;
mod new;
mod output;
mod pending;
pub mod preview;
mod promote;
mod propose;
pub mod prove;
mod prune;
mod queueing;
mod recall;
mod rename;
mod screens;
mod stores;
mod transcripts;
mod usage;
mod verify;

use crate::cli::prune::Prune;
use crate::demo::Size;
use crate::memory::text::visible;
use args::{Cli, Command, Format, History};
use clap::Parser;
use context::Context;
use failure::{Failure, Status};
use output::Out;
use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

/// Runs the program on these arguments and gives its exit status. Errors are printed with a hint.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Nobody reads it: nothing to say.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let stdout = io::stdout();
    let columns = if stdout.is_terminal() {
        crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns))
    } else {
        None
    };
    let mut buffer = BufWriter::new(stdout.lock());
    let done = run(cli, Out::new(&mut buffer, columns));
    let done = done.and_then(|status| buffer.flush().map(|()| status).map_err(Failure::from));
    match done {
        Ok(Status::Fine) => ExitCode::SUCCESS,
        Ok(Status::Findings) => ExitCode::from(1),
        Err(failure) => {
            if let Failure::Refused(words) | Failure::Broken(words) = &failure {
                say("error", &words.what);
                say("hint", &words.hint);
            }
            ExitCode::from(failure.status())
        }
    }
}

fn run(cli: Cli, out: Out<'_>) -> Result<Status, Failure> {
    let Cli { dir, common, command } = cli;
    let mut cx = Context::new(common, out)?;
    let cx = &mut cx;
    let Some(command) = command else { return screens::open(cx, dir.as_deref()) };
    if let Some(dir) = dir {
        let what = format!("`{}` stands before a command", dir.display());
        return Err(Failure::broken(what, "give a store with --store DIR, a project with --project DIR"));
    }
    understood(cx, &command)?;
    match command {
        Command::Demo { crowded: false } => screens::demo(cx, Size::Small),
        Command::Demo { crowded: true } => screens::demo(cx, Size::Crowded),
        Command::List => list::run(cx),
        Command::Check(asked) => check::run(cx, &asked),
        Command::Verify(asked) => verify::run(cx, &asked),
        Command::Preview(args) => preview::run(cx, &args),
        Command::Learn(args) => learn::run(cx, &args),
        Command::RunClient(args) => learn::inside(&args),
        Command::Delete(files) => prune::run(cx, Prune::Delete, &files),
        Command::Park(files) => prune::run(cx, Prune::Park, &files),
        Command::Unpark(files) => prune::run(cx, Prune::Unpark, &files),
        Command::Init(asked) => init::run(cx, &asked),
        Command::Index(command) => index::run(cx, &command),
        Command::Edit(asked) => edit::run(cx, &asked),
        Command::Affirm(files) => affirm::run(cx, &files),
        Command::Rename(asked) => rename::run(cx, &asked),
        Command::Merge(asked) => merge::run(cx, &asked),
        Command::New(asked) => new::run(cx, &asked),
        Command::Promote(asked) => promote::run(cx, &asked),
        Command::Propose(asked) => propose::run(cx, &asked),
        Command::Hook(command) => hook::run(cx, &command),
        Command::Pending(command) => pending::run(cx, &command),
        Command::Changes(asked) => changes::run(cx, &asked),
        Command::Extract(asked) => extract::run(cx, &asked),
        Command::Usage(asked) => usage::run(cx, &asked),
        Command::Recall(asked) => recall::run(cx, &asked),
        Command::Undo => history::turn(cx, history::Way::Undo),
        Command::Redo => history::turn(cx, history::Way::Redo),
        Command::Log => history::log(cx),
        Command::History(History::Purge(what)) => history::purge(cx, &what),
        Command::Stores(asked) => stores::run(cx, &asked),
        Command::MemoryTool { stage } => memory_tool::run(cx, stage),
        Command::Completions { shell } => docs::completions(shell, cx.out.raw()),
        Command::Man { command } => docs::man(command.as_deref(), cx.out.raw()),
    }
}

/// Whether the common options mean something to a command.
fn understood(cx: &Context<'_>, command: &Command) -> Result<(), Failure> {
    let is_check = matches!(command, Command::Check(_));
    if !is_check && matches!(cx.common.format, Format::Sarif | Format::Github) {
        return Err(Failure::broken("only `memcurator check` has this format", "there are human and json"));
    }
    // Beside --store a project says which one the store is looked at with; alone, each command looks for it.
    if cx.common.store.is_some() { cx.named_project().map(drop) } else { Ok(()) }
}

/// Says something beside the output, one line of it a line: `error: …`, `hint: …`. Nothing when there is nothing
/// to say.
fn say(kind: &str, text: &str) {
    let mut err = io::stderr().lock();
    for line in text.lines() {
        // There is nobody else to tell.
        let _ = writeln!(err, "{kind}: {}", visible(line, false));
    }
}
