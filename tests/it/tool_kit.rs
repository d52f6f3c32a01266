//! Sequences of commands for the memory tool, made at random, and a directory to give them to.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Numbers at random, the same for the same seed.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn path(&mut self) -> String {
        if self.below(14) == 0 {
            return self
                .of(&[
                    "/memories",
                    "/memories/",
                    "/memories/../x",
                    "/memories_evil",
                    "/memories/notes/../a.md",
                ])
                .into();
        }
        let names = ["a.md", "b.md", "notes", "deep", "x.txt", ".hidden", "é.md", "MEMORY.md"];
        let parts: Vec<&str> = (0..[1, 1, 2, 2, 3][self.below(5)]).map(|_| self.of(&names)).collect();
        format!("/memories/{}", parts.join("/"))
    }

    fn text(&mut self) -> String {
        let words = ["alpha", "beta", "", "α", "line", "aa", "\r", "tab\t", "1"];
        let lines: Vec<&str> = (0..self.below(5)).map(|_| self.of(&words)).collect();
        lines.join("\n") + self.of(&["", "\n", "\n\n"])
    }

    /// A command; some are mistakes.
    pub fn command(&mut self) -> Value {
        let path = self.path();
        match self.below(11) {
            0 | 1 => json!({"command": "view", "path": path}),
            2..=4 => json!({"command": "create", "path": path, "file_text": self.text()}),
            5 | 6 => {
                let (old, new) =
                    (self.of(&["alpha", "a", "\n", "line", "1"]), self.of(&["beta", "", "new\nlines"]));
                json!({"command": "str_replace", "path": path, "old_str": old, "new_str": new})
            }
            7 | 8 => {
                json!({"command": "insert", "path": path, "insert_line": self.below(4), "insert_text": self.text()})
            }
            9 => json!({"command": "delete", "path": path}),
            _ => json!({"command": "rename", "old_path": path, "new_path": self.path()}),
        }
    }
}

/// Files and directories to begin with.
pub fn lay_out(root: &Path) {
    for (path, text) in [
        ("a.md", "alpha\nbeta\n\nalpha beta\n"),
        ("notes/b.md", "---\nname: b\n---\n\nline\n"),
        ("x.txt", ""),
        (".hidden", "h"),
        ("deep/deep/b.md", "line\r\nline\r\n"),
        ("MEMORY.md", "# Index\n\n- [b](notes/b.md) — line\n"),
    ] {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Every file by its path, without directories.
pub fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    fn enter(root: &Path, dir: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                enter(root, &path, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap_or_default());
            }
        }
    }
    let mut found = BTreeMap::new();
    enter(root, root, &mut found);
    found
}

/// An answer without the sizes of directories, which no proposal has.
pub fn without_sizes(answer: &str) -> String {
    if !answer.starts_with("Here're") {
        return answer.into();
    }
    let line = |(number, line): (usize, &str)| match line.split_once('\t') {
        Some((_, path)) if number == 1 || path.ends_with('/') => path.to_owned(),
        _ => line.to_owned(),
    };
    answer.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
}
