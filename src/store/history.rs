//! The history of a store: a bare git repository beside it, never inside. Only its object database is used,
//! and two references that are written here, so that no configuration, hook or signing of the user's and no
//! index, checkout or status has a part in it. `git --git-dir … log -p` reads it.

use super::error::{Result, history, shown};
use super::pack::{Objects, id_of};
use super::record::Record;
use super::survey::blob_bytes;
use super::tree::{self, Files, Kind, Node, Raw};
use super::{StoreError, failpoint, places};
use crate::memory::Time;
use crate::memory::index::ParkedLine;
use crate::review::plan::Content;
use git2::{ObjectType, Odb, Oid};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const CONFIG: &str = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n";
const SIGNATURE: &str = "memcurator <memcurator@localhost>";

/// The names in a commit's tree.
const FILES: &str = "files";
const RECORD: &str = "op.json";
const PARKED: &str = "parked.json";
const KEPT: &str = "kept";
const REVIEWED: &str = "reviewed";

/// An opened history.
pub(super) struct History {
    dir: PathBuf,
    odb: Odb<'static>,
}

/// A reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ref {
    /// The branch: what stands.
    Branch,
    /// The operation that is being carried out.
    Pending,
}

impl Ref {
    fn path(self) -> &'static str {
        match self {
            Self::Branch => "refs/heads/main",
            Self::Pending => "refs/pending",
        }
    }
}

/// A commit as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Commit {
    /// Its id.
    pub id: Oid,
    /// Its tree.
    pub tree: Oid,
    /// The commit before it.
    pub parent: Option<Oid>,
    /// When it was made, to the second.
    pub time: Time,
}

/// A commit to be written.
pub(super) struct Draft<'a> {
    /// The tree of the store's files.
    pub files: Oid,
    /// The blob of the parked lines.
    pub parked: Oid,
    /// The tree of the files as they were reviewed last; none before the first review.
    pub reviewed: Option<Oid>,
    /// What it stands for.
    pub record: &'a Record,
    /// Blobs that are kept only because nothing else holds them.
    pub kept: &'a [Oid],
    /// The commit before it.
    pub parent: Option<Oid>,
    /// When.
    pub time: Time,
}

impl Draft<'_> {
    /// Puts the commit among the new objects.
    pub(super) fn add_to(&self, objects: &mut Objects) -> Result<Oid> {
        let record = objects.add(ObjectType::Blob, &self.record.to_json()?)?;
        let leaf = |name: &str, id| Raw { name: name.into(), node: Node::Leaf(Kind::File), id };
        let mut root = vec![
            Raw { name: FILES.into(), node: Node::Tree, id: self.files },
            leaf(RECORD, record),
            leaf(PARKED, self.parked),
        ];
        root.extend(self.reviewed.map(|id| Raw { name: REVIEWED.into(), node: Node::Tree, id }));
        if !self.kept.is_empty() {
            let kept = self.kept.iter().enumerate().map(|(i, id)| leaf(&i.to_string(), *id)).collect();
            root.push(Raw { name: KEPT.into(), node: Node::Tree, id: tree::write(objects, kept)? });
        }
        let tree = tree::write(objects, root)?;
        let parent = self.parent.map_or_else(String::new, |id| format!("parent {id}\n"));
        let when = self.time.timestamp();
        let message = &self.record.message;
        let text = format!(
            "tree {tree}\n{parent}author {SIGNATURE} {when} +0000\ncommitter {SIGNATURE} {when} +0000\n\n{message}\n"
        );
        objects.add(ObjectType::Commit, text.as_bytes())
    }
}

/// Puts parked lines among the new objects.
pub(super) fn add_parked(objects: &mut Objects, parked: &[ParkedLine]) -> Result<Oid> {
    let mut json = serde_json::to_vec_pretty(parked).map_err(|e| history("write", e))?;
    json.push(b'\n');
    objects.add(ObjectType::Blob, &json)
}

