//! What is not to be reported: set by a person (for good, for a store, until a date, until the memory changes), or
//! said by the memory itself.
//!
//! In a memory: the key `memcurator-silence: path-gone` in the frontmatter, or a comment
//! `<!-- memcurator: silence path-gone -->`. Several ids stand behind commas; words behind an id are what the finding
//! is about (`path-gone scripts/old.sh`). A memory can't silence security findings about itself: whoever put the
//! hidden text there would do so too.

use super::report::By;
use super::{Finding, Look};
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::visible;
use std::collections::HashMap;

/// The key of the frontmatter by which a memory silences checks about itself.
const KEY: &str = "memcurator-silence";
/// How a comment begins that does the same.
const COMMENT: &[u8] = b"<!-- memcurator: silence ";

/// What is not to be reported. What is empty stands for everything; check and memory are never both empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Silence {
    /// The check's id.
    pub check: String,
    /// The memory's path in its store.
    pub memory: String,
    /// What the finding is about.
    pub about: String,
    /// Only until then.
    pub until: Option<Time>,
    /// Only while the memory says what it said ([`fingerprint`]).
    pub hash: Option<String>,
    /// Where it is set.
    pub scope: Scope,
}

/// Where something is silenced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scope {
    /// For the store, in memcurator's own state.
    #[default]
    Store,
    /// For good, in the configuration.
    Config,
}

impl Silence {
    /// Exactly this finding.
    #[must_use]
    pub fn of(finding: &Finding) -> Self {
        Self {
            check: finding.check.0.into(),
            memory: finding.memory.to_str_lossy().into_owned(),
            about: finding.about.clone(),
            ..Self::default()
        }
    }

    /// Every finding of a check.
    #[must_use]
    pub fn of_check(check: &str) -> Self {
        Self { check: check.into(), ..Self::default() }
    }

    /// Every finding on a memory, until then.
    #[must_use]
    pub fn snooze(memory: &RelPath, until: Time) -> Self {
        Self { memory: memory.to_str_lossy().into_owned(), until: Some(until), ..Self::default() }
    }

    /// Whether it silences a finding on a memory that says this at that time.
    #[must_use]
    pub fn covers(&self, finding: &Finding, print: Option<&str>, now: Time) -> bool {
        let is = |set: &str, found: &str| set.is_empty() || set == found;
        !(self.check.is_empty() && self.memory.is_empty())
            && is(&self.check, finding.check.0)
            && is(&self.memory, &finding.memory.to_str_lossy())
            && is(&self.about, &finding.about)
            && self.until.is_none_or(|until| now < until)
            && self.hash.as_deref().is_none_or(|hash| print == Some(hash))
    }

    /// What it silences, in words that are safe to show.
    #[must_use]
    pub fn words(&self) -> String {
        let check = if self.check.is_empty() { "everything" } else { &self.check };
        let mut words = check.to_owned();
        if !self.about.is_empty() {
            words.push_str(&format!(" about {}", self.about));
        }
        words.push_str(&match self.memory.as_str() {
            "" => " in every memory".to_owned(),
            memory => format!(" in {memory}"),
        });
        if let Some(until) = self.until {
            words.push_str(&format!(", until {}", until.format("%Y-%m-%d")));
        }
        if self.hash.is_some() {
            words.push_str(", until it changes");
        }
        words.push_str(match self.scope {
            Scope::Store => "",
            Scope::Config => " (in the configuration)",
        });
        visible(&words, false).into_owned()
    }
}

/// What a memory says, as a short text: it is another one as soon as its name, description, type or body is. Dates
/// don't count, so that "still true" and repairs of the form leave it. For the index, all of it. `None`: there is no
/// such file.
#[must_use]
pub fn fingerprint(snapshot: &Snapshot, path: &RelPath) -> Option<String> {
    if path.is_index() {
        return snapshot.index.as_ref().map(|index| hex(fnv(START, &index.bytes)));
    }
    snapshot.memories.iter().find(|memory| memory.path == *path).map(|memory| print_of(memory))
}

fn print_of(memory: &Memory) -> String {
    let header = &memory.document.header;
    let texts = [
        header.name.as_deref().unwrap_or_default().as_bytes(),
        header.description.as_deref().unwrap_or_default().as_bytes(),
        header.kind.as_str().as_bytes(),
        memory.bytes.get(memory.document.body.clone()).unwrap_or_default(),
    ];
    hex(texts.iter().fold(START, |hash, text| fnv(fnv(hash, text), &[0])))
}

fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

/// FNV-1a: it has to stay the same from release to release, and is no protection against anyone.
fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// All that silences findings of a store.
pub(super) struct Silences<'a> {
    look: &'a Look<'a>,
    /// Those that are about every memory.
    general: Vec<&'a Silence>,
    by_memory: HashMap<&'a str, Vec<&'a Silence>>,
    memories: HashMap<&'a RelPath, &'a Memory>,
}

impl<'a> Silences<'a> {
    pub(super) fn new(look: &'a Look<'a>) -> Self {
        let mut by_memory: HashMap<&str, Vec<&Silence>> = HashMap::new();
        let mut general = Vec::new();
        for silence in &look.settings.silenced {
            match silence.memory.as_str() {
                "" => general.push(silence),
                memory => by_memory.entry(memory).or_default().push(silence),
            }
        }
        let memories = look.snapshot.memories.iter().map(|memory| (&memory.path, memory.as_ref())).collect();
        Self { look, general, by_memory, memories }
    }

