//! What agents without memcurator leave in `.agent/pending/`, beside the store `.agent/memory`: each Markdown file there is
//! a proposal, as long as it lies there. The first decision about one takes it into the queue: first the copy, then the
//! file goes. Nothing there is followed over a link.

use super::files;
use crate::memory::text::visible;
use crate::review::proposal::dropped::Dropped;
use crate::review::proposal::{Faulty, MAX_BYTES, Waiting, sha256};
use crate::store::error::{Result, reason};
use crate::store::files::{READ, mtime_of, rename_new};
use crate::store::history::sync_dir;
use crate::store::{StoreError, failpoint, places};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How an id of such a proposal begins.
const PREFIX: &str = "agent-";
/// The id under which the directory itself is told, when it can't be read.
const WHOLE: &str = "agent-pending";
/// The directory in words.
const SHOWN: &str = ".agent/pending";

/// The directory in which agents leave files.
#[derive(Debug, Clone)]
pub(super) struct Inlet {
    dir: PathBuf,
    /// The store.
    root: PathBuf,
}

/// A file that was left there.
pub(super) struct Left {
    /// Its name.
    pub name: String,
    /// The proposal that it is.
    pub waiting: Waiting,
    stat: Option<Stat>,
}

/// Whether an id is that of a file which was left there.
pub(super) fn is_left(id: &str) -> bool {
    id.starts_with(PREFIX)
}

impl Inlet {
    /// The one of a store at this real path; `None`: it is not in the layout `agent`.
    pub(super) fn beside(root: &Path) -> Option<Self> {
        let dir = root.ends_with(".agent/memory").then(|| root.with_file_name("pending"))?;
        Some(Self { dir, root: root.to_path_buf() })
    }

    /// The directory.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// What lies there, by name. A directory that can't be read is told as a faulty proposal: what agents leave there
    /// would be unseen otherwise.
    pub(super) fn read(&self) -> Vec<Left> {
        let listed = self.open().and_then(|dir| match dir {
            None => Ok(Vec::new()),
            Some(dir) => Ok(names(&dir)?.into_iter().map(|name| self.one(&dir, name)).collect()),
        });
        listed.unwrap_or_else(|error| {
            let fault = format!("{SHOWN}: {}: what is left there is not seen", reason(&error));
            let waiting = Waiting::Faulty(Faulty { id: WHOLE.into(), fault, bytes: None });
            vec![Left { name: String::new(), waiting, stat: None }]
        })
    }

    /// Puts one into a directory of the queue, and takes the file away; `false`: there is none of this id. What was
    /// written meanwhile is another one, and stays.
    ///
    /// # Errors
    /// When it can't be moved; the file is where it was.
    pub(super) fn take(&self, id: &str, to: &Path) -> Result<bool> {
        self.sweep(id, to)?;
        let Some(left) = self.read().into_iter().find(|left| left.waiting.id() == id) else {
            return Ok(false);
        };
        let path = self.dir.join(&left.name);
        let cannot = |error: &io::Error| {
            StoreError::io("take the proposal out of", &path, error, "it is where it was; nothing was done")
        };
        if left.name.is_empty() {
            return Err(StoreError::fault(
                format!("{SHOWN} can't be read, so nothing of it can be decided on; nothing was done"),
                "make it a directory of its own that you may read",
            ));
        }
        let dir = self
            .open()
            .map_err(|error| cannot(&error))?
            .ok_or_else(|| cannot(&io::ErrorKind::NotFound.into()))?;
        // Taken once already, and killed before the file went.
        let whole = if left.waiting.proposal().is_some() { "json" } else { "md" };
        let is_there = is_entry(to, id, whole);
        if !is_there {
            self.copy(&dir, &left, to).map_err(|error| cannot(&error))?;
        }
        // Another copy than ours stays.
        let undo = || (!is_there).then(|| files::remove(to, id));
        match self.remove(&dir, &left) {
            Ok(true) => Ok(true),
            Ok(false) => {
                undo();
                let path = visible(&path.to_string_lossy(), false).into_owned();
                Err(StoreError::conflict(
                    format!("{path} was written at this moment; nothing was done"),
                    "look at it as it is now, then decide again",
                ))
            }
            Err(error) => {
                undo();
                Err(cannot(&error))
            }
        }
    }

