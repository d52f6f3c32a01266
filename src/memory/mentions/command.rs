//! Whose a flag or an argument is: the project's, or that of the program that is called with it.

use super::Excuse;
use super::words::{PROGRAMS, RUNNERS};

/// The well-known program that a command calls, `sudo` and assignments aside.
pub(super) fn program(code: &str) -> Option<&str> {
    let mut words = code.split_whitespace().skip_while(is_before_program);
    let first = words.next()?;
    let name = first.rsplit('/').next().unwrap_or(first);
    (words.next().is_some() && PROGRAMS.contains(name)).then_some(name)
}

/// The well-known program to which the flag at a byte of a piece of code or a line belongs; `None`: it may be the
/// project's own, also where a runner starts the project (`cargo run -- --flag`, `python tools/x.py --flag`).
#[must_use]
pub fn owner(code: &str, at: usize) -> Option<&str> {
    let head = code.get(..at)?;
    // The command starts behind the last separator.
    let start = head.rfind(['|', ';', '&', '(', '\n']).map_or(0, |last| last + 1);
    let mut program: Option<&str> = None;
    let mut is_project = false;
    for word in head.get(start..)?.split_whitespace() {
        let word =
            word.trim_matches(['"', '\'', '`', ',', '[', ']', '(', '$', '-', '>', '@', '#', '/', '*', ':']);
        if program.is_none() {
            let name = word.rsplit('/').next().unwrap_or(word);
            if PROGRAMS.contains(name) {
                program = Some(name);
            }
            continue;
        }
        // A script that an interpreter or a runner starts is the project's.
        let runs = program.is_some_and(|name| RUNNERS.contains(&name));
        if runs && (word.contains('/') || super::path::has_extension(word)) {
            is_project = true;
        }
    }
    let program = program?;
    let tail = head.get(start..)?;
    let behind_dashes = tail.contains(" -- ");
    let starts_project = ["run", "start", "exec", "dev", "serve"]
        .iter()
        .any(|word| tail.split_whitespace().any(|w| w == *word));
    let hands_on = matches!(
        program,
        "cargo"
            | "npm"
            | "yarn"
            | "pnpm"
            | "bun"
            | "just"
            | "make"
            | "dotnet"
            | "deno"
            | "uv"
            | "poetry"
            | "go"
    ) && behind_dashes
        && (starts_project || matches!(program, "just" | "make"));
    if is_project || hands_on { None } else { Some(program) }
}

/// Why the argument of a command is not to be held against the project: what is removed, moved away or made by it, a
/// branch, a package.
pub(super) fn of_argument(code: &str, at: usize, text: &str) -> Option<Excuse> {
    let head = code.get(..at)?;
    let start = head.rfind(['|', ';', '&', '\n']).map_or(0, |last| last + 1);
    let words: Vec<&str> = head.get(start..)?.split_whitespace().skip_while(is_before_program).collect();
    let is_file = super::path::has_extension(text.rsplit('/').next().unwrap_or_default());
    match words.as_slice() {
        ["git", "rm", ..] | ["rm" | "rmdir" | "unlink" | "trash" | "del", ..] => Some(Excuse::Gone),
        ["git", "mv", rest @ ..] | ["mv", rest @ ..] if rest.iter().all(|word| word.starts_with('-')) => {
            Some(Excuse::Gone)
        }
        ["touch" | "mkdir", ..] => Some(Excuse::Planned),
        [
            "git",
            "checkout" | "switch" | "branch" | "merge" | "rebase" | "push" | "pull" | "fetch" | "worktree"
            | "reset" | "cherry-pick",
            ..,
        ] if !is_file => Some(Excuse::Ref),
        [
            "npm" | "pnpm" | "yarn" | "bun" | "pip" | "pip3" | "brew" | "apt" | "cargo" | "go" | "gem"
            | "composer",
            "install" | "add" | "i" | "get" | "require",
            ..,
        ] if !is_file => Some(Excuse::Package),
        ["docker" | "podman", ..] if !is_file => Some(Excuse::Package),
        ["curl" | "wget" | "http" | "https" | "GET" | "POST" | "PUT" | "PATCH" | "DELETE", ..]
            if !is_file =>
        {
            Some(Excuse::Route)
        }
        ["ssh" | "scp" | "rsync", ..] if text.contains(':') => Some(Excuse::Host),
        [.., ">" | ">>" | "-o" | "--output" | "--out"] => Some(Excuse::Planned),
        _ => None,
    }
}

fn is_before_program(word: &&str) -> bool {
    matches!(*word, "$" | "sudo" | "env" | "time" | "nohup" | "exec" | "%" | ">" | "!")
        || word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty()
                && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        })
}
