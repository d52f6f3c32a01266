//! `memcurator init`: makes what a store needs and does not have: in a project the layout `agent`, of any other store the
//! index.

use crate::cli::args::Init;
use crate::cli::context::{Context, shell_word};
use crate::cli::failure::{Failure, Status};
use crate::client::disk::DiskPort;
use crate::memory::snapshot::Snapshot;
use crate::prompt::agent_layout;
use crate::prompt::locate::{client_store_as, find};
use crate::prompt::port::{Environment, Kind, Port};
use crate::review::init::{Beside, plan};
use crate::review::plan::Plan;
use crate::store::{Applied, Store, make_directory, outside};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What a new `AGENT.md` says.
const AGENT_MD: &str = include_str!("../../assets/init/AGENT.md");

/// One path of the layout.
struct Piece {
    /// As it is told.
    shown: String,
    /// It is there already.
    is_there: bool,
}

/// Makes what is missing.
///
/// # Errors
/// When a part of it is something else (a file, a link), or can't be written.
pub fn run(cx: &mut Context<'_>, asked: &Init) -> Result<Status, Failure> {
    match cx.common.store.clone() {
        Some(dir) => index_of(cx, &dir, asked.dry_run),
        None => project(cx, asked.dry_run),
    }
}

/// The index of a store.
fn index_of(cx: &mut Context<'_>, dir: &Path, dry_run: bool) -> Result<Status, Failure> {
    let dir = find::store(&DiskPort, &cx.env, dir)?.dir;
    let store = if dry_run { Store::look(&dir, &cx.places)? } else { Store::open(&dir, &cx.places)? };
    let snapshot = store.scan(&|_| {})?;
    let plan = plan(&snapshot, &store.parked()?, cx.now(), &[])?;
    let pieces = vec![Piece { shown: "MEMORY.md".into(), is_there: plan.is_none() }];
    let applied = match &plan {
        Some(plan) if !dry_run => Some(store.apply(plan, cx.now())?),
        _ => None,
    };
    report(
        cx,
        &Told { store: &dir, project: None, pieces, plan: plan.as_ref(), applied, other: None, dry_run },
    )
}

/// The layout `agent` in a project.
fn project(cx: &mut Context<'_>, dry_run: bool) -> Result<Status, Failure> {
    let named = cx.env.cwd.join(cx.common.project.as_deref().unwrap_or(Path::new(".")));
    if DiskPort.kind(&named) != Some(Kind::Dir) {
        let what = format!("there is no directory {}; nothing was made", named.display());
        return Err(Failure::broken(what, "give the project's directory"));
    }
    let named = DiskPort.real(&named).unwrap_or(named);
    let root = agent_layout::project(&DiskPort, &named);
    let home = root.join(".agent");
    let (memory, rules, pending) = (home.join("memory"), home.join("rules"), home.join("pending"));
    for dir in [&home, &memory, &rules, &pending] {
        must_be_a_directory(dir)?;
    }
    let mut beside = Vec::new();
    let mut pieces = Vec::new();
    // It may lie in either place.
    let page = [root.join("AGENT.md"), home.join("AGENT.md")].into_iter().find(|path| is_entry(path));
    if page.is_none() {
        beside.push((root.join("AGENT.md"), AGENT_MD));
    }
    let shown = |path: &Path| path.strip_prefix(&root).unwrap_or(path).to_string_lossy().into_owned();
    let path = page.clone().unwrap_or_else(|| root.join("AGENT.md"));
    pieces.push(Piece { shown: shown(&path), is_there: page.is_some() });
    for dir in [&rules, &pending] {
        let is_there = is_entry(dir);
        if !is_there {
            // Git keeps no empty directory.
            beside.push((dir.join(".gitkeep"), ""));
        }
        pieces.push(Piece { shown: format!("{}/", shown(dir)), is_there });
    }
    let beside = beside
        .into_iter()
        .map(|(path, text)| match dry_run {
            true => Ok(Beside { path, text }),
            false => Ok(Beside { path: outside(&root, &path)?.0, text }),
        })
        .collect::<Result<Vec<_>, Failure>>()?;
    let (store, snapshot) = match (is_entry(&memory), dry_run) {
        (false, true) => (None, Snapshot { root: memory.clone(), ..Snapshot::default() }),
        (is_there, _) => {
            if !is_there {
                make_directory(&root, Path::new(".agent/memory"))?;
            }
            let store =
                if dry_run { Store::look(&memory, &cx.places)? } else { Store::open(&memory, &cx.places)? };
            let snapshot = store.scan(&|_| {})?;
            (Some(store), snapshot)
        }
    };
    let parked = store.as_ref().map(Store::parked).transpose()?.unwrap_or_default();
    let plan = plan(&snapshot, &parked, cx.now(), &beside)?;
    let has_index = plan.as_ref().is_none_or(|plan| plan.changes.is_empty());
    pieces.insert(1, Piece { shown: ".agent/memory/MEMORY.md".into(), is_there: has_index });
    let applied = match (&store, &plan) {
        (Some(store), Some(plan)) if !dry_run => Some(store.apply(plan, cx.now())?),
        _ => None,
    };
    let there = Environment { cwd: root.clone(), ..cx.env.clone() };
    let client = client_store_as(&DiskPort, &there, &cx.launch).dir;
    let other = (DiskPort.kind(&client) == Some(Kind::Dir)).then_some(client);
    let plan = plan.as_ref();
    report(cx, &Told { store: &memory, project: Some(&root), pieces, plan, applied, other, dry_run })
}

