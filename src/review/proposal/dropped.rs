//! Makes a proposal of a Markdown file that an agent without memcurator left for the inbox: a memory as it would be, under
//! the name that it would have. As strict as what `propose` is given.

use super::{Action, Faulty, MAX_BYTES, Origin, Proposal, Waiting, markdown, read, sha256};
use crate::memory::Time;
use std::sync::Arc;

/// A file as it was found.
#[derive(Debug, Clone)]
pub struct Dropped<'a> {
    /// The name by which it is known while it waits.
    pub id: String,
    /// Its file name.
    pub name: &'a str,
    /// What it holds, or why it can't be read, in words.
    pub bytes: Result<Arc<[u8]>, String>,
    /// The memory of this name that the store has: then it is another version of that.
    pub current: Option<&'a [u8]>,
    /// When it was written.
    pub time: Option<Time>,
    /// The directory, as it is told.
    pub from: &'a str,
}

impl Dropped<'_> {
    /// The proposal that it is, or its fault.
    #[must_use]
    pub fn read(self) -> Waiting {
        let bytes = self.bytes.clone().ok().filter(|bytes| bytes.len() <= MAX_BYTES);
        match self.proposal() {
            Ok(proposal) => Waiting::Proposal(Box::new(proposal)),
            Err(fault) => {
                let fault = format!("{}: {fault}", crate::memory::text::visible(self.name, false));
                Waiting::Faulty(Faulty { id: self.id, fault, bytes })
            }
        }
    }

    fn proposal(&self) -> Result<Proposal, String> {
        let target = read::target(self.name)?;
        let bytes = self.bytes.clone()?;
        if bytes.len() > MAX_BYTES {
            return Err(format!("it has more than {MAX_BYTES} bytes"));
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| "it is not UTF-8")?;
        if text.trim().is_empty() {
            return Err("it is empty".into());
        }
        let count = markdown::split(text).len();
        if count > 1 {
            return Err(format!("it holds {count} memories: each wants a file of its own"));
        }
        Ok(Proposal {
            id: self.id.clone(),
            action: if self.current.is_some() { Action::Change } else { Action::Add },
            target,
            base: self.current.map(sha256),
            origin: Origin { kind: "agent".into(), by: Some(self.from.into()), ..Origin::default() },
            time: self.time,
            reason: None,
            index_line: None,
            bytes: Some(bytes),
            notes: Vec::new(),
            alone: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, bytes: &[u8], current: Option<&[u8]>) -> Waiting {
        let (id, bytes) = ("agent-1".into(), Ok(bytes.into()));
        Dropped { id, name, bytes, current, time: None, from: ".agent/pending" }.read()
    }

    #[test]
    fn a_file_is_a_new_memory_or_another_version_of_one() {
        let text = b"\xef\xbb\xbf---\r\nname: a\r\n---\r\nThe fact.\r\n";
        let new = of("a.md", text, None);
        let new = new.proposal().unwrap();
        assert_eq!((new.action, new.target.to_string().as_str(), &new.base), (Action::Add, "a.md", &None));
        assert_eq!(new.bytes.as_deref(), Some(&text[..]), "byte for byte");
        assert_eq!(new.origin.words(), ".agent/pending");
        let other = of("a.md", text, Some(b"old"));
        let other = other.proposal().unwrap();
        assert_eq!((other.action, other.base.clone()), (Action::Change, Some(sha256(b"old"))));
    }

    #[test]
    fn what_cannot_be_read_for_sure_is_faulty() {
        let two = b"---\nname: a\n---\nOne.\n\n---\nname: b\n---\nTwo.\n";
        let large = vec![b'x'; MAX_BYTES + 1];
        for (name, bytes, why) in [
            ("a.md", &b"\xff\xfe"[..], "a.md: it is not UTF-8"),
            ("a.md", b" \n", "a.md: it is empty"),
            ("a.md", two, "a.md: it holds 2 memories: each wants a file of its own"),
            ("a.md", &large, "a.md: it has more than 1048576 bytes"),
            ("MEMORY.md", b"x", "MEMORY.md: MEMORY.md is the index, which follows by itself"),
            ("a\x1b.md", b"x", "a"),
        ] {
            let Waiting::Faulty(faulty) = of(name, bytes, None) else { panic!("{name}") };
            assert!(faulty.fault.starts_with(why), "{}", faulty.fault);
            assert!(!faulty.fault.contains('\x1b'));
        }
    }
}
