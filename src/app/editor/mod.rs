//! The editor of one memory: its form or its raw file, what is asked about it, and its conflict with what
//! someone else wrote meanwhile.

mod form;
mod merge;
#[cfg(test)]
mod tests;
mod textbox;

pub use form::{Field, Form, Input, What};
pub use merge::Merge;
pub use textbox::{Did, Lines, TEXT_KEYS, TextBox};

use crate::app::recall::Bench;
use crate::memory::document::{Document, Reading};
pub use crate::memory::edit::repair_all;
use crate::memory::edit::{self, raw_text, set_raw};
use crate::memory::path::RelPath;
use crate::review::draft::{Draft, RAW};
use crate::review::edit::{Kind, default_kind};
use crate::review::proposal::Proposal;
use std::sync::Arc;

/// A larger file is left to the person's own editor: at every key its lines are wrapped anew.
pub const MOST_BYTES: usize = 2_000_000;
/// The same for the number of lines.
const MOST_LINES: usize = 25_000;
const DESCRIPTION: &str = "description";
/// Up to this size what a raw edit changed is looked at after each key.
const LOOKED_AT: usize = 64 * 1024;

/// The editor of one memory.
#[derive(Debug, Clone)]
pub struct Editor {
    /// Which memory.
    pub path: RelPath,
    /// Its name, safe to show.
    pub name: String,
    /// The file on the disk as it was when the editing began, or as it was taken over from someone else.
    pub base: Arc<[u8]>,
    /// The file that is shown and to which what is typed is applied: `base`, or what a merge, another program
    /// or the other view made of it.
    from: Arc<[u8]>,
    /// What is shown of it.
    pub view: View,
    /// What is going on.
    pub stage: Stage,
    /// The file on the disk is no longer `base`.
    pub is_stale: bool,
    /// YAML reads values of it otherwise than they are written, or can't read it.
    pub is_odd: bool,
    /// What is edited is no memory yet, but this proposal.
    pub proposal: Option<Arc<Proposal>>,
    /// The description alone is edited, and tried on queries.
    pub bench: Option<Box<Bench>>,
}

/// What is shown of a memory.
#[derive(Debug, Clone)]
pub enum View {
    /// Fields.
    Form(Form),
    /// The whole file.
    Raw(Box<TextBox>),
}

/// What is going on in the editor.
#[derive(Debug, Clone)]
pub enum Stage {
    /// Text is typed.
    Typing,
    /// The person wants to leave; unsaved text is asked about.
    Leaving,
    /// The form can't save this, for this reason; the raw file can.
    Refused(String),
    /// It is being saved.
    Saving {
        /// It could not be saved; why shows when the store was read again.
        has_failed: bool,
    },
    /// Someone else changed the file: what becomes of both is chosen.
    Conflict(Merge),
    /// Someone else deleted the file.
    Gone,
    /// Unsaved text of an earlier time is offered.
    Offer(Box<Draft>),
    /// Another program may still have the text open in a window.
    Outside,
}

impl Editor {
    /// The form of a memory.
    ///
    /// # Errors
    /// Why it can't be edited here.
    pub fn form(path: RelPath, name: String, base: Arc<[u8]>) -> Result<Self, String> {
        too_large(&base)?;
        let view = View::Form(Form::new(&base));
        let is_odd = is_odd(&base);
        let from = base.clone();
        let (stage, is_stale, proposal, bench) = (Stage::Typing, false, None, None);
        Ok(Self { path, name, from, base, view, stage, is_stale, is_odd, proposal, bench })
    }

    /// The description of a memory, to be tried on queries.
    ///
    /// # Errors
    /// Why it can't be edited here.
    pub fn bench(path: RelPath, name: String, base: Arc<[u8]>, bench: Bench) -> Result<Self, String> {
        let mut editor = Self { bench: Some(Box::new(bench)), ..Self::form(path, name, base)? };
        editor.view = View::Form(editor.form_of(&editor.base));
        match editor.description() {
            Some(_) => Ok(editor),
            None => {
                Err("its description is no single line of text here; e and the raw file change it".into())
            }
        }
    }

