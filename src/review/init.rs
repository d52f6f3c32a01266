//! Laying out what a store needs that is not there yet: its index, and in a project the files of the layout `agent`. What
//! is there is never changed.

use crate::memory::Time;
use crate::memory::index::ParkedLine;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::review::index_file::IndexTarget;
use crate::review::index_fix::{self, Fix};
use crate::review::plan::{Content, FileState, OutsideChange, Plan, Refusal, Verb};
use std::path::PathBuf;

/// An index without entries.
const EMPTY_INDEX: &str = "# Memories\n";

/// A file of a project that the layout has besides the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beside {
    /// Its real path.
    pub path: PathBuf,
    /// What it holds when it is made.
    pub text: &'static str,
}

/// Plans the index of a store, when it has none, and these files, which are not there; `None`: there is nothing to make.
/// The index names every memory that one of a rebuilt index would.
///
/// # Errors
/// When the index is there and can't be read, or no index can be made of the memories.
pub fn plan(
    snapshot: &Snapshot,
    parked: &[ParkedLine],
    now: Time,
    beside: &[Beside],
) -> Result<Option<Plan>, Refusal> {
    let mut warnings = Vec::new();
    let mut changes = Vec::new();
    let mut steps = Vec::new();
    if IndexTarget::of(snapshot)?.is_none() {
        let fixed = index_fix::fix(snapshot, parked, now, &[Fix::Rebuild])?;
        match fixed.plan {
            Some(plan) => {
                changes.extend(plan.changes);
                warnings.extend(plan.warnings);
            }
            None => changes.extend(IndexTarget::missing(None).change(EMPTY_INDEX.into())),
        }
        if !beside.is_empty() || snapshot.memories.is_empty() {
            // In a project it is for everybody who works there, as what is beside it.
            changes
                .iter_mut()
                .filter_map(|change| change.after.as_mut())
                .for_each(|after| after.mode = 0o644);
        }
        steps.push(RelPath::index().to_string());
    }
    let file = |one: &Beside| FileState {
        content: Content::File(one.text.as_bytes().into()),
        mode: 0o644,
        mtime: None,
    };
    let outside: Vec<OutsideChange> = beside
        .iter()
        .map(|one| OutsideChange { path: one.path.clone(), before: None, after: file(one) })
        .collect();
    steps.extend(beside.iter().map(|one| match one.path.file_name() {
        Some(name) if name == ".gitkeep" => {
            let dir = one.path.parent().and_then(|dir| dir.file_name()).unwrap_or_default();
            format!("{}/", dir.to_string_lossy())
        }
        name => name.unwrap_or_default().to_string_lossy().into_owned(),
    }));
    if steps.is_empty() {
        return Ok(None);
    }
    let message = format!("laid out: {}", steps.join(", "));
    Ok(Some(Plan { verb: Verb::Index, message, changes, outside, parked: None, warnings }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::rename::tests::{file, store};

    fn made(snapshot: &Snapshot, beside: &[Beside]) -> Option<Plan> {
        plan(snapshot, &[], "2026-03-05T10:00:00Z".parse().unwrap(), beside).unwrap()
    }

    #[test]
    fn only_what_is_missing_is_made() {
        let text = "---\nname: A\ndescription: about a\ntype: user\n---\nA.\n";
        let readme = Beside { path: "/p/AGENT.md".into(), text: "x" };
        let keep = Beside { path: "/p/.agent/rules/.gitkeep".into(), text: "" };
        let full = store(&[("a.md", text), ("MEMORY.md", "- [A](a.md)\n")]);
        assert_eq!(made(&full, &[]), None);
        let plan = made(&full, &[readme, keep]).unwrap();
        assert_eq!(
            (plan.message.as_str(), plan.changes.len(), plan.outside.len()),
            ("laid out: AGENT.md, rules/", 0, 2)
        );
        let without = store(&[("a.md", text)]);
        let plan = made(&without, &[]).unwrap();
        assert_eq!(file(&without, &plan, "MEMORY.md"), "# Memories\n\n## user\n\n- [A](a.md) — about a\n");
        let empty = store(&[]);
        let plan = made(&empty, &[]).unwrap();
        assert_eq!(file(&empty, &plan, "MEMORY.md"), EMPTY_INDEX);
    }
}
