//! What one transcript says of the use of memories, read once and then only what was added.

use crate::client::transcript::line::{self, Event, LoadedFile, Stamp};
use crate::client::transcript::{Counts, Reader, Transcript};
use crate::client::writes::Roots;
use crate::memory::Time;
use crate::prompt::limits::{MAX_LINES, MAX_UNITS};
use crate::prompt::usage::IndexLoad;
use memchr::memmem::Finder;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// What was found in one transcript.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FileUse {
    inode: u64,
    /// So many bytes of it were read.
    offset: u64,
    /// Its size and time in nanoseconds when it was read: the same again means that there is nothing new.
    size: u64,
    modified: Option<i64>,
    /// The last bytes before `offset`: a file that was rewritten in place has others.
    tail: Vec<u8>,
    lines: u64,
    broken: u64,
    too_long: u64,
    /// When the session began.
    pub start: Option<Time>,
    /// The client's version.
    pub version: Option<String>,
    /// What became of the index.
    pub index: IndexLoad,
    /// What was read.
    pub reads: Vec<ReadOf>,
    /// Calls whose result has not come yet.
    open: Vec<ReadOf>,
}

/// One reading of a memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReadOf {
    /// Its path in the store.
    pub path: String,
    /// The id of the tool's call.
    pub id: String,
    pub time: Option<Time>,
}

/// So many bytes before the offset are compared.
const TAIL: usize = 64;
/// After so many bytes somebody is told.
const STEP: u64 = 1 << 20;
/// So many readings are kept of one transcript: a hundred times what the longest sessions have.
const MAX_READS: usize = 20_000;

impl FileUse {
    /// Whether what was found holds, and reading can go on where it ended.
    pub(super) fn goes_on(&self, transcript: &Transcript) -> bool {
        self.inode == transcript.inode
            && self.offset <= transcript.size
            && (self.is_current(transcript) || self.tail_is_there(&transcript.path))
    }

    /// How many bytes are still to be read.
    pub(super) fn rest(&self, transcript: &Transcript) -> u64 {
        if self.is_current(transcript) { 0 } else { transcript.size.saturating_sub(self.offset) }
    }

    /// What was met.
    pub(super) const fn counts(&self) -> Counts {
        Counts { lines: self.lines, broken: self.broken, too_long: self.too_long }
    }

