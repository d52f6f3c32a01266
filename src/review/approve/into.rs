//! A proposal that is made a change of a memory that says much the same.

use crate::memory::document::Document;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::memory::text::lossy;
use crate::review::edit::find;
use crate::review::merge;
use crate::review::plan::Refusal;
use crate::review::proposal::{Action, Proposal, sha256};

/// The proposal as a change of another memory, whose text stays with that of the proposal behind it: for a person to
/// adapt. Until it is approved it is as inert as before.
///
/// # Errors
/// When there is no such memory, it is a link, the proposal has no text, or the text would be read as frontmatter.
pub fn into(snapshot: &Snapshot, proposal: &Proposal, path: &RelPath) -> Result<Proposal, Refusal> {
    let memory = find(snapshot, path)?;
    let Some(bytes) = proposal.bytes.as_deref().filter(|_| proposal.action != Action::Delete) else {
        return Err(Refusal {
            what: "a deletion has no text to be merged; nothing was changed".into(),
            hint: String::new(),
        });
    };
    let own = memory.body();
    let text = lossy(bytes.get(Document::parse(bytes).body).unwrap_or_default());
    let (own, text) = (own.trim_end(), text.trim());
    let both = if own.trim().is_empty() { text.to_owned() } else { format!("{own}\n\n{text}") };
    let bytes = merge::with_body(snapshot, path, &both)?;
    Ok(Proposal {
        action: Action::Change,
        target: path.clone(),
        base: Some(sha256(&memory.bytes)),
        bytes: Some(bytes.into()),
        index_line: None,
        // From then on it is about a memory.
        alone: false,
        ..proposal.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::proposal::Origin;
    use crate::review::rename::tests::store;

    #[test]
    fn both_texts_stand_in_the_memory() {
        let snapshot = store(&[("a.md", "---\nname: a # x\n---\n\nOne.\n"), ("MEMORY.md", "- [a](a.md)\n")]);
        let target = RelPath::new("b.md").unwrap();
        let proposal = Proposal {
            id: "1".into(),
            action: Action::Add,
            target: target.clone(),
            base: None,
            origin: Origin::default(),
            time: None,
            reason: None,
            index_line: Some("- [b](b.md)".into()),
            bytes: Some(b"---\nname: b\n---\n\nTwo.\n".as_slice().into()),
            alone: false,
            notes: Vec::new(),
        };
        let a = RelPath::new("a.md").unwrap();
        let made = into(&snapshot, &proposal, &a).unwrap();
        assert_eq!(made.bytes.as_deref(), Some(b"---\nname: a # x\n---\n\nOne.\n\nTwo.\n".as_slice()));
        assert_eq!((made.action, &made.target, made.index_line), (Action::Change, &a, None));
        assert!(into(&snapshot, &proposal, &target).is_err());
        let deletion = Proposal { action: Action::Delete, bytes: None, ..proposal };
        assert!(into(&snapshot, &deletion, &a).is_err());
    }
}
