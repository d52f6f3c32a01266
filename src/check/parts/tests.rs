//! Parts that are missing.

use crate::check::tests::deep;

fn found(check: &str, header: &str, body: &str) -> Vec<String> {
    let text = format!("---\n{header}\n---\n{body}");
    deep(&text, check).iter().map(|one| format!("{}:{} {:?}", one.check.0, one.line, one.severity)).collect()
}

#[test]
fn why_and_how() {
    let of = |kind: &str| format!("name: a\ndescription: Short answers please\ntype: {kind}");
    for (kind, body, why, how) in [
        ("feedback", "Short answers.\n", &["why-missing:6 Warning"][..], &["how-missing:6 Info"][..]),
        ("project", "Two approvals.\n", &["why-missing:6 Info"], &[]),
        ("user", "Ten years of Go.\n", &[], &[]),
        ("reference", "The board is called INGEST.\n", &[], &[]),
        ("feedback", "Short.\n\n**Why:** he reads on a phone.\n\n**How to apply:** always.\n", &[], &[]),
        ("feedback", "Short.\n\n**Why:**\n\n**How to apply:** always.\n", &["why-missing:8 Warning"], &[]),
        ("feedback", "Short, because he reads on a phone.\n", &[], &["how-missing:6 Info"]),
        ("feedback", "Kurz.\n\n**Warum:** er liest am Telefon.\n\n**Anwendung:** immer.\n", &[], &[]),
        ("feedback", "短く。\n\n**理由:** 電話で読む。\n\n**適用方法:** 常に。\n", &[], &[]),
        ("feedback", "간단히.\n\n**이유:** 전화로 읽는다.\n\n**적용 방법:** 항상.\n", &[], &[]),
        ("feedback", "## Why\n\n### More\nx\n\n## How to apply\ny\n", &[], &[]),
    ] {
        assert_eq!(found("why-missing", &of(kind), body), why, "{kind} {body}");
        assert_eq!(found("how-missing", &of(kind), body), how, "{kind} {body}");
    }
}

#[test]
fn a_why_and_a_how_may_stand_in_the_frontmatter() {
    let of = |keys: &str| format!("name: a\ndescription: Short answers please\ntype: feedback\n{keys}");
    for (keys, why, how) in [
        ("reason: he reads on a phone\napplication: always", false, false),
        ("metadata:\n  reason: he reads on a phone", false, true),
        ("Reason: it broke", false, true),
        ("reason:\napplication: \"\"", true, true),
    ] {
        assert_eq!(!found("why-missing", &of(keys), "Short.\n").is_empty(), why, "{keys}");
        assert_eq!(!found("how-missing", &of(keys), "Short.\n").is_empty(), how, "{keys}");
    }
}
