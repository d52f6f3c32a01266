//! Memory writes that a transcript shows as refused: nothing of them is on the disk, and the text stands whole in the
//! transcript (CLIENT_FACTS D6). [`Collector`] reads them out of lines; [`put_together`] makes of them, one after the
//! other, what the memories would hold. Pure.

use super::line::{Event, Line, Stamp};
use crate::client::writes::{Roots, ToolWrite, Write};
use crate::memory::document::Document;
use crate::memory::path::RelPath;
use crate::memory::text::lossy;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// A write into the store that a transcript shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The file in the store.
    pub path: RelPath,
    /// What would have become of it; `None` for one that was done: the store has it.
    pub write: Option<Write>,
    /// One that was done wrote the file whole.
    pub was_whole: bool,
    /// The id of the tool's call.
    pub id: String,
    /// Where and when.
    pub stamp: Stamp,
}

/// A memory as a refused write would have left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// Its file in the store.
    pub target: RelPath,
    /// What the store holds there now; `None`: nothing.
    pub before: Option<Arc<[u8]>>,
    /// The text it would have.
    pub content: String,
    /// The line about it that was to go into the index.
    pub index_line: Option<String>,
    /// Where and when it was last written.
    pub stamp: Stamp,
    /// The ids of the tool calls that it comes from.
    pub ids: Vec<String>,
}

/// A refused write that can't be put together any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// The file in the store.
    pub path: RelPath,
    /// Why, in words.
    pub why: &'static str,
    /// Where and when.
    pub stamp: Stamp,
    /// The id of the tool's call.
    pub id: String,
}

/// What refused writes come to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// What can be proposed, the oldest first.
    pub found: Vec<Recovered>,
    /// What can't.
    pub lost: Vec<Lost>,
}

/// The longest text that is recovered, in bytes: as long as a proposal may be.
const MAX_TEXT: usize = 1 << 20;
/// So many attempts are kept of one transcript: a thousand times what sessions have.
const MAX_ATTEMPTS: usize = 10_000;

/// Reads attempts out of the lines of one transcript.
#[derive(Debug)]
pub struct Collector<'a> {
    roots: &'a Roots,
    attempts: Vec<Attempt>,
    /// Calls whose result has not come yet: places in `attempts`.
    open: HashMap<String, usize>,
    /// Calls that were tried and failed by themselves.
    failed: Vec<usize>,
}

impl<'a> Collector<'a> {
    /// A collector of writes into the store with these names.
    #[must_use]
    pub fn new(roots: &'a Roots) -> Self {
        Self { roots, attempts: Vec::new(), open: HashMap::new(), failed: Vec::new() }
    }

    /// Whether results of calls are still awaited: then lines that don't name the store matter too.
    #[must_use]
    pub fn awaits(&self) -> bool {
        !self.open.is_empty()
    }

    /// Takes the next line.
    pub fn take(&mut self, line: Line) {
        let Line { stamp, events, .. } = line;
        for event in events {
            match event {
                Event::ToolUse { id, name, input } if self.attempts.len() < MAX_ATTEMPTS => {
                    let call = ToolWrite::of(&name, &input, stamp.cwd.as_deref());
                    let Some(call) = call else { continue };
                    let Some(path) = self.roots.inside(&call.path) else { continue };
                    let attempt = Attempt {
                        path,
                        write: Some(call.write),
                        was_whole: false,
                        id: id.clone(),
                        stamp: stamp.clone(),
                    };
                    self.open.insert(id, self.attempts.len());
                    self.attempts.push(attempt);
                }
                Event::ToolResult { id, is_error, refused, .. } => {
                    let Some(at) = self.open.remove(&id) else { continue };
                    let Some(attempt) = self.attempts.get_mut(at) else { continue };
                    if !is_error {
                        attempt.was_whole = matches!(attempt.write, Some(Write::Whole(_)));
                        attempt.write = None;
                    } else if refused == Some(false) {
                        // The client let it through and it failed, as on a text that is not there.
                        self.failed.push(at);
                    }
                }
                _ => {}
            }
        }
    }

