//! Literals in what files held before: no diff is made. What a file held before its newest change, and does not hold
//! after it, was taken out by that change. (Measured on 20,000 commits: the old contents
//! take 2.1 s, `git log -p` 7.8 s.)

use super::Stop;
use super::log::Old;
use super::needles::Needles;
use super::scan::scan;
use super::source::{BATCH, Blobs, Source};
use super::tree::{LARGEST, is_binary, threads};
use crate::check::tells;
use crate::memory::lines::Lines;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The last sights of literals, by the literal's number.
pub(super) type Sighted = BTreeMap<usize, Sight>;

/// The last sight of a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sight {
    /// The number of the old content.
    pub(super) at: usize,
    /// The line: of those that hold it the one that tells most.
    pub(super) line: String,
    /// Whether the line shows that the project itself had it.
    tells: bool,
}

/// A line of evidence is no longer, in characters.
const LINE: usize = 200;

/// Finds the newest of the old contents that held each literal, by the literal's number. The second number is how
/// many of the contents were looked at, newest first, before the time was up.
pub(super) fn search(
    source: &Source,
    old: &[Old],
    needles: &Needles,
    stop: &Stop<'_>,
    progress: &(dyn Fn(usize) + Sync),
) -> (Sighted, usize) {
    let search = Search {
        old,
        needles,
        progress,
        best: needles.literals.iter().map(|_| AtomicUsize::new(usize::MAX)).collect(),
        sighted: Mutex::new(Sighted::new()),
        next: AtomicUsize::new(0),
        end: AtomicUsize::new(old.len()),
        failed: AtomicBool::new(false),
    };
    if !old.is_empty() && !needles.literals.is_empty() {
        let work = || {
            if let Ok(mut blobs) = source.blobs(stop) {
                search.work(&mut blobs);
            } else {
                search.end.fetch_min(0, Ordering::Relaxed);
            }
        };
        thread::scope(|scope| {
            (1..threads().min(old.len().div_ceil(BATCH))).for_each(|_| drop(scope.spawn(work)));
            work();
        });
    }
    let mut sighted = search.sighted.into_inner().unwrap_or_else(PoisonError::into_inner);
    let end = search.end.into_inner();
    // Beyond the end some were looked at and some not: what is found there may not be the newest.
    sighted.retain(|_, sight| sight.at < end);
    (sighted, end)
}

struct Search<'a> {
    old: &'a [Old],
    needles: &'a Needles,
    progress: &'a (dyn Fn(usize) + Sync),
    /// For each literal the newest content so far that held it.
    best: Vec<AtomicUsize>,
    sighted: Mutex<Sighted>,
    next: AtomicUsize,
    end: AtomicUsize,
    failed: AtomicBool,
}

impl Search<'_> {
    fn work(&self, blobs: &mut Blobs<'_>) {
        loop {
            let start = self.next.fetch_add(BATCH, Ordering::Relaxed);
            let is_over =
                self.failed.load(Ordering::Relaxed) || start >= self.old.len() || self.has_all(start);
            if is_over {
                return;
            }
            if self.batch(start, blobs).is_err() {
                self.failed.store(true, Ordering::Relaxed);
                self.end.fetch_min(start, Ordering::Relaxed);
                return;
            }
            (self.progress)(start);
        }
    }

    /// Whether every literal is found, in newer commits than those from here on: another file of the same commit may
    /// tell more of it.
    fn has_all(&self, start: usize) -> bool {
        let commit = self.commit(start);
        self.best.iter().all(|best| self.commit(best.load(Ordering::Relaxed)) < commit)
    }

    fn commit(&self, at: usize) -> usize {
        self.old.get(at).map_or(usize::MAX, |old| old.commit)
    }

    fn batch(&self, start: usize, blobs: &mut Blobs<'_>) -> io::Result<()> {
        let batch = self.old.get(start..).unwrap_or_default();
        let batch = batch.get(..BATCH).unwrap_or(batch);
        let names: Vec<&str> = batch.iter().map(|old| old.blob.as_str()).collect();
        let mut found = Vec::new();
        blobs.read(&names, LARGEST, &mut |at, bytes| {
            let Some((old, bytes)) = batch.get(at).zip(bytes).filter(|(_, bytes)| !is_binary(bytes)) else {
                return;
            };
            for (literal, spot) in scan(self.needles, &bytes, &old.path, false) {
                if self.is_newer(literal, start + at) {
                    let (line, tells) = self.best_line(&bytes, spot, &old.path, literal);
                    found.push((literal, Sight { at: start + at, line, tells }));
                }
            }
        })?;
        self.keep_what_went(found, blobs)
    }

    fn is_newer(&self, literal: usize, at: usize) -> bool {
        self.best
            .get(literal)
            .is_some_and(|best| self.commit(at) <= self.commit(best.load(Ordering::Relaxed)))
    }

    /// The line that tells most of a literal, and whether it tells that the project had it.
    fn best_line(&self, bytes: &[u8], spot: usize, path: &str, literal: usize) -> (String, bool) {
        let first = line(bytes, spot);
        let Some(literal) = self.needles.literals.get(literal) else { return (first, false) };
        if tells(&first, path, literal) {
            return (first, true);
        }
        let mut lines = Lines::new(bytes, 0).filter_map(|line| {
            let line = bytes.get(line).filter(|line| line.len() <= LINE)?;
            std::str::from_utf8(line).ok().filter(|line| tells(line, path, literal))
        });
        lines.next().map_or((first, false), |line| (line.trim().to_owned(), true))
    }

    /// Drops what the file still held after the change: another line of history took it out, and is met later.
    fn keep_what_went(&self, found: Vec<(usize, Sight)>, blobs: &mut Blobs<'_>) -> io::Result<()> {
        for found in found.chunk_by(|a, b| a.1.at == b.1.at) {
            let Some(old) = found.first().and_then(|(_, sight)| self.old.get(sight.at)) else { continue };
            let mut still = Vec::new();
            if let Some(after) = &old.after {
                blobs.read(&[after], LARGEST, &mut |_, bytes| {
                    still = scan(self.needles, &bytes.unwrap_or_default(), &old.path, false);
                })?;
            }
            let mut sighted = self.sighted.lock().unwrap_or_else(PoisonError::into_inner);
            for (literal, sight) in found {
                let stays = still.iter().any(|(other, _)| other == literal);
                // Newer first; in one commit what tells most, then in the order of the files.
                let rank = |sight: &Sight| (self.commit(sight.at), !sight.tells, sight.at);
                if !stays && sighted.get(literal).is_none_or(|best| rank(sight) < rank(best)) {
                    self.best.get(*literal).inspect(|best| best.store(sight.at, Ordering::Relaxed));
                    sighted.insert(*literal, sight.clone());
                }
            }
        }
        Ok(())
    }
}

/// The line around a byte, without blanks at its ends.
fn line(bytes: &[u8], at: usize) -> String {
    let (before, after) = (bytes.get(..at).unwrap_or_default(), bytes.get(at..).unwrap_or_default());
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', after).map_or(bytes.len(), |length| at + length);
    // Of a very long line what stands around the word tells most.
    let start = start.max(at.saturating_sub(LINE / 2));
    let line = bytes.get(start..end.min(start + 4 * LINE)).unwrap_or_default();
    String::from_utf8_lossy(line).trim().chars().take(LINE).collect()
}
