//! What waits in the demo's Inbox: what an agent changed since a review, and what it proposes.

use crate::demo::assets;
use crate::demo::manifest::Manifest;
use crate::memory::Time;
use crate::review::proposal::Origin;
use crate::review::proposal::intake::Intake;
use crate::store::{Places, Start, Store};
use anyhow::{Context, Result, anyhow};
use chrono::TimeDelta;
use std::path::Path;

/// The store was reviewed so many days before the demo's now.
const REVIEWED: i64 = 6;
/// The memory that is deleted since.
const DELETED: &str = "old-release-steps.md";

/// Makes the store as it was when it was reviewed; what is different now is still to be written over it.
pub(super) fn reviewed(dir: &Path, places: &Places, manifest: &Manifest) -> Result<()> {
    let then = manifest.now()? - TimeDelta::days(REVIEWED);
    let before =
        |path: &str| assets::below("before").find(|(other, _)| *other == path).map(|(_, bytes)| bytes);
    for (path, bytes) in assets::below("memory") {
        let changed = manifest.changed(path)?;
        let changed = if before(path).is_some() { then } else { changed };
        super::write(&dir.join(path), before(path).unwrap_or(bytes), changed, 0o644)?;
    }
    let deleted = before(DELETED).context("no asset of the deleted memory")?;
    super::write(&dir.join(DELETED), deleted, then - TimeDelta::days(100), 0o644)?;
    open(dir, places)?.start_review(Start::AsItIs, then).map_err(|error| anyhow!(error.what))?;
    Ok(std::fs::remove_file(dir.join(DELETED))?)
}

/// Puts the proposals into the queue.
pub(super) fn propose(dir: &Path, places: &Places, now: Time) -> Result<()> {
    let text = assets::below("proposed").next().context("no proposals")?.1;
    let store = open(dir, places)?;
    let snapshot = store.scan(&|_| {}).map_err(|error| anyhow!(error.what))?;
    let origin = Origin { kind: "extract".into(), ..Origin::default() };
    let made = Intake::new(&snapshot, &[], &origin, now)
        .read(std::str::from_utf8(text)?)
        .map_err(|fault| anyhow!("{fault:?}"))?;
    store.queue().add(&made, now).map_err(|error| anyhow!(error.what))?;
    Ok(())
}

fn open(dir: &Path, places: &Places) -> Result<Store> {
    Store::open(dir, places).map_err(|error| anyhow!(error.what))
}
