//! The offline pick: BM25 (the `bm25` crate) over names, descriptions and types, each term told apart so that one can
//! see what matched, and a threshold below which nothing is picked.

use super::talk::is_talk;
use super::{Candidate, Fate, Field, Match, Options, Recall, Verdict};
use crate::memory::document::MemoryType;
use crate::memory::path::RelPath;
use crate::memory::terms::{Bag, Kind, Term, parts_of_name};
use bm25::{Embedder, EmbedderBuilder, Embedding, Scorer, TokenEmbedder, Tokenizer};
use std::collections::HashMap;

/// The least that a pick needs of [`worth`] (chosen on the half of `benches/recall` that is for it, where 0.69 to 0.74 give
/// the same picks and 0.75 to 0.85 all but one of them).
const LEAST: f32 = 0.7;
/// A header that answers so much of what a query asks is picked however common its words are: it has all words of a query
/// that is nothing but a word or two.
const WHOLE: f32 = 0.5;
/// The least part of the best score.
const LEAST_OF_BEST: f32 = 0.5;
/// What a term weighs that is in many texts or requests, or is a part of a name, beside one that says something.
const WEAK: f32 = 0.2;
/// What a name from code weighs, which two texts hardly have by chance; it counts as two terms.
const NAME: f32 = 2.0;
/// What a term weighs that no header has: it tells that the query is about something else as well, not what it is about.
const UNKNOWN: f32 = 0.8;
/// How fast a term that is repeated stops to count.
const K1: f32 = 1.2;
/// How much a longer header counts against its terms.
const B: f32 = 0.4;

/// The headers of a store, prepared so that many queries can be asked.
pub struct Ranker {
    candidates: Vec<Candidate>,
    headers: Vec<Header>,
    scorer: Scorer<u32, u64>,
    embedder: Embedder<u64, Blanks>,
}

/// Where a memory stands for a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rank {
    /// Its place, from 1; those that match nothing share the place behind the last that does.
    pub place: usize,
    /// How many candidates there are.
    pub of: usize,
    /// Its score, from 0 to 1.
    pub score: f32,
    /// Whether it would be picked.
    pub is_picked: bool,
}

/// The terms of one header, and the fields that have each.
#[derive(Default)]
struct Header {
    fields: Vec<(u64, Vec<Field>)>,
}

/// Terms are given one by one, with blanks between them.
struct Blanks;

impl Tokenizer for Blanks {
    fn tokenize(&self, text: &str) -> Vec<String> {
        text.split(' ').filter(|term| !term.is_empty()).map(str::to_owned).collect()
    }
}

/// One term of a query.
struct Asked {
    shown: String,
    embedding: Embedding<u64>,
    key: u64,
    weight: f32,
}

impl Ranker {
    /// Prepares these candidates.
    #[must_use]
    pub fn of(candidates: &[Candidate]) -> Self {
        let texts: Vec<Vec<(String, Field)>> = candidates.iter().map(terms).collect();
        let total: usize = texts.iter().map(Vec::len).sum();
        let average = total as f32 / candidates.len().max(1) as f32;
        let builder: EmbedderBuilder<u64, Blanks> =
            EmbedderBuilder::with_tokenizer_and_fit_to_corpus(Blanks, &[]);
        let embedder = builder.avgdl(average).k1(K1).b(B).build();
        let mut ranker = Self {
            candidates: candidates.to_vec(),
            headers: Vec::with_capacity(candidates.len()),
            scorer: Scorer::new(),
            embedder,
        };
        for (at, terms) in texts.iter().enumerate() {
            ranker.headers.push(Header::default());
            ranker.put(at, terms);
        }
        ranker
    }

    /// The candidates, in their order.
    #[must_use]
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Gives a candidate another description from now on; false: there is no such candidate.
    pub fn describe(&mut self, path: &RelPath, description: &str) -> bool {
        let Some(at) = self.candidates.iter().position(|one| one.path == *path) else { return false };
        let Some(candidate) = self.candidates.get_mut(at) else { return false };
        candidate.description = (!description.trim().is_empty()).then(|| description.into());
        let terms = terms(candidate);
        self.put(at, &terms);
        true
    }

