//! Stores in memory, for tests.

use crate::app::contents::Contents;
use crate::memory::Time;
use crate::memory::document::Document;
use crate::memory::index::Index;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{IndexFile, Memory, Snapshot, Stat};
use std::sync::Arc;

/// The time in tests.
pub fn now() -> Time {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

/// A store that holds these files; `MEMORY.md` is its index.
pub fn store(files: &[(&str, &str)]) -> Snapshot {
    let mut snapshot = Snapshot { root: "/store".into(), ..Snapshot::default() };
    for (path, text) in files {
        let path = RelPath::new(path).unwrap();
        let bytes: Arc<[u8]> = text.as_bytes().into();
        let stat = Stat { mtime: now() - chrono::Duration::days(3), mode: 0o644, link: None };
        if path.is_index() {
            snapshot.index = Some(Arc::new(IndexFile { index: Index::parse(&bytes), bytes, stat }));
        } else {
            let document = Document::parse(&bytes);
            snapshot.memories.push(Arc::new(Memory { path, document, bytes, stat }));
        }
    }
    snapshot
}

/// The contents of a store that holds these files.
pub fn contents(files: &[(&str, &str)]) -> Contents {
    Contents::new(store(files), Vec::new(), now())
}
