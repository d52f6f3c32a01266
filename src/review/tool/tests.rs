//! The commands on files in memory. That texts and results are the helper's own is compared by
//! `scripts/memory-tool-peer.py`; here stands what must hold whatever the helper does.

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Files in memory; a directory is what some file is in.
#[derive(Default)]
struct Held(BTreeMap<Vec<String>, Vec<u8>>);

impl Held {
    fn with(files: &[(&str, &str)]) -> Self {
        let path = |path: &str| path.split('/').map(str::to_owned).collect();
        Self(files.iter().map(|(at, text)| (path(at), text.as_bytes().to_vec())).collect())
    }

    fn text(&self, path: &str) -> Option<&str> {
        let path: Vec<String> = path.split('/').map(str::to_owned).collect();
        self.0.get(&path).map(|bytes| std::str::from_utf8(bytes).unwrap())
    }

    fn ask(&mut self, command: Value) -> Answer {
        answer(self, &Command::read(&command)?)
    }
}

impl Files for Held {
    fn find(&self, path: &VirtualPath) -> Result<Found, Fault> {
        if let Some(bytes) = self.0.get(path.parts()) {
            return Ok(Found::File(bytes.len() as u64));
        }
        let is_directory = path.is_root() || self.0.keys().any(|at| at.starts_with(path.parts()));
        Ok(if is_directory { Found::Directory(4096) } else { Found::Nothing })
    }

    fn list(&self, path: &VirtualPath) -> Result<Vec<(String, Found)>, Fault> {
        let below = self.0.keys().filter_map(|at| at.strip_prefix(path.parts()));
        let names: std::collections::BTreeSet<String> =
            below.filter_map(|rest| rest.first().cloned()).collect();
        names.into_iter().map(|name| Ok((name.clone(), self.find(&path.join(&name))?))).collect()
    }

    fn read(&self, path: &VirtualPath) -> Result<Vec<u8>, Fault> {
        self.0.get(path.parts()).cloned().ok_or(Fault::Missing)
    }

    fn create(&mut self, path: &VirtualPath, bytes: &[u8]) -> Result<(), Fault> {
        if self.find(path)? != Found::Nothing {
            return Err(Fault::Exists);
        }
        self.0.insert(path.parts().to_vec(), bytes.to_vec());
        Ok(())
    }

    fn replace(&mut self, path: &VirtualPath, before: &[u8], after: &[u8]) -> Result<(), Fault> {
        assert_eq!(self.read(path)?, before);
        self.0.insert(path.parts().to_vec(), after.to_vec());
        Ok(())
    }

    fn remove(&mut self, path: &VirtualPath) -> Result<(), Fault> {
        let before = self.0.len();
        self.0.retain(|at, _| !at.starts_with(path.parts()));
        if self.0.len() == before { Err(Fault::Missing) } else { Ok(()) }
    }

    fn rename(&mut self, from: &VirtualPath, to: &VirtualPath) -> Result<(), Fault> {
        if self.find(from)? == Found::Nothing {
            return Err(Fault::Missing);
        }
        if self.find(to)? != Found::Nothing {
            return Err(Fault::Exists);
        }
        let moved = std::mem::take(&mut self.0).into_iter().map(|(at, bytes)| {
            let rest = at.strip_prefix(from.parts()).map(<[String]>::to_vec);
            (rest.map_or(at, |rest| [to.parts(), &rest].concat()), bytes)
        });
        self.0 = moved.collect();
        Ok(())
    }
}

#[test]
fn a_file_is_shown_with_the_numbers_of_its_lines() {
    let mut files = Held::with(&[("a.md", "one\ntwo\n")]);
    let head = "Here's the content of /memories/a.md with line numbers:\n";
    let all = files.ask(json!({"command": "view", "path": "/memories/a.md"})).unwrap();
    assert_eq!(all, format!("{head}     1\tone\n     2\ttwo\n     3\t"));
    for (range, shown) in [
        (json!([2, 2]), "     2\ttwo"),
        (json!([2, -1]), "     2\ttwo\n     3\t"),
        (json!([1, -2]), "     1\tone"),
        (json!([9, 10]), ""),
        (json!([3, 1]), ""),
        (json!([-5, 1]), "     1\tone"),
    ] {
        let command = json!({"command": "view", "path": "/memories/a.md", "view_range": range});
        assert_eq!(files.ask(command).unwrap(), format!("{head}{shown}"), "{range}");
    }
}

#[test]
fn a_directory_is_listed_two_levels_deep_without_hidden_names() {
    let mut files = Held::with(&[("b/c/d.md", "x"), ("b/.x", "x"), ("a.md", &"x".repeat(1536))]);
    let listed = files.ask(json!({"command": "view", "path": "/memories"})).unwrap();
    let lines: Vec<&str> = listed.lines().skip(1).collect();
    assert_eq!(lines, ["4K\t/memories", "1.5K\t/memories/a.md", "4K\t/memories/b/", "4K\t/memories/b/c/"]);
}