    /// Removes the hidden file of one that was taken, when the program was killed just before it went. One that holds
    /// something else, written at that moment, gets a name again.
    fn sweep(&self, id: &str, to: &Path) -> Result<()> {
        let hidden = hidden(id);
        let Ok(Some(dir)) = self.open() else { return Ok(()) };
        let Ok(stat) = rustix::fs::statat(&dir, hidden.as_str(), AtFlags::SYMLINK_NOFOLLOW) else {
            return Ok(());
        };
        let (own, queued) = (content(&dir, &hidden), files::read(to, &format!("{id}.md"), MAX_BYTES));
        let is_whole = usize::try_from(stat.st_size).is_ok_and(|size| size <= MAX_BYTES);
        let is_same = is_whole && own.ok().is_some_and(|own| queued.ok().flatten().as_deref() == Some(&*own));
        let done = if is_same {
            rustix::fs::unlinkat(&dir, hidden.as_str(), AtFlags::empty()).map_err(io::Error::from)
        } else {
            let name =
                files::read_json(to, id).and_then(|json| Some(json.get("target")?.as_str()?.to_owned()));
            let name = name.filter(|name| !name.contains('/')).unwrap_or_else(|| format!("{id}.md"));
            put_back(&dir, OsStr::new(&hidden), &name)
        };
        done.map_err(|error| {
            StoreError::io("move", &self.dir.join(&hidden), &error, "it is where it was; nothing was done")
        })
    }

