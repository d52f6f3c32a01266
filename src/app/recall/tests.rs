//! Small tables of the list, of what answers a query in a header, and of queries made from a body.

use super::*;
use crate::app::testing::{now, store};
use crate::memory::path::RelPath;
use crate::prompt::recall::answer::Answer;
use crate::prompt::recall::{Ranker, candidates};

const FILES: &[(&str, &str)] = &[
    (
        "tests.md",
        "---\nname: tests\ndescription: Integration tests use a real database\ntype: feedback\n---\nx\n",
    ),
    (
        "slow.md",
        "---\nname: slow\ndescription: A database of the ledger is slow on Mondays in winter\ntype: project\n---\nx\n",
    ),
    ("tea.md", "---\nname: tea\ndescription: Tea in the afternoon\ntype: user\n---\nx\n"),
];

fn path(path: &str) -> RelPath {
    RelPath::new(path).unwrap()
}

/// A screen on which a query was answered.
fn asked(query: &str, options: &Options) -> Finder {
    let mut finder = Finder { query: query.into(), options: options.clone(), ..Finder::default() };
    finder.take(0, found(query, options));
    finder
}

fn found(query: &str, options: &Options) -> Arc<Found> {
    let candidates = Arc::new(candidates(&store(FILES), now()));
    let recall = Ranker::of(&candidates).ask(query, options);
    Arc::new(Found { recall, candidates, options: options.clone(), text: None })
}

fn shown(finder: &Finder) -> Vec<String> {
    let row = |at: usize| match &finder.rows[at] {
        Row::Head(group, count) => format!("{} {count}", group.title()),
        Row::Verdict(_) => format!("- {}", finder.verdict(at).unwrap().path),
        Row::Query(_) => format!("? {}", finder.query_in(at).unwrap()),
    };
    (0..finder.rows.len()).map(row).collect()
}

#[test]
fn the_pick_stands_first_and_what_is_no_match_is_folded() {
    let mut finder = asked("which database do integration tests use?", &Options::default());
    assert_eq!(
        shown(&finder),
        ["would be picked 1", "- tests.md", "matched, not picked 1", "- slow.md", "no match 1"]
    );
    assert_eq!((finder.cursor, finder.position()), (1, (1, 2)));
    finder.step(1);
    assert_eq!(finder.current().map(|it| it.path.clone()), Some(path("slow.md")));
    finder.is_unfolded = true;
    let keep = finder.current().map(|it| it.path.clone());
    finder.rebuild(keep.as_ref());
    assert_eq!(shown(&finder).last().map(String::as_str), Some("- tea.md"));
    assert_eq!(finder.current().map(|it| it.path.clone()), keep);
    finder.go(usize::MAX);
    assert_eq!(finder.current().map(|it| it.path.clone()), Some(path("tea.md")));
    finder.step(-2);
    assert_eq!(finder.current().map(|it| it.path.clone()), Some(path("tests.md")), "heads are passed over");
}

#[test]
fn what_filters_leave_out_stands_apart() {
    let shown_already = Options { shown: [path("tests.md")].into(), ..Options::default() };
    let finder = asked("which database do integration tests use?", &shown_already);
    let rows = shown(&finder);
    assert!(
        rows.contains(&"left out by filters 1".to_owned()) && !rows.contains(&"- tests.md".to_owned()),
        "{rows:?}"
    );
}

#[test]
fn a_models_pick_stands_beside_the_offline_one() {
    let mut finder = asked("which database do integration tests use?", &Options::default());
    let answer = Answer { files: vec![path("tea.md"), path("tests.md")], refused: Vec::new() };
    let (query, options) = (finder.query.clone(), finder.options.clone());
    finder.model = ByModel::Answered { query, options, answer };
    finder.rebuild(None);
    assert_eq!(
        shown(&finder)[..4],
        ["picked offline and by the model 1", "- tests.md", "picked by the model alone 1", "- tea.md"]
    );
    assert_eq!(finder.by_model(&path("tests.md")), Some(Some(2)));
    assert_eq!(finder.by_model(&path("slow.md")), Some(None));
    // An answer to another query says nothing about this one.
    finder.query.push('s');
    assert_eq!(finder.by_model(&path("tests.md")), None);
}

#[test]
fn the_cursor_stays_while_the_query_does() {
    let query = "which database do integration tests use?";
    let mut finder = asked(query, &Options::default());
    finder.step(1);
    finder.take(0, found(query, &Options::default()));
    assert_eq!(finder.current().map(|it| it.path.clone()), Some(path("slow.md")));
    finder.query = "tea in the afternoon".into();
    finder.take(0, found(&finder.query, &Options::default()));
    assert_eq!(finder.current().map(|it| it.path.clone()), Some(path("tea.md")), "the best of another query");
}

#[test]
fn queries_are_kept_once_and_offered_where_nothing_is_asked() {
    let mut finder = Finder::offering(&["one".into(), "two".into()]);
    assert_eq!(shown(&finder), ["ask one of these 2", "? two", "? one"]);
    finder.query = " one ".into();
    finder.keep();
    finder.query = "  ".into();
    finder.keep();
    finder.rebuild(None);
    assert_eq!(shown(&finder), ["ask one of these 2", "? one", "? two"]);
    for number in 0..200 {
        finder.query = number.to_string();
        finder.keep();
    }
    assert_eq!(finder.earlier.len(), MOST_KEPT);
}

#[test]
fn words_that_answer_a_query_are_found_whole() {
    let hits = |query: &str, text: &str| -> Vec<String> {
        Terms::of(query).hits(text).into_iter().map(|hit| text.get(hit).unwrap().to_owned()).collect()
    };
    assert_eq!(hits("which tests?", "Tests are fastest; a test is run"), ["Tests", "test"]);
    assert_eq!(
        hits("settleInCents", "settle_in_cents is kept"),
        ["settle", "cents"],
        "the parts of a name count"
    );
    assert_eq!(hits("", "anything"), Vec::<String>::new());
    assert_eq!(hits("tea", ""), Vec::<String>::new());
    let finder = asked("which database does the weather use?", &Options::default());
    let row =
        (0..finder.rows.len()).find(|row| finder.verdict(*row).is_some_and(|it| it.path == path("slow.md")));
    assert_eq!(lacking(&finder.query, finder.verdict(row.unwrap()).unwrap()), ["weather"]);
}

#[test]
fn queries_are_made_of_the_first_sentences() {
    let body = "# Heading of it\n\nIntegration tests connect to a **real** database. Nothing else.\n\n```sh\nmake never seen here\n```\n\n\
                **Why:** A mocked test passed while the migration failed!\n\nYes.\n";
    let made = suggested_queries(body);
    assert!(made.iter().any(|query| query.contains("Integration") && query.contains("database")), "{made:?}");
    assert!(
        made.iter().any(|query| query.contains("migration"))
            && made.iter().all(|it| !it.contains("never seen")),
        "{made:?}"
    );
    assert!(
        made.len() <= 4 && suggested_queries("").is_empty() && suggested_queries("```\n```\n").is_empty()
    );
    assert_eq!(suggested_queries("全角の文字は二つの列を取る。"), ["全角の文字は二つの列を取る。"]);
    let hostile = format!("{} \u{1b}[31m \u{202e} \0", "a b ".repeat(100_000));
    assert!(suggested_queries(&hostile).len() <= 4);
}

#[test]
fn places_in_words() {
    let words: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111].into_iter().map(place).collect();
    assert_eq!(words, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"]);
}
