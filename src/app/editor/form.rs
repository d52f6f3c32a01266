//! The form of a memory: its keys and parts as fields, and the file that they make.

use crate::app::editor::textbox::{Lines, TextBox};
use crate::memory::body::PartKind;
use crate::memory::edit::{self, PartRef, Place, Refused, Style};
use crate::memory::extended;
use crate::review::edit::is_substance_key;

/// The types that a memory can have.
const TYPES: [&str; 4] = ["user", "feedback", "project", "reference"];
/// The keys of the article that a memory may have besides.
const EXTENDED: [&str; 7] =
    ["createdAt", "updatedAt", "expiresAt", "confidence", "source", "reason", "application"];

/// What a field stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A key of the frontmatter.
    Key {
        /// Where it stands or will stand.
        place: Place,
        /// Its name.
        key: String,
        /// It is in the file.
        found: bool,
    },
    /// A part of the body.
    Part(PartRef),
    /// A part that the body does not have yet.
    NewPart(PartKind),
    /// A key to add.
    Add,
    /// Something that is asked by this name in a small form ([`crate::app::sheet`]): no part of a file.
    Said(&'static str),
}

/// How a field is edited.
#[derive(Debug, Clone)]
pub enum Input {
    /// As text.
    Text(Box<TextBox>),
    /// By choosing.
    Choice {
        /// What there is to choose from.
        options: Vec<String>,
        /// What is chosen.
        chosen: usize,
        /// What was chosen at first.
        first: usize,
    },
}

/// One field.
#[derive(Debug, Clone)]
pub struct Field {
    /// What it stands for.
    pub what: What,
    /// How it is edited.
    pub input: Input,
    /// YAML reads the value otherwise than it is written, and one key repairs that.
    pub is_lossy: bool,
}

/// The form.
#[derive(Debug, Clone)]
pub struct Form {
    /// Its fields, from top to bottom; never empty.
    pub fields: Vec<Field>,
    /// The field that keys go to.
    pub focus: usize,
    /// How many keys can only be edited in the raw file.
    pub others: usize,
}

