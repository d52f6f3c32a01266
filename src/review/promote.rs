//! A memory becomes part of the instructions: its text, adapted by the person, goes into a `CLAUDE.md` or a rule
//! of the user or the project, and the memory goes.

mod destination;

pub use destination::{Destination, Roots, Target, with_text};

use crate::memory::index::ParkedLine;
use crate::memory::links::Links;
use crate::memory::path::RelPath;
use crate::memory::snapshot::{Memory, Snapshot};
use crate::memory::text::visible;
use crate::review::edit::{find, named};
use crate::review::plan::{Content, OutsideChange, Plan, Refusal, Verb};
use crate::review::prune;

/// Moves a memory into a file outside of the store, in one step. The caller has read the target, and has made
/// sure that it is one of the files that `prompt` finds.
///
/// # Errors
/// When there is no such memory, the target is not an absolute path outside of the store, is a link or would not
/// change, or the index could not be edited safely.
pub fn promote(
    snapshot: &Snapshot,
    parked: &[ParkedLine],
    path: &RelPath,
    target: OutsideChange,
) -> Result<Plan, Refusal> {
    let memory = find(snapshot, path)?;
    let shown = visible(&target.path.to_string_lossy(), false).into_owned();
    let refuse = |why: &str, hint: &str| {
        Err(Refusal { what: format!("{shown} {why}; nothing was changed"), hint: hint.to_owned() })
    };
    let inside = target.path.starts_with(&snapshot.root);
    if !target.path.is_absolute() || inside || target.path.components().any(|c| c.as_os_str() == "..") {
        return refuse("is not an absolute path outside of the store", "choose a CLAUDE.md or a rule");
    }
    let Content::File(after) = &target.after.content else {
        return refuse("would become a link", "choose the file that it points to");
    };
    let before = match target.before.as_ref().map(|state| &state.content) {
        None => &[],
        Some(Content::File(bytes)) => bytes.as_ref(),
        Some(Content::Link(_)) => return refuse("is a link", "choose the file that it points to"),
    };
    if before == after.as_ref() || after.trim_ascii().is_empty() {
        return refuse("would not get any text", "write what it shall say");
    }
    let linked = Links::of(snapshot).linked_from(path).len();
    let plan = prune::delete(snapshot, parked, std::slice::from_ref(path))?;
    let mut warnings = plan.warnings;
    let added = after.get(before.len()..).unwrap_or(after);
    if added.windows(2).any(|pair| pair == b"[[") {
        warnings.push("the text has [[links]], which lead to no memory among instructions".into());
    }
    match linked {
        0 => {}
        1 => warnings.push("1 other memory links to it; that link will lead nowhere".into()),
        many => warnings.push(format!("{many} other memories link to it; these links will lead nowhere")),
    }
    Ok(Plan {
        verb: Verb::Promote,
        message: format!("promoted {} to {shown}", named(memory)),
        outside: vec![target],
        changes: plan.changes,
        parked: plan.parked,
        warnings,
    })
}

/// The text that a memory would have among the instructions, for the person to adapt: its body.
#[must_use]
pub fn proposal(memory: &Memory) -> String {
    let body = memory.body().replace("\r\n", "\n").replace('\r', "\n");
    body.trim_matches('\n').trim_end().to_owned()
}

#[cfg(test)]
mod tests;
