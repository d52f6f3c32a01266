//! Planned changes: what a person decides, as changes of files that are not made yet. Pure.

pub mod lines;
pub mod plan;
pub mod prune;