impl Form {
    /// The form of a file.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        let found = edit::fields(bytes);
        let lossy = edit::repairable(bytes);
        let is_simple =
            |style: Style, key: &str| !(matches!(style, Style::Nested | Style::Other) || key == "metadata");
        let field = |place: Place, key: &str, text: Option<&str>| Field {
            what: What::Key { place, key: key.into(), found: text.is_some() },
            input: match key {
                "type" => types(text.unwrap_or_default()),
                _ => text_input(text.unwrap_or_default(), Lines::One),
            },
            is_lossy: lossy.iter().any(|(at, name)| (*at, name.as_str()) == (place, key)),
        };
        let mut fields = Vec::new();
        for key in ["name", "description", "type"] {
            let place = edit::place_of(bytes, key);
            let at = found.iter().find(|span| span.place == place && span.key == key);
            match at {
                Some(span) if !is_simple(span.style, key) => {}
                span => fields.push(field(place, key, span.map(|span| span.text.as_str()))),
            }
        }
        fields.extend(parts(bytes));
        let mut others = 0;
        for span in &found {
            let is_first = matches!(span.key.as_str(), "name" | "description" | "type")
                && span.place == edit::place_of(bytes, &span.key);
            match is_simple(span.style, &span.key) {
                true if !is_first => fields.push(field(span.place, &span.key, Some(&span.text))),
                false if span.key != "metadata" => others += 1,
                _ => {}
            }
        }
        let mut form = Self { fields, focus: 0, others };
        form.offer_keys();
        form
    }

    /// The field that keys go to.
    #[must_use]
    pub fn focused(&self) -> Option<&Field> {
        self.fields.get(self.focus)
    }

    /// The field that keys go to, to be edited.
    pub fn focused_mut(&mut self) -> Option<&mut Field> {
        self.fields.get_mut(self.focus)
    }

    /// Goes to another field; stops at the ends.
    pub fn step(&mut self, by: isize) {
        self.focus = self.focus.saturating_add_signed(by).min(self.fields.len().saturating_sub(1));
    }

    /// Goes around: from the last field to the first.
    pub fn cycle(&mut self, by: isize) {
        let count = self.fields.len().cast_signed().max(1);
        self.focus = usize::try_from((self.focus.cast_signed() + by).rem_euclid(count)).unwrap_or(0);
    }

    /// Whether any field was changed.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.fields.iter().any(Field::is_changed)
    }

    /// Whether what was changed says something new (DESIGN, invariant 4).
    #[must_use]
    pub fn is_substance(&self) -> bool {
        self.fields.iter().filter(|field| field.is_changed()).any(|field| match &field.what {
            What::Key { key, .. } => is_substance_key(key),
            What::Part(_) | What::NewPart(_) => true,
            What::Add | What::Said(_) => false,
        })
    }

    /// Adds the key that is chosen in the last field, and goes to it.
    ///
    /// # Errors
    /// When the last field is not the one that adds keys.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        let none = || Refused { why: "every key that can be added is there".into() };
        let at = self.fields.iter().position(|field| field.what == What::Add).ok_or_else(none)?;
        let key = self.fields.get(at).map(Field::text).ok_or_else(none)?;
        self.put_key(edit::place_of(bytes, &key), &key, at);
        Ok(())
    }

    fn put_key(&mut self, place: Place, key: &str, at: usize) {
        let what = What::Key { place, key: key.into(), found: false };
        self.fields.insert(at, Field { what, input: text_input("", Lines::One), is_lossy: false });
        self.offer_keys();
        self.focus = at;
    }

    /// Makes the last field offer the keys that are not there.
    fn offer_keys(&mut self) {
        self.fields.retain(|field| field.what != What::Add);
        let is_there = |key: &str| {
            self.fields
                .iter()
                .any(|field| matches!(&field.what, What::Key { key: other, .. } if is_same(other, key)))
        };
        let options: Vec<String> =
            EXTENDED.into_iter().filter(|key| !is_there(key)).map(ToOwned::to_owned).collect();
        if !options.is_empty() {
            let input = Input::Choice { options, chosen: 0, first: 0 };
            self.fields.push(Field { what: What::Add, input, is_lossy: false });
        }
    }

    /// The file with everything that was changed.
    ///
    /// # Errors
    /// The first change that can't be made: which field, and why.
    pub fn bytes(&self, base: &[u8]) -> Result<Vec<u8>, (usize, Refused)> {
        let mut bytes = base.to_vec();
        for (at, field) in self.fields.iter().enumerate().filter(|(_, field)| field.is_changed()) {
            bytes = field.apply(&bytes).map_err(|why| (at, why))?;
        }
        Ok(bytes)
    }

    /// The file with the changes that can be made, and the texts of those that can't.
    #[must_use]
    pub fn bytes_as_far_as(&self, base: &[u8]) -> (Vec<u8>, Vec<String>) {
        let mut bytes = base.to_vec();
        let mut left = Vec::new();
        for field in self.fields.iter().filter(|field| field.is_changed()) {
            match field.apply(&bytes) {
                Ok(after) => bytes = after,
                Err(_) => left.push(field.text()),
            }
        }
        (bytes, left)
    }

    /// The fields that were changed, for a draft.
    #[must_use]
    pub fn texts(&self) -> Vec<(String, String)> {
        let changed = self.fields.iter().filter(|field| field.is_changed());
        changed.map(|field| (field.what.id(), field.text())).collect()
    }

    /// Puts the texts of a draft in; gives back those for which there is no field.
    pub fn restore(&mut self, texts: &[(String, String)]) -> Vec<String> {
        let mut left = Vec::new();
        for (id, text) in texts {
            if !self.fields.iter().any(|field| field.what.id() == *id) {
                let end =
                    self.fields.len() - usize::from(self.fields.last().is_some_and(|f| f.what == What::Add));
                match id.split_once(' ') {
                    Some(("top", key)) => self.put_key(Place::Top, key, end),
                    Some(("metadata", key)) => self.put_key(Place::Metadata, key, end),
                    _ => {}
                }
            }
            match self.fields.iter_mut().find(|field| field.what.id() == *id) {
                Some(field) => field.set(text),
                None => left.push(text.clone()),
            }
        }
        self.focus = self.fields.iter().position(Field::is_changed).unwrap_or(0);
        left
    }
}

