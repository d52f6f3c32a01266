//! The memcurator program: parse arguments, run, print an error with a hint, exit status.

use clap::Parser;
use memcurator::cli::preview::{PreviewArgs, Surroundings, preview, write_human, write_json};
use std::io::Write;

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Preview {
        #[command(flatten)]
        args: PreviewArgs,
        #[arg(long, default_value = "human")]
        format: String,
    },
}

fn main() -> Result<(), String> {
    let Command::Preview { args, format } = Cli::parse().command;
    let env = memcurator::client::surroundings::environment()?;
    let port = memcurator::client::disk::DiskPort;
    let around = Surroundings {
        port: &port,
        env: &env,
        now: chrono::Utc::now(),
        managed_settings: None,
        managed: None,
    };
    let preview = preview(&args, &around)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let done =
        if format == "json" { write_json(&preview, &mut out) } else { write_human(&preview, &mut out) };
    done.and_then(|()| out.flush()).map_err(|error| error.to_string())
}
