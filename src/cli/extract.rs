//! `memcurator extract`: asks the configured model what of a session is worth remembering.

mod background;
mod sending;

use crate::check::secrets;
use crate::cli::args::transcripts::Extract;
use crate::cli::asking::send;
use crate::cli::context::Context;
use crate::cli::desk::{Desk, proposals};
use crate::cli::failure::{Failure, Status};
use crate::cli::queueing;
use crate::cli::transcripts::named;
use crate::client::extract::answer::{self, Answer, Dropped};
use crate::client::extract::prompt;
use crate::client::extract::render::{BUDGET, Conversation, Rendered};
use crate::client::model::{self, MARK, Trouble};
use crate::client::transcript::{Reader, Transcript, Transcripts};
use crate::config::{Config, Model};
use crate::memory::text::visible;
use crate::review::gate::{Mark, Scene};
use crate::review::proposal::intake::Intake;
use crate::review::proposal::{Origin, Proposal};
use serde_json::{Value, json};
use std::path::Path;

/// Reads transcripts, asks the model, and queues what is left of its answers.
///
/// # Errors
/// When no command is configured or it was not allowed, a transcript can't be read, or the command fails.
pub fn run(cx: &mut Context<'_>, asked: &Extract) -> Result<Status, Failure> {
    // Set off by the model command itself (the client's print mode has hooks too): there is no end otherwise.
    if cx.env.var(MARK).is_some() {
        return if asked.background || asked.detached {
            Ok(Status::Fine)
        } else {
            Err(Failure::refused("this is run by a model command of an extraction; nothing was done", ""))
        };
    }
    let config = Config::load(cx.common.config.as_deref(), &cx.places.config)?;
    if config.model.command.is_empty() && !asked.dry_run {
        return Err(Failure::broken(
            "no model command is configured, so nothing was sent anywhere",
            "set one: [model] command = \"…\" in config.toml; docs/EXTRACT.md has examples, and --dry-run shows what would be sent",
        ));
    }
    if let (true, Some(transcript)) = (asked.background, &asked.transcript) {
        return background::start(cx, asked, transcript);
    }
    let _lock = if asked.detached { Some(background::settle(cx)?) } else { None };
    let desk = Desk::new(cx, false)?;
    let transcripts = chosen(cx, asked, &desk)?;
    let mut results = Vec::new();
    for transcript in transcripts {
        match one(cx, asked, &config.model, &desk, &transcript) {
            Ok(result) => results.extend(result),
            // What went before is queued, and is told.
            Err(failure) => {
                tell(cx, asked, &results)?;
                return Err(failure);
            }
        }
    }
    tell(cx, asked, &results)?;
    Ok(Status::Fine)
}

/// What came of one transcript.
struct Outcome {
    transcript: Transcript,
    session: Option<String>,
    bytes: usize,
    lines: Vec<String>,
    proposals: Vec<Value>,
    dropped: Vec<Dropped>,
}

/// The transcripts that are meant.
fn chosen(cx: &Context<'_>, asked: &Extract, desk: &Desk) -> Result<Vec<Transcript>, Failure> {
    if let Some(file) = &asked.transcript {
        return Ok(vec![named(cx, file)?]);
    }
    let project = cx.common.project.as_deref();
    let mut found = Transcripts::of(&cx.env, &cx.launch, project, &desk.dir).all(asked.since);
    found.retain(|one| !one.is_agent);
    if asked.since.is_none() {
        found.truncate(1);
    }
    if found.is_empty() {
        return Err(Failure::broken(
            format!("no transcript of a session belongs to {}; nothing was sent", desk.dir.display()),
            "name one with --transcript FILE, or the project with --project DIR",
        ));
    }
    Ok(found)
}

/// Reads one transcript and asks about it; `None` when there is nothing to ask.
fn one(
    cx: &mut Context<'_>,
    asked: &Extract,
    settings: &Model,
    desk: &Desk,
    transcript: &Transcript,
) -> Result<Option<Outcome>, Failure> {
    let conversation = conversation(&transcript.path)?;
    if conversation.is_empty() {
        let what =
            format!("{}: the person wrote nothing in it, so nothing is sent", transcript.path.display());
        crate::cli::say("note", &what);
        return Ok(None);
    }
    let mask = |text: &str| secrets::mask(text).into_owned();
    let rendered = conversation.render(BUDGET, &mask);
    let text = prompt::prompt(&rendered, &desk.snapshot, cx.now(), &mask);
    if asked.dry_run {
        let bytes = text.len();
        let lines = text.lines().map(str::to_owned).collect();
        let (session, transcript) = (conversation.session, transcript.clone());
        return Ok(Some(Outcome {
            transcript,
            session,
            bytes,
            lines,
            proposals: Vec::new(),
            dropped: Vec::new(),
        }));
    }
    sending::allowed(cx, asked, &settings.command, &size(&text, &rendered))?;
    let read = |answer: &str| answer::read(answer, &desk.snapshot, &mask);
    let mut ask = |prompt: &str| send(cx, settings, "extract", prompt);
    let answer = match model::ask(&text, &mut ask, &read) {
        Ok(answer) => answer,
        Err(trouble) => return Err(failure(&trouble)),
    };
    let (session, branch) = (conversation.session.clone(), conversation.branch.clone());
    let by = shell_words::split(&settings.command)
        .ok()
        .and_then(|words| Some(Path::new(words.first()?).file_name()?.to_string_lossy().into_owned()));
    let origin = Origin { kind: "extract".into(), session: session.clone(), branch, by };
    let (made, mut dropped) = made(cx, desk, answer, &origin)?;
    let rows = queueing::queue(desk, made, false, cx.now())?;
    let lines = rows.iter().map(|(one, fate, gate)| fate.words(one, gate, false)).collect();
    let proposals = rows.iter().map(|(one, fate, gate)| fate.object(one, gate)).collect();
    dropped.sort_by(|a, b| a.name.cmp(&b.name));
    let transcript = transcript.clone();
    Ok(Some(Outcome { transcript, session, bytes: text.len(), lines, proposals, dropped }))
}

