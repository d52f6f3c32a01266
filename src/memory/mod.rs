//! One memory and the index as text. Pure: no disk, no clock, no environment, no terminal.
//!
//! Parsing never fails: it returns what could be read and the faults found on the way.

pub mod age;
pub mod body;
pub mod dates;
pub mod diff;
pub mod document;
pub mod edit;
pub mod extended;
mod frontmatter;
pub mod index;
pub mod lines;
pub mod links;
pub mod mentions;
pub mod path;
pub(crate) mod pattern;
pub mod placeholder;
pub mod snapshot;
pub mod target;
pub mod terms;
pub mod text;
pub mod when;

/// A point in time. File times keep their nanoseconds.
pub type Time = chrono::DateTime<chrono::Utc>;
