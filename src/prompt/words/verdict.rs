//! Comparing what the client sent with a preview, byte for byte.

use crate::prompt::picture::Preview;
use crate::prompt::words::compare::{Difference, first};
use crate::prompt::words::exchange::{BETWEEN, Read, first_blocks, system};
use crate::prompt::words::template::{Value, values};
use crate::prompt::words::{Slot, Words};
use serde_json::Value as Json;

/// What the client sent.
pub struct Sent<'a> {
    /// Its first request.
    pub request: &'a Json,
    /// What came back for each file that was to be read; `None`: nothing did.
    pub reads: &'a [Option<Read>],
    /// The day.
    pub date: &'a str,
}

/// The first difference; `None`: they are the same.
#[must_use]
pub fn compare(ours: &Preview, words: &Words, sent: &Sent<'_>) -> Option<Difference> {
    message(ours, words, sent).or_else(|| prompt(ours, words, sent)).or_else(|| {
        ours.opened.files.iter().enumerate().find_map(|(number, file)| {
            let part = |what: &str| format!("{what} of {}", file.path.display());
            let Some(read) = sent.reads.get(number).and_then(Option::as_ref) else {
                return first(&part("the content"), "(it is read)", "(it was not read)");
            };
            if read.failed && file.readable {
                let theirs = format!("(it could not be read) {}", read.result);
                return first(&part("the content"), "(it is read)", &theirs);
            }
            age(words, file.age_note.as_deref(), read, &part("the age note"))
                .or_else(|| on_use(words, file.brings.as_deref(), read, &part("what comes in on use")))
        })
    })
}

/// Words that are not known and without which something that the client sends could stay unseen; `agent`: it runs as a
/// sub-agent.
#[must_use]
pub fn unseen(ours: &Preview, words: &Words, agent: bool) -> Vec<Slot> {
    let length = |slot: &Slot| words.slots.get(slot).map_or(0, |template| template.start().len());
    let mut needed = vec![(Slot::Opening, 0), (Slot::Memory, SURE)];
    if agent {
        needed.push((Slot::AgentUser, SURE));
    }
    if !ours.opened.files.is_empty() {
        needed.extend([(Slot::UseOpening, 0), (Slot::Age, 0)]);
    }
    needed.into_iter().filter(|(slot, least)| length(slot) <= *least).map(|(slot, _)| slot).collect()
}

/// What the memory part begins with has to be longer than this, in bytes, to be found by it.
const SURE: usize = 20;

/// The block of the first message that carries the files.
fn message(ours: &Preview, words: &Words, sent: &Sent<'_>) -> Option<Difference> {
    const PART: &str = "the first message";
    let blocks = first_blocks(sent.request);
    let opening = words.say(Slot::Opening, &values([(Value::Date, sent.date)])).unwrap_or_default();
    let is_one = |block: &&String| !opening.is_empty() && block.starts_with(&opening);
    let theirs: Vec<&String> = blocks.iter().filter(is_one).collect();
    match (theirs.as_slice(), ours.text.is_empty()) {
        // It may be any of them: the last one is the prompt.
        ([], true) if opening.is_empty() && blocks.len() > 1 => {
            first("the first message, whose opening words are not known", "", blocks.first()?)
        }
        ([], true) => None,
        ([], false) => {
            // The one that is nearest to ours shows best what is wrong.
            let common =
                |block: &&String| block.bytes().zip(ours.text.bytes()).take_while(|(a, b)| a == b).count();
            let nearest = blocks.iter().max_by_key(common).map(String::as_str).unwrap_or_default();
            first(PART, &ours.text, nearest)
        }
        ([only], _) => first(PART, &ours.text, only),
        ([_, second, ..], _) => first("a second block of files in the first message", "", second),
    }
}

/// The memory part of the system prompt.
fn prompt(ours: &Preview, words: &Words, sent: &Sent<'_>) -> Option<Difference> {
    const PART: &str = "the memory part of the system prompt";
    let theirs = system(sent.request);
    // What it begins with: the part is found by it where it is not as ours.
    let starts: Vec<&str> = [Slot::Memory, Slot::AgentUser]
        .iter()
        .filter_map(|slot| words.slots.get(slot))
        .map(|template| template.start())
        .filter(|start| start.len() > SURE)
        .collect();
    let found =
        || starts.iter().find_map(|start| theirs.split_once(start).map(|(_, rest)| format!("{start}{rest}")));
    match &ours.system {
        Some(part) if theirs.contains(part.trim_end_matches('\n')) => None,
        Some(part) => first(PART, part, &found().unwrap_or_default()),
        None => found().and_then(|theirs| first(PART, "", &theirs)),
    }
}

fn age(words: &Words, ours: Option<&str>, read: &Read, part: &str) -> Option<Difference> {
    let known = words.slots.get(&Slot::Age).map(|template| template.start()).unwrap_or_default();
    match ours {
        Some(note) if read.result.starts_with(note) => None,
        Some(note) => first(part, note, &read.result),
        None if !known.is_empty() && read.result.starts_with(known) => first(part, "", &read.result),
        None => None,
    }
}

