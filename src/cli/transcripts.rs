//! What the commands about transcripts have in common.

use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::client::disk::DiskPort;
use crate::client::transcript::Transcript;
use crate::prompt::port::{Kind, Port};
use std::path::Path;

/// The transcript in the file that was named.
///
/// # Errors
/// When there is no such file.
pub fn named(cx: &Context<'_>, file: &Path) -> Result<Transcript, Failure> {
    let path = cx.env.cwd.join(file);
    Transcript::at(&path).map_err(|error| {
        let what = match DiskPort.kind(&path) {
            Some(Kind::Dir) => "it is a directory".to_owned(),
            _ => error.to_string(),
        };
        Failure::broken(
            format!("the transcript {} can't be read: {what}; nothing was done", path.display()),
            "name a session's .jsonl file, or leave --transcript out for the latest of this project",
        )
    })
}
