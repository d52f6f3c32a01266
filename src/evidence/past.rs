//! The past of a project: read once, searched for what is absent today, and kept for the next look.

use super::blobs;
use super::cache::{self, Kept};
use super::log::{Limits, Log, Old};
use super::needles::Needles;
use super::source::{Head, Source};
use super::{Options, Progress, Stop};
use crate::check::project::{Commit, History, Reach, Vanished, Wanted};
use crate::memory::Time;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// What is read of a history at most: a change takes some 250 bytes.
const LIMITS: Limits = Limits { commits: 20_000, changes: 600_000 };

/// The last sight of a literal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    commit: usize,
    path: String,
    text: String,
}

/// A history as it was read.
pub(super) struct Past<'a> {
    source: &'a Source,
    root: &'a Path,
    options: &'a Options,
    progress: &'a (dyn Fn(Progress) + Sync),
    head: Head,
    log: Log,
    /// What is known of literals from earlier looks.
    seen: BTreeMap<String, Option<Seen>>,
    /// Whether the log's old contents are those of the whole history.
    has_all_old: bool,
    /// How far back an earlier look came, when it did not come to the end.
    until: Option<Time>,
    is_kept: bool,
}

impl<'a> Past<'a> {
    /// Reads what is not kept yet. The time for it is `stop`'s.
    pub(super) fn read(
        source: &'a Source,
        root: &'a Path,
        head: Head,
        options: &'a Options,
        progress: &'a (dyn Fn(Progress) + Sync),
        stop: &Stop<'_>,
    ) -> Self {
        let mut past = Self {
            source,
            root,
            options,
            progress,
            head,
            log: Log::default(),
            seen: BTreeMap::new(),
            has_all_old: false,
            until: None,
            is_kept: false,
        };
        let kept = options.cache.as_deref().and_then(|dir| cache::load(dir, root));
        if !kept.is_some_and(|kept| past.take_over(kept, stop)) {
            past.read_all(stop);
        }
        past
    }

    fn read_all(&mut self, stop: &Stop<'_>) {
        self.log = self.read_log(None, stop);
        self.seen = BTreeMap::new();
        self.has_all_old = true;
        self.until = None;
        self.is_kept = false;
    }

    fn read_log(&self, since: Option<&str>, stop: &Stop<'_>) -> Log {
        self.source.log(since, &self.head.id, &self.head.base, LIMITS, stop, &|log| {
            let back_to = log.commits.last().map(|commit| commit.date);
            (self.progress)(Progress::History { commits: log.commits.len(), back_to });
        })
    }

    /// Goes on from an earlier look; `false` when that does not help.
    fn take_over(&mut self, kept: Kept, stop: &Stop<'_>) -> bool {
        let is_enough = kept.is_whole || kept.budget >= self.options.budget_millis();
        if kept.head == self.head.id && is_enough {
            self.log = kept.log();
            self.until = kept.until.and_then(|time| Time::from_timestamp(time, 0));
            self.seen = kept.seen;
            self.is_kept = true;
            return true;
        }
        if !kept.is_whole || !self.source.is_ancestor(&kept.head, &self.head.id, stop) {
            return false;
        }
        let mut log = self.read_log(Some(&kept.head), stop);
        let new = log.commits.len();
        let mut older = kept.log();
        older.left.iter_mut().for_each(|left| left.commit += new);
        log.commits.append(&mut older.commits);
        log.left.append(&mut older.left);
        let is_whole = log.is_whole;
        self.log = log;
        self.seen = kept.seen;
        self.seen.values_mut().flatten().for_each(|seen| seen.commit += new);
        is_whole
    }

    /// The history as the checks want it: with the last sight of what is absent from the code.
    pub(super) fn finish(
        mut self,
        absent: &Wanted,
        is_alive: &dyn Fn(&str) -> bool,
        stop: &Stop<'_>,
    ) -> History {
        let all: BTreeSet<&String> =
            absent.symbols.iter().chain(&absent.flags).chain(&absent.settings).collect();
        let is_known = all.iter().all(|literal| self.seen.contains_key(*literal));
        if !is_known && !self.has_all_old {
            self.read_all(stop);
        }
        if !(is_known && self.is_kept) {
            self.search(absent, stop);
        }
        let commit = |number: usize| self.log.commits.get(number).map(Arc::clone);
        let vanished = |seen: &Seen| {
            let (path, text) = (seen.path.clone(), seen.text.clone());
            Some(Vanished { by: commit(seen.commit)?, path, text })
        };
        let seen = self.seen.iter().filter(|(literal, _)| all.contains(literal));
        let last_seen = seen.filter_map(|(literal, seen)| Some((literal.clone(), vanished(seen.as_ref()?)?)));
        let commits = self.log.commits.iter().take(LIMITS.commits);
        History {
            reach: match self.until {
                Some(until) => Reach::Until(until),
                None => Reach::Whole,
            },
            paths: super::fates::fates(&self.log.left, &self.log.commits, is_alive),
            last_seen: last_seen.collect(),
            commits: commits.map(|commit| Commit::clone(commit)).collect(),
        }
    }

    fn search(&mut self, absent: &Wanted, stop: &Stop<'_>) {
        let needles = Needles::new(absent);
        let old = std::mem::take(&mut self.log.old);
        let of = old.len();
        let progress = |done: usize| (self.progress)(Progress::Searching { done, of });
        let (sighted, end) = blobs::search(self.source, &old, &needles, stop, &progress);
        for (number, literal) in needles.literals.iter().enumerate() {
            let known = self.seen.entry(literal.clone()).or_default();
            if let Some(sight) = sighted.get(&number)
                && let Some(Old { commit, path, .. }) = old.get(sight.at)
            {
                *known = Some(Seen { commit: *commit, path: path.clone(), text: sight.line.clone() });
            }
        }
        // The nearer of the places where the reading and the search ended.
        let date = |commit: &Arc<Commit>| commit.date;
        let read_to = self.log.commits.last().map(date);
        let searched_to = old.get(end).and_then(|old| self.log.commits.get(old.commit)).map(date);
        let is_cut = !self.log.is_whole || self.head.is_shallow;
        self.until = self.until.max(searched_to).max(read_to.filter(|_| is_cut));
        if !stop.is_cancelled() {
            self.keep();
        }
    }

    fn keep(&self) {
        if let Some(dir) = &self.options.cache {
            let budget = self.options.budget_millis();
            let kept = Kept::new(self.root, &self.head.id, &self.log, &self.seen, self.until, budget);
            cache::save(dir, self.root, &kept);
        }
    }
}
