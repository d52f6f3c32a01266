//! The memcurator program: parse arguments, run, print an error with a hint, exit status.

fn main() {}
