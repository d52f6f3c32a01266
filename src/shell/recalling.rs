//! The worker of the Recall screen: ranks the memories for a query, and one memory for several. The headers of a store are
//! prepared once; only the latest question is answered.

use crate::app::action::{Effect, Outcome};
use crate::app::contents::Contents;
use crate::app::model::Problem;
use crate::app::recall::{self, Asked, Found, Standing, Text, TextLine, Tried, TryAsked, View};
use crate::check::secrets;
use crate::check::vague::suggest;
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::memory::text::{one_line, visible};
use crate::prompt::picture::Wording;
use crate::prompt::recall::injection::injection;
use crate::prompt::recall::prompt::prompt;
use crate::prompt::recall::{Candidate, Options, Rank, Ranker, candidates};
use crate::prompt::subject::Usual;
use crate::prompt::wording::Voice;
use crate::shell::Clock;
use crate::shell::proving::Installed;
use crate::shell::worker::{Report, guarded, tell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};

/// The worker.
pub(super) struct RecallWorker {
    /// The installed client, whose words the age notes are.
    pub(super) installed: Installed,
    /// How sessions are started on this machine.
    pub(super) usual: Usual,
    /// Where the time comes from.
    pub(super) clock: Clock,
    /// The number of the latest query.
    pub(super) latest: Arc<AtomicU64>,
    /// The number of the latest description that was tried.
    pub(super) latest_tried: Arc<AtomicU64>,
    /// Where outcomes go.
    pub(super) reports: Sender<Report>,
}

/// The headers of a store, prepared.
struct Prepared {
    contents: Arc<Contents>,
    candidates: Arc<Vec<Candidate>>,
    ranker: Ranker,
    /// Where a memory stands as it is: that stays while its description is typed.
    standing: Option<Before>,
}

/// Where a memory stands for queries as it is.
struct Before {
    path: RelPath,
    own: Vec<String>,
    options: Options,
    /// The queries, each with whether the person asked it.
    queries: Vec<(String, bool)>,
    ranks: Vec<Option<Rank>>,
    /// A description of the body's own words that does better.
    suggestion: Option<String>,
}

impl Prepared {
    fn of(contents: &Arc<Contents>, now: Time) -> Self {
        let candidates = Arc::new(candidates(&contents.snapshot, now));
        let ranker = Ranker::of(&candidates);
        Self { contents: contents.clone(), candidates, ranker, standing: None }
    }

    /// Whether the headers are those of these contents: the same store with other findings is.
    fn is_of(&self, contents: &Arc<Contents>) -> bool {
        if Arc::ptr_eq(&self.contents, contents) {
            return true;
        }
        let (old, new) = (&self.contents.snapshot, &contents.snapshot);
        old.root == new.root
            && old.memories.len() == new.memories.len()
            && old.memories.iter().zip(&new.memories).all(|(one, other)| Arc::ptr_eq(one, other))
            && old.unreadable.len() == new.unreadable.len()
            && old
                .unreadable
                .iter()
                .zip(&new.unreadable)
                .all(|(one, other)| (&one.path, &one.why) == (&other.path, &other.why))
    }
}

impl RecallWorker {
    /// Works until the program leaves. Every question is answered to its end, so that the shell knows when all is done;
    /// `update` drops the answer to one that is not the latest.
    pub(super) fn run(self, jobs: &Receiver<Effect>) {
        let mut prepared: Option<Prepared> = None;
        while let Ok(job) = jobs.recv() {
            let outcome = match job {
                Effect::Recall(asked) => {
                    let is_stale = self.latest.load(Ordering::SeqCst) != asked.number;
                    let found = match is_stale {
                        true => Err(stale()),
                        false => guarded(|| self.find(&asked, self.prepared(&mut prepared, &asked.contents))),
                    };
                    Outcome::Recalled(asked.number, found.map(Arc::new))
                }
                Effect::Try(asked) => {
                    let is_stale = self.latest_tried.load(Ordering::SeqCst) != asked.number;
                    let tried = match is_stale {
                        true => Err(stale()),
                        false => guarded(|| tried(&asked, self.prepared(&mut prepared, &asked.contents))),
                    };
                    if tried.is_err() {
                        // The description may stand there still that was tried.
                        prepared = None;
                    }
                    Outcome::Tried(asked.number, tried)
                }
                _ => continue,
            };
            tell(&self.reports, outcome, true);
        }
    }

