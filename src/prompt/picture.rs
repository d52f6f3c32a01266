//! What a preview shows: the types that layers, loading on use, the command line and the Prompt screen share.

use crate::prompt::limits::{Fate, Loaded};
use crate::prompt::wording::Voice;
use std::ops::Range;
use std::path::PathBuf;

/// One source of static instructions, by who it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The machine's administrator (documented, not measured).
    Managed,
    /// The person, for all projects.
    User,
    /// The project, checked in.
    Project,
    /// The project, for this person alone.
    Local,
    /// The auto memory's index.
    Auto,
    /// A sub-agent's own memory.
    Agent,
}

impl Layer {
    /// The layer's name, as `preview --format json` has it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Auto => "auto",
            Self::Agent => "agent",
        }
    }
}

/// What a file is in its layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A `CLAUDE.md`, `CLAUDE.local.md`, `AGENTS.md` or `AGENT.md`.
    Instructions,
    /// A rule.
    Rule,
    /// An imported file.
    Import,
    /// An index.
    Index,
}

/// One file that loads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The file, absolute: the path by which it was reached (rules: the real one).
    pub path: PathBuf,
    /// The path as the client writes it above the text (relative for a relative `--add-dir` on some versions).
    pub shown: String,
    /// The layer.
    pub layer: Layer,
    /// What it is there.
    pub role: Role,
    /// The file that imports it.
    pub via: Option<PathBuf>,
    /// The content as sent, without the client's notice.
    pub body: String,
    /// Half a surrogate pair that ends the body on the oldest version (a hard cut through a character).
    pub half: Option<u16>,
    /// For a file that loads because a file was opened: the pattern of `paths` that matched.
    pub matched: Option<String>,
    /// For a file that loads because a file was opened: which one.
    pub opened_by: Option<PathBuf>,
    /// Whether it is there again after the conversation was compacted.
    pub survives: Survives,
}

/// Whether a text is there again after the conversation was compacted (documented by the client's makers, not
/// measured).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Survives {
    /// It is part of the first message, which is made anew.
    Yes,
    /// It comes back when a file that brings it in is read again.
    OnUse,
}

impl Section {
    /// The size of the body in UTF-16 units, the client's measure.
    #[must_use]
    pub fn units(&self) -> usize {
        self.body.encode_utf16().count() + usize::from(self.half.is_some())
    }

    /// The lines of the body.
    #[must_use]
    pub fn lines(&self) -> usize {
        if self.body.is_empty() { 0 } else { self.body.matches('\n').count() + 1 }
    }
}

/// A file that does not load although something names it, or that is there and passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The file, as resolved.
    pub path: PathBuf,
    /// The file that names it; `None` when a place is looked at by itself.
    pub from: Option<PathBuf>,
    /// Why.
    pub reason: Reason,
    /// What may help.
    pub hint: Option<String>,
}

/// Why a file does not load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// There is nothing.
    Missing,
    /// It is a directory, or no regular file.
    NotAFile,
    /// It could not be read.
    Unreadable(String),
    /// The client reads no files with this extension.
    Extension(String),
    /// It lies outside the current directory.
    Outside,
    /// It is reached through a link that leads out of the current directory.
    LinkOutside,
    /// It would be the fifth level of imports.
    TooDeep,
    /// It has loaded already.
    Already,
    /// It is an exclusion: the pattern.
    Excluded(String),
    /// It is larger than what the client loads, in bytes.
    TooLarge(u64),
    /// It is larger than what this program reads, in bytes; the client would load it.
    NotRead(u64),
    /// Nothing is left when frontmatter, comments and blanks are off.
    Empty,
    /// It waits until a file is opened that its `paths` match.
    Conditional(Vec<String>),
    /// `--setting-sources`, an environment variable or a setting leaves it out: which one.
    Off(String),
}

impl Reason {
    /// The reason in words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Missing => "there is no such file".into(),
            Self::NotAFile => "it is not a regular file".into(),
            Self::Unreadable(why) => format!("it could not be read ({why})"),
            Self::Extension(extension) => format!("the client imports no {extension} files"),
            Self::Outside => "it lies outside the directory in which the session starts".into(),
            Self::LinkOutside => "a link leads out of the directory in which the session starts".into(),
            Self::TooDeep => "imports go four levels deep, this is the fifth".into(),
            Self::Already => "it has loaded already, at its first place".into(),
            Self::Excluded(pattern) => format!("claudeMdExcludes has {pattern}"),
            Self::TooLarge(bytes) => {
                format!("{bytes} bytes: the client drops files over 4 MiB without a word")
            }
            Self::NotRead(bytes) => {
                format!("{bytes} bytes: too large to show here, the client would load it")
            }
            Self::Empty => "nothing is left without frontmatter, comments and blanks".into(),
            Self::Conditional(paths) => format!("it waits for a file that matches {}", paths.join(", ")),
            Self::Off(what) => format!("left out by {what}"),
        }
    }
}

/// Something that a person should know before the session starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// A stable name.
    pub id: &'static str,
    /// The file it is about.
    pub path: Option<PathBuf>,
    /// In words.
    pub message: String,
}

