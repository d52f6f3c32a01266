//! memcurator: review and curate what a coding agent remembers.
//!
//! The map of the house (imports go down only, a test holds it):
//!
//! ```text
//! main            parse arguments, run, print an error with a hint, exit status
//! cli   shell     subcommands without screens / terminal, event loop, workers
//! demo  config    a world of its own to look around in / the person's configuration file
//! ui              view(&Model, &Theme, &mut Frame): reads the model only
//! app             Model, Action, update, keymap, effects: no frame, no disk, no clock
//! store  client   the disk (the only writer of memories) / what the agent client keeps
//! evidence        a project and its history, read only: what checks hold memories against
//! review          PURE: planned changes (delete, park, …) and merges of lines
//! check  prompt   PURE: findings with evidence / what a session loads
//! memory          PURE: one memory and the index as text
//! ```

pub mod app;
pub mod check;
pub mod cli;
pub mod client;
pub mod config;
pub mod demo;
pub mod evidence;
pub mod memory;
pub mod prompt;
pub mod review;
pub mod shell;
pub mod store;
pub mod ui;
