//! Where history comes from: the `git` program, or the library where there is no program.

use super::Stop;
use super::base::Base;
use super::git::{Git, Running, TIME_IS_UP};
use super::library::Library;
use super::log::{self, Limits, Log};
use crate::memory::text::visible;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Where history comes from.
pub(super) enum Source {
    /// The program: ten times faster.
    Program(Git),
    /// The library.
    Library(Library),
}

/// A repository as it stands.
#[derive(Debug, Clone)]
pub(super) struct Head {
    /// The commit that is checked out.
    pub(super) id: String,
    /// Where the project lies in the repository.
    pub(super) base: Base,
    /// Whether older commits were never fetched.
    pub(super) is_shallow: bool,
}

/// Reads contents of the repository by their names.
pub(super) enum Blobs<'a> {
    Program(BufReader<Running<'a>>),
    Library(super::library::Blobs),
}

/// So many names are sent to the program at once: fewer bytes than a pipe holds.
pub(super) const BATCH: usize = 100;

impl Source {
    pub(super) fn new(program: Option<&Path>, root: &Path) -> Self {
        match program {
            Some(program) => Self::Program(Git::new(program, root)),
            None => Self::Library(Library::new(root)),
        }
    }

    /// The repository that the project lies in; else why there is none, in words.
    pub(super) fn head(&self, stop: &Stop<'_>) -> Result<Head, String> {
        let git = match self {
            Self::Program(git) => git,
            Self::Library(library) => return library.head(stop),
        };
        let args = ["rev-parse", "--is-shallow-repository", "--show-prefix", "HEAD"];
        let printed = git.ask(&args, stop).map_err(|words| reason(&words))?;
        let text = String::from_utf8_lossy(&printed);
        let mut lines: Vec<&str> = text.trim_end_matches('\n').split('\n').collect();
        let id = lines.pop().unwrap_or_default().to_owned();
        let is_shallow = lines.first() == Some(&"true");
        // A directory's name may hold line ends.
        let prefix = lines.get(1..).unwrap_or_default().join("\n");
        Ok(Head { id, base: Base::new(&prefix), is_shallow })
    }

    /// The files that git keeps, relative to the project.
    pub(super) fn tracked(&self, stop: &Stop<'_>) -> Vec<PathBuf> {
        match self {
            Self::Program(git) => {
                let printed = git.ask(&["ls-files", "-z"], stop).unwrap_or_default();
                let names = printed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
                names.map(|name| PathBuf::from(OsStr::from_bytes(name))).collect()
            }
            Self::Library(library) => library.tracked(),
        }
    }

    /// Whether a commit is an ancestor of another.
    pub(super) fn is_ancestor(&self, old: &str, new: &str, stop: &Stop<'_>) -> bool {
        match self {
            Self::Program(git) => git.ask(&["merge-base", "--is-ancestor", old, new], stop).is_ok(),
            Self::Library(library) => library.is_ancestor(old, new),
        }
    }

    /// The commits that lead to `new` and not to `old`, newest first, with what they changed.
    pub(super) fn log(
        &self,
        old: Option<&str>,
        new: &str,
        base: &Base,
        limits: Limits,
        stop: &Stop<'_>,
        progress: &dyn Fn(&Log),
    ) -> Log {
        let mut log = Log::default();
        match self {
            Self::Program(git) => {
                let not = old.map(|old| format!("^{old}"));
                let mut args = log::ARGS.to_vec();
                args.push(new);
                args.extend(not.as_deref());
                args.push("--");
                if let Ok(running) = git.start(&args, stop) {
                    let mut output = BufReader::with_capacity(256 << 10, running.hush());
                    // What it ended with is seen from whether it was read whole.
                    let _ = log.read(&mut output, base, limits, progress);
                    if log.is_whole {
                        log.is_whole = output.into_inner().end().is_ok();
                    }
                }
            }
            Self::Library(library) => library.log(&mut log, old, new, base, limits, stop, progress),
        }
        log
    }

    /// A reader of contents, for one thread.
    pub(super) fn blobs<'a>(&self, stop: &'a Stop<'a>) -> io::Result<Blobs<'a>> {
        match self {
            Self::Program(git) => {
                let running = git.start(&["cat-file", "--batch"], stop)?;
                Ok(Blobs::Program(BufReader::with_capacity(128 << 10, running)))
            }
            Self::Library(library) => library.blobs().map(Blobs::Library).map_err(io::Error::other),
        }
    }
}

impl Blobs<'_> {
    /// The contents with these names (at most [`BATCH`]), in order; `None` for one that is missing, larger than
    /// `most` bytes or no content. An error: it can't go on.
    pub(super) fn read(
        &mut self,
        names: &[&str],
        most: usize,
        take: &mut dyn FnMut(usize, Option<Vec<u8>>),
    ) -> io::Result<()> {
        let output = match self {
            Self::Program(output) => output,
            Self::Library(library) => {
                names.iter().enumerate().for_each(|(at, name)| take(at, library.read(name, most)));
                return Ok(());
            }
        };
        output.get_mut().tell((names.join("\n") + "\n").as_bytes())?;
        for at in 0..names.len() {
            let mut line = Vec::new();
            output.by_ref().take(512).read_until(b'\n', &mut line)?;
            let line = String::from_utf8_lossy(&line).into_owned();
            let mut words = line.trim_end().split(' ').skip(1);
            match (words.next(), words.next().and_then(|size| size.parse::<u64>().ok())) {
                (Some(kind), Some(size)) => {
                    let is_wanted = kind == "blob" && usize::try_from(size).is_ok_and(|size| size <= most);
                    let mut bytes = Vec::new();
                    let mut content = output.by_ref().take(size);
                    if is_wanted {
                        content.read_to_end(&mut bytes)?;
                    } else {
                        io::copy(&mut content, &mut io::sink())?;
                    }
                    output.read_exact(&mut [0])?;
                    take(at, is_wanted.then_some(bytes));
                }
                (Some("missing"), None) => take(at, None),
                _ => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
        Ok(())
    }
}

/// Why git refused, in words for a person.
fn reason(words: &str) -> String {
    if words == TIME_IS_UP {
        return words.into();
    }
    if words.contains("not a git repository") {
        // Also what git says about a `.git` file that leads nowhere.
        return if words.contains("or any of the parent directories")
            || words.contains("Stopping at filesystem")
        {
            "it is in no git repository".into()
        } else {
            "its `.git` leads to no repository".into()
        };
    }
    if words.contains("ambiguous argument 'HEAD'") {
        return "its repository has no commit yet".into();
    }
    if words.contains("dubious ownership") {
        return "its repository belongs to someone else, and git's `safe.directory` does not name it".into();
    }
    format!("git can't read its repository: {}", visible(words, false))
}
