//! The bytes of a link's target, and what stands there once its memory has moved.

use super::{Edit, Move};
use crate::memory::path::RelPath;
use crate::memory::target::{
    fold, is_called, of_destination, of_wikilink, split_ending, to_destination, untyped,
};
use std::ops::Range;
use std::path::{Component, Path};

/// The edit of a wikilink: none when it still names the memory. `None` when its target could not be found.
pub(super) fn wikilink(
    text: &str,
    link: &Range<usize>,
    written: &str,
    to: &Move<'_>,
) -> Option<Option<Edit>> {
    let new = renamed(written, to);
    if new == written {
        return Some(None);
    }
    let raw = text.get(link.clone())?;
    let inner = raw.find("[[")? + 2;
    let at = inner + raw.get(inner..)?.find(written)?;
    // Nothing but blanks may stand before it, else it is what the link shows.
    raw.get(inner..at)?.trim().is_empty().then_some(())?;
    let start = link.start + at;
    Some(Some((start..start + written.len(), new)))
}

/// What a wikilink says once its memory has moved: the new stem where it said the stem, the new name where it
/// said the name, with the part (`#…`) and ending that it had.
fn renamed(written: &str, to: &Move<'_>) -> String {
    let old = to.from.document.header.name.as_deref().filter(|name| !name.trim().is_empty());
    let (old_stem, new_stem) = (to.from.path.stem(), to.path.stem());
    let (name, part) = match written.split_once('#') {
        Some((name, part)) if !is_called(&to.from.path, old, written) => (name, format!("#{part}")),
        _ => (written, String::new()),
    };
    let (base, ending) = split_ending(name);
    let folded = fold(base);
    let by_name = || match &to.name {
        Some(name) if Some(name.as_str()) == old => base.to_owned(),
        Some(name) if is_wiki_name(name) => name.clone(),
        _ => new_stem.to_string(),
    };
    let by_stem = || if old_stem == new_stem { base.to_owned() } else { new_stem.to_string() };
    let full = to.from.path.to_str_lossy();
    let is_stem = |folded: &str| folded == fold(&old_stem) || Some(folded) == untyped(&fold(&old_stem));
    let new = if base == old_stem {
        by_stem()
    } else if Some(base) == old {
        by_name()
    } else if base.contains('/') && folded == fold(&full) {
        if to.path == to.from.path { base.to_owned() } else { without_ending(&to.path) }
    } else if is_stem(&folded) {
        by_stem()
    } else if old.is_some_and(|old| fold(old) == folded) {
        by_name()
    } else if to.path == to.from.path && to.name.as_deref() == old {
        base.to_owned()
    } else {
        new_stem.to_string()
    };
    format!("{new}{ending}{part}")
}

/// Whether a wikilink can say a name: nothing in it ends the link or makes it code.
fn is_wiki_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphanumeric())
        && of_wikilink(name) == Some(name)
        && !name.contains(|c: char| "#\\".contains(c) || c.is_control())
}

fn without_ending(path: &RelPath) -> String {
    split_ending(&path.to_str_lossy()).0.to_owned()
}

/// The edit of a Markdown link in the file at `from`: in the link itself, or in the definition that it refers
/// to. None when it still leads there. `None` when its destination could not be found.
pub(super) fn destination(
    text: &str,
    link: &Range<usize>,
    from: &RelPath,
    to: &Move<'_>,
) -> Option<Option<Edit>> {
    let span = inline(text, link, to).or_else(|| definition(text, to))?;
    let old = text.get(span.clone())?;
    let dir = |path: &RelPath| path.as_path().parent().map(Path::to_path_buf).unwrap_or_default();
    let new = if dir(&to.from.path) == dir(&to.path) {
        // The way to the directory stays as it is written.
        let head = old.rfind('/').map_or(0, |slash| slash + 1);
        let file = to.path.as_path().file_name().and_then(RelPath::new)?;
        format!("{}{}", old.get(..head)?, to_destination(&file))
    } else {
        relative(&dir(from), &to.path)
    };
    Some((new != old).then_some((span, new)))
}

/// Where the destination of an inline link or of `<path.md>` is.
fn inline(text: &str, link: &Range<usize>, to: &Move<'_>) -> Option<Range<usize>> {
    let raw = text.get(link.clone())?;
    let starts = raw.rmatch_indices("](").map(|(at, mark)| at + mark.len());
    let spans = starts.filter_map(|at| span(raw, at));
    let found = spans.into_iter().find(|span| raw.get(span.clone()).is_some_and(|path| is_file(path, to)))?;
    Some(link.start + found.start..link.start + found.end)
}

/// Where the destination of a reference definition is (`[word]: path.md`).
fn definition(text: &str, to: &Move<'_>) -> Option<Range<usize>> {
    text.match_indices("]:").find_map(|(at, mark)| {
        let line = text.get(..at)?.rsplit(['\n', '\r']).next()?;
        let found = span(text, at + mark.len())?;
        let fits = line.trim_start().starts_with('[') && is_file(text.get(found.clone())?, to);
        fits.then_some(found)
    })
}

/// The destination that starts here, behind blanks and perhaps `<`, without fragment and query.
fn span(raw: &str, at: usize) -> Option<Range<usize>> {
    let rest = raw.get(at..)?;
    let lead = rest.len() - rest.trim_start().len();
    let rest = rest.get(lead..)?;
    let (start, rest, angle) = match rest.strip_prefix('<') {
        Some(inner) => (at + lead + 1, inner, true),
        None => (at + lead, rest, false),
    };
    let mut depth = 0usize;
    let end = rest.find(|c: char| match c {
        '#' | '?' => true,
        _ if angle => c == '>',
        '(' => {
            depth += 1;
            false
        }
        ')' if depth > 0 => {
            depth -= 1;
            false
        }
        c => c == ')' || c.is_whitespace(),
    });
    let length = end.unwrap_or(rest.len());
    Some(start..start + length).filter(|span| !span.is_empty())
}

/// Whether a destination has the file name of the memory that moves; where it leads was found out before.
fn is_file(destination: &str, to: &Move<'_>) -> bool {
    let name = destination.rsplit('/').next().unwrap_or_default();
    let own = to.from.path.as_path().file_name().unwrap_or_default().to_string_lossy();
    of_destination(name).is_some_and(|path| fold(&path.to_string_lossy()) == fold(&own))
}

/// The way from a directory to a file of the same store.
fn relative(from: &Path, to: &RelPath) -> String {
    let normal = |path: &Path| {
        let parts = path.components().filter(|part| matches!(part, Component::Normal(_)));
        parts.map(|part| part.as_os_str().to_owned()).collect::<Vec<_>>()
    };
    let (here, there) = (normal(from), normal(to.as_path()));
    let shared =
        here.iter().zip(&there).take_while(|(a, b)| a == b).count().min(there.len().saturating_sub(1));
    let up = "../".repeat(here.len() - shared);
    let down: std::path::PathBuf = there.iter().skip(shared).collect();
    format!("{up}{}", RelPath::new(down).map_or_else(String::new, |path| to_destination(&path)))
}
