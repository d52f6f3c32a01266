//! `memcurator preview`: what the next session gets.

use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::cli::learn::{self, RunArgs};
use crate::cli::output::escaped;
use crate::cli::prove;
use crate::client::disk::DiskPort;
use crate::client::surroundings;
use crate::memory::Time;
use crate::prompt::locate::settings::Scope;
use crate::prompt::locate::{Launch, Layout, Minimal, find};
use crate::prompt::picture::{Preview, Section, Survives, Wording};
use crate::prompt::port::{Environment, Kind, Port};
use crate::prompt::session::{Request, Said, SystemPrompt};
use crate::prompt::subject::{NEWEST, Subject};
use crate::prompt::versions::Rules;
use crate::prompt::wording;
use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What to preview.
#[derive(Debug, Clone, Default, Args)]
pub struct PreviewArgs {
    /// The client's version, whose rules are taken [default: the installed one, else the newest one known]
    #[arg(long, value_name = "VERSION")]
    pub client: Option<String>,
    /// What reading this file in the session would bring in (can be repeated)
    #[arg(long, value_name = "FILE")]
    pub open: Vec<PathBuf>,
    /// The memory of this sub-agent too
    ///
    /// Where its definition says (`memory:` in .claude/agents/NAME.md, the project's before yours), else the first
    /// of its local, project and user directories that exists.
    #[arg(long, value_name = "NAME")]
    pub agent: Option<String>,
    /// Whose layout: the client's files, or those of `.agent/` (AGENT.md, rules, memory/MEMORY.md)
    #[arg(long, value_enum, default_value_t, value_name = "LAYOUT")]
    pub layout: LayoutArg,
    /// As the client's option: further directories
    #[arg(long, value_name = "DIR", num_args = 1..)]
    pub add_dir: Vec<String>,
    /// As the client's option: which settings and files count (`user,project,local`)
    #[arg(long, value_name = "SOURCES", allow_hyphen_values = true)]
    pub setting_sources: Option<String>,
    /// As the client's option: settings, as JSON or as a file
    #[arg(long, value_name = "JSON|FILE")]
    pub settings: Option<String>,
    /// As the client's option: nothing but what is asked for
    #[arg(long)]
    pub bare: bool,
    /// As the client's option: no memory, no instructions
    #[arg(long)]
    pub safe_mode: bool,
    /// As the client's option: a system prompt in place of its own
    #[arg(long, value_name = "TEXT")]
    pub system_prompt: Option<String>,
    /// As the client's option: a text behind its own system prompt; changes nothing here
    #[arg(long, value_name = "TEXT")]
    pub append_system_prompt: Option<String>,
    /// Run the installed client on a mirror of what matters, and compare what it sends with the preview
    ///
    /// Byte for byte. Nothing of yours but instructions, rules, imports and memory gets into the mirror: no hook, helper,
    /// server, plugin, credential or other setting. As JSON: {client, identical, difference, place, left_out, unknown,
    /// sealed, seconds}. Exit status 1 when it differs, 2 when it could not run.
    #[arg(long)]
    pub prove: bool,
    /// With --prove: don't ask when managed settings hold for the run
    #[arg(long, requires = "prove")]
    pub yes: bool,
    /// How the client is run.
    #[command(flatten)]
    pub run: RunArgs,
}

/// Whose layout is previewed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LayoutArg {
    /// That of the store: the client's, unless the project has only `.agent/memory`
    #[default]
    Auto,
    /// The client's
    Claude,
    /// `.agent/` in the project
    Agent,
}

/// What is looked at besides the arguments.
pub struct Surroundings<'a> {
    /// The files.
    pub port: &'a dyn Port,
    /// The environment of the process.
    pub env: &'a Environment,
    /// The time at which the session would start.
    pub now: Time,
    /// The machine's managed settings.
    pub managed_settings: Option<PathBuf>,
    /// The machine's directory of managed instructions.
    pub managed: Option<PathBuf>,
    /// What is known of the client's own words.
    pub said: Said,
}

