//! Properties of byte-exact edits, over generated documents.

use memcurator::memory::body::PartKind;
use memcurator::memory::document::{Document, Reading};
use memcurator::memory::edit::{
    self, FieldSpan, PartRef, Place, Style, add_part, fields, part_text, part_texts, remove_field, set_field,
    set_part,
};
use proptest::prelude::*;

/// Entries of a frontmatter as real ones are written, and worse.
const ENTRIES: [&str; 33] = [
    "name: deploy-script\n",
    "name: Deploy with care # not a comment to a person\n",
    "name: \"Quoted \\\"name\\\"\" # a comment\n",
    "name: 'It''s quoted'\n",
    "name:\n",
    "description: Releases go out with the script\n",
    "description: Releases go out\n  with the script,\n\n  always\n",
    "description: >-\n  Releases go out\n  with the script\n",
    "description: |\n    One\n     two\n\n    three\n",
    "description: |+\n  kept\n\n\n",
    "description: \"two\n  lines\"\n",
    "description:   spaced   \n",
    "description: 2026-03-02\n",
    "description: true\n",
    "type: feedback\n",
    "type:\t'user'\n",
    "# a comment of its own\n",
    "\n",
    "tags: [a, \"b, c\"] # list\n",
    "tags:\n- a\n- b: c\n",
    "tags:\n  - a\n  # inside\n  - b\n",
    "confidence: 0.80\n",
    "expiresAt: 2027-01-01\n",
    "\"quoted key\": x\n",
    "source: see #12 first\n",
    "reason:\n  below the key\n",
    "empty: # nothing\n",
    "anchor: &a x\nalias: *a\n",
    // What YAML does not take.
    "application: only: here\n",
    "zeta: \"open\n",
    "eta: [open\n",
    "theta: `code`\n",
    "no key at all\n",
];
const METADATA: [&str; 4] = [
    "metadata: \n  node_type: memory\n  type: project\n  originSessionId: 6f0c1c3e-8f6e-4a55-9c0b-0d6c1f0a2b7d\n  modified: 2026-08-11T08:31:36.377Z\n",
    "metadata:\n    # inside\n    type: \"user\" # beside\n\n    reason: |\n      one\n      two\n",
    "metadata: {type: user, modified: 2026-01-01}\n",
    "metadata: \n",
];
const BODY: [&str; 14] = [
    "The fact.\n",
    "\n",
    "**Why:** because\n",
    "**Why (2026-03-02):** again\nand more\n",
    "**How to apply:** always. \n",
    "## Why\n",
    "## Sources\nsee [[other]]\n",
    "one **Why:** in a line\n",
    "```\n**Why:** code\n```\n",
    "---\n",
    "a --- b\n",
    "  trailing  ",
    "日本語 ✓\n",
    "```\nopen\n",
];
const WORDS: [&str; 38] = [
    "a",
    "word",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "\r\n",
    "\r",
    ": ",
    ":",
    " #",
    "#",
    "-",
    "--",
    "---",
    "- ",
    "'",
    "\"",
    "\\",
    "[",
    "]",
    "{",
    "}",
    "&",
    "*",
    "!",
    "|",
    ">",
    "%",
    "@",
    "`",
    "\u{0}",
    "\u{7f}",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "é見🦀",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(prop::sample::select(&WORDS[..]), 0..8).prop_map(|words| words.concat()),
        "\\PC{0,20}",
        any::<String>(),
        prop::sample::select(vec![
            "true",
            "no",
            "~",
            "12",
            "1e3",
            "0x1f",
            "1:30",
            "2026-01-01",
            ".inf",
            "",
            "null"
        ])
        .prop_map(str::to_owned),
    ]
}

fn line_ends(text: &str, how: u8, mix: u64) -> String {
    let mut bits = mix;
    text.split('\n')
        .enumerate()
        .map(|(at, line)| {
            bits = bits.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let end = match how {
                0 => "\n",
                1 => "\r\n",
                2 => "\r",
                _ => ["\n", "\r\n", "\r"][(bits >> 32) as usize % 3],
            };
            if at == 0 { line.to_owned() } else { format!("{end}{line}") }
        })
        .collect()
}

