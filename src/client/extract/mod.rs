//! Memories out of a conversation, by a model that the person configured ([`crate::client::model`]): what is sent
//! ([`render`], [`prompt`]), and what of its answer is taken ([`answer`]).

pub mod answer;
pub mod consent;
pub mod prompt;
pub mod render;

#[cfg(test)]
pub(crate) mod tests {
    use super::answer;
    use crate::client::model::{Trouble, ask};
    use crate::memory::Time;
    use crate::memory::document::Document;
    use crate::memory::path::RelPath;
    use crate::memory::snapshot::{Memory, Snapshot, Stat};
    use std::sync::Arc;

    /// A store of these memories.
    pub(crate) fn store(files: &[(&str, &str)]) -> Snapshot {
        let memory = |(path, text): &(&str, &str)| {
            let stat = Stat { mtime: Time::UNIX_EPOCH, mode: 0o600, link: None };
            let (path, document) = (RelPath::new(path).unwrap(), Document::parse(text.as_bytes()));
            Arc::new(Memory { path, bytes: text.as_bytes().into(), document, stat })
        };
        Snapshot { memories: files.iter().map(memory).collect(), ..Snapshot::default() }
    }

    #[test]
    fn a_malformed_answer_is_asked_for_once_more() {
        let store = Snapshot::default();
        let read = |text: &str| answer::read(text, &store, &|text| text.into());
        let mut asked = Vec::new();
        let mut answers = vec!["{\"memories\": []}", "no"];
        let got = ask(
            "P",
            &mut |prompt| {
                asked.push(prompt.to_owned());
                Ok(answers.pop().unwrap().to_owned())
            },
            &read,
        );
        assert!(got.unwrap().memories.is_empty());
        assert_eq!(asked.len(), 2);
        assert!(
            asked[1].starts_with("P\n")
                && asked[1].contains("could not be read")
                && asked[1].contains("\nno\n")
        );
        let mut count = 0;
        let got = ask(
            "P",
            &mut |_| {
                count += 1;
                Ok("still no".into())
            },
            &read,
        );
        assert!(matches!(got, Err(Trouble::Malformed { answer, .. }) if answer == "still no"));
        assert_eq!(count, 2, "and no third time");
        let got = ask("P", &mut |_| Err(Trouble::Stopped), &read);
        assert!(matches!(got, Err(Trouble::Stopped)));
    }
}
