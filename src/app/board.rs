//! The Checks screen: findings in groups, worst first, filtered, with the one under the cursor.

use crate::app::contents::Contents;
use crate::check::{By, Finding, Severity};
use crate::memory::path::RelPath;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The list of findings.
#[derive(Debug, Clone, Default)]
pub struct Board {
    /// By what findings are grouped.
    pub grouping: Grouping,
    /// What is silenced is shown, and nothing else.
    pub silenced: bool,
    /// What is typed to filter them.
    pub filter: String,
    /// What is shown, from top to bottom.
    pub rows: Vec<Row>,
    /// The row under the cursor; on a finding whenever there is one.
    pub cursor: usize,
    /// The first row on the screen.
    pub top: usize,
    /// Keys go to what is said about the finding.
    pub in_detail: bool,
    /// The first line shown of it.
    pub scroll: usize,
    /// Which of its evidence was looked at last, and what is awaited: a file and a line of it.
    pub evidence: usize,
    /// The file that is being read to be shown, and the line that is meant.
    pub wanted: Option<(std::path::PathBuf, usize)>,
    built: Option<Built>,
    texts: Option<Vec<String>>,
}

/// What the rows were built from.
#[derive(Debug, Clone)]
struct Built {
    contents: Arc<Contents>,
    grouping: Grouping,
    silenced: bool,
    filter: String,
    leaving: usize,
}

/// By what findings are grouped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Grouping {
    /// By how bad they are.
    #[default]
    Severity,
    /// By check.
    Check,
    /// By memory.
    Memory,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// The head of a group and how many are in it; safe to show.
    Head(String, usize),
    /// A finding: its place in [`Contents::findings`], or in [`Contents::silenced`] when those are shown.
    Finding(usize),
}

impl Grouping {
    /// The next one.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Severity => Self::Check,
            Self::Check => Self::Memory,
            Self::Memory => Self::Severity,
        }
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Severity => "by severity",
            Self::Check => "by check",
            Self::Memory => "by memory",
        }
    }
}

impl Board {
    /// Builds the rows anew where something changed that they depend on. The cursor stays on its finding, else near
    /// where it was.
    pub fn follow(&mut self, contents: &Arc<Contents>, leaving: &BTreeSet<RelPath>) {
        let same_contents = self.built.as_ref().is_some_and(|built| Arc::ptr_eq(&built.contents, contents));
        let is_same = self.built.as_ref().is_some_and(|built| {
            (built.grouping, built.silenced, built.leaving) == (self.grouping, self.silenced, leaving.len())
                && built.filter == self.filter
        });
        if same_contents && is_same {
            return;
        }
        let keep = self.built.as_ref().and_then(|built| {
            let at = self.at(self.cursor)?;
            of(&built.contents, built.silenced, at).cloned()
        });
        let same_kind = self.built.as_ref().is_some_and(|built| built.silenced == self.silenced);
        if !same_contents || !same_kind {
            self.texts = None;
        }
        let typed = self.built.as_ref().is_some_and(|built| built.filter != self.filter);
        self.build(contents, leaving);
        self.built = Some(Built {
            contents: contents.clone(),
            grouping: self.grouping,
            silenced: self.silenced,
            filter: self.filter.clone(),
            leaving: leaving.len(),
        });
        let kept = keep.as_ref().and_then(|keep| self.row_of(contents, keep));
        self.cursor = kept.unwrap_or_else(|| self.near(if typed { 0 } else { self.cursor }));
        if kept.is_none() {
            self.moved();
        }
    }

