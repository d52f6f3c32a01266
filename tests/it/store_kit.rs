//! A store in a temporary directory, with plans made by hand.

use memcurator::memory::Time;
use memcurator::memory::index::ParkedLine;
use memcurator::memory::path::RelPath;
use memcurator::review::plan::{Change, Content, FileState, ParkedChange, Plan, Verb};
use memcurator::store::{Places, Store};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A store of `m00.md` … with an index line each.
pub struct Kit {
    _dir: Option<tempfile::TempDir>,
    pub top: PathBuf,
    pub dir: PathBuf,
    pub places: Places,
}

/// A file as the file system shows it: content or link target, mode, time in seconds and nanoseconds.
pub type Shown = (Vec<u8>, u32, (i64, i64));

impl Kit {
    pub fn new(memories: usize) -> Self {
        // Syncing costs nothing in memory.
        let shm = Path::new("/dev/shm");
        let dir = if shm.is_dir() { tempfile::tempdir_in(shm) } else { tempfile::tempdir() }.unwrap();
        let mut kit = Self::at(dir.path());
        kit._dir = Some(dir);
        kit.fill(memories);
        kit
    }

    /// The same places again, in another process.
    pub fn at(top: &Path) -> Self {
        let top = top.canonicalize().unwrap();
        let places =
            Places { state: top.join("state"), cache: top.join("cache"), config: top.join("config") };
        Self { _dir: None, dir: top.join("memory"), top, places }
    }

    fn fill(&self, memories: usize) {
        fs::create_dir(&self.dir).unwrap();
        let mut index = String::from("# Index\n\n");
        for i in 0..memories {
            let name = name(i);
            self.write(&name, &format!("---\nname: {name}\n---\n\nThe body of {name}.\n"));
            let time = SystemTime::UNIX_EPOCH + Duration::new(1_700_000_000 + i as u64, 123_456_789);
            fs::File::options().write(true).open(self.dir.join(&name)).unwrap().set_modified(time).unwrap();
            index.push_str(&line(i));
        }
        index.push_str("\nSome words at the end.\n");
        self.write("MEMORY.md", &index);
    }

    pub fn open(&self) -> Store {
        Store::open(&self.dir, &self.places).unwrap()
    }

    pub fn home(&self) -> PathBuf {
        self.places.of_store(&self.dir)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.dir.join(name), text).unwrap();
    }

    pub fn append(&self, name: &str, text: &str) {
        use std::io::Write;
        fs::File::options()
            .append(true)
            .open(self.dir.join(name))
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.dir.join(name)).unwrap()
    }

    pub fn exists(&self, name: &str) -> bool {
        self.dir.join(name).symlink_metadata().is_ok()
    }

    pub fn state(&self, name: &str) -> Option<FileState> {
        let path = self.dir.join(name);
        let meta = path.symlink_metadata().ok()?;
        let content = if meta.is_symlink() {
            Content::Link(fs::read_link(&path).unwrap())
        } else {
            Content::File(fs::read(&path).unwrap().into())
        };
        let mtime = Time::from_timestamp(meta.mtime(), u32::try_from(meta.mtime_nsec()).unwrap());
        Some(FileState { content, mode: meta.mode() & 0o7777, mtime })
    }

    /// Everything in the store, hidden files too.
    pub fn shown(&self) -> BTreeMap<PathBuf, Shown> {
        let mut all = BTreeMap::new();
        collect(&self.dir, &self.dir, &mut all);
        all
    }

    /// As [`Kit::shown`], without entries that can't be read as files.
    pub fn shown_but(&self, without: &[&str]) -> BTreeMap<PathBuf, Shown> {
        let aside = self.top.join("aside");
        fs::create_dir_all(&aside).unwrap();
        without.iter().for_each(|name| fs::rename(self.dir.join(name), aside.join(name)).unwrap());
        let shown = self.shown();
        without.iter().for_each(|name| fs::rename(aside.join(name), self.dir.join(name)).unwrap());
        shown
    }

    pub fn index_without(&self, which: &[usize]) -> Change {
        // Read once: someone may be writing to it.
        let before = self.state("MEMORY.md").unwrap();
        let Content::File(bytes) = &before.content else { panic!("the index is a link") };
        let mut text = String::from_utf8(bytes.to_vec()).unwrap();
        for i in which {
            text = text.replace(&line(*i), "");
        }
        let after =
            FileState { content: Content::File(text.as_bytes().into()), mode: before.mode, mtime: None };
        Change { path: rel("MEMORY.md"), before: Some(before), after: Some(after) }
    }

    /// A change of one file from what it holds now.
    pub fn change(&self, name: &str, text: Option<&str>) -> Change {
        let before = self.state(name);
        let mode = before.as_ref().map_or(0o644, |state| state.mode);
        let after =
            text.map(|text| FileState { content: Content::File(text.as_bytes().into()), mode, mtime: None });
        Change { path: rel(name), before, after }
    }

    pub fn delete(&self, which: &[usize]) -> Plan {
        let mut changes: Vec<Change> = which.iter().map(|i| self.change(&name(*i), None)).collect();
        changes.push(self.index_without(which));
        plan(Verb::Delete, &format!("deleted {} memories", which.len()), changes)
    }

    pub fn park(&self, which: &[usize]) -> Plan {
        let mut plan =
            plan(Verb::Park, &format!("parked {} memories", which.len()), vec![self.index_without(which)]);
        let added = which.iter().map(|i| parked(*i)).collect();
        plan.parked = Some(ParkedChange { changed: Vec::new(), added });
        plan
    }
}

pub fn plan(verb: Verb, message: &str, changes: Vec<Change>) -> Plan {
    Plan { verb, message: message.into(), changes, parked: None, warnings: Vec::new(), outside: Vec::new() }
}

pub fn parked(i: usize) -> ParkedLine {
    let text = line(i).trim_end().to_owned();
    ParkedLine {
        path: name(i),
        text,
        section: None,
        before: None,
        after: None,
        instead: None,
        line: 0,
        end: "\n".into(),
    }
}

pub fn name(i: usize) -> String {
    format!("m{i:02}.md")
}

pub fn line(i: usize) -> String {
    format!("- [Memory {i:02}](m{i:02}.md) — its hook\n")
}

pub fn rel(name: &str) -> RelPath {
    RelPath::new(name).unwrap()
}

pub fn now() -> Time {
    at(0)
}

/// So many seconds later.
pub fn at(seconds: i64) -> Time {
    Time::from_timestamp(1_772_704_800 + seconds, 0).unwrap()
}

fn collect(root: &Path, dir: &Path, all: &mut BTreeMap<PathBuf, Shown>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let meta = path.symlink_metadata().unwrap();
        if meta.is_dir() {
            collect(root, &path, all);
            continue;
        }
        let content = if meta.is_symlink() {
            use std::os::unix::ffi::OsStringExt;
            fs::read_link(&path).unwrap().into_os_string().into_vec()
        } else {
            fs::read(&path).unwrap()
        };
        let key = path.strip_prefix(root).unwrap().to_path_buf();
        all.insert(key, (content, meta.mode() & 0o7777, (meta.mtime(), meta.mtime_nsec())));
    }
}