    /// What silences a finding.
    pub(super) fn of(&self, finding: &Finding) -> Option<By> {
        let memory = self.memories.get(&finding.memory).copied();
        let own = self.by_memory.get(finding.memory.to_str_lossy().as_ref());
        let all = self.general.iter().chain(own.into_iter().flatten());
        let mut print = None;
        for silence in all {
            if silence.hash.is_some() && print.is_none() {
                let snapshot = self.look.snapshot;
                print = memory.map(print_of).or_else(|| fingerprint(snapshot, &finding.memory));
            }
            if silence.covers(finding, print.as_deref(), self.look.now) {
                return Some(By::Person((*silence).clone()));
            }
        }
        let says_so = memory.is_some_and(|memory| says_itself(memory, finding));
        (says_so && finding.check.family() != "security").then_some(By::Memory)
    }
}

/// Whether a memory silences a finding about itself.
fn says_itself(memory: &Memory, finding: &Finding) -> bool {
    let header = &memory.document.header;
    let keys = header.others.iter().filter(|(key, _)| key.rsplit('.').next() == Some(KEY));
    if keys.map(|(_, value)| value.as_ref()).any(|value| names(value, finding)) {
        return true;
    }
    let body = memory.bytes.get(memory.document.body.clone()).unwrap_or_default();
    memchr::memmem::find_iter(body, COMMENT).any(|at| {
        let rest = body.get(at + COMMENT.len()..).unwrap_or_default();
        let end = memchr::memmem::find(rest, b"-->").unwrap_or(0);
        names(&String::from_utf8_lossy(rest.get(..end).unwrap_or_default()), finding)
    })
}

/// Whether a list of ids, each with or without what it is about, names a finding.
fn names(list: &str, finding: &Finding) -> bool {
    list.trim_matches(['[', ']', ' ', '\n']).split([',', '\n']).any(|item| {
        let item = item.trim().trim_start_matches("- ").trim_matches(['"', '\'']);
        let (check, about) = item.split_once(char::is_whitespace).unwrap_or((item, ""));
        check == finding.check.0 && (about.is_empty() || about.trim() == finding.about)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckId, Severity};
    use crate::memory::document::Document;
    use crate::memory::snapshot::Stat;

    fn finding(check: &'static str, about: &str) -> Finding {
        Finding {
            check: CheckId(check),
            severity: Severity::Warning,
            memory: RelPath::new("a.md").unwrap(),
            line: 1,
            message: String::new(),
            about: about.into(),
            range: None,
            evidence: Vec::new(),
            fixes: Vec::new(),
        }
    }

    fn memory(text: &str) -> Memory {
        let stat = Stat { mtime: now(), mode: 0o644, link: None };
        Memory {
            path: RelPath::new("a.md").unwrap(),
            bytes: text.as_bytes().into(),
            document: Document::parse(text.as_bytes()),
            stat,
        }
    }

    fn now() -> Time {
        "2026-11-30T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn what_a_person_set() {
        let one = finding("path-gone", "x.sh");
        let covers = |silence: &Silence| silence.covers(&one, Some("p"), now());
        assert!(covers(&Silence::of(&one)));
        assert!(covers(&Silence::of_check("path-gone")));
        assert!(!covers(&Silence::of_check("path-moved")));
        assert!(!covers(&Silence { about: "y.sh".into(), ..Silence::of(&one) }));
        assert!(!covers(&Silence { memory: "b.md".into(), ..Silence::of(&one) }));
        assert!(covers(&Silence { hash: Some("p".into()), ..Silence::of(&one) }));
        assert!(!covers(&Silence { hash: Some("q".into()), ..Silence::of(&one) }));
        let day = chrono::TimeDelta::days(1);
        assert!(covers(&Silence::snooze(&one.memory, now() + day)));
        assert!(!covers(&Silence::snooze(&one.memory, now() - day)));
        assert!(!covers(&Silence::default()), "nothing named is nothing silenced");
    }

    #[test]
    fn what_the_memory_says_itself() {
        for (text, silent) in [
            ("---\nname: a\nmemcurator-silence: path-gone\n---\n", true),
            ("---\nname: a\nmemcurator-silence: old, path-gone\n---\n", true),
            ("---\nname: a\nmemcurator-silence: [old, path-gone]\n---\n", true),
            ("---\nname: a\nmemcurator-silence: path-gone x.sh\n---\n", true),
            ("---\nname: a\nmemcurator-silence: path-gone y.sh\n---\n", false),
            ("---\nname: a\nmetadata:\n  memcurator-silence: path-gone\n---\n", true),
            ("---\nname: a\n---\nText <!-- memcurator: silence path-gone --> more.\n", true),
            ("---\nname: a\n---\n<!-- memcurator: silence path-gone x.sh, old -->\n", true),
            ("---\nname: a\n---\n<!-- memcurator: silence path-moved -->\n", false),
            ("---\nname: a\n---\n<!-- memcurator: silence path-gone\n", false),
            ("---\nname: a\n---\nmemcurator: silence path-gone\n", false),
        ] {
            assert_eq!(says_itself(&memory(text), &finding("path-gone", "x.sh")), silent, "{text}");
        }
    }

    #[test]
    fn a_fingerprint_is_of_what_is_said() {
        let text = "---\nname: a\ndescription: b\nmodified: 2026-01-01\n---\nBody.\n";
        let print = |text: &str| print_of(&memory(text));
        assert_eq!(print(text), print(&text.replace("2026-01-01", "2026-05-05")));
        for (from, to) in [("name: a", "name: b"), ("description: b", "description: c"), ("Body", "Bodies")] {
            assert_ne!(print(text), print(&text.replace(from, to)), "{to}");
        }
    }
}
