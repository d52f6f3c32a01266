//! Planned changes: what a person decides, as changes of files that are not made yet. Pure.

pub mod affirm;
pub mod edit;
mod index_file;
pub mod lines;
pub mod plan;
pub mod prune;
mod warn;
