//! Journeys and properties, one module a subject. One binary, so that linking is paid once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod edit;
mod edit_corpus;
mod house;
