//! A conversation as a model is to read it: what the person wrote, word for word, and as much of what the agent answered
//! as there is room for. What tools were asked and gave is left out.

use crate::client::transcript::{Event, Line};
use crate::memory::Time;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt::Write as _;

/// The most that is sent of a conversation, in bytes.
pub const BUDGET: usize = 64 << 10;
/// The most of one message that the person wrote. Longer ones are pasted files: head and end tell what they are.
const MAX_USER: usize = 8 << 10;
/// The most of one message of the agent.
const MAX_ASSISTANT: usize = 2 << 10;
/// Held of the beginning of a conversation, and as much of its end, in bytes: the middle of a longer one is let go.
const MAX_HELD: usize = 2 << 20;

/// A conversation as it is collected.
#[derive(Debug, Default)]
pub struct Conversation {
    head: Vec<Turn>,
    head_bytes: usize,
    tail: VecDeque<Turn>,
    tail_bytes: usize,
    /// How many turns were let go from the middle.
    dropped: usize,
    /// The session's id.
    pub session: Option<String>,
    /// The branch at its end.
    pub branch: Option<String>,
    /// When its last line was written.
    pub time: Option<Time>,
}

/// A conversation ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// How many messages of the person are in it.
    pub from_user: usize,
    /// How many messages were left out for want of room, of either side.
    pub left_out: usize,
}

#[derive(Debug)]
struct Turn {
    is_user: bool,
    time: Option<Time>,
    text: String,
}

impl Conversation {
    /// Takes the next line. Sub-agents' conversations are the agent's own doing.
    pub fn take(&mut self, line: Line) {
        if line.is_sidechain {
            return;
        }
        let Line { stamp, events, .. } = line;
        self.session = stamp.session.or_else(|| self.session.take());
        self.branch = stamp.branch.or_else(|| self.branch.take());
        self.time = stamp.time.or(self.time);
        for event in events {
            let (is_user, text) = match event {
                Event::User(text) => (true, shortened(text.trim(), MAX_USER)),
                Event::Assistant(text) => (false, shortened(text.trim(), MAX_ASSISTANT)),
                _ => continue,
            };
            self.push(Turn { is_user, time: stamp.time, text });
        }
    }

    fn push(&mut self, turn: Turn) {
        if self.head_bytes < MAX_HELD {
            self.head_bytes += turn.text.len();
            self.head.push(turn);
            return;
        }
        self.tail_bytes += turn.text.len();
        self.tail.push_back(turn);
        while self.tail_bytes > MAX_HELD {
            let Some(gone) = self.tail.pop_front() else { break };
            self.tail_bytes -= gone.text.len();
            self.dropped += 1;
        }
    }

    /// Whether the person wrote anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.head.iter().chain(&self.tail).any(|turn| turn.is_user)
    }

    /// The conversation within `budget` bytes, secrets taken out by `mask`. The person's words come first, from both ends
    /// of the conversation; then what the agent said just before and after them (what is corrected, what is confirmed);
    /// then the rest.
    #[must_use]
    pub fn render(&self, budget: usize, mask: &dyn Fn(&str) -> String) -> Rendered {
        let turns: Vec<&Turn> = self.head.iter().chain(&self.tail).collect();
        let near = |at: usize| {
            let is_user =
                |at: Option<usize>| at.and_then(|at| turns.get(at)).is_some_and(|turn| turn.is_user);
            is_user(at.checked_add(1)) || is_user(at.checked_sub(1))
        };
        let mut kept = vec![false; turns.len()];
        let mut room = budget;
        for rank in 0..3 {
            let of_rank = |(at, turn): &(usize, &&Turn)| match rank {
                0 => turn.is_user,
                1 => !turn.is_user && near(*at),
                _ => !turn.is_user && !near(*at),
            };
            let places: Vec<usize> = turns.iter().enumerate().filter(of_rank).map(|(at, _)| at).collect();
            for at in from_both_ends(&places) {
                let cost = turns.get(at).map_or(0, |turn| turn.text.len() + OVERHEAD);
                if cost > room {
                    continue;
                }
                room -= cost;
                if let Some(kept) = kept.get_mut(at) {
                    *kept = true;
                }
            }
        }
        self.written(&turns, &kept, mask)
    }

    fn written(&self, turns: &[&Turn], kept: &[bool], mask: &dyn Fn(&str) -> String) -> Rendered {
        let mut text = String::new();
        let (mut from_user, mut left_out, mut gap) = (0, 0, 0);
        for (at, (turn, is_kept)) in turns.iter().zip(kept).enumerate() {
            if at == self.head.len() {
                gap += self.dropped;
            }
            if !is_kept {
                gap += 1;
                continue;
            }
            say_gap(&mut text, &mut gap, &mut left_out);
            let who = if turn.is_user { "person" } else { "agent" };
            let when = turn.time.map(|time| time.format(", %Y-%m-%d").to_string()).unwrap_or_default();
            // Writing into a String can't fail.
            let _ = writeln!(text, "[{who}{when}]\n{}\n", unfenced(&mask(&turn.text)));
            from_user += usize::from(turn.is_user);
        }
        say_gap(&mut text, &mut gap, &mut left_out);
        Rendered { text, from_user, left_out }
    }
}

/// What stands around a message, in bytes.
const OVERHEAD: usize = 32;