/// What loads of the index.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IndexPicture {
    /// Where it is, or would be.
    pub path: PathBuf,
    /// Lines of the whole text after stripping.
    pub lines: usize,
    /// UTF-16 units of the whole text after stripping.
    pub units: usize,
    /// Lines that are kept.
    pub kept_lines: usize,
    /// UTF-16 units that are kept.
    pub kept_units: usize,
    /// The limit of lines is exceeded.
    pub over_lines: bool,
    /// The limit of size is exceeded.
    pub over_size: bool,
    /// The memories that the index names only below the cut, by path in the store.
    pub lost: Vec<String>,
    /// The client's notice about the cut, in its words or in our own.
    pub notice: Option<String>,
    /// What becomes of each physical line of the file.
    pub fate: Vec<Fate>,
    /// The text that is cut away.
    pub cut_text: String,
    /// The client would write this index itself at the start of the session (it is not there).
    pub written_by_client: bool,
}

impl IndexPicture {
    /// The picture of an index that was loaded; lost memories and the notice are added by who knows them.
    #[must_use]
    pub fn of(path: PathBuf, loaded: &Loaded) -> Self {
        Self {
            path,
            lines: loaded.lines,
            units: loaded.units,
            kept_lines: loaded.kept_lines,
            kept_units: loaded.kept_units,
            over_lines: loaded.over_lines,
            over_size: loaded.over_size,
            fate: loaded.fate.clone(),
            cut_text: loaded.cut_text.clone(),
            ..Self::default()
        }
    }

    /// Which limits are exceeded, as `preview --format json` names them.
    #[must_use]
    pub fn cut(&self) -> Vec<&'static str> {
        let over = [(self.over_lines, "lines"), (self.over_size, "size")];
        over.into_iter().filter(|(over, _)| *over).map(|(_, name)| name).collect()
    }
}

/// What opening files would bring in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Opened {
    /// The files that load, in order.
    pub sections: Vec<Section>,
    /// The files opened.
    pub files: Vec<OpenedFile>,
}

/// One file opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedFile {
    /// Which file.
    pub path: PathBuf,
    /// The whole days that the client's age note names; `None`: no note.
    pub age_note_days: Option<u32>,
    /// Whether the client's file tool finds something to read there.
    pub readable: bool,
    /// The age note in words, as it stands before the file's lines.
    pub age_note: Option<String>,
    /// What comes in with it, in the client's words; `None` where nothing does, or its words are not known.
    pub brings: Option<String>,
}

impl Opened {
    /// Says in words what opening each file brings in.
    pub fn put_in_words(&mut self, voice: &Voice<'_>) {
        for file in &mut self.files {
            file.age_note = file.age_note_days.map(|days| voice.age_note(days));
            let own = self.sections.iter().filter(|section| section.opened_by.as_ref() == Some(&file.path));
            file.brings = voice.on_use(&own.collect::<Vec<_>>());
        }
    }
}

/// The size of one layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// Which layer.
    pub layer: Layer,
    /// How many files.
    pub files: usize,
    /// Characters (Unicode scalar values) of the bodies.
    pub chars: usize,
    /// UTF-16 units of the bodies.
    pub units: usize,
    /// Lines of the bodies.
    pub lines: usize,
    /// Tokens: an **estimate** (see [`tokens`]), never measured.
    pub tokens: usize,
    /// The layer's share of all units, 0 to 1.
    pub share: f64,
}

/// A rough number of tokens: a quarter of the ASCII characters and two thirds of the others, rounded up. An
/// estimate only: the client's tokenizer is not public.
#[must_use]
pub fn tokens(text: &str) -> usize {
    let (ascii, other) = text.chars().fold((0, 0), |(ascii, other), c| match c.is_ascii() {
        true => (ascii + 1, other),
        false => (ascii, other + 1),
    });
    usize::div_ceil(ascii * 3 + other * 8, 12)
}

/// Where a stretch of lines of [`Preview::text`] comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The lines, from 0.
    pub lines: Range<usize>,
    /// Where they come from.
    pub source: Source,
}

/// Where a line of the text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Words around the content (a paraphrase where the wording is built in).
    Frame,
    /// The heading of a section, by its number in [`Preview::sections`].
    Heading(usize),
    /// The body of a section, by its number.
    Body(usize),
    /// The notice about a cut index, by the section's number.
    Notice(usize),
}

/// Which wording the texts around the content have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wording {
    /// Learned from the installed client.
    Learned,
    /// Our own paraphrase; content, order and cuts are exact nevertheless.
    BuiltIn,
}

/// What the next session gets.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// The version whose rules were asked for.
    pub version: String,
    /// What to know about these rules (a version that was not measured).
    pub version_note: Option<String>,
    /// The wording of `text` and `system`.
    pub wording: Wording,
    /// The memory directory that the system prompt names; `None` when memory is off or unnamed.
    pub memory_dir: Option<PathBuf>,
    /// What loads of the index; `None` when there is none to load.
    pub index: Option<IndexPicture>,
    /// What loads, in order.
    pub sections: Vec<Section>,
    /// What does not, and why.
    pub skipped: Vec<Skipped>,
    /// What opening files would bring in.
    pub opened: Opened,
    /// The block of the first message that carries the files.
    pub text: String,
    /// Where its lines come from.
    pub map: Vec<Span>,
    /// The memory part of the system prompt; `None` when there is none.
    pub system: Option<String>,
    /// The size of each layer that loads something.
    pub budget: Vec<Budget>,
    /// What a person should know.
    pub warnings: Vec<Warning>,
}
