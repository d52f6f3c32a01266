//! The reference of the command line, from its one definition: `docs/CLI.md`, the man page, completions.

use crate::cli::args::Cli;
use crate::cli::failure::{Failure, Status};
use clap::{Arg, Command, CommandFactory};
use std::fmt::Write as _;
use std::io::Write;

/// `docs/CLI.md`. A test compares it with the file.
#[must_use]
pub fn markdown() -> String {
    let mut root = Cli::command();
    root.build();
    let mut page = String::from(
        "# Command line\n\n<!-- Generated from src/cli/args.rs: UPDATE_DOCS=1 cargo test cli -->\n",
    );
    section(&mut page, &root, &root);
    page
}

/// Writes the completions for a shell.
///
/// # Errors
/// When they can't be written.
pub fn completions(shell: clap_complete::Shell, to: &mut dyn Write) -> Result<Status, Failure> {
    // clap_complete panics when it can't write (`| head`): the text is made first.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "memcurator", &mut text);
    to.write_all(&text)?;
    Ok(Status::Fine)
}

/// Writes the man page, the program's or a command's.
///
/// # Errors
/// When there is no such command, or it can't be written.
pub fn man(command: Option<&str>, to: &mut dyn Write) -> Result<Status, Failure> {
    let mut root = Cli::command();
    root.build();
    let page = match command {
        None => root,
        Some(name) => match root.find_subcommand(name) {
            Some(found) => found.clone(),
            None => {
                let names: Vec<&str> = root.get_subcommands().map(Command::get_name).collect();
                let hint = format!("there are {}", names.join(", "));
                return Err(Failure::broken(format!("there is no command `{name}`"), hint));
            }
        },
    };
    clap_mangen::Man::new(page).render(to)?;
    Ok(Status::Fine)
}

fn section(page: &mut String, root: &Command, command: &Command) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let about = command.get_long_about().or_else(|| command.get_about());
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    // Writing into a String can't fail.
    let _ = write!(page, "\n## `{name}`\n\n{}\n\n```\n{usage}\n```\n", about.cloned().unwrap_or_default());
    let is_root = std::ptr::eq(root, command);
    let own = |arg: &&Arg| {
        let built_in = matches!(arg.get_id().as_str(), "help" | "version");
        !arg.is_hide_set() && !built_in && (is_root || !arg.is_global_set())
    };
    let args: Vec<&Arg> = command.get_arguments().filter(own).collect();
    if !args.is_empty() {
        let heading = if is_root { "argument, or option of every command" } else { "argument" };
        let _ = write!(page, "\n| {heading} | meaning |\n|---|---|\n");
        for arg in args {
            let _ = writeln!(page, "| `{}` | {} |", shown(arg), meaning(arg));
        }
    }
    if is_root {
        let _ = write!(page, "\n{}\n", command.get_after_long_help().cloned().unwrap_or_default());
    }
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        section(page, root, inner);
    }
}

fn shown(arg: &Arg) -> String {
    let values: Vec<&str> =
        arg.get_value_names().unwrap_or_default().iter().map(|name| name.as_str()).collect();
    let takes = arg.get_action().takes_values();
    match arg.get_long() {
        Some(long) if takes => format!("--{long} {}", values.join(" ")),
        Some(long) => format!("--{long}"),
        None => values.join(" "),
    }
}

fn meaning(arg: &Arg) -> String {
    let help = arg.get_long_help().or_else(|| arg.get_help()).cloned().unwrap_or_default().to_string();
    let paragraphs = help.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let help = paragraphs.collect::<Vec<_>>().join(". ");
    let values: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|_| arg.get_action().takes_values())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    let text = if values.is_empty() { help } else { format!("{help}: {}", values.join(", ")) };
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_the_one_in_docs() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/CLI.md");
        let page = markdown();
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&file, &page).unwrap();
        }
        let stands = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(stands, page, "docs/CLI.md is stale: UPDATE_DOCS=1 cargo test cli");
    }

    #[test]
    fn there_is_a_man_page_for_every_command() {
        for name in Cli::command().get_subcommands().map(Command::get_name) {
            let mut page = Vec::new();
            man(Some(name), &mut page).unwrap();
            assert!(String::from_utf8(page).unwrap().contains(".SH NAME"), "{name}");
        }
        assert!(matches!(man(Some("nope"), &mut Vec::new()), Err(Failure::Broken(_))));
    }
}