    /// The finding under the cursor.
    #[must_use]
    pub fn current<'a>(&self, contents: &'a Contents) -> Option<&'a Finding> {
        of(contents, self.silenced, self.at(self.cursor)?)
    }

    /// What silences the finding under the cursor.
    #[must_use]
    pub fn silenced_by<'a>(&self, contents: &'a Contents) -> Option<&'a By> {
        let at = self.at(self.cursor).filter(|_| self.silenced)?;
        contents.silenced.get(at).map(|one| &one.by)
    }

    /// The finding in a row.
    #[must_use]
    pub fn finding<'a>(&self, contents: &'a Contents, row: usize) -> Option<&'a Finding> {
        of(contents, self.silenced, self.at(row)?)
    }

    /// How many findings show.
    #[must_use]
    pub fn shown(&self) -> usize {
        self.rows.iter().filter(|row| matches!(row, Row::Finding(_))).count()
    }

    /// The number of the finding under the cursor among those shown, from 1.
    #[must_use]
    pub fn position(&self) -> usize {
        self.rows.iter().take(self.cursor + 1).filter(|row| matches!(row, Row::Finding(_))).count()
    }

    /// Moves the cursor to a row, or to the nearest finding on the way there.
    pub fn go(&mut self, row: usize) {
        let row = row.min(self.rows.len().saturating_sub(1));
        let up = row < self.cursor;
        let above = (0..=row).rev().find(|row| self.at(*row).is_some());
        let below = (row..self.rows.len()).find(|row| self.at(*row).is_some());
        let to = if up { above.or(below) } else { below.or(above) };
        if let Some(to) = to
            && to != self.cursor
        {
            self.cursor = to;
            self.moved();
        }
    }

    /// The first row to draw so that the cursor, and the head just above it, are on the screen.
    #[must_use]
    pub fn top_for(&self, height: usize) -> usize {
        let head_above = self.cursor > 0 && self.at(self.cursor - 1).is_none();
        let first = if head_above && height > 1 { self.cursor - 1 } else { self.cursor };
        let lowest = (self.cursor + 1).saturating_sub(height);
        let last_top = self.rows.len().saturating_sub(height);
        self.top.min(first).max(lowest).min(last_top.max(lowest))
    }

    fn moved(&mut self) {
        self.scroll = 0;
        self.evidence = 0;
    }

    fn at(&self, row: usize) -> Option<usize> {
        match self.rows.get(row) {
            Some(Row::Finding(at)) => Some(*at),
            _ => None,
        }
    }

    fn near(&self, row: usize) -> usize {
        let row = row.min(self.rows.len().saturating_sub(1));
        let below = (row..self.rows.len()).find(|row| self.at(*row).is_some());
        below.or_else(|| (0..row).rev().find(|row| self.at(*row).is_some())).unwrap_or(0)
    }

    fn row_of(&self, contents: &Contents, keep: &Finding) -> Option<usize> {
        let is_same = |found: &Finding| {
            (found.check, &found.memory, &found.about) == (keep.check, &keep.memory, &keep.about)
        };
        let rows = || (0..self.rows.len()).filter(|row| self.finding(contents, *row).is_some_and(is_same));
        let exact = rows().find(|row| self.finding(contents, *row).is_some_and(|it| it.line == keep.line));
        exact.or_else(|| rows().next())
    }

    fn build(&mut self, contents: &Contents, leaving: &BTreeSet<RelPath>) {
        let count = if self.silenced { contents.silenced.len() } else { contents.findings.len() };
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        if !words.is_empty() && self.texts.is_none() {
            let text =
                |at| of(contents, self.silenced, at).map(|it| text_of(contents, it)).unwrap_or_default();
            self.texts = Some((0..count).map(text).collect());
        }
        let texts = self.texts.as_deref().unwrap_or_default();
        let matches = |at: &usize| {
            words.is_empty()
                || texts.get(*at).is_some_and(|text| words.iter().all(|word| text.contains(word.as_str())))
        };
        let stays = |at: &usize| {
            leaving.is_empty()
                || of(contents, self.silenced, *at).is_some_and(|it| !leaving.contains(&it.memory))
        };
        let mut shown: Vec<usize> = (0..count).filter(matches).filter(stays).collect();
        self.sort(contents, &mut shown);
        self.rows.clear();
        let mut head = None;
        for at in shown {
            let Some(finding) = of(contents, self.silenced, at) else { continue };
            let is_same = head.is_some_and(|(_, first): (usize, &Finding)| match self.grouping {
                Grouping::Severity => first.severity == finding.severity,
                Grouping::Check => first.check == finding.check,
                Grouping::Memory => first.memory == finding.memory,
            });
            if !is_same {
                head = Some((self.rows.len(), finding));
                self.rows.push(Row::Head(self.title(contents, finding), 0));
            }
            self.rows.push(Row::Finding(at));
            if let Some(Row::Head(_, count)) = head.and_then(|(row, _)| self.rows.get_mut(row)) {
                *count += 1;
            }
        }
    }

    /// The findings come worst first, then by memory: other groups stand by their worst one.
    fn sort(&self, contents: &Contents, shown: &mut [usize]) {
        let finding = |at: &usize| of(contents, self.silenced, *at);
        match self.grouping {
            Grouping::Severity => {}
            Grouping::Check => {
                let mut worst: HashMap<&str, Severity> = HashMap::new();
                for one in shown.iter().filter_map(finding) {
                    let severity = worst.entry(one.check.0).or_insert(one.severity);
                    *severity = (*severity).max(one.severity);
                }
                shown.sort_by_key(|at| finding(at).map(|it| (Reverse(worst.get(it.check.0)), it.check)));
            }
            Grouping::Memory => {
                let mut worst: HashMap<&RelPath, Severity> = HashMap::new();
                for one in shown.iter().filter_map(finding) {
                    let severity = worst.entry(&one.memory).or_insert(one.severity);
                    *severity = (*severity).max(one.severity);
                }
                shown.sort_by_key(|at| finding(at).map(|it| (Reverse(worst.get(&it.memory)), &it.memory)));
            }
        }
    }

    fn title(&self, contents: &Contents, finding: &Finding) -> String {
        match self.grouping {
            Grouping::Severity => finding.severity.as_str().into(),
            Grouping::Check => finding.check.0.into(),
            Grouping::Memory => name_of(contents, finding),
        }
    }
}

