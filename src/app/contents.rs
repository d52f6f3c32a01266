//! What was read from a store, with all that the screens show of it worked out once, on a worker.

use crate::app::deep::{Checks, Looked};
use crate::check::{self, CheckId, Depth, Facts, Finding, Look, Severity, Silenced, secrets};
use crate::memory::Time;
use crate::memory::age::{self, Age};
use crate::memory::document::MemoryType;
use crate::memory::extended;
use crate::memory::index::ParkedLine;
use crate::memory::links::{Destination, Links};
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
/// What is shown of a store stands on one line mostly.
pub use crate::memory::text::one_line;
use crate::prompt::limits::Fate;
use std::collections::{HashMap, HashSet};

/// A store's contents and what is worked out from them.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// The store as it was read.
    pub snapshot: Snapshot,
    /// The index lines that are parked.
    pub parked: Vec<ParkedLine>,
    /// What the list shows: first every memory, in the order of the snapshot, then the index, then the
    /// files that can't be read.
    pub entries: Vec<Entry>,
    /// Every finding, as `check` orders them.
    pub findings: Vec<Finding>,
    /// Every finding that is not reported, with what silences it.
    pub silenced: Vec<Silenced>,
    /// What a person set about the checks, and what the deep ones found before.
    pub checks: Checks,
    /// What the deep checks looked at; `None`: they have not looked at these contents yet.
    pub looked: Option<Looked>,
    /// How much of the index loads.
    pub budget: Option<Budget>,
    places: HashMap<RelPath, usize>,
}

/// The index against its limits, in lines and UTF-16 units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Lines that count.
    pub lines: usize,
    /// Units that count.
    pub units: usize,
    /// How many memories are not seen, since every line that names them is cut.
    pub not_seen: usize,
}

/// What one line of the list stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// A memory: its place in the snapshot.
    Memory(usize),
    /// The index itself.
    Index,
    /// A file that can't be read: its place in the snapshot.
    Unreadable(usize),
}

/// One line of the list. Texts are safe to show.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What it stands for.
    pub item: Item,
    /// Its file.
    pub path: RelPath,
    /// Its name on one line, after the sub-directory it lies in.
    pub name: String,
    /// Its description on one line; for a file that can't be read, why.
    pub description: String,
    /// Its group when nothing is found on it.
    pub group: Group,
    /// How old it is.
    pub age: Option<Age>,
    /// What its frontmatter says beyond that ([`extended::words`]), each on one line.
    pub says: Vec<String>,
    /// The days that the client will name when the memory is read, if it says anything.
    pub client_note: Option<u32>,
    /// The size of the file in bytes.
    pub bytes: usize,
    /// Whether sessions see it in the index.
    pub listing: Listing,
    /// What is odd about it, in short words.
    pub flags: Vec<&'static str>,
    /// Its findings: places in [`Contents::findings`].
    pub findings: Vec<usize>,
    /// The worst of its findings.
    pub worst: Option<Severity>,
    /// It has a finding of a warning or worse that its group's own heading does not say already.
    pub is_worth_a_look: bool,
    /// The memories it links to: places in [`Contents::entries`].
    pub links_out: Vec<usize>,
    /// The memories that link to it.
    pub links_in: Vec<usize>,
}

/// Whether the index names a memory, and whether that line loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// A line that loads names it.
    Loads,
    /// Only lines below the cut (or in what is stripped) name it.
    NotSeen,
    /// No line names it.
    NotListed,
    /// Its line is parked.
    Parked,
    /// There is no index, or it is the index.
    None,
}

/// The groups of the list, in their order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// What has findings of a warning or worse.
    WorthALook,
    /// Memories of one type; types outside the four follow by name, then those without a type.
    Type(MemoryType),
    /// The index, when nothing is found on it.
    Index,
    /// Files that can't be read.
    Unreadable,
}

impl Contents {
    /// Works out what the screens show.
    #[must_use]
    pub fn new(snapshot: Snapshot, parked: Vec<ParkedLine>, now: Time) -> Self {
        Self::with(snapshot, parked, now, Checks::default())
    }

