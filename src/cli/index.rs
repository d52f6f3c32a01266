//! `memcurator index check` and `index fix`: the index against the memories and against what loads of it.

use crate::check::{self, Depth, Facts, Finding, Look};
use crate::cli::args::{FixArgs, IndexCommand, Repairs};
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::cli::{files, prune};
use crate::memory::snapshot::Snapshot;
use crate::prompt::limits::{MAX_LINES, MAX_UNITS};
use crate::review::index_fix::{self, Fix, Proposal, proposals};
use crate::review::index_state::{IndexState, thousands};
use crate::store::Store;
use serde_json::{Value, json};

/// Runs one of the two.
///
/// # Errors
/// When the store can't be found, read or written, or a repair is refused.
pub fn run(cx: &mut Context<'_>, command: &IndexCommand) -> Result<Status, Failure> {
    match command {
        IndexCommand::Check => look(cx),
        IndexCommand::Fix(args) => fix(cx, args),
    }
}

fn look(cx: &mut Context<'_>) -> Result<Status, Failure> {
    let store = cx.store()?;
    let snapshot = store.scan(&|_| {})?;
    let (facts, settings, parked) = (Facts::of(&snapshot), cx.settings(&store)?, store.parked()?);
    let mut findings =
        check::run(&Look::quick(&snapshot, &facts, &parked, cx.now(), &settings), Depth::Quick);
    findings.retain(|finding| finding.check.0.starts_with("index-"));
    let bytes = bytes(&snapshot);
    let state = IndexState::of(&snapshot, bytes);
    let long = proposals(&snapshot, bytes);
    let value = || {
        json!({
            "index": state_json(&state),
            "findings": findings.iter().map(finding).collect::<Vec<_>>(),
            "long": long.iter().map(proposal).collect::<Vec<_>>(),
        })
    };
    if !cx.json(value)? {
        cx.out.line(&format!("index  {}", state.words()))?;
        let (lines, units) = state.headroom();
        cx.out.line(&format!("room   {lines} lines, {} units", thousands(units)))?;
        for path in &state.not_seen {
            cx.out.line(&format!("not seen  {path}"))?;
        }
        for one in &findings {
            let place = format!("{}:{}", one.memory, one.line);
            let severity = format!("{:?}", one.severity).to_lowercase();
            cx.out.line(&format!("{severity}  {}  {place}  {}", one.check.0, one.message))?;
        }
        for one in &long {
            cx.out.line(&format!(
                "long  MEMORY.md:{}  {} units; index fix --shorten proposes",
                one.line + 1,
                one.units
            ))?;
        }
    }
    let bad = findings.iter().any(|finding| finding.severity >= check::Severity::Warning);
    Ok(if bad || !state.fits() { Status::Findings } else { Status::Fine })
}

fn fix(cx: &mut Context<'_>, args: &FixArgs) -> Result<Status, Failure> {
    let store = cx.store()?;
    let snapshot = store.scan(&|_| {})?;
    let parked = store.parked()?;
    let long = if args.what.shorten { proposals(&snapshot, bytes(&snapshot)) } else { Vec::new() };
    let fixes = fixes(cx, &store, &snapshot, &args.what)?;
    let fixed = index_fix::fix(&snapshot, &parked, cx.now(), &fixes)?;
    let plan = fixed.plan.as_ref();
    let applied = match plan {
        Some(plan) if !args.dry_run => Some(store.apply(plan, cx.now())?),
        _ => None,
    };
    let value = || {
        json!({
            "done": applied.as_ref().map(|applied| applied.message.clone()),
            "id": applied.as_ref().map(|applied| applied.id.clone()),
            "steps": fixed.steps,
            "warnings": plan.map(|plan| plan.warnings.clone()).unwrap_or_default(),
            "conflicts": applied.iter().flat_map(|it| &it.conflicts)
                .map(|one| json!({ "path": one.path.to_string(), "what": one.what })).collect::<Vec<_>>(),
            "before": state_json(&fixed.before),
            "after": state_json(&fixed.after),
            "proposals": long.iter().map(proposal).collect::<Vec<_>>(),
        })
    };
    let is_clean = applied.as_ref().is_none_or(|applied| applied.conflicts.is_empty());
    if !cx.json(value)? {
        propose(cx, &long)?;
        if !fixes.is_empty() {
            cx.out.line(&format!("before  {}", fixed.before.words()))?;
            cx.out.line(&format!("after   {}", fixed.after.words()))?;
        }
        match (&applied, plan) {
            (Some(applied), Some(plan)) => {
                prune::report(cx, applied, Some((plan, &[])), &[], Some("undo"))?;
            }
            (None, Some(plan)) => {
                cx.out.line(&format!("would do: {}; nothing was written", plan.message))?;
                for warning in &plan.warnings {
                    cx.out.line(&format!("note: {warning}"))?;
                }
            }
            (_, None) if fixes.is_empty() => {}
            (_, None) => cx.out.line("there is nothing to repair; nothing was written")?,
        }
    }
    Ok(if is_clean { Status::Fine } else { Status::Findings })
}

