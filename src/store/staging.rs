//! A store's directory as an agent of the memory tool sees it whose writes wait for a person's yes: the files on the
//! disk, with what it proposed in their place. Nothing in the store is written; each write becomes the one proposal
//! about its file.

use super::tool::other;
use super::{Places, Queue, Staged, StoreError, ToolFiles};
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::review::proposal::{MAX_BYTES, Proposal, Waiting};
use crate::review::tool::staging::{KIND, Step, steps};
use crate::review::tool::{Fault, Files, Found, VirtualPath};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How deep a file may be that is proposed, and how long its path.
const DEPTH: usize = 64;
const LENGTH: usize = 3000;

/// A store's directory and what an agent proposed of it.
#[derive(Debug)]
pub struct StagedFiles {
    disk: ToolFiles,
    root: PathBuf,
    places: Places,
    queue: Queue,
    /// Directories as this agent made (true) or removed them. No proposal holds one: another agent knows nothing of it.
    dirs: BTreeMap<VirtualPath, bool>,
    now: fn() -> Time,
}

/// What the agent proposed, by file, as it waits at one moment; of what an interruption left twice the latest is last.
type Proposed = BTreeMap<VirtualPath, Vec<Proposal>>;

/// What is to be in a file after a command: bytes, or nothing.
type Wanted = (VirtualPath, Option<Arc<[u8]>>);

impl StagedFiles {
    /// Opens a store for the tool. The directory must exist; `now` gives the time of the proposals.
    ///
    /// # Errors
    /// When it can't be read.
    pub fn open(root: &Path, places: &Places, now: fn() -> Time) -> Result<Self, StoreError> {
        let disk = ToolFiles::open(root, places, now)?;
        let root = disk.path().to_path_buf();
        let queue = Queue::of(places, &root);
        Ok(Self { disk, root, places: places.clone(), queue, dirs: BTreeMap::new(), now })
    }

    fn proposed(&self) -> Result<Proposed, Fault> {
        let mut all = Proposed::new();
        for one in self.queue.list().map_err(told)? {
            let Waiting::Proposal(one) = one else { continue };
            if one.alone && one.origin.kind == KIND {
                let path = one.target.as_path().iter().map(|part| part.to_string_lossy());
                let path = path.fold(VirtualPath::default(), |path, part| path.join(&part));
                all.entry(path).or_default().push(*one);
            }
        }
        Ok(all)
    }

    /// What is at a path, when each part of the way is a directory.
    fn look(&self, all: &Proposed, path: &VirtualPath) -> Result<Found, Fault> {
        let mut at = VirtualPath::default();
        for part in path.parts() {
            if !matches!(self.here(all, &at)?, Found::Directory(_)) {
                return Ok(Found::Nothing);
            }
            at = at.join(part);
        }
        self.here(all, &at)
    }

    /// What is at a path, whatever is above it.
    fn here(&self, all: &Proposed, path: &VirtualPath) -> Result<Found, Fault> {
        if path.is_root() {
            return self.disk.find(path);
        }
        let own = all.get(path).and_then(|own| own.last());
        if let Some(bytes) = own.and_then(|own| own.bytes.as_ref()) {
            return Ok(Found::File(bytes.len() as u64));
        }
        let mut below = below(all, path).peekable();
        let is_touched = below.peek().is_some();
        let has_file = below.any(|(_, one)| one.bytes.is_some());
        let disk = match (own, self.disk.find(path)) {
            // It was a file when its deletion was proposed.
            (Some(_), Ok(Found::File(_))) => Found::Nothing,
            (_, found) => found?,
        };
        let is_there = match (self.dirs.get(path), disk) {
            _ if has_file => true,
            (_, Found::File(_) | Found::Other) => return Ok(disk),
            (Some(true), _) => true,
            (None, Found::Directory(_)) if !is_touched => return Ok(disk),
            // What somebody put there since is not hidden.
            (Some(false), Found::Directory(_)) | (None, Found::Directory(_)) => {
                self.holds_file(all, path, 0)?
            }
            (Some(false) | None, Found::Nothing) => return Ok(Found::Nothing),
        };
        match (is_there, disk) {
            (false, _) => Ok(Found::Nothing),
            (true, Found::Directory(size)) => Ok(Found::Directory(size)),
            (true, _) => self.disk.find(&VirtualPath::default()),
        }
    }

    /// Whether anything on the disk is left in a directory after the deletions that are proposed.
    fn holds_file(&self, all: &Proposed, path: &VirtualPath, depth: usize) -> Result<bool, Fault> {
        for (name, found) in self.disk.list(path)? {
            let path = path.join(&name);
            let is_left = match found {
                Found::Nothing => false,
                Found::Directory(_) => depth < DEPTH && self.holds_file(all, &path, depth + 1)?,
                Found::File(_) => !all.contains_key(&path),
                Found::Other => true,
            };
            if is_left {
                return Ok(true);
            }
        }
        self.disk.has_odd_names(path)
    }

