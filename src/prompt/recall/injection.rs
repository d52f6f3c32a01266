//! What would be brought into the conversation: the picked memories as the client's file tool reads them, with the note
//! about their age (CLIENT_FACTS D1). How the client itself words a recall was never seen (D2).

use crate::memory::Time;
use crate::memory::age::client_note;
use crate::memory::path::RelPath;
use crate::memory::snapshot::Snapshot;
use crate::prompt::picture::Wording;
use crate::prompt::read::numbered;
use crate::prompt::wording::Voice;

/// What would be brought in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Injection {
    /// The memories, in the order of the pick.
    pub files: Vec<Injected>,
    /// Whose words the age notes are.
    pub wording: Wording,
}

/// One memory as it would be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Injected {
    /// The file.
    pub path: RelPath,
    /// The whole days that the age note names, by the file's time; `None`: no note.
    pub age_note_days: Option<u32>,
    /// The note, if any, and the numbered lines: raw text, for the terminal through `visible`.
    pub text: String,
}

/// What picking these files would bring in; files that the store lacks are left out.
#[must_use]
pub fn injection(files: &[RelPath], snapshot: &Snapshot, now: Time, voice: &Voice<'_>) -> Injection {
    let mut injected = Vec::new();
    for path in files {
        let Some(memory) = snapshot.memories.iter().find(|memory| memory.path == *path) else { continue };
        // An empty file gets no note.
        let age_note_days = client_note(memory, now).filter(|_| !memory.bytes.is_empty());
        let mut text = age_note_days.map(|days| voice.age_note(days)).unwrap_or_default();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let lines = numbered(&memory.bytes).into_iter().map(|(number, line)| format!("{number}\t{line}"));
        text.push_str(&lines.collect::<Vec<_>>().join("\n"));
        injected.push(Injected { path: path.clone(), age_note_days, text });
    }
    Injection { files: injected, wording: voice.used() }
}
