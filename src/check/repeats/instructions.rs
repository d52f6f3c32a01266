//! What CLAUDE.md, rules and imports already say.

use super::claims::{Claim, Passage, Said, about};
use crate::check::likeness::{Bag, Form, Index, sentences};
use crate::check::project::Text;
use crate::check::{Evidence, Found, Look, quoted};
use crate::memory::text::visible;

/// The sentences of some texts, to find which of them says a passage.
pub(super) struct Sayings<'a> {
    sentences: Vec<Saying<'a>>,
    index: Index,
}

/// One sentence of a text.
pub(super) struct Saying<'a> {
    pub(super) text: &'a Text,
    pub(super) line: usize,
    pub(super) words: &'a str,
}

/// How many candidates are compared in full.
const CANDIDATES: usize = 8;
/// What shares a smaller part of a passage's rarest words than this can't say it.
const LEAST: f32 = 0.25;
/// So much of a passage must be said,
const OF_PASSAGE: f32 = 0.72;
/// and so much of the sentence that says it must be about the passage (a long one may say more).
const OF_SENTENCE: f32 = 0.33;
/// A passage with fewer words that say something is too short to be known again.
const FEWEST: usize = 2;

impl<'a> Sayings<'a> {
    pub(super) fn of(texts: impl Iterator<Item = &'a Text>) -> Self {
        let of_text = |text: &'a Text| {
            sentences(&text.text).into_iter().filter(|one| matches!(one.form, Form::Prose | Form::Item)).map(
                move |one| Saying {
                    text,
                    line: one.line,
                    words: text.text.get(one.range).unwrap_or_default(),
                },
            )
        };
        let sentences: Vec<Saying<'a>> = texts.flat_map(of_text).collect();
        let index = Index::of(sentences.iter().map(|one| Bag::of(one.words)));
        Self { sentences, index }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }

    /// The sentence that says a passage, if one does.
    pub(super) fn saying(&self, passage: &Passage) -> Option<&Saying<'a>> {
        if !matches!(passage.form, Form::Prose | Form::Item) {
            return None;
        }
        let bag = Bag::of(&passage.text);
        if bag.strong() < FEWEST {
            return None;
        }
        let mut best: Option<(f32, usize)> = None;
        for at in self.index.candidates(&bag, CANDIDATES, LEAST, None) {
            let likeness = self.index.compare_with(&bag, at);
            let is_said = likeness.differs.is_none()
                && likeness.of_first >= OF_PASSAGE
                && likeness.of_second >= OF_SENTENCE
                // A short passage shares its few words by chance: then they must be all.
                && (likeness.strong > FEWEST || (likeness.of_first > 0.95 && likeness.of_second > 0.8));
            if is_said && best.is_none_or(|(score, _)| likeness.score() > score) {
                best = Some((likeness.score(), at));
            }
        }
        best.and_then(|(_, at)| self.sentences.get(at))
    }
}

impl Saying<'_> {
    /// The place as evidence, quoted.
    pub(super) fn evidence(&self) -> Evidence {
        let path = Some(visible(&self.text.path, false).into_owned());
        Evidence { path, line: Some(self.line), commit: None, text: quoted(self.words) }
    }

    /// The file's name for a message.
    pub(super) fn file(&self) -> String {
        visible(self.text.path.rsplit('/').next().unwrap_or_default(), false).into_owned()
    }
}

pub(super) fn look(look: &Look<'_>, found: &mut Found) {
    let Some(project) = look.project else { return };
    let sayings = Sayings::of(project.instructions.iter());
    if sayings.is_empty() {
        return;
    }
    for memory in &look.snapshot.memories {
        let claim = Claim::of(memory);
        let mut said = Vec::new();
        for (at, passage) in claim.passages.iter().enumerate() {
            if let Some(saying) = sayings.saying(passage) {
                said.push(Said {
                    passages: at..at + 1,
                    about: about(&passage.text),
                    message: format!("{} says this already, on line {}", saying.file(), saying.line),
                    evidence: vec![saying.evidence()],
                    is_other: false,
                    is_rule: false,
                });
            }
        }
        claim.report(said, found);
    }
}
