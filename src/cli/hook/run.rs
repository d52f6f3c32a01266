//! `memcurator hook run`: answers one call of a tool, in time.

use super::stage::{Desk, Told};
use crate::cli::args::hook::Run;
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::client::disk::DiskPort;
use crate::client::hook::Mode;
use crate::client::hook::answer;
use crate::client::hook::call::{Call, MAX_INPUT};
use crate::client::hook::shell::{self, Known, Shell};
use crate::client::hook::stores::{Place, Stores};
use crate::client::writes::{ToolWrite, Write};
use crate::memory::path::RelPath;
use crate::prompt::locate::{Launch, client_store_as, config_dir};
use crate::prompt::port::Environment;
use crate::review::proposal;
use crate::store::Places;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// How long an answer may take. What is not done by then is refused when it writes a memory; the command around this
/// program gives it twice that.
const LIMIT: Duration = Duration::from_secs(2);

/// Answers a call.
///
/// # Errors
/// When it can't be read, or it is not known in time what it is about: the command in the settings looks at it then.
pub fn run(cx: &mut Context<'_>, asked: &Run) -> Result<Status, Failure> {
    let home = config_dir(&cx.env).join("projects");
    let projects = if asked.projects.is_empty() { vec![home] } else { asked.projects.clone() };
    let places =
        Places { state: asked.state.clone().unwrap_or_else(|| cx.places.state.clone()), ..cx.places.clone() };
    let writes = Arc::new(AtomicBool::new(false));
    let hook = Hook {
        mode: asked.mode,
        stores: Stores { projects, dirs: asked.memory.clone() },
        env: cx.env.clone(),
        launch: cx.launch.clone(),
        places,
        now: cx.now(),
        writes: Arc::clone(&writes),
    };
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        // Nobody waits for it any more when this fails.
        let _ = sender.send(hook.answer());
    });
    let told = match receiver.recv_timeout(LIMIT) {
        Ok(told) => told,
        Err(_) if writes.load(Ordering::SeqCst) => Ok(Some(answer::failed("it took too long"))),
        Err(_) => Err("it took too long to find out what the call is about".to_owned()),
    };
    match told {
        Ok(None) => {}
        // A client's program reads it: one line, whatever the format for people would be.
        Ok(Some(reason)) => writeln!(cx.out.raw(), "{}", answer::deny(&reason))?,
        Err(why) => {
            return Err(Failure::broken(
                format!("{why}; nothing was staged"),
                "this command is for the client's hook",
            ));
        }
    }
    Ok(Status::Fine)
}

/// What is known before a call is read.
struct Hook {
    mode: Mode,
    stores: Stores,
    env: Environment,
    launch: Launch,
    places: Places,
    now: crate::memory::Time,
    /// Set as soon as it is known that the call writes a memory.
    writes: Arc<AtomicBool>,
}

impl Hook {
    /// What the client is told about the call on standard input; `None`: nothing, it goes on.
    fn answer(mut self) -> Result<Told, String> {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .take(MAX_INPUT + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| error.to_string())?;
        if bytes.len() as u64 > MAX_INPUT {
            return Err("the call is too long".into());
        }
        let call = Call::read(&bytes)?;
        if self.mode == Mode::Off {
            return Ok(None);
        }
        match call.tool_name.as_str() {
            "Bash" => {
                self.add_sessions_store(&call);
                Ok(self.command(&call))
            }
            "Write" | "Edit" | "MultiEdit" | "NotebookEdit" => {
                self.add_sessions_store(&call);
                Ok(self.file(&call))
            }
            _ => Ok(None),
        }
    }

    /// The directory that the client uses in this session, wherever its settings and environment put it.
    fn add_sessions_store(&mut self, call: &Call) {
        let project = self.env.var("CLAUDE_PROJECT_DIR").map(PathBuf::from).or_else(|| call.cwd.clone());
        let Some(cwd) = project.filter(|dir| dir.is_absolute()) else { return };
        let there = Environment { cwd, ..self.env.clone() };
        self.stores.dirs.push(client_store_as(&DiskPort, &there, &self.launch).dir);
    }

    fn file(&self, call: &Call) -> Told {
        let file = call.file(&self.env.home)?;
        let write = ToolWrite::of(&call.tool_name, &call.tool_input, None).map(|write| write.write);
        self.write(call, &file, write)
    }

    fn command(&self, call: &Call) -> Told {
        let command = call.tool_input.get("command")?.as_str()?;
        let cwd = call.cwd.as_deref().unwrap_or(Path::new("/"));
        match shell::read(command, cwd, self) {
            Shell::Passes => None,
            Shell::Unclear => Some(answer::UNCLEAR.into()),
            Shell::Write(found) => {
                let write = if found.appends { Write::Append(found.text) } else { Write::Whole(found.text) };
                self.write(call, &cwd.join(found.path), Some(write))
            }
            Shell::Delete(files) => {
                self.writes.store(true, Ordering::SeqCst);
                let mut told = None;
                for file in files {
                    told = match self.stores.place(&DiskPort, &file) {
                        Place::Inside(root, path) if is_memory(&path) && !path.is_index() => {
                            let desk = Desk { places: &self.places, root: &root, call, now: self.now };
                            Some(desk.delete(&path).unwrap_or_else(|why| answer::failed(&why)))
                        }
                        _ => Some(answer::UNCLEAR.into()),
                    };
                }
                told
            }
        }
    }

    /// A write of a file by this name; `None` for what becomes of it: the client will find that the call is malformed.
    fn write(&self, call: &Call, file: &Path, write: Option<Write>) -> Told {
        let (root, path) = match self.stores.place(&DiskPort, file) {
            Place::Elsewhere => return None,
            Place::LeadsOut => return Some(answer::LEADS_OUT.into()),
            Place::Inside(root, path) => (root, path),
        };
        // What is no memory is the client's own to allow.
        if !is_memory(&path) {
            return None;
        }
        self.writes.store(true, Ordering::SeqCst);
        if !path.is_index()
            && let Err(why) = proposal::target(&path.to_str_lossy())
        {
            return Some(answer::failed(&why));
        }
        let desk = Desk { places: &self.places, root: &root, call, now: self.now };
        desk.write(&path, &write?, self.mode)
    }
}

impl Known for Hook {
    fn covers(&self, path: &Path) -> bool {
        self.stores.covers(&DiskPort, path)
    }

    fn named_in(&self, command: &str) -> bool {
        self.stores.are_named_in(command)
    }
}

fn is_memory(path: &RelPath) -> bool {
    path.as_path().extension().is_some_and(|extension| extension == "md")
}