/// What a finding's memory is called; safe to show.
#[must_use]
pub fn name_of(contents: &Contents, finding: &Finding) -> String {
    let entry = contents.find(&finding.memory).and_then(|at| contents.entries.get(at));
    entry.map_or_else(
        || crate::app::contents::one_line(&finding.memory.to_str_lossy()),
        |entry| entry.name.clone(),
    )
}

fn of(contents: &Contents, silenced: bool, at: usize) -> Option<&Finding> {
    if silenced { contents.silenced.get(at).map(|one| &one.finding) } else { contents.findings.get(at) }
}

/// What the filter looks at.
fn text_of(contents: &Contents, finding: &Finding) -> String {
    let name = name_of(contents, finding);
    let (check, path, severity) = (finding.check.0, finding.memory.to_str_lossy(), finding.severity.as_str());
    let fix = finding.fixes.first().map_or("", |fix| fix.kind());
    format!(
        "{check} {} {path} {name} {severity} {} {} fix:{fix}",
        check.replace('-', " "),
        finding.message,
        finding.about
    )
    .to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::testing::contents;

    fn store() -> Arc<Contents> {
        let bad = "---\nname: has: colons\ntype: user\n---\nx\n";
        Arc::new(contents(&[
            ("MEMORY.md", "- [a](a.md)\n- [gone](gone.md)\n"),
            ("a.md", bad),
            ("b.md", "---\nname: b\ndescription: d\ntype: odd\n---\nx\n"),
        ]))
    }

    fn shown(board: &Board, contents: &Contents) -> Vec<String> {
        let row = |row: &Row| match row {
            Row::Head(title, count) => format!("{title} {count}"),
            Row::Finding(at) => {
                let finding = of(contents, board.silenced, *at).unwrap();
                format!("- {} {}", finding.check.0, finding.memory)
            }
        };
        board.rows.iter().map(row).collect()
    }

    #[test]
    fn groups_stand_by_their_worst() {
        let (contents, none) = (store(), BTreeSet::new());
        let mut board = Board::default();
        board.follow(&contents, &none);
        let by_severity = shown(&board, &contents);
        assert_eq!(by_severity.first().map(String::as_str), Some("error 1"));
        assert_eq!(board.cursor, 1);
        board.grouping = Grouping::Memory;
        board.follow(&contents, &none);
        let by_memory = shown(&board, &contents);
        assert!(by_memory.first().unwrap().starts_with("has: colons "), "{by_memory:?}");
        board.grouping = Grouping::Check;
        board.follow(&contents, &none);
        assert_eq!(shown(&board, &contents).first().map(String::as_str), Some("frontmatter-invalid 1"));
    }

    #[test]
    fn the_cursor_stays_on_its_finding() {
        let (contents, none) = (store(), BTreeSet::new());
        let mut board = Board::default();
        board.follow(&contents, &none);
        board.go(usize::MAX);
        let last = board.current(&contents).unwrap().clone();
        for grouping in [Grouping::Check, Grouping::Memory, Grouping::Severity] {
            board.grouping = grouping;
            board.follow(&contents, &none);
            assert_eq!(board.current(&contents), Some(&last));
        }
        // The same findings of a store that was read again.
        board.follow(&store(), &none);
        assert_eq!(board.current(&contents), Some(&last));
    }

    #[test]
    fn the_filter_goes_by_check_memory_and_message() {
        let (contents, none) = (store(), BTreeSet::new());
        for (filter, count) in
            [("DANGLING", 1), ("index orphan", 1), ("b.md orphan", 1), ("nosuch", 0), ("", 5)]
        {
            let mut board = Board { filter: filter.into(), ..Board::default() };
            board.follow(&contents, &none);
            assert_eq!(board.shown(), count, "{filter}: {:?}", shown(&board, &contents));
        }
        let leaving = BTreeSet::from([RelPath::new("b.md").unwrap()]);
        let mut board = Board::default();
        board.follow(&contents, &leaving);
        assert!(shown(&board, &contents).iter().all(|row| !row.ends_with("b.md")));
    }
}
