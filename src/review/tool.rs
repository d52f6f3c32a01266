//! The commands of the API's memory tool (`memory_20250818`), answered as the published SDK's own helper answers them.
//! Pure: [`Files`] is what they work on, a store's directory or what waits for approval.
//!
//! The texts are an interface that models were trained on, so they are the helper's own (package `anthropic` on PyPI,
//! version 2.14.0, measured by `scripts/memory-tool-peer.py`), which differ from the documentation page in places.

mod command;
mod path;
pub mod staging;
#[cfg(test)]
mod tests;

pub use command::Command;
pub use path::VirtualPath;

use command::{Insert, Rename, StrReplace, View};
use std::fmt::Write;

/// The most lines that a file may have to be shown (the helper's limit).
const MAX_LINES: usize = 999_999;

/// The most bytes that a file may have after a command. The client does not load a memory that is larger (4 MiB,
/// CLIENT_FACTS B5).
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// What the commands work on. Paths are components below the root; none is the root itself.
pub trait Files {
    /// What is at a path. Links are never followed.
    ///
    /// # Errors
    /// When the disk fails, or a link is on the way.
    fn find(&self, path: &VirtualPath) -> Result<Found, Fault>;

    /// The entries of a directory, in any order.
    ///
    /// # Errors
    /// When the disk fails.
    fn list(&self, path: &VirtualPath) -> Result<Vec<(String, Found)>, Fault>;

    /// A file's content.
    ///
    /// # Errors
    /// When the disk fails, or it is gone.
    fn read(&self, path: &VirtualPath) -> Result<Vec<u8>, Fault>;

    /// Makes a file that must not exist, and the directories above it.
    ///
    /// # Errors
    /// [`Fault::Exists`] when something is there, or the disk fails.
    fn create(&mut self, path: &VirtualPath, bytes: &[u8]) -> Result<(), Fault>;

    /// Replaces a file's content, which was read as `before`, whole or not at all.
    ///
    /// # Errors
    /// [`Fault::Changed`] when it is another by now, or the disk fails.
    fn replace(&mut self, path: &VirtualPath, before: &[u8], after: &[u8]) -> Result<(), Fault>;

    /// Removes a file, or a directory with all that is in it.
    ///
    /// # Errors
    /// [`Fault::Missing`] when nothing is there, or the disk fails.
    fn remove(&mut self, path: &VirtualPath) -> Result<(), Fault>;

    /// Renames a file or a directory to a path where nothing is, and makes the directories above it.
    ///
    /// # Errors
    /// [`Fault::Missing`], [`Fault::Exists`], or the disk fails.
    fn rename(&mut self, from: &VirtualPath, to: &VirtualPath) -> Result<(), Fault>;
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A file of so many bytes.
    File(u64),
    /// A directory, whose own entry has so many bytes.
    Directory(u64),
    /// A link, a pipe, a device: it is shown nowhere.
    Other,
}

/// Why something failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is there.
    Missing,
    /// Something is there already.
    Exists,
    /// Somebody else wrote it at the same moment; it was left as that one wrote it.
    Changed,
    /// A link is on the way.
    Link,
    /// Anything else, in words.
    Other(String),
}

/// The answer to one command: what the model is told, or what went wrong, in the helper's words where it has some.
pub type Answer = Result<String, String>;

/// Answers one command.
///
/// # Errors
/// What the model is told as an error; nothing was changed then (directories above a new name may have been made).
pub fn answer(files: &mut dyn Files, command: &Command) -> Answer {
    match command {
        Command::View(it) => view(files, it),
        Command::Create(it) => {
            let path = VirtualPath::parse(&it.path)?;
            fits(it.file_text.len(), &it.path)?;
            match files.create(&path, it.file_text.as_bytes()) {
                Ok(()) => Ok(format!("File created successfully at: {}", it.path)),
                Err(Fault::Exists) => Err(format!("File {} already exists", it.path)),
                Err(fault) => Err(words(fault, &it.path)),
            }
        }
        Command::StrReplace(it) => str_replace(files, it),
        Command::Insert(it) => insert(files, it),
        Command::Delete(it) => {
            let path = VirtualPath::parse(&it.path)?;
            if path.is_root() {
                return Err("Cannot delete the /memories directory itself".into());
            }
            match files.remove(&path) {
                Ok(()) => Ok(format!("Successfully deleted {}", it.path)),
                Err(Fault::Missing) => Err(format!("The path {} does not exist", it.path)),
                Err(fault) => Err(words(fault, &it.path)),
            }
        }
        Command::Rename(it) => rename(files, it),
    }
}

