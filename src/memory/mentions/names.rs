//! Whether a word is the name of a function, type, constant, flag, environment variable or configuration key.

use super::words::{NAMESPACES, SYSTEM};
use super::{Excuse, Kind};

/// A name within a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Read {
    pub kind: Kind,
    pub at: usize,
    pub end: usize,
}

/// The names that a word holds. In prose only what is called (`foo_bar()`) or can be nothing else (`FOO_BAR`).
pub(super) fn read(word: &str, in_code: bool, call: bool) -> Option<Read> {
    let word = word.trim_end_matches("()");
    let start = word.len() - word.trim_start_matches(['&', '*', '.', '@', '#', '?', ':']).len();
    let name = word.get(start..)?;
    let name = name
        .split(['{', '}', '<', '>', '&', '?', '*', '%', '+', '\\', '~', '=', '#', '$'])
        .next()
        .unwrap_or_default();
    let name = name.trim_end_matches([':', '.', '-']);
    if name.len() < 2 || name.len() > 100 || !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    {
        return None;
    }
    let found = |kind| Some(Read { kind, at: start, end: start + name.len() });
    for lead in ["process.env.", "import.meta.env.", "env."] {
        if let Some(rest) = name.strip_prefix(lead).filter(|rest| is_upper(rest)) {
            let at = start + name.len() - rest.len();
            return Some(Read { kind: Kind::Variable, at, end: at + rest.len() });
        }
    }
    if is_constant(name) {
        return found(Kind::Constant);
    }
    let (rust, dotted) = (name.contains("::"), name.contains('.'));
    let pieces: Vec<&str> = if rust { name.split("::").collect() } else { name.split('.').collect() };
    if !pieces.iter().all(|piece| is_identifier(piece)) {
        let is_key = in_code && dotted && !rust && pieces.len() > 1 && pieces.iter().all(|p| is_kebab(p));
        return if is_key { found(Kind::Key) } else { None };
    }
    if call || rust && in_code {
        return (pieces.len() > 1 || is_distinct(name) || in_code).then_some(Read {
            kind: Kind::Symbol,
            at: start,
            end: start + name.len(),
        });
    }
    if !in_code {
        return None;
    }
    if dotted {
        let is_key = pieces.iter().all(|p| !p.bytes().any(|b| b.is_ascii_uppercase()));
        return found(if is_key { Kind::Key } else { Kind::Symbol });
    }
    let is_type = name.len() >= 4
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().any(|b| b.is_ascii_lowercase());
    (is_distinct(name) || is_type).then_some(Read { kind: Kind::Symbol, at: start, end: start + name.len() })
}

/// The variable in `$X`, `${X}`, `%X%`.
pub(super) fn variable(word: &str) -> Option<Read> {
    let (lead, name) = if let Some(rest) = word.strip_prefix("${") {
        (2, rest.split(['}', ':', '-']).next()?)
    } else if let Some(rest) = word.strip_prefix('$') {
        (1, rest)
    } else {
        let rest = word.strip_prefix('%')?;
        (1, rest.strip_suffix('%')?)
    };
    let ends = lead + name.len() == word.len()
        || word.starts_with("${") && word.ends_with('}')
        || word.starts_with('%');
    (ends && is_upper(name)).then_some(Read { kind: Kind::Variable, at: lead, end: lead + name.len() })
}

/// The flag's name behind its dashes: what of it is one.
pub(super) fn flag(rest: &str) -> Option<&str> {
    let length =
        rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.')).count();
    let name = rest.get(..length)?.trim_end_matches(['-', '.', '_']);
    let behind = rest.get(name.len()..).unwrap_or_default();
    let whole = behind.is_empty() || behind.starts_with(['=', '.', '-', '[', '<', '/', ':', ',']);
    (name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic()) && whole).then_some(name)
}

/// `FOO_BAR`: a constant or an environment variable.
pub(super) fn is_constant(name: &str) -> bool {
    is_upper(name) && name.trim_matches('_').contains('_') && name.len() > 3
}

/// A name as programs have them.
pub(super) fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Whether a word begins a definition: what a sample names then is new.
pub(super) fn is_definition(word: &str) -> bool {
    [
        "fn",
        "pub",
        "def",
        "class",
        "function",
        "func",
        "struct",
        "enum",
        "trait",
        "interface",
        "export",
        "type",
        "let",
        "var",
        "const",
        "async",
        "impl",
    ]
    .contains(&word)
}

/// Whether a piece of code reads the environment, so that an upper-case name in it is a variable.
pub(super) fn reads_environment(code: &str) -> bool {
    [
        "environ",
        "getenv",
        "Getenv",
        "env::var",
        "env!",
        "process.env",
        "import.meta.env",
        "ENV[",
        "ENV.fetch",
        "LookupEnv",
        "export ",
    ]
    .iter()
    .any(|mark| code.contains(mark))
}

/// Why such a name is none of the project's.
pub(super) fn excuse(kind: Kind, name: &str) -> Option<Excuse> {
    let first = name.split(['.', ':']).next().unwrap_or_default();
    let is_other = match kind {
        Kind::Constant | Kind::Variable => {
            SYSTEM.contains(name)
                || ["GITHUB_", "AWS_", "XDG_", "LC_", "GIT_", "CARGO_", "RUST_", "NPM_", "DOCKER_"]
                    .iter()
                    .any(|lead| name.starts_with(lead))
        }
        Kind::Symbol | Kind::Key => first.len() < name.len() && NAMESPACES.contains(first),
        _ => false,
    };
    is_other.then_some(Excuse::Other)
}

fn is_upper(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        && name.bytes().any(|b| b.is_ascii_uppercase())
}

fn is_kebab(piece: &str) -> bool {
    piece.starts_with(|c: char| c.is_ascii_lowercase())
        && piece.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-'))
}

/// Whether a name has the form that names of programs have and words have not: `foo_bar`, `fooBar`, `FooBar`.
fn is_distinct(name: &str) -> bool {
    let bytes = name.as_bytes();
    let hump =
        bytes.windows(2).any(|two| matches!(two, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    hump || name.trim_matches('_').contains('_')
}
