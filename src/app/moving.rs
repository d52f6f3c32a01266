//! The window that asks where memories go: another store, or what every project loads.

use crate::app::commands::can_promote;
use crate::app::contents::one_line;
use crate::app::field::Field;
use crate::app::key::Key;
use crate::app::model::Model;
use crate::memory::path::RelPath;
use crate::prompt::locate::FoundStore;
use crate::review::moving::Way;
use std::path::{Path, PathBuf};

/// The choice where memories go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moving {
    /// What goes, in words, safe to show.
    pub title: String,
    /// The store that they come from.
    pub from: PathBuf,
    /// Which memories; `None`: all of that store.
    pub paths: Option<Vec<RelPath>>,
    /// Whether they stay as well.
    pub way: Way,
    /// What is typed, to find a place.
    pub field: Field,
    /// The row that is chosen, counted over those shown.
    pub chosen: usize,
    /// What was asked about the place that was chosen; a worker looks.
    pub planning: Option<Asked>,
}

/// What a worker is asked to plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The store that memories come from.
    pub from: PathBuf,
    /// The store that they go to.
    pub to: PathBuf,
    /// Whether they stay as well.
    pub way: Way,
    /// Which memories; `None`: all.
    pub paths: Option<Vec<RelPath>>,
}

/// One row of the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Where the memories would go.
    pub place: Place,
    /// Its name, safe to show.
    pub name: String,
    /// Why it can't be chosen.
    pub why_not: Option<String>,
}

/// Where memories can go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// What every project loads: the client has no store for that, so it is promoted.
    User,
    /// A store.
    Store(FoundStore),
}

impl Place {
    /// Whether it is the same one, whatever it holds by now.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Store(one), Self::Store(other)) => one.dir == other.dir,
            (one, other) => one == other,
        }
    }
}

/// What every project loads, as a place.
const USER: &str = "every project: your own CLAUDE.md or a rule of your own (promote)";

impl Moving {
    /// The choice for memories of a store (`None`: all of them).
    #[must_use]
    pub fn new(title: String, from: PathBuf, paths: Option<Vec<RelPath>>) -> Self {
        // The first row is no store.
        let chosen = usize::from(paths.is_some());
        Self { title, from, paths, way: Way::Move, field: Field::default(), chosen, planning: None }
    }

    /// The places that hold all the words typed, those that can't be chosen last.
    #[must_use]
    pub fn rows(&self, model: &Model) -> Vec<Row> {
        let root = model.open().filter(|open| open.dir == self.from).map(|open| &open.contents.snapshot.root);
        let is_from = |dir: &Path| dir == self.from || root.is_some_and(|root| dir == root);
        let store = |store: &FoundStore| {
            let why = is_from(&store.dir).then(|| "it is there already".to_owned());
            Row { place: Place::Store(store.clone()), name: one_line(&store.slug), why_not: why }
        };
        let mut rows: Vec<Row> = model.stores.found.iter().flatten().map(store).collect();
        rows.sort_by_key(|row| row.why_not.is_some());
        if let Some(paths) = &self.paths {
            let why_not = match (self.way, paths.as_slice()) {
                (Way::Copy, _) => Some("the memory would go: move it there".to_owned()),
                (_, [one]) => can_promote(model, one).err(),
                _ => Some("one memory is promoted at a time".to_owned()),
            };
            rows.insert(0, Row { place: Place::User, name: USER.into(), why_not });
        }
        let typed = self.field.text().to_lowercase();
        let words: Vec<&str> = typed.split_whitespace().collect();
        let holds = |row: &Row| {
            let dir = match &row.place {
                Place::Store(store) => store.dir.to_string_lossy().to_lowercase(),
                Place::User => "user everywhere".into(),
            };
            let name = row.name.to_lowercase();
            words.iter().all(|word| name.contains(word) || dir.contains(word))
        };
        rows.retain(holds);
        rows
    }

    /// A key that is no command.
    pub fn key(&mut self, key: Key) {
        if self.field.key(key) {
            self.typed();
        }
    }

    /// Text that was pasted.
    pub fn insert(&mut self, text: &str) {
        self.field.insert(text);
        self.typed();
    }

    fn typed(&mut self) {
        self.planning = None;
        self.chosen = usize::from(self.field.text().is_empty() && self.paths.is_some());
    }

    /// What is done, in words: `Move`, `Copy` or `Merge`.
    #[must_use]
    pub fn verb(&self) -> &'static str {
        match (&self.paths, self.way) {
            (None, _) => "Merge",
            (_, Way::Move) => "Move",
            (_, Way::Copy) => "Copy",
        }
    }
}
