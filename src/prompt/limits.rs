//! Which part of the index loads: the first 200 lines or 25,000 UTF-16 units of what is left after
//! frontmatter, comments and blanks are taken off (CLIENT_FACTS B: measured).

/// The most lines of the index that load.
pub const MAX_LINES: usize = 200;
/// The most UTF-16 units of the index that load.
pub const MAX_UNITS: usize = 25_000;

/// What loads of an index.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loaded {
    /// The text that loads, without the client's notice.
    pub text: String,
    /// Lines and UTF-16 units of the whole text after stripping and trimming.
    pub lines: usize,
    /// See `lines`.
    pub units: usize,
    /// Lines and UTF-16 units that are kept.
    pub kept_lines: usize,
    /// See `kept_lines`.
    pub kept_units: usize,
    /// The limit of lines was exceeded.
    pub over_lines: bool,
    /// The limit of size was exceeded.
    pub over_size: bool,
    /// For each physical line of the file, whether it loads: whole, in part, or not (stripped or cut).
    pub fate: Vec<Fate>,
}

/// What becomes of one physical line of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It loads.
    Loads,
    /// It is stripped: frontmatter, a comment, or blank lines at an end.
    Stripped,
    /// It lies below the cut, or the cut goes through it.
    Cut,
}

/// What loads of an index with these bytes.
#[must_use]
pub fn load(bytes: &[u8]) -> Loaded {
    let _ = bytes;
    Loaded::default()
}