/// Runs the command.
///
/// # Errors
/// When the arguments say nothing that can be previewed, or the output can't be written.
pub fn run(cx: &mut Context<'_>, args: &PreviewArgs) -> Result<Status, Failure> {
    let subject = subject(cx, args.layout)?;
    let managed = surroundings::managed_settings();
    let around = Surroundings {
        port: &DiskPort,
        env: &cx.env,
        now: cx.now(),
        managed: managed.parent().map(Path::to_path_buf),
        managed_settings: Some(managed),
        said: Said::default(),
    };
    let hint = "nothing was looked at";
    if args.prove {
        let asked = request(args, &around).map_err(|what| Failure::broken(what, hint))?;
        return prove::run(cx, &subject, &asked, args.client.as_deref(), &args.run, args.yes);
    }
    // The words of one version are not put around the rules of another.
    let (version, said) = learn::known(cx);
    let same = args.client.is_none() || args.client == version;
    let args = &PreviewArgs { client: args.client.clone().or(version), ..args.clone() };
    let around = Surroundings { said: if same { said } else { Said::default() }, ..around };
    let request = request(args, &around).map_err(|what| Failure::broken(what, hint))?;
    let preview = subject.preview(around.port, around.env, &request);
    match cx.common.format {
        crate::cli::args::Format::Json => write_json(&preview, cx.out.raw())?,
        _ => write_human(&preview, cx.out.raw())?,
    }
    Ok(Status::Fine)
}

/// What is previewed: the store that is meant, or a session in the current directory, which needs no store.
fn subject(cx: &Context<'_>, layout: LayoutArg) -> Result<Subject, Failure> {
    if cx.common.store.is_some() {
        let located = cx.located()?;
        let cwd = located.project.clone().unwrap_or_default();
        if cx.common.project.is_some() {
            let used = find::project(&DiskPort, &cx.env, &cx.launch, &cwd).ok().map(|used| used.dir);
            if used.as_ref() != Some(&located.dir) {
                let used = used.map_or_else(|| "none".to_owned(), |dir| dir.display().to_string());
                let what = format!(
                    "sessions in {} load another store than {}: {used}",
                    cwd.display(),
                    located.dir.display()
                );
                return Err(Failure::broken(
                    what,
                    "leave out --project to see its index alone, or --store to see the session",
                ));
            }
        }
        return Ok(Subject::of(&located, &cwd));
    }
    let cwd = match &cx.common.project {
        None => cx.env.cwd.clone(),
        Some(dir) => {
            let dir = cx.env.cwd.join(dir);
            if DiskPort.kind(&dir) != Some(Kind::Dir) {
                let what = format!("there is no directory {}", dir.display());
                return Err(Failure::broken(what, "give a project's directory"));
            }
            DiskPort.real(&dir).unwrap_or(dir)
        }
    };
    Ok(match layout {
        LayoutArg::Claude => Subject::Client(cwd),
        LayoutArg::Agent => Subject::Agent(cwd),
        LayoutArg::Auto => match find::project(&DiskPort, &cx.env, &cx.launch, &cwd) {
            Ok(located) if located.layout == Layout::Agent => Subject::Agent(cwd),
            _ => Subject::Client(cwd),
        },
    })
}

/// Makes the preview that the arguments ask for.
///
/// # Errors
/// In words, when the arguments say nothing that can be previewed (a version that is no version).
pub fn preview(args: &PreviewArgs, around: &Surroundings<'_>) -> Result<Preview, String> {
    let cwd = around.env.cwd.clone();
    let subject = if args.layout == LayoutArg::Agent { Subject::Agent(cwd) } else { Subject::Client(cwd) };
    Ok(subject.preview(around.port, around.env, &request(args, around)?))
}

