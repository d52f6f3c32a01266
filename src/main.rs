//! The memcurator program: parse arguments, run, print an error with a hint, exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    memcurator::cli::main(std::env::args_os())
}
