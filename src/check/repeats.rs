//! What the project says anyway: its instructions, its files and manifests, its history.
//!
//! Only the claim is looked at (what stands before Why and How to apply): a reason is what a memory is for. A claim
//! that is repeated for the most part is a warning; one passage of a longer one is information.

mod claims;
mod history;
mod instructions;
mod listing;
mod repository;

use super::{Check, CheckId, Depth};

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: CheckId("repeats-instructions"),
        means: "A CLAUDE.md, a rule or an import already says this, in the same or in other words; it loads in every \
                session, so the memory takes room for nothing. Keep what it adds: the reason, the surprise.",
        depth: Depth::Deep,
        look: instructions::look,
    },
    Check {
        id: CheckId("repeats-repository"),
        means: "The project's files show this: a list of paths, a version, script or command of a manifest, a sentence \
                of the README. An agent can read it there, where it stays current. Keep what was surprising, or why.",
        depth: Depth::Deep,
        look: repository::look,
    },
    Check {
        id: CheckId("repeats-history"),
        means: "The commit log tells this account of a change. Keep the lesson, if there is one.",
        depth: Depth::Deep,
        look: history::look,
    },
];

#[cfg(test)]
mod tests;
