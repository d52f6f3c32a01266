//! `memcurator delete`, `park` and `unpark`.

use crate::cli::args::Files;
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::cli::files;
use crate::memory::links::Links;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::review::plan::Plan;
use crate::review::prune;
use crate::store::Applied;
use serde_json::{Value, json};

/// Which of the three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prune {
    /// Memories and their index lines go.
    Delete,
    /// Index lines go, files stay.
    Park,
    /// Index lines come back.
    Unpark,
}

/// Carries out one of the three on the files.
///
/// # Errors
/// When a file is not a memory of the store, the plan is refused, or the store is changed by someone else.
pub fn run(cx: &mut Context<'_>, what: Prune, words: &Files) -> Result<Status, Failure> {
    let store = cx.store()?;
    let snapshot = store.scan(&|_| {})?;
    let parked = store.parked()?;
    let candidates = files::candidates(&snapshot);
    let mut paths = Vec::new();
    for word in &words.files {
        let path = files::resolve(&candidates, store.root(), &cx.env.cwd, word)?;
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let plan = match what {
        Prune::Delete => prune::delete(&snapshot, &parked, &paths),
        Prune::Park => prune::park(&snapshot, &parked, &paths),
        Prune::Unpark => prune::unpark(&snapshot, &parked, &paths),
    }?;
    let applied = store.apply(&plan, cx.now())?;
    let linked = if what == Prune::Delete { linked_from(&snapshot, &paths) } else { Vec::new() };
    report(cx, &applied, Some((&plan, &paths)), &linked, Some("undo"))
}

/// The memories that link to those that go, and stay themselves.
fn linked_from(snapshot: &Snapshot, gone: &[RelPath]) -> Vec<(RelPath, Vec<RelPath>)> {
    let links = Links::of(snapshot);
    let left = |path: &RelPath| -> Vec<RelPath> {
        links.linked_from(path).iter().filter(|from| !gone.contains(from)).cloned().collect()
    };
    gone.iter().map(|path| (path.clone(), left(path))).filter(|(_, from)| !from.is_empty()).collect()
}

/// Says what was done, what to know about it, and how to take it back.
///
/// # Errors
/// When it can't be written.
pub fn report(
    cx: &mut Context<'_>,
    applied: &Applied,
    plan: Option<(&Plan, &[RelPath])>,
    linked: &[(RelPath, Vec<RelPath>)],
    back: Option<&str>,
) -> Result<Status, Failure> {
    let texts = |paths: &[RelPath]| -> Vec<String> { paths.iter().map(RelPath::to_string).collect() };
    let conflict = |one: &crate::store::Conflict| json!({ "path": one.path.to_string(), "what": one.what });
    let json = || {
        let mut value = json!({
            "done": applied.message,
            "id": applied.id,
            "conflicts": applied.conflicts.iter().map(conflict).collect::<Vec<Value>>(),
        });
        if let (Some((plan, paths)), Value::Object(keys)) = (plan, &mut value) {
            keys.insert("paths".into(), texts(paths).into());
            keys.insert("warnings".into(), plan.warnings.clone().into());
            let linked =
                linked.iter().map(|(path, from)| json!({ "path": path.to_string(), "from": texts(from) }));
            keys.insert("linked_from".into(), linked.collect());
        }
        value
    };
    if !cx.json(json)? {
        cx.out.line(&applied.message)?;
        for warning in plan.map(|(plan, _)| plan.warnings.as_slice()).unwrap_or_default() {
            cx.out.line(&format!("note: {warning}"))?;
        }
        for (path, from) in linked {
            cx.out.line(&format!("note: {path} is still linked from {}", texts(from).join(", ")))?;
        }
        for conflict in &applied.conflicts {
            cx.out.line(&format!("conflict: {}: {}", conflict.path, conflict.what))?;
        }
        if let Some(back) = back {
            let command = cx.command(back);
            cx.out.line(&format!("{back} with: {command}"))?;
        }
    }
    Ok(if applied.conflicts.is_empty() { Status::Fine } else { Status::Findings })
}