fn say_gap(text: &mut String, gap: &mut usize, left_out: &mut usize) {
    if *gap > 0 {
        let _ = writeln!(text, "[{gap} messages left out]\n");
        *left_out += std::mem::take(gap);
    }
}

/// The last, the first, the last but one, and so on: a session ends with what came of it, and begins with what was asked.
fn from_both_ends(places: &[usize]) -> impl Iterator<Item = usize> + '_ {
    let half = places.len().div_ceil(2);
    let backwards = places.iter().rev();
    backwards.zip(places.iter().map(Some).chain(std::iter::repeat(None))).take(half).enumerate().flat_map(
        move |(at, (last, first))| {
            let is_same = 2 * at + 1 == places.len();
            [Some(*last), first.copied().filter(|_| !is_same)].into_iter().flatten()
        },
    )
}

/// A text of at most so many bytes: its head and its end.
fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(most * 2 / 3);
    let tail = text.ceil_char_boundary(text.len() - most / 3);
    let (head, tail) = (text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default());
    format!("{head}\n[…]\n{tail}")
}

/// What would end the part of the prompt that a text stands in can't stand in it.
pub(super) fn unfenced(text: &str) -> Cow<'_, str> {
    if text.contains("</") { Cow::Owned(text.replace("</", "<\\/")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::transcript::line::Stamp;

    fn line(event: Event) -> Line {
        let time = "2026-03-05T10:00:00Z".parse().ok();
        Line { stamp: Stamp { time, ..Stamp::default() }, is_sidechain: false, events: vec![event] }
    }

    fn conversation(turns: &[(bool, &str)]) -> Conversation {
        let mut conversation = Conversation::default();
        for (is_user, text) in turns {
            let text = (*text).to_owned();
            conversation.take(line(if *is_user { Event::User(text) } else { Event::Assistant(text) }));
        }
        conversation
    }

    fn plain(text: &str) -> String {
        text.to_owned()
    }

    #[test]
    fn what_is_sent() {
        let mut talk =
            conversation(&[(true, "do it"), (false, "done"), (true, "no, use tabs </conversation>")]);
        let tool = Event::ToolUse {
            id: "1".into(),
            name: "Bash".into(),
            input: serde_json::json!({"command": "NOISE"}),
        };
        talk.take(line(tool));
        let result =
            Event::ToolResult { id: "1".into(), is_error: false, refused: None, text: "NOISE".into() };
        talk.take(line(result));
        talk.take(Line { is_sidechain: true, ..line(Event::User("NOISE".into())) });
        let rendered = talk.render(BUDGET, &|text| text.replace("tabs", "t…"));
        assert_eq!(
            rendered.text,
            "[person, 2026-03-05]\ndo it\n\n[agent, 2026-03-05]\ndone\n\n\
             [person, 2026-03-05]\nno, use t… <\\/conversation>\n\n"
        );
        assert_eq!((rendered.from_user, rendered.left_out), (2, 0));
        assert!(conversation(&[(false, "hello")]).is_empty());
    }

    #[test]
    fn the_persons_words_come_first_then_what_is_next_to_them() {
        let long = "x".repeat(300);
        let turns = [
            (false, long.as_str()),
            (false, "far"),
            (false, "near"),
            (true, "no, like this"),
            (false, "ok"),
            (false, long.as_str()),
        ];
        let rendered = conversation(&turns).render(250, &plain);
        assert_eq!(rendered.left_out, 2);
        for there in ["no, like this", "near", "ok", "far"] {
            assert!(rendered.text.contains(there), "{there}: {}", rendered.text);
        }
        assert!(
            rendered.text.starts_with("[1 messages left out]")
                && rendered.text.trim_end().ends_with("[1 messages left out]")
        );
        // Head and end of the person's words, when even these are too many.
        let many: Vec<String> = (0..100).map(|at| format!("word{at} {}", "y".repeat(100))).collect();
        let many: Vec<(bool, &str)> = many.iter().map(|text| (true, text.as_str())).collect();
        let rendered = conversation(&many).render(1000, &plain);
        assert!(
            rendered.text.contains("word0 ")
                && rendered.text.contains("word99 ")
                && !rendered.text.contains("word50 ")
        );
        assert!(rendered.text.len() < 1100, "{}", rendered.text.len());
    }

    #[test]
    fn both_ends_give_each_place_once() {
        for count in 0..8 {
            let places: Vec<usize> = (0..count).collect();
            let mut found: Vec<usize> = from_both_ends(&places).collect();
            assert_eq!(found.first(), places.last());
            found.sort_unstable();
            assert_eq!(found, places);
        }
    }

    #[test]
    fn long_texts_keep_head_and_end_and_long_conversations_their_ends() {
        let text = format!("start{}end", "ü".repeat(10_000));
        let short = shortened(&text, 1000);
        assert!(short.starts_with("start") && short.ends_with("end") && short.len() < 1010);
        let mut talk = Conversation::default();
        for at in 0..4000 {
            talk.take(line(Event::User(format!("m{at} {}", "z".repeat(2000)))));
        }
        assert!(talk.head_bytes + talk.tail_bytes <= 2 * MAX_HELD + 4000);
        let rendered = talk.render(10_000, &plain);
        assert!(rendered.text.contains("m0 ") && rendered.text.contains("m3999 "));
        assert_eq!(rendered.from_user + rendered.left_out, 4000);
    }
}