fn view(files: &dyn Files, it: &View) -> Answer {
    let path = VirtualPath::parse(&it.path)?;
    match files.find(&path).map_err(|fault| words(fault, &it.path))? {
        Found::Nothing => Err(missing(&it.path)),
        Found::Other => Err(format!("Unsupported file type for {}", it.path)),
        Found::Directory(size) => {
            let mut text = format!(
                "Here're the files and directories up to 2 levels deep in {}, excluding hidden items:\n{}\t{}",
                it.path,
                size_in_words(size),
                it.path
            );
            list(files, &path, &it.path, 1, &mut text);
            Ok(text)
        }
        Found::File(_) => {
            let text = read(files, &path, &it.path)?;
            let lines: Vec<&str> = text.split('\n').collect();
            if lines.len() > MAX_LINES {
                return Err(format!("File {} exceeds maximum line limit of 999,999 lines.", it.path));
            }
            let (start, end) = match it.view_range.as_deref() {
                Some(&[first, last]) => range(first, last, lines.len()),
                _ => (0, lines.len()),
            };
            let shown = lines.get(start..end).unwrap_or_default();
            let shown = shown.iter().enumerate().map(|(at, line)| numbered(start + at + 1, line));
            let shown: Vec<String> = shown.collect();
            Ok(format!("Here's the content of {} with line numbers:\n{}", it.path, shown.join("\n")))
        }
    }
}

/// The lines `first..=last` (from 1; -1: to the end; other negative numbers count from the end) as the helper's
/// language cuts a list.
fn range(first: i64, last: i64, len: usize) -> (usize, usize) {
    let start = usize::try_from(first.max(1) - 1).unwrap_or(usize::MAX);
    let end = match last {
        -1 => len,
        last if last < 0 => len.saturating_sub(usize::try_from(last.unsigned_abs()).unwrap_or(usize::MAX)),
        last => usize::try_from(last).unwrap_or(usize::MAX).min(len),
    };
    (start.min(end), end)
}

/// Adds the lines of a directory's listing, two levels deep. What can't be read is left out, as the helper does.
fn list(files: &dyn Files, path: &VirtualPath, shown: &str, depth: usize, text: &mut String) {
    let Ok(mut entries) = files.list(path) else { return };
    entries.retain(|(name, _)| !name.starts_with('.'));
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (name, found) in entries {
        let shown = format!("{shown}/{name}");
        // Writing into a text can't fail.
        let _ = match found {
            Found::File(size) => write!(text, "\n{}\t{shown}", size_in_words(size)),
            Found::Directory(size) => write!(text, "\n{}\t{shown}/", size_in_words(size)),
            Found::Nothing | Found::Other => continue,
        };
        if depth < 2 && matches!(found, Found::Directory(_)) {
            list(files, &path.join(&name), &shown, depth + 1, text);
        }
    }
}

fn str_replace(files: &mut dyn Files, it: &StrReplace) -> Answer {
    let path = VirtualPath::parse(&it.path)?;
    let text = file(files, &path, &it.path)?;
    let Some(at) = text.find(&it.old_str) else {
        return Err(format!(
            "No replacement was performed, old_str `{}` did not appear verbatim in {}.",
            it.old_str, it.path
        ));
    };
    if text.matches(&it.old_str).nth(1).is_some() {
        let lines: Vec<String> = everywhere(&text, &it.old_str).map(|line| line.to_string()).collect();
        return Err(format!(
            "No replacement was performed. Multiple occurrences of old_str `{}` in lines: {}. Please ensure it is unique",
            it.old_str,
            lines.join(", ")
        ));
    }
    let changed = text.replacen(&it.old_str, &it.new_str, 1);
    fits(changed.len(), &it.path)?;
    write(files, &path, &it.path, &text, &changed)?;
    let before = text.as_bytes().get(..at).unwrap_or_default();
    let line = memchr::memchr_iter(b'\n', before).count();
    let lines: Vec<&str> = changed.split('\n').collect();
    let start = line.saturating_sub(2);
    let shown = lines.get(start..(line + 3).min(lines.len())).unwrap_or_default();
    let shown: Vec<String> =
        shown.iter().enumerate().map(|(at, line)| numbered(start + at + 1, line)).collect();
    Ok(format!(
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{}",
        shown.join("\n")
    ))
}

/// The lines (from 1) at which `part` begins, places that overlap too.
fn everywhere<'a>(text: &'a str, part: &'a str) -> impl Iterator<Item = usize> + 'a {
    let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let here = starts.filter(move |at| text.get(*at..).is_some_and(|rest| rest.starts_with(part)));
    here.map(move |at| 1 + memchr::memchr_iter(b'\n', text.as_bytes().get(..at).unwrap_or_default()).count())
}

