//! Journeys and properties, one module a subject. One binary, so that linking is paid once.
// Tests may panic: that is how they fail (clippy.toml covers only functions marked as tests).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::print_stderr, clippy::string_slice)]

mod crash;
mod hostile_store;
mod store;
mod store_kit;
mod store_purge;