    /// The raw file of a memory with new bytes in it.
    ///
    /// # Errors
    /// Why it can't be edited here.
    pub fn raw(path: RelPath, name: String, base: Arc<[u8]>, bytes: Arc<[u8]>) -> Result<Self, String> {
        too_large(&bytes)?;
        let view = View::Raw(raw_box(&bytes));
        let is_odd = is_odd(&bytes);
        let (stage, is_stale, proposal, bench) = (Stage::Typing, false, None, None);
        Ok(Self { path, name, from: bytes, base, view, stage, is_stale, is_odd, proposal, bench })
    }

    /// Whether there is text that is not saved.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        let is_typed = match &self.view {
            View::Form(form) => form.is_changed(),
            View::Raw(area) => area.is_changed(),
        };
        is_typed || self.from != self.base
    }

    /// The file as it is edited now.
    ///
    /// # Errors
    /// Why it can't be made; a form goes to the field concerned.
    pub fn bytes(&mut self) -> Result<Vec<u8>, String> {
        match &mut self.view {
            View::Form(form) => form.bytes(&self.from).map_err(|(at, refused)| {
                form.focus = at;
                let label = form.focused().map(|field| field.what.label()).unwrap_or_default();
                format!("{label}: {refused}")
            }),
            View::Raw(area) => set_raw(&self.from, &area.text()).map_err(|refused| refused.why),
        }
    }

    /// What the change does to the age, as far as is known while typing; `None` when nothing changed.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        if !self.is_changed() {
            return None;
        }
        let is_new =
            |bytes: &[u8]| bytes.len() > LOOKED_AT || default_kind(&self.base, bytes) == Kind::Substance;
        let is_substance = match &self.view {
            View::Form(form) => form.is_substance() || (self.from != self.base && is_new(&self.from)),
            View::Raw(area) if area.is_long(LOOKED_AT) => true,
            View::Raw(area) => is_new(area.text().as_bytes()),
        };
        Some(if is_substance { Kind::Substance } else { Kind::Correction })
    }

    /// Goes from the form to the raw file or back; what was typed goes along.
    ///
    /// # Errors
    /// Why what was typed can't become a file.
    pub fn turn(&mut self) -> Result<(), String> {
        let bytes: Arc<[u8]> = self.bytes()?.into();
        self.view = match &self.view {
            View::Form(_) => View::Raw(raw_box(&bytes)),
            View::Raw(_) => View::Form(self.form_of(&bytes)),
        };
        self.is_odd = is_odd(&bytes);
        self.from = bytes;
        Ok(())
    }

    /// Shows the raw file with all that the form can save; what it can't is put in with Ctrl-V.
    pub fn open_raw(&mut self) {
        if let View::Form(form) = &self.view {
            let (bytes, left) = form.bytes_as_far_as(&self.from);
            let mut area = raw_box(&bytes);
            area.offer(&left.join("\n"));
            self.view = View::Raw(area);
            self.from = bytes.into();
        }
        self.stage = Stage::Typing;
    }

    /// Takes over what was put together from what was edited here and what someone else wrote.
    pub fn take_merged(&mut self, bytes: Vec<u8>, theirs: Arc<[u8]>) {
        self.view = View::Raw(raw_box(&bytes));
        self.from = bytes.into();
        self.base = theirs;
        self.is_stale = false;
        self.stage = Stage::Typing;
    }

    /// What would be lost if the program ended now; `None`: nothing.
    #[must_use]
    pub fn draft(&self) -> Option<Draft> {
        if !self.is_changed() {
            return None;
        }
        let texts = match &self.view {
            View::Form(form) if self.from == self.base => form.texts(),
            View::Form(form) => vec![(RAW.into(), raw_text(&form.bytes_as_far_as(&self.from).0))],
            View::Raw(area) => vec![(RAW.into(), area.text())],
        };
        Some(Draft { path: self.path.clone(), base: self.base.clone(), texts })
    }

    /// Takes the text of a draft over.
    ///
    /// # Errors
    /// Why the draft can't be shown.
    pub fn take(&mut self, draft: &Draft) -> Result<(), String> {
        too_large(&draft.base)?;
        let mut form = self.form_of(&draft.base);
        (self.from, self.view) = match draft.texts.iter().find(|(id, _)| id == RAW) {
            Some((_, text)) => {
                let bytes = set_raw(&draft.base, text).map_err(|refused| refused.why)?;
                let view = View::Raw(raw_box(&bytes));
                (bytes.into(), view)
            }
            None => {
                form.restore(&draft.texts);
                (draft.base.clone(), View::Form(form))
            }
        };
        self.is_stale |= self.base != draft.base;
        self.base = draft.base.clone();
        self.stage = Stage::Typing;
        Ok(())
    }

    /// Puts quotes around what YAML reads otherwise than it is written: in the field that keys go to, else in
    /// the whole frontmatter.
    ///
    /// # Errors
    /// Why there is nothing to repair, or it can't be repaired so.
    pub fn repair(&mut self) -> Result<(), String> {
        let bytes = self.bytes()?;
        let focused = match &self.view {
            View::Form(form) => form.focused().filter(|field| field.is_lossy).map(|field| field.what.clone()),
            View::Raw(_) => None,
        };
        let after: Arc<[u8]> = match focused {
            Some(What::Key { place, key, .. }) => edit::repair_field(&bytes, place, &key),
            _ => repair_all(&bytes),
        }
        .map_err(|refused| refused.why)?
        .into();
        self.view = match &self.view {
            View::Form(old) => {
                let mut form = self.form_of(&after);
                form.focus = old.focus.min(form.fields.len().saturating_sub(1));
                View::Form(form)
            }
            View::Raw(_) => View::Raw(raw_box(&after)),
        };
        self.is_odd = is_odd(&after);
        self.from = after;
        Ok(())
    }

    /// The form of a file; where the description is tried on queries, of that alone.
    fn form_of(&self, bytes: &[u8]) -> Form {
        let mut form = Form::new(bytes);
        if self.bench.is_some() {
            form.fields.retain(|field| field.what.is_key(DESCRIPTION));
            form.others = 0;
        }
        form
    }

    /// The description as it is typed, while the form shows it.
    #[must_use]
    pub fn description(&self) -> Option<String> {
        let View::Form(form) = &self.view else { return None };
        form.fields.iter().find(|field| field.what.is_key(DESCRIPTION)).map(Field::text)
    }

    /// Puts another description into the form, as if it had been typed.
    pub fn set_description(&mut self, text: &str) {
        let View::Form(form) = &mut self.view else { return };
        let field = form.fields.iter_mut().find(|field| field.what.is_key(DESCRIPTION));
        if let Some(Input::Text(area)) = field.map(|field| &mut field.input) {
            area.set(text);
        }
    }

    /// What keys go to at the moment, when it is text.
    pub fn area_mut(&mut self) -> Option<&mut TextBox> {
        match &mut self.view {
            View::Raw(area) => Some(area),
            View::Form(form) => match form.focused_mut().map(|field| &mut field.input) {
                Some(Input::Text(area)) => Some(area),
                _ => None,
            },
        }
    }

    /// Adds the key that is chosen in the form's last field.
    ///
    /// # Errors
    /// When there is none.
    pub fn add_key(&mut self) -> Result<(), String> {
        match &mut self.view {
            View::Form(form) => form.add(&self.from).map_err(|refused| refused.why),
            View::Raw(_) => Ok(()),
        }
    }
}

fn is_odd(bytes: &[u8]) -> bool {
    let block = Document::parse(bytes).frontmatter;
    !edit::repairable(bytes).is_empty() || block.is_some_and(|block| block.reading == Reading::Lenient)
}

fn raw_box(bytes: &[u8]) -> Box<TextBox> {
    Box::new(TextBox::new(&raw_text(bytes), Lines::Many))
}

fn too_large(bytes: &[u8]) -> Result<(), String> {
    if bytes.len() > MOST_BYTES || crate::memory::lines::ends(bytes) > MOST_LINES {
        return Err("it is too large to be edited here; E opens it in your own editor".into());
    }
    Ok(())
}
