use super::*;
use crate::memory::edit::{fields, part_texts};
use proptest::prelude::*;

const FILES: [&str; 7] = [
    "---\nname: a\ndescription: \"b\"\nmetadata: \n  node_type: memory\n  type: feedback\n  reason: x\n---\n\nFact.\n\n**Why:** w\n\n**How to apply:** h\n",
    "---\r\nname: a # c\r\ntype: odd\r\nexpiresAt: 2027-01-01\r\n---\r\n\r\n## Why\r\n\r\nw\r\n\r\n**Why (2):** v\r\n",
    "---\nname: a: b: c\ndescription: [d\n---\nText\n",
    "---\nname: >-\n  folded\n  text\ndescription: |\n  one\n  two\n---\nFact",
    "no frontmatter\n",
    "",
    "---\nname: a\nname: twice\ntags:\n  - x\n---\n**Warum:** w\n\n## More\n\nm\n",
];

fn editor(file: &str) -> Editor {
    Editor::form(RelPath::new("a.md").unwrap(), "a".into(), file.as_bytes().into()).unwrap()
}

fn form(editor: &mut Editor) -> &mut Form {
    match &mut editor.view {
        View::Form(form) => form,
        View::Raw(_) => panic!("a form"),
    }
}

/// Types a text into a field in place of the one that is there.
fn fill(field: &mut Field, text: &str) {
    if let Input::Text(area) = &mut field.input {
        area.set(text);
    }
}

#[test]
fn what_is_not_touched_is_not_changed() {
    for file in FILES {
        let mut editor = editor(file);
        assert!(!editor.is_changed() && editor.kind().is_none() && editor.draft().is_none());
        assert_eq!(editor.bytes().unwrap(), file.as_bytes());
        editor.turn().unwrap();
        assert_eq!(editor.bytes().unwrap(), file.as_bytes());
        editor.turn().unwrap();
        assert!(!editor.is_changed(), "{file}");
    }
}

#[test]
fn every_part_and_key_has_a_field_and_the_usual_ones_can_be_added() {
    let labels = |file: &str| -> Vec<String> {
        form(&mut editor(file)).fields.iter().map(|field| field.what.label()).collect()
    };
    assert_eq!(
        labels(FILES[0]),
        ["name", "description", "type", "Fact", "Why", "How to apply", "node_type", "reason", "add a key"]
    );
    assert_eq!(
        labels(FILES[1]),
        ["name", "description", "type", "Fact", "Why", "Why 2", "How to apply", "expiresAt", "add a key"]
    );
    assert_eq!(form(&mut editor(FILES[6])).others, 1, "a list is left to the raw file");
}

#[test]
fn a_key_that_stands_twice_is_refused_and_the_raw_file_takes_the_rest() {
    let mut editor = editor(FILES[6]);
    let fields = &mut form(&mut editor).fields;
    fill(&mut fields[0], "new");
    fill(&mut fields[1], "said");
    let why = editor.bytes().unwrap_err();
    assert!(why.starts_with("name: ") && why.contains("twice"), "{why}");
    editor.open_raw();
    let bytes = String::from_utf8(editor.bytes().unwrap()).unwrap();
    assert!(bytes.contains("description: said") && bytes.contains("name: a\nname: twice"), "{bytes}");
    let View::Raw(area) = &editor.view else { panic!("raw") };
    assert_eq!(area.area().yank_text(), "new");
    assert!(editor.is_changed());
}