fn document() -> impl Strategy<Value = Vec<u8>> {
    let entries = prop::collection::vec(prop::sample::select(&ENTRIES[..]), 0..7);
    let sane = prop::collection::vec(prop::sample::select(&ENTRIES[..28]), 0..7);
    let metadata = prop::option::of(prop::sample::select(&METADATA[..]));
    let body = prop::collection::vec(prop::sample::select(&BODY[..]), 0..6);
    let head = prop_oneof![4 => sane, 1 => entries];
    (head, metadata, body, 0u8..8, any::<u64>(), any::<bool>(), prop::bool::weighted(0.1)).prop_map(
        |(head, metadata, body, form, mix, last, bom)| {
            let mut seen = Vec::new();
            let mut yaml = String::new();
            for entry in head {
                let key = entry.split(':').next().unwrap_or_default();
                if !seen.contains(&key) {
                    seen.push(key);
                    yaml.push_str(entry);
                }
            }
            let metadata = metadata.unwrap_or_default();
            let yaml = if last { format!("{yaml}{metadata}") } else { format!("{metadata}{yaml}") };
            let fenced = if form == 7 { String::new() } else { format!("---\n{yaml}---\n") };
            let text = line_ends(&format!("{fenced}{}", body.concat()), form % 4, mix);
            format!("{}{text}", if bom { "\u{feff}" } else { "" }).into_bytes()
        },
    )
}

fn others(bytes: &[u8], place: Place, key: &str) -> Vec<(Place, String, String)> {
    let kept = fields(bytes).into_iter().filter(|f| (f.place, f.key.as_str()) != (place, key));
    kept.filter(|f| f.key != "metadata").map(|f| (f.place, f.key, f.text)).collect()
}

fn read(bytes: &[u8], place: Place, key: &str) -> Option<String> {
    fields(bytes).into_iter().find(|f| f.place == place && f.key == key).map(|f| f.text)
}

fn body(bytes: &[u8]) -> &[u8] {
    &bytes[Document::parse(bytes).body]
}

fn yaml(bytes: &[u8]) -> Option<serde_yaml::Mapping> {
    let block = Document::parse(bytes).frontmatter?;
    serde_yaml::from_slice(&bytes[block.yaml]).ok()
}

/// A value that can hold any text in every document whose YAML is valid.
fn is_scalar(field: &FieldSpan) -> bool {
    !matches!(field.style, Style::Flow | Style::Nested | Style::Other)
}