fn request(args: &PreviewArgs, around: &Surroundings<'_>) -> Result<Request, String> {
    let version = args.client.clone().unwrap_or_else(|| NEWEST.to_owned());
    let rules = Rules::of(&version)
        .ok_or_else(|| format!("`{version}` is no version of the client: give three numbers, as 2.1.197"))?;
    Ok(Request {
        version,
        launch: Launch {
            rules,
            settings: args.settings.clone(),
            sources: args.setting_sources.as_deref().map(sources),
            minimal: match (args.bare, args.safe_mode) {
                (true, _) => Minimal::Bare,
                (false, true) => Minimal::Safe,
                (false, false) => Minimal::No,
            },
            managed: around.managed_settings.clone(),
        },
        add_dirs: args.add_dir.clone(),
        system_prompt: match args.system_prompt {
            Some(_) => SystemPrompt::Replaced,
            None => SystemPrompt::Own,
        },
        agent: args.agent.clone(),
        open: args.open.clone(),
        managed: around.managed.clone(),
        now: around.now,
        said: around.said.clone(),
    })
}

fn sources(text: &str) -> Vec<Scope> {
    let scope = |word: &str| match word.trim() {
        "user" => Some(Scope::User),
        "project" => Some(Scope::Project),
        "local" => Some(Scope::Local),
        _ => None,
    };
    text.split(',').filter_map(scope).collect()
}

/// Writes a preview as JSON with stable names.
///
/// # Errors
/// As the writer's.
pub fn write_json(preview: &Preview, to: &mut dyn Write) -> io::Result<()> {
    let text = serde_json::to_string_pretty(&to_json(preview))?;
    // Half a character has no other form than an escape.
    let mut safe = escaped(&text);
    for half in preview.sections.iter().filter_map(|section| section.half) {
        safe = safe.replace(HALF, &format!("\\u{half:04x}"));
    }
    writeln!(to, "{safe}")
}

/// Stands for half a surrogate pair until the JSON is text: no text in it can hold this, since a quotation mark or a
/// control character would be escaped in it.
const HALF: &str = "\\u0000<half>\\u0000";
const HALF_IN_TEXT: &str = "\0<half>\0";

/// A preview as JSON.
#[must_use]
pub fn to_json(preview: &Preview) -> Value {
    let sections = |sections: &[Section]| Value::from(sections.iter().map(section).collect::<Vec<_>>());
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("client", json!({ "name": "claude", "version": preview.version, "note": preview.version_note }));
    put(
        "wording",
        match preview.wording {
            Wording::Learned => "learned".into(),
            Wording::BuiltIn => "built-in".into(),
        },
    );
    put("memory_dir", path(preview.memory_dir.as_deref()));
    put(
        "index",
        preview.index.as_ref().map_or(Value::Null, |index| {
            json!({
                "path": index.path.to_string_lossy(),
                "lines": index.lines,
                "units": index.units,
                "kept_lines": index.kept_lines,
                "kept_units": index.kept_units,
                "cut": index.cut(),
                "lost": index.lost,
                "notice": index.notice,
                "written_by_client": index.written_by_client,
            })
        }),
    );
    put("sections", sections(&preview.sections));
    let skipped = preview.skipped.iter().map(|skipped| {
        json!({
            "path": skipped.path.to_string_lossy(),
            "from": path(skipped.from.as_deref()),
            "reason": skipped.reason.describe(),
            "hint": skipped.hint,
        })
    });
    put("skipped", skipped.collect());
    let files = preview
        .opened
        .files
        .iter()
        .map(|file| {
            json!({
                "path": file.path.to_string_lossy(), "age_note_days": file.age_note_days, "age_note": file.age_note,
                "brings": file.brings,
            })
        });
    put(
        "opened",
        json!({ "sections": sections(&preview.opened.sections), "files": files.collect::<Value>() }),
    );
    let budget = preview.budget.iter().map(|budget| {
        json!({
            "layer": budget.layer.as_str(),
            "files": budget.files,
            "chars": budget.chars,
            "units": budget.units,
            "lines": budget.lines,
            "tokens_estimate": budget.tokens,
            "share": (budget.share * 1000.0).round() / 1000.0,
        })
    });
    put("budget", budget.collect());
    let warnings = preview.warnings.iter().map(|warning| {
        json!({ "id": warning.id, "path": path(warning.path.as_deref()), "message": warning.message })
    });
    put("warnings", warnings.collect());
    put("text", preview.text.clone().into());
    put("system", preview.system.clone().into());
    Value::Object(object)
}