    fn names(&self, all: &Proposed, path: &VirtualPath) -> Result<Vec<(String, Found)>, Fault> {
        let on_disk = match self.disk.find(path) {
            Ok(Found::Directory(_)) => self.disk.list(path)?,
            _ => Vec::new(),
        };
        let deep = path.parts().len();
        let name = |path: &VirtualPath| path.parts().get(deep).cloned();
        let mut names: BTreeSet<String> = below(all, path).filter_map(|(path, _)| name(path)).collect();
        names.extend(self.dirs.keys().filter(|dir| is_below(dir, path)).filter_map(name));
        let mut found = Vec::new();
        for (name, what) in on_disk {
            names.remove(&name);
            match what {
                Found::Other => found.push((name, what)),
                _ => found.push((name.clone(), self.here(all, &path.join(&name))?)),
            }
        }
        for name in names {
            let what = self.here(all, &path.join(&name))?;
            found.push((name, what));
        }
        found.retain(|(_, what)| *what != Found::Nothing);
        Ok(found)
    }

    fn bytes(&self, all: &Proposed, path: &VirtualPath) -> Result<Arc<[u8]>, Fault> {
        match all.get(path).and_then(|own| own.last()) {
            Some(own) if own.bytes.is_some() => own.bytes.clone().ok_or(Fault::Missing),
            Some(_) => Err(Fault::Missing),
            None => Ok(self.disk.read(path)?.into()),
        }
    }

    /// Every file at or below a path, and every directory. An error when there is something that can't be proposed.
    fn all_below(
        &self,
        all: &Proposed,
        path: &VirtualPath,
        (files, dirs): (&mut Vec<VirtualPath>, &mut Vec<VirtualPath>),
    ) -> Result<(), Fault> {
        match self.look(all, path)? {
            Found::File(_) => files.push(path.clone()),
            Found::Directory(_) => {
                if path.parts().len() > DEPTH {
                    return Err(Fault::Other("directories are nested too deeply".into()));
                }
                dirs.push(path.clone());
                let is_odd = matches!(self.disk.find(path), Ok(Found::Directory(_)))
                    && self.disk.has_odd_names(path)?;
                for (name, what) in self.names(all, path)? {
                    if what == Found::Other || is_odd {
                        return Err(Fault::Other(
                            "there is a link in it, or something else that can't be proposed; a person has to do it".into(),
                        ));
                    }
                    self.all_below(all, &path.join(&name), (files, dirs))?;
                }
            }
            Found::Nothing | Found::Other => return Err(Fault::Missing),
        }
        Ok(())
    }

    /// Makes the directories above a path, as far as they are none: a file on the way is as good as nothing.
    fn make_above(&mut self, all: &Proposed, path: &VirtualPath) -> Result<(), Fault> {
        let mut at = VirtualPath::default();
        let above = path.parts().len().saturating_sub(1);
        for part in path.parts().iter().take(above) {
            at = at.join(part);
            match self.here(all, &at)? {
                Found::Directory(_) => {}
                Found::Nothing => drop(self.dirs.insert(at.clone(), true)),
                Found::File(_) | Found::Other => return Err(Fault::Missing),
            }
        }
        Ok(())
    }

    /// The directories above a file stay when it goes, for the agent that removes it.
    fn keep_above(&mut self, path: &VirtualPath) {
        let mut at = VirtualPath::default();
        for part in path.parts().iter().take(path.parts().len().saturating_sub(1)) {
            at = at.join(part);
            self.dirs.insert(at.clone(), true);
        }
    }

    /// Makes proposals of what files are to hold.
    fn want(&self, all: &Proposed, wanted: Vec<Wanted>) -> Result<(), Fault> {
        let mut taken = Vec::new();
        for (path, bytes) in wanted {
            let rel = RelPath::new(path.relative()).ok_or(Fault::Missing)?;
            if path.parts().len() > DEPTH || rel.as_path().as_os_str().len() > LENGTH {
                return Err(Fault::Other("the path is too long for a proposal".into()));
            }
            if let Some(bytes) = bytes.as_ref().filter(|bytes| bytes.len() > MAX_BYTES) {
                let what = format!(
                    "it would have {} bytes, and what waits for a person's yes can have {MAX_BYTES}",
                    bytes.len()
                );
                return Err(Fault::Other(what));
            }
            let disk = match self.disk.find(&path)? {
                Found::File(_) => Some(self.disk.read(&path)?),
                _ => None,
            };
            let own: Vec<&Proposal> = all.get(&path).into_iter().flatten().collect();
            taken.extend(steps(&rel, bytes, disk.as_deref(), &own, (self.now)()));
        }
        self.refuse_rejected(&taken)?;
        taken.sort_by_key(Step::rank);
        for step in taken {
            match step {
                Step::Withdraw(id) => self.queue.withdraw(&id),
                Step::Put(one) => self.queue.renew(&one, (self.now)()),
            }
            .map_err(told)?;
        }
        Ok(())
    }

