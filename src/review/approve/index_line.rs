//! The line of the index that follows a change of a memory: its name and description stand there too.

use crate::memory::document::Document;
use crate::memory::index::{Index, Place};
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::one_line;
use crate::review::proposal::Proposal;

/// The index in which a memory's line follows its change; `None`: it stays as it is. The line is the one that was
/// proposed; else the old name and description in it become the new ones, where they stand there word for word.
pub(super) fn follow(
    snapshot: &Snapshot,
    memory: &Memory,
    bytes: &[u8],
    proposal: &Proposal,
    index: &[u8],
    warnings: &mut Vec<String>,
) -> Option<Vec<u8>> {
    let read = Index::parse(index);
    let resolution = read.resolve(snapshot);
    let at = snapshot.memories.iter().position(|other| other.path == memory.path)?;
    let entries = resolution.entries_of.get(at)?;
    let [entry] = entries.as_slice() else {
        if proposal.index_line.is_some() {
            let lines = if entries.is_empty() { "no line" } else { "several lines" };
            warnings.push(format!("the index has {lines} about it, so the proposed line was left out"));
        }
        return None;
    };
    let entry = read.entries.get(*entry)?;
    // What an entry says may stand on the lines below its link.
    let lines = if entry.alone { entry.item.clone() } else { entry.line..entry.line + 1 };
    let range = read.lines.get(lines.start)?.start..read.lines.get(lines.end.checked_sub(1)?)?.end;
    let old = index.get(range.clone())?;
    let text = std::str::from_utf8(old).ok()?;
    let rest = index.get(entry.link.end..read.lines.get(entry.line)?.end)?;
    let is_two = lines.len() == 2 && rest.iter().all(|byte| b" \t*_".contains(byte));
    let is_own =
        entry.alone && (lines.len() == 1 || is_two) && matches!(entry.place, Place::Item | Place::Line);
    let new = match &proposal.index_line {
        Some(line) if is_own => line.clone(),
        Some(_) => {
            warnings
                .push("its line in the index says more than that, so the proposed line was left out".into());
            return None;
        }
        None => {
            let (was, is) = (&memory.document.header, Document::parse(bytes).header);
            let mut new = text.to_owned();
            let pairs =
                [(&was.description, &is.description, &entry.hook), (&was.name, &is.name, &entry.title)];
            for (was, is, there) in pairs {
                let (Some(was), Some(is)) = (was, is) else { continue };
                let (was, is) = (one_line(was), one_line(is));
                // A bracket could end the link.
                let is_plain = !is.is_empty() && !is.contains(['[', ']', '(', ')']);
                if was != is && **there == *was && is_plain && new.matches(&was).count() == 1 {
                    new = new.replace(&was, &is);
                }
            }
            new
        }
    };
    if new == text {
        return None;
    }
    let head = index.get(..range.start)?;
    let tail = index.get(range.end..)?;
    let edited = [head, new.as_bytes(), tail].concat();
    // Every entry must still name what it named.
    let again = Index::parse(&edited);
    let gone = read.lines.len().saturating_sub(again.lines.len());
    let is_at = |line: usize, was: usize| line == was || was >= lines.end && line == was - gone;
    let same = again.entries.len() == read.entries.len()
        && again
            .entries
            .iter()
            .zip(&read.entries)
            .all(|(a, b)| a.target == b.target && is_at(a.line, b.line))
        && again.sections.len() == read.sections.len();
    if !same {
        warnings.push("its line in the index could not follow safely and stays as it is".into());
        return None;
    }
    Some(edited)
}
