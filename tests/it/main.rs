//! Journeys and properties, one module a subject. One binary, so that linking is paid once.

// Tests may panic: that is how they fail (clippy.toml covers only functions marked as tests).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr
)]

mod corpus;
mod edit;
mod edit_corpus;
mod edit_plans;
mod house;
mod index;
mod properties;
