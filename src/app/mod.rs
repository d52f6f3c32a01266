//! What the screens know and do: model, actions, `update`, keymap and effects. No frame, no disk, no clock.
//!
//! ```text
//! Key → keymap → Command → update(&mut Model, Action) → Vec<Effect> → worker → Outcome → Action
//! ```

pub mod action;
pub mod board;
pub mod commands;
pub mod contents;
pub mod deep;
pub mod docs;
pub mod editor;
pub mod field;
pub mod help;
pub mod inbox;
pub mod key;
pub mod keymap;
pub mod layout;
pub mod list;
pub mod model;
pub mod moving;
pub mod order;
pub mod preview;
pub mod query;
pub mod recall;
pub mod sheet;
#[cfg(test)]
pub(crate) mod testing;
pub mod update;
pub mod verify;
pub mod walk;
pub mod work;
