//! The gate: what speaks for a proposal and what against it, worked out from the same checks as for memories. Looking
//! at one is quick, so that a thousand can wait: the checks see the proposal and its nearest memories, not the store.

#[cfg(test)]
mod tests;
mod verdicts;

pub use verdicts::{Mark, Question, Verdict};

use crate::check::likeness::{self, ALIKE, Told};
use crate::check::project::Project;
use crate::check::{self, Depth, Facts, Finding, Look, Settings};
use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::index::{self, Index, NewEntry, Site, Target};
use crate::memory::links::Links;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot, Stat};
use crate::memory::text::{lossy, one_line};
use crate::prompt::limits::{self, Fate, MAX_LINES, MAX_UNITS};
use crate::review::index_state::thousands;
use crate::review::proposal::{Action, Proposal};
use crate::review::prune;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// What the gate says of one proposal.
#[derive(Debug, Clone)]
pub struct Gate {
    /// The answers, one for each question that can be asked of it, in the order of [`Question`].
    pub verdicts: Vec<Verdict>,
    /// The nearest memories, the nearest first.
    pub nearest: Vec<Near>,
    /// The worst of the verdicts.
    pub mark: Mark,
}

/// A memory that is near a proposal.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// Which.
    pub path: RelPath,
    /// How alike they are: 0 to 1 (see [`likeness::ALIKE`]).
    pub alike: f32,
    /// What both say, safe to show.
    pub why: String,
}

/// How many of the nearest memories are shown, and seen by the checks that compare.
const NEAREST: usize = 5;
/// From which likeness on a memory is shown as near.
const SHOWN: f32 = 0.25;

/// A store as proposals are held against it: worked out once, for all of them.
pub struct Scene<'a> {
    snapshot: &'a Snapshot,
    settings: &'a Settings,
    project: Option<&'a Project>,
    now: Time,
    told: Told,
    by_path: HashMap<&'a RelPath, usize>,
    by_name: HashMap<String, Vec<usize>>,
    /// Where lines of the index go, and how they are written.
    site: Option<Site<'a>>,
    /// What loads of the index as it is.
    before: Option<limits::Loaded>,
    links: OnceLock<Links>,
}

impl Gate {
    /// Whether nothing speaks against it: no finding of a warning or worse.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.mark == Mark::Pass
    }

    /// The answer to a question, when it was asked.
    #[must_use]
    pub fn verdict(&self, question: Question) -> Option<&Verdict> {
        self.verdicts.iter().find(|verdict| verdict.question == question)
    }
}

