//! The index that 2.1.332 writes by itself at the start of a session where there is none (CLIENT_FACTS B7). Here it
//! is only made as text; nothing is written.

use crate::prompt::frontmatter;
use crate::prompt::port::{Kind, Port};
use crate::prompt::text::is_blank;
use crate::prompt::versions::Rules;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The most lines of an index that the client writes (70 % of what loads).
const MAX_LINES: usize = 140;
/// The most UTF-16 units of it.
const MAX_UNITS: usize = 17_500;
/// The most UTF-16 units of one line.
const MAX_LINE: usize = 150;
/// What stands before a description.
const SEPARATOR: &str = " — ";
/// In how many lines the frontmatter must close.
const HEADER_LINES: usize = 30;
/// Directories of other things than memories.
const NOT_MEMORIES: [&str; 2] = ["team", "logs"];
/// How many files are looked at, and how much of each is read: ours, against a directory set too wide.
const MAX_FILES: usize = 20_000;
const MAX_READ: u64 = 4 * 1024 * 1024;

struct Found {
    path: PathBuf,
    name: String,
    modified: Option<crate::memory::Time>,
}

/// The text of the index that would be written; `None` when there is nothing to name.
#[must_use]
pub fn index(port: &dyn Port, directory: &Path) -> Option<String> {
    let mut found = Vec::new();
    walk(port, directory, "", &mut HashSet::new(), &mut found);
    // Newest first; of the same age, as found.
    found.sort_by_key(|file| std::cmp::Reverse(file.modified));
    let mut text = String::new();
    let mut units = 0;
    for file in found.iter().take(MAX_LINES) {
        let line = line(port, file);
        let size = line.encode_utf16().count() + 1;
        if units + size > MAX_UNITS {
            break;
        }
        units += size;
        text.push_str(&line);
        text.push('\n');
    }
    (!text.is_empty()).then_some(text)
}

fn walk(
    port: &dyn Port,
    directory: &Path,
    below: &str,
    visited: &mut HashSet<PathBuf>,
    found: &mut Vec<Found>,
) {
    let fresh = port.real(directory).is_ok_and(|real| visited.insert(real));
    let Some(names) = port.list(directory).ok().filter(|_| fresh) else { return };
    for name in names {
        let path = directory.join(&name);
        let Some(name) = name.to_str() else { continue };
        if name.starts_with('.')
            || port.is_link(&path)
            || name.contains(['[', ']', '(', ')'])
            || found.len() >= MAX_FILES
        {
            continue;
        }
        match port.kind(&path) {
            Some(Kind::Dir) if !NOT_MEMORIES.contains(&name) => {
                walk(port, &path, &format!("{below}{name}/"), visited, found);
            }
            Some(Kind::File) if name.ends_with(".md") && name != "MEMORY.md" => {
                let modified = port.modified(&path);
                found.push(Found { path, name: format!("{below}{name}"), modified });
            }
            _ => {}
        }
    }
}

fn line(port: &dyn Port, file: &Found) -> String {
    let stem = file.name.rsplit('/').next().unwrap_or_default().trim_end_matches(".md");
    let named = format!("- [{stem}]({})", file.name);
    let room = MAX_LINE.saturating_sub(named.encode_utf16().count() + SEPARATOR.encode_utf16().count());
    // A name that fills the line alone stays whole.
    match description(port, &file.path) {
        Some(description) if room > 0 => format!("{named}{SEPARATOR}{}", shortened(&description, room)),
        _ => named,
    }
}

/// At most `room` units of a text, the last being `…` when something is cut off.
fn shortened(text: &str, room: usize) -> String {
    if text.encode_utf16().count() <= room {
        return text.to_owned();
    }
    let mut units = 0;
    let kept = text.chars().take_while(|c| {
        units += c.len_utf16();
        units < room
    });
    kept.chain(['…']).collect()
}

/// `description` of the frontmatter, when it is text, each stretch of blanks as one space.
fn description(port: &dyn Port, path: &Path) -> Option<String> {
    if port.size(path)? > MAX_READ {
        return None;
    }
    let bytes = port.read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let head: Vec<&str> = text.split('\n').take(HEADER_LINES).collect();
    let parts = crate::prompt::text::parts(
        head.join("\n").as_bytes(),
        &Rules::NEWEST,
        crate::prompt::walk::Trim::Yes,
    );
    let value = frontmatter::value(&parts.yaml?, "description", &Rules::NEWEST)?;
    let folded: Vec<&str> = value.split(is_blank).filter(|part| !part.is_empty()).collect();
    (!folded.is_empty()).then(|| folded.join(" "))
}
