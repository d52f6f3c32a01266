//! Claims that need no project: dates, an end of its own, other memories, the author's own way to check it.

use super::{Claim, Kind, Scene, Verdict, days, shown};
use crate::check::likeness::{Told, claim, sentences};
use crate::check::prose::Prose;
use crate::check::{Evidence, line_of_key, quoted, seen_in, stale};
use crate::memory::age;
use crate::memory::lines::{Lines, line_of};
use crate::memory::links::{Destination, Outgoing};
use crate::memory::path::RelPath;
use crate::memory::snapshot::Memory;
use crate::memory::text::visible;
use crate::memory::when::{Span, dates};
use std::collections::HashSet;
use std::ops::Range;

/// What is near from this likeness on is worth a look when it is newer (0 to 1; less than that of duplicates, since a
/// person decides and nothing is reported).
const NEAR: f32 = 0.4;
/// Memories that share fewer words which say something are near by chance.
const FEWEST: usize = 2;
/// So many newer memories are shown.
const SHOWN: usize = 3;

/// The claims of the text about days and other memories, and what the frontmatter says.
pub(super) fn told(scene: &Scene<'_>, claims: &mut Vec<Claim>) {
    on_days(scene, claims);
    expiry(scene, claims);
    links(scene, claims);
    let keys = &scene.memory.document.header.others;
    for (key, how) in keys.iter().filter(|(key, _)| key.rsplit('.').next() == Some("verify")) {
        let line = line_of_key(scene.memory, key.rsplit('.').next().unwrap_or(key));
        let looked_up = match scene.mentions.all.iter().any(|mention| mention.is_proof) {
            true => "; what it names is looked up as claims of its own",
            false => "",
        };
        let note =
            format!("how to check it, says its author: for you to do, nothing of it is run{looked_up}");
        claims.push(Claim::open(Kind::Verify, how, line, None, note));
    }
}

fn on_days(scene: &Scene<'_>, claims: &mut Vec<Claim>) {
    let (memory, today) = (scene.memory, scene.look.now.date_naive());
    let prose = Prose::of(memory);
    let mut done: HashSet<String> = HashSet::new();
    for sentence in prose.sentences() {
        for date in dates(sentence.text) {
            let range = sentence.start + date.range.start..sentence.start + date.range.end;
            let words = sentence.text.get(date.range.clone()).unwrap_or_default();
            let line = line_of(&memory.bytes, range.start);
            let finding = scene
                .findings
                .iter()
                .find(|found| found.check.0 == "date-past" && found.range.as_ref() == Some(&range));
            let open = Claim::open(Kind::Date, words, line, Some(range), "");
            if let Some(finding) = finding {
                claims.push(open.found(finding));
            } else if done.insert(words.to_lowercase()) {
                claims.push(by_calendar(open, date.span, today));
            }
        }
    }
    for finding in scene.findings.iter().filter(|finding| finding.check.0 == "relative-date") {
        let range = finding.range.clone();
        claims.push(Claim::open(Kind::Date, &finding.about, finding.line, range, "").found(finding));
    }
}

/// What the calendar says of a date that no check finds anything on.
fn by_calendar(claim: Claim, span: Span, today: chrono::NaiveDate) -> Claim {
    let (first, last) = (span.first_day(), span.last_day());
    if first > today {
        return claim.holds(format!("still ahead: in {}", days((first - today).num_days())), Vec::new());
    }
    if last >= today {
        let word = if first == last { "it is today" } else { "it is now" };
        return claim.holds(word, Vec::new());
    }
    let ago = days((today - last).num_days());
    Claim { note: format!("{ago} ago; what happened then can't be looked up"), ..claim }
}

fn expiry(scene: &Scene<'_>, claims: &mut Vec<Claim>) {
    let Some((key, end)) = stale::ends(scene.memory) else { return };
    let line = line_of_key(scene.memory, key);
    let day = (end - chrono::TimeDelta::nanoseconds(1)).date_naive();
    let open = Claim::open(Kind::Expiry, &format!("{key}: {day}"), line, None, "");
    let finding = scene.findings.iter().find(|finding| finding.check.0 == "expired");
    claims.push(match finding {
        Some(finding) => open.found(finding),
        None => {
            let left = days((day - scene.look.now.date_naive()).num_days());
            open.holds(format!("it is to hold for {left} more"), Vec::new())
        }
    });
}

fn links(scene: &Scene<'_>, claims: &mut Vec<Claim>) {
    let memory = scene.memory;
    let mut done: Vec<(&Destination, &str)> = Vec::new();
    for link in scene.look.facts.links.out(&memory.path) {
        let written = if link.to == Destination::Unresolved { link.written.as_str() } else { "" };
        if link.to == Destination::Memory(memory.path.clone()) || done.contains(&(&link.to, written)) {
            continue;
        }
        done.push((&link.to, written));
        let range = range_of(memory, link);
        let open = |note: &str| Claim::open(Kind::Link, &link.written, link.line, range.clone(), note);
        let about = visible(&link.written, false);
        let finding =
            scene.findings.iter().find(|found| found.check.0 == "link-unresolved" && found.about == about);
        claims.push(match (&link.to, finding) {
            (_, Some(finding)) => open("").found(finding),
            (Destination::Memory(to), None) => match of(scene, to) {
                Some(other) => open("").holds(leads_to(scene, other), vec![first_sentence(other)]),
                None => open("it leads to a memory that could not be read"),
            },
            (Destination::Index, None) => open("").holds("it leads to the index", Vec::new()),
            (Destination::Outside, None) => open("it leads out of the store, where nothing is looked at"),
            (Destination::Unresolved, None) => {
                open("no memory of this name is here, if it is meant as a link")
            }
        });
    }
}

