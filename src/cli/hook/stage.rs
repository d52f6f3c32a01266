//! Stages one write of the client: reads what it stands on, and puts what becomes of it into the queue.

use crate::client::hook::call::Call;
use crate::client::hook::staging::{self, Ground, Step, View};
use crate::client::hook::{Mode, answer};
use crate::client::writes::Write;
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::review::proposal::{Action, MAX_BYTES, Proposal, Waiting};
use crate::store::{Places, Queue, Seen, Staged, StoreError};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// What the client is told; `None`: nothing, the call goes on.
pub type Told = Option<String>;

/// One call on one store.
pub struct Desk<'a> {
    /// Where what waits is kept.
    pub places: &'a Places,
    /// The store's real directory, which need not exist.
    pub root: &'a Path,
    /// The call.
    pub call: &'a Call,
    /// The time of the write.
    pub now: Time,
}

impl Desk<'_> {
    /// Stages a write of a memory or of the index.
    pub fn write(&self, path: &RelPath, write: &Write, mode: Mode) -> Told {
        self.staged(path, write, mode).unwrap_or_else(|why| Some(answer::failed(&why)))
    }

    /// Stages a deletion.
    ///
    /// # Errors
    /// When it can't be kept, in words.
    pub fn delete(&self, path: &RelPath) -> Result<String, String> {
        let (queue, kept, own) = self.open()?;
        let disk = self.disk(path)?;
        let ground = self.ground(&own);
        if disk.is_none() && ground.waiting(path).is_none() {
            return Err("there is no such memory".into());
        }
        let steps = ground.deletion(path, disk.as_ref());
        self.take(&queue, &steps)?;
        self.settle(&queue, &kept, None)?;
        Ok(answer::DELETION_WAITS.into())
    }

    fn staged(&self, path: &RelPath, write: &Write, mode: Mode) -> Result<Told, String> {
        let (queue, kept, own) = self.open()?;
        // The same call, seen by a hook in another of the client's settings files too.
        let seen = Seen::of(self.places, self.root);
        if self.call.tool_use_id.as_ref().is_some_and(|id| seen.ids().contains(id)) {
            return Ok(Some(answer::WAITS.into()));
        }
        let disk = self.disk(path)?;
        let ground = self.ground(&own);
        if mode == Mode::Changes && ground.waiting(path).is_none() && is_new(path, write, disk.as_deref()) {
            return Ok(None);
        }
        let mut view = self.view(&kept)?;
        let steps = match path.is_index() {
            true => {
                let before = view.text.clone();
                let steps = ground.index_write(&mut view, write);
                if steps.is_ok() && view.text == before && before == view.base {
                    return Ok(Some(answer::PRESENT.into()));
                }
                steps
            }
            false => ground.memory(path, write, disk.as_ref()),
        };
        let steps = match steps {
            Ok(steps) => steps,
            Err(why) => return Ok(Some(answer::impossible(&why))),
        };
        if !path.is_index() && steps.is_empty() {
            return Ok(Some(answer::PRESENT.into()));
        }
        if self.is_rejected(&queue, &steps)? {
            return Ok(Some(answer::REJECTED.into()));
        }
        self.take(&queue, &steps)?;
        self.settle(&queue, &kept, path.is_index().then_some(view))?;
        let deletes = |step: &Step| matches!(step, Step::Put(one) if one.action == Action::Delete);
        Ok(Some(if steps.iter().any(deletes) { answer::DELETION_WAITS } else { answer::WAITS }.into()))
    }

    /// The queue, what is kept of the session (as long as it is held, no other hook works on this store), and what it
    /// staged before.
    fn open(&self) -> Result<(Queue, Staged, Vec<Proposal>), String> {
        let session = self.call.session_id.as_deref().unwrap_or_default();
        let kept = Staged::open(self.places, self.root, session).map_err(plain)?;
        let queue = Queue::of(self.places, self.root);
        let own = self.own(&queue)?;
        Ok((queue, kept, own))
    }

    fn own(&self, queue: &Queue) -> Result<Vec<Proposal>, String> {
        let waiting = queue.list().map_err(plain)?;
        let is_own =
            |one: &Proposal| one.origin.kind == staging::KIND && one.origin.session == self.call.session_id;
        Ok(waiting.iter().filter_map(Waiting::proposal).filter(|one| is_own(one)).cloned().collect())
    }

    fn ground<'g>(&'g self, own: &'g [Proposal]) -> Ground<'g> {
        Ground { staged: own, session: self.call.session_id.as_deref(), now: self.now }
    }

    /// What the store holds of a file.
    fn disk(&self, path: &RelPath) -> Result<Option<Arc<[u8]>>, String> {
        let file = self.root.join(path.as_path());
        let mut bytes = Vec::new();
        match std::fs::File::open(&file) {
            Ok(file) if !file.metadata().is_ok_and(|meta| meta.is_file()) => Err("it is no file".into()),
            Ok(file) => match file.take(MAX_BYTES as u64 * 4 + 1).read_to_end(&mut bytes) {
                Ok(_) if bytes.len() > MAX_BYTES * 4 => Err("the memory on the disk is too large".into()),
                Ok(_) => Ok(Some(bytes.into())),
                Err(error) => Err(format!("the memory on the disk can't be read: {error}")),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("the memory on the disk can't be read: {error}")),
        }
    }

    fn view(&self, kept: &Staged) -> Result<View, String> {
        let disk = self.disk(&RelPath::index())?.map(|bytes| bytes.to_vec()).unwrap_or_default();
        let view = kept.index().map(|(base, text)| View { base, text });
        Ok(view.map_or_else(|| View { base: disk.clone(), text: disk.clone() }, |view| view.on(&disk)))
    }

    fn is_rejected(&self, queue: &Queue, steps: &[Step]) -> Result<bool, String> {
        let mut keys = steps.iter().filter_map(|step| match step {
            Step::Put(one) if one.id.is_empty() => Some(one.key()),
            _ => None,
        });
        let Some(key) = keys.next() else { return Ok(false) };
        let rejected = queue.rejected().map_err(plain)?;
        Ok(rejected.iter().filter_map(|one| one.what.proposal()).any(|one| one.key() == key))
    }

    fn take(&self, queue: &Queue, steps: &[Step]) -> Result<(), String> {
        for step in steps {
            match step {
                Step::Withdraw(id) => queue.withdraw(id),
                Step::Put(one) => queue.renew(one, self.now),
            }
            .map_err(plain)?;
        }
        Ok(())
    }

    /// Divides what the session made of the index anew, now that something else waits, and notes the call as staged.
    fn settle(&self, queue: &Queue, kept: &Staged, written: Option<View>) -> Result<(), String> {
        let view = match written {
            Some(view) => Some(view),
            None if kept.index().is_some() => Some(self.view(kept)?),
            None => None,
        };
        if let Some(view) = view {
            let own = self.own(queue)?;
            self.take(queue, &self.ground(&own).index(&view))?;
            kept.keep_index(&view.base, &view.text).map_err(plain)?;
        }
        Seen::of(self.places, self.root).add(self.call.tool_use_id.as_deref()).map_err(plain)
    }
}

/// Whether a write makes a new memory, or adds lines to the index alone.
fn is_new(path: &RelPath, write: &Write, disk: Option<&[u8]>) -> bool {
    match (path.is_index(), disk) {
        (_, None) => true,
        (false, Some(_)) => false,
        (true, Some(disk)) => {
            staging::apply(write, Some(disk)).is_ok_and(|after| View::only_grows(disk, after.as_bytes()))
        }
    }
}

fn plain(error: StoreError) -> String {
    error.what
}
