//! `memcurator hook install` and `remove`.

use super::{is_program, link_note, read, unread_note};
use crate::cli::args::hook::{Install, Remove, Scope};
use crate::cli::context::Context;
use crate::cli::desk::diff_lines;
use crate::cli::failure::{Failure, Status};
use crate::client::disk::DiskPort;
use crate::client::extract::consent;
use crate::client::hook::Mode;
use crate::client::hook::command::{self, Hook};
use crate::client::hook::ended::Ended;
use crate::client::hook::file::SettingsFile;
use crate::client::hook::settings::{self, Broken};
use crate::client::hook::stores::Stores;
use crate::config::Config;
use crate::memory::text::visible;
use crate::prompt::locate::{Layout, client_store_as, config_dir};
use serde_json::json;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

/// Installs the hook.
///
/// # Errors
/// When a path can't stand in a command, or the settings can't be read or written, or nobody says yes.
pub fn install(cx: &mut Context<'_>, asked: &Install) -> Result<Status, Failure> {
    let hook = wanted(cx, asked)?;
    let file = read(&asked.scope.file(cx))?;
    let text = settings::with(&file.text, &hook).map_err(|why| broken(&file, &why))?;
    let mut warnings: Vec<String> = unread_note(&file, &text).into_iter().collect();
    let works = warnings.is_empty();
    if !is_program(&hook.binary) {
        let what = format!("{} is no program; nothing was changed", hook.binary.display());
        return Err(Failure::broken(what, "name the program with --binary FILE"));
    }
    if asked.mode == Mode::Changes {
        warnings.push(
            "no rule asks about what gets past the hook: it would ask about every new memory, too".into(),
        );
    }
    let model = if asked.extract { model(cx, asked.yes)? } else { None };
    let changed = carry_out(cx, &file, &text, asked.scope, asked.yes, &warnings)?;
    if let Some(command) = model {
        consent::allow(&cx.places.state, &command).map_err(|error| {
            let state = cx.places.state.display();
            let what = format!("the hook is installed, but the yes to the model command can't be kept in {state}: {error}; nothing is sent");
            Failure::broken(what, "make the directory writable, and install once more")
        })?;
    }
    let value = || {
        json!({
            "extract": asked.extract,
            "scope": asked.scope.word(),
            "file": file.named.to_string_lossy(),
            "link": file.is_link().then(|| file.real.to_string_lossy()),
            "changed": changed,
            "mode": asked.mode.as_str(),
            "binary": hook.binary.to_string_lossy(),
            "warnings": warnings,
        })
    };
    if !cx.json(value)? {
        let what = match (changed, asked.mode) {
            (false, _) => "the hook is installed like this already; nothing was changed",
            (true, Mode::All) => {
                "installed: in sessions that start from now on, memory writes wait for approval"
            }
            (true, Mode::Changes) => {
                "installed: in sessions that start from now on, changes and deletions of memories wait for approval"
            }
            (true, Mode::Off) => "installed, switched off: nothing waits",
        };
        cx.out.line(what)?;
        if changed && asked.extract {
            cx.out.line(
                "what is worth remembering of a session is extracted when it ends, and waits for approval",
            )?;
        }
    }
    Ok(if works { Status::Fine } else { Status::Findings })
}

/// Removes the hook.
///
/// # Errors
/// When the settings can't be read or written, or nobody says yes.
pub fn remove(cx: &mut Context<'_>, asked: &Remove) -> Result<Status, Failure> {
    let file = read(&asked.scope.file(cx))?;
    let text = settings::without(&file.text).map_err(|why| broken(&file, &why))?;
    let changed = carry_out(cx, &file, &text, asked.scope, asked.yes, &[])?;
    let value = || {
        json!({
            "scope": asked.scope.word(),
            "file": file.named.to_string_lossy(),
            "link": file.is_link().then(|| file.real.to_string_lossy()),
            "changed": changed,
        })
    };
    if !cx.json(value)? {
        cx.out.line(match changed {
            true => "removed; sessions that are running keep it until they end",
            false => "the hook is not installed there; nothing was changed",
        })?;
    }
    Ok(Status::Fine)
}

