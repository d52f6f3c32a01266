//! Seven histories of a store: what the inbox lists for each is what a person would say has changed; accepting it all
//! leaves nothing, restoring it all brings every file back.

use crate::inbox_kit::{Shop, line, memory, name, now};
use memcurator::check::project::Text;
use memcurator::review::changes::{Changes, Elsewhere};
use memcurator::store::Start;
use std::fs;

const MEMORIES: usize = 24;

/// Does something to a store behind the person's back, and looks at what is listed; then both ways out.
fn history(happens: impl Fn(&Shop), expected: &[String]) {
    let shop = Shop::new(MEMORIES);
    let before = shop.files();
    happens(&shop);
    assert_eq!(shop.listed(), expected);
    let after = shop.files();
    let all: Vec<usize> = (0..expected.len()).collect();
    let store = shop.open();
    store.review(&shop.changes().accept(&all).unwrap(), now()).unwrap();
    assert!(shop.listed().is_empty(), "{:?}", shop.listed());
    assert_eq!(shop.files(), after, "accepting changes nothing in the store");
    store.undo(now()).unwrap().unwrap();
    assert_eq!(shop.listed(), expected, "a decision can be undone");
    let plan = shop
        .changes()
        .restore(&all, &shop.snapshot(), &|path, content| store.time_of(path, content))
        .unwrap();
    store.apply(&plan, now()).unwrap();
    assert_eq!(shop.files(), before);
    assert!(shop.listed().is_empty(), "{:?}", shop.listed());
    store.undo(now()).unwrap().unwrap();
    assert_eq!((shop.files(), shop.listed()), (after, expected.to_vec()));
}

fn sorted(lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = lines.into_iter().collect();
    all.sort();
    all
}

#[test]
fn many_small_edits() {
    let touched = (0..MEMORIES).step_by(2);
    history(
        |shop| {
            for i in (0..MEMORIES).step_by(2) {
                shop.edit(&format!("{}.md", name(i)), "**Why:** In", "**Why:** Of late, in");
            }
            shop.edit("MEMORY.md", "— ledger 1\n", "— the ledger and when it closes\n");
            shop.edit("ledger-01.md", "ledger of alpha", "the ledger of alpha");
        },
        &sorted(touched.map(|i| format!("changed {}.md", name(i))).chain(["changed ledger-01.md".into()])),
    );
}

#[test]
fn a_rewrite_of_all() {
    history(
        |shop| {
            let mut index = String::from("# Memories\n\n");
            for i in 0..MEMORIES {
                let text = memory(i)
                    .replace("type: project\n", "metadata:\n  type: project\n")
                    .replace("**Why:**", "Why:");
                shop.write(&format!("{}.md", name(i)), &text);
                index.push_str(&line(i).replace("- [", "* ["));
            }
            shop.write("MEMORY.md", &index);
        },
        &sorted((0..MEMORIES).map(|i| format!("changed {}.md", name(i))).chain(["index, 2 lines".into()])),
    );
}

#[test]
fn a_rename_of_half() {
    history(
        |shop| {
            for i in 0..MEMORIES / 2 {
                let (old, new) =
                    (format!("{}.md", name(i)), format!("project_{}.md", name(i).replace('-', "_")));
                fs::rename(shop.dir.join(&old), shop.dir.join(&new)).unwrap();
                shop.edit("MEMORY.md", &format!("({old})"), &format!("({new})"));
                if i % 3 == 0 {
                    shop.edit(&new, "name: ", "name: the ");
                    shop.edit(&new, "How to apply:** When", "How to apply:** Only when");
                }
            }
        },
        &sorted(
            (0..MEMORIES / 2)
                .map(|i| format!("{}.md is project_{}.md now", name(i), name(i).replace('-', "_"))),
        ),
    );
}

#[test]
fn mass_deletion_by_an_agent() {
    history(
        |shop| (0..MEMORIES).filter(|i| i % 4 != 0).for_each(|i| shop.remove(i)),
        &sorted((0..MEMORIES).filter(|i| i % 4 != 0).map(|i| format!("deleted {}.md", name(i)))),
    );
}

#[test]
fn a_merge_of_six_into_three() {
    let into = |i: usize| i - 3;
    history(
        |shop| {
            for i in 3..6 {
                let body = memory(i).rsplit("---\n").next().unwrap().to_owned();
                shop.remove(i);
                let kept = format!("{}.md", name(into(i)));
                let text =
                    format!("{}\n{}", shop.read(&kept), body.trim_start().replace("**Why:**", "Also:"));
                shop.write(&kept, &text);
            }
        },
        &sorted((3..6).flat_map(|i| {
            let kept = name(into(i));
            [format!("changed {kept}.md"), format!("{}.md went into {kept}.md", name(i))]
        })),
    );
}

#[test]
fn a_promotion_to_rules() {
    let shop = Shop::new(MEMORIES);
    let rule = memory(2).rsplit("---\n").next().unwrap().to_owned();
    shop.remove(2);
    let store = shop.open();
    let snapshot = shop.snapshot();
    let text = Text { path: "rules/invoices.md".into(), text: format!("# Invoices\n{rule}") };
    let changes = Changes::of(store.unreviewed(&snapshot).unwrap().unwrap(), &snapshot, &[text]);
    assert_eq!(changes.list.len(), 1);
    assert_eq!(changes.list[0].moved_to, Some(Elsewhere::Instructions("rules/invoices.md".into())));
    assert_eq!(changes.list[0].lines.len(), 1, "its line went with it");
    history(|shop| shop.remove(2), &["deleted invoices-02.md".into()]);
}

#[test]
fn a_restore_from_backup() {
    let shop = Shop::new(MEMORIES);
    let backup = shop.files();
    // Work that was reviewed since the backup: one changed, one new, one gone.
    shop.edit("alerts-07.md", "**Why:** In", "**Why:** Since May, in");
    shop.write("extra.md", "---\nname: extra\ndescription: more\ntype: user\n---\n\nSomething else entirely, in its own words.\n");
    shop.edit("MEMORY.md", &line(0), &format!("{}- [extra](extra.md) — more\n", line(0)));
    shop.remove(5);
    let store = shop.open();
    store.start_review(Start::AsItIs, now()).unwrap();
    // The backup comes back over it, and does not remove what it does not know.
    for (name, text) in &backup {
        shop.write(name, text);
    }
    assert_eq!(shop.listed(), ["added holidays-05.md", "changed alerts-07.md", "index, 1 lines"]);
    fs::remove_file(shop.dir.join("extra.md")).unwrap();
    assert_eq!(shop.listed(), ["added holidays-05.md", "changed alerts-07.md", "deleted extra.md"]);
    let plan = shop.changes().restore(&[0], &shop.snapshot(), &|_, _| None).unwrap();
    store.apply(&plan, now()).unwrap();
    assert!(shop.read("MEMORY.md").contains("(extra.md)") && shop.dir.join("extra.md").exists());
    assert_eq!(shop.listed(), ["added holidays-05.md", "changed alerts-07.md"]);
}
