//! Walking the worst: one memory at a time, and what was done about each.

use crate::app::contents::Contents;
use crate::check::Silence;
use crate::memory::path::RelPath;
use std::sync::Arc;

/// A walk through what is worth a look.
#[derive(Debug, Clone, Default)]
pub struct Walk {
    /// The memories, worst first, as they were at the start.
    pub queue: Vec<(RelPath, Arc<[u8]>)>,
    /// The one that is looked at; past the end: the summary shows.
    pub at: usize,
    /// What was done, in order: to which of the queue, and what.
    pub acts: Vec<(usize, Act)>,
}

/// What was done about a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// It is right as it stands: its findings are silenced until it changes.
    Kept(Vec<Silence>),
    /// Its findings are silenced until a date.
    Snoozed(Silence),
    /// It was changed.
    Fixed,
    /// It was said to be still true.
    Affirmed,
    /// Its line was taken out of the index.
    Parked,
    /// It was deleted.
    Deleted,
    /// Nothing: it comes up again.
    Later,
}

impl Walk {
    /// The memory that is looked at; `None`: the walk is at its end.
    #[must_use]
    pub fn current(&self) -> Option<&RelPath> {
        self.queue.get(self.at).map(|(path, _)| path)
    }

    /// Whether the summary shows.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.at >= self.queue.len()
    }

    /// Notes what was done about the memory that is looked at, and goes on to the next one that is still there.
    pub fn done(&mut self, contents: &Contents, act: Act) {
        self.acts.push((self.at, act));
        self.at += 1;
        while self.current().is_some_and(|path| contents.find(path).is_none()) {
            self.at += 1;
        }
    }

    /// Goes back to the one before, without taking anything back.
    pub fn back(&mut self, contents: &Contents) {
        let is_there =
            |at: &usize| self.queue.get(*at).is_some_and(|(path, _)| contents.find(path).is_some());
        if let Some(at) = (0..self.at.min(self.queue.len())).rev().find(is_there) {
            self.at = at;
        }
    }

    /// Ends it: the summary shows.
    pub fn end(&mut self) {
        self.at = self.queue.len();
    }

    /// How it went: `kept 3, fixed 4, 2 left for later`. The last thing done about each memory counts, and a
    /// deletion only when it was carried out.
    #[must_use]
    pub fn summary(&self, contents: &Contents) -> String {
        let words = ["kept", "fixed", "still true", "parked", "deleted", "snoozed"];
        let mut counts = [0_usize; 6];
        let mut later = 0;
        for (at, (path, before)) in self.queue.iter().enumerate() {
            let last = self.acts.iter().rev().find(|(of, _)| *of == at).map(|(_, act)| act);
            let is_changed = contents.bytes_of(path).is_some_and(|bytes| *bytes != **before);
            let place = match last {
                Some(Act::Kept(_)) => Some(0),
                Some(Act::Fixed) => Some(1),
                Some(Act::Affirmed) => Some(2),
                Some(Act::Parked) => Some(3),
                Some(Act::Deleted) if contents.find(path).is_none() => Some(4),
                Some(Act::Snoozed(_)) => Some(5),
                // The index changes with every other memory: only what was done on it itself counts.
                Some(Act::Deleted | Act::Later) | None if is_changed && !path.is_index() => Some(1),
                Some(Act::Deleted | Act::Later) | None => None,
            };
            match place.and_then(|place| counts.get_mut(place)) {
                Some(count) => *count += 1,
                None => later += 1,
            }
        }
        let told = words.iter().zip(counts).filter(|(_, count)| *count > 0);
        let mut told: Vec<String> = told.map(|(word, count)| format!("{word} {count}")).collect();
        if later > 0 || told.is_empty() {
            told.push(format!("left for later {later}"));
        }
        told.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::testing::contents;

    #[test]
    fn the_summary_counts_what_was_done() {
        let all = contents(&[("a.md", "a"), ("b.md", "b"), ("c.md", "c"), ("d.md", "d")]);
        let queue = ["a.md", "b.md", "c.md", "d.md"];
        let queue = queue.map(|path| (RelPath::new(path).unwrap(), Arc::from(&b"a"[..]))).to_vec();
        let mut walk = Walk { queue, ..Walk::default() };
        assert_eq!(walk.summary(&contents(&[("a.md", "a")])), "left for later 4");
        walk.done(&all, Act::Kept(Vec::new()));
        walk.done(&all, Act::Deleted);
        walk.done(&all, Act::Later);
        let after = contents(&[("a.md", "a"), ("c.md", "changed"), ("d.md", "a")]);
        assert_eq!(walk.summary(&after), "kept 1, fixed 1, deleted 1, left for later 1");
        walk.back(&after);
        assert_eq!(walk.at, 2);
        walk.back(&after);
        assert_eq!(walk.at, 0, "what is gone is passed over");
        walk.end();
        assert!(walk.is_over() && walk.current().is_none());
    }
}
