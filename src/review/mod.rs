//! Planned changes: what a person decides, as changes of files that are not made yet. Pure.

pub mod affirm;
pub mod approve;
pub mod changes;
pub mod conflict;
pub mod draft;
pub mod edit;
pub mod fix;
pub mod gate;
pub mod hunks;
pub(crate) mod index_file;
pub mod index_fix;
pub mod index_state;
pub mod init;
mod likeness;
pub mod lines;
pub mod merge;
pub mod moving;
pub mod new;
pub mod plan;
pub mod promote;
pub mod proposal;
pub mod prune;
mod relink;
pub mod rename;
pub mod stamp;
pub mod tool;
mod warn;