    fn prepared<'a>(&self, kept: &'a mut Option<Prepared>, contents: &Arc<Contents>) -> &'a mut Prepared {
        if kept.as_ref().is_some_and(|kept| !kept.is_of(contents)) {
            *kept = None;
        }
        kept.get_or_insert_with(|| Prepared::of(contents, self.clock.now()))
    }

    fn find(&self, asked: &Asked, prepared: &Prepared) -> Found {
        let recall = prepared.ranker.ask(&asked.query, &asked.options);
        let text = match asked.view {
            View::Why => None,
            View::Prompt => {
                let mask = |text: &str| secrets::mask(text).into_owned();
                let raw = prompt(&asked.query, &prepared.candidates, &asked.options, &mask);
                let lines =
                    raw.lines().map(|line| TextLine::Said(visible(line, false).into_owned())).collect();
                let head = "what a model would be given: our own words, and the headers alone".into();
                Some(Text { view: asked.view, head, raw, lines })
            }
            View::Injected => {
                let offline = || recall.picked().map(|verdict| verdict.path.clone()).collect();
                let files: Vec<RelPath> = asked.chosen.clone().unwrap_or_else(offline);
                Some(self.injected(&asked.contents, &files, asked.chosen.is_some()))
            }
        };
        let (candidates, options) = (prepared.candidates.clone(), asked.options.clone());
        Found { recall, candidates, options, text }
    }

    fn injected(&self, contents: &Contents, files: &[RelPath], by_model: bool) -> Text {
        let now = self.clock.now();
        let (usual, _) = self.installed.usual(&self.usual, now);
        let request = usual.request(&[], now);
        let voice = Voice::new(&request.launch.rules, request.said.words.as_deref(), &request.said.date);
        let injected = injection(files, &contents.snapshot, now, &voice);
        let (mut raw, mut lines) = (String::new(), Vec::new());
        for file in &injected.files {
            if !raw.is_empty() {
                raw.push_str("\n\n");
            }
            raw.push_str(&file.text);
            lines.push(TextLine::Head(one_line(&file.path.to_str_lossy())));
            let masked = secrets::mask(&file.text);
            let shown = masked.lines().map(|line| visible(&line.replace('\t', "    "), false).into_owned());
            lines.extend(shown.map(TextLine::Said));
            lines.push(TextLine::Said(String::new()));
        }
        let whose = match injected.wording {
            Wording::Learned => "age notes in the client's words",
            Wording::BuiltIn => "age notes in our own words",
        };
        let by = if by_model { "the model's pick" } else { "the offline pick" };
        Text { view: View::Injected, head: format!("{by}; {whose}"), raw, lines }
    }
}

/// Where the memory stands with the description that the store holds, and with another.
fn tried(asked: &TryAsked, prepared: &mut Prepared) -> Tried {
    let is_known = prepared
        .standing
        .as_ref()
        .is_some_and(|it| (&it.path, &it.own, &it.options) == (&asked.path, &asked.queries, &asked.options));
    if !is_known {
        prepared.standing = Some(before(asked, prepared));
    }
    let Some(before) = &prepared.standing else { return Tried::default() };
    let ranker = &mut prepared.ranker;
    let held = ranker.candidates().iter().find(|one| one.path == asked.path);
    let held = held.and_then(|one| one.description.clone()).unwrap_or_default();
    ranker.describe(&asked.path, &asked.description);
    let after = ranks(ranker, &before.queries, asked);
    ranker.describe(&asked.path, &held);
    let standings = before
        .queries
        .iter()
        .zip(before.ranks.iter().zip(after))
        .map(|((query, is_own), (before, after))| Standing {
            query: query.clone(),
            is_own: *is_own,
            before: *before,
            after,
        })
        .collect();
    Tried { standings, suggestion: before.suggestion.clone() }
}

/// The queries, where the memory stands for them as it is, and a description with which it stands better.
fn before(asked: &TryAsked, prepared: &mut Prepared) -> Before {
    let contents = prepared.contents.clone();
    let memory = contents.snapshot.memories.iter().find(|memory| memory.path == asked.path);
    let made = memory.map(|memory| recall::suggested_queries(&memory.body())).unwrap_or_default();
    let own = asked.queries.iter().map(|query| (query.clone(), true));
    let made = made.into_iter().filter(|query| !asked.queries.contains(query)).map(|query| (query, false));
    let queries: Vec<(String, bool)> = own.chain(made).collect();
    let ranks = ranks(&prepared.ranker, &queries, asked);
    let proposed = memory.and_then(|memory| suggest(&memory.body()));
    let suggestion = proposed.filter(|proposed| is_better(proposed, &queries, &ranks, asked, prepared));
    let (path, own, options) = (asked.path.clone(), asked.queries.clone(), asked.options.clone());
    Before { path, own, options, queries, ranks, suggestion }
}

/// Whether more of the queries would pick the memory with another description.
fn is_better(
    description: &str,
    queries: &[(String, bool)],
    before: &[Option<Rank>],
    asked: &TryAsked,
    prepared: &mut Prepared,
) -> bool {
    let picked = |ranks: &[Option<Rank>]| ranks.iter().flatten().filter(|rank| rank.is_picked).count();
    let ranker = &mut prepared.ranker;
    let held = ranker.candidates().iter().find(|one| one.path == asked.path);
    let held = held.and_then(|one| one.description.clone()).unwrap_or_default();
    ranker.describe(&asked.path, description);
    let after = ranks(ranker, queries, asked);
    ranker.describe(&asked.path, &held);
    // Scores alone say little: its own words always answer themselves.
    picked(&after) > picked(before)
}

fn ranks(ranker: &Ranker, queries: &[(String, bool)], asked: &TryAsked) -> Vec<Option<Rank>> {
    queries.iter().map(|(query, _)| ranker.rank(query, &asked.path, &asked.options)).collect()
}

fn stale() -> Problem {
    Problem { what: "a later question came".into(), hint: String::new() }
}