#[test]
fn a_date_that_is_none_is_refused_and_stays_typed() {
    let file = "---\nname: a\nexpires_at: 2027-01-01\nconfidence: high\nmetadata:\n  createdAt: 2026-01-01\n---\n\nFact.\n";
    for (label, bad, good) in [
        ("expires_at", "next week", "2027-02-01"),
        ("confidence", "rather", "0.4"),
        ("createdAt", "2026-02-31", "2026-02-28"),
    ] {
        let mut editor = editor(file);
        let place = form(&mut editor).fields.iter().position(|field| field.what.label() == label).unwrap();
        fill(&mut form(&mut editor).fields[place], bad);
        let why = editor.bytes().unwrap_err();
        assert!(why.starts_with(&format!("{label}: wanted ")), "{why}");
        assert_eq!(form(&mut editor).fields[place].text(), bad);
        fill(&mut form(&mut editor).fields[place], good);
        let saved = String::from_utf8(editor.bytes().unwrap()).unwrap();
        assert!(saved.contains(&format!("{label}: {good}\n")), "{saved}");
        assert_eq!(editor.kind(), Some(crate::review::edit::Kind::Substance));
        // The raw file takes what the form does not, for the checks to say.
        fill(&mut form(&mut editor).fields[place], bad);
        editor.open_raw();
        assert!(editor.bytes().is_ok());
    }
    // A key that stands there in another spelling is not offered once more.
    let mut editor = editor(file);
    let Some(Field { input: Input::Choice { options, .. }, .. }) = form(&mut editor).fields.last() else {
        panic!()
    };
    assert_eq!(options, &["updatedAt", "source", "reason", "application"]);
}

#[test]
fn a_draft_brings_everything_back() {
    for file in FILES {
        let mut one = editor(file);
        for field in &mut form(&mut one).fields {
            fill(field, "typed");
        }
        form(&mut one).add(file.as_bytes()).unwrap();
        let focus = form(&mut one).focus;
        fill(&mut form(&mut one).fields[focus], "2030-01-01");
        let draft = one.draft().unwrap();
        let mut other = editor(file);
        other.take(&draft).unwrap();
        assert_eq!(other.bytes(), one.bytes(), "{file}");
        assert_eq!(other.draft(), one.draft());
    }
}

#[test]
fn repair_takes_the_field_at_hand_else_all() {
    let file = "---\nname: 2026-01-02\ndescription: cut # off\n---\nT\n";
    let mut editor = editor(file);
    assert!(editor.is_odd);
    editor.repair().unwrap();
    assert_eq!(editor.bytes().unwrap(), file.replace("2026-01-02", "\"2026-01-02\"").as_bytes());
    editor.turn().unwrap();
    editor.repair().unwrap();
    let all = "---\nname: \"2026-01-02\"\ndescription: \"cut # off\"\n---\nT\n";
    assert_eq!(editor.bytes().unwrap(), all.as_bytes());
    assert!(!editor.is_odd && editor.repair().is_err());
}

proptest! {
    /// Whatever is typed into a field reads back from the file that is saved, or is refused; nothing else
    /// changes; and the footer says the kind that it is saved as.
    #[test]
    fn what_is_typed_is_what_is_saved(
        file in prop::sample::select(FILES.to_vec()), at in 0..9usize, text in "[ -~é中\u{1b}\u{202e}\n]{0,30}",
    ) {
        let mut editor = editor(file);
        let form = form(&mut editor);
        let at = at % form.fields.len();
        fill(&mut form.fields[at], &text);
        let what = form.fields[at].what.clone();
        if !form.fields[at].is_changed() {
            return Ok(());
        }
        let kind = editor.kind().unwrap();
        let Ok(bytes) = editor.bytes() else { return Ok(()) };
        let span = |bytes: &[u8], place, key: &str| {
            fields(bytes).into_iter().find(|f| f.place == place && f.key == key).map(|f| f.text)
        };
        match &what {
            What::Key { place, key, found } => {
                let expected = if text.is_empty() && (!found || key != "name") { None } else { Some(text.clone()) };
                let read = span(&bytes, *place, key);
                prop_assert!(read == expected || (text.is_empty() && read == Some(String::new())), "{read:?}");
                prop_assert_eq!(part_texts(&bytes), part_texts(file.as_bytes()));
                if bytes != file.as_bytes() {
                    prop_assert_eq!(kind, default_kind(file.as_bytes(), &bytes));
                }
            }
            What::Part(part) => {
                let read = part_texts(&bytes).into_iter().find(|(other, _)| other == part).map(|(_, text)| text);
                prop_assert_eq!(read, Some(edit::part_text(&text)));
                prop_assert_eq!(fields(&bytes).len(), fields(file.as_bytes()).len());
                prop_assert_eq!(kind, Kind::Substance);
            }
            What::NewPart(_) | What::Add | What::Said(_) => {}
        }
    }
}
