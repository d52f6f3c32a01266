//! What became of each candidate of a query, and why.

use super::Candidate;
use crate::memory::path::RelPath;

/// The answer to a query: every candidate with what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recall {
    /// The query as it was asked.
    pub query: String,
    /// All candidates, those with the highest scores first; the same score: by path.
    pub verdicts: Vec<Verdict>,
}

impl Recall {
    /// The candidates that were picked, the best first.
    pub fn picked(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts.iter().filter(|verdict| verdict.fate == Fate::Picked)
    }
}

/// One candidate and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Its place in the list of candidates.
    pub candidate: usize,
    /// The file.
    pub path: RelPath,
    /// How much of what the query asks its header answers, from 0 to 1.
    pub score: f32,
    /// The terms of the query that its header has, in the query's order.
    pub matches: Vec<Match>,
    /// What became of it.
    pub fate: Fate,
}

/// One term of the query in a header.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// The term as it stands in the query.
    pub term: String,
    /// The fields that have it, or a word that means the same.
    pub fields: Vec<Field>,
    /// What it adds to the score.
    pub weight: f32,
}

/// A field of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The name, or the file's.
    Name,
    /// The description.
    Description,
    /// The type.
    Type,
}

impl Field {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Type => "type",
        }
    }
}

/// What became of a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It was picked.
    Picked,
    /// Nothing of the query stands in its header.
    NoMatch,
    /// Too little of the query stands in its header.
    TooLittle,
    /// Others answer the query much better.
    FarBehind,
    /// It would do, but so many others do better that there is no room.
    NoRoom,
    /// This conversation was shown it already.
    Shown,
    /// It is reference material on this tool, which was in use a moment ago.
    ToolInUse(String),
    /// It can't be read: why.
    Unreadable(String),
    /// A model was asked, and did not pick it.
    NotChosen,
}

impl Fate {
    /// A stable word for it.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Picked => "picked",
            Self::NoMatch => "no-match",
            Self::TooLittle => "too-little",
            Self::FarBehind => "far-behind",
            Self::NoRoom => "no-room",
            Self::Shown => "shown",
            Self::ToolInUse(_) => "tool-in-use",
            Self::Unreadable(_) => "unreadable",
            Self::NotChosen => "not-chosen",
        }
    }

    /// It in words; what stands in a tool's name or an error is as found.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Picked => "picked".into(),
            Self::NoMatch => "nothing of the query stands in its name or description".into(),
            Self::TooLittle => "too few telling words of the query stand in its name or description".into(),
            Self::FarBehind => "others answer the query much better".into(),
            Self::NoRoom => "it would do, but others do better and there is no more room".into(),
            Self::Shown => "this conversation was shown it already".into(),
            Self::ToolInUse(tool) => format!("reference material on {tool}, which is in use"),
            Self::Unreadable(why) => format!("it can't be read: {why}"),
            Self::NotChosen => "the model did not pick it".into(),
        }
    }
}

impl Verdict {
    /// Why it was picked or not, in words: `refund (name, description), approval (description)`, or what was lacking.
    #[must_use]
    pub fn why(&self) -> String {
        let matches = self.matches.iter().map(|found| {
            let fields: Vec<&str> = found.fields.iter().map(|field| field.as_str()).collect();
            format!("{} ({})", found.term, fields.join(", "))
        });
        let matches = matches.collect::<Vec<_>>().join(", ");
        match (&self.fate, matches.is_empty()) {
            (Fate::Picked, false) => matches,
            (fate, true) => fate.words(),
            (fate, false) => format!("{}: {matches}", fate.words()),
        }
    }
}

impl Recall {
    /// The same answer as a model gave it: these files are picked, in this order. What `options` leave out stays so.
    #[must_use]
    pub fn chosen(mut self, files: &[RelPath], candidates: &[Candidate], options: &super::Options) -> Self {
        for verdict in &mut self.verdicts {
            let left_out = candidates.get(verdict.candidate).and_then(|one| options.leaves_out(one));
            verdict.fate = match left_out {
                Some(fate) => fate,
                None if files.contains(&verdict.path) => Fate::Picked,
                None => Fate::NotChosen,
            };
        }
        let place =
            |verdict: &Verdict| files.iter().position(|file| *file == verdict.path).unwrap_or(usize::MAX);
        self.verdicts.sort_by_key(place);
        self
    }
}