/// Shows the change, asks, keeps the old file and writes the new one; says whether there was anything to do.
fn carry_out(
    cx: &mut Context<'_>,
    file: &SettingsFile,
    text: &str,
    scope: Scope,
    yes: bool,
    warnings: &[String],
) -> Result<bool, Failure> {
    for warning in warnings {
        crate::cli::say("warning", warning);
    }
    if file.text == text {
        return Ok(false);
    }
    let is_json = cx.common.format == crate::cli::args::Format::Json;
    if !is_json {
        let new = if file.exists { "" } else { " (new)" };
        cx.out.line(&format!("{} settings: {}{new}", scope.word(), file.named.display()))?;
        if let Some(note) = link_note(file) {
            cx.out.line(&note)?;
        }
        for line in diff_lines(file.text.as_bytes(), text.as_bytes()) {
            cx.out.line(&line)?;
        }
    }
    if !yes && !agrees(cx, "Change the file so?")? {
        return Err(Failure::refused("nothing was changed", ""));
    }
    let failed = |error: io::Error| {
        let what = format!("{} can't be written: {error}; it is as it was", file.real.display());
        Failure::broken(what, "see docs/INBOX.md for how to do it by hand")
    };
    let stamp = cx.now().format("%Y%m%d-%H%M%S").to_string();
    let kept = file.keep(&cx.places.state.join("settings"), &stamp).map_err(|error| {
        let what = format!(
            "the old settings can't be kept in {}: {error}; nothing was changed",
            cx.places.state.display()
        );
        Failure::broken(what, "is there room on the disk?")
    })?;
    file.write(text).map_err(failed)?;
    if let Some(kept) = kept.filter(|_| !is_json) {
        cx.out.line(&format!("the file as it was: {}", kept.display()))?;
    }
    Ok(true)
}

fn broken(file: &SettingsFile, why: &Broken) -> Failure {
    let what = format!("{}:{}: {}; nothing was changed", file.real.display(), why.line, why.what);
    Failure::broken(what, "correct the file first: the client reads nothing of it either")
}

/// The hook that is asked for, its paths as they can stand in a command.
fn wanted(cx: &Context<'_>, asked: &Install) -> Result<Hook, Failure> {
    let binary = match &asked.binary {
        Some(path) => cx.env.cwd.join(path),
        None => this_program(cx)?,
    };
    let mut stores = Stores { projects: vec![config_dir(&cx.env).join("projects")], dirs: Vec::new() };
    let located = client_store_as(&DiskPort, &cx.env, &cx.launch);
    // Only a directory of its own is named; those in the agent home are all looked after.
    stores.dirs.extend((located.layout == Layout::Plain).then_some(located.dir));
    stores.dirs.extend(asked.memory.iter().map(|dir| cx.env.cwd.join(dir)));
    stores.dirs.dedup();
    let rules = command::rules(asked.mode, &stores, &cx.env.home);
    let state = cx.places.state.clone();
    let config = match &cx.common.config {
        Some(given) => cx.env.cwd.join(given),
        None => cx.places.config.join("config.toml"),
    };
    let ended = asked.extract.then(|| Ended {
        binary: binary.clone(),
        state: state.clone(),
        config,
        made: Vec::new(),
    });
    let hook = Hook { binary, mode: asked.mode, stores, state, rules, made: Vec::new(), ended };
    hook.check().map_err(|why| {
        Failure::broken(
            format!("{why}; nothing was changed"),
            "name another program with --binary FILE, or another home",
        )
    })?;
    Ok(hook)
}

/// The model command that conversations are to go to, when the person allows it only now. `None`: it was allowed before.
fn model(cx: &mut Context<'_>, yes: bool) -> Result<Option<String>, Failure> {
    let command = Config::load(cx.common.config.as_deref(), &cx.places.config)?.model.command;
    if command.is_empty() {
        return Err(Failure::broken(
            "no model command is configured, so nothing could be extracted; nothing was changed",
            "set one: [model] command = \"…\" in config.toml (docs/EXTRACT.md has examples), or install without --extract",
        ));
    }
    if consent::is_allowed(&cx.places.state, &command) {
        return Ok(None);
    }
    let shown = visible(&command, false).into_owned();
    let question = format!(
        "The conversation of each session that ends goes to this command:\n  {shown}\nSend it, from now on?"
    );
    if !yes && !agrees(cx, &question)? {
        return Err(Failure::refused(
            "the model command was not allowed; nothing was changed",
            "`extract --dry-run` shows what would be sent",
        ));
    }
    Ok(Some(command))
}

/// This program, by the name that it is found under: a package that is updated stays there.
fn this_program(cx: &Context<'_>) -> Result<PathBuf, Failure> {
    let real = std::env::current_exe().map_err(|error| {
        Failure::broken(
            format!("it is not known where this program is: {error}; nothing was changed"),
            "give --binary FILE",
        )
    })?;
    let same = |path: &PathBuf| std::fs::canonicalize(path).ok() == std::fs::canonicalize(&real).ok();
    let path = cx.env.var("PATH").unwrap_or_default();
    let named = std::env::split_paths(path).filter(|dir| dir.is_absolute()).map(|dir| dir.join("memcurator"));
    Ok(named.into_iter().find(same).unwrap_or(real))
}

fn agrees(cx: &mut Context<'_>, question: &str) -> Result<bool, Failure> {
    cx.out.raw().flush()?;
    let mut err = io::stderr().lock();
    if !io::stdin().is_terminal() || !err.is_terminal() {
        return Err(Failure::refused(
            "nothing was changed: there is no terminal to ask on",
            "--yes changes it without asking",
        ));
    }
    write!(err, "{question} [y/N] ")?;
    err.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
