//! `memcurator memory-tool`: answers the API's memory tool, a JSON object a line in, one out.

use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::review::tool::{self, Command, Files};
use crate::store::{StagedFiles, ToolFiles};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read};

/// The longest line that is read, in bytes: a file of the largest size, with every byte escaped, is shorter.
const MAX_LINE: u64 = 32 * 1024 * 1024;

/// Answers commands until standard input ends. With `stage` what they write waits for a person's yes.
///
/// # Errors
/// When the store can't be opened, or standard input or output fails.
pub fn run(cx: &mut Context<'_>, stage: bool) -> Result<Status, Failure> {
    let Some(dir) = cx.common.store.clone() else {
        return Err(Failure::broken(
            "no store was named; nothing was done",
            "name the directory that is to be /memories: memcurator memory-tool --store DIR",
        ));
    };
    let mut files: Box<dyn Files> = match stage {
        true => Box::new(StagedFiles::open(&dir, &cx.places, chrono::Utc::now)?),
        false => Box::new(ToolFiles::open(&dir, &cx.places, chrono::Utc::now)?),
    };
    let mut input = io::stdin().lock();
    while let Some(line) = line(&mut input)? {
        let answer = match line {
            Line::Blank => continue,
            Line::TooLong => Err(format!("A line of more than {MAX_LINE} bytes is no command.")),
            Line::Text(text) => serde_json::from_slice::<Value>(&text)
                .map_err(|error| format!("The line is not JSON: {error}"))
                .and_then(|value| Command::read(&value))
                .and_then(|command| tool::answer(&mut *files, &command)),
        };
        let (content, is_error) = match answer {
            Ok(content) => (content, false),
            Err(content) => (content, true),
        };
        // One line each, whatever the format for people would be: whoever asks is a program.
        writeln!(cx.out.raw(), "{}", json!({ "content": content, "is_error": is_error }))?;
        cx.out.raw().flush()?;
    }
    Ok(Status::Fine)
}

enum Line {
    Blank,
    TooLong,
    Text(Vec<u8>),
}

/// The next line, without more of it in memory than a command may have; `None` at the end.
fn line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut text = Vec::new();
    if input.take(MAX_LINE).read_until(b'\n', &mut text)? == 0 {
        return Ok(None);
    }
    if text.last() != Some(&b'\n') && text.len() as u64 >= MAX_LINE {
        input.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    let is_blank = text.trim_ascii().is_empty();
    Ok(Some(if is_blank { Line::Blank } else { Line::Text(text) }))
}