    /// The same, with what a person set about the checks. What the deep ones found before on memories that are as
    /// they were is still shown.
    #[must_use]
    pub fn with(snapshot: Snapshot, parked: Vec<ParkedLine>, now: Time, checks: Checks) -> Self {
        let facts = Facts::of(&snapshot);
        let known = checks.deep.as_ref().map(|deep| deep.still_there(&snapshot)).unwrap_or_default();
        let look = Look::quick(&snapshot, &facts, &parked, now, &checks.settings);
        let report = check::report_with(&look, Depth::Quick, known, &mut |_| true);
        let places: HashMap<RelPath, usize> =
            snapshot.memories.iter().enumerate().map(|(at, memory)| (memory.path.clone(), at)).collect();
        let named = &facts.resolution.memory_of;
        let (listings, budget) = listings(&snapshot, &parked, &facts);
        let mut entries: Vec<Entry> = Vec::with_capacity(snapshot.memories.len() + 1);
        for (at, (memory, listing)) in snapshot.memories.iter().zip(listings).enumerate() {
            let mut entry = of_memory(at, memory, listing, now);
            entry.links_out = links_out(&facts.links, &memory.path, &places);
            let into = facts.links.linked_from(&memory.path).iter();
            entry.links_in = into.filter_map(|path| places.get(path).copied()).collect();
            entries.push(entry);
        }
        if let (Some(index), Some(path)) = (&snapshot.index, RelPath::new("MEMORY.md")) {
            let mut targets = Vec::new();
            let mut seen = HashSet::new();
            targets.extend(named.iter().flatten().filter(|at| seen.insert(**at)));
            entries.push(Entry {
                bytes: index.bytes.len(),
                description: "loads at the start of every session".into(),
                client_note: age::client_note_of(index.stat.mtime, now),
                links_out: targets,
                ..Entry::bare(Item::Index, path, Group::Index)
            });
        }
        for (at, unreadable) in snapshot.unreadable.iter().enumerate() {
            entries.push(Entry {
                description: one_line(&unreadable.why),
                ..Entry::bare(Item::Unreadable(at), unreadable.path.clone(), Group::Unreadable)
            });
        }
        let places = entries.iter().enumerate().map(|(at, entry)| (entry.path.clone(), at)).collect();
        attach(&report.findings, &mut entries, &places);
        let (findings, silenced) = (report.findings, report.silenced);
        Self { snapshot, parked, entries, findings, silenced, checks, looked: None, budget, places }
    }

    /// The same contents with what all checks found.
    #[must_use]
    pub fn checked(&self, report: check::Report, looked: Looked) -> Self {
        let mut entries = self.entries.clone();
        for entry in &mut entries {
            entry.findings.clear();
            entry.worst = None;
            entry.is_worth_a_look = false;
            entry.flags = match self.memory(entry) {
                Some(memory) => flags(memory, entry.listing),
                None => Vec::new(),
            };
        }
        attach(&report.findings, &mut entries, &self.places);
        Self {
            snapshot: self.snapshot.clone(),
            parked: self.parked.clone(),
            entries,
            findings: report.findings,
            silenced: report.silenced,
            checks: self.checks.clone(),
            looked: Some(looked),
            budget: self.budget,
            places: self.places.clone(),
        }
    }

    /// How many findings are a warning or worse.
    #[must_use]
    pub fn worth_a_look(&self) -> usize {
        self.findings.partition_point(|finding| finding.severity >= Severity::Warning)
    }

    /// The bytes of the file that a finding is about.
    #[must_use]
    pub fn bytes_of(&self, path: &RelPath) -> Option<&[u8]> {
        if path.is_index() {
            return self.snapshot.index.as_ref().map(|index| &*index.bytes);
        }
        self.memory(self.entries.get(self.find(path)?)?).map(|memory| &*memory.bytes)
    }

    /// The memory that an entry stands for.
    #[must_use]
    pub fn memory(&self, entry: &Entry) -> Option<&Memory> {
        match entry.item {
            Item::Memory(at) => self.snapshot.memories.get(at).map(AsRef::as_ref),
            Item::Index | Item::Unreadable(_) => None,
        }
    }