/// The conversation in a transcript.
fn conversation(path: &Path) -> Result<Conversation, Failure> {
    let broken = |error: std::io::Error| {
        Failure::broken(
            format!("the transcript {} can't be read: {error}; nothing was sent", path.display()),
            "",
        )
    };
    let mut reader = Reader::open(path, 0).map_err(broken)?;
    let mut conversation = Conversation::default();
    while let Some(line) = reader.next_line().map_err(broken)? {
        conversation.take(line);
    }
    let words = reader.counts().words();
    if !words.is_empty() {
        crate::cli::say("note", &format!("{}: {words}", path.display()));
    }
    Ok(conversation)
}

/// Makes proposals of an answer, and holds them against the store; what fails is dropped.
fn made(
    cx: &Context<'_>,
    desk: &Desk,
    answer: Answer,
    origin: &Origin,
) -> Result<(Vec<Proposal>, Vec<Dropped>), Failure> {
    let Answer { memories, mut dropped } = answer;
    let settings = crate::check::Settings::default();
    let scene = Scene::new(&desk.snapshot, &settings, None, cx.now());
    let mut taken = proposals(&desk.queue.list()?);
    let mut made: Vec<Proposal> = Vec::new();
    for memory in memories {
        let name = ["name", "file"].iter().find_map(|key| memory.get(*key)?.as_str()).unwrap_or_default();
        let name = visible(name, false).into_owned();
        let mut intake = Intake::new(&desk.snapshot, &taken, origin, cx.now());
        let read = match intake.read(&Value::Object(memory).to_string()) {
            Ok(read) => read,
            Err(refusal) => {
                dropped.push(Dropped { name, why: refusal.what });
                continue;
            }
        };
        for proposal in read {
            let gate = scene.gate(&proposal);
            if gate.mark == Mark::Fail {
                let worst = gate.verdicts.iter().find(|verdict| verdict.mark == Mark::Fail);
                let why = worst.map_or("the gate refuses it", |worst| &worst.says).to_owned();
                dropped.push(Dropped { name: name.clone(), why });
                continue;
            }
            taken.push(proposal.clone());
            made.push(proposal);
        }
    }
    Ok((made, dropped))
}

fn tell(cx: &mut Context<'_>, asked: &Extract, results: &[Outcome]) -> Result<(), Failure> {
    let whole = || {
        let object = |one: &Outcome| {
            let dropped: Vec<Value> =
                one.dropped.iter().map(|one| json!({ "name": one.name, "why": one.why })).collect();
            json!({
                "transcript": one.transcript.path.to_string_lossy(),
                "session": one.session,
                "bytes": one.bytes,
                "prompt": asked.dry_run.then(|| one.lines.join("\n")),
                "proposals": one.proposals,
                "dropped": dropped,
            })
        };
        results.iter().map(object).collect()
    };
    if cx.json(whole)? {
        return Ok(());
    }
    for one in results {
        if results.len() > 1 || asked.dry_run {
            cx.out.line(&format!("{}: {} bytes", one.transcript.path.display(), one.bytes))?;
        }
        for line in &one.lines {
            cx.out.line(line)?;
        }
        for dropped in &one.dropped {
            cx.out.line(&format!("dropped: {}: {}", dropped.name, dropped.why))?;
        }
        if one.lines.is_empty() && one.dropped.is_empty() {
            cx.out.line("the model found nothing worth remembering")?;
        }
    }
    if !asked.dry_run && results.iter().any(|one| !one.proposals.is_empty()) {
        let command = cx.command("pending list");
        cx.out.line(&format!("nothing of it is in the store before it is approved: {command}"))?;
    }
    Ok(())
}

/// What would be sent, in words.
fn size(text: &str, rendered: &Rendered) -> String {
    let left_out = match rendered.left_out {
        0 => String::new(),
        count => format!(", {count} left out"),
    };
    format!(
        "{} bytes: {} of the person's messages with the answers to them{left_out}",
        text.len(),
        rendered.from_user
    )
}

fn failure(trouble: &Trouble) -> Failure {
    let hint = match trouble {
        Trouble::Malformed { answer, .. } => {
            let head: String = answer.chars().take(200).collect();
            let head = head.trim();
            if head.is_empty() {
                "it answered nothing".into()
            } else {
                format!("it answered: {}", visible(head, false))
            }
        }
        Trouble::TooSlow(_) => "give it longer with [model] timeout = SECONDS".into(),
        Trouble::Stopped => "run it again to ask anew".into(),
        _ => {
            "run the command by hand with a prompt on its standard input; docs/EXTRACT.md has examples".into()
        }
    };
    Failure::refused(format!("{}; nothing was queued", visible(&trouble.to_string(), false)), hint)
}
