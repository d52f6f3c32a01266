//! The history of paths: one pass of `git log --raw`, read as it comes.

use super::base::Base;
use crate::check::project::Commit;
use crate::memory::Time;
use std::collections::HashMap;
use std::io::{self, BufRead};
use std::sync::Arc;

/// The arguments of the log, before the revisions. Merges are compared with all their parents, so that only what the
/// merge itself did counts; renames are found though the person or the project turned that off.
pub(super) const ARGS: &[&str] = &[
    "log",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-notes",
    "--no-decorate",
    "--encoding=UTF-8",
    "--submodule=short",
    "--raw",
    "--no-abbrev",
    "-z",
    "-c",
    "-M",
    "-l1000",
    "--format=%x01%H%x00%ct%x00%s%x00%b%x00",
];

/// A field of the log that is longer is cut, in bytes.
const LONGEST: usize = 64 << 10;

/// What is read at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Commits whose text is kept.
    pub(super) commits: usize,
    /// Changes that are kept; the reading ends there.
    pub(super) changes: usize,
}

/// What the log tells, newest first.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The commits; those beyond the limit without their text.
    pub(super) commits: Vec<Arc<Commit>>,
    /// Paths that went, with the place they went to.
    pub(super) left: Vec<Left>,
    /// What files held before they were changed or went.
    pub(super) old: Vec<Old>,
    /// Whether it was read to its end.
    pub(super) is_whole: bool,
}

/// A path that a commit removed or moved away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Left {
    /// The number of the commit in the log.
    pub(super) commit: usize,
    /// The path, relative to the project's root.
    pub(super) path: String,
    /// Where it was moved to.
    pub(super) to: Option<String>,
}

/// What a file held before a commit changed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Old {
    /// The number of the commit in the log.
    pub(super) commit: usize,
    /// The path, relative to the project's root.
    pub(super) path: String,
    /// The name of the content in the repository.
    pub(super) blob: String,
    /// The name of what it holds since; `None` when it was removed.
    pub(super) after: Option<String>,
}

/// One line of the log.
#[derive(Debug)]
pub(super) struct Raw {
    /// `A`, `C`, `D`, `M`, `R` or `T`.
    pub(super) status: u8,
    /// The contents before and after.
    pub(super) blobs: [String; 2],
    /// Whether it was a file (no link, no submodule).
    pub(super) is_file: bool,
    /// The path before and, of a move, after; relative to the top of the repository.
    pub(super) paths: [String; 2],
}

impl Log {
    /// Reads what `git log` prints. An error ends it early: what was read stays, and is not whole.
    pub(super) fn read(
        &mut self,
        from: &mut dyn BufRead,
        base: &Base,
        limits: Limits,
        progress: &dyn Fn(&Log),
    ) -> io::Result<()> {
        let mut raws = Vec::new();
        while let Some(token) = token(from)? {
            // The changes of a commit begin on a new line.
            match token.strip_prefix(b"\n").unwrap_or(&token).split_first() {
                Some((1, id)) => {
                    self.finish(&mut raws, base);
                    let fields = [self::token(from)?, self::token(from)?, self::token(from)?];
                    self.begin(id, fields, limits);
                    if self.commits.len().is_multiple_of(256) {
                        progress(self);
                    }
                    if self.left.len() + self.old.len() > limits.changes {
                        return Ok(());
                    }
                }
                Some((b':', fields)) => raws.extend(raw(fields, from)?),
                _ => {}
            }
        }
        self.finish(&mut raws, base);
        self.is_whole = true;
        Ok(())
    }

    fn begin(&mut self, id: &[u8], [date, subject, body]: [Option<Vec<u8>>; 3], limits: Limits) {
        let text = |bytes: Option<Vec<u8>>| String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
        let keep = self.commits.len() < limits.commits;
        self.add_commit(Commit {
            id: String::from_utf8_lossy(id).into_owned(),
            date: text(date).parse().ok().and_then(|date| Time::from_timestamp(date, 0)).unwrap_or_default(),
            subject: text(subject),
            body: if keep { text(body).trim().to_owned() } else { String::new() },
        });
    }