    /// Where a memory would stand for a query, were its description another; `None`: there is no such candidate.
    pub fn rank_of(
        &mut self,
        query: &str,
        path: &RelPath,
        description: &str,
        options: &Options,
    ) -> Option<Rank> {
        let before = self.candidates.iter().find(|one| one.path == *path)?.description.clone();
        self.describe(path, description);
        let rank = self.rank(query, path, options);
        self.describe(path, before.as_deref().unwrap_or_default());
        rank
    }

    /// Where a memory stands for a query; `None`: there is no such candidate.
    #[must_use]
    pub fn rank(&self, query: &str, path: &RelPath, options: &Options) -> Option<Rank> {
        let recall = self.ask(query, options);
        let own = recall.verdicts.iter().find(|verdict| verdict.path == *path)?;
        let better = recall.verdicts.iter().filter(|other| other.score > own.score).count();
        Some(Rank {
            place: better + 1,
            of: recall.verdicts.len(),
            score: own.score,
            is_picked: own.fate == Fate::Picked,
        })
    }

    /// The candidates that have anything of a query, best first, at most `most`: their places and scores from 0 to 1.
    #[must_use]
    pub fn nearest(&self, query: &str, most: usize) -> Vec<(usize, f32)> {
        let mut scores: HashMap<u32, f32> = HashMap::new();
        let ideal =
            self.each(query, &mut |_, document, weight| *scores.entry(document).or_default() += weight);
        let mut all: Vec<(usize, f32)> =
            scores.into_iter().map(|(document, score)| (document as usize, score / ideal)).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(most);
        all
    }

    /// Which candidates a query would pick, and why.
    #[must_use]
    pub fn ask(&self, query: &str, options: &Options) -> Recall {
        let untold = |(at, candidate): (usize, &Candidate)| Verdict {
            candidate: at,
            path: candidate.path.clone(),
            score: 0.0,
            matches: Vec::new(),
            fate: Fate::NoMatch,
        };
        let mut verdicts: Vec<Verdict> = self.candidates.iter().enumerate().map(untold).collect();
        // Whether a header has a term that says something. A type is one of four words, and no hint of what it is about.
        let mut told = vec![false; verdicts.len()];
        let ideal = self.each(query, &mut |asked, document, weight| {
            let at = document as usize;
            let (Some(verdict), Some(header), Some(told)) =
                (verdicts.get_mut(at), self.headers.get(at), told.get_mut(at))
            else {
                return;
            };
            let fields = header.fields.iter().find(|(key, _)| *key == asked.key);
            let fields = fields.map(|(_, fields)| fields.clone()).unwrap_or_default();
            *told |= asked.weight >= 1.0 && fields.iter().any(|field| *field != Field::Type);
            verdict.matches.push(Match { term: asked.shown.clone(), fields, weight });
        });
        for verdict in &mut verdicts {
            for found in &mut verdict.matches {
                found.weight /= ideal;
                verdict.score += found.weight;
            }
        }
        verdicts.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.candidate.cmp(&b.candidate)));
        // How much the terms of the query add up to, in terms that a single header has.
        let size = ideal / idf(self.candidates.len(), 1);
        let is_enough = |verdict: &Verdict| {
            told.get(verdict.candidate).is_some_and(|told| *told)
                && (worth(verdict.score, size) >= LEAST || verdict.score >= WHOLE)
        };
        self.decide(&mut verdicts, &is_enough, options);
        Recall { query: query.to_owned(), verdicts }
    }

    /// Tells for each term of a query which headers have it and what it adds there; gives what all terms could add.
    fn each(&self, query: &str, tell: &mut dyn FnMut(&Asked, u32, f32)) -> f32 {
        let mut ideal = 0.0;
        for asked in self.asked(query) {
            let found = self.scorer.matches(&asked.embedding);
            let known = if found.is_empty() { UNKNOWN } else { 1.0 };
            ideal += known * asked.weight * idf(self.candidates.len(), found.len().max(1)) * (K1 + 1.0);
            for document in found {
                tell(&asked, document.id, asked.weight * document.score);
            }
        }
        ideal
    }

    fn decide(&self, verdicts: &mut [Verdict], is_enough: &dyn Fn(&Verdict) -> bool, options: &Options) {
        let mut best = None;
        let mut picked = 0;
        for verdict in verdicts {
            let left_out = self.candidates.get(verdict.candidate).and_then(|one| options.leaves_out(one));
            verdict.fate = match left_out {
                Some(fate) => fate,
                None if verdict.matches.is_empty() => Fate::NoMatch,
                None if !is_enough(verdict) => Fate::TooLittle,
                None if best.is_some_and(|best| verdict.score < best * LEAST_OF_BEST) => Fate::FarBehind,
                None if picked >= options.most => Fate::NoRoom,
                None => {
                    best = best.or(Some(verdict.score));
                    picked += 1;
                    Fate::Picked
                }
            };
        }
    }

    fn put(&mut self, at: usize, terms: &[(String, Field)]) {
        let mut text = String::new();
        let mut fields: HashMap<u64, Vec<Field>> = HashMap::new();
        for (term, field) in terms {
            text.push_str(term);
            text.push(' ');
            fields.entry(<u64 as TokenEmbedder>::embed(term)).or_default().push(*field);
        }
        let mut embedding = self.embedder.embed(&text).0;
        embedding.sort_by_key(|one| one.index);
        embedding.dedup_by_key(|one| one.index);
        if let (Ok(id), Some(header)) = (u32::try_from(at), self.headers.get_mut(at)) {
            header.fields = fields.into_iter().collect();
            self.scorer.upsert(&id, Embedding(embedding));
        }
    }

    /// The terms of a query. A name that no header has stands for the words that it is made of; a number that none has is of
    /// the case at hand, and tells nothing of what the query is about.
    fn asked(&self, query: &str) -> Vec<Asked> {
        let mut all: Vec<Asked> = Vec::new();
        let mut add = |term: &Term, shown: &str| {
            let key = key(term);
            let weight = match term.kind {
                Kind::Weak => WEAK,
                Kind::Word if is_talk(shown) => WEAK,
                Kind::Name => NAME,
                Kind::Word | Kind::Pair | Kind::Number => 1.0,
            };
            let embedding = self.embedder.embed(&key);
            if term.kind == Kind::Number && self.scorer.matches(&embedding).is_empty() {
                return;
            }
            let key = <u64 as TokenEmbedder>::embed(&key);
            match all.iter_mut().find(|asked| asked.key == key) {
                Some(asked) => asked.weight = asked.weight.max(weight),
                None => all.push(Asked { shown: shown.to_owned(), embedding, key, weight }),
            }
        };
        for term in &Bag::of(query).terms {
            if term.kind == Kind::Name && self.scorer.matches(&self.embedder.embed(&key(term))).is_empty() {
                for part in &Bag::of(&parts_of_name(&term.shown).join(" ")).terms {
                    add(part, &part.shown);
                }
            } else {
                add(term, &term.shown);
            }
        }
        all
    }
}

