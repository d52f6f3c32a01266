//! A description tried on queries: where its memory stands for each of them as it is, and with what is typed.

use crate::app::contents::Contents;
use crate::check::likeness::{Form, sentences};
use crate::memory::path::RelPath;
use crate::memory::terms::{Bag, Kind};
use crate::memory::text::one_line;
use crate::prompt::recall::{Options, Rank};
use std::sync::Arc;

/// What stands below a description that is edited.
#[derive(Debug, Clone, Default)]
pub struct Bench {
    /// The queries that the person asked; the worker adds some of the body's own words.
    pub queries: Vec<String>,
    /// The number of the latest question; answers to earlier ones are dropped.
    pub asked: u64,
    /// The description that the last question was about; `None`: ask anew.
    pub about: Option<String>,
    /// The last answer; `None`: there was none yet.
    pub tried: Option<Tried>,
}

/// What the worker is asked.
#[derive(Debug, Clone)]
pub struct TryAsked {
    /// Its number; a later one makes it void.
    pub number: u64,
    /// The store.
    pub contents: Arc<Contents>,
    /// Which memory.
    pub path: RelPath,
    /// The description that is tried.
    pub description: String,
    /// The queries that the person asked.
    pub queries: Vec<String>,
    /// What a pick is limited by.
    pub options: Options,
}

/// What the worker says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tried {
    /// Where the memory stands, for each query.
    pub standings: Vec<Standing>,
    /// A description of the body's own words; `None`: none that is better than the one in the store.
    pub suggestion: Option<String>,
}

/// Where the memory stands for one query.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The query.
    pub query: String,
    /// The person asked it; else it was made from the body.
    pub is_own: bool,
    /// With the description that the store holds; `None`: the memory is not there.
    pub before: Option<Rank>,
    /// With the description that is typed.
    pub after: Option<Rank>,
}

/// So many queries are made from a body.
const MADE: usize = 4;
/// So many words a query has that is made.
const WORDS: usize = 7;
/// So many characters of a sentence in a script without blanks.
const CHARACTERS: usize = 40;
/// A sentence of fewer words that say something asks for nothing.
const LEAST_WORDS: usize = 2;

/// Queries of the body's own words: what its first sentences say, without what says nothing. A description that none of
/// them finds is no help to whoever needs the body.
#[must_use]
pub fn suggested_queries(body: &str) -> Vec<String> {
    let mut queries: Vec<String> = Vec::new();
    let found = sentences(body);
    let prose = found.iter().filter(|sentence| matches!(sentence.form, Form::Prose | Form::Item));
    for text in prose.filter_map(|sentence| body.get(sentence.range.clone())) {
        let text = unlabelled(text).trim();
        let bag = Bag::of(text);
        let words: Vec<&str> = bag.terms.iter().map(|term| &*term.shown).take(WORDS).collect();
        // Of CJK the terms are pairs of characters, which nobody would ask for.
        let query = match bag.terms.iter().any(|term| term.kind == Kind::Pair) {
            true => one_line(&text.chars().take(CHARACTERS).collect::<String>()),
            false => words.join(" "),
        };
        if words.len() >= LEAST_WORDS && !queries.contains(&query) {
            queries.push(query);
        }
        if queries.len() == MADE {
            break;
        }
    }
    queries
}

/// A sentence without the label of its part, which is no word of it.
fn unlabelled(text: &str) -> &str {
    let bare = text.trim_start_matches('*');
    let rest = ["Why:", "How to apply:"].iter().find_map(|label| bare.strip_prefix(label));
    rest.map_or(text, |rest| rest.trim_start_matches('*'))
}