    /// Opens it; `None`: there is none.
    fn open(&self) -> io::Result<Option<OwnedFd>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match rustix::fs::open(&self.dir, flags, Mode::empty()) {
            Ok(dir) => Ok(Some(dir)),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => {
                Err(io::Error::other("it is no directory, or a link, which is not followed"))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn one(&self, dir: &OwnedFd, name: String) -> Left {
        let stat = rustix::fs::statat(dir, name.as_str(), AtFlags::SYMLINK_NOFOLLOW).ok();
        let bytes = content(dir, &name);
        // A memory that is a link is no version to build on: whether the name is free is asked when it is planned.
        let current = files::read(&self.root, &name, MAX_BYTES.saturating_mul(4)).ok().flatten();
        let id = id(&name, &bytes, stat.as_ref(), current.as_deref());
        let time = stat.as_ref().map(mtime_of);
        let current = current.as_deref();
        let waiting = Dropped { id, name: &name, bytes, current, time, from: SHOWN }.read();
        Left { name, waiting, stat }
    }

    /// Copies one into the queue, whatever it is; what is no proposal goes as it is, without a `.json`.
    fn copy(&self, dir: &OwnedFd, left: &Left, to: &Path) -> io::Result<()> {
        let id = left.waiting.id();
        if let Waiting::Proposal(proposal) = &left.waiting {
            return files::put(
                to,
                id,
                proposal.bytes.as_deref(),
                Some(&files::to_bytes(&proposal.to_json())),
            );
        }
        places::make_private(to)?;
        let path = to.join(format!("{id}.md"));
        match left.stat.as_ref().map(|stat| FileType::from_raw_mode(stat.st_mode)) {
            Some(FileType::Symlink) => {
                let target = rustix::fs::readlinkat(dir, left.name.as_str(), Vec::new())?;
                std::os::unix::fs::symlink(OsStr::from_bytes(target.as_bytes()), path)?;
            }
            Some(FileType::RegularFile) => {
                let mut from = File::from(rustix::fs::openat(dir, left.name.as_str(), READ, Mode::empty())?);
                let mut temp = tempfile::Builder::new().prefix(".writing-").suffix(".tmp").tempfile_in(to)?;
                io::copy(&mut from, &mut temp)?;
                temp.as_file().sync_data()?;
                temp.persist_noclobber(path)?;
            }
            _ => return Err(io::Error::other("it is no file: remove it yourself")),
        }
        failpoint::step();
        sync_dir(to)
    }

    /// Takes the file away, unless it is another one by now: `false`. It gets a hidden name first, so that what is looked
    /// at is what goes.
    fn remove(&self, dir: &OwnedFd, left: &Left) -> io::Result<bool> {
        let (name, hidden) = (OsStr::new(&left.name), hidden(left.waiting.id()));
        let hidden = OsStr::new(&hidden);
        rename_new(dir, name, hidden)?;
        failpoint::step();
        if self.is_same(dir, left, hidden) {
            rustix::fs::unlinkat(dir, hidden, AtFlags::empty())?;
            sync_dir(&self.dir)?;
            return Ok(true);
        }
        put_back(dir, hidden, &left.name).map(|()| false)
    }

    /// Whether the file under this name is the one that was read.
    fn is_same(&self, dir: &OwnedFd, left: &Left, name: &OsStr) -> bool {
        let now = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).ok();
        let of = |stat: &Stat| (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime, stat.st_mtime_nsec);
        let is_same = now.as_ref().map(of) == left.stat.as_ref().map(of) && now.is_some();
        is_same
            && left
                .waiting
                .proposal()
                .is_none_or(|one| name.to_str().is_some_and(|name| content(dir, name).ok() == one.bytes))
    }
}

/// Gives a hidden file its name again; where someone put a new one meanwhile, another name.
fn put_back(dir: &OwnedFd, hidden: &OsStr, name: &str) -> io::Result<()> {
    for number in 1_u32.. {
        let stem = name.strip_suffix(".md").unwrap_or(name);
        let back = if number == 1 { name.to_owned() } else { format!("{stem}~{number}.md") };
        match rename_new(dir, hidden, OsStr::new(&back)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => return other,
        }
    }
    Ok(())
}

/// The name of a file that is about to go.
fn hidden(id: &str) -> String {
    format!(".taken-{id}")
}

/// Whether the queue's directory has a file of a proposal.
fn is_entry(to: &Path, id: &str, part: &str) -> bool {
    to.join(format!("{id}.{part}")).symlink_metadata().is_ok()
}

/// The names of the Markdown files, sorted; hidden ones and a README are none.
fn names(dir: &OwnedFd) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(dir)? {
        let entry = entry?;
        // One that is not UTF-8 is shown, with its fault: it can't be read by this name.
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_readme = name.eq_ignore_ascii_case("readme.md");
        if name.ends_with(".md") && !name.starts_with('.') && !is_readme {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// What a file holds, or why it can't be read, in words. One byte too many is read at most.
fn content(dir: &OwnedFd, name: &str) -> std::result::Result<Arc<[u8]>, String> {
    let said = |error: &io::Error| format!("it can't be read: {}", reason(error));
    let file = match rustix::fs::openat(dir, name, READ, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::LOOP) => return Err("it is a link, which is not followed".into()),
        Err(error) => return Err(said(&error.into())),
    };
    if !file.metadata().map_err(|error| said(&error))?.is_file() {
        return Err("it is no regular file".into());
    }
    let mut bytes = Vec::new();
    let most = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    file.take(most).read_to_end(&mut bytes).map_err(|error| said(&error))?;
    Ok(bytes.into())
}

/// The id of a file as it is now, on the version of the memory that there is now: when either changes, it is another
/// proposal, and a decision on the old one comes to nothing.
fn id(
    name: &str,
    bytes: &std::result::Result<Arc<[u8]>, String>,
    stat: Option<&Stat>,
    current: Option<&[u8]>,
) -> String {
    let mut text = format!("{name}\0{:?}\0", current.map(sha256));
    if let Some(stat) = stat {
        text.push_str(&format!(
            "{} {} {} {}\0",
            stat.st_ino, stat.st_size, stat.st_mtime, stat.st_mtime_nsec
        ));
    }
    text.push_str(&bytes.as_ref().map_or_else(Clone::clone, |bytes| sha256(bytes)));
    let hash: String = sha256(text.as_bytes()).chars().take(12).collect();
    format!("{PREFIX}{hash}")
}