    pub(super) fn add_commit(&mut self, commit: Commit) {
        self.commits.push(Arc::new(commit));
    }

    /// Takes in what the last commit did.
    pub(super) fn finish(&mut self, raws: &mut Vec<Raw>, base: &Base) {
        let Some(commit) = self.commits.len().checked_sub(1) else { return raws.clear() };
        // A second copy that was removed while the first one was moved: the same content under the same name.
        let mut arrived = HashMap::new();
        for raw in raws.iter().filter(|raw| matches!(raw.status, b'A' | b'R')) {
            let [_, blob] = &raw.blobs;
            let to = raw.to();
            arrived.entry((blob.clone(), super::kind::name(to).to_owned())).or_insert_with(|| to.to_owned());
        }
        for raw in raws.drain(..) {
            let is_gone = matches!(raw.status, b'D' | b'R');
            let to = match raw.status {
                b'R' => Some(raw.to().to_owned()),
                b'D' => {
                    let [blob, _] = &raw.blobs;
                    arrived.get(&(blob.clone(), super::kind::name(raw.from()).to_owned())).cloned()
                }
                _ => None,
            };
            let [before, after] = raw.blobs;
            let [path, _] = raw.paths;
            let Some(path) = base.inside(&path) else { continue };
            if is_gone {
                let to = to.and_then(|to| base.relative(&to));
                self.left.push(Left { commit, path: path.clone(), to });
            }
            let tells = raw.is_file && before != after && !matches!(raw.status, b'A' | b'C');
            if tells && is_searched(&path) {
                let after = (raw.status != b'D').then_some(after);
                self.old.push(Old { commit, path, blob: before, after });
            }
        }
    }
}

/// Whether literals that stood in a file with this path were code.
fn is_searched(path: &str) -> bool {
    use super::kind::{is_generated, is_instruction, is_prose};
    !is_prose(path) && !is_instruction(path) && !is_generated(path)
}

impl Raw {
    fn from(&self) -> &str {
        let [from, _] = &self.paths;
        from
    }

    fn to(&self) -> &str {
        let [from, to] = &self.paths;
        if to.is_empty() { from } else { to }
    }
}

/// Reads one change: `mode mode blob blob status`, then one path or two; of a merge all modes but the last, all
/// blobs and all statuses are there as often as it has parents, and one path.
fn raw(fields: &[u8], from: &mut dyn BufRead) -> io::Result<Option<Raw>> {
    let parents = 1 + fields.iter().take_while(|byte| **byte == b':').count();
    let text = String::from_utf8_lossy(fields.get(parents - 1..).unwrap_or_default()).into_owned();
    let words: Vec<&str> = text.split(' ').collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default().to_owned();
    let status = word(2 * parents + 2);
    let first = status.bytes().next().unwrap_or_default();
    let mut path = || -> io::Result<String> {
        let bytes = token(from)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let before = path()?;
    let after = if parents == 1 && matches!(first, b'R' | b'C') { path()? } else { String::new() };
    if parents > 1 && !status.bytes().all(|status| status == b'D') {
        return Ok(None);
    }
    Ok(Some(Raw {
        status: first,
        is_file: word(0).starts_with("100"),
        blobs: [word(parents + 1), word(2 * parents + 1)],
        paths: [before, after],
    }))
}

/// The next field, without the zero that ends it; `None` at the end. What is too long is cut.
fn token(from: &mut dyn BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut token = Vec::new();
    loop {
        let (used, is_end) = {
            let bytes = from.fill_buf()?;
            if bytes.is_empty() {
                return Ok((!token.is_empty()).then_some(token));
            }
            let end = memchr::memchr(0, bytes);
            let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
            let room = LONGEST.saturating_sub(token.len()).min(part.len());
            token.extend_from_slice(part.get(..room).unwrap_or_default());
            (end.map_or(bytes.len(), |end| end + 1), end.is_some())
        };
        from.consume(used);
        if is_end {
            return Ok(Some(token));
        }
    }
}
