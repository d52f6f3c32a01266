//! `memcurator`, `memcurator DIR` and `memcurator demo`: the screens, or their first frame as text.

use crate::cli::args::{Cli, Format};
use crate::cli::context::{Context, shell_word};
use crate::cli::failure::{Failure, Status};
use crate::client::disk::DiskPort;
use crate::client::surroundings;
use crate::config::Config;
use crate::demo::{self, Size};
use crate::prompt::locate::find::{self, NotFound, Target};
use crate::prompt::locate::{Located, config_dir};
use crate::prompt::port::{Environment, Port};
use crate::prompt::session::Said;
use crate::prompt::subject::{Subject, Usual};
use crate::shell::{self, Clock, End, Print, Replay, Session, Start};
use crate::store::Places;
use clap::CommandFactory;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// The frame that is printed where the output is no terminal, in columns and rows: wide enough for two panes.
const FRAME: (u16, u16) = (110, 36);

/// Variables that say what the terminal can do; the demo takes them over.
const OF_THE_TERMINAL: [&str; 4] = ["NO_COLOR", "TERM", "COLORTERM", "LANG"];

/// Opens the screens on the store that is meant, or on the list of stores.
///
/// # Errors
/// When there is no store at all, or the terminal can't be used.
pub fn open(cx: &mut Context<'_>, dir: Option<&Path>) -> Result<Status, Failure> {
    let target = match (dir, &cx.common.store, &cx.common.project) {
        (Some(_), Some(_), _) | (Some(_), _, Some(_)) => {
            return Err(Failure::broken(
                "DIR can't be given beside --store or --project",
                "give one of them",
            ));
        }
        (Some(dir), None, None) => {
            find::at(&DiskPort, &cx.env, &cx.launch, dir).map_err(|error| meant_as_a_command(dir, error))?
        }
        (None, None, None) => find::current(&DiskPort, &cx.env, &cx.launch),
        (None, _, _) => Target::Store(cx.located()?),
    };
    let start = match target {
        Target::Store(located) => Start::Store(located),
        Target::Stores(found) if found.is_empty() => {
            let projects = config_dir(&cx.env).join("projects");
            let here = cx.located().err();
            let why = match here {
                Some(Failure::Broken(words)) => format!(": {}", words.what),
                _ => String::new(),
            };
            return Err(Failure::broken(
                format!("there are no memories yet{why}; and {} holds no stores", projects.display()),
                "to make one in this project: memcurator init; to look around: memcurator demo",
            ));
        }
        Target::Stores(found) => Start::Stores(found),
    };
    let again = dir.map_or_else(|| cx.command(""), |dir| cx.command(&shell_word(&dir.to_string_lossy())));
    let subject = match &start {
        Start::Store(located) => Subject::of(located, &starts_in(cx, located, dir)),
        Start::Stores(_) => Subject::Client(cx.env.cwd.clone()),
    };
    let managed = surroundings::managed_settings().parent().map(Path::to_path_buf);
    let session = Session {
        subject: Some(subject),
        usual: Usual {
            version: None,
            launch: cx.launch.clone(),
            within: None,
            managed,
            said: Said::default(),
        },
        against: cx.common.store.as_ref().and(cx.common.project.as_ref()).map(|dir| cx.env.cwd.join(dir)),
        ..session(start, cx.places.clone(), cx.env.clone(), cx.clock)
    };
    let end = run(cx, session, again.trim_end())?;
    end.pass_on()?;
    Ok(Status::Fine)
}

/// The directory in which sessions start whose prompt is shown: the one that a person is in, or names.
fn starts_in(cx: &Context<'_>, located: &Located, dir: Option<&Path>) -> PathBuf {
    let named = dir.or(cx.common.project.as_deref()).unwrap_or(Path::new("."));
    let named = cx.env.cwd.join(named);
    let named = DiskPort.real(&named).unwrap_or(named);
    match &located.project {
        Some(project) if cx.common.store.is_some() || named.starts_with(&located.dir) => project.clone(),
        _ => named,
    }
}

/// A session with what the configuration and the command line say still to come.
fn session(start: Start, places: Places, env: Environment, clock: Clock) -> Session {
    Session {
        start,
        places,
        env,
        subject: None,
        usual: Usual::default(),
        client: None,
        program: None,
        clock,
        theme: String::new(),
        keys: Vec::new(),
        checks: crate::check::Settings::default(),
        config: None,
        against: None,
        recall: crate::config::Model::default(),
        queries: Vec::new(),
        title: None,
        replay: None,
    }
}

/// A word that is no directory may be a command with a slip in it.
fn meant_as_a_command(word: &Path, error: NotFound) -> Failure {
    let word = word.to_string_lossy();
    let cli = Cli::command();
    let names: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    match similar::get_close_matches(word.as_ref(), &names, 1, 0.7).first() {
        Some(near) => {
            Failure::broken(error.what, format!("did you mean `memcurator {near}`? {}", error.hint))
        }
        None => error.into(),
    }
}

/// Opens the screens on a demo that is made for it and removed afterwards.
///
/// # Errors
/// When it can't be built, or the terminal can't be used.
pub fn demo(cx: &mut Context<'_>, size: Size) -> Result<Status, Failure> {
    let dir = tempfile::Builder::new().prefix("memcurator-demo-").tempdir().map_err(|error| {
        Failure::broken(format!("no temporary directory can be made: {error}"), "set TMPDIR")
    })?;
    let home = demo::build_with_inbox(dir.path(), size)?;
    let mut env = home.env;
    for name in OF_THE_TERMINAL {
        env.vars.extend(cx.env.var(name).map(|value| (name.to_string(), value.to_string())));
    }
    let clock = cx.common.now.map_or(Clock::Fixed(home.now), Clock::Fixed);
    let again = match size {
        Size::Small => "memcurator demo",
        Size::Crowded => "memcurator demo --crowded",
    };
    let subject = Subject::of(&home.store, &home.project);
    let within = Some(env.home.clone());
    let session = Session {
        subject: Some(subject),
        usual: Usual { within, ..Usual::default() },
        title: Some("demo".into()),
        queries: home.queries,
        ..session(Start::Store(home.store), home.places, env, clock)
    };
    let end = run(cx, session, again)?;
    drop(dir);
    end.pass_on()?;
    Ok(Status::Fine)
}

fn run(cx: &mut Context<'_>, session: Session, again: &str) -> Result<End, Failure> {
    if cx.common.format != Format::Human {
        return Err(Failure::broken("the screens have no such form", "memcurator list --format json"));
    }
    let config = Config::load(cx.common.config.as_deref(), &session.places.config)?;
    let asked = cx.common.keys.is_some() || cx.common.print.is_some();
    let on_terminal = std::io::stdout().is_terminal();
    let replay = (asked || !on_terminal).then(|| Replay {
        keys: cx.common.keys.clone().unwrap_or_default(),
        size: cx.common.size.unwrap_or(FRAME),
        print: cx.common.print.unwrap_or(Print::Text),
    });
    let given = cx.common.config.clone();
    let lists = matches!(session.start, Start::Stores(_));
    let end = shell::run(
        Session {
            theme: config.theme,
            keys: config.keys,
            checks: config.checks,
            client: config.client,
            recall: config.recall,
            config: given,
            replay,
            ..session
        },
        cx.out.raw(),
    )?;
    if !asked && !on_terminal {
        cx.out.line("")?;
        cx.out.line(&format!("This is the first screen as text. To use it, run in a terminal: {again}"))?;
        if lists {
            cx.out.line("To look around without a store of your own: memcurator demo")?;
        }
    }
    cx.out.raw().flush()?;
    Ok(end)
}