    /// The attempts, in their order. One without a result counts as refused: the session ended before it was done.
    #[must_use]
    pub fn finish(self) -> Vec<Attempt> {
        let mut at = 0;
        let mut attempts = self.attempts;
        attempts.retain(|_| {
            let is_failed = self.failed.contains(&at);
            at += 1;
            !is_failed
        });
        attempts
    }
}

/// Makes of attempts, the oldest first, what the memories would hold. `current` gives what the store holds of a file.
#[must_use]
pub fn put_together(
    attempts: &[Attempt],
    mut current: impl FnMut(&RelPath) -> Option<Arc<[u8]>>,
) -> Recovery {
    let mut lost = Vec::new();
    let mut files: BTreeMap<&RelPath, Staged> = BTreeMap::new();
    for attempt in attempts {
        let staged = files.entry(&attempt.path).or_insert_with(|| Staged::of(current(&attempt.path)));
        let Some(write) = &attempt.write else {
            if attempt.was_whole {
                *staged = Staged::of(staged.before.take());
            }
            continue;
        };
        let applied = staged.apply(write, attempt);
        if let Err(why) = applied {
            let (path, stamp, id) = (attempt.path.clone(), attempt.stamp.clone(), attempt.id.clone());
            lost.push(Lost { path, why, stamp, id });
        }
    }
    let mut lines = Vec::new();
    let mut found: Vec<Recovered> = Vec::new();
    for (path, staged) in files {
        let Some(text) = staged.text.filter(|_| !staged.ids.is_empty()) else { continue };
        if path.is_index() {
            lines = added_lines(staged.before.as_deref(), &text);
            continue;
        }
        let is_there = staged.before.as_ref().is_some_and(|before| says_the_same(before, text.as_bytes()));
        if is_there || text.trim().is_empty() {
            continue;
        }
        let (before, stamp, ids) = (staged.before, staged.stamp, staged.ids);
        let target = path.clone();
        found.push(Recovered { target, before, content: text, index_line: None, stamp, ids });
    }
    for line in lines {
        if let Some(one) = found.iter_mut().find(|one| names(&line, &one.target)) {
            one.index_line.get_or_insert(line);
        }
    }
    found.sort_by_key(|one| one.stamp.time);
    Recovery { found, lost }
}

/// One file while attempts are applied to it.
struct Staged {
    before: Option<Arc<[u8]>>,
    text: Option<String>,
    stamp: Stamp,
    ids: Vec<String>,
}

impl Staged {
    fn of(before: Option<Arc<[u8]>>) -> Self {
        let text = before.as_ref().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
        Self { before, text, stamp: Stamp::default(), ids: Vec::new() }
    }

    fn apply(&mut self, write: &Write, attempt: &Attempt) -> Result<(), &'static str> {
        if !is_markdown(&attempt.path) {
            return Err("it is no memory: only visible Markdown files are");
        }
        if self.text.is_none() && self.before.is_some() && !matches!(write, Write::Whole(_)) {
            return Err("the memory is not UTF-8, so nothing can be put into it");
        }
        let text = match write.apply(self.text.as_deref()) {
            Ok(text) => text,
            // Tried again later, and done then.
            Err(_) if self.has_new(write) => return Ok(()),
            Err(why) => return Err(why),
        };
        if text.len() > MAX_TEXT {
            return Err("it has more than a megabyte");
        }
        self.text = Some(text);
        self.stamp = attempt.stamp.clone();
        self.ids.push(attempt.id.clone());
        Ok(())
    }

    /// Whether the text holds already all that an edit would put into it.
    fn has_new(&self, write: &Write) -> bool {
        match (write, &self.text) {
            (Write::Edit(edits), Some(text)) => {
                edits.iter().all(|edit| !edit.new.is_empty() && text.contains(&edit.new))
            }
            _ => false,
        }
    }
}

fn is_markdown(path: &RelPath) -> bool {
    let text = path.to_str_lossy();
    text.ends_with(".md") && !text.split('/').any(|part| part.starts_with('.'))
}