impl<'a> Scene<'a> {
    /// Prepares a store. Takes a while on a large one.
    #[must_use]
    pub fn new(
        snapshot: &'a Snapshot,
        settings: &'a Settings,
        project: Option<&'a Project>,
        now: Time,
    ) -> Self {
        let memories = &snapshot.memories;
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, memory) in memories.iter().enumerate() {
            if let Some(name) = name_key(&memory.document) {
                by_name.entry(name).or_default().push(at);
            }
        }
        Self {
            told: Told::of(snapshot),
            by_path: memories.iter().enumerate().map(|(at, memory)| (&memory.path, at)).collect(),
            by_name,
            site: snapshot
                .index
                .as_ref()
                .map(|file| Site::new(&file.bytes, &file.index, prune::kinds(snapshot, &file.index))),
            before: snapshot.index.as_ref().map(|file| limits::load(&file.bytes)),
            links: OnceLock::new(),
            snapshot,
            settings,
            project,
            now,
        }
    }

    /// Holds a proposal against the store.
    #[must_use]
    pub fn gate(&self, proposal: &Proposal) -> Gate {
        let mut gate = match &proposal.bytes {
            Some(bytes) => self.gate_text(proposal, bytes),
            None => self.gate_deletion(proposal),
        };
        gate.mark = gate.verdicts.iter().map(|verdict| verdict.mark).max().unwrap_or(Mark::Pass);
        gate
    }

    fn gate_text(&self, proposal: &Proposal, bytes: &Arc<[u8]>) -> Gate {
        if proposal.target.is_index() {
            return self.gate_index(proposal, bytes);
        }
        let is_memory = proposal.is_memory();
        let document = Document::parse(bytes);
        let own = self.by_path.get(&proposal.target).copied();
        let mut near = self.told.nearest(&lossy(bytes), NEAREST + 1);
        near.retain(|near| Some(near.memory) != own);
        near.truncate(NEAREST);
        let stat = Stat { mtime: self.now, mode: 0o600, link: None };
        let path = proposal.target.clone();
        let memory = Arc::new(Memory { path, bytes: Arc::clone(bytes), document, stat });
        let findings = self.findings(&memory, own, &near);
        let mut verdicts = verdicts::of(&findings, &memory);
        let nearest: Vec<Near> = near
            .iter()
            .filter(|near| near.score >= SHOWN)
            .filter_map(|near| {
                let path = self.snapshot.memories.get(near.memory)?.path.clone();
                Some(Near { path, alike: near.score, why: near.why.clone() })
            })
            .collect();
        if let Some(first) = nearest.first().filter(|near| near.alike >= ALIKE) {
            verdicts::say_same(&mut verdicts, &first.path);
        }
        if !is_memory {
            // What is no memory needs no frontmatter, and nothing that stands there.
            let is_asked = |one: &Verdict| ![Question::Form, Question::Complete].contains(&one.question);
            verdicts.retain(is_asked);
        }
        verdicts.extend(match proposal.alone {
            true => Some(Verdict::pass(Question::Index, "the index stays as it is")),
            false => self.index_verdict(proposal, &memory.document),
        });
        verdicts.sort_by_key(|verdict| verdict.question);
        Gate { verdicts, nearest, mark: Mark::Pass }
    }

    /// An index is no memory: whether it is safe, and what of it would load.
    fn gate_index(&self, proposal: &Proposal, bytes: &Arc<[u8]>) -> Gate {
        let stat = Stat { mtime: self.now, mode: 0o600, link: None };
        let path = proposal.target.clone();
        let memory =
            Arc::new(Memory { path, bytes: Arc::clone(bytes), document: Document::parse(bytes), stat });
        let mut verdicts = verdicts::of(&self.findings(&memory, None, &[]), &memory);
        verdicts.retain(|verdict| verdict.question == Question::Safe);
        let over = |loaded: &limits::Loaded| loaded.over_lines || loaded.over_size || loaded.too_large;
        let after = limits::load(bytes);
        verdicts.push(state(&after, self.before.as_ref().is_some_and(over), over(&after), None));
        Gate { verdicts, nearest: Vec::new(), mark: Mark::Pass }
    }

    /// The findings on a proposal, by the checks on a store of it and what is near it alone.
    fn findings(&self, memory: &Arc<Memory>, own: Option<usize>, near: &[likeness::Near]) -> Vec<Finding> {
        let mut beside: Vec<usize> = near.iter().map(|near| near.memory).collect();
        let same_name = name_key(&memory.document).and_then(|name| self.by_name.get(&name));
        beside.extend(same_name.into_iter().flatten().copied().filter(|at| Some(*at) != own));
        beside.sort_unstable();
        beside.dedup();
        let mut memories: Vec<Arc<Memory>> =
            beside.into_iter().filter_map(|at| self.snapshot.memories.get(at).cloned()).collect();
        memories.retain(|other| other.path != memory.path);
        memories.push(Arc::clone(memory));
        memories.sort_by(|a, b| a.path.cmp(&b.path));
        let small = Snapshot { root: self.snapshot.root.clone(), memories, ..Snapshot::default() };
        let facts = Facts::of(&small);
        let mut look = Look::quick(&small, &facts, &[], self.now, self.settings);
        look.project = self.project;
        let mut findings = check::run(&look, Depth::Deep);
        // What it links to is in the store, not in this small one.
        findings.retain(|finding| finding.memory == memory.path && finding.check.0 != "link-unresolved");
        findings
    }

    fn gate_deletion(&self, proposal: &Proposal) -> Gate {
        let links = self.links.get_or_init(|| Links::of(self.snapshot));
        let from: Vec<String> =
            links.linked_from(&proposal.target).iter().map(|path| one_line(&path.to_str_lossy())).collect();
        let verdict = if from.is_empty() {
            Verdict::pass(Question::Links, "no other memory links to it")
        } else {
            Verdict::of(Question::Links, Mark::Nearly, format!("still linked from {}", from.join(", ")))
        };
        let mut verdicts = vec![verdict];
        let index = self.snapshot.index.as_ref().filter(|_| proposal.alone);
        let is_it =
            |entry: &index::Entry| matches!(&entry.target, Target::File(path) if *path == proposal.target);
        if index.is_some_and(|file| file.index.entries.iter().any(is_it)) {
            verdicts.insert(0, Verdict::of(Question::Index, Mark::Nearly, "its line in the index stays"));
        }
        Gate { verdicts, nearest: Vec::new(), mark: Mark::Pass }
    }

    /// What the index would look like with it.
    fn index_verdict(&self, proposal: &Proposal, document: &Document) -> Option<Verdict> {
        let Some(before) = self.snapshot.index.as_ref().and(self.before.as_ref()) else {
            let says = if self.snapshot.memories.is_empty() {
                "it would be the first line of the index"
            } else {
                "the store has no index, so it gets no line"
            };
            return Some(Verdict::pass(Question::Index, says));
        };
        let is_over = before.over_lines || before.over_size || before.too_large;
        if proposal.action != Action::Add {
            return Some(state(before, is_over, is_over, None));
        }
        let title = proposal.title();
        let hook = one_line(document.header.description.as_deref().unwrap_or_default());
        let entry = NewEntry {
            path: &proposal.target,
            title: &title,
            hook: &hook,
            kind: &document.header.kind,
            verbatim: proposal.index_line.as_deref(),
        };
        let Some(after) = self.site.as_ref().and_then(|site| site.insert(&entry)) else {
            let says = "no place was found in the index where its line would be read as an entry";
            return Some(Verdict::of(Question::Index, Mark::Fail, says));
        };
        let loaded = limits::load(&after);
        let over = loaded.over_lines || loaded.over_size || loaded.too_large;
        // Within the limits every line loads: it need not be looked for.
        let loads = !over
            || {
                let read = Index::parse(&after);
                let is_it = |entry: &&index::Entry| matches!(&entry.target, Target::File(path) if *path == proposal.target);
                read.entries
                    .iter()
                    .filter(is_it)
                    .any(|entry| loaded.fate.get(entry.line) == Some(&Fate::Loads))
            };
        Some(state(&loaded, is_over, over, Some(loads)))
    }
}

/// The index after a proposal, in words.
fn state(loaded: &limits::Loaded, was_over: bool, is_over: bool, loads: Option<bool>) -> Verdict {
    let size = format!(
        "index {}/{MAX_LINES} lines, {}/{}",
        loaded.lines,
        thousands(loaded.units),
        thousands(MAX_UNITS)
    );
    let question = Question::Index;
    match (was_over, is_over, loads) {
        (_, true, Some(false)) => Verdict::of(
            question,
            Mark::Nearly,
            format!("{size}: its line lies below the cut and will not load"),
        ),
        (false, true, _) => Verdict::of(
            question,
            Mark::Fail,
            format!("{size}: it takes the index over its limit, and others out of sight"),
        ),
        (true, true, Some(true)) => Verdict::of(
            question,
            Mark::Nearly,
            format!("{size}: its line takes the place of others, which no longer load"),
        ),
        _ => Verdict::pass(question, size),
    }
}

fn name_key(document: &Document) -> Option<String> {
    let name = document.header.name.as_deref()?.trim().to_lowercase();
    (!name.is_empty()).then_some(name)
}