#[test]
fn text_is_replaced_only_where_it_is_unique() {
    let mut files = Held::with(&[("a.md", "aaa\nb\n"), ("empty.md", "")]);
    let mut ask = |path: &str, old: &str, new: &str| {
        files.ask(json!({"command": "str_replace", "path": path, "old_str": old, "new_str": new}))
    };
    assert!(ask("/memories/a.md", "a", "x").unwrap_err().contains("lines: 1, 1, 1."));
    assert!(ask("/memories/a.md", "c", "x").unwrap_err().contains("did not appear verbatim"));
    assert!(ask("/memories", "a", "x").unwrap_err().ends_with("is not a file."));
    assert!(ask("/memories/none.md", "a", "x").unwrap_err().contains("does not exist"));
    // Overlapping places count as one, as in the helper's language.
    assert!(ask("/memories/a.md", "aa", "x").unwrap().ends_with("     1\txa\n     2\tb\n     3\t"));
    assert!(ask("/memories/a.md", "", "x").is_err());
    ask("/memories/empty.md", "", "filled").unwrap();
    assert_eq!(files.text("a.md"), Some("xa\nb\n"));
    assert_eq!(files.text("empty.md"), Some("filled"));
}

#[test]
fn lines_are_inserted_and_the_file_ends_with_a_line_end() {
    for (text, at, inserted, after) in [
        ("", 0, "a", "a\n"),
        ("a\nb", 1, "x\n\n", "a\nx\nb\n"),
        ("a\n\n", 2, "x", "a\n\nx\n"),
        ("a\r\nb", 2, "", "a\r\nb\n"),
    ] {
        let mut files = Held::with(&[("a.md", text)]);
        let command = json!({"command": "insert", "path": "/memories/a.md", "insert_line": at, "insert_text": inserted});
        files.ask(command).unwrap();
        assert_eq!(files.text("a.md"), Some(after), "{text:?}");
    }
    let mut files = Held::with(&[("a.md", "a\n")]);
    for at in [-1, 2, 99] {
        let command =
            json!({"command": "insert", "path": "/memories/a.md", "insert_line": at, "insert_text": "x"});
        assert!(files.ask(command).unwrap_err().contains("within the range [0, 1]"), "{at}");
    }
}

#[test]
fn the_root_can_be_neither_removed_nor_renamed_nor_taken() {
    let mut files = Held::with(&[("a.md", "a")]);
    for command in [
        json!({"command": "delete", "path": "/memories/"}),
        json!({"command": "delete", "path": "/memories/x/.."}),
        json!({"command": "rename", "old_path": "/memories", "new_path": "/memories/b"}),
        json!({"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories"}),
        json!({"command": "create", "path": "/memories", "file_text": ""}),
    ] {
        assert!(files.ask(command.clone()).is_err(), "{command}");
    }
    assert_eq!(files.text("a.md"), Some("a"));
}

#[test]
fn a_file_never_grows_over_the_limit() {
    let mut files = Held::with(&[("a.md", &"x".repeat(MAX_BYTES - 1))]);
    let too_much = |answer: Answer| assert!(answer.unwrap_err().contains("Nothing was changed"));
    too_much(
        files.ask(
            json!({"command": "create", "path": "/memories/b.md", "file_text": "x".repeat(MAX_BYTES + 1)}),
        ),
    );
    too_much(
        files.ask(
            json!({"command": "insert", "path": "/memories/a.md", "insert_line": 1, "insert_text": "xx"}),
        ),
    );
    assert_eq!(files.text("a.md").unwrap().len(), MAX_BYTES - 1);
    assert_eq!(files.text("b.md"), None);
}

#[test]
fn what_is_no_command_is_told_with_its_field() {
    for (value, told) in [
        (json!([]), "JSON object"),
        (json!({}), "`command` is missing"),
        (json!({"command": "clear"}), "Unknown command: clear"),
        (json!({"command": "view"}), "`path` is missing"),
        (json!({"command": "view", "path": 3}), "`path` should be text"),
        (json!({"command": "view", "path": "/memories", "view_range": "all"}), "`view_range`"),
        (
            json!({"command": "insert", "path": "/memories/a", "insert_line": 1.5, "insert_text": ""}),
            "`insert_line`",
        ),
        (json!({"command": "create", "path": "/memories/a"}), "`file_text` is missing"),
    ] {
        assert!(Command::read(&value).unwrap_err().contains(told), "{value}");
    }
}

#[test]
fn sizes_in_words() {
    for (bytes, words) in [
        (0, "0B"),
        (1023, "1023B"),
        (1024, "1K"),
        (1100, "1.1K"),
        (1 << 20, "1M"),
        (3 << 29, "1.5G"),
        (1 << 42, "4096G"),
    ] {
        assert_eq!(size_in_words(bytes), words);
    }
}

proptest! {
    /// No path leads out, and none makes the tool fall over.
    #[test]
    fn any_path_stays_inside(path in r"(/memories|/memories_x|)(/(\.\.|\.|%2e|%2E%2e|a|\\|\.\.\\|\PC{0,3})){0,6}/?") {
        if let Ok(path) = VirtualPath::parse(&path) {
            prop_assert!(path.parts().iter().all(|part| !["", ".", ".."].contains(&part.as_str()) && !part.contains('/')));
            prop_assert!(path.relative().is_relative());
        }
    }

    /// Whatever is asked, an error changes nothing.
    #[test]
    fn an_error_changes_nothing(
        steps in prop::collection::vec(("(view|create|str_replace|insert|delete|rename|clear)", "[ab./]{0,5}", "[ab\n]{0,4}", -2i64..5), 0..20)
    ) {
        let mut files = Held::with(&[("a", "a\nb\n"), ("b/a", "ab")]);
        for (command, path, text, line) in steps {
            let path = format!("/memories/{path}");
            let before = files.0.clone();
            let command = json!({
                "command": command, "path": path, "old_path": path, "new_path": format!("/memories/{text}"),
                "file_text": text, "old_str": text, "new_str": "x", "insert_line": line, "insert_text": text,
            });
            if files.ask(command).is_err() {
                prop_assert_eq!(&before, &files.0);
            }
        }
    }
}
