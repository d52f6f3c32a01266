//! What is read as a proposal, and what is given to `propose`.

use super::intake::Intake;
use super::*;
use crate::memory::snapshot::Snapshot;
use crate::review::plan::Refusal;
use crate::review::rename::tests::store;

const NOW: &str = "2026-03-05T10:00:00Z";
const HASH: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn fault(json: &str, bytes: Option<&str>) -> String {
    match read("x", Some(json.as_bytes()), bytes.map(str::as_bytes)) {
        Waiting::Faulty(faulty) => faulty.fault,
        Waiting::Proposal(proposal) => panic!("{proposal:?}"),
    }
}

fn propose(snapshot: &Snapshot, text: &str) -> Result<Vec<Proposal>, Refusal> {
    let origin = Origin { kind: "propose".into(), ..Origin::default() };
    Intake::new(snapshot, &[], &origin, NOW.parse().unwrap()).read(text)
}

fn shop() -> Snapshot {
    let a = "---\nname: a\ndescription: first\ntype: user\n---\n\nThe fact.\n\n**Why:** It is so.\n";
    store(&[("a.md", a), ("MEMORY.md", "- [a](a.md) — first\n")])
}

#[test]
fn hashes_are_those_of_sha256sum() {
    assert_eq!(sha256(b""), HASH);
}

#[test]
fn a_proposal_survives_its_files() {
    let proposal = Proposal {
        id: "x".into(),
        action: Action::Change,
        target: RelPath::new("sub/이유.md").unwrap(),
        base: Some(HASH.into()),
        origin: Origin {
            kind: "hook".into(),
            session: Some("s".into()),
            branch: Some("b".into()),
            by: Some("c".into()),
        },
        time: Some(NOW.parse().unwrap()),
        reason: Some("so".into()),
        index_line: Some("- [x](sub/x.md)".into()),
        bytes: Some(b"any \xff bytes\r\n".as_slice().into()),
        alone: false,
        notes: Vec::new(),
    };
    let json = serde_json::to_vec(&proposal.to_json()).unwrap();
    assert_eq!(read("x", Some(&json), proposal.bytes.as_deref()), Waiting::Proposal(Box::new(proposal)));
}