fn leads_to(scene: &Scene<'_>, other: &Memory) -> String {
    let age = age::age(other, scene.look.now);
    let changed = match age.days {
        0 => "today".to_owned(),
        count => format!("{} ago", days(i64::from(count))),
    };
    format!("it leads to {}, last changed {changed}", quoted(&other.title()))
}

/// Where the link stands on its line.
fn range_of(memory: &Memory, link: &Outgoing) -> Option<Range<usize>> {
    let line = Lines::new(&memory.bytes, 0).nth(link.line.checked_sub(1)?)?;
    let text = memory.bytes.get(line.clone())?;
    let at = line.start + memchr::memmem::find(text, link.written.as_bytes())?;
    Some(at..at + link.written.len())
}

fn of<'a>(scene: &Scene<'a>, path: &RelPath) -> Option<&'a Memory> {
    scene.look.snapshot.memories.iter().find(|other| other.path == *path).map(AsRef::as_ref)
}

/// The first sentence of what a memory claims.
fn first_sentence(memory: &Memory) -> Evidence {
    nearest_sentence(memory, &HashSet::new())
}

/// The sentence of a memory's claim that has most of these words, at its line.
fn nearest_sentence(memory: &Memory, wanted: &HashSet<String>) -> Evidence {
    let body = memory.body();
    let inside = claim(&body);
    let text = body.get(inside.clone()).unwrap_or_default();
    let mut best: Option<(usize, Range<usize>)> = None;
    for sentence in sentences(text) {
        let said = text.get(sentence.range.clone()).unwrap_or_default();
        let count = words(said).iter().filter(|word| wanted.contains(*word)).count();
        if !said.trim().is_empty() && best.as_ref().is_none_or(|(most, _)| count > *most) {
            best = Some((count, sentence.range));
        }
    }
    let Some((_, range)) = best else {
        let description = memory.document.header.description.as_deref().unwrap_or_default();
        return seen_in(&memory.path, line_of_key(memory, "description"), shown(description));
    };
    // Bytes that are no UTF-8 are longer as text: the line is counted in what is shown.
    let head = body.get(..inside.start + range.start).unwrap_or_default();
    let above = memory.bytes.get(..memory.document.body.start).unwrap_or_default();
    let line = line_of(above, above.len()) + crate::memory::lines::ends(head.as_bytes());
    seen_in(&memory.path, line, shown(text.get(range).unwrap_or_default()))
}

fn words(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2);
    words.map(str::to_lowercase).collect()
}

/// What newer memories say: those that are said to take this one's place, may say the opposite, or are near.
pub(super) fn newer(scene: &Scene<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    let mut named: Vec<&str> = Vec::new();
    let found = scene.findings.iter().filter(|it| ["superseded", "contradicts"].contains(&it.check.0));
    for finding in found {
        let what = if finding.about.is_empty() { "another memory" } else { &finding.about };
        claims.push(Claim::open(Kind::Newer, what, finding.line, None, "").found(finding));
        named.push(&finding.about);
    }
    let memories = &scene.look.snapshot.memories;
    let since = age::age(scene.memory, scene.look.now).since;
    let own = words(scene.memory.body().get(claim(&scene.memory.body())).unwrap_or_default());
    let mut near = Told::of(scene.look.snapshot).near_own(scene.at);
    near.retain(|(_, pair)| pair.score >= NEAR && pair.strong >= FEWEST);
    near.sort_by(|(a, one), (b, two)| two.score.total_cmp(&one.score).then(a.cmp(b)));
    let near = near.into_iter().filter_map(|(at, pair)| {
        let other = memories.get(at)?;
        let days_later = (age::age(other, scene.look.now).since - since).num_days();
        let is_named = named.iter().any(|name| *name == other.path.to_str_lossy());
        (days_later > 0 && !is_named).then_some((other, days_later, pair))
    });
    for (other, later, pair) in near.take(SHOWN) {
        let differs = if pair.differs.is_some() { ", and it differs in something" } else { "" };
        let note = format!("newer by {}, about much the same ({}){differs}: compare", days(later), pair.why);
        let mut claim = Claim::open(Kind::Newer, &other.path.to_str_lossy(), 1, None, note);
        claim.evidence = vec![nearest_sentence(other, &own)];
        claims.push(claim);
    }
    // What is for sure comes first.
    claims.sort_by_key(|claim| claim.verdict != Verdict::Fails);
    claims
}