fn insert(files: &mut dyn Files, it: &Insert) -> Answer {
    let path = VirtualPath::parse(&it.path)?;
    let text = file(files, &path, &it.path)?;
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    let at = usize::try_from(it.insert_line).ok().filter(|at| *at <= lines.len());
    let Some(at) = at else {
        return Err(format!(
            "Invalid `insert_line` parameter: {}. It should be within the range [0, {}].",
            it.insert_line,
            lines.len()
        ));
    };
    lines.insert(at, it.insert_text.trim_end_matches('\n'));
    let mut changed = lines.join("\n");
    if !changed.ends_with('\n') {
        changed.push('\n');
    }
    fits(changed.len(), &it.path)?;
    write(files, &path, &it.path, &text, &changed)?;
    Ok(format!("The file {} has been edited.", it.path))
}

fn rename(files: &mut dyn Files, it: &Rename) -> Answer {
    let (from, to) = (VirtualPath::parse(&it.old_path)?, VirtualPath::parse(&it.new_path)?);
    if from.is_root() {
        return Err("Cannot rename the /memories directory itself".into());
    }
    let taken = || format!("The destination {} already exists", it.new_path);
    if to.is_root() {
        return Err(taken());
    }
    match files.rename(&from, &to) {
        Ok(()) => Ok(format!("Successfully renamed {} to {}", it.old_path, it.new_path)),
        Err(Fault::Exists) => Err(taken()),
        Err(Fault::Missing) => Err(format!("The path {} does not exist", it.old_path)),
        Err(fault) => Err(words(fault, &it.old_path)),
    }
}

/// The text of a file that is to be changed.
fn file(files: &dyn Files, path: &VirtualPath, shown: &str) -> Answer {
    match files.find(path).map_err(|fault| words(fault, shown))? {
        Found::Nothing => Err(missing(shown)),
        Found::File(_) => read(files, path, shown),
        Found::Directory(_) | Found::Other => Err(format!("The path {shown} is not a file.")),
    }
}

fn read(files: &dyn Files, path: &VirtualPath, shown: &str) -> Answer {
    let bytes = match files.read(path) {
        Ok(bytes) => bytes,
        Err(Fault::Missing) => {
            return Err(format!(
                "The file {shown} no longer exists (may have been deleted or renamed concurrently)."
            ));
        }
        Err(fault) => return Err(words(fault, shown)),
    };
    String::from_utf8(bytes)
        .map_err(|_| format!("The file {shown} is not UTF-8 text; a person has to repair it."))
}

fn write(
    files: &mut dyn Files,
    path: &VirtualPath,
    shown: &str,
    before: &str,
    after: &str,
) -> Result<(), String> {
    files.replace(path, before.as_bytes(), after.as_bytes()).map_err(|fault| words(fault, shown))
}

fn fits(bytes: usize, shown: &str) -> Result<(), String> {
    if bytes <= MAX_BYTES {
        return Ok(());
    }
    Err(format!("The file {shown} would have {bytes} bytes; the limit is {MAX_BYTES}. Nothing was changed."))
}

fn missing(shown: &str) -> String {
    format!("The path {shown} does not exist. Please provide a valid path.")
}

fn words(fault: Fault, shown: &str) -> String {
    match fault {
        Fault::Missing => missing(shown),
        Fault::Exists => format!("The path {shown} already exists"),
        Fault::Changed => {
            format!(
                "The file {shown} was changed by someone else at the same moment. Nothing was changed; view it again."
            )
        }
        Fault::Link => "Path would escape /memories directory via symlink".into(),
        Fault::Other(what) => format!("{shown}: {what}. Nothing was changed."),
    }
}

fn numbered(number: usize, line: &str) -> String {
    format!("{number:>6}\t{line}")
}

/// A size as the helper writes it: `0B`, `512B`, `1.5K`, `4K`.
fn size_in_words(bytes: u64) -> String {
    let unit = (bytes.checked_ilog2().unwrap_or(0) / 10).min(3);
    let name = ["B", "K", "M", "G"].get(unit as usize).copied().unwrap_or_default();
    let whole = 1_u64 << (10 * unit);
    if bytes.is_multiple_of(whole) {
        return format!("{}{name}", bytes / whole);
    }
    // Sizes of files are far below the numbers that lose their last digit so.
    #[allow(clippy::cast_precision_loss)]
    let size = bytes as f64 / whole as f64;
    format!("{size:.1}{name}")
}
