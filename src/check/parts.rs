//! The parts of a memory that help an agent to use it: Why and How to apply.

use super::{Check, CheckId, Depth, Fix, Found, Severity};
use crate::memory::body::{self, PartKind};
use crate::memory::document::MemoryType;
use crate::memory::extended::{self, Key};
use crate::memory::lines::line_of;
use crate::memory::pattern::Pattern;
use crate::memory::snapshot::Memory;
use crate::memory::text::lossy;
use std::sync::LazyLock;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: CheckId("why-missing"),
        means: "A feedback memory (or, less often a fault, a project memory) does not say why, so an agent can't tell \
                where it stops to hold.",
        depth: Depth::Quick,
        look: |store, found| {
            for memory in &store.snapshot.memories {
                let severity = match memory.document.header.kind {
                    MemoryType::Feedback => Severity::Warning,
                    MemoryType::Project => Severity::Info,
                    _ => continue,
                };
                part_missing(memory, PartKind::Why, severity, found);
            }
        },
    },
    Check {
        id: CheckId("how-missing"),
        means: "A feedback memory does not say how to apply it.",
        depth: Depth::Quick,
        look: |store, found| {
            for memory in &store.snapshot.memories {
                if memory.document.header.kind == MemoryType::Feedback {
                    part_missing(memory, PartKind::How, Severity::Info, found);
                }
            }
        },
    },
];

/// Reports a part that is not there, or has no text behind its label.
fn part_missing(memory: &Memory, kind: PartKind, severity: Severity, found: &mut Found) {
    let bytes = memory.bytes.get(memory.document.body.clone()).unwrap_or_default();
    let parts = body::parts(bytes);
    let label = if kind == PartKind::Why { "Why" } else { "How to apply" };
    let mut of_kind = parts.iter().filter(|part| part.kind == kind).peekable();
    if let Some(first) = of_kind.peek() {
        let at = memory.document.body.start + first.label.start;
        let is_blank = |range: &std::ops::Range<usize>| {
            bytes.get(range.clone()).unwrap_or_default().iter().all(|byte| byte.is_ascii_whitespace())
        };
        // A heading may be followed by headings of its own.
        if of_kind.all(|part| is_blank(&part.content)) {
            let line = line_of(&memory.bytes, at);
            let message = format!("nothing stands behind the label {label}");
            let finding = found.add(severity, &memory.path, line, message, Vec::new());
            finding.fixes.push(Fix::Edit);
        }
        return;
    }
    // It may stand in the frontmatter.
    let key = if kind == PartKind::Why { Key::Reason } else { Key::Application };
    if extended::field(&memory.document.header, key).is_some() {
        return;
    }
    // A reason given in a sentence is one too; a memory of one line is read whole anyway.
    if kind == PartKind::Why && REASON.is_match(&lossy(bytes)) {
        return;
    }
    let line = line_of(&memory.bytes, memory.document.body.start);
    let finding = found.add(severity, &memory.path, line, format!("there is no part {label}"), Vec::new());
    finding.fixes.push(Fix::Edit);
}

/// Words that give a reason.
static REASON: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)\b(?:because|the reason|so that|otherwise|after (?:an?|the) (?:outage|incident)|weil|denn|damit|sonst|grund|parce que|puisque|car|afin que|sinon|porque|ya que|puesto que|para que|de lo contrario|pois|já que|uma vez que|senão)\b|ため|ので|から(?:だ|です|。)|理由|때문|이유|므로|因为|因為|由于|由於|以免|否则|原因",
    )
});

#[cfg(test)]
mod tests;
