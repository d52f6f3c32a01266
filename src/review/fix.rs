//! Fixes of findings: bytes of memories are replaced, all of them in one step of history.

use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::review::edit::{corrected, find, named};
use crate::review::plan::{Plan, Refusal, Verb};
use std::collections::BTreeMap;
use std::ops::Range;

/// New text in the place of some bytes of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// Which memory.
    pub path: RelPath,
    /// The bytes of its file, as the snapshot has it.
    pub range: Range<usize>,
    /// What comes there instead.
    pub text: String,
}

/// Plans replacements as corrections: what a memory says is the same, only said right, so its age stays. The same
/// bytes named twice are replaced once.
///
/// # Errors
/// When a memory is not there or a link, or two replacements would touch the same bytes with different texts.
pub fn fix(snapshot: &Snapshot, replacements: &[Replacement]) -> Result<Plan, Refusal> {
    let mut by_path: BTreeMap<&RelPath, Vec<&Replacement>> = BTreeMap::new();
    for one in replacements {
        let all = by_path.entry(&one.path).or_default();
        if !all.contains(&one) {
            all.push(one);
        }
    }
    let (mut changes, mut names, mut count) = (Vec::new(), Vec::new(), 0);
    for (path, mut all) in by_path {
        let memory = find(snapshot, path)?;
        let refused = |what: &str| Refusal {
            what: format!("{}: {what}; nothing was changed", named(memory)),
            hint: "check again, or edit the memory".into(),
        };
        all.sort_by_key(|one| (one.range.start, one.range.end));
        let mut bytes = Vec::with_capacity(memory.bytes.len());
        let mut from = 0;
        for one in &all {
            let kept = memory.bytes.get(from..one.range.start);
            let kept = kept.ok_or_else(|| refused("two fixes are about the same words"))?;
            if one.range.end < one.range.start || memory.bytes.get(one.range.clone()).is_none() {
                return Err(refused("a fix is about words that are not there"));
            }
            bytes.extend_from_slice(kept);
            bytes.extend_from_slice(one.text.as_bytes());
            from = one.range.end;
        }
        bytes.extend_from_slice(memory.bytes.get(from..).unwrap_or_default());
        if bytes != *memory.bytes {
            count += all.len();
            names.push(named(memory));
            changes.push(corrected(memory, bytes));
        }
    }
    let message = match names.as_slice() {
        [] => {
            return Err(Refusal {
                what: "there is nothing to fix, so nothing was changed".into(),
                hint: String::new(),
            });
        }
        [one] => format!("fixed {} in {one}", counted(count)),
        many => format!("fixed {} in {} memories", counted(count), many.len()),
    };
    Ok(Plan { verb: Verb::Edit, message, changes, outside: Vec::new(), parked: None, warnings: Vec::new() })
}

fn counted(count: usize) -> String {
    if count == 1 { "1 finding".into() } else { format!("{count} findings") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::testing::store;
    use crate::review::plan::Content;

    fn one(path: &str, range: Range<usize>, text: &str) -> Replacement {
        Replacement { path: RelPath::new(path).unwrap(), range, text: text.into() }
    }

    fn after(plan: &Plan, at: usize) -> String {
        match &plan.changes[at].after.as_ref().unwrap().content {
            Content::File(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
            Content::Link(_) => unreachable!(),
        }
    }

    #[test]
    fn only_the_bytes_of_the_fixes_change() {
        let snapshot = store(&[("a.md", "one two three two\n"), ("b.md", "two\n")]);
        let fixes = [
            one("a.md", 14..17, "2"),
            one("b.md", 0..3, "2"),
            one("a.md", 4..7, "2"),
            one("a.md", 4..7, "2"),
        ];
        let plan = fix(&snapshot, &fixes).unwrap();
        assert_eq!((after(&plan, 0).as_str(), after(&plan, 1).as_str()), ("one 2 three 2\n", "2\n"));
        assert_eq!(plan.message, "fixed 3 findings in 2 memories");
        let (before, after) =
            (plan.changes[0].before.as_ref().unwrap(), plan.changes[0].after.as_ref().unwrap());
        assert_eq!(
            after.mtime,
            before.mtime.map(|time| time + chrono::TimeDelta::milliseconds(1)),
            "its age stays"
        );
    }

    #[test]
    fn what_does_not_fit_is_refused_whole() {
        let snapshot = store(&[("a.md", "one two\n")]);
        for fixes in [
            vec![one("a.md", 0..3, "x"), one("a.md", 2..5, "y")],
            vec![one("a.md", 5..99, "x")],
            vec![one("gone.md", 0..1, "x")],
            vec![one("a.md", 0..3, "one")],
            vec![],
        ] {
            let refused = fix(&snapshot, &fixes).unwrap_err();
            assert!(refused.what.contains("nothing was changed"), "{refused:?}");
        }
    }
}
