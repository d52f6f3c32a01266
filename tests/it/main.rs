//! Journeys and properties, one module a subject. One binary, so that linking is paid once.
// Tests may panic: that is how they fail (clippy.toml covers only functions marked as tests).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::string_slice)]

mod corpus;
mod house;
mod index;
mod keys;
mod locate;
mod preview;
mod preview_imports;
mod preview_index;
mod preview_kit;
mod preview_layers;
mod preview_use;
mod properties;
mod screen_kit;
mod screens;

use std::path::PathBuf;

/// Where the data is that developers share (`MEMCURATOR_SHARED`): real stores and what real clients loaded. It is
/// not part of the project; without it a test says that it skips.
pub fn shared() -> Option<PathBuf> {
    let shared = std::env::var_os("MEMCURATOR_SHARED").map(PathBuf::from).filter(|dir| dir.is_dir());
    if shared.is_none() {
        eprintln!("skipped: MEMCURATOR_SHARED names no directory");
    }
    shared
}
