//! The state in which the files of a store were reviewed last: a tree in every commit beside that of the files. A
//! person's operation moves it for what it touched, so that only what others did is left to review.

use super::error::Result;
use super::intent::Intent;
use super::merge;
use super::operation::Session;
use super::pack::{Objects, id_of};
use super::record::{Kind, Record};
use super::spot::Change;
use super::survey::blob_bytes;
use super::tree::{self, Entry, Files};
use crate::review::plan::{Content, FileState};
use git2::{ObjectType, Oid};
use std::path::{Path, PathBuf};

impl Session {
    /// The reviewed tree after an operation; `None` when nothing was ever reviewed.
    pub(super) fn reviewed_after(
        &self,
        before: Option<Oid>,
        intent: &Intent,
        objects: &mut Objects,
    ) -> Result<Option<Oid>> {
        let Some(before) = before else { return Ok(None) };
        let mut files = self.history.reviewed_files(before)?;
        let turned = match (intent.kind, intent.of) {
            (Kind::Undo | Kind::Redo, Some(of)) => self.turned(intent.kind, of)?,
            _ => None,
        };
        let mut changed = Reviewed { session: self, files: &mut files, objects };
        match turned {
            Some((from, to)) => changed.turn(&from, &to, intent)?,
            None => changed.advance(intent)?,
        }
        Ok(Some(tree::write_files(objects, &files)?))
    }

    /// From which reviewed state to which an operation is turned; `None`: there was none then.
    fn turned(&self, kind: Kind, of: Oid) -> Result<Option<(Files, Files)>> {
        let commit = self.history.commit(of)?;
        let Some(parent) = commit.parent else { return Ok(None) };
        let before = self.history.reviewed(&self.history.commit(parent)?)?;
        let after = self.history.reviewed(&commit)?;
        Ok(match (before, after) {
            (Some(before), Some(after)) if kind == Kind::Undo => Some((after, before)),
            (Some(before), Some(after)) => Some((before, after)),
            _ => None,
        })
    }
}

struct Reviewed<'a> {
    session: &'a Session,
    files: &'a mut Files,
    objects: &'a mut Objects,
}

