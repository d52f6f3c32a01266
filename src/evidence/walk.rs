//! Which files a project has, and reading one of them without being led astray.

use ignore::{WalkBuilder, WalkState};
use rustix::fs::OFlags;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// A file of the project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// Relative to the root, as text.
    pub(super) path: String,
    /// The same where the text is not the path (it is not UTF-8).
    raw: Option<PathBuf>,
    /// Whether it is a file with content of its own: not a link.
    pub(super) is_file: bool,
}

impl Entry {
    /// The file at this path, relative to the root.
    pub(super) fn new(path: &Path, is_file: bool) -> Self {
        match path.to_str() {
            Some(text) => Self { path: text.to_owned(), raw: None, is_file },
            None => {
                Self { path: path.to_string_lossy().into_owned(), raw: Some(path.to_path_buf()), is_file }
            }
        }
    }

    fn as_path(&self) -> &Path {
        self.raw.as_deref().unwrap_or_else(|| Path::new(&self.path))
    }

    /// Its content, when it is a regular file of at most `most` bytes.
    pub(super) fn read(&self, root: &Path, most: usize) -> Option<Vec<u8>> {
        if !self.is_file {
            return None;
        }
        read(&root.join(self.as_path()), most).ok().flatten()
    }
}

/// What a walk found.
pub(super) struct Walked {
    /// The files, sorted.
    pub(super) files: Vec<Entry>,
    /// Whether there are more than are listed.
    pub(super) is_cut: bool,
}

/// Every file below the root that git would not ignore, hidden ones too, `.git` not; links are listed and not
/// followed, and what is neither file nor link is left out.
pub(super) fn walk(
    root: &Path,
    most: usize,
    cancel: &AtomicBool,
    progress: &(dyn Fn(usize) + Sync),
) -> Walked {
    // What lies above counts up to the repository's root. Without a repository nothing above counts: a home
    // directory kept in git often ignores everything.
    let in_git = root.ancestors().any(|dir| dir.join(".git").symlink_metadata().is_ok());
    let (files, count) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    let mut builder = WalkBuilder::new(root);
    builder.hidden(false).ignore(false).require_git(in_git).parents(in_git).follow_links(false);
    builder.filter_entry(|entry| entry.file_name() != ".git");
    builder.build_parallel().run(|| {
        let mut batch = Batch { files: Vec::new(), all: &files };
        let count = &count;
        Box::new(move |entry| {
            if cancel.load(Ordering::Relaxed) {
                return WalkState::Quit;
            }
            let Ok(entry) = entry else { return WalkState::Continue };
            let Some(kind) = entry.file_type().filter(|kind| !kind.is_dir()) else {
                return WalkState::Continue;
            };
            if !kind.is_file() && !kind.is_symlink() {
                return WalkState::Continue;
            }
            let Ok(path) = entry.path().strip_prefix(root) else { return WalkState::Continue };
            let number = count.fetch_add(1, Ordering::Relaxed);
            if number >= most {
                return WalkState::Quit;
            }
            if number % 1024 == 1023 {
                progress(number + 1);
            }
            batch.files.push(Entry::new(path, kind.is_file()));
            WalkState::Continue
        })
    });
    let mut files = files.into_inner().unwrap_or_else(PoisonError::into_inner);
    files.sort_unstable();
    files.dedup();
    Walked { files, is_cut: count.into_inner() > most }
}

/// The files that one thread found; they join the others when it ends.
struct Batch<'a> {
    files: Vec<Entry>,
    all: &'a Mutex<Vec<Entry>>,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).append(&mut self.files);
    }
}

/// The content of a regular file; `None` when it is something else or larger. Never waits (a pipe) and follows no
/// link.
fn read(path: &Path, most: usize) -> io::Result<Option<Vec<u8>>> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    let stat = file.metadata()?;
    let limit = u64::try_from(most).unwrap_or(u64::MAX);
    if !stat.is_file() || stat.len() > limit {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(stat.len()).unwrap_or_default());
    file.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= most).then_some(bytes))
}