#[test]
fn faults_are_named() {
    let whole = |key: &str, value: &str| {
        let mut keys = serde_json::json!({ "version": 1, "action": "add", "target": "a.md" });
        keys[key] = serde_json::from_str(value).unwrap();
        keys.to_string()
    };
    for (json, part) in [
        ("{".to_owned(), "damaged"),
        ("[]".to_owned(), "no object"),
        ("{}".to_owned(), "`version` is missing"),
        (whole("version", "2"), "newer memcurator"),
        (whole("version", "\"1\""), "`version`: wanted 1"),
        (whole("action", "\"purge\""), "`action`: wanted add, change or delete"),
        (whole("target", "\"../a.md\""), "`target`: `../a.md` is no path inside the store"),
        (whole("target", "\"/etc/a.md\""), "no path inside"),
        (whole("target", "\"a/../../b.md\""), "no path inside"),
        // Its changes can be proposed, its deletion never.
        (r#"{"version": 1, "action": "delete", "target": "MEMORY.md"}"#.to_owned(), "is the index"),
        (whole("target", "\"memory.md\""), "is the index"),
        (whole("target", "\".git/x.md\""), "hidden"),
        (whole("target", "\"a\\u0000.md\""), "not printable"),
        (whole("target", "\"a.py\""), "no Markdown"),
        (whole("target", "7"), "`target`: wanted a text, found 7"),
        (whole("base", "\"abc\""), "`base`: wanted a SHA-256"),
        (whole("time", "\"soon\""), "`time`"),
        (whole("origin", "\"me\""), "`origin`"),
        (whole("index_line", "\"a\\nb\""), "`index_line`: wanted one line"),
        (whole("action", "\"change\""), "`base` is missing"),
        (whole("action", "\"delete\""), "`base` is missing"),
    ] {
        let fault = fault(&json, Some("text"));
        assert!(fault.contains(part), "{json}: {fault}");
        assert!(!fault.contains('\0'));
    }
    assert!(fault(&whole("version", "1"), None).contains("no .md"));
    assert!(fault(&whole("version", "1"), Some(" \n")).contains("empty"));
    assert!(fault(&whole("version", "1"), Some(&"x".repeat(MAX_BYTES + 1))).contains("more than"));
    let Waiting::Faulty(alone) = read("x", None, Some(b"by hand")) else { panic!() };
    assert!(alone.fault.contains("no .json") && alone.bytes.is_some());
    let Waiting::Proposal(odd) = read("x", Some(whole("colour", "1").as_bytes()), Some(b"text")) else {
        panic!()
    };
    assert_eq!(odd.notes, ["`colour` is not known and does nothing"]);
}

#[test]
fn one_or_many_as_json_or_markdown() {
    let shop = shop();
    let one = r#"{"type": "feedback", "body": "Commit small changes.", "why": "Reviews."}"#;
    let two = r#"{"type": "user", "body": "Prefers tea."}"#;
    for text in [format!("[{one}, {two}]"), format!("{one}\n{two}\n"), format!(" {one}{two}")] {
        let made = propose(&shop, &text).unwrap();
        let paths: Vec<String> = made.iter().map(|one| one.target.to_string()).collect();
        assert_eq!(paths, ["commit-small-changes.md", "prefers-tea.md"]);
        let text = String::from_utf8(made[0].bytes.as_ref().unwrap().to_vec()).unwrap();
        assert!(text.contains("type: feedback\n") && text.ends_with("**Why:** Reviews.\n"), "{text}");
    }
    let memory = "---\nname: Green tea\ntype: user\n---\n\nPrefers it.\n";
    let made = propose(&shop, &format!("{memory}{memory}")).unwrap();
    assert_eq!(made[0].bytes.as_deref(), Some(memory.as_bytes()), "exact bytes");
    assert_eq!(
        (made[0].target.to_string(), made[1].target.to_string()),
        ("green-tea.md".into(), "green-tea-2.md".into())
    );
    let made = propose(&shop, r#"{"content": "plain", "file": "sub/x"}"#).unwrap();
    assert_eq!(made[0].target.to_string(), "sub/x.md");
}

#[test]
fn changes_and_deletions_are_made_on_the_version_there_is() {
    let shop = shop();
    let base = sha256(&shop.memories[0].bytes);
    let text = r#"[{"action": "change", "file": "a", "description": "second: now", "how": "Always.", "reason": "r"},
                   {"action": "delete", "file": "a.md", "reason": "gone"}]"#;
    let made = propose(&shop, text).unwrap();
    assert_eq!((made[0].base.as_ref(), made[1].base.as_ref()), (Some(&base), Some(&base)));
    let text = String::from_utf8(made[0].bytes.as_ref().unwrap().to_vec()).unwrap();
    assert!(
        text.contains("description: \"second: now\"\n") && text.ends_with("**How to apply:** Always.\n"),
        "{text}"
    );
    assert_eq!((made[1].bytes.as_ref(), made[1].reason.as_deref()), (None, Some("gone")));
}

#[test]
fn bad_input_names_the_proposal_and_the_field() {
    let shop = shop();
    for (text, part) in [
        ("", "nothing was given"),
        ("[]", "no proposal"),
        ("[1]", "proposal 1 is no object"),
        ("{\"body\": ", "no JSON"),
        ("words without a name", "`file` is missing"),
        (r#"{"body": "x"}"#, "the proposal: `type` is missing"),
        (
            r#"{"body": "x", "type": "log"}"#,
            "`type`: wanted user, feedback, project or reference, found `log`",
        ),
        (r#"{"type": "user"}"#, "`body` is missing"),
        (r#"{"type": "user", "boddy": "x"}"#, "`boddy` is no field of a proposal: `body`?"),
        (r#"{"type": "user", "body": "x", "action": "remove"}"#, "`action`: wanted add"),
        (r#"{"type": "user", "body": "x", "file": "../x"}"#, "`file`: `../x.md` is no path inside"),
        (r#"{"type": "user", "body": "x", "file": "A"}"#, "is taken by a.md"),
        (r#"{"type": "user", "body": "x", "base": "00"}"#, "`base`"),
        (r#"{"type": "user", "body": "x", "origin": "me"}"#, "`origin`"),
        (r#"{"type": "user", "body": "x", "time": "soon"}"#, "`time`"),
        (r#"{"content": "x", "file": "x", "why": "y"}"#, "`why`: `content` is the whole file"),
        (r#"{"content": " ", "file": "x"}"#, "`content` is empty"),
        (r#"{"action": "change", "file": "b", "why": "x"}"#, "there is no memory `b.md`"),
        (r#"{"action": "change", "file": "a"}"#, "changes nothing"),
        (r#"{"action": "delete"}"#, "`file` is missing"),
        (
            r#"[{"type": "user", "body": "x"}, {"type": "user", "body": 7}]"#,
            "proposal 2 of 2: `body`: wanted a text, found 7",
        ),
    ] {
        let refusal = propose(&shop, text).unwrap_err();
        assert!(refusal.what.contains(part), "{text}: {}", refusal.what);
        assert!(refusal.what.ends_with("nothing was stored"), "{}", refusal.what);
    }
}

#[test]
fn the_same_thing_said_again_is_known() {
    let shop = shop();
    let key = |text: &str| propose(&shop, text).unwrap()[0].key();
    let one = key(r#"{"type": "user", "body": "Prefers  tea.", "file": "x", "reason": "a"}"#);
    assert_eq!(one, key(r#"{"type": "user", "body": "prefers tea.", "file": "y"}"#));
    assert_ne!(one, key(r#"{"type": "user", "body": "Prefers coffee."}"#));
    let change = |text: &str| key(&format!(r#"{{"action": "change", "file": "a", "why": "{text}"}}"#));
    assert_eq!(change("New."), change("new."));
    assert_ne!(change("New."), change("Newer."));
}