fn section(section: &Section) -> Value {
    let mut body = section.body.clone();
    if section.half.is_some() {
        body.push_str(HALF_IN_TEXT);
    }
    json!({
        "path": section.path.to_string_lossy(),
        "layer": section.layer.as_str(),
        "body": body,
        "via": path(section.via.as_deref()),
        "shown": section.shown,
        "lines": section.lines(),
        "units": section.units(),
        "tokens_estimate": crate::prompt::picture::tokens(&section.body),
        "matched": section.matched,
        "opened_by": path(section.opened_by.as_deref()),
        "survives_compaction": section.survives == Survives::Yes,
    })
}

fn path(path: Option<&Path>) -> Value {
    path.map(|path| path.to_string_lossy().into_owned()).into()
}

/// Writes a preview for a person: what loads and how large it is, what does not and why, then the text.
///
/// # Errors
/// As the writer's.
pub fn write_human(preview: &Preview, to: &mut dyn Write) -> io::Result<()> {
    let mut line = |text: String| writeln!(to, "{}", crate::memory::text::visible(&text, false));
    line(format!(
        "client {}; wording: {}; order and cuts {}",
        preview.version,
        if preview.wording == Wording::Learned { "learned" } else { "built-in" },
        if preview.version_note.is_some() { "as far as known" } else { "exact" },
    ))?;
    if let Some(note) = &preview.version_note {
        line(format!("note: {note}"))?;
    }
    line(match &preview.memory_dir {
        Some(directory) => format!("memory: {}", directory.display()),
        None => "memory: none in the system prompt".into(),
    })?;
    line(String::new())?;
    for section in &preview.sections {
        line(format!(
            "{:<8} {:>8}  {}{}",
            section.layer.as_str(),
            wording::size(section.units()),
            section.path.display(),
            via(section)
        ))?;
    }
    for section in &preview.opened.sections {
        line(format!(
            "on use   {:>8}  {}{}",
            wording::size(section.units()),
            section.path.display(),
            via(section)
        ))?;
    }
    for skipped in &preview.skipped {
        let from =
            skipped.from.as_ref().map(|from| format!(" (from {})", from.display())).unwrap_or_default();
        line(format!("not      {}{from}: {}", skipped.path.display(), skipped.reason.describe()))?;
        if let Some(hint) = &skipped.hint {
            line(format!("           {hint}"))?;
        }
    }
    for file in &preview.opened.files {
        if let Some(days) = file.age_note_days {
            line(format!("age      {}: the client will say {days} days", file.path.display()))?;
        }
    }
    for warning in &preview.warnings {
        let path = warning.path.as_ref().map(|path| format!("{}: ", path.display())).unwrap_or_default();
        line(format!("warning  {path}{}", warning.message))?;
    }
    for lost in preview.index.iter().flat_map(|index| &index.lost) {
        line(format!("not seen {lost}"))?;
    }
    for budget in &preview.budget {
        line(format!(
            "{:<8} {} files, {} characters, {} lines, about {} tokens (an estimate), {:.0} %",
            budget.layer.as_str(),
            budget.files,
            budget.chars,
            budget.lines,
            budget.tokens,
            budget.share * 100.0
        ))?;
    }
    line(String::new())?;
    for text in preview.system.iter().chain([&preview.text]) {
        write!(to, "{}", crate::memory::text::visible(text, true))?;
    }
    Ok(())
}

fn via(section: &Section) -> String {
    let via = section.via.as_ref().map(|via| format!("  imported by {}", via.display()));
    let matched = section.matched.as_ref().map(|pattern| format!("  matches {pattern}"));
    [via, matched].into_iter().flatten().collect()
}