impl Reviewed<'_> {
    /// What the person wrote counts as reviewed. Where others had changed the same file before, unseen, only the
    /// person's lines do: of the index always, of a memory when the operation was not about it alone.
    fn advance(&mut self, intent: &Intent) -> Result<()> {
        let verb = intent.verb.as_deref().unwrap_or_default();
        let follows = ["rename", "merge", "promote"].contains(&verb);
        let inside: Vec<&Change> = intent.changes.iter().filter(|change| change.path.is_listed()).collect();
        let renamed = if verb == "rename" { renamed(&inside) } else { None };
        for change in inside {
            let path = change.path.as_path();
            if let Some((from, to)) = renamed.filter(|(from, to)| [from, to].contains(&&change)) {
                if change == to {
                    let base = self.files.remove(from.path.as_path());
                    self.carry(path, base, from.before.as_ref(), to.after.as_ref())?;
                }
                continue;
            }
            let base = self.files.get(path).copied();
            if change.is_index || follows && change.before.is_some() && change.after.is_some() {
                self.carry(path, base, change.before.as_ref(), change.after.as_ref())?;
            } else {
                self.put(path, change.after.as_ref().map(|state| &state.content))?;
            }
        }
        Ok(())
    }

    /// Makes the change `from` → `to` on what was reviewed of a file.
    fn carry(
        &mut self,
        path: &Path,
        base: Option<Entry>,
        from: Option<&FileState>,
        to: Option<&FileState>,
    ) -> Result<()> {
        let is_reviewed = base.map(|entry| entry.id) == from.map(|state| id(&state.content));
        let Some(base) = base.filter(|_| !is_reviewed) else {
            // Nobody has reviewed the file: neither is it now, the index apart, in which the person's lines are.
            let is_new = base.is_none() && from.is_some();
            return match (is_new, path == Path::new("MEMORY.md")) {
                (true, false) => self.put(path, None),
                (true, true) => self.carry_onto(path, &[], from, to),
                (false, _) => self.put(path, to.map(|state| &state.content)),
            };
        };
        if base.kind == tree::Kind::Link {
            return self.put(path, to.map(|state| &state.content));
        }
        let bytes = self.session.history.blob(base.id)?;
        self.carry_onto(path, &bytes, from, to)
    }

    fn carry_onto(
        &mut self,
        path: &Path,
        base: &[u8],
        from: Option<&FileState>,
        to: Option<&FileState>,
    ) -> Result<()> {
        let onto = FileState { content: Content::File(base.into()), mode: 0o600, mtime: None };
        match merge::rebase(from, to, &onto) {
            Some(merged) => self.put(path, merged.state.as_ref().map(|state| &state.content)),
            None => self.put(path, to.map(|state| &state.content)),
        }
    }

    /// Takes a step back, or makes it again: each file that still counts as the step left it.
    fn turn(&mut self, from: &Files, to: &Files, intent: &Intent) -> Result<()> {
        let paths: Vec<&PathBuf> =
            from.keys().chain(to.keys().filter(|path| !from.contains_key(*path))).collect();
        for path in paths {
            let (old, new, now) = (from.get(path), to.get(path), self.files.get(path).copied());
            if old == new {
                continue;
            }
            let is_index = path == Path::new("MEMORY.md")
                || intent.changes.iter().any(|change| change.is_index && change.path.as_path() == path);
            if now.as_ref() == old {
                match new {
                    Some(entry) => drop(self.files.insert(path.clone(), *entry)),
                    None => drop(self.files.remove(path)),
                }
            } else if let (true, Some(now)) = (is_index, now) {
                let (old, new) = (self.state(old)?, self.state(new)?);
                let bytes = self.session.history.blob(now.id)?;
                self.carry_onto(path, &bytes, old.as_ref(), new.as_ref())?;
            }
        }
        Ok(())
    }

    fn state(&self, entry: Option<&Entry>) -> Result<Option<FileState>> {
        let bytes = entry.map(|entry| self.session.history.blob(entry.id)).transpose()?;
        Ok(bytes.map(|bytes| FileState { content: Content::File(bytes), mode: 0o600, mtime: None }))
    }

    fn put(&mut self, path: &Path, content: Option<&Content>) -> Result<()> {
        match content {
            Some(content) => {
                let kind = match content {
                    Content::File(_) => tree::Kind::File,
                    Content::Link(_) => tree::Kind::Link,
                };
                let id = self.objects.add(ObjectType::Blob, blob_bytes(content))?;
                self.files.insert(path.to_path_buf(), Entry { id, kind });
            }
            None => drop(self.files.remove(path)),
        }
        Ok(())
    }
}

/// The file that is renamed: as it goes, and as it comes.
fn renamed<'a>(changes: &[&'a Change]) -> Option<(&'a Change, &'a Change)> {
    let from = changes.iter().find(|change| change.before.is_some() && change.after.is_none())?;
    let to = changes.iter().find(|change| change.before.is_none() && change.after.is_some())?;
    Some((from, to))
}

pub(super) fn id(content: &Content) -> Oid {
    id_of(ObjectType::Blob, blob_bytes(content))
}

/// The time at which a file with this content was changed last, as far as an entry of the history tells.
pub(super) fn time_in(record: &Record, path: &Path, blob: Oid) -> Option<(i64, u32)> {
    let blob = blob.to_string();
    let seen = record.reviewed.iter().filter(|seen| seen.path.to_path() == path).find_map(|seen| seen.mtime);
    let changed = record.changes.iter().filter(|changed| !changed.outside && changed.path.to_path() == path);
    changed
        .flat_map(|changed| changed.states())
        .filter(|state| state.blob == blob)
        .find_map(|state| state.mtime)
        .or(seen)
}
