//! Journeys of `memcurator check`: what it says in each format, what it fixes, what it leaves.

use crate::home::Home;
use serde_json::Value;
use std::fs;

/// What it reports as JSON, whatever its exit status.
fn report(home: &Home, args: &[&str]) -> Value {
    let done = home.run(&[args, &["--format", "json"]].concat());
    serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{done:?}"))
}

#[test]
fn it_says_what_is_wrong_and_writes_nothing() {
    let home = Home::demo();
    let before = home.tree();
    let done = home.run(&["check"]);
    assert_eq!(done.status, 1);
    assert!(
        done.out.starts_with("chargeback-webhook.md:3: error[frontmatter-invalid]: "),
        "worst first: {}",
        done.out
    );
    for part in ["fix (memcurator check --fix):", "    + description: \"Chargeback", " errors, "] {
        assert!(done.out.contains(part), "{part}: {}", done.out);
    }
    for format in ["json", "sarif", "github"] {
        assert_eq!(home.run(&["check", "--format", format]).status, 1, "{format}");
    }
    assert_eq!(home.tree(), before, "looking writes nothing and touches no time");
    assert_eq!(home.run(&["check", "--only", "index-over-lines"]).status, 0);
    assert_eq!(home.run(&["check", "--only", "link-unresolved"]).status, 0, "what is only worth knowing");
    assert_eq!(home.run(&["check", "--severity", "error", "--only", "index-dangling"]).status, 0);
    let unknown = home.run(&["check", "--only", "index-orfan"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("did you mean `index-orphan`?"), "{unknown:?}");
    let nowhere = home.run(&["check", "--project", "nowhere"]);
    assert_eq!(nowhere.status, 2, "{nowhere:?}");
}

#[test]
fn json_has_stable_names() {
    let home = Home::demo();
    let told = report(&home, &["check"]);
    assert_eq!(
        told.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["findings", "silenced", "project", "history"]
    );
    let findings = told["findings"].as_array().unwrap();
    let keys = ["check", "severity", "memory", "line", "message", "about", "evidence", "fix"];
    for finding in findings {
        assert_eq!(finding.as_object().unwrap().keys().collect::<Vec<_>>(), keys);
        for evidence in finding["evidence"].as_array().unwrap() {
            assert_eq!(
                evidence.as_object().unwrap().keys().collect::<Vec<_>>(),
                ["path", "line", "commit", "text"]
            );
        }
    }
    let first = &findings[0];
    assert_eq!((&first["memory"], &first["line"]), (&"chargeback-webhook.md".into(), &3.into()));
    assert_eq!((&first["fix"]["kind"], &first["fix"]["safe"]), (&"replace".into(), &true.into()));
    assert!(told["project"].as_str().unwrap().ends_with("src/payments"), "{}", told["project"]);
    let alone = report(&home, &["check", "--no-project"]);
    assert_eq!(alone["project"], Value::Null);
}

#[test]
fn sarif_holds_what_code_scanning_needs() {
    let home = Home::demo();
    let done = home.run(&["check", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(!results.is_empty());
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["region"]["startLine"].as_u64().unwrap() > 0);
        assert!(place["artifactLocation"]["uri"].as_str().unwrap().starts_with("file:///"), "{place}");
        assert!(result["partialFingerprints"]["memcurator/v1"].is_string());
    }
}

#[test]
fn annotations_are_one_line_each() {
    let home = Home::demo();
    let done = home.run(&["check", "--format", "github"]);
    let count = report(&home, &["check"])["findings"].as_array().unwrap().len();
    assert_eq!(done.out.lines().count(), count);
    for line in done.out.lines() {
        let rest =
            ["::error ", "::warning ", "::notice "].iter().find_map(|it| line.strip_prefix(it)).unwrap();
        assert!(rest.starts_with("file=") && rest.contains(",line=") && rest.contains(",title="), "{line}");
    }
    for command in [&["list", "--format", "sarif"][..], &["log", "--format", "github"]] {
        let refused = home.run(command);
        assert_eq!((refused.status, refused.out.as_str()), (2, ""), "{command:?}");
    }
}

#[test]
fn fixes_are_shown_asked_about_and_taken_back() {
    let home = Home::demo();
    let before = home.store_tree();
    // Nobody to ask: nothing is written.
    let refused = home.run(&["check", "--fix"]);
    assert_eq!(refused.status, 1, "{refused:?}");
    assert!(refused.out.contains("+ description: \"Chargeback webhook: the provider"), "{refused:?}");
    assert_eq!(home.store_tree(), before);
    let done = home.run(&["check", "--fix", "--yes"]);
    assert!(done.out.contains("fixed ") && done.out.contains("undo with: memcurator undo"), "{done:?}");
    assert_ne!(home.store_tree(), before);
    let left = report(&home, &["check", "--only", "frontmatter-invalid,frontmatter-lossy"]);
    assert_eq!(left["findings"].as_array().unwrap().len(), 0, "{left}");
    let again = home.run(&["check", "--fix", "--yes"]);
    assert!(again.out.contains("nothing that could be fixed"), "{again:?}");
    assert_eq!(home.run(&["undo"]).status, 0);
    assert_eq!(home.store_tree(), before, "one step, bytes and times as they were");
}

#[test]
fn what_is_silenced_is_counted_listed_and_taken_back() {
    let home = Home::demo();
    let before = home.store_tree();
    let ids = |home: &Home| -> Vec<String> {
        report(home, &["check"])["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["check"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = ids(&home);
    assert_eq!(home.run(&["check", "silence", "index-dangling"]).status, 0);
    assert_eq!(home.run(&["check", "silence", "hidden-text", "provider-quirk"]).status, 0);
    assert_eq!(home.run(&["check", "silence", "--all", "on-call-rota", "--until", "2099-01-01"]).status, 0);
    let left = ids(&home);
    assert!(all.contains(&"index-dangling".to_owned()) && !left.contains(&"index-dangling".to_owned()));
    assert!(!left.contains(&"hidden-text".to_owned()) && !left.contains(&"type-unknown".to_owned()));
    assert_eq!(report(&home, &["check"])["silenced"].as_u64().unwrap() as usize, all.len() - left.len());
    let human = home.run(&["check", "silenced"]);
    assert!(human.out.contains("2  hidden-text in provider-quirk.md"), "{human:?}");
    let listed = home.json(&["check", "silenced"]);
    assert_eq!(listed.as_array().unwrap().len(), 3);
    assert_eq!((&listed[0]["check"], &listed[0]["memory"]), (&"index-dangling".into(), &Value::Null));
    let wrong = home.run(&["check", "unsilence", "7"]);
    assert!(wrong.status == 2 && wrong.err.contains("no number 7"), "{wrong:?}");
    assert_eq!(home.run(&["check", "unsilence", "1", "2", "3"]).status, 0);
    assert_eq!(ids(&home), all);
    assert_eq!(home.store_tree(), before, "no memory was touched");
    for bad in [
        &["check", "silence", "index-dangling", "--until", "2001-01-01"][..],
        &["check", "silence", "nosuch"],
    ] {
        assert_eq!(home.run(bad).status, 2, "{bad:?}");
    }
    assert_eq!(home.run(&["check", "silence", "index-dangling", "--for-good"]).status, 0);
    assert!(!ids(&home).contains(&"index-dangling".to_owned()));
    let list = home.json(&["check", "silenced"]);
    assert_eq!((&list[0]["number"], &list[0]["scope"]), (&Value::Null, &"config".into()));
    // The same in `list`, which has the findings too.
    fs::write(home.store().join("MEMORY.md"), "- [x](nowhere.md)\n").unwrap();
    assert!(!home.run(&["index", "check"]).out.contains("index-dangling"));
}

/// One of two dead links in a memory is silenced by what it is about; the other is still reported.
#[test]
fn one_finding_is_silenced_and_its_sibling_stays() {
    let home = Home::demo();
    let text = "---\nname: two\ndescription: two dead links\ntype: user\n---\n\nSee [[nowhere]] and [[elsewhere]].\n";
    fs::write(home.store().join("two.md"), text).unwrap();
    let about = |home: &Home| -> Vec<String> {
        let told = report(home, &["check", "--only", "link-unresolved"]);
        let findings = told["findings"].as_array().unwrap().iter().filter(|it| it["memory"] == "two.md");
        findings.map(|it| it["about"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(about(&home), ["nowhere", "elsewhere"].map(str::to_owned));
    let done = home.run(&["check", "silence", "link-unresolved", "two", "--about", "nowhere"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert_eq!(about(&home), ["elsewhere".to_owned()]);
}

/// The hint that named `index fix` alone could not be typed: it wants to know which repair.
#[test]
fn the_hint_of_a_finding_on_the_index_mends_it_as_it_is_typed() {
    let home = Home::empty();
    let store = home.path().join("a store");
    fs::create_dir(&store).unwrap();
    let memory = |name: &str| {
        format!("---\nname: {name}\ndescription: about {name}\ntype: user\n---\n\nThe {name}.\n")
    };
    for name in ["tea", "rota", "cents"] {
        fs::write(store.join(format!("{name}.md")), memory(name)).unwrap();
    }
    let index = "- [tea](tea.md) — green\n- [gone](gone.md) — away\n- [tea](tea.md) — again\n- [cents](cents.md) — whole\n";
    fs::write(store.join("MEMORY.md"), index).unwrap();
    let at = store.to_str().unwrap();
    let said = |check: &str| home.run(&["check", "--store", at, "--only", check]).out;
    for check in ["index-dangling", "index-orphan", "index-duplicate"] {
        let out = said(check);
        let hint = out
            .lines()
            .find_map(|line| line.trim().strip_prefix("fix: repair the index: memcurator "))
            .unwrap();
        let (flags, dir) = hint.split_once(" --store ").unwrap();
        assert_eq!(dir, format!("'{at}'"));
        let args: Vec<&str> = flags.split(' ').chain(["--store", at]).collect();
        let done = home.run(&args);
        assert_eq!(done.status, 0, "{check}: {done:?}");
        assert!(!said(check).contains(check), "{check}: {}", said(check));
    }
    fs::write(store.join("MEMORY.md"), "- [tea](tea.md) — green\n".repeat(201)).unwrap();
    let out = said("index-over-lines");
    assert!(out.contains("park") && out.contains("memcurator index fix --shorten --store"), "{out}");
}
