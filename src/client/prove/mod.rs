//! Proving a preview: the real client runs in a mirror of what matters; what it sends is compared with our preview of the
//! mirror, byte for byte, and our preview of the real place with that of the mirror.

pub mod managed;
pub mod mirror;
mod obeyed;
pub mod reduce;

use crate::client::disk::DiskPort;
use crate::client::learn::Client;
use crate::client::loopback::call;
use crate::client::surroundings;
use crate::client::trouble::Trouble;
use crate::memory::Time;
use crate::memory::text::visible;
use crate::prompt::assemble;
use crate::prompt::picture::{Preview, Role, Section, Wording};
use crate::prompt::port::Environment;
use crate::prompt::session::{Request, Said};
use crate::prompt::words::compare::{Difference, first};
use crate::prompt::words::exchange::{Read, read};
use crate::prompt::words::verdict::{self, Sent};
use crate::prompt::words::{Slot, Words};
use chrono::Utc;
use mirror::{Mirror, moved};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What came of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The client's version.
    pub version: String,
    /// The first place where what the client sent differs from our preview of the mirror.
    pub client: Option<Difference>,
    /// The first place where our preview of the real place differs from that of the mirror.
    pub place: Option<Difference>,
    /// What could not be mirrored, in words.
    pub left_out: Vec<String>,
    /// Words of the client that are not known and would have been needed, perhaps: nothing is proved without them.
    pub unknown: Vec<Slot>,
    /// Whether it was cut off from the network.
    pub sealed: bool,
    /// How long the client ran.
    pub took: Duration,
    /// When it was proved.
    pub at: Time,
}

impl Proof {
    /// Whether the client sent what the preview of the real place says, byte for byte but for the root. Where words are
    /// not known, something may have stayed unseen.
    #[must_use]
    pub fn is_identical(&self) -> bool {
        self.client.is_none() && self.place.is_none() && self.unknown.is_empty()
    }

    /// The proof for a person, line by line, safe to show; `sandbox` says where it ran.
    #[must_use]
    pub fn told(&self, sandbox: &str, now: Time) -> Vec<String> {
        let ago = (now - self.at).as_seconds_f64();
        let mut lines = match (&self.client, &self.place) {
            (None, _) if !self.unknown.is_empty() => {
                vec![format!(
                    "not proved for client {}: words of it that may be needed are not known",
                    self.version
                )]
            }
            (None, None) => vec![format!("identical to client {}, {ago:.1} s ago", self.version)],
            (Some(_), _) => vec![format!("differs from client {}", self.version)],
            (None, Some(_)) => vec![format!(
                "identical to client {} in the mirror, but the mirror differs from the real place",
                self.version
            )],
        };
        for found in [&self.client, &self.place].into_iter().flatten() {
            lines.push(format!("{}, line {}, byte {}:", found.part, found.line, found.byte));
            let names = if self.client.as_ref() == Some(found) {
                ["preview", "client "]
            } else {
                ["here   ", "mirror "]
            };
            for (name, text) in names.iter().zip([&found.ours, &found.theirs]) {
                if text.is_empty() {
                    lines.push(format!("  {name}  (nothing)"));
                }
                lines.extend(text.lines().map(|line| format!("  {name}  {}", visible(line, false))));
            }
        }
        lines.extend(self.left_out.iter().map(|what| format!("not mirrored: {}", visible(what, false))));
        if !self.unknown.is_empty() {
            let names: Vec<&str> = self.unknown.iter().map(|slot| slot.as_str()).collect();
            lines.push(format!("words that are not known: {}", names.join(", ")));
        }
        lines.push(format!("it ran {:.1} s {sandbox}", self.took.as_secs_f64()));
        lines
    }
}