fn shared_ends(before: &[u8], after: &[u8]) -> (usize, usize) {
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let most = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    (head, tail)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn a_field_takes_any_text_and_nothing_else_changes(before in document(), text in text(), pick in any::<prop::sample::Index>()) {
        let found = fields(&before);
        if found.is_empty() {
            return Ok(());
        }
        let field = pick.get(&found);
        let document = Document::parse(&before);
        match set_field(&before, field.place, &field.key, &text) {
            Ok(after) => {
                let new = read(&after, field.place, &field.key);
                prop_assert_eq!(new.as_deref(), Some(text.as_str()));
                prop_assert_eq!(others(&after, field.place, &field.key), others(&before, field.place, &field.key));
                prop_assert_eq!(body(&after), body(&before));
                let unchanged = before == after;
                prop_assert!(after.starts_with(&before[..field.value.start]) && after.ends_with(&before[field.value.end..]));
                if let (Some(old), Some(new)) = (yaml(&before), yaml(&after)) {
                    let keys = |map: &serde_yaml::Mapping| map.keys().cloned().collect::<Vec<_>>();
                    prop_assert_eq!(keys(&old), keys(&new));
                    for (key, value) in &old {
                        let touched = key == field.key.as_str() || key == "metadata";
                        prop_assert!(touched || new.get(key) == Some(value));
                    }
                }
                let block = matches!(field.style, Style::Literal | Style::Folded);
                let valid = Document::parse(&after).frontmatter.is_some_and(|b| b.reading == Reading::Yaml);
                if field.place == Place::Top && field.key == "description" && !unchanged && valid && !block {
                    let read = Document::parse(&after).header.description;
                    prop_assert_eq!(read.as_deref().map(str::trim), Some(text.trim()), "{:?}", String::from_utf8_lossy(&after));
                }
                // What was set can be set back, and reads as it did.
                let back = set_field(&after, field.place, &field.key, &field.text);
                if is_scalar(field) {
                    let back = read(&back.unwrap(), field.place, &field.key);
                    prop_assert_eq!(back.as_deref(), Some(field.text.as_str()));
                }
            }
            Err(_) => {
                let valid = document.frontmatter.is_some_and(|b| b.reading == Reading::Yaml);
                prop_assert!(!valid || !is_scalar(field), "refused {:?} in {:?}", text, String::from_utf8_lossy(&before));
            }
        }
    }

    #[test]
    fn a_missing_key_is_added(before in document(), text in text(), under in any::<bool>(), key in prop::sample::select(vec!["name", "type", "iota"])) {
        let place = if under { Place::Metadata } else { Place::Top };
        if read(&before, place, key).is_some() {
            return Ok(());
        }
        let document = Document::parse(&before);
        match set_field(&before, place, key, &text) {
            Ok(after) => {
                let new = read(&after, place, key);
                prop_assert_eq!(new.as_deref(), Some(text.as_str()));
                prop_assert_eq!(others(&after, place, key), others(&before, place, key));
                let (head, tail) = shared_ends(&before, &after);
                prop_assert_eq!(head + tail, before.len(), "only an insertion");
                prop_assert!(body(&after).ends_with(body(&before)));
                if document.frontmatter.is_some() {
                    prop_assert_eq!(remove_field(&after, place, key).map(|b| others(&b, place, key)), Ok(others(&before, place, key)));
                }
            }
            Err(_) => {
                let flow = fields(&before).iter().any(|f| f.key == "metadata" && f.style == Style::Flow);
                let valid = document.frontmatter.as_ref().is_some_and(|b| b.reading == Reading::Yaml);
                prop_assert!(!valid || (under && flow), "refused {:?} in {:?}", text, String::from_utf8_lossy(&before));
            }
        }
    }

    #[test]
    fn a_part_takes_any_text_and_nothing_else_changes(before in document(), text in text(), pick in any::<prop::sample::Index>()) {
        let old = part_texts(&before);
        let (which, _) = *pick.get(&old.iter().map(|(which, _)| (*which, ())).collect::<Vec<_>>());
        if let Ok(after) = set_part(&before, which, &text) {
            let mut expected = old;
            expected.iter_mut().filter(|(part, _)| *part == which).for_each(|(_, t)| *t = part_text(&text));
            prop_assert_eq!(part_texts(&after), expected);
            prop_assert_eq!(Document::parse(&after).header, Document::parse(&before).header);
            prop_assert_eq!(Document::parse(&after).frontmatter, Document::parse(&before).frontmatter);
            prop_assert_eq!(set_part(&after, which, &text), Ok(after), "setting it again changes nothing");
        } else {
            // A label within a line needs what stands before it there.
            let inline = before.windows(5).any(|w| w == b"one *");
            // Blanks alone are no text: a part may refuse to be emptied so.
            let harmless = !inline && !text.trim().is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == ' ');
            prop_assert!(!harmless || which.kind == PartKind::Other, "refused {:?} in {:?}", text, String::from_utf8_lossy(&before));
        }
    }

    #[test]
    fn a_missing_part_is_added(before in document(), text in text(), how in any::<bool>()) {
        let kind = if how { PartKind::How } else { PartKind::Why };
        let old = part_texts(&before);
        if let Ok(after) = add_part(&before, kind, &text) {
            let (head, tail) = shared_ends(&before, &after);
            prop_assert_eq!(head + tail, before.len(), "only an insertion");
            let mut new = part_texts(&after);
            let at = new.iter().position(|(part, _)| part.kind == kind).unwrap();
            prop_assert_eq!(new.remove(at), (PartRef { kind, number: 0 }, part_text(&text)));
            prop_assert_eq!(new, old);
        }
    }

    #[test]
    fn repairs_keep_every_text(before in document()) {
        let texts = |bytes: &[u8]| fields(bytes).into_iter().map(|f| (f.place, f.key, f.text)).collect::<Vec<_>>();
        if let Ok(after) = edit::repair_broken(&before) {
            prop_assert_eq!(texts(&after), texts(&before));
            prop_assert_eq!(body(&after), body(&before));
            prop_assert_eq!(Document::parse(&after).frontmatter.unwrap().reading, Reading::Yaml);
        }
        for (place, key) in edit::repairable(&before) {
            if let Ok(after) = edit::repair_field(&before, place, &key) {
                prop_assert_eq!(others(&after, place, &key), others(&before, place, &key));
                prop_assert_eq!(body(&after), body(&before));
                prop_assert!(!edit::repairable(&after).contains(&(place, key)));
            }
        }
    }
}
