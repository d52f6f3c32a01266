//! Which file that is gone and which that is new are the same memory under another path.

use super::{Differing, Kind, bytes};
use crate::memory::document::{Document, Header};
use crate::memory::path::RelPath;
use crate::memory::text::lossy;
use crate::review::likeness::{Bag, Shelf};
use crate::review::plan::Content;
use std::collections::HashMap;

/// From which likeness on two files are one memory that was renamed and changed.
const ALIKE: f32 = 0.6;
/// The same when both have the same name or file name.
const ALIKE_WITH_NAME: f32 = 0.35;
/// How many of the nearest are looked at.
const NEAREST: usize = 4;

/// Gives each file the kind of its change; pairs that are renames become one, under the new path.
pub(super) fn pair(files: Vec<Differing>) -> Vec<(Kind, Differing)> {
    let (mut gone, rest): (Vec<Differing>, Vec<Differing>) =
        files.into_iter().partition(|one| one.new.is_none());
    let (mut new, changed): (Vec<Differing>, Vec<Differing>) =
        rest.into_iter().partition(|one| one.old.is_none());
    let mut found: Vec<(Kind, Differing)> = Vec::new();
    let pairs = pairs(&gone, &new);
    let mut from: HashMap<RelPath, Differing> = HashMap::new();
    for (old, new) in pairs {
        from.insert(new, Differing { path: old, old: None, new: None });
    }
    let old_paths: HashMap<RelPath, RelPath> =
        from.iter().map(|(new, old)| (old.path.clone(), new.clone())).collect();
    gone.retain(|one| match old_paths.get(&one.path) {
        Some(to) => {
            if let Some(renamed) = from.get_mut(to) {
                renamed.old.clone_from(&one.old);
            }
            false
        }
        None => true,
    });
    new.retain(|one| match from.remove(&one.path) {
        Some(before) => {
            let whole = Differing { path: one.path.clone(), old: before.old, new: one.new.clone() };
            found.push((Kind::Renamed { from: before.path }, whole));
            false
        }
        None => true,
    });
    found.extend(gone.into_iter().map(|one| (Kind::Deleted, one)));
    found.extend(new.into_iter().map(|one| (Kind::Added, one)));
    found.extend(changed.into_iter().map(|one| (Kind::Changed, one)));
    found
}

/// What is compared of a file.
struct Side<'a> {
    path: &'a RelPath,
    content: Option<&'a Content>,
    header: Header,
    bag: Bag,
}

impl<'a> Side<'a> {
    fn of(path: &'a RelPath, content: Option<&'a Content>) -> Self {
        let bytes = bytes(content);
        let document = Document::parse(&bytes);
        let body = lossy(bytes.get(document.body.clone()).unwrap_or_default());
        let about = document.header.description.as_deref().unwrap_or_default();
        let bag = Bag::of(&format!("{about}\n{body}"));
        Self { path, content, header: document.header, bag }
    }

    /// How sure it is that both are one memory; `None`: they are two.
    fn likeness(&self, other: &Self) -> Option<f32> {
        if self.content == other.content {
            // Of several alike, the one with the nearest name.
            let same_stem = self.path.stem() == other.path.stem();
            return Some(if same_stem { 3.0 } else { 2.0 });
        }
        let same_name = self.header.name.is_some() && self.header.name == other.header.name
            || self.path.stem() == other.path.stem();
        let alike = self.bag.alike(&other.bag);
        let least = if same_name { ALIKE_WITH_NAME } else { ALIKE };
        (alike >= least).then_some(if same_name { alike + 0.5 } else { alike })
    }
}

/// Pairs of paths (gone, new), the surest first; each path in one at most.
fn pairs(gone: &[Differing], new: &[Differing]) -> Vec<(RelPath, RelPath)> {
    if gone.is_empty() || new.is_empty() {
        return Vec::new();
    }
    let olds: Vec<Side<'_>> = gone.iter().map(|one| Side::of(&one.path, one.old.as_ref())).collect();
    let news: Vec<Side<'_>> = new.iter().map(|one| Side::of(&one.path, one.new.as_ref())).collect();
    let shelf = Shelf::of(news.iter().map(|side| side.bag.clone()).collect());
    let mut same: HashMap<&Content, Vec<usize>> = HashMap::new();
    let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, side) in news.iter().enumerate() {
        if let Some(content) = side.content {
            same.entry(content).or_default().push(at);
        }
        if let Some(name) = side.header.name.as_deref() {
            named.entry(name).or_default().push(at);
        }
    }
    let mut sure: Vec<(f32, usize, usize)> = Vec::new();
    for (number, old) in olds.iter().enumerate() {
        let mut near: Vec<usize> = shelf.nearest(&old.bag, NEAREST).into_iter().map(|(at, _)| at).collect();
        let exact = old.content.and_then(|content| same.get(content)).into_iter().flatten();
        let called = old.header.name.as_deref().and_then(|name| named.get(name)).into_iter().flatten();
        near.extend(exact.chain(called).take(NEAREST * 4));
        near.sort_unstable();
        near.dedup();
        let sides = near.into_iter().filter_map(|at| Some((at, old.likeness(news.get(at)?)?)));
        sure.extend(sides.map(|(at, likeness)| (likeness, number, at)));
    }
    sure.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut old_taken, mut new_taken) = (vec![false; olds.len()], vec![false; news.len()]);
    let mut found = Vec::new();
    for (_, old, new) in sure {
        let (Some(old_taken), Some(new_taken)) = (old_taken.get_mut(old), new_taken.get_mut(new)) else {
            continue;
        };
        if *old_taken || *new_taken {
            continue;
        }
        (*old_taken, *new_taken) = (true, true);
        if let (Some(old), Some(new)) = (olds.get(old), news.get(new)) {
            found.push((old.path.clone(), new.path.clone()));
        }
    }
    found
}
