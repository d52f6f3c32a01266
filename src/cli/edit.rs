//! `memcurator edit`: fields and parts of one memory, in one step.

use crate::cli::args::change::{Edit, Kind};
use crate::cli::change::Scene;
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::memory::body::PartKind;
use crate::memory::document::Document;
use crate::memory::edit::{self, PartRef, Place, Refused};
use crate::memory::extended::{self, Key};
use crate::review::edit as plan;

/// Carries out the edits.
///
/// # Errors
/// When one of them can't be made without anything else changing: then none is.
pub fn run(cx: &mut Context<'_>, asked: &Edit) -> Result<Status, Failure> {
    let scene = Scene::new(cx)?;
    let path = scene.memory(cx, &asked.file)?;
    let memory = scene.snapshot.memories.iter().find(|memory| memory.path == path);
    let before = memory.map(|memory| memory.bytes.to_vec()).unwrap_or_default();
    let refuse = |what: &str, why: &Refused| {
        Failure::refused(format!("{path}: {what}: {why}; nothing was changed"), "edit the file in an editor")
    };
    let mut bytes = before.clone();
    for (key, value) in &asked.set {
        let (place, key) = field(&bytes, key);
        extended::allowed(&key, value).map_err(|why| {
            Failure::refused(format!("{path}: {key}: {why}; nothing was changed"), "give another value")
        })?;
        bytes = edit::set_field(&bytes, place, &key, value).map_err(|why| refuse(&key, &why))?;
    }
    for key in &asked.unset {
        let (place, key) = field(&bytes, key);
        bytes = edit::remove_field(&bytes, place, &key).map_err(|why| refuse(&key, &why))?;
    }
    for (name, text) in &asked.body_part {
        let part = part(name)?;
        let is_there = edit::part_texts(&bytes).iter().any(|(other, _)| *other == part);
        let changed = if is_there || part.number > 0 {
            edit::set_part(&bytes, part, text)
        } else {
            edit::add_part(&bytes, part.kind, text)
        };
        bytes = changed.map_err(|why| refuse(name, &why))?;
    }
    let kind = match asked.kind {
        Some(Kind::Substance) => plan::Kind::Substance,
        Some(Kind::Correction) => plan::Kind::Correction,
        None => plan::default_kind(&before, &bytes),
    };
    let plan = plan::plan(&scene.snapshot, &path, &bytes, kind, cx.now())?;
    scene.carry_out(cx, &plan, &[path])
}

/// Where a key of the command line is meant to stand.
fn field(bytes: &[u8], key: &str) -> (Place, String) {
    // `expires` is meant for the `expiresAt` that is there; a second one beside it would say something else.
    let document = Document::parse(bytes);
    let same = |written: &str| Key::of(key).is_some_and(|known| Key::of(written) == Some(known));
    let there = document.header.others.iter().map(|(written, _)| &**written).find(|written| same(written));
    match there.unwrap_or(key).split_once('.') {
        Some(("metadata", key)) => (Place::Metadata, key.to_owned()),
        _ => (edit::place_of(bytes, there.unwrap_or(key)), there.unwrap_or(key).to_owned()),
    }
}

fn part(name: &str) -> Result<PartRef, Failure> {
    let unknown = || {
        Failure::refused(
            format!("a body has no part `{name}`; nothing was changed"),
            "there are fact, why and how (why.2 is the second one)",
        )
    };
    let (word, number) = match name.split_once('.') {
        Some((word, number)) => (word, number.parse::<usize>().ok().and_then(|n| n.checked_sub(1))),
        None => (name, Some(0)),
    };
    let kind = match word {
        "fact" => PartKind::Fact,
        "why" => PartKind::Why,
        "how" => PartKind::How,
        _ => return Err(unknown()),
    };
    Ok(PartRef { kind, number: number.ok_or_else(unknown)? })
}
