//! A description in a memory's own words.

use crate::check::likeness::{Form, claim, sentences};
use crate::check::secrets;
use crate::memory::terms::{Bag, Kind};
use crate::memory::text::{hidden, one_line};
use crate::prompt::recall::is_talk;

/// The longest description that is proposed, in characters.
pub const LONGEST: usize = 150;
/// How many telling words a sentence needs to describe a memory.
const TELLING: usize = 2;
/// How many sentences are looked at.
const SENTENCES: usize = 6;

/// A description for a memory with this body: its first sentence that tells something, cut at a clause where it is too
/// long, else its first telling words. One line of at most 150 characters without a secret; `None`: the body gives
/// none.
#[must_use]
pub fn suggest(body: &str) -> Option<String> {
    let fact = body.get(claim(body)).filter(|text| !text.trim().is_empty()).unwrap_or(body);
    // What nobody sees is nothing to write once more.
    if hidden(fact).next().is_some() {
        return None;
    }
    let found = sentences(fact);
    let texts = found
        .iter()
        .filter(|sentence| matches!(sentence.form, Form::Prose | Form::Item))
        .filter_map(|sentence| fact.get(sentence.range.clone()))
        .take(SENTENCES);
    let texts: Vec<String> = texts.map(plain).filter(|text| telling(text) >= TELLING).collect();
    let whole = texts.iter().find(|text| text.chars().count() <= LONGEST).cloned();
    let cut = || texts.iter().find_map(|text| clause(text));
    whole.or_else(cut).or_else(|| joined(fact)).filter(|text| is_clean(text))
}

/// A sentence on one line, without marks of Markdown and the full stop.
fn plain(text: &str) -> String {
    let text = text.replace("**", "").replace("__", "").replace("[[", "").replace("]]", "");
    let line = one_line(&text);
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_end_matches(['.', '。', ':', '：', ' ']).trim_start_matches(['|', ' ']).to_owned()
}

/// The first clauses of a sentence that is too long.
fn clause(text: &str) -> Option<String> {
    let ends = [", ", "; ", ": ", " — ", " – ", " (", "，", "；", "、"];
    let limit = text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at);
    let head = text.get(..limit)?;
    let end = ends.iter().filter_map(|mark| head.rfind(mark)).max()?;
    let head = text.get(..end)?;
    (telling(head) > TELLING).then(|| head.to_owned())
}

/// The first telling words, one after the other.
fn joined(text: &str) -> Option<String> {
    let mut line = String::new();
    for term in Bag::of(text).terms.iter().filter(|term| matches!(term.kind, Kind::Word | Kind::Name)) {
        let shown = one_line(&term.shown);
        if line.chars().count() + shown.chars().count() + 2 > LONGEST {
            break;
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(&shown);
    }
    (telling(&line) > TELLING).then_some(line)
}

fn telling(text: &str) -> usize {
    let bag = Bag::of(text);
    let terms = bag.terms.iter().filter(|term| matches!(term.kind, Kind::Word | Kind::Pair | Kind::Name));
    terms.filter(|term| !is_talk(&term.shown)).count()
}

fn is_clean(text: &str) -> bool {
    secrets::mask(text) == text && text.chars().count() <= LONGEST
}