    /// Reads on. Gives `false` when `go_on` did, told how many bytes are read: what was read counts.
    pub(super) fn read(
        &mut self,
        transcript: &Transcript,
        roots: &Roots,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> io::Result<bool> {
        let from = self.offset;
        let mut reader = Reader::open(&transcript.path, from)?;
        let needles = roots.needles();
        let needles: Vec<Finder<'_>> = needles.iter().map(Finder::new).collect();
        let (start, result) = (Finder::new(b"\"instructions\""), Finder::new(b"\"tool_result\""));
        let mut open: HashMap<String, ReadOf> =
            std::mem::take(&mut self.open).into_iter().map(|read| (read.id.clone(), read)).collect();
        let mut told = 0;
        let mut goes_on = true;
        while let Some(text) = reader.next_bytes()? {
            // Most lines have nothing to do with memories, and finding that out is much cheaper than parsing them.
            let matters = self.start.is_none()
                || self.version.is_none() && memchr::memmem::find(text, b"\"version\"").is_some()
                || needles.iter().any(|needle| needle.find(text).is_some())
                || start.find(text).is_some()
                || !open.is_empty() && result.find(text).is_some();
            match if matters { Some(line::parse(text)) } else { None } {
                Some(Some(line)) => self.take(line, transcript.is_agent, roots, &mut open),
                Some(None) => reader.broken(),
                None => reader.pass(),
            }
            let done = reader.offset().saturating_sub(from);
            if done >= told + STEP {
                told = done;
                if !go_on(done) {
                    goes_on = false;
                    break;
                }
            }
        }
        self.offset = reader.offset();
        let counts = reader.counts();
        self.lines += counts.lines;
        self.broken += counts.broken;
        self.too_long += counts.too_long;
        self.open = open.into_values().collect();
        self.open.sort_by(|a, b| a.id.cmp(&b.id));
        self.inode = transcript.inode;
        self.tail = tail(&transcript.path, self.offset).unwrap_or_default();
        // Stopped half-way there is something new still.
        self.modified = if goes_on { nanoseconds(transcript) } else { None };
        self.size = transcript.size;
        Ok(goes_on)
    }

    fn take(&mut self, line: line::Line, is_agent: bool, roots: &Roots, open: &mut HashMap<String, ReadOf>) {
        let line::Line { stamp, events, .. } = line;
        self.start = self.start.or(stamp.time);
        if self.version.is_none() {
            self.version.clone_from(&stamp.version);
        }
        for event in events {
            match event {
                Event::ToolUse { id, name, input } if name == "Read" => {
                    let file = input.get("file_path").and_then(serde_json::Value::as_str);
                    let file = file.and_then(|file| line::absolute(&stamp, file));
                    if let Some(read) = file.and_then(|file| read_of(roots, &file, &id, &stamp)) {
                        open.insert(id, read);
                    }
                }
                Event::ToolResult { id, is_error: false, .. } => {
                    let read = open.remove(&id);
                    self.add(read);
                }
                Event::ToolResult { id, .. } => drop(open.remove(&id)),
                Event::Nested(path) => {
                    // It has no id of its own: the moment stands for it.
                    let id = stamp.time.map(|time| time.to_rfc3339()).unwrap_or_default();
                    let read = read_of(roots, &path, &id, &stamp);
                    self.add(read);
                }
                // The first of a session tells what it began with; a sub-agent has its own.
                Event::Instructions(files) if !is_agent && self.index == IndexLoad::Unknown => {
                    self.index = loaded(&files, roots);
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, read: Option<ReadOf>) {
        if self.reads.len() < MAX_READS {
            self.reads.extend(read);
        }
    }

    fn is_current(&self, transcript: &Transcript) -> bool {
        self.modified.is_some() && self.modified == nanoseconds(transcript) && self.size == transcript.size
    }

    fn tail_is_there(&self, path: &Path) -> bool {
        tail(path, self.offset).is_ok_and(|tail| tail == self.tail)
    }
}

/// What a session's record of what it loaded says of the index.
fn loaded(files: &[LoadedFile], roots: &Roots) -> IndexLoad {
    let is_index = |file: &&LoadedFile| roots.inside(&file.path).is_some_and(|path| path.is_index());
    match files.iter().find(is_index) {
        Some(file) if is_cut(&file.content) => IndexLoad::Cut,
        Some(_) => IndexLoad::Whole,
        None => IndexLoad::NotAtAll,
    }
}

/// Whether a loaded index was cut: it holds the client's notice then, behind an empty line and marked as a quotation,
/// which names the file and its numbers (seen on 2.1.332; its words change with the version). With it the text is most
/// often beyond the limits, where no whole index can be.
fn is_cut(content: &str) -> bool {
    let content = content.trim_end();
    let units = content.encode_utf16().count();
    let is_over = content.lines().count() > MAX_LINES || units > MAX_UNITS;
    let last = content.rsplit_once("\n\n").map_or("", |(_, last)| last);
    let numbers = last.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).count();
    let is_notice =
        last.starts_with("> ") && !last.contains('\n') && last.contains("MEMORY.md") && numbers >= 2;
    is_over || is_notice
}

fn read_of(roots: &Roots, path: &Path, id: &str, stamp: &Stamp) -> Option<ReadOf> {
    let path = roots.inside(path)?.as_path().to_str()?.to_owned();
    Some(ReadOf { path, id: id.to_owned(), time: stamp.time })
}

fn nanoseconds(transcript: &Transcript) -> Option<i64> {
    transcript.modified.timestamp_nanos_opt()
}

/// The bytes before an offset.
fn tail(path: &Path, offset: u64) -> io::Result<Vec<u8>> {
    let length = usize::try_from(offset).unwrap_or(TAIL).min(TAIL);
    let mut bytes = vec![0; length];
    File::open(path)?.read_exact_at(&mut bytes, offset - length as u64)?;
    Ok(bytes)
}