/// What speaks for a header: the part of the query that it answers, and, twice as much, how telling its own matches are,
/// which is that part of the query's size. So one word that both happen to have is hardly ever enough, whether the query is
/// short or long, and neither are a few words of a long query; that holds for small stores as well as for large ones.
fn worth(score: f32, size: f32) -> f32 {
    score * (score * size).powi(2)
}

/// How rare a term is that stands in `with` of `all` headers (the crate's formula; it doesn't tell).
fn idf(all: usize, with: usize) -> f32 {
    let (all, with) = (all as f32, with as f32);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}

/// The terms of a header, each once for a field.
fn terms(candidate: &Candidate) -> Vec<(String, Field)> {
    let mut terms = Vec::new();
    let mut add = |text: &str, field: Field| {
        for term in &Bag::of(text).terms {
            let term = (key(term), field);
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
    };
    add(candidate.name.as_deref().unwrap_or_default(), Field::Name);
    add(&candidate.path.stem(), Field::Name);
    add(candidate.description.as_deref().unwrap_or_default(), Field::Description);
    if candidate.kind != MemoryType::Missing {
        add(candidate.kind.as_str(), Field::Type);
    }
    terms
}

/// A term without blanks, which stand between terms. A name is the same however its words are put together.
fn key(term: &Term) -> String {
    if term.kind == Kind::Name {
        let word: String = term.key.chars().filter(|c| c.is_alphanumeric()).collect();
        return format!("`{word}");
    }
    term.key.replace(' ', "\u{a0}")
}
