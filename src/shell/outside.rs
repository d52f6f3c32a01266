//! The person's own editor: run on a private copy of a memory, at the right line.

use crate::app::action::{Outside, OutsideEnd};
use crate::app::model::Problem;
use crate::prompt::port::Environment;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A program that ends so quickly without a change may have opened a window of its own.
const AT_ONCE: Duration = Duration::from_secs(1);

/// A memory's private copy while the person's own editor has it.
pub(super) struct Copy {
    /// Only its owner can look into it; it goes when this is dropped.
    _dir: TempDir,
    file: PathBuf,
    outside: Outside,
}

impl Copy {
    /// Makes the copy: a file of mode 0600, called as the memory is, in a directory of its own.
    pub(super) fn new(outside: Outside) -> Result<Self, Problem> {
        let make = || -> io::Result<(TempDir, PathBuf)> {
            let dir = tempfile::Builder::new()
                .prefix("memcurator-")
                .permissions(fs::Permissions::from_mode(0o700))
                .tempdir()?;
            let name = outside.path.as_path().file_name().unwrap_or_default();
            let mut temp = tempfile::NamedTempFile::new_in(dir.path())?;
            temp.write_all(&outside.bytes)?;
            let file = dir.path().join(name);
            temp.persist(&file)?;
            Ok((dir, file))
        };
        match make() {
            Ok((dir, file)) => Ok(Self { _dir: dir, file, outside }),
            Err(error) => Err(Problem {
                what: format!("no private copy could be made for the editor: {error}; nothing was changed"),
                hint: "is there room in the directory for temporary files?".into(),
            }),
        }
    }

    /// Runs the editor and waits for it.
    pub(super) fn run(&self, env: &Environment) -> OutsideEnd {
        let begin = Instant::now();
        match edit(env, &self.file, self.outside.line) {
            Ok(()) => match self.read() {
                OutsideEnd::Unchanged if begin.elapsed() < AT_ONCE => OutsideEnd::AtOnce,
                end => end,
            },
            Err(problem) => match self.read() {
                OutsideEnd::Changed(bytes) => OutsideEnd::Failed(problem, Some(bytes)),
                _ => OutsideEnd::Failed(problem, None),
            },
        }
    }

    /// What the copy holds now.
    pub(super) fn read(&self) -> OutsideEnd {
        match fs::read(&self.file) {
            Ok(bytes) if *bytes == *self.outside.bytes => OutsideEnd::Unchanged,
            Ok(bytes) => OutsideEnd::Changed(bytes),
            Err(error) => {
                let what = format!("the editor's copy can't be read: {error}; nothing was changed");
                OutsideEnd::Failed(Problem { what, hint: "edit it again".into() }, None)
            }
        }
    }
}

/// Runs the person's editor on a file, at a line (from 1), and waits for it.
pub(super) fn edit(env: &Environment, file: &Path, line: usize) -> Result<(), Problem> {
    let (name, words) = program(env)?;
    let (program, given) = words.split_first().ok_or_else(|| not_split(&name))?;
    let status = Command::new(program).args(given).args(arguments(program, file, line)).status();
    let failed = |why: String| Problem {
        what: format!("the editor `{name}` {why}; memcurator changed nothing"),
        hint: "set VISUAL or EDITOR to an editor that runs here".into(),
    };
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => match status.code() {
            Some(code) => Err(failed(format!("ended with status {code}"))),
            None => Err(failed("was ended by a signal".into())),
        },
        Err(error) => Err(failed(format!("can't be run: {error}"))),
    }
}

/// The person's editor: `$VISUAL`, else `$EDITOR`, else `vi`; split as a shell would, without one.
fn program(env: &Environment) -> Result<(String, Vec<String>), Problem> {
    let named = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| env.var(name));
    let name = named.map(str::trim).find(|value| !value.is_empty()).unwrap_or("vi").to_owned();
    match shell_words::split(&name) {
        Ok(words) if !words.is_empty() => Ok((name, words)),
        _ => Err(not_split(&name)),
    }
}

fn not_split(name: &str) -> Problem {
    Problem {
        what: format!("the editor `{name}` can't be split into words; nothing was changed"),
        hint: "set VISUAL or EDITOR to a command, with quotes that are closed".into(),
    }
}

/// The file, and how the program is told the line where it knows how.
fn arguments(program: &str, file: &Path, line: usize) -> Vec<OsString> {
    let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let with_line = || {
        let mut argument = file.as_os_str().to_owned();
        argument.push(format!(":{line}"));
        argument
    };
    match name.as_str() {
        "vi" | "vim" | "nvim" | "view" | "gvim" | "mvim" | "vis" | "elvis" | "nano" | "pico" | "rnano"
        | "emacs" | "emacsclient" | "mg" | "jmacs" | "micro" | "joe" | "jed" | "kak" | "ne" | "gedit"
        | "mcedit" => {
            vec![format!("+{line}").into(), file.into()]
        }
        "code" | "code-insiders" | "codium" | "vscodium" | "cursor" | "windsurf" => {
            vec!["--goto".into(), with_line()]
        }
        "hx" | "helix" | "subl" | "zed" | "zeditor" => vec![with_line()],
        "kate" | "kwrite" => vec!["--line".into(), line.to_string().into(), file.into()],
        _ => vec![file.into()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_is_told_the_line_in_its_own_way() {
        for (program, expected) in [
            ("vim", "+7 /t/a b.md"),
            ("/usr/bin/nano", "+7 /t/a b.md"),
            ("code", "--goto /t/a b.md:7"),
            ("hx", "/t/a b.md:7"),
            ("kate", "--line 7 /t/a b.md"),
            ("ed", "/t/a b.md"),
        ] {
            let given = arguments(program, Path::new("/t/a b.md"), 7);
            assert_eq!(given.join(std::ffi::OsStr::new(" ")), expected, "{program}");
        }
    }

    #[test]
    fn the_command_is_split_as_a_shell_would() {
        let env = |vars: &[(&str, &str)]| Environment {
            vars: vars.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            ..Environment::default()
        };
        let words = |vars: &[(&str, &str)]| program(&env(vars)).map(|(_, words)| words);
        assert_eq!(words(&[("VISUAL", "'my editor' -w"), ("EDITOR", "vi")]).unwrap(), ["my editor", "-w"]);
        assert_eq!(words(&[("VISUAL", " "), ("EDITOR", "nano")]).unwrap(), ["nano"]);
        assert_eq!(words(&[]).unwrap(), ["vi"]);
        assert_eq!(words(&[("EDITOR", "a $(b) `c`; d")]).unwrap(), ["a", "$(b)", "`c`;", "d"], "no shell");
        assert!(words(&[("EDITOR", "'open")]).unwrap_err().what.contains("split"));
    }
}
