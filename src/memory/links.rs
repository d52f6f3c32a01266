//! Links between memories: what a body links to, and the table of a whole store, both ways.

mod resolve;

#[cfg(test)]
mod tests;

use crate::memory::lines::ends;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::memory::target::Names;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};
use std::collections::HashMap;
use std::ops::Range;

/// One link in a body to a Markdown file or a memory's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyLink {
    /// What it names.
    pub names: Named,
    /// The bytes of the whole link in the text given.
    pub range: Range<usize>,
}

/// What a link names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// A path to a Markdown file, percent-decoded, without fragment.
    Path(String),
    /// The inside of a wikilink, without what is shown instead (`|`).
    Name(String),
}

/// The links of every memory of a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    out: HashMap<RelPath, Vec<Outgoing>>,
    into: HashMap<RelPath, Vec<RelPath>>,
}

/// One link out of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// What the link names, as written (raw text: show it through [`crate::memory::text::visible`]).
    pub written: String,
    /// Where it leads.
    pub to: Destination,
    /// The line in the file, from 1.
    pub line: usize,
}

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// To a memory of this store.
    Memory(RelPath),
    /// To the index.
    Index,
    /// Out of the store (`../other/memory/x.md`, an absolute path): not looked at.
    Outside,
    /// To nothing that is here.
    Unresolved,
}

/// The links of a body, in order. Code, fences and comments hold none (Markdown decides); URLs and files
/// that are not Markdown are left out.
#[must_use]
pub fn links(body: &str) -> Vec<BodyLink> {
    if !may_hold_links(body) {
        return Vec::new();
    }
    let parser = Parser::new_ext(body, Options::ENABLE_WIKILINKS | Options::ENABLE_TABLES);
    parser
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Start(Tag::Link { link_type: LinkType::WikiLink { .. }, dest_url, .. }) => {
                resolve::name(&dest_url).map(|names| BodyLink { names, range })
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                resolve::path(&dest_url).map(|names| BodyLink { names, range })
            }
            _ => None,
        })
        .collect()
}

/// Cheap to tell: most bodies have no link and need not be read as Markdown.
fn may_hold_links(body: &str) -> bool {
    let has = |needle: &str| memchr::memmem::find(body.as_bytes(), needle.as_bytes()).is_some();
    has("[[") || ((has("](") || has("]:")) && (has(".m") || has(".M") || has("%")))
}

impl Links {
    /// The links of all memories of a store.
    #[must_use]
    pub fn of(snapshot: &Snapshot) -> Self {
        let names = Names::of(snapshot);
        let mut table = Self::default();
        for memory in &snapshot.memories {
            let body = memory.body();
            let found = links(&body);
            if found.is_empty() {
                continue;
            }
            let head = memory.bytes.get(..memory.document.body.start).unwrap_or_default();
            let mut lines = LineCount { text: &body, at: 0, line: 1 + ends(head) };
            let mut out = Vec::with_capacity(found.len());
            for link in found {
                let to = resolve::resolve(snapshot, &names, &link.names, &memory.path);
                if let Destination::Memory(path) = &to
                    && *path != memory.path
                {
                    let into = table.into.entry(path.clone()).or_default();
                    // Memories come one by one, so a second link of this one can only follow its first.
                    if into.last() != Some(&memory.path) {
                        into.push(memory.path.clone());
                    }
                }
                let (Named::Path(written) | Named::Name(written)) = link.names;
                out.push(Outgoing { written, to, line: lines.line_of(link.range.start) });
            }
            table.out.insert(memory.path.clone(), out);
        }
        table
    }

    /// The links out of a memory, in the order of its body.
    #[must_use]
    pub fn out(&self, memory: &RelPath) -> &[Outgoing] {
        self.out.get(memory).map_or(&[], Vec::as_slice)
    }

    /// The other memories that link to a memory, each once, in the store's order.
    #[must_use]
    pub fn linked_from(&self, memory: &RelPath) -> &[RelPath] {
        self.into.get(memory).map_or(&[], Vec::as_slice)
    }
}

/// Counts lines forward, so that a long body is gone through once.
struct LineCount<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl LineCount<'_> {
    fn line_of(&mut self, offset: usize) -> usize {
        self.line += ends(self.text.as_bytes().get(self.at..offset).unwrap_or_default());
        self.at = self.at.max(offset);
        self.line
    }
}
