//! What the prompt of the next session would have or lack after a change that is not made yet.

use crate::memory::text::visible;
use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// How long the comparison may look for the shortest difference; then it takes a longer one.
const PATIENCE: Duration = Duration::from_secs(2);
/// Unchanged lines that stand around a change.
const AROUND: usize = 2;

/// A window of lines to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Its title.
    pub title: String,
    /// Its lines, safe to show.
    pub lines: Vec<(Kind, String)>,
    /// The first line shown.
    pub scroll: usize,
}

/// What a line of a report is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Said about the difference.
    Said,
    /// The same before and after.
    Same,
    /// Only after.
    Added,
    /// Only before.
    Removed,
}

/// The difference by lines between two prompts.
#[must_use]
pub fn difference(before: &str, after: &str) -> Vec<(Kind, String)> {
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(before, after);
    let mut lines = Vec::new();
    for (number, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if number > 0 {
            lines.push((Kind::Said, "…".into()));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let kind = match change.tag() {
                ChangeTag::Equal => Kind::Same,
                ChangeTag::Delete => Kind::Removed,
                ChangeTag::Insert => Kind::Added,
            };
            lines.push((kind, visible(change.value().trim_end(), false).into_owned()));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_told_with_what_stands_around_it() {
        let before = "a\nb\nc\nd\ne\nf\ng\nh\ni\n";
        let after = "a\nb\nc\nd\ne\nF\ng\nh\ni\n";
        let said: Vec<String> = difference(before, after)
            .into_iter()
            .map(|(kind, text)| {
                let sign = match kind {
                    Kind::Said => "?",
                    Kind::Same => " ",
                    Kind::Added => "+",
                    Kind::Removed => "-",
                };
                format!("{sign}{text}")
            })
            .collect();
        assert_eq!(said, [" d", " e", "-f", "+F", " g", " h"]);
        assert!(difference(before, before).is_empty());
    }
}
