//! Labels as real bodies have them, in our own words.

use super::*;
use proptest::prelude::*;

/// The parts as text: kind, label, content.
fn read(body: &str) -> Vec<(PartKind, &str, &str)> {
    parts(body.as_bytes())
        .into_iter()
        .map(|p| (p.kind, body.get(p.label).unwrap(), body.get(p.content).unwrap()))
        .collect()
}

#[test]
fn the_usual_three() {
    let body = "Releases go out on Tuesdays.\n\n**Why:** The team is there.\n\n**How to apply:** Propose no other day.\n";
    assert_eq!(
        read(body),
        [
            (PartKind::Fact, "", "Releases go out on Tuesdays.\n\n"),
            (PartKind::Why, "**Why:**", " The team is there.\n\n"),
            (PartKind::How, "**How to apply:**", " Propose no other day.\n"),
        ]
    );
}

#[test]
fn labels_in_every_dress() {
    for (kind, label) in [
        (PartKind::Why, "**Why:**"),
        (PartKind::Why, "**Why**:"),
        (PartKind::Why, "**Why** —"),
        (PartKind::Why, "**Why :**"),
        (PartKind::Why, "__Why:__"),
        (PartKind::Why, "Why:"),
        (PartKind::Why, "why:"),
        (PartKind::Why, "- **Why:**"),
        (PartKind::Why, "2. **Why:**"),
        (PartKind::Why, "> **Why:**"),
        (PartKind::Why, "**Why (2026-03-02):**"),
        (PartKind::Why, "**Why 2026-03-02:**"),
        (PartKind::Why, "**Why this matters:**"),
        (PartKind::How, "**How to apply**:"),
        (PartKind::How, "How to apply:"),
        (PartKind::Why, "**이유:**"),
        (PartKind::How, "**적용 방법**:"),
        (PartKind::Why, "**理由：**"),
        (PartKind::Why, "理由："),
        (PartKind::How, "**如何应用：**"),
        (PartKind::How, "**適用方法:**"),
        (PartKind::Why, "**Por qué:**"),
        (PartKind::How, "**Cómo aplicar:**"),
        (PartKind::Why, "**Pourquoi :**"),
        (PartKind::How, "**Comment l'appliquer :**"),
        (PartKind::Why, "**Warum:**"),
        (PartKind::How, "**Anwendung:**"),
        (PartKind::Why, "**Por quê:**"),
        (PartKind::How, "**Como aplicar:**"),
    ] {
        let body = format!("Fact.\n{label} text\n");
        assert_eq!(read(&body), [(PartKind::Fact, "", "Fact.\n"), (kind, label, " text\n")], "{label}");
    }
}

#[test]
fn headings_label_too_and_keep_what_is_deeper() {
    for label in ["## Why", "## Why:", "### **Why**", "# Why it is so ##", "## 이유"] {
        let body = format!("Fact.\r\n{label}\r\ntext\r\n");
        assert_eq!(read(&body)[1], (PartKind::Why, label, "\r\ntext\r\n"));
    }
    let body = "Fact\n## Detail\nmore\n## Why\na\n### Deeper\nb\n## How to apply\nc\n## Sources\nd\n### More\n**Why:** e\n";
    assert_eq!(
        read(body),
        [
            (PartKind::Fact, "", "Fact\n## Detail\nmore\n"),
            (PartKind::Why, "## Why", "\na\n### Deeper\nb\n"),
            (PartKind::How, "## How to apply", "\nc\n"),
            (PartKind::Other, "", "## Sources\nd\n### More\n"),
            (PartKind::Why, "**Why:**", " e\n"),
        ]
    );
}

#[test]
fn a_plain_label_ends_at_any_heading() {
    let body = "**Why:** a\n\n### Log\nb\n";
    assert_eq!(read(body)[2], (PartKind::Other, "", "### Log\nb\n"));
}

#[test]
fn two_labels_in_one_line_and_several_whys() {
    let body = "**Why:** first. **How to apply:** always\n**Why:** second\n";
    assert_eq!(
        read(body)[1..],
        [
            (PartKind::Why, "**Why:**", " first. "),
            (PartKind::How, "**How to apply:**", " always\n"),
            (PartKind::Why, "**Why:**", " second\n"),
        ]
    );
}

#[test]
fn what_is_no_label() {
    for body in [
        "Why not? Because.\n",
        "He asked **why** it failed.\n",
        "**Why** the audit matters is said elsewhere.\n",
        "Write `a **Why:** b` in the template.\n",
        "```\n**Why:** in code\n```\nmore\n",
        "~~~ md\n## Why\n```\nWhy: x\n~~~~\n",
        "Whyever: x\n",
        "why:x\n",
        "Applications: many\n",
        "##Why\n",
        "Reasonable defaults: yes\n",
    ] {
        assert_eq!(read(body), [(PartKind::Fact, "", body)], "{body:?}");
    }
}

proptest! {
    #[test]
    fn parts_make_up_the_body(body in prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        prop::collection::vec(prop::sample::select(vec![
            "**Why:**", "**", "Why", ":", "\n", "\r", " ", "## ", "```", "text", "How to apply", "- ", "이유", "(", ")", "`",
        ]), 0..40).prop_map(|words| words.concat().into_bytes()),
    ]) {
        let parts = parts(&body);
        let mut at = 0;
        for part in &parts {
            prop_assert_eq!((part.label.start, part.label.end), (at, part.content.start));
            at = part.content.end;
        }
        prop_assert_eq!(at, body.len());
        prop_assert_eq!(parts[0].kind, PartKind::Fact);
    }
}
