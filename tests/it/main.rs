//! Journeys and properties, one module a subject. One binary, so that linking is paid once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod agent_layout;
mod check_cli;
mod checks;
mod checks_kit;
mod checks_speed;
mod cli;
mod cli_change;
mod corpus;
mod crash;
mod crash_edit;
mod crash_writers;
mod demo;
mod edit;
mod edit_corpus;
mod edit_plans;
mod editing;
mod evidence;
mod evidence_hostile;
mod evidence_kit;
mod extract;
mod extract_pty;
mod home;
mod hook;
mod hook_extract;
mod hostile_store;
mod house;
mod inbox_cli;
mod inbox_crash;
mod inbox_histories;
mod inbox_kit;
mod inbox_review;
mod inbox_screen;
mod inbox_size;
mod index;
mod index_cli;
mod keys;
mod live;
mod locate;
mod memory_tool;
mod memory_tool_crash;
mod memory_tool_staged;
mod mentions_corpus;
mod moving;
mod moving_crash;
mod preview;
mod preview_imports;
mod preview_index;
mod preview_kit;
mod preview_layers;
mod preview_use;
mod prompt_screen;
mod properties;
mod prove;
mod pty;
mod recall;
mod recall_model;
mod recall_screen;
mod recall_speed;
mod screen_kit;
mod screens;
mod sheets;
mod similar;
mod stand_in;
mod store;
mod store_attrs;
mod store_corpus;
mod store_crowd;
mod store_damage;
mod store_kit;
mod store_purge;
mod store_undo;
mod surprises;
mod tool_kit;
mod transcript_kit;
mod transcripts;
mod usage_screen;
mod verify;
mod verify_agree;
mod walking;

/// Where the data is that developers share (`MEMCURATOR_SHARED`): real stores and what real clients loaded. It is
/// not part of the project; without it a test says that it skips.
pub fn shared() -> Option<std::path::PathBuf> {
    let shared =
        std::env::var_os("MEMCURATOR_SHARED").map(std::path::PathBuf::from).filter(|dir| dir.is_dir());
    if shared.is_none() {
        skipped("MEMCURATOR_SHARED names no directory");
    }
    shared
}

/// Says that a test skips, and why. (What the macros print is kept back when a test ends well.)
pub fn skipped(why: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}
