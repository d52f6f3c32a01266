//! Delete, park and unpark, with the index following.

use crate::memory::index::ParkedLine;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::review::plan::{Plan, Refusal};

/// Removes memories and their index lines.
///
/// # Errors
/// When a memory is not in the store, or the index could not be edited safely.
pub fn delete(snapshot: &Snapshot, parked: &[ParkedLine], paths: &[RelPath]) -> Result<Plan, Refusal> {
    let _ = (snapshot, parked, paths);
    Err(Refusal { what: "not built yet".into(), hint: String::new() })
}

/// Takes memories out of the index and keeps their files.
///
/// # Errors
/// When none of them is in the index, or the index could not be edited safely.
pub fn park(snapshot: &Snapshot, parked: &[ParkedLine], paths: &[RelPath]) -> Result<Plan, Refusal> {
    delete(snapshot, parked, paths)
}

/// Puts parked memories back where they stood; one that was never in the index gets a line in the
/// index's own style.
///
/// # Errors
/// When all of them are in the index already, or the index could not be edited safely.
pub fn unpark(snapshot: &Snapshot, parked: &[ParkedLine], paths: &[RelPath]) -> Result<Plan, Refusal> {
    delete(snapshot, parked, paths)
}
