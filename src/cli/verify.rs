//! `memcurator verify`: what one memory claims, with a verdict and the evidence for each.

use crate::app::deep::Looked;
use crate::app::update::place;
use crate::app::verify::summary;
use crate::check::Evidence;
use crate::check::claims::{Claim, Verdict, counts};
use crate::cli::args::check::Verify;
use crate::cli::check::{checkup, history, progress, say_project, subject};
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::cli::{files, say};
use crate::memory::path::RelPath;
use crate::shell::checkup::Patient;
use crate::store::Store;
use serde_json::{Value, json};

/// Looks up what a memory claims.
///
/// # Errors
/// When the store can't be read, or the word means no memory.
pub fn run(cx: &mut Context<'_>, asked: &Verify) -> Result<Status, Failure> {
    let located = cx.located()?;
    let store = Store::look(&located.dir, &cx.places)?;
    crate::cli::context::tell(&store);
    let snapshot = store.scan(&|_| {})?;
    let path = files::resolve(&files::candidates(&snapshot), store.root(), &cx.env.cwd, &asked.file)?;
    let parked = store.parked().unwrap_or_else(|error| {
        say("warning", &format!("{error}; which lines are parked is not known"));
        Vec::new()
    });
    let settings = cx.settings(&store)?;
    let subject = subject(cx, &located, asked.no_project)?;
    let patient = Patient {
        snapshot: &snapshot,
        parked: &parked,
        settings: &settings,
        subject: subject.as_ref(),
        now: cx.now(),
    };
    let checkup = checkup(cx);
    let found = progress("looking…", |goes_on| checkup.claims(&patient, &path, &mut |_| (), goes_on));
    let Some((claims, looked)) = found else {
        return Err(Failure::broken(format!("{path} is no longer there"), "look again"));
    };
    say_project(&looked, asked.no_project);
    if !cx.json(|| object(&path, &claims, &looked))? {
        human(cx, &path, &claims, &looked)?;
    }
    let fails = claims.iter().any(|claim| claim.verdict == Verdict::Fails);
    Ok(if fails { Status::Findings } else { Status::Fine })
}

fn human(cx: &mut Context<'_>, path: &RelPath, claims: &[Claim], looked: &Looked) -> Result<(), Failure> {
    for claim in claims {
        let (verdict, kind) = (claim.verdict.words(), claim.kind.as_str());
        cx.out.line(&format!("{path}:{}: {verdict}: {kind} {}", claim.line, claim.what))?;
        cx.out.line(&format!("    {}", claim.note))?;
        for one in &claim.evidence {
            let place = place(one);
            cx.out.line(format!("    {place}{}", one.text).trim_end())?;
        }
        cx.out.line("")?;
    }
    let told = match claims.len() {
        0 => "it names nothing that could be looked up: read it, and decide".to_owned(),
        1 => format!("1 claim: {}", summary(claims)),
        all => format!("{all} claims: {}", summary(claims)),
    };
    let project = if looked.project.is_some() { format!(", {}", looked.words()) } else { String::new() };
    cx.out.line(&format!("{told}{project}"))?;
    cx.out.line("then: memcurator affirm (still true), edit, delete or park")?;
    Ok(())
}

fn object(path: &RelPath, claims: &[Claim], looked: &Looked) -> Value {
    let [holds, fails, unknown] = counts(claims);
    json!({
        "memory": path.to_str_lossy(),
        "claims": claims.iter().map(claim).collect::<Vec<_>>(),
        "holds": holds,
        "fails": fails,
        "unknown": unknown,
        "project": looked.project.as_ref().map(|dir| dir.to_string_lossy()),
        "history": history(looked),
    })
}

fn claim(claim: &Claim) -> Value {
    let verdict = match claim.verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "fails",
        Verdict::Unknown => "unknown",
    };
    let evidence = |one: &Evidence| json!({ "path": one.path, "line": one.line, "commit": one.commit, "text": one.text });
    json!({
        "kind": claim.kind.as_str(),
        "what": claim.what,
        "line": claim.line,
        "verdict": verdict,
        "note": claim.note,
        "check": claim.check.map(|check| check.0),
        "evidence": claim.evidence.iter().map(evidence).collect::<Vec<_>>(),
    })
}
