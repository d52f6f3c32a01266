//! Looks through transcripts on the disk for memory writes that were refused.

use super::recover::{Attempt, Collector, Recovery, put_together};
use super::{Counts, Reader, Transcript, line};
use crate::client::writes::Roots;
use crate::memory::path::RelPath;
use memchr::memmem::Finder;
use std::io;
use std::sync::Arc;

/// What transcripts show.
#[derive(Debug, Default)]
pub struct Found {
    /// What refused writes come to.
    pub recovery: Recovery,
    /// What was odd on the way, in words.
    pub notes: Vec<String>,
}

/// Reads the transcripts, and makes of the writes that they show as refused what the memories would hold. `current` gives
/// what the store holds of a file.
#[must_use]
pub fn read(
    transcripts: &[Transcript],
    roots: &Roots,
    current: &dyn Fn(&RelPath) -> Option<Arc<[u8]>>,
) -> Found {
    let mut attempts: Vec<Attempt> = Vec::new();
    let mut counts = Counts::default();
    let mut notes = Vec::new();
    for transcript in transcripts {
        match attempts_in(transcript, roots, &mut counts) {
            Ok(found) => attempts.extend(found),
            Err(error) => notes.push(format!("{}: {error}; it is left out", transcript.path.display())),
        }
    }
    notes.extend(Some(counts.words()).filter(|words| !words.is_empty()));
    // A resumed session repeats what went before; the sort is stable, so that what has no time stays in its order.
    attempts.sort_by_key(|attempt| attempt.stamp.time);
    let mut seen = std::collections::HashSet::new();
    attempts.retain(|attempt| seen.insert((attempt.path.clone(), attempt.id.clone())));
    Found { recovery: put_together(&attempts, current), notes }
}

fn attempts_in(transcript: &Transcript, roots: &Roots, counts: &mut Counts) -> io::Result<Vec<Attempt>> {
    let mut reader = Reader::open(&transcript.path, 0)?;
    let mut collector = Collector::new(roots);
    let needles = roots.needles();
    let needles: Vec<Finder<'_>> = needles.iter().map(Finder::new).collect();
    let result = Finder::new(b"\"tool_result\"");
    while let Some(text) = reader.next_bytes()? {
        let matters = needles.iter().any(|needle| needle.find(text).is_some())
            || collector.awaits() && result.find(text).is_some();
        if !matters {
            reader.pass();
            continue;
        }
        match line::parse(text) {
            Some(line) => collector.take(line),
            None => reader.broken(),
        }
    }
    counts.add(reader.counts());
    Ok(collector.finish())
}
