//! `memcurator hook`: the client's memory writes wait for approval.

mod ended;
mod install;
mod run;
mod stage;

use crate::cli::args::hook::{Hook, Scope};
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::client::hook::file::SettingsFile;
use crate::client::hook::settings;
use crate::prompt::locate::config_dir;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Runs one of the commands.
///
/// # Errors
/// When the settings can't be read or changed, or a call can't be read.
pub fn run(cx: &mut Context<'_>, command: &Hook) -> Result<Status, Failure> {
    match command {
        Hook::Install(asked) => install::install(cx, asked),
        Hook::Remove(asked) => install::remove(cx, asked),
        Hook::Status => status(cx),
        Hook::Run(asked) => run::run(cx, asked),
        Hook::Ended(asked) => ended::run(cx, asked),
    }
}

impl Scope {
    const ALL: [Self; 3] = [Self::User, Self::Project, Self::Local];

    fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }

    fn file(self, cx: &Context<'_>) -> PathBuf {
        let project = cx.env.cwd.join(cx.common.project.as_deref().unwrap_or(Path::new("")));
        match self {
            Self::User => config_dir(&cx.env).join("settings.json"),
            Self::Project => project.join(".claude/settings.json"),
            Self::Local => project.join(".claude/settings.local.json"),
        }
    }
}

fn read(file: &Path) -> Result<SettingsFile, Failure> {
    SettingsFile::read(file).map_err(|error| {
        let what = format!(
            "the client's settings in {} can't be read: {error}; nothing was changed",
            file.display()
        );
        Failure::broken(what, "make it a file of JSON that you can read")
    })
}

/// A file that is a link, in words.
fn link_note(file: &SettingsFile) -> Option<String> {
    file.is_link().then(|| format!("{} is a link; the file is {}", file.named.display(), file.real.display()))
}

/// That the client does not read a file, in words.
fn unread_note(file: &SettingsFile, text: &str) -> Option<String> {
    settings::unread_by_client(text).map(|line| {
        format!(
            "{}:{line}: the client reads nothing of this file, since comments and trailing commas are no JSON to it: \
             the hook works once they are out",
            file.real.display()
        )
    })
}

fn status(cx: &mut Context<'_>) -> Result<Status, Failure> {
    let (mut rows, mut values, mut fine) = (Vec::new(), Vec::new(), true);
    for scope in Scope::ALL {
        let named = scope.file(cx);
        let mut value = json!({ "scope": scope.word(), "file": named.to_string_lossy(), "installed": false });
        let mut says = Vec::new();
        let found = SettingsFile::read(&named).map_err(|error| error.to_string()).and_then(|file| {
            let hook = settings::installed(&file.text).map_err(|error| error.to_string())?;
            let ended = settings::ended(&file.text).map_err(|error| error.to_string())?;
            Ok((file, hook, ended))
        });
        let mut set = |key: &str, it: Value| {
            if let Value::Object(keys) = &mut value {
                keys.insert(key.into(), it);
            }
        };
        match found {
            Err(why) => {
                fine = false;
                set("error", why.clone().into());
                says.push(format!("can't be read: {why}"));
            }
            Ok((file, hook, ended)) => {
                set("extract", ended.is_some().into());
                set("link", file.is_link().then(|| file.real.to_string_lossy().into_owned()).into());
                match hook {
                    None => says.push("not installed".to_owned()),
                    Some(hook) => {
                        let is_there = is_program(&hook.binary);
                        let unread = unread_note(&file, &file.text);
                        fine &= is_there && unread.is_none();
                        set("installed", true.into());
                        set("mode", hook.mode.as_str().into());
                        set("binary", hook.binary.to_string_lossy().into());
                        set("binary_found", is_there.into());
                        set("asks", hook.rules.clone().into());
                        set("read_by_client", unread.is_none().into());
                        says.push(format!("installed, mode {}", hook.mode.as_str()));
                        says.push(match is_there {
                            true => format!("calls {}", hook.binary.display()),
                            false => format!(
                                "calls {}, which is not there: memory writes are refused until `hook install` is done again",
                                hook.binary.display()
                            ),
                        });
                        says.extend(unread);
                    }
                }
                if let Some(ended) = ended {
                    let is_there = is_program(&ended.binary);
                    fine &= is_there;
                    let missing = if is_there { "" } else { ", but its program is not there, so nothing is" };
                    says.push(format!("extracts when a session ends{missing}"));
                }
                says.extend(link_note(&file));
            }
        }
        let mut says = says.into_iter();
        rows.push([
            scope.word().to_owned(),
            says.next().unwrap_or_default(),
            named.to_string_lossy().into_owned(),
        ]);
        rows.extend(says.map(|more| [String::new(), more, String::new()]));
        values.push(value);
    }
    if !cx.json(|| values.into())? {
        cx.out.table(&rows)?;
    }
    Ok(if fine { Status::Fine } else { Status::Findings })
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
