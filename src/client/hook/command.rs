//! The command of the hook, for the client's settings: a line of POSIX shell that asks memcurator, and looks at the call
//! itself when that gives no answer (CLIENT_FACTS D6). It always ends well: a command that fails would refuse every call
//! that it sees, or let every one through.

use crate::client::hook::ended::Ended;
use crate::client::hook::stores::Stores;
use crate::client::hook::{Mode, answer};
use std::path::{Path, PathBuf};

/// The client's event.
pub const EVENT: &str = "PreToolUse";
/// The tools whose calls the hook sees.
pub const MATCHER: &str = "Write|Edit|NotebookEdit|Bash";
/// How long the client waits for the command, in seconds: memcurator answers within 2, the command gives it 4.
pub const TIMEOUT: u64 = 10;
/// By what the command is known again: the words of a command that does nothing.
pub(super) const MARK: &str = ": memcurator-hook ";

/// What a hook is installed with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hook {
    /// The program.
    pub binary: PathBuf,
    /// What is staged.
    pub mode: Mode,
    /// The stores that it looks after.
    pub stores: Stores,
    /// Where memcurator keeps what waits.
    pub state: PathBuf,
    /// The permission rules that came into the settings with it.
    pub rules: Vec<String>,
    /// What the settings had not had before it: keys, for [`super::settings`].
    pub made: Vec<String>,
    /// What stands beside it for the end of a session.
    pub ended: Option<Ended>,
}

impl Hook {
    /// The command. Without paths that a shell or JSON can't hold: see [`Hook::check`].
    #[must_use]
    pub fn command(&self) -> String {
        let mut mark = format!("{MARK}mode={} binary={}", self.mode.as_str(), quoted(&text(&self.binary)));
        for (key, values) in [("rule", &self.rules), ("made", &self.made)] {
            for value in values {
                mark.push_str(&format!(" {key}={}", quoted(value)));
            }
        }
        if self.mode == Mode::Off {
            return format!("{mark}; exit 0");
        }
        let mut options = format!("--mode {} --state {}", self.mode.as_str(), quoted(&text(&self.state)));
        for (option, dirs) in [("--projects", &self.stores.projects), ("--memory", &self.stores.dirs)] {
            for dir in dirs {
                options.push_str(&format!(" {option} {}", quoted(&text(dir))));
            }
        }
        let ask = format!(
            "i=$(cat; echo .); i=${{i%.}}; b={}; if [ -x \"$b\" ]; then t=; \
             if command -v timeout >/dev/null 2>&1; then t='timeout -k 1 4'; fi; \
             if o=$(printf %s \"$i\" | $t \"$b\" hook run {options} 2>/dev/null); then printf %s \"$o\"; exit 0; fi; fi",
            quoted(&text(&self.binary)),
        );
        format!("{mark}; {ask}; {}", self.guard())
    }