fn on_use(words: &Words, ours: Option<&str>, read: &Read, part: &str) -> Option<Difference> {
    let opening = words.slots.get(&Slot::UseOpening).map(|template| template.start()).unwrap_or_default();
    let is_one = |text: &&String| !opening.is_empty() && text.starts_with(opening);
    let mut theirs: Vec<&str> = read.behind.iter().filter(is_one).map(String::as_str).collect();
    // Older clients put it behind the file's own lines.
    let tail = ours.filter(|ours| theirs.is_empty() && read.result.ends_with(*ours));
    theirs.extend(tail);
    first(part, ours.unwrap_or_default(), &theirs.join(&BETWEEN.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::port::Environment;
    use crate::prompt::port::mem::MemPort;
    use crate::prompt::session::Said;
    use crate::prompt::subject::{Subject, Usual};
    use crate::prompt::words::template::{Template, Values};
    use serde_json::json;
    use std::path::PathBuf;
    use std::sync::Arc;

    fn words() -> Words {
        let slot = |slot: Slot, text: &str| {
            let slots: Values = values([(Value::Path, "PATH"), (Value::Dir, "DIR"), (Value::Days, "DAYS")]);
            (slot, Template::of(text, &slots))
        };
        let slots = [
            slot(Slot::Opening, "<hear this>"),
            slot(Slot::Closing, "</hear>"),
            slot(Slot::Project, "\n\nPATH says:\n\n"),
            slot(Slot::Auto, "\n\nPATH lists:\n\n"),
            slot(Slot::Memory, "A part about what is kept: DIR/"),
            slot(Slot::Age, "(old: DAYS)\n"),
            slot(Slot::UseOpening, "also: "),
            slot(Slot::UseHeading, " = "),
            slot(Slot::UseJoint, " and "),
            slot(Slot::UseClosing, "!"),
        ];
        Words { version: "2.1.332".into(), slots: slots.into() }
    }

    fn preview(words: &Words) -> Preview {
        let mut port = MemPort::default();
        let memory = "/home/.claude/projects/-p/memory";
        port.file("/p/CLAUDE.md", "Be kind.\n")
            .file("/p/sub/CLAUDE.md", "Deeper.")
            .file("/p/sub/x", "x")
            .file(format!("{memory}/MEMORY.md"), "- [a](a.md)\n")
            .file(format!("{memory}/a.md"), "a\n");
        let env = Environment { home: "/home".into(), cwd: "/p".into(), ..Environment::default() };
        let usual = Usual {
            said: Said { words: Some(Arc::new(words.clone())), date: String::new() },
            ..Usual::default()
        };
        let open: Vec<PathBuf> = vec!["/p/sub/x".into(), format!("{memory}/a.md").into()];
        let now = "2126-11-30T12:00:00Z".parse().unwrap();
        Subject::Client("/p".into()).preview(&port, &env, &usual.request(&open, now))
    }

    /// What a client with these words sends for it.
    fn sent() -> (Json, Vec<Option<Read>>) {
        let memory = "/home/.claude/projects/-p/memory";
        let block = format!(
            "<hear this>\n\n/p/CLAUDE.md says:\n\nBe kind.\n\n{memory}/MEMORY.md lists:\n\n- [a](a.md)</hear>"
        );
        let request = json!({
            "system": [{ "type": "text", "text": format!("You help.\nA part about what is kept: {memory}/\nMore.") }],
            "messages": [{ "role": "user", "content": [{ "text": block }, { "text": "hi" }] }],
        });
        let first = Read {
            result: "1\tx".into(),
            behind: vec!["also: /p/sub/CLAUDE.md = Deeper.!".into(), "by the way".into()],
            ..Read::default()
        };
        (request, vec![Some(first), Some(Read { result: "1\ta".into(), ..Read::default() })])
    }

    fn part(change: impl FnOnce(&mut Json, &mut Vec<Option<Read>>)) -> Option<String> {
        let (mut request, mut reads) = sent();
        change(&mut request, &mut reads);
        let words = words();
        compare(&preview(&words), &words, &Sent { request: &request, reads: &reads, date: "" })
            .map(|found| found.part)
    }

    #[test]
    fn each_part_is_compared() {
        assert_eq!(part(|_, _| {}), None);
        let text =
            |request: &mut Json, text: &str| request["messages"][0]["content"][0]["text"] = text.into();
        let is = |found: Option<String>, what: &str| {
            assert!(found.as_deref().is_some_and(|it| it.contains(what)), "{found:?}")
        };
        is(
            part(|request, _| text(request, "<hear this>\n\n/p/CLAUDE.md says:\n\nBe kind!")),
            "first message",
        );
        is(part(|request, _| text(request, "")), "first message");
        is(part(|request, _| request["messages"] = json!([])), "first message");
        is(
            part(|request, _| request["messages"][0]["content"][1]["text"] = "<hear this>more".into()),
            "second block",
        );
        is(part(|request, _| request["system"] = "You help.".into()), "system prompt");
        is(
            part(|request, _| request["system"] = "A part about what is kept: /elsewhere/".into()),
            "system prompt",
        );
        let read = |reads: &mut Vec<Option<Read>>, at: usize, change: &dyn Fn(&mut Read)| {
            change(reads[at].as_mut().unwrap());
        };
        let more = |read: &mut Read| read.behind.push("also: /more = text!".into());
        is(part(|_, reads| read(reads, 0, &|read| read.behind.clear())), "on use");
        is(part(|_, reads| read(reads, 0, &more)), "on use");
        is(part(|_, reads| read(reads, 1, &more)), "on use");
        is(part(|_, reads| read(reads, 1, &|read| read.result = "(old: 5)\n1\ta".into())), "age note");
        is(part(|_, reads| reads[1] = None), "the content of");
        is(part(|_, reads| drop(reads.pop())), "the content of");
        is(part(|_, reads| read(reads, 1, &|read| read.failed = true)), "the content of");
    }

    #[test]
    fn words_that_would_show_more_than_ours_are_needed() {
        let mut words = words();
        let ours = preview(&words);
        assert_eq!(unseen(&ours, &words, false), []);
        for slot in [Slot::Age, Slot::UseOpening, Slot::Memory, Slot::Opening] {
            let known = words.slots.remove(&slot).unwrap();
            assert_eq!(unseen(&ours, &words, false), [slot]);
            words.slots.insert(slot, known);
        }
    }
}