/// Whether two versions of a memory say the same: the client adds keys to the frontmatter of what it writes (D5).
#[must_use]
pub fn says_the_same(a: &[u8], b: &[u8]) -> bool {
    let parts = |bytes: &[u8]| {
        let document = Document::parse(bytes);
        let body: &[u8] = bytes.get(Range::clone(&document.body)).unwrap_or_default();
        let body = lossy(body.trim_ascii()).into_owned();
        let header = document.header;
        (header.name, header.description, header.kind, body)
    };
    a == b || parts(a) == parts(b)
}

/// The lines of an index that were not in it.
fn added_lines(before: Option<&[u8]>, after: &str) -> Vec<String> {
    let before = before.map(lossy).unwrap_or_default();
    let old: std::collections::HashSet<&str> = before.lines().map(str::trim).collect();
    let new = after.lines().map(str::trim).filter(|line| !line.is_empty() && !old.contains(line));
    new.map(str::to_owned).collect()
}

/// Whether a line of the index names a file.
fn names(line: &str, target: &RelPath) -> bool {
    let name = target.to_str_lossy();
    line.split("](").skip(1).any(|rest| {
        let link = rest.split(')').next().unwrap_or_default().trim_matches(['<', '>']);
        link.strip_prefix("./").unwrap_or(link) == name
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::transcript::line::parse;
    use serde_json::{Value, json};

    const ROOT: &str = "/c/p/memory";

    fn call(id: &str, tool: &str, input: Value) -> Value {
        json!({ "type": "assistant", "sessionId": "s1", "gitBranch": "b", "timestamp": "2026-03-05T10:00:00Z",
            "message": { "content": [{ "type": "tool_use", "id": id, "name": tool, "input": input }] } })
    }

    fn answer(id: &str, is_error: bool, decision: Option<&str>) -> Value {
        json!({ "type": "user", "permissionDecision": decision.map(|decision| json!({ "decision": decision })),
            "message": { "content": [{ "type": "tool_result", "tool_use_id": id, "is_error": is_error, "content": "x" }] } })
    }

    fn write(id: &str, file: &str, content: &str) -> Value {
        call(id, "Write", json!({ "file_path": format!("{ROOT}/{file}"), "content": content }))
    }

    fn edit(id: &str, file: &str, old: &str, new: &str) -> Value {
        call(
            id,
            "Edit",
            json!({ "file_path": format!("{ROOT}/{file}"), "old_string": old, "new_string": new }),
        )
    }

    fn recover(lines: &[Value], store: &[(&str, &str)]) -> Recovery {
        let roots = Roots::new([ROOT.into()]);
        let mut collector = Collector::new(&roots);
        for line in lines {
            collector.take(parse(line.to_string().as_bytes()).unwrap());
        }
        let current = |path: &RelPath| {
            let found = store.iter().find(|(name, _)| *name == path.to_str_lossy());
            found.map(|(_, text)| Arc::from(text.as_bytes()))
        };
        put_together(&collector.finish(), current)
    }

    fn texts(recovery: &Recovery) -> Vec<(String, &str)> {
        recovery.found.iter().map(|one| (one.target.to_string(), one.content.as_str())).collect()
    }

    #[test]
    fn what_was_refused_is_found_with_where_it_comes_from() {
        let lines = [
            write("1", "a.md", "A\n"),
            write("2", "b.md", "B\n"),
            answer("1", true, Some("reject")),
            answer("2", false, Some("accept")),
            write("3", "c.md", "C\n"),
        ];
        let recovery = recover(&lines, &[("b.md", "B\n")]);
        assert_eq!(texts(&recovery), [("a.md".into(), "A\n"), ("c.md".into(), "C\n")]);
        let a = &recovery.found[0];
        assert_eq!((a.stamp.session.as_deref(), a.stamp.branch.as_deref()), (Some("s1"), Some("b")));
        assert_eq!((a.ids.as_slice(), &a.before), (&["1".to_owned()][..], &None));
        assert!(recovery.lost.is_empty());
    }

    #[test]
    fn edits_apply_to_what_is_known_then() {
        let lines = [
            write("1", "new.md", "one two\n"),
            answer("1", true, None),
            edit("2", "new.md", "two", "three"),
            answer("2", true, None),
            edit("3", "old.md", "x", "y"),
            answer("3", true, None),
            edit("4", "gone.md", "x", "y"),
            answer("4", true, None),
        ];
        let recovery = recover(&lines, &[("old.md", "x\n")]);
        assert_eq!(texts(&recovery), [("new.md".into(), "one three\n"), ("old.md".into(), "y\n")]);
        assert_eq!(recovery.found[0].ids, ["1", "2"]);
        assert_eq!(recovery.found[1].before.as_deref(), Some(&b"x\n"[..]));
        assert_eq!(recovery.lost.len(), 1);
        assert_eq!(recovery.lost[0].path.to_string(), "gone.md");
    }

    #[test]
    fn what_is_in_the_store_by_now_is_not_offered() {
        let memory = "---\nname: a\ndescription: d\ntype: user\n---\n\nFact.\n";
        let rewritten =
            "---\nname: a\ndescription: d\nmetadata: \n  node_type: memory\n  type: user\n---\n\nFact.\n";
        let lines = [write("1", "a.md", memory), answer("1", true, None)];
        assert!(recover(&lines, &[("a.md", memory)]).found.is_empty());
        assert!(recover(&lines, &[("a.md", rewritten)]).found.is_empty(), "as the client rewrites it");
        assert_eq!(recover(&lines, &[("a.md", "other")]).found.len(), 1);
        // Refused at first, done later.
        let lines = [
            write("1", "a.md", "A\n"),
            answer("1", true, None),
            write("2", "a.md", "B\n"),
            answer("2", false, None),
            edit("3", "b.md", "x", "y"),
            answer("3", true, None),
            edit("4", "b.md", "x", "y"),
            answer("4", false, None),
        ];
        assert_eq!(recover(&lines, &[("a.md", "B\n"), ("b.md", "y\n")]), Recovery::default());
    }

    #[test]
    fn what_failed_by_itself_is_no_refusal() {
        let lines = [edit("1", "a.md", "x", "y"), answer("1", true, Some("accept"))];
        assert_eq!(recover(&lines, &[("a.md", "x")]), Recovery::default());
    }

    #[test]
    fn lines_of_the_index_go_with_their_memory() {
        let bash = json!({ "command": format!("echo '- [N](new.md) — said' >> {ROOT}/MEMORY.md") });
        let lines = [
            write("1", "new.md", "N\n"),
            answer("1", true, None),
            call("2", "Bash", bash),
            answer("2", true, None),
            edit("3", "MEMORY.md", "- [A](a.md)", "- [A](a.md)\n- [B](./b.md) — b"),
            answer("3", true, None),
            call("4", "Bash", json!({ "command": format!("cat > {ROOT}/b.md <<'E'\nB\nE") })),
            answer("4", true, None),
        ];
        let recovery = recover(&lines, &[("MEMORY.md", "- [A](a.md)\n")]);
        assert_eq!(texts(&recovery), [("b.md".into(), "B\n"), ("new.md".into(), "N\n")]);
        let line = |at: usize| recovery.found[at].index_line.as_deref();
        assert_eq!((line(0), line(1)), (Some("- [B](./b.md) — b"), Some("- [N](new.md) — said")));
        assert!(recovery.lost.is_empty());
    }

    #[test]
    fn what_is_no_memory_is_not_proposed() {
        let lines = [
            write("1", "x.py", "x"),
            write("2", ".hidden/a.md", "x"),
            write("3", "../out.md", "x"),
            write("4", "big.md", &"x".repeat(MAX_TEXT + 1)),
        ];
        let recovery = recover(&lines, &[]);
        assert!(recovery.found.is_empty());
        assert_eq!(recovery.lost.len(), 3, "what leads out of the store is not looked at");
    }
}
