//! A small store with the oddities of real ones, on the disk, and the screens on a virtual terminal.

use memcurator::memory::Time;
use memcurator::prompt::locate::{FoundStore, Layout, Located};
use memcurator::prompt::port::Environment;
use memcurator::prompt::subject::Usual;
use memcurator::shell::{Clock, Session, Stage, Start};
use memcurator::store::Places;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// The files of the store: path, days since the last change, text.
pub const FILES: &[(&str, u64, &str)] = &[
    (
        "MEMORY.md",
        0,
        "# Index\n\n- [Tests on a real database](integration-tests.md) — a mock hid a failed migration\n\
         - [Small commits](small-commits.md) — one thing each\n\
         - [Refunds](project_refunds.md) — two approvals over 500\n\
         - [Dashboards](reference_boards.md) — where the graphs are\n\
         - [Editor](user_editor.md) — tabs of four\n\
         - [中文 notes](wide.md) — 宽 characters\n\
         - [Odd one](odd.md) — a type of its own\n\
         - [Bare](bare.md) — no frontmatter\n",
    ),
    (
        "integration-tests.md",
        0,
        "---\nname: integration-tests-real-db\ndescription: Integration tests connect to a real database\nmetadata: \n  \
         node_type: memory\n  type: feedback\n---\n\nIntegration tests connect to a **real** database.\n\n**Why:** A mocked \
         test passed while the production migration failed.\n\n**How to apply:** Every test classified as integration \
         test. See [[small-commits]].\n",
    ),
    (
        "small-commits.md",
        3,
        "---\nname: prefer-small-commits\ndescription: One commit does one thing\ntype: feedback\n---\n\nOne commit does \
         one thing.\n\n**Why:** They are easy to take back.\n\n**How to apply:** Split before asking for review.\n",
    ),
    (
        "project_refunds.md",
        40,
        "---\nname: Refunds need two approvals\ndescription: Since the March audit, refunds over 500 need a second \
         approval before they are sent\ntype: project\n---\n\nRefunds over 500 are held until a second person approves \
         them.\n\n| amount | approvals |\n|---|---|\n| up to 500 | one |\n| more | two |\n\n```sh\nrefund --hold 500\n```\n\
         \nSee [commits](small-commits.md).\n",
    ),
    (
        "reference_boards.md",
        250,
        "---\nname: Dashboards\ndescription: Where the graphs are\ntype: reference\n---\n\nThe graphs are at \
         <https://graphs.example.com>.\n",
    ),
    (
        "user_editor.md",
        20,
        "---\nname: Editor\ndescription: Tabs of four\ntype: user\n---\n\nUses tabs of four.\n",
    ),
    (
        "wide.md",
        5,
        "---\nname: 中文 notes e\u{301}\ndescription: 宽宽宽 wide and combining e\u{301} characters stay aligned\ntype: \
         project\n---\n\n全角の文字は二つの列を取る。\n",
    ),
    (
        "odd.md",
        9,
        "---\nname: Odd one\ndescription: A type of its own\ntype: ritual\n---\n\nEvery morning.\n",
    ),
    ("bare.md", 9, "No frontmatter at all.\n"),
    (
        "broken.md",
        9,
        "---\nname: Broken yaml\ndescription: has: colons: in it\ntype: project\n---\n\nStill shown.\n",
    ),
    (
        "hostile.md",
        9,
        "---\nname: hostile\ntype: user\n---\n\nRed \u{1b}[31malert\u{1b}[0m and \u{202e}backwards.\n",
    ),
    (
        "notes/deep.md",
        9,
        "---\nname: Deep\ndescription: In a directory of its own\ntype: project\n---\n\nDown here.\n",
    ),
    ("notes.bak", 9, "left alone\n"),
];

/// The time on the screens.
pub fn now() -> Time {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

/// A store on the disk with memcurator's own places beside it.
pub struct Kit {
    pub dir: TempDir,
}

impl Kit {
    /// The store of [`FILES`].
    pub fn new() -> Self {
        let kit = Self { dir: tempfile::tempdir().unwrap() };
        for (path, days, text) in FILES {
            kit.write(path, *days, text.as_bytes());
        }
        kit
    }

    /// A store that holds only these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let kit = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir_all(kit.store()).unwrap();
        for (path, text) in files {
            kit.write(path, 0, text.as_bytes());
        }
        kit
    }

    pub fn store(&self) -> PathBuf {
        self.dir.path().join("store")
    }

    /// Writes a file that was last changed so many days ago.
    pub fn write(&self, path: &str, days: u64, bytes: &[u8]) {
        let path = self.store().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        let time = SystemTime::from(now()) - Duration::from_secs(days * 86_400 + 60);
        File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    }

    /// What is on the disk: every file of the store with its bytes.
    pub fn disk(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.store(), &self.store(), &mut files);
        files
    }

    /// The names of the files in the store.
    pub fn names(&self) -> Vec<String> {
        self.disk().into_keys().collect()
    }

    pub fn index(&self) -> String {
        fs::read_to_string(self.store().join("MEMORY.md")).unwrap()
    }

    pub fn session(&self, theme: &str) -> Session {
        let located = Located {
            dir: self.store(),
            layout: Layout::Plain,
            project: None,
            because: String::new(),
            off: None,
            notes: Vec::new(),
        };
        let home = self.dir.path().join("home");
        let places =
            Places { state: home.join("state"), cache: home.join("cache"), config: home.join("config") };
        Session {
            start: Start::Store(located),
            places,
            env: Environment { vars: BTreeMap::new(), cwd: home.clone(), home },
            subject: None,
            usual: Usual::default(),
            client: None,
            program: Some(env!("CARGO_BIN_EXE_memcurator").into()),
            clock: Clock::Fixed(now()),
            theme: theme.into(),
            keys: Vec::new(),
            checks: memcurator::check::Settings::default(),
            config: None,
            against: None,
            recall: memcurator::config::Model::default(),
            queries: Vec::new(),
            title: Some("payments".into()),
            replay: None,
        }
    }

    /// The screens on a terminal of so many columns and rows.
    pub fn stage(&self, size: (u16, u16)) -> Stage {
        Stage::open(&self.session(""), size).unwrap()
    }

    /// A session that starts with a list of stores, this one among them.
    pub fn stores_session(&self) -> Session {
        let found = |dir: PathBuf, slug: &str, memories, bytes| FoundStore {
            dir,
            slug: slug.into(),
            memories,
            bytes,
            newest: Some(now()),
        };
        let other = self.dir.path().join("other");
        fs::create_dir_all(&other).unwrap();
        let start = Start::Stores(vec![
            found(other, "-home-ann-src-empty", 0, 0),
            found(self.store(), "-home-ann-src-payments", 11, 2_345),
        ]);
        Session { start, title: None, ..self.session("") }
    }
}

fn collect(root: &Path, dir: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_string();
            files.insert(name, fs::read(&path).unwrap());
        }
    }
}