fn propose(cx: &mut Context<'_>, long: &[Proposal]) -> Result<(), Failure> {
    for one in long {
        cx.out.line(&format!("line {}, {} units: {}", one.line + 1, one.units, one.text))?;
        if one.shorter == one.text {
            cx.out.line("  can't be shortened without touching its link or its table")?;
        } else {
            cx.out.line(&format!("  could be: {}", one.shorter))?;
        }
    }
    if let Some(one) = long.first() {
        let command = cx.command(&format!("index fix --line '{}=…'", one.line + 1));
        cx.out.line(&format!("nothing was shortened; to write a line as you want it: {command}"))?;
    }
    Ok(())
}

/// The repairs in the order in which they are made: single lines first, since their numbers are those of the file as it
/// is; what moves up last.
fn fixes(cx: &Context<'_>, store: &Store, snapshot: &Snapshot, what: &Repairs) -> Result<Vec<Fix>, Failure> {
    let mut fixes = Vec::new();
    for line in &what.line {
        let parsed =
            line.split_once('=').and_then(|(number, text)| Some((number.parse::<usize>().ok()?, text)));
        let Some((number, text)) = parsed.filter(|(number, _)| *number > 0) else {
            let what =
                format!("`{line}` is no line: wanted its number and its text, as 12=- [Name](file.md)");
            return Err(Failure::broken(what, "nothing was changed"));
        };
        fixes.push(Fix::SetLine(number - 1, text.into()));
    }
    let flags = [
        (what.rebuild, Fix::Rebuild),
        (what.drop_dangling, Fix::DropDangling),
        (what.remove_duplicates, Fix::RemoveDuplicates),
        (what.add_orphans, Fix::AddOrphans),
    ];
    fixes.extend(flags.into_iter().filter(|(wanted, _)| *wanted).map(|(_, fix)| fix));
    if !what.move_up.is_empty() {
        let candidates = files::candidates(snapshot);
        let resolve =
            |word: &std::path::PathBuf| files::resolve(&candidates, store.root(), &cx.env.cwd, word);
        fixes.push(Fix::MoveUp(what.move_up.iter().map(resolve).collect::<Result<_, _>>()?));
    }
    Ok(fixes)
}

fn bytes(snapshot: &Snapshot) -> &[u8] {
    snapshot.index.as_ref().map(|file| &*file.bytes).unwrap_or_default()
}

fn state_json(state: &IndexState) -> Value {
    let (lines, units) = state.headroom();
    json!({
        "lines": state.lines,
        "units": state.units,
        "kept_lines": state.kept_lines,
        "kept_units": state.kept_units,
        "max_lines": MAX_LINES,
        "max_units": MAX_UNITS,
        "fits": state.fits(),
        "room": { "lines": lines, "units": units },
        "not_seen": state.not_seen.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn finding(one: &Finding) -> Value {
    json!({
        "check": one.check.0,
        "severity": format!("{:?}", one.severity).to_lowercase(),
        "memory": one.memory.to_string(),
        "line": one.line,
        "message": one.message,
    })
}

fn proposal(one: &Proposal) -> Value {
    json!({
        "line": one.line + 1,
        "memory": one.memory.as_ref().map(ToString::to_string),
        "units": one.units,
        "text": one.text,
        "proposed": (one.shorter != one.text).then_some(&one.shorter),
    })
}
