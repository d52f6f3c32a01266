//! Journeys and properties, one module a subject. One binary, so that linking is paid once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod cli;
mod corpus;
mod crash;
mod demo;
mod home;
mod hostile_store;
mod house;
mod index;
mod keys;
mod locate;
mod properties;
mod pty;
mod screen_kit;
mod screens;
mod store;
mod store_kit;
mod store_purge;