impl History {
    /// Opens the history in `dir`; `None` when there is none yet. Makes nothing.
    pub(super) fn open(dir: &Path) -> Result<Option<Self>> {
        if !dir.join("HEAD").is_file() {
            return Ok(None);
        }
        let odb = Odb::new().map_err(|e| history("open", e.message()))?;
        let objects = dir.join("objects");
        let Some(text) = objects.to_str() else {
            return Err(history("open", format!("the path {} is not UTF-8", shown(&objects))));
        };
        odb.add_disk_alternate(text).map_err(|e| history("open", e.message()))?;
        Ok(Some(Self { dir: dir.to_path_buf(), odb }))
    }

    /// Opens the history in `dir`, made when there is none.
    pub(super) fn open_or_create(dir: &Path) -> Result<Self> {
        if let Some(history) = Self::open(dir)? {
            return Ok(history);
        }
        let cannot = |path: &Path| {
            let path = path.to_path_buf();
            move |error: io::Error| StoreError::io("make the history", &path, &error, "nothing was done")
        };
        for part in ["objects/pack", "objects/info", "refs/heads"] {
            let part = dir.join(part);
            places::make_private(&part).map_err(cannot(&part))?;
            failpoint::step();
        }
        write_synced(dir, "config", CONFIG.as_bytes()).map_err(cannot(dir))?;
        failpoint::step();
        // Last, since it is what makes it a history.
        write_synced(dir, "HEAD", b"ref: refs/heads/main\n").map_err(cannot(dir))?;
        failpoint::step();
        Self::open(dir)?.ok_or_else(|| history("make", "it is not there"))
    }

    /// The directory of packs.
    pub(super) fn packs(&self) -> PathBuf {
        self.dir.join("objects/pack")
    }