/// Proves the preview of a session that starts in `env.cwd`. `now` is the time that previews have.
///
/// # Errors
/// When the mirror can't be laid out or the run comes to nothing.
pub fn prove(
    client: &Client<'_>,
    words: &Arc<Words>,
    env: &Environment,
    request: &Request,
    now: Time,
) -> Result<Proof, Trouble> {
    let clock = Utc::now();
    let mut mirror = Mirror::lay_out(env, request, clock - now)?;
    // The client may write while it runs: what our preview sees is what was there before.
    let said = Said { words: Some(words.clone()), date: surroundings::day(clock) };
    mirror.request.said = said;
    mirror.request.now = clock;
    let ours = assemble::preview(&DiskPort, &mirror.env, &mirror.request);
    let real = assemble::preview(&DiskPort, env, request);
    let mut job = client.job(&mirror.env.home, &mirror.env.cwd);
    job.env.extend(mirror.env.vars.clone());
    if let Some(zone) = env.var("TZ") {
        job.env.push(("TZ".into(), zone.into()));
    }
    job.args = mirror.args.clone();
    job.reads = mirror.request.open.clone();
    let recorded = client.run(&job)?;
    let reads: Vec<Option<Read>> = (0..job.reads.len())
        .map(|number| recorded.requests.last().and_then(|request| read(request, &call(number))))
        .collect();
    let client_differs = recorded.requests.first().and_then(|request| {
        verdict::compare(&ours, words, &Sent { request, reads: &reads, date: &mirror.request.said.date })
    });
    let unknown = match ours.wording {
        Wording::Learned => verdict::unseen(&ours, words, mirror.request.agent.is_some()),
        _ => words.unknown(),
    };
    Ok(Proof {
        version: client.version.into(),
        client: client_differs,
        place: place_differs(&real, &ours, &mirror),
        left_out: mirror.left_out.clone(),
        unknown,
        sealed: client.sandbox.is_sealed(),
        took: recorded.took,
        at: clock,
    })
}

/// The first difference between the preview of the real place and that of the mirror: sections by path, layer and
/// content, the root replaced, rules in any order.
fn place_differs(real: &Preview, mirrored: &Preview, mirror: &Mirror) -> Option<Difference> {
    let there = |path: &Path| -> PathBuf {
        match path.strip_prefix(&mirror.memory.0) {
            Ok(rest) if rest.as_os_str().is_empty() => mirror.memory.1.clone(),
            Ok(rest) => mirror.memory.1.join(rest),
            Err(_) => moved(path, &mirror.root),
        }
    };
    let same = |path: &Path| path.to_path_buf();
    let told = |preview: &Preview, path: &dyn Fn(&Path) -> PathBuf| {
        let mut text = format!("memory {:?}\n", preview.memory_dir.as_deref().map(path));
        for sections in [&preview.sections, &preview.opened.sections] {
            text.extend(groups(sections, path));
        }
        if let Some(index) = &preview.index {
            let over = (index.lines, index.units, index.kept_lines, index.kept_units);
            text.push_str(&format!("index {over:?}\n"));
        }
        for file in &preview.opened.files {
            text.push_str(&format!("{:?} {:?}\n", path(&file.path), file.age_note_days));
        }
        text
    };
    first("the mirror against the real place", &told(real, &there), &told(mirrored, &same))
}

/// The sections in words, each rule with its imports as one; rules that stand together are sorted.
fn groups(sections: &[Section], path: &dyn Fn(&Path) -> PathBuf) -> Vec<String> {
    let word = |section: &Section| {
        format!("{} {}\n{}\n", section.layer.as_str(), path(&section.path).display(), section.body)
    };
    let mut all: Vec<(bool, String)> = Vec::new();
    for section in sections {
        match all.last_mut().filter(|(is_rule, _)| *is_rule && section.role == Role::Import) {
            Some((_, text)) => text.push_str(&word(section)),
            None => all.push((section.role == Role::Rule, word(section))),
        }
    }
    for run in all.chunk_by_mut(|a, b| a.0 && b.0) {
        run.sort();
    }
    all.into_iter().map(|(_, text)| text).collect()
}
