//! What a memory names: paths, symbols, flags, environment variables and configuration keys, each with its place
//! in the file, and with the reason why it should not be held against a project, when there is one.
//!
//! One pass over the text (`blocks`, then `scan`); `path`, `names` and `command` say what a word is, and `claims`
//! whether the sentence itself says that the thing is gone, planned, or at home somewhere else.

mod blocks;
mod claims;
mod command;
mod cues;
mod elsewhere;
mod language;
mod names;
mod path;
mod scan;
mod sentence;
mod words;

#[cfg(test)]
mod tests;

pub use command::owner as owner_of_flag;
pub use words::is_program;

use crate::memory::lines::ends;
use crate::memory::snapshot::Memory;
use std::borrow::Cow;
use std::ops::Range;

/// Everything that one memory names, in the order of its file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentions {
    /// What it names.
    pub all: Vec<Mention>,
}

/// One thing that a memory names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// What it is.
    pub kind: Kind,
    /// What is named, in one form: a path with `/` and without `./`, line numbers and quotes (a directory keeps its
    /// `/` at the end), a symbol without `()`, a variable without `$`. Raw text: show it through
    /// [`crate::memory::text::visible`].
    pub text: Box<str>,
    /// The bytes of the memory's file where it stands, without quotes and line numbers.
    pub range: Range<usize>,
    /// The line of the file, from 1.
    pub line: usize,
    /// Whether it stands as code (backticks, a fence, `verify:`).
    pub in_code: bool,
    /// Whether the memory itself names it as what shows that it holds (the key `verify`).
    pub is_proof: bool,
    /// Whether it looks so much like a path of a project that one which never existed is worth a word.
    pub is_sure: bool,
    /// Why it is not to be held against a project.
    pub excuse: Option<Excuse>,
}

/// The kinds of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A file or directory.
    Path,
    /// A function, type or method.
    Symbol,
    /// `LIKE_THIS`: a constant or an environment variable, which only the project can tell.
    Constant,
    /// A command-line flag with its dashes.
    Flag,
    /// An environment variable that is named as one (`$X`, `process.env.X`).
    Variable,
    /// A configuration key (`cache.ttl`).
    Key,
}

/// Why a mention is not to be held against a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Excuse {
    /// It is a URL, or a host or package of the network (`github.com/a/b`).
    Url,
    /// It stands for many (`*.rs`).
    Glob,
    /// It stands for any (`path/to/x`, `<name>`).
    Placeholder,
    /// It is below a home directory.
    Home,
    /// It is absolute; the project may still hold it.
    Absolute,
    /// It is a branch, tag or revision.
    Ref,
    /// It is a package (`@scope/pkg`).
    Package,
    /// These are words, numbers or dates with a slash between.
    Words,
    /// It is a media type (`application/json`).
    MediaType,
    /// It is a route of a web service.
    Route,
    /// It is on another host (`host:/path`).
    Host,
    /// It is a model of a registry.
    Model,
    /// Another program or the system defines it.
    Other,
    /// The text says that it was removed, replaced or renamed.
    Gone,
    /// The text says that it is still to come, or asks whether it is there.
    Planned,
    /// The text says that it is at home elsewhere: in the repository or on the host of this name.
    Elsewhere(Box<str>),
}

impl Mentions {
    /// What a memory names: in its description, in its body, and in its keys `source` and `verify`.
    #[must_use]
    pub fn of(memory: &Memory) -> Self {
        let text = text_of(&memory.bytes);
        let yaml = memory.document.frontmatter.as_ref().map_or(0..0, |block| block.yaml.clone());
        Self::in_text(&text, yaml, memory.document.body.clone())
    }

    /// What a text without frontmatter names (an index, a proposal).
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Self::in_text(text, 0..0, 0..text.len())
    }

    /// The mentions that may be held against a project.
    pub fn held(&self) -> impl Iterator<Item = &Mention> {
        self.all.iter().filter(|mention| mention.excuse.is_none())
    }

    fn in_text(text: &str, yaml: Range<usize>, body: Range<usize>) -> Self {
        let mut things = Vec::new();
        for (key, value) in blocks::values(text, yaml) {
            match key {
                blocks::Key::Description | blocks::Key::Source => claims::read(text, &value, &mut things),
                blocks::Key::Verify => scan::proof(text, value, &mut things),
            }
        }
        claims::read_body(text, body, &mut things);
        // What is another program's flag in one place of a memory is so in all.
        let foreign: Vec<Box<str>> = (things.iter())
            .filter(|thing| thing.kind == Kind::Flag && thing.excuse == Some(Excuse::Other))
            .map(|thing| thing.text.clone())
            .collect();
        for thing in
            things.iter_mut().filter(|thing| thing.kind == Kind::Flag && foreign.contains(&thing.text))
        {
            thing.excuse = Some(Excuse::Other);
        }
        // A quoted path may be found before words that stand in front of it.
        things.sort_by_key(|thing| (thing.range.start, thing.range.end));
        let (mut line, mut at) = (1, 0);
        for thing in &mut things {
            line += ends(text.as_bytes().get(at..thing.range.start).unwrap_or_default());
            at = at.max(thing.range.start);
            thing.line = line;
        }
        Self { all: things }
    }
}

impl Mention {
    /// One that is found in a text; the line is counted at the end.
    fn new(kind: Kind, text: impl Into<Box<str>>, range: Range<usize>, in_code: bool) -> Self {
        let text = text.into();
        Self { kind, text, range, line: 0, in_code, is_proof: false, is_sure: false, excuse: None }
    }
}

/// The file as text of the same length: a byte that is not UTF-8 becomes one that says nothing.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '\u{1a}'));
    }
    Cow::Owned(text)
}
