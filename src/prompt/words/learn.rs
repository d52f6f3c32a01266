//! Finding the client's texts by difference: in requests whose content is known, what is around the content is the
//! client's; what differs between two of them as the content does is a slot; a third one must come out as predicted.

use crate::prompt::words::exchange::BETWEEN;
use crate::prompt::words::template::{Template, Value, Values, values};
use crate::prompt::words::{Slot, Words};

/// A text of the client as it was seen once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// Which one.
    pub slot: Slot,
    /// The text.
    pub text: String,
    /// What stands in it that is no text of the client.
    pub values: Values,
}

impl Observed {
    /// A text that was seen.
    #[must_use]
    pub fn new(slot: Slot, text: &str, values: Values) -> Self {
        Self { slot, text: text.into(), values }
    }
}

/// Why a text is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missed {
    /// It was not in the requests, or not in the form that is known.
    NotSeen,
    /// It was another one each time.
    Changes,
    /// It was not as predicted in the request that was kept for that.
    Unpredicted,
}

impl Missed {
    /// In words.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::NotSeen => "it was not in the requests in a form that is known",
            Self::Changes => "the client said it in other words each time",
            Self::Unpredicted => "the third request was not as the first two predict",
        }
    }
}

/// What was learned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learned {
    /// The texts that are known.
    pub words: Words,
    /// Those that are not, and why.
    pub missed: Vec<(Slot, Missed)>,
}

/// Learns from two rounds and checks with a third.
#[must_use]
pub fn learn(version: &str, rounds: &[Vec<Observed>; 3]) -> Learned {
    let mut words = Words { version: version.into(), ..Words::default() };
    let mut missed = Vec::new();
    for slot in Slot::ALL {
        match agreed(slot, rounds) {
            Ok(template) => drop(words.slots.insert(slot, template)),
            Err(why) => missed.push((slot, why)),
        }
    }
    Learned { words, missed }
}

fn agreed(slot: Slot, rounds: &[Vec<Observed>; 3]) -> Result<Template, Missed> {
    let of = |round: &'_ [Observed]| -> Vec<Observed> {
        round.iter().filter(|observed| observed.slot == slot).cloned().collect()
    };
    let [first, second, check] = rounds.each_ref().map(|round| of(round));
    if first.is_empty() || second.is_empty() || check.is_empty() {
        return Err(Missed::NotSeen);
    }
    let mut templates = first.iter().chain(&second).map(|seen| Template::of(&seen.text, &seen.values));
    let template = templates.next().ok_or(Missed::NotSeen)?;
    if templates.any(|other| other != template) {
        return Err(Missed::Changes);
    }
    let predicted = |seen: &Observed| template.fill(&seen.values).as_ref() == Some(&seen.text);
    if check.iter().all(predicted) { Ok(template) } else { Err(Missed::Unpredicted) }
}

/// A file whose content is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The slot of its heading.
    pub slot: Slot,
    /// Its path, as the client writes it.
    pub path: String,
    /// Its content, as the client sends it. It stands nowhere else.
    pub body: String,
}

/// A block of the first message, of which the files are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block<'a> {
    /// The whole text.
    pub text: &'a str,
    /// The files in it, in order.
    pub files: &'a [Known],
    /// The day on which it was sent.
    pub date: &'a str,
    /// The notice that the last file has, with what stands in it.
    pub notice: Option<(Slot, Values)>,
    /// What the block ends with, where that is known: a notice stands before it.
    pub closing: Option<&'a str>,
}

impl Block<'_> {
    /// The client's texts in it.
    #[must_use]
    pub fn observed(&self) -> Vec<Observed> {
        let Some((before, tail)) = self.split() else { return Vec::new() };
        let mut found = Vec::new();
        let headings = self.files.iter().zip(&before).skip(1);
        found.extend(
            headings.map(|(file, text)| {
                Observed::new(file.slot, text, values([(Value::Path, file.path.as_str())]))
            }),
        );
        let date = || values([(Value::Date, self.date)]);
        if let (Some(file), Some(text)) = (self.files.first(), before.first()) {
            // The heading of the first file is known from another file of its layer.
            let other = found.iter().find(|other| other.slot == file.slot);
            let heading = other.and_then(|other| {
                Template::of(&other.text, &other.values).fill(&values([(Value::Path, file.path.as_str())]))
            });
            if let Some(opening) = heading.and_then(|heading| text.strip_suffix(heading.as_str())) {
                found.push(Observed::new(Slot::Opening, opening, date()));
            }
        }
        match &self.notice {
            None => found.push(Observed::new(Slot::Closing, tail, date())),
            Some((slot, values)) => {
                let notice = self.closing.and_then(|closing| tail.strip_suffix(closing));
                if let Some(text) = notice.and_then(|notice| notice.strip_prefix("\n\n")) {
                    found.push(Observed::new(*slot, text, values.clone()));
                }
            }
        }
        found
    }

    /// What stands before each content, and behind the last one; `None` when one of them is not there.
    fn split(&self) -> Option<(Vec<&str>, &str)> {
        let mut rest = self.text;
        let mut before = Vec::new();
        for file in self.files {
            let (text, behind) = rest.split_once(file.body.as_str())?;
            before.push(text);
            rest = behind;
        }
        Some((before, rest))
    }
}

/// The client's texts around files that loaded on use.
#[must_use]
pub fn on_use(texts: &[String], files: &[(String, String)]) -> Vec<Observed> {
    let named = |text: &&String| files.iter().any(|(path, _)| text.contains(path.as_str()));
    let kept: Vec<&str> = texts.iter().filter(named).map(String::as_str).collect();
    let all = kept.join(&BETWEEN.to_string());
    let mut found = Vec::new();
    let mut rest = all.as_str();
    for (nth, (path, body)) in files.iter().enumerate() {
        let Some((before, behind)) = rest.split_once(path.as_str()) else { return Vec::new() };
        let Some((heading, behind)) = behind.split_once(body.as_str()) else { return Vec::new() };
        let slot = if nth == 0 { Slot::UseOpening } else { Slot::UseJoint };
        found.push(Observed::new(slot, before, Values::new()));
        found.push(Observed::new(Slot::UseHeading, heading, Values::new()));
        rest = behind;
    }
    found.push(Observed::new(Slot::UseClosing, rest, Values::new()));
    found
}

/// The memory part of a system prompt: what it has more than the one without memory.
#[must_use]
pub fn memory_part(with: &str, without: &str, dir: &str) -> Option<Observed> {
    let common: usize =
        with.chars().zip(without.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    let (before, rest) = with.split_at_checked(common)?;
    let tail = without.get(common..)?;
    let part = rest.strip_suffix(tail)?;
    // What it has in common with what follows is found at its end; it begins with its line.
    let line = before.rsplit('\n').next().unwrap_or_default();
    let part = match part.strip_suffix(line) {
        Some(part) => format!("{line}{part}"),
        None => part.to_owned(),
    };
    let part = part.trim_matches('\n');
    part.contains(dir).then(|| Observed::new(Slot::Memory, part, values([(Value::Dir, dir)])))
}

/// The memory part of a sub-agent's system prompt, behind its own text.
#[must_use]
pub fn agent_part(system: &str, own: &str, slot: Slot, dir: &str, index: &str) -> Option<(Observed, String)> {
    let (_, behind) = system.split_once(own)?;
    let (part, tail) = behind.split_once(index)?;
    let part = part.trim_start_matches('\n');
    let values = values([(Value::Dir, dir)]);
    part.contains(dir).then(|| (Observed::new(slot, part, values), tail.to_owned()))
}

#[cfg(test)]
mod tests;
