//! Planned changes: what a person decides, as changes of files that are not made yet. Pure.

mod index_file;
pub mod lines;
pub mod plan;
pub mod prune;
mod warn;