    /// Looks at the text of the call: the file that it names, or for Bash what it would run and where.
    fn guard(&self) -> String {
        let (mut files, mut words, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for dir in &self.stores.projects {
            let dir = in_json(&text(dir));
            files.push(format!("{}*/memory/*", quoted(&format!("{dir}/"))));
            places.push(format!("{}*/memory/*", quoted(&format!("{dir}/"))));
            // However the home directory is named before it.
            words.push(format!("*{}*/memory*", quoted(&format!("{}/", tail(&dir)))));
            words.push("*'CONFIG_DIR'*'/projects/'*/memory*".to_owned());
        }
        for dir in &self.stores.dirs {
            let dir = in_json(&text(dir));
            files.push(format!("{}*", quoted(&format!("{dir}/"))));
            places.push(format!("{}*", quoted(&format!("{dir}/"))));
            words.push(format!("*{}*", quoted(&tail(&dir))));
        }
        words.dedup();
        let any =
            |patterns: &[String]| if patterns.is_empty() { "''".to_owned() } else { patterns.join("|") };
        let deny = answer::deny(answer::GUARD);
        format!(
            "n=; p=; case $i in \
             *'\"tool_name\":\"Bash\"'*) c=${{i#*'\"tool_input\":'}}; p=${{i#*'\"cwd\":\"'}}; p=${{p%%'\"'*}}/; \
             case $c in {}) n=1;; esac; case $p in {}) n=1;; esac;; \
             *'\"file_path\":\"'*) p=${{i#*'\"file_path\":\"'}}; p=${{p%%'\"'*}}; case $p in {}) n=1;; esac;; \
             *'\"notebook_path\":\"'*) p=${{i#*'\"notebook_path\":\"'}}; p=${{p%%'\"'*}}; case $p in {}) n=1;; esac;; esac; \
             if [ -n \"$n\" ]; then printf '%s\\n' {}; fi; exit 0",
            any(&words),
            any(&places),
            any(&files),
            any(&files),
            quoted(&deny),
        )
    }

    /// Whether every path can stand in the command.
    ///
    /// # Errors
    /// Which one can't, and why.
    pub fn check(&self) -> Result<(), String> {
        let own = [&self.binary, &self.state].into_iter();
        check_paths(own.chain(&self.stores.projects).chain(&self.stores.dirs))?;
        self.ended.as_ref().map_or(Ok(()), Ended::check)
    }

    /// Reads a command that [`Hook::command`] made: what of it can be told. `None`: it is none of ours.
    #[must_use]
    pub fn read(command: &str) -> Option<Self> {
        let mut hook = Self::default();
        for word in marked(command)? {
            match word.split_once('=') {
                Some(("mode", mode)) => hook.mode = Mode::from_word(mode)?,
                Some(("binary", path)) => hook.binary = path.into(),
                Some(("rule", rule)) => hook.rules.push(rule.to_owned()),
                Some(("made", key)) => hook.made.push(key.to_owned()),
                _ => {}
            }
        }
        Some(hook)
    }
}

/// The permission rules beside the hook, which ask when it gives no answer: one for each directory. `home` is the person's
/// home directory. Only for [`Mode::All`]: a rule asks about what the hook lets through, too (measured on 2.1.197 and 2.1.332).
#[must_use]
pub fn rules(mode: Mode, stores: &Stores, home: &Path) -> Vec<String> {
    if mode != Mode::All {
        return Vec::new();
    }
    let rule = |dir: &Path, below: &str| {
        // Any character stands for one that would mean something in a pattern.
        let plain =
            |path: &Path| text(path).replace(['*', '?', '[', ']', '{', '}', '(', ')', '!', '\\', ','], "?");
        let root = match dir.strip_prefix(home) {
            Ok(rest) if !rest.as_os_str().is_empty() => format!("~/{}", plain(rest)),
            _ => format!("/{}", plain(dir)),
        };
        format!("Edit({root}/{below})")
    };
    let projects = stores.projects.iter().map(|dir| rule(dir, "*/memory/**"));
    projects.chain(stores.dirs.iter().map(|dir| rule(dir, "**"))).collect()
}

/// The words of the mark at the head of a command of ours.
pub(super) fn marked(command: &str) -> Option<Vec<String>> {
    let words = command.strip_prefix(MARK)?;
    let (mut in_quotes, mut escaped) = (false, false);
    let end = words.find(|c| {
        let plain = !std::mem::take(&mut escaped);
        escaped = plain && !in_quotes && c == '\\';
        in_quotes ^= plain && c == '\'';
        c == ';' && !in_quotes
    });
    shell_words::split(words.get(..end?)?).ok()
}

/// Whether paths can stand in a command; if not, why.
pub(super) fn check_paths<'p>(mut paths: impl Iterator<Item = &'p PathBuf>) -> Result<(), String> {
    paths.try_for_each(|path| {
        let shown = path.to_string_lossy();
        if path.to_str().is_none() {
            return Err(format!("{shown} is not UTF-8, so no command can hold it for sure"));
        }
        if shown.chars().any(char::is_control) {
            return Err(format!("{shown:?} has a line break or another control character in its name"));
        }
        if !path.is_absolute() {
            return Err(format!("{shown} is not absolute"));
        }
        Ok(())
    })
}

pub(super) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The last two parts of a path.
fn tail(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    parts.get(parts.len().saturating_sub(2)..).unwrap_or_default().join("/")
}

/// As it stands inside a JSON text.
fn in_json(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap_or(&json).to_owned()
}

/// One word for a POSIX shell, whatever it holds.
pub(super) fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hook() -> Hook {
        Hook {
            binary: "/opt/it's; here/$bin".into(),
            mode: Mode::Changes,
            stores: Stores { projects: vec!["/h/.claude/projects".into()], dirs: vec!["/k/\"q\"".into()] },
            state: "/s".into(),
            rules: vec!["Edit(~/x y/**)".into()],
            made: vec!["hooks".into(), "hooks.PreToolUse".into()],
            ended: None,
        }
    }

    #[test]
    fn it_is_read_back() {
        let read = Hook::read(&hook().command()).unwrap();
        assert_eq!(read, Hook { stores: Stores::default(), state: PathBuf::new(), ..hook() });
        let off = Hook { mode: Mode::Off, ..hook() };
        assert_eq!(Hook::read(&off.command()).unwrap().mode, Mode::Off);
        for other in
            ["", "echo memcurator-hook", ": memcurator-hook mode=all", ": memcurator-hook mode=some; x"]
        {
            assert_eq!(Hook::read(other), None, "{other}");
        }
        assert!(!hook().command().contains('\n'));
    }

    #[test]
    fn paths_that_no_command_can_hold_are_refused() {
        assert_eq!(hook().check(), Ok(()));
        for bad in ["/a\nb", "relative", "/a\u{7}"] {
            assert!(Hook { binary: bad.into(), ..hook() }.check().is_err(), "{bad:?}");
        }
        use std::os::unix::ffi::OsStringExt;
        let odd = PathBuf::from(std::ffi::OsString::from_vec(b"/a\xff".to_vec()));
        assert!(Hook { state: odd, ..hook() }.check().unwrap_err().contains("UTF-8"));
    }

    #[test]
    fn rules_name_the_stores_in_the_clients_way() {
        let stores = Stores { projects: vec!["/h/.claude/projects".into()], dirs: vec!["/k/[x] (y)".into()] };
        let want = ["Edit(~/.claude/projects/*/memory/**)", "Edit(//k/?x? ?y?/**)"];
        assert_eq!(rules(Mode::All, &stores, Path::new("/h")), want);
        assert!(rules(Mode::Changes, &stores, Path::new("/h")).is_empty());
    }
}
