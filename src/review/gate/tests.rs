//! What the gate says on stores by hand.

use super::*;
use crate::review::proposal::Origin;
use crate::review::proposal::intake::Intake;
use crate::review::rename::tests::store;

const NOW: &str = "2026-03-05T10:00:00Z";

fn shop(lines: usize) -> Snapshot {
    let cents = "---\nname: cents\ndescription: Money is kept as integer cents\ntype: user\n---\n\nMoney is kept as integer cents everywhere, never as floats.\n";
    let other =
        "---\nname: other\ndescription: other\ntype: user\n---\n\nAbout the holidays. See [[cents]].\n";
    let index = format!("- [cents](cents.md)\n- [other](other.md)\n{}", "- words\n".repeat(lines));
    store(&[("cents.md", cents), ("other.md", other), ("MEMORY.md", &index)])
}

fn gate(snapshot: &Snapshot, text: &str) -> Gate {
    let (now, settings) = (NOW.parse().unwrap(), Settings::default());
    let origin = Origin::default();
    let proposal = Intake::new(snapshot, &[], &origin, now).read(text).unwrap().remove(0);
    Scene::new(snapshot, &settings, None, now).gate(&proposal)
}

#[test]
fn a_good_one_passes() {
    let text = r#"{"type": "user", "name": "Tea", "description": "Which drink to offer", "body": "Prefers tea in the afternoon.", "why": "Coffee keeps awake.", "how": "Offer it."}"#;
    let gate = gate(&shop(0), text);
    assert!(gate.passes(), "{gate:?}");
    assert!(gate.verdict(Question::Complete).unwrap().says.contains("with Why and How to apply"));
    assert!(gate.verdict(Question::Index).unwrap().says.starts_with("index 3/200 lines"));
}

#[test]
fn what_a_memory_says_already_is_to_update_it() {
    let gate = gate(
        &shop(0),
        r#"{"type": "user", "body": "Money is kept as integer cents everywhere and never as floats."}"#,
    );
    assert_eq!(gate.mark, Mark::Nearly, "{gate:?}");
    let verdict = gate.verdict(Question::New).unwrap();
    assert_eq!(verdict.instead.as_ref().map(ToString::to_string).as_deref(), Some("cents.md"));
    assert_eq!(gate.nearest[0].path.to_str_lossy(), "cents.md");
}

#[test]
fn findings_speak_against_it() {
    for (content, question, mark) in [
        ("Only words, and no frontmatter.", Question::Complete, Mark::Nearly),
        ("---\\nname: x\\ndescription: y\\n---\\nText.", Question::Complete, Mark::Nearly),
        ("---\\nname: x: y\\ndescription: y\\ntype: user\\n---\\nText.", Question::Form, Mark::Fail),
        ("---\\nname: x\\ndescription: y\\ntype: user\\n---\\nText \\u001b[31m.", Question::Safe, Mark::Fail),
        ("---\\nname: other\\ndescription: y\\ntype: user\\n---\\nWords.", Question::New, Mark::Nearly),
    ] {
        let gate = gate(&shop(0), &format!(r#"{{"file": "x", "content": "{content}"}}"#));
        let found =
            gate.verdicts.iter().filter(|verdict| verdict.question == question).map(|one| one.mark).max();
        assert_eq!((found, gate.passes()), (Some(mark), false), "{content}: {gate:?}");
    }
}

#[test]
fn the_index_is_looked_at_as_it_would_be() {
    let one = r#"{"type": "user", "body": "Prefers tea in the afternoon."}"#;
    let says = |lines: usize| {
        let gate = gate(&shop(lines), one);
        let verdict = gate.verdict(Question::Index).unwrap();
        (verdict.mark, verdict.says.clone())
    };
    assert_eq!(says(197).0, Mark::Pass);
    let (mark, text) = says(198);
    assert_eq!(mark, Mark::Fail, "{text}");
    assert!(text.contains("over its limit"), "{text}");
    assert_eq!(says(300).0, Mark::Nearly);
}

#[test]
fn a_deletion_names_who_links_to_it() {
    let gate = gate(&shop(0), r#"{"action": "delete", "file": "cents"}"#);
    assert_eq!(gate.mark, Mark::Nearly);
    assert!(gate.verdicts[0].says.contains("other.md"), "{gate:?}");
    assert!(super::tests::gate(&shop(0), r#"{"action": "delete", "file": "other"}"#).passes());
}