    /// The text that the pane shows for an entry: a memory's body, the index whole.
    #[must_use]
    pub fn body(&self, entry: &Entry) -> &[u8] {
        match (entry.item, self.memory(entry), &self.snapshot.index) {
            (_, Some(memory), _) => memory.bytes.get(memory.document.body.clone()).unwrap_or_default(),
            (Item::Index, None, Some(index)) => &index.bytes,
            _ => &[],
        }
    }

    /// The entry for a file.
    #[must_use]
    pub fn find(&self, path: &RelPath) -> Option<usize> {
        self.places.get(path).copied()
    }
}

impl Entry {
    /// The group it is listed in.
    #[must_use]
    pub fn shown_in(&self) -> Group {
        if self.is_worth_a_look { Group::WorthALook } else { self.group.clone() }
    }

    /// Whether it is listed in this group.
    #[must_use]
    pub fn is_shown_in(&self, group: &Group) -> bool {
        if self.is_worth_a_look { *group == Group::WorthALook } else { *group == self.group }
    }

    /// Whether it can be deleted and parked.
    #[must_use]
    pub fn is_memory(&self) -> bool {
        matches!(self.item, Item::Memory(_))
    }

    /// The links out, then the links in: places in [`Contents::entries`].
    pub fn links(&self) -> impl Iterator<Item = usize> + '_ {
        self.links_out.iter().chain(&self.links_in).copied()
    }

    fn bare(item: Item, path: RelPath, group: Group) -> Self {
        Self {
            item,
            name: one_line(&path.to_str_lossy()),
            path,
            description: String::new(),
            group,
            age: None,
            says: Vec::new(),
            client_note: None,
            bytes: 0,
            listing: Listing::None,
            flags: Vec::new(),
            findings: Vec::new(),
            worst: None,
            is_worth_a_look: false,
            links_out: Vec::new(),
            links_in: Vec::new(),
        }
    }
}

impl Group {
    /// The heading of the group.
    #[must_use]
    pub fn title(&self) -> String {
        match self {
            Self::WorthALook => "worth a look".into(),
            Self::Type(MemoryType::Missing) => "no type".into(),
            Self::Type(MemoryType::Other(word)) => format!("{} (not one of the four types)", one_line(word)),
            Self::Type(kind) => kind.as_str().into(),
            Self::Index => "index".into(),
            Self::Unreadable => "can't be read".into(),
        }
    }
}

fn of_memory(at: usize, memory: &Memory, listing: Listing, now: Time) -> Entry {
    let header = &memory.document.header;
    let mut entry = Entry::bare(Item::Memory(at), memory.path.clone(), Group::Type(header.kind.clone()));
    let dir = memory.path.as_path().parent().filter(|dir| !dir.as_os_str().is_empty());
    entry.name = one_line(&match dir {
        Some(dir) => format!("{}/ {}", dir.to_string_lossy(), memory.title()),
        None => memory.title().into_owned(),
    });
    entry.description = one_line(&secrets::mask(header.description.as_deref().unwrap_or_default()));
    entry.age = Some(age::age(memory, now));
    let says = extended::words(header, now);
    entry.says = says.iter().map(|said| one_line(&secrets::mask(said))).collect();
    entry.client_note = age::client_note(memory, now);
    entry.bytes = memory.bytes.len();
    entry.listing = listing;
    entry.flags = flags(memory, listing);
    entry
}

fn flags(memory: &Memory, listing: Listing) -> Vec<&'static str> {
    let mut flags = Vec::new();
    flags.extend(match listing {
        Listing::NotSeen => Some("not seen"),
        Listing::NotListed => Some("orphan"),
        Listing::Parked => Some("parked"),
        Listing::Loads | Listing::None => None,
    });
    if let Some(link) = &memory.stat.link {
        flags.push(if link.inside { "link" } else { "link out" });
    }
    if memory.bytes.is_empty() {
        flags.push("empty");
    }
    flags
}

