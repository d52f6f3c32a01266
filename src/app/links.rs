//! Which memories a memory links to: wikilinks and Markdown links, outside code.

use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use memchr::memmem;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};
use std::collections::HashMap;
use std::path::Path;

/// Names of memories and what they stand for, for resolving links.
#[derive(Debug, Default)]
pub struct Names {
    by_path: HashMap<RelPath, usize>,
    by_name: HashMap<String, usize>,
}

impl Names {
    /// The names of every memory: paths, stems, and the names in the frontmatter (a stem wins).
    #[must_use]
    pub fn of(snapshot: &Snapshot) -> Self {
        let mut names = Self::default();
        for (at, memory) in snapshot.memories.iter().enumerate() {
            names.by_path.insert(memory.path.clone(), at);
            names.by_name.entry(key(&memory.path.stem())).or_insert(at);
        }
        for (at, memory) in snapshot.memories.iter().enumerate() {
            if let Some(name) = &memory.document.header.name {
                names.by_name.entry(key(name)).or_insert(at);
            }
        }
        names
    }

    /// The memory at a path in the store.
    #[must_use]
    pub fn at_path(&self, path: &RelPath) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The memory that a wikilink names: by stem or name, whatever the case, `-`, `_` or blanks between.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<usize> {
        let name = name.split(['|', '#']).next().unwrap_or_default().trim();
        self.by_name.get(&key(name.strip_suffix(".md").unwrap_or(name))).copied()
    }
}

fn key(name: &str) -> String {
    let fold = |char: char| if matches!(char, '_' | ' ') { '-' } else { char };
    name.trim().chars().map(fold).flat_map(char::to_lowercase).collect()
}

/// The memories that `memory` links to, in the order of its body, each once, itself left out.
#[must_use]
pub fn out_of(memory: &Memory, names: &Names) -> Vec<usize> {
    let body = memory.bytes.get(memory.document.body.clone()).unwrap_or_default();
    // Most memories have no link: a search for the two ways to write one is far quicker than Markdown.
    if memmem::find(body, b"[[").is_none() && memmem::find(body, b"](").is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let body = String::from_utf8_lossy(body);
    for event in Parser::new_ext(&body, Options::ENABLE_WIKILINKS | Options::ENABLE_TABLES) {
        let Event::Start(Tag::Link { link_type, dest_url, .. }) = event else { continue };
        let target = match link_type {
            LinkType::WikiLink { .. } => names.named(&dest_url),
            _ => in_store(&memory.path, &dest_url).and_then(|path| names.at_path(&path)),
        };
        if let Some(target) = target
            && !found.contains(&target)
            && names.at_path(&memory.path) != Some(target)
        {
            found.push(target);
        }
    }
    found
}

/// The path in the store that a link of the memory at `from` means; `None` for links that lead elsewhere.
fn in_store(from: &RelPath, url: &str) -> Option<RelPath> {
    let path = url.split(['#', '?']).next().unwrap_or_default();
    let path = percent_decoded(path.strip_prefix("./").unwrap_or(path));
    let dir = from.as_path().parent().unwrap_or(Path::new(""));
    RelPath::new(dir.join(&path)).or_else(|| RelPath::new(&path))
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::testing::store;

    #[test]
    fn wikilinks_and_markdown_links_outside_code() {
        let snapshot = store(&[
            (
                "a.md",
                "[[b]] and [c](sub/c%20d.md#x), `[[e]]`\n\n```\n[[e]]\n```\n[[Nice Name]] [[a]] [[b|again]]",
            ),
            ("b.md", ""),
            ("e.md", ""),
            ("f.md", "---\nname: nice_name\n---\n"),
            ("sub/c d.md", "[up](../a.md) [same](c%20d.md) [w](https://example.com/b.md)"),
        ]);
        let names = Names::of(&snapshot);
        let out = |at: usize| {
            let found = out_of(&snapshot.memories[at], &names);
            found.iter().map(|at| snapshot.memories[*at].path.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(out(0)[..2], ["b.md", "sub/c d.md"]);
        assert!(!out(0).contains(&"e.md".to_string()));
        assert!(!out(0).contains(&"a.md".to_string()));
        assert_eq!(out(1), [""; 0]);
    }
}
