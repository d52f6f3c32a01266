//! What stands in the project today: the places of the literals, and the texts that are wanted whole.

use super::kind;
use super::needles::Needles;
use super::scan::scan;
use super::walk::Entry;
use crate::check::project::{Place, Text};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A larger file is listed and not read, in bytes.
pub(super) const LARGEST: usize = 2 << 20;
/// How many places of a literal are kept in code, and how many in prose.
const MOST_PLACES: [usize; 2] = [8, 4];
/// How many texts are kept, how large one may be and all together, in bytes.
const MOST_TEXTS: (usize, usize, usize) = (400, 256 << 10, 8 << 20);
/// So many files are one piece of work for a thread.
const PIECE: usize = 64;

/// Where each literal stands, code first, then by path and line.
pub(super) fn places(
    root: &Path,
    files: &[Entry],
    needles: &Needles,
    is_excluded: &(dyn Fn(&str) -> bool + Sync),
    cancel: &AtomicBool,
    progress: &(dyn Fn(usize) + Sync),
) -> BTreeMap<String, Vec<Place>> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let pieces = Mutex::new(Vec::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = files.chunks(PIECE).nth(number) else { return };
            let mut found = Vec::new();
            for file in piece.iter().filter(|file| !is_excluded(&file.path)) {
                if cancel.load(Ordering::Relaxed) {
                    return;
                }
                look(root, file, needles, &mut found);
            }
            progress(done.fetch_add(piece.len(), Ordering::Relaxed) + piece.len());
            pieces.lock().unwrap_or_else(PoisonError::into_inner).push((number, found));
        }
    };
    if !needles.literals.is_empty() {
        thread::scope(|scope| {
            (1..threads()).for_each(|_| drop(scope.spawn(work)));
            work();
        });
    }
    let mut pieces = pieces.into_inner().unwrap_or_else(PoisonError::into_inner);
    pieces.sort_unstable_by_key(|(number, _)| *number);
    let mut places: BTreeMap<usize, [Vec<Place>; 2]> = BTreeMap::new();
    for (literal, place) in pieces.into_iter().flat_map(|(_, found)| found) {
        let kind = usize::from(place.is_prose);
        let kept = places.entry(literal).or_default().get_mut(kind).zip(MOST_PLACES.get(kind));
        if let Some((kept, most)) = kept
            && kept.len() < *most
        {
            kept.push(place);
        }
    }
    let name = |literal: usize| needles.literals.get(literal).cloned().unwrap_or_default();
    places.into_iter().map(|(literal, [code, prose])| (name(literal), [code, prose].concat())).collect()
}

/// How many threads share the work.
pub(super) fn threads() -> usize {
    thread::available_parallelism().map_or(1, |threads| threads.get().min(8))
}

fn look(root: &Path, file: &Entry, needles: &Needles, found: &mut Vec<(usize, Place)>) {
    let Some(bytes) = file.read(root, LARGEST).filter(|bytes| !is_binary(bytes)) else { return };
    let is_prose = kind::is_prose(&file.path);
    let mut spots = scan(needles, &bytes, &file.path, is_prose);
    spots.sort_unstable_by_key(|(_, at)| *at);
    let (mut line, mut from) = (1, 0);
    for (literal, at) in spots {
        line += memchr::memchr_iter(b'\n', bytes.get(from..at).unwrap_or_default()).count();
        from = at;
        found.push((literal, Place { path: file.path.clone(), line, is_prose }));
    }
}

/// Whether the content is no text, by git's rule: a zero byte near the beginning.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, bytes.get(..8000).unwrap_or(bytes)).is_some()
}

/// The texts that are wanted whole, those near the root first.
pub(super) fn texts(root: &Path, files: &[Entry], cancel: &AtomicBool) -> Vec<Text> {
    let mut wanted: Vec<&Entry> = files.iter().filter(|file| kind::is_text(&file.path)).collect();
    wanted.sort_by_key(|file| file.path.matches('/').count());
    let (most, largest, mut room) = MOST_TEXTS;
    let mut texts = Vec::new();
    for file in wanted.into_iter().take(most) {
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        if let Some(bytes) = file.read(root, largest.min(room)).filter(|bytes| !is_binary(bytes)) {
            room -= bytes.len();
            texts.push(Text { path: file.path.clone(), text: String::from_utf8_lossy(&bytes).into_owned() });
        }
    }
    texts
}