/// The memories that a memory links to, each once, itself left out.
fn links_out(links: &Links, path: &RelPath, places: &HashMap<RelPath, usize>) -> Vec<usize> {
    let mut found = Vec::new();
    for link in links.out(path) {
        if let Destination::Memory(to) = &link.to
            && to != path
            && let Some(at) = places.get(to)
            && !found.contains(at)
        {
            found.push(*at);
        }
    }
    found
}

/// For each memory whether the index names it, and how much of the index loads.
fn listings(snapshot: &Snapshot, parked: &[ParkedLine], facts: &Facts) -> (Vec<Listing>, Option<Budget>) {
    let (Some(file), Some(loaded)) = (&snapshot.index, &facts.loaded) else {
        return (vec![Listing::None; snapshot.memories.len()], None);
    };
    let mut loads: HashMap<usize, bool> = HashMap::new();
    for (entry, memory) in file.index.entries.iter().zip(&facts.resolution.memory_of) {
        if let Some(at) = memory {
            *loads.entry(*at).or_default() |= loaded.fate.get(entry.line) == Some(&Fate::Loads);
        }
    }
    let parked: HashSet<&str> = parked.iter().map(|line| line.path.as_str()).collect();
    let listing = |(at, path): (usize, &RelPath)| match loads.get(&at) {
        Some(true) => Listing::Loads,
        Some(false) => Listing::NotSeen,
        None if parked.contains(path.to_str_lossy().as_ref()) => Listing::Parked,
        None => Listing::NotListed,
    };
    let listings: Vec<_> =
        snapshot.memories.iter().map(|memory| &memory.path).enumerate().map(listing).collect();
    let not_seen = listings.iter().filter(|listing| **listing == Listing::NotSeen).count();
    (listings, Some(Budget { lines: loaded.lines, units: loaded.units, not_seen }))
}

/// Checks whose finding the heading of the memory's group says already.
const TOLD_BY_THE_GROUP: &[&str] = &["type-missing", "type-unknown"];

/// The short word for a check; the flags that are worked out here have the same.
fn short(check: CheckId) -> &'static str {
    match check.0 {
        "frontmatter-invalid" => "yaml",
        "frontmatter-lossy" => "lossy",
        "frontmatter-wiped" => "wiped",
        "index-orphan" => "orphan",
        "age-hidden" => "age hidden",
        "link-escapes" => "link out",
        "name-missing" => "no name",
        "name-duplicate" => "same name",
        "description-missing" => "no description",
        "type-missing" => "no type",
        "type-unknown" => "odd type",
        "hidden-text" => "hidden text",
        "terminal-escape" => "escapes",
        "index-over-lines" | "index-over-size" => "too long",
        "index-dangling" => "dangling",
        "index-duplicate" => "twice",
        "path-gone" => "path gone",
        "path-moved" => "path moved",
        "symbol-gone" => "symbol gone",
        "flag-gone" => "flag gone",
        "setting-gone" => "setting gone",
        "date-past" => "date past",
        "relative-date" => "relative date",
        "repeats-instructions" => "in instructions",
        "repeats-repository" => "in repository",
        "repeats-history" => "in history",
        "instruction-override" => "override",
        "metadata-invalid" => "odd value",
        "expires-soon" => "ends soon",
        "index-near-limit" => "near limit",
        "index-entry-long" => "long line",
        "description-vague" => "vague",
        "why-missing" => "no why",
        "how-missing" => "no how",
        id => id,
    }
}

/// Hands each finding to the entry it is about.
fn attach(findings: &[Finding], entries: &mut [Entry], places: &HashMap<RelPath, usize>) {
    for (number, finding) in findings.iter().enumerate() {
        if let Some(entry) = places.get(&finding.memory).and_then(|at| entries.get_mut(*at)) {
            entry.worst = entry.worst.max(Some(finding.severity));
            let word = short(finding.check);
            if finding.severity >= Severity::Warning {
                entry.is_worth_a_look |= !TOLD_BY_THE_GROUP.contains(&finding.check.0);
                if !entry.flags.contains(&word) {
                    entry.flags.push(word);
                }
            }
            entry.findings.push(number);
        }
    }
}
