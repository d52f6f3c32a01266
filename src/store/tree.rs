//! Trees of the history, written and read raw: any file name that the file system allows is kept.

use super::error::{Result, history};
use super::pack::Objects;
use git2::{ObjectType, Odb, Oid};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The files of a store: path to content.
pub(super) type Files = BTreeMap<PathBuf, Entry>;

/// One file in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The blob.
    pub id: Oid,
    /// A file or a symbolic link.
    pub kind: Kind,
}

/// What a directory entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A file.
    File,
    /// A symbolic link; its blob holds the target.
    Link,
}

/// One raw entry of a tree object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Raw {
    /// Its name.
    pub name: OsString,
    /// What it is.
    pub node: Node,
    /// The object.
    pub id: Oid,
}

/// What a raw entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    /// A file or link.
    Leaf(Kind),
    /// A directory.
    Tree,
}

/// Writes one tree object.
pub(super) fn write(objects: &mut Objects, mut entries: Vec<Raw>) -> Result<Oid> {
    // git's order: by bytes, a directory as if its name ended in a slash.
    entries.sort_by_cached_key(|raw| {
        let mut key = raw.name.as_bytes().to_vec();
        if raw.node == Node::Tree {
            key.push(b'/');
        }
        key
    });
    let mut bytes = Vec::with_capacity(entries.len().saturating_mul(64));
    for raw in &entries {
        bytes.extend_from_slice(match raw.node {
            Node::Leaf(Kind::File) => b"100644 ",
            Node::Leaf(Kind::Link) => b"120000 ",
            Node::Tree => b"40000 ",
        });
        bytes.extend_from_slice(raw.name.as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(raw.id.as_bytes());
    }
    objects.add(ObjectType::Tree, &bytes)
}

/// Reads one tree object.
pub(super) fn read(odb: &Odb<'_>, id: Oid) -> Result<Vec<Raw>> {
    let object = odb.read(id).map_err(|e| history("read", e.message()))?;
    let mut rest = object.data();
    let mut entries = Vec::new();
    while !rest.is_empty() {
        let (raw, behind) =
            read_entry(rest).ok_or_else(|| history("read", format!("tree {id} is damaged")))?;
        entries.push(raw);
        rest = behind;
    }
    Ok(entries)
}

fn read_entry(bytes: &[u8]) -> Option<(Raw, &[u8])> {
    let space = memchr::memchr(b' ', bytes)?;
    let (mode, rest) = (bytes.get(..space)?, bytes.get(space + 1..)?);
    let end = memchr::memchr(0, rest)?;
    let (name, rest) = (rest.get(..end)?, rest.get(end + 1..)?);
    let id = Oid::from_bytes(rest.get(..20)?).ok()?;
    let node = match mode {
        b"40000" => Node::Tree,
        b"120000" => Node::Leaf(Kind::Link),
        _ => Node::Leaf(Kind::File),
    };
    Some((Raw { name: OsString::from_vec(name.to_vec()), node, id }, rest.get(20..)?))
}

/// Writes the trees for these files; gives the topmost.
pub(super) fn write_files(objects: &mut Objects, files: &Files) -> Result<Oid> {
    let list: Vec<(Vec<&OsStr>, Entry)> =
        files.iter().map(|(path, entry)| (path.iter().collect(), *entry)).collect();
    write_level(objects, &list, 0)
}

/// The tree for those paths, which agree in their first `depth` names and are in the order of their names.
fn write_level(objects: &mut Objects, list: &[(Vec<&OsStr>, Entry)], depth: usize) -> Result<Oid> {
    let mut entries = Vec::with_capacity(list.len());
    let name_at = |path: &[&OsStr]| path.get(depth).map(|name| (*name).to_owned());
    for group in list.chunk_by(|a, b| a.0.get(depth) == b.0.get(depth)) {
        let Some(((path, entry), name)) = group.first().and_then(|one| Some((one, name_at(&one.0)?))) else {
            continue;
        };
        if path.len() == depth + 1 {
            entries.push(Raw { name, node: Node::Leaf(entry.kind), id: entry.id });
        } else {
            let id = write_level(objects, group, depth + 1)?;
            entries.push(Raw { name, node: Node::Tree, id });
        }
    }
    write(objects, entries)
}

/// All files under a tree.
pub(super) fn read_files(odb: &Odb<'_>, id: Oid) -> Result<Files> {
    let mut files = Files::new();
    collect(odb, id, Path::new(""), &mut files)?;
    Ok(files)
}

fn collect(odb: &Odb<'_>, id: Oid, dir: &Path, files: &mut Files) -> Result<()> {
    for raw in read(odb, id)? {
        let path = dir.join(&raw.name);
        match raw.node {
            Node::Tree => collect(odb, raw.id, &path, files)?,
            Node::Leaf(kind) => {
                files.insert(path, Entry { id: raw.id, kind });
            }
        }
    }
    Ok(())
}
