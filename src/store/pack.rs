//! New objects of the history, written as one pack.
//!
//! The pack is made here and indexed by libgit2. libgit2's own pack builder and loose objects need a
//! repository, and a repository can't be opened without reading the user's git configuration (and fails
//! where that is broken); nothing of that may reach the history.

use super::error::{Result, history};
use super::{StoreError, failpoint};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use git2::{Indexer, ObjectType, Oid};
use sha1::{Digest, Sha1};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// One object, ready to be written.
#[derive(Debug)]
pub(super) struct Object {
    /// Its id.
    pub id: Oid,
    kind: ObjectType,
    size: usize,
    deflated: Vec<u8>,
}

/// Objects that are not in the history yet.
#[derive(Debug, Default)]
pub(super) struct Objects {
    known: HashSet<Oid>,
    list: Vec<Object>,
}

/// The id that git gives to an object.
pub(super) fn id_of(kind: ObjectType, bytes: &[u8]) -> Oid {
    let mut hash = Sha1::new();
    hash.update(format!("{} {}\0", kind.str(), bytes.len()));
    hash.update(bytes);
    // A hash of 20 bytes is always an id.
    Oid::from_bytes(&hash.finalize()).unwrap_or(Oid::zero())
}

impl Object {
    /// Hashes and deflates; fast rather than small, since memories are short.
    pub(super) fn new(kind: ObjectType, bytes: &[u8]) -> io::Result<Self> {
        let mut encoder = ZlibEncoder::new(Vec::with_capacity(bytes.len() / 2 + 64), Compression::fast());
        encoder.write_all(bytes)?;
        Ok(Self { id: id_of(kind, bytes), kind, size: bytes.len(), deflated: encoder.finish()? })
    }
}

impl Objects {
    /// Adds one object; the same one twice is kept once.
    pub(super) fn add(&mut self, kind: ObjectType, bytes: &[u8]) -> Result<Oid> {
        let object = Object::new(kind, bytes).map_err(|e| history("pack", e))?;
        Ok(self.push(object))
    }

    /// Adds one that is ready.
    pub(super) fn push(&mut self, object: Object) -> Oid {
        let id = object.id;
        if self.known.insert(id) {
            self.list.push(object);
        }
        id
    }

    /// Adds all of these.
    pub(super) fn append(&mut self, others: Self) {
        for object in others.list {
            self.push(object);
        }
    }

    /// Whether the object is among these.
    pub(super) fn holds(&self, id: Oid) -> bool {
        self.known.contains(&id)
    }

    /// Writes them into `dir` (an `objects/pack`), synced; gives the pack's name without extension, or none
    /// when there is nothing to write.
    pub(super) fn write(&self, dir: &Path) -> Result<Option<String>> {
        if self.list.is_empty() {
            return Ok(None);
        }
        failpoint::step();
        let name = self.write_pack(dir).map_err(|error| match error {
            Fault::Git(error) if error.code() != git2::ErrorCode::GenericError => history("write", error),
            Fault::Git(error) => history("write", error.message()),
            Fault::Io(error) => StoreError::io("write the history in", dir, &error, ""),
        })?;
        failpoint::step();
        let sync = |path: &Path| File::open(path).and_then(|file| file.sync_all());
        for extension in ["pack", "idx"] {
            let path = dir.join(format!("pack-{name}.{extension}"));
            sync(&path).map_err(|e| StoreError::io("sync", &path, &e, ""))?;
        }
        super::history::sync_dir(dir).map_err(|e| StoreError::io("sync", dir, &e, ""))?;
        failpoint::step();
        Ok(Some(format!("pack-{name}")))
    }

    fn write_pack(&self, dir: &Path) -> std::result::Result<String, Fault> {
        let mut indexer = Indexer::new(None, dir, 0o600, false).map_err(Fault::Git)?;
        let mut hash = Sha1::new();
        let mut put = |bytes: &[u8], hash: &mut Sha1| {
            hash.update(bytes);
            indexer.write_all(bytes)
        };
        let count = u32::try_from(self.list.len()).map_err(|e| Fault::Io(io::Error::other(e)))?;
        let mut header = b"PACK\0\0\0\x02".to_vec();
        header.extend_from_slice(&count.to_be_bytes());
        put(&header, &mut hash).map_err(Fault::Io)?;
        for object in &self.list {
            let mut entry = entry_header(object.kind, object.size);
            entry.extend_from_slice(&object.deflated);
            put(&entry, &mut hash).map_err(Fault::Io)?;
        }
        let trailer = hash.finalize();
        indexer.write_all(&trailer).map_err(Fault::Io)?;
        indexer.commit().map_err(Fault::Git)
    }
}

enum Fault {
    Git(git2::Error),
    Io(io::Error),
}

/// Type and inflated size as a pack writes them: four bits of size beside the type, then seven a byte,
/// lowest first, the high bit set while more follow (gitformat-pack(5)).
fn entry_header(kind: ObjectType, size: usize) -> Vec<u8> {
    let kind = match kind {
        ObjectType::Commit => 1,
        ObjectType::Tree => 2,
        ObjectType::Tag => 4,
        _ => 3_u8,
    };
    let low = |bits: usize, mask: usize| u8::try_from(bits & mask).unwrap_or_default();
    let mut rest = size >> 4;
    let mut header = vec![(kind << 4) | low(size, 0x0f)];
    while rest > 0 {
        if let Some(last) = header.last_mut() {
            *last |= 0x80;
        }
        header.push(low(rest, 0x7f));
        rest >>= 7;
    }
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_git() {
        assert_eq!(id_of(ObjectType::Blob, b"").to_string(), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(id_of(ObjectType::Tree, b"").to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
        let bytes = b"any bytes \0\xff";
        assert_eq!(id_of(ObjectType::Blob, bytes), Oid::hash_object(ObjectType::Blob, bytes).unwrap());
    }

    #[test]
    fn a_pack_gives_back_what_went_in() {
        let dir = tempfile::tempdir().unwrap();
        let pack = dir.path().join("pack");
        std::fs::create_dir(&pack).unwrap();
        let mut objects = Objects::default();
        let contents: Vec<Vec<u8>> = [0, 1, 15, 16, 2047, 2048, 300_000]
            .iter()
            .map(|n| (0..*n).map(|i| (i % 251) as u8).collect())
            .collect();
        let ids: Vec<Oid> = contents.iter().map(|c| objects.add(ObjectType::Blob, c).unwrap()).collect();
        assert_eq!(objects.add(ObjectType::Blob, b"").unwrap(), ids[0]);
        objects.write(&pack).unwrap();
        let odb = git2::Odb::new().unwrap();
        odb.add_disk_alternate(dir.path().to_str().unwrap()).unwrap();
        for (id, content) in ids.iter().zip(&contents) {
            assert_eq!(odb.read(*id).unwrap().data(), content.as_slice());
        }
    }
}