/// Whether something has this name, be it a link that leads nowhere.
fn is_entry(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// An error when a directory of the layout is something else. A link is never made anything behind.
fn must_be_a_directory(dir: &Path) -> Result<(), Failure> {
    let found = match dir.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => Err(format!("can't be looked at: {error}")),
        Ok(meta) if meta.is_dir() => match std::fs::read_dir(dir) {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("can't be read: {error}")),
        },
        Ok(meta) if meta.is_symlink() => Err("is a link, through which nothing is made".into()),
        Ok(_) => Err("is a file, not a directory".into()),
    };
    found.map_err(|why: String| {
        let why = why.split(" (os error").next().unwrap_or_default().to_owned();
        Failure::broken(
            format!("{} {why}; nothing was made", dir.display()),
            "make it a directory, or move it out of the way",
        )
    })
}

/// What is to be told.
struct Told<'a> {
    store: &'a Path,
    project: Option<&'a Path>,
    pieces: Vec<Piece>,
    plan: Option<&'a Plan>,
    applied: Option<Applied>,
    /// The client's store of the project, which is opened first.
    other: Option<PathBuf>,
    dry_run: bool,
}

fn report(cx: &mut Context<'_>, told: &Told<'_>) -> Result<Status, Failure> {
    let warnings = told.plan.map(|plan| plan.warnings.clone()).unwrap_or_default();
    let conflicts = told.applied.iter().flat_map(|applied| &applied.conflicts);
    let conflicts: Vec<String> = conflicts.map(|one| format!("{}: {}", one.path, one.what)).collect();
    let word = |piece: &Piece| match (piece.is_there, told.dry_run) {
        (true, _) => "was there",
        (false, true) => "would make",
        (false, false) => "made",
    };
    let value = || {
        let path = |piece: &Piece| json!({ "path": piece.shown, "result": word(piece) });
        json!({
            "store": told.store.to_string_lossy(),
            "project": told.project.map(|dir| dir.to_string_lossy()),
            "paths": told.pieces.iter().map(path).collect::<Vec<Value>>(),
            "done": told.applied.as_ref().map(|applied| applied.message.clone()),
            "id": told.applied.as_ref().map(|applied| applied.id.clone()),
            "warnings": warnings,
            "conflicts": conflicts,
            "opened_first": told.other.as_ref().map(|dir| dir.to_string_lossy()),
        })
    };
    if !cx.json(value)? {
        let rows: Vec<[String; 2]> =
            told.pieces.iter().map(|piece| [word(piece).into(), piece.shown.clone()]).collect();
        cx.out.table(&rows)?;
        for warning in &warnings {
            cx.out.line(&format!("note: {warning}"))?;
        }
        for conflict in &conflicts {
            cx.out.line(&format!("conflict: {conflict}"))?;
        }
        let store = shell_word(&told.store.to_string_lossy());
        match (&told.applied, told.dry_run) {
            (Some(_), _) => cx.out.line(&format!("undo with: memcurator undo --store {store}"))?,
            (None, true) if told.plan.is_some() => cx.out.line("nothing was written")?,
            (None, _) => cx.out.line("everything is there; nothing was written")?,
        }
        if let Some(other) = &told.other {
            let other = other.display();
            cx.out.line(&format!(
                "note: the client has a store for this project, {other}, which is opened first"
            ))?;
            cx.out.line(&format!("open this one with: memcurator --store {store}"))?;
        }
    }
    Ok(if conflicts.is_empty() { Status::Fine } else { Status::Findings })
}
