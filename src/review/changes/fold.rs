//! Lines of the index that came or went go with the memories that they name.

use super::{Change, Differing, IndexDiff, IndexLine, Kind, Origin};
use crate::memory::document::Document;
use crate::memory::index::{Index, Target};
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::memory::target;
use crate::memory::text::{lossy, one_line};
use crate::review::hunks::{self, Hunk};
use crate::review::plan::Content;
use std::collections::HashMap;
use std::sync::Arc;

/// Gives each change of the list its lines of the index; what is left becomes a change of its own.
pub(super) fn fold(one: Differing, snapshot: &Snapshot, list: &mut Vec<Change>) -> IndexDiff {
    let old: Arc<[u8]> = match &one.old {
        None => Arc::from([].as_slice()),
        Some(Content::File(bytes)) => Arc::clone(bytes),
        Some(Content::Link(_)) => return whole(one, snapshot, list),
    };
    let Some(Content::File(new)) = one.new.clone() else { return whole(one, snapshot, list) };
    let owners = Owners::of(list);
    let (was, is) = (owners.of_lines(&old, list), owners.of_lines(&new, list));
    let mut found = Vec::new();
    let mut of_hunk = Vec::new();
    for coarse in hunks::hunks(&old, &new) {
        split(&coarse, &was, &is, &mut found, &mut of_hunk);
    }
    let mut rest = Vec::new();
    for (number, owner) in of_hunk.into_iter().enumerate() {
        match owner.and_then(|at: usize| list.get_mut(at)) {
            Some(change) => change.hunks.push(number),
            None => rest.push(number),
        }
    }
    let diff = IndexDiff { old, new, hunks: found };
    for change in list.iter_mut() {
        change.lines = diff.shown(&change.hunks);
    }
    if !rest.is_empty() {
        let mine = hunks::apply(&diff.old, &diff.new, &diff.hunks, |number| rest.contains(&number));
        let mut change = index_change(snapshot, one.old, Some(Content::File(mine.into())));
        change.lines = diff.shown(&rest);
        change.hunks = rest;
        list.push(change);
    }
    diff
}

impl IndexDiff {
    fn shown(&self, hunks: &[usize]) -> Vec<IndexLine> {
        let line = |is_new, bytes: Vec<u8>| {
            let text = one_line(&lossy(&bytes));
            (!text.is_empty()).then_some(IndexLine { is_new, text })
        };
        let lines = hunks.iter().filter_map(|number| self.hunks.get(*number)).flat_map(|hunk| {
            let old = line(false, hunks::text(&self.old, &hunk.old)).filter(|_| !hunk.old.is_empty());
            let new = line(true, hunks::text(&self.new, &hunk.new)).filter(|_| !hunk.new.is_empty());
            old.into_iter().chain(new)
        });
        lines.collect()
    }
}

/// An index that became a link, was one, or went: one change, whole.
fn whole(one: Differing, snapshot: &Snapshot, list: &mut Vec<Change>) -> IndexDiff {
    list.push(index_change(snapshot, one.old, one.new));
    IndexDiff::default()
}

fn index_change(snapshot: &Snapshot, old: Option<Content>, new: Option<Content>) -> Change {
    Change {
        kind: Kind::Index,
        path: RelPath::index(),
        title: "MEMORY.md".into(),
        old,
        new,
        lines: Vec::new(),
        time: snapshot.index.as_ref().map(|file| file.stat.mtime),
        origin: Origin::default(),
        moved_to: None,
        hunks: Vec::new(),
    }
}

/// Which change is about a file.
struct Owners {
    by_path: HashMap<RelPath, usize>,
    /// The names that each change's memory had and has, for wikilinks.
    names: Vec<Vec<Option<String>>>,
}

impl Owners {
    fn of(list: &[Change]) -> Self {
        let mut by_path = HashMap::new();
        for (at, change) in list.iter().enumerate() {
            by_path.extend(change.paths().map(|path| (path.clone(), at)));
        }
        let name = |content: &Option<Content>| match content {
            Some(Content::File(bytes)) => Document::parse(bytes).header.name.map(String::from),
            _ => None,
        };
        let names = list.iter().map(|change| vec![name(&change.old), name(&change.new)]).collect();
        Self { by_path, names }
    }

    /// For each physical line of an index the change whose memory alone it names, if there is one.
    fn of_lines(&self, bytes: &[u8], list: &[Change]) -> Vec<Option<usize>> {
        let index = Index::parse(bytes);
        let mut owners: Vec<Option<Option<usize>>> = vec![None; index.lines.len()];
        for entry in &index.entries {
            let owner = match &entry.target {
                Target::File(path) => self.by_path.get(path).copied(),
                Target::Name(link) => list.iter().enumerate().position(|(at, change)| {
                    let names = self.names.get(at).into_iter().flatten();
                    names
                        .into_iter()
                        .any(|name| change.paths().any(|path| target::may_mean(path, name.as_deref(), link)))
                }),
            };
            for line in entry.item.clone() {
                if let Some(slot) = owners.get_mut(line) {
                    *slot = match *slot {
                        None => Some(owner),
                        Some(other) if other == owner => Some(owner),
                        // It names others too: nobody's alone.
                        Some(_) => Some(None),
                    };
                }
            }
        }
        owners.into_iter().map(Option::flatten).collect()
    }
}

/// Splits a hunk into hunks of one line: an old line and a new one belong together when they are about the same
/// memory, or both about none.
fn split(
    coarse: &Hunk,
    was: &[Option<usize>],
    is: &[Option<usize>],
    found: &mut Vec<Hunk>,
    owners: &mut Vec<Option<usize>>,
) {
    let owner = |of: &[Option<usize>], at: usize| of.get(at).copied().flatten();
    let mut ahead: HashMap<usize, usize> = HashMap::new();
    for at in coarse.new.clone() {
        if let Some(owner) = owner(is, at) {
            *ahead.entry(owner).or_default() += 1;
        }
    }
    let (mut old, mut new) = (coarse.old.start, coarse.new.start);
    while old < coarse.old.end || new < coarse.new.end {
        let (has_old, has_new) = (old < coarse.old.end, new < coarse.new.end);
        let (a, b) = (owner(was, old), owner(is, new));
        let comes_later = a.is_some_and(|a| ahead.get(&a).is_some_and(|count| *count > 0));
        let (takes_old, takes_new) = match (has_old, has_new) {
            (true, true) if a == b => (true, true),
            (true, true) => (!comes_later, comes_later),
            other => other,
        };
        if takes_new && let Some(count) = b.and_then(|b| ahead.get_mut(&b)) {
            *count = count.saturating_sub(1);
        }
        let (to_old, to_new) = (old + usize::from(takes_old), new + usize::from(takes_new));
        found.push(Hunk { old: old..to_old, new: new..to_new });
        owners.push(if takes_old { a } else { b });
        (old, new) = (to_old, to_new);
    }
}
