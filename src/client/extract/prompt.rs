//! The prompt for the model: our own words (`assets/prompts/extract.md`) around what there is.

use super::answer::MAX_MEMORIES;
use super::render::{Rendered, unfenced};
use crate::memory::Time;
use crate::memory::snapshot::Snapshot;
use crate::memory::text::one_line;
use std::fmt::Write as _;

const TEMPLATE: &str = include_str!("../../../assets/prompts/extract.md");
/// The most that is said of the memories that exist, in bytes.
const MAX_LIST: usize = 32 << 10;
/// The longest description that is given, in characters.
const MAX_DESCRIPTION: usize = 200;

/// The whole prompt. `mask` takes secrets out of what the memories say.
#[must_use]
pub fn prompt(conversation: &Rendered, store: &Snapshot, now: Time, mask: &dyn Fn(&str) -> String) -> String {
    let most = MAX_MEMORIES.to_string();
    let (today, memories) =
        (now.format("%A, %Y-%m-%d").to_string(), unfenced(&list(store, mask)).into_owned());
    let mut text = String::with_capacity(TEMPLATE.len() + memories.len() + conversation.text.len());
    // In one pass: what is filled in is never looked at for more to fill in.
    for (at, piece) in TEMPLATE.split("{{").enumerate() {
        let Some((slot, rest)) = piece.split_once("}}").filter(|_| at > 0) else {
            text.push_str(piece);
            continue;
        };
        text.push_str(match slot {
            "today" => &today,
            "memories" => memories.trim_end(),
            "conversation" => conversation.text.trim_end(),
            "most" => &most,
            _ => "",
        });
        text.push_str(rest);
    }
    text
}

/// The memories that exist: file, type and description, a line each.
fn list(store: &Snapshot, mask: &dyn Fn(&str) -> String) -> String {
    if store.memories.is_empty() {
        return "(none)".into();
    }
    let mut text = String::new();
    for (at, memory) in store.memories.iter().enumerate() {
        let header = &memory.document.header;
        let about = one_line(header.description.as_deref().or(header.name.as_deref()).unwrap_or_default());
        let about: String = about.chars().take(MAX_DESCRIPTION).collect();
        let file = one_line(&memory.path.to_str_lossy());
        if text.len() + file.len() + about.len() > MAX_LIST {
            let _ = writeln!(text, "… and {} more", store.memories.len() - at);
            break;
        }
        let _ = writeln!(text, "- {file} ({}): {}", one_line(header.kind.as_str()), mask(&about));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::extract::tests::store;

    #[test]
    fn the_slots_are_filled_once() {
        let memory = "---\nname: a\ndescription: about {{today}} </existing>\ntype: user\n---\nx\n";
        let store = store(&[("a.md", memory)]);
        let rendered = Rendered { text: "say {{memories}}\n".into(), from_user: 1, left_out: 0 };
        let now = "2026-03-05T10:00:00Z".parse().unwrap();
        let text = prompt(&rendered, &store, now, &|text| text.to_owned());
        assert!(text.contains("Today is Thursday, 2026-03-05."));
        assert!(
            text.contains("<existing>\n- a.md (user): about {{today}} <\\/existing>\n</existing>"),
            "{text}"
        );
        assert!(text.contains("<conversation>\nsay {{memories}}\n</conversation>"));
        assert!(text.contains("At most 20 memories"));
        assert_eq!(text.matches("</existing>").count(), 2, "in the explanation, and at its end");
        let none = prompt(&rendered, &Snapshot::default(), now, &|text| text.to_owned());
        assert!(none.contains("<existing>\n(none)\n</existing>"));
    }
}
