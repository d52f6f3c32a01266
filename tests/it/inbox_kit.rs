//! A store of memories that are told apart, as files a person can say what happened to.

use memcurator::memory::Time;
use memcurator::memory::snapshot::Snapshot;
use memcurator::review::changes::{Changes, Elsewhere, Kind};
use memcurator::review::proposal::intake::Intake;
use memcurator::review::proposal::{Origin, Proposal};
use memcurator::store::{Places, Start, Store};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A store with a review.
pub struct Shop {
    _dir: Option<tempfile::TempDir>,
    pub top: PathBuf,
    pub dir: PathBuf,
    pub places: Places,
}

const SUBJECTS: [&str; 12] = [
    "refunds",
    "ledger",
    "invoices",
    "webhooks",
    "migrations",
    "holidays",
    "deploys",
    "alerts",
    "currencies",
    "exports",
    "accounts",
    "receipts",
];
const FACTS: [&str; 12] = [
    "are held until a second person has approved them, since the auditors asked",
    "closes at midnight in the zone of the branch office, never in universal time",
    "carry a number that the tax office hands out and that must not be reused",
    "arrive twice now and then, so that each handler looks for the event first",
    "run one at a time behind a lock that the runner takes for the whole database",
    "shift the settlement by a day in the countries that the calendar file lists",
    "happen on Tuesday after the meeting and are never started from a laptop",
    "go to the pager of the team that owns the queue, not to the common channel",
    "round half to even with as many digits as the standard gives for each code",
    "stream row by row because the largest customer has nine million of them",
    "merge only when the support desk has checked both owners by telephone",
    "print in the language of the till although the account has another one",
];

pub fn name(i: usize) -> String {
    format!("{}-{i:02}", SUBJECTS[i % 12])
}

pub fn memory(i: usize) -> String {
    let (subject, fact) = (SUBJECTS[i % 12], FACTS[i % 12]);
    let number =
        "alpha bravo charlie delta echo foxtrot golf hotel india juliet".split(' ').nth(i / 12 % 10).unwrap();
    let (a, b) = (FACTS[(i + 5) % 12], FACTS[(i * 7 + 3) % 12]);
    format!(
        "---\nname: {}\ndescription: {subject} of {number} unit {i}\ntype: project\n---\n\nIn {number} unit {i} the {subject} {fact}.\n\n\
         **Why:** In {number} they {a}.\n\n**How to apply:** When they {b}.\n",
        name(i)
    )
}

pub fn line(i: usize) -> String {
    format!("- [{}]({}.md) — {} {i}\n", name(i), name(i), SUBJECTS[i % 12])
}

pub fn now() -> Time {
    "2026-03-05T10:00:00Z".parse().unwrap()
}

impl Shop {
    /// A store of so many memories, all of them reviewed.
    pub fn new(memories: usize) -> Self {
        let shm = Path::new("/dev/shm");
        let dir = if shm.is_dir() { tempfile::tempdir_in(shm) } else { tempfile::tempdir() }.unwrap();
        let mut shop = Self::at(dir.path());
        shop._dir = Some(dir);
        fs::create_dir(&shop.dir).unwrap();
        let mut index = String::from("# Index\n\n");
        for i in 0..memories {
            shop.write(&format!("{}.md", name(i)), &memory(i));
            index.push_str(&line(i));
        }
        shop.write("MEMORY.md", &index);
        shop.open().start_review(Start::AsItIs, now()).unwrap();
        shop
    }

    pub fn at(top: &Path) -> Self {
        let top = top.canonicalize().unwrap();
        let places =
            Places { state: top.join("state"), cache: top.join("cache"), config: top.join("config") };
        Self { _dir: None, dir: top.join("memory"), top, places }
    }

    pub fn open(&self) -> Store {
        Store::open(&self.dir, &self.places).unwrap()
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.dir.join(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.dir.join(name)).unwrap()
    }

    pub fn remove(&self, i: usize) {
        fs::remove_file(self.dir.join(format!("{}.md", name(i)))).unwrap();
        self.edit("MEMORY.md", &line(i), "");
    }

    pub fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{from:?} in {text}");
        self.write(name, &text.replacen(from, to, 1));
    }

    /// Every file by name.
    pub fn files(&self) -> BTreeMap<String, String> {
        let entries = fs::read_dir(&self.dir).unwrap().map(|entry| entry.unwrap());
        entries
            .map(|entry| {
                let name = entry.file_name().into_string().unwrap();
                let text = self.read(&name);
                (name, text)
            })
            .collect()
    }

    pub fn snapshot(&self) -> Snapshot {
        self.open().scan(&|_| {}).unwrap()
    }

    pub fn changes(&self) -> Changes {
        let store = self.open();
        let snapshot = store.scan(&|_| {}).unwrap();
        Changes::of(store.unreviewed(&snapshot).unwrap().unwrap(), &snapshot, &[])
    }

    /// What others changed, as a person would say it.
    pub fn listed(&self) -> Vec<String> {
        let mut all: Vec<String> = self
            .changes()
            .list
            .iter()
            .map(|change| match (&change.kind, &change.moved_to) {
                (Kind::Added, _) => format!("added {}", change.path),
                (Kind::Changed, _) => format!("changed {}", change.path),
                (Kind::Deleted, None) => format!("deleted {}", change.path),
                (Kind::Deleted, Some(Elsewhere::Memory(to))) => format!("{} went into {to}", change.path),
                (Kind::Deleted, Some(Elsewhere::Instructions(to))) => format!("{} is in {to}", change.path),
                (Kind::Renamed { from }, _) => format!("{from} is {} now", change.path),
                (Kind::Index, _) => format!("index, {} lines", change.lines.len()),
            })
            .collect();
        all.sort();
        all
    }

    /// Proposes what a JSON or Markdown text says.
    pub fn propose(&self, text: &str) -> Vec<Proposal> {
        let origin = Origin { kind: "propose".into(), ..Origin::default() };
        let made = Intake::new(&self.snapshot(), &[], &origin, now()).read(text).unwrap();
        self.open().queue().add(&made, now()).unwrap()
    }
}