impl Field {
    /// Its text as it is now.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.input {
            Input::Text(area) => area.text(),
            Input::Choice { options, chosen, .. } => options.get(*chosen).cloned().unwrap_or_default(),
        }
    }

    /// Whether it was changed.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        match (&self.what, &self.input) {
            (What::Add, _) => false,
            (_, Input::Text(area)) => area.is_changed(),
            (_, Input::Choice { chosen, first, .. }) => chosen != first,
        }
    }

    fn set(&mut self, text: &str) {
        match &mut self.input {
            Input::Text(area) => area.set(text),
            Input::Choice { options, chosen, .. } => {
                *chosen = options.iter().position(|option| option == text).unwrap_or_else(|| {
                    options.push(text.into());
                    options.len() - 1
                });
            }
        }
    }

    fn apply(&self, bytes: &[u8]) -> Result<Vec<u8>, Refused> {
        let text = self.text();
        match &self.what {
            What::Key { place, key, found } => {
                extended::allowed(key, &text).map_err(|why| Refused { why })?;
                match (text.is_empty(), found, extended::Key::of(key).is_some()) {
                    (true, true, true) => edit::remove_field(bytes, *place, key),
                    (true, false, _) => Ok(bytes.to_vec()),
                    _ => edit::set_field(bytes, *place, key, &text),
                }
            }
            What::Part(part) => edit::set_part(bytes, *part, &text),
            What::NewPart(_) if edit::part_text(&text).is_empty() => Ok(bytes.to_vec()),
            What::NewPart(kind) => edit::add_part(bytes, *kind, &text),
            What::Add | What::Said(_) => Ok(bytes.to_vec()),
        }
    }
}

impl What {
    /// Whether it is this key of the frontmatter.
    #[must_use]
    pub fn is_key(&self, name: &str) -> bool {
        matches!(self, Self::Key { key, .. } if key == name)
    }

    /// Its name, for drafts.
    fn id(&self) -> String {
        match self {
            Self::Key { place: Place::Top, key, .. } => format!("top {key}"),
            Self::Key { place: Place::Metadata, key, .. } => format!("metadata {key}"),
            Self::Part(part) => format!("part {:?} {}", part.kind, part.number),
            Self::NewPart(kind) => format!("new {kind:?}"),
            Self::Add => "add".into(),
            Self::Said(label) => format!("said {label}"),
        }
    }

    /// What it is called on the screen.
    #[must_use]
    pub fn label(&self) -> String {
        let numbered = |name: &str, number: usize| match number {
            0 => name.to_owned(),
            number => format!("{name} {}", number + 1),
        };
        let part = |kind: PartKind| match kind {
            PartKind::Fact => "Fact",
            PartKind::Why => "Why",
            PartKind::How => "How to apply",
            PartKind::Other => "Section",
        };
        match self {
            Self::Key { key, .. } => crate::app::contents::one_line(key),
            Self::Part(which) => numbered(part(which.kind), which.number),
            Self::NewPart(kind) => part(*kind).into(),
            Self::Add => "add a key".into(),
            Self::Said(label) => (*label).into(),
        }
    }
}

/// Whether two keys are one, perhaps in other spellings.
fn is_same(one: &str, other: &str) -> bool {
    one == other || extended::Key::of(one).is_some_and(|key| extended::Key::of(other) == Some(key))
}

fn text_input(text: &str, lines: Lines) -> Input {
    Input::Text(Box::new(TextBox::new(text, lines)))
}

/// The four types, and what stands there when it is none of them.
fn types(found: &str) -> Input {
    let mut options: Vec<String> = TYPES.map(ToOwned::to_owned).to_vec();
    if !options.iter().any(|option| option == found) {
        options.insert(0, found.into());
    }
    let first = options.iter().position(|option| option == found).unwrap_or(0);
    Input::Choice { options, chosen: first, first }
}

/// The parts of the body as found, and those of the usual ones that are missing.
fn parts(bytes: &[u8]) -> Vec<Field> {
    let found = edit::part_texts(bytes);
    let new = |kind| Field { what: What::NewPart(kind), input: text_input("", Lines::Many), is_lossy: false };
    let has = |kind| found.iter().any(|(part, _)| part.kind == kind);
    let (needs_why, needs_how) = (!has(PartKind::Why), !has(PartKind::How));
    let mut fields = Vec::new();
    let mut why_is_in = false;
    for (part, text) in found {
        // A Why is added before the How, so it stands there in the form too.
        if needs_why && part.kind == PartKind::How && !why_is_in {
            fields.push(new(PartKind::Why));
            why_is_in = true;
        }
        let input = text_input(&text, Lines::Many);
        fields.push(Field { what: What::Part(part), input, is_lossy: false });
    }
    if needs_why && !why_is_in {
        fields.push(new(PartKind::Why));
    }
    if needs_how {
        fields.push(new(PartKind::How));
    }
    fields
}