    /// Removes what a pack leaves behind when its writer is killed: it is of no use, but it holds content.
    pub(super) fn sweep(&self) {
        for entry in fs::read_dir(self.packs()).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.as_encoded_bytes();
            if name.starts_with(b"pack_git2_") || name.ends_with(b".lock") {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Merges small packs when there are many; that it could not be done is no fault of an operation.
    pub(super) fn tidy(&self) {
        let _ = super::tidy::merge_packs(&self.dir);
    }

    /// Where a reference points; `None` when it doesn't exist.
    pub(super) fn get(&self, which: Ref) -> Result<Option<Oid>> {
        match fs::read_to_string(self.dir.join(which.path())) {
            Ok(text) => Oid::from_str(text.trim()).map(Some).map_err(|e| history("read", e.message())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("read", &self.dir.join(which.path()), &error, "")),
        }
    }

    /// Points a reference somewhere, synced.
    pub(super) fn set(&self, which: Ref, id: Oid) -> Result<()> {
        failpoint::step();
        write_synced(&self.dir, which.path(), format!("{id}\n").as_bytes())
            .map_err(|e| StoreError::io("write", &self.dir.join(which.path()), &e, ""))?;
        failpoint::step();
        Ok(())
    }

    /// Forgets the operation that is being carried out, synced.
    pub(super) fn drop_pending(&self) -> Result<()> {
        let path = self.dir.join(Ref::Pending.path());
        let cannot = |error: io::Error| StoreError::io("remove", &path, &error, "");
        failpoint::step();
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(cannot(error)),
        }
        failpoint::step();
        sync_dir(&self.dir.join("refs")).map_err(cannot)
    }

    /// Reads a commit.
    pub(super) fn commit(&self, id: Oid) -> Result<Commit> {
        let object = self.odb.read(id).map_err(|e| history("read", e.message()))?;
        let text = String::from_utf8_lossy(object.data());
        let head = text.split("\n\n").next().unwrap_or_default();
        let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let parse = |text: &str| Oid::from_str(text).map_err(|e| history("read", e.message()));
        let seconds = field("committer")
            .and_then(|who| who.rsplit(' ').nth(1)?.parse().ok())
            .and_then(|seconds| Time::from_timestamp(seconds, 0));
        match (field("tree"), seconds) {
            (Some(tree), Some(time)) => {
                Ok(Commit { id, tree: parse(tree)?, parent: field("parent").map(parse).transpose()?, time })
            }
            _ => Err(history("read", format!("commit {id} is damaged"))),
        }
    }

    /// The commits from `id` back to the first.
    pub(super) fn commits(&self, id: Option<Oid>) -> Result<Vec<Commit>> {
        let mut list = Vec::new();
        let mut next = id;
        while let Some(id) = next {
            let commit = self.commit(id)?;
            next = commit.parent;
            list.push(commit);
        }
        Ok(list)
    }

    /// What a commit stands for.
    pub(super) fn record(&self, commit: &Commit) -> Result<Record> {
        match self.part(commit, RECORD)? {
            Some(id) => Record::parse(&self.blob(id)?),
            None => Err(history("read", format!("commit {} has no record", commit.id))),
        }
    }

    /// The blob of a commit's parked lines.
    pub(super) fn parked_id(&self, commit: &Commit) -> Result<Option<Oid>> {
        self.part(commit, PARKED)
    }

    /// A commit's parked lines.
    pub(super) fn parked(&self, commit: &Commit) -> Result<Vec<ParkedLine>> {
        match self.parked_id(commit)? {
            Some(id) => serde_json::from_slice(&self.blob(id)?).map_err(|e| history("read", e)),
            None => Ok(Vec::new()),
        }
    }

    /// The lines that are parked now.
    pub(super) fn parked_now(&self) -> Result<Vec<ParkedLine>> {
        match self.get(Ref::Branch)? {
            Some(head) => self.parked(&self.commit(head)?),
            None => Ok(Vec::new()),
        }
    }

    /// The tree of a commit's files.
    pub(super) fn files_id(&self, commit: &Commit) -> Result<Oid> {
        self.part(commit, FILES)?.ok_or_else(|| history("read", format!("commit {} has no files", commit.id)))
    }

    /// A commit's files.
    pub(super) fn files(&self, commit: &Commit) -> Result<Files> {
        tree::read_files(&self.odb, self.files_id(commit)?)
    }

    /// The tree of the files as they were reviewed last, at that commit; `None` before the first review.
    pub(super) fn reviewed_id(&self, commit: &Commit) -> Result<Option<Oid>> {
        self.part(commit, REVIEWED)
    }

    /// The files as they were reviewed last, at that commit; `None` before the first review.
    pub(super) fn reviewed(&self, commit: &Commit) -> Result<Option<Files>> {
        self.reviewed_id(commit)?.map(|id| tree::read_files(&self.odb, id)).transpose()
    }

    /// The files of a reviewed tree.
    pub(super) fn reviewed_files(&self, id: Oid) -> Result<Files> {
        tree::read_files(&self.odb, id)
    }

    /// What a commit keeps beside its files.
    pub(super) fn kept(&self, commit: &Commit) -> Result<Vec<Oid>> {
        match self.part(commit, KEPT)? {
            Some(id) => Ok(tree::read(&self.odb, id)?.into_iter().map(|raw| raw.id).collect()),
            None => Ok(Vec::new()),
        }
    }

    /// The entries of a tree.
    pub(super) fn tree(&self, id: Oid) -> Result<Vec<Raw>> {
        tree::read(&self.odb, id)
    }

    /// Whether this content is in the history.
    pub(super) fn holds(&self, content: &Content) -> bool {
        self.odb.exists(id_of(ObjectType::Blob, blob_bytes(content)))
    }

    /// A blob's bytes.
    pub(super) fn blob(&self, id: Oid) -> Result<Arc<[u8]>> {
        Ok(self.odb.read(id).map_err(|e| history("read", e.message()))?.data().into())
    }

    fn part(&self, commit: &Commit, name: &str) -> Result<Option<Oid>> {
        let entries = tree::read(&self.odb, commit.tree)?;
        Ok(entries.into_iter().find(|raw| raw.name == name).map(|raw| raw.id))
    }
}

/// Writes a file whole or not at all: beside it, synced, renamed over it, the directory synced.
pub(super) fn write_synced(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let path = dir.join(name);
    let beside = dir.join("writing.tmp");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    failpoint::step();
    failpoint::before("rename", &path)?;
    fs::rename(&beside, &path)?;
    sync_dir(path.parent().unwrap_or(dir))
}

/// Makes the names in a directory durable.
pub(super) fn sync_dir(dir: &Path) -> io::Result<()> {
    super::files::sync(File::open(dir)?, dir)
}
