//! `memcurator preview --prove`: the real client in a mirror, compared with the preview.

use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::cli::learn::{RunArgs, installed, interrupts, learned};
use crate::client::learn::Client;
use crate::client::prove::managed::{self, Managed};
use crate::client::prove::{Proof, prove};
use crate::client::{kept, surroundings};
use crate::memory::text::visible;
use crate::prompt::port::Environment;
use crate::prompt::session::Request;
use crate::prompt::subject::Subject;
use crate::prompt::versions::Rules;
use crate::prompt::words::compare::Difference;
use serde_json::{Value as Json, json};
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;

/// Proves a preview; exit status 0 when the client's request is identical, 1 when it differs.
///
/// # Errors
/// When it can't be proved: there is no client, the run comes to nothing, or the person says no.
pub fn run(
    cx: &mut Context<'_>,
    subject: &Subject,
    request: &Request,
    wanted: Option<&str>,
    args: &RunArgs,
    yes: bool,
) -> Result<Status, Failure> {
    let Subject::Client(cwd) = subject else {
        return Err(Failure::broken(
            "only a session of the client can be proved: this store has no known project, or is in the `.agent/` layout",
            "go to the project's directory, or give it with --project DIR",
        ));
    };
    let program = installed(cx)?;
    let cancel = interrupts();
    let version = program.version(&cx.env, &cancel)?;
    if let Some(wanted) = wanted.filter(|wanted| *wanted != version) {
        return Err(Failure::broken(
            format!("the installed client is {version}, not {wanted}; nothing was run"),
            "leave --client away, or name that version's program with `client = PATH` in the configuration",
        ));
    }
    let directory = surroundings::managed_settings().parent().map(Path::to_path_buf).unwrap_or_default();
    let set = managed::look(&directory);
    if !set.is_empty() && !yes && !agrees(&set)? {
        return Err(Failure::refused("nothing was run", ""));
    }
    let sandbox = args.sandbox();
    let client = Client {
        program: &program,
        version: &version,
        env: &cx.env,
        sandbox: &sandbox,
        limit: args.limit(),
        cancel: &cancel,
    };
    let words = match kept::read(&cx.places.cache, &program).filter(|words| words.version == version) {
        Some(words) => words,
        None => {
            crate::cli::say(
                "note",
                &format!("the words of client {version} are not known yet: learning them first"),
            );
            learned(cx, &client)?.0.words
        }
    };
    let rules = Rules::of(&version).unwrap_or(Rules::NEWEST);
    let mut request = request.clone();
    request.launch.rules = rules;
    request.version.clone_from(&version);
    let env = Environment { cwd: cwd.clone(), ..cx.env.clone() };
    let proof = prove(&client, &Arc::new(words), &env, &request, cx.now())?;
    if !cx.json(|| to_json(&proof, &program.path))? {
        for line in proof.told(sandbox.describe(), chrono::Utc::now()) {
            cx.out.line(&line)?;
        }
    }
    Ok(if proof.is_identical() { Status::Fine } else { Status::Findings })
}

/// Shows what the administrator sets, which holds in a mirror too, and asks.
fn agrees(set: &[Managed]) -> Result<bool, Failure> {
    let mut err = io::stderr().lock();
    writeln!(err, "managed settings hold for every run of the client on this machine, also for this one:")?;
    for file in set {
        writeln!(err, "  {}", visible(&file.path.to_string_lossy(), false))?;
        for line in &file.sets {
            writeln!(err, "    {}", visible(line, false))?;
        }
    }
    if !io::stdin().is_terminal() || !err.is_terminal() {
        return Err(Failure::broken(
            "managed settings would hold for the run, and there is no terminal to ask; nothing was run",
            "give --yes to run it all the same",
        ));
    }
    write!(err, "run the client under them? [y/N] ")?;
    err.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn to_json(proof: &Proof, program: &Path) -> Json {
    let difference = |difference: &Option<Difference>| {
        difference.as_ref().map(|found| {
            json!({
                "part": found.part, "line": found.line, "byte": found.byte, "ours": found.ours,
                "theirs": found.theirs,
            })
        })
    };
    json!({
        "client": { "path": program.to_string_lossy(), "version": proof.version },
        "identical": proof.is_identical(),
        "difference": difference(&proof.client),
        "place": difference(&proof.place),
        "left_out": proof.left_out,
        "unknown": proof.unknown.iter().map(|slot| slot.as_str()).collect::<Vec<_>>(),
        "sealed": proof.sealed,
        "seconds": (proof.took.as_secs_f64() * 100.0).round() / 100.0,
    })
}