    /// What a person rejected does not wait again.
    fn refuse_rejected(&self, steps: &[Step]) -> Result<(), Fault> {
        let keys: Vec<String> = steps
            .iter()
            .filter_map(|step| match step {
                Step::Put(one) => Some(one.key()),
                Step::Withdraw(_) => None,
            })
            .collect();
        if keys.is_empty() {
            return Ok(());
        }
        let rejected = self.queue.rejected().map_err(told)?;
        match rejected.iter().filter_map(|one| one.key.as_ref()).any(|key| keys.contains(key)) {
            true => Err(Fault::Other("a person rejected the same before, so it does not wait again".into())),
            false => Ok(()),
        }
    }

    /// Only one works on what is staged of a store.
    fn lock(&self) -> Result<Staged, Fault> {
        Staged::open(&self.places, &self.root, KIND).map_err(told)
    }
}

impl Files for StagedFiles {
    fn find(&self, path: &VirtualPath) -> Result<Found, Fault> {
        self.look(&self.proposed()?, path)
    }

    fn list(&self, path: &VirtualPath) -> Result<Vec<(String, Found)>, Fault> {
        self.names(&self.proposed()?, path)
    }

    fn read(&self, path: &VirtualPath) -> Result<Vec<u8>, Fault> {
        let all = self.proposed()?;
        match self.look(&all, path)? {
            Found::File(_) => self.bytes(&all, path).map(|bytes| bytes.to_vec()),
            _ => Err(Fault::Missing),
        }
    }

    fn create(&mut self, path: &VirtualPath, bytes: &[u8]) -> Result<(), Fault> {
        let _lock = self.lock()?;
        let all = self.proposed()?;
        if path.is_root() || self.look(&all, path)? != Found::Nothing {
            return Err(Fault::Exists);
        }
        self.make_above(&all, path)?;
        self.want(&all, vec![(path.clone(), Some(bytes.into()))])
    }

    fn replace(&mut self, path: &VirtualPath, before: &[u8], after: &[u8]) -> Result<(), Fault> {
        let _lock = self.lock()?;
        let all = self.proposed()?;
        if !matches!(self.look(&all, path)?, Found::File(_)) || *self.bytes(&all, path)? != *before {
            return Err(Fault::Changed);
        }
        self.want(&all, vec![(path.clone(), Some(after.into()))])
    }

    fn remove(&mut self, path: &VirtualPath) -> Result<(), Fault> {
        let _lock = self.lock()?;
        let all = self.proposed()?;
        let (mut files, mut dirs) = (Vec::new(), Vec::new());
        self.all_below(&all, path, (&mut files, &mut dirs))?;
        self.want(&all, files.into_iter().map(|file| (file, None)).collect())?;
        self.keep_above(path);
        self.dirs.extend(dirs.into_iter().map(|dir| (dir, false)));
        Ok(())
    }

    fn rename(&mut self, from: &VirtualPath, to: &VirtualPath) -> Result<(), Fault> {
        let _lock = self.lock()?;
        let all = self.proposed()?;
        self.look(&all, from)?;
        if self.look(&all, to)? != Found::Nothing {
            return Err(Fault::Exists);
        }
        self.make_above(&all, to)?;
        let (mut files, mut dirs) = (Vec::new(), Vec::new());
        self.all_below(&all, from, (&mut files, &mut dirs))?;
        if to.parts().starts_with(from.parts()) {
            return Err(other(&rustix::io::Errno::INVAL.into()));
        }
        let moved = |path: &VirtualPath| {
            let rest = path.parts().iter().skip(from.parts().len());
            rest.fold(to.clone(), |path, part| path.join(part))
        };
        let mut wanted = Vec::new();
        for file in files {
            wanted.push((moved(&file), Some(self.bytes(&all, &file)?)));
            wanted.push((file, None));
        }
        self.want(&all, wanted)?;
        self.keep_above(from);
        let new: Vec<VirtualPath> = dirs.iter().map(moved).collect();
        self.dirs.extend(dirs.into_iter().map(|dir| (dir, false)));
        self.dirs.extend(new.into_iter().map(|dir| (dir, true)));
        Ok(())
    }
}

/// The proposals about files below a path.
fn below<'a>(
    all: &'a Proposed,
    path: &'a VirtualPath,
) -> impl Iterator<Item = (&'a VirtualPath, &'a Proposal)> {
    // The paths are in the order of their parts, so what is below a path stands right behind it.
    let behind = all.range(path.clone()..).skip_while(move |(other, _)| *other == path);
    let inside = behind.take_while(move |(other, _)| is_below(other, path));
    inside.filter_map(|(path, own)| own.last().map(|own| (path, own)))
}

fn is_below(path: &VirtualPath, dir: &VirtualPath) -> bool {
    path.parts().len() > dir.parts().len() && path.parts().starts_with(dir.parts())
}

fn told(error: StoreError) -> Fault {
    Fault::Other(error.what)
}
