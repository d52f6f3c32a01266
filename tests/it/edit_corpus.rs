//! Byte-exact edits on every memory of our fixtures, and of the 35 real stores where they are.

use crate::corpus::{corpus, fixtures, read};
use memcurator::memory::body::PartKind;
use memcurator::memory::document::{Document, Reading};
use memcurator::memory::edit::{Place, add_part, fields, part_texts, remove_field, set_field, set_part};
use std::path::PathBuf;

/// Every memory of our fixtures, and of the corpus where it is.
fn memories() -> Vec<(PathBuf, Vec<u8>)> {
    let roots = std::iter::once(fixtures()).chain(corpus());
    let each = roots
        .flat_map(|root| read(&root).memories.into_iter().map(move |m| (root.join(m.path.as_path()), m)));
    each.map(|(path, memory)| (path, memory.bytes.to_vec())).collect()
}

/// What a field can't be set in: a frontmatter that is never closed.
fn is_open(bytes: &[u8]) -> bool {
    bytes.starts_with(b"---") && Document::parse(bytes).frontmatter.is_none()
}

/// What differs: the range in `before` and the bytes in `after`.
fn difference<'a>(before: &[u8], after: &'a [u8]) -> (std::ops::Range<usize>, &'a [u8]) {
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let most = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    (head..before.len() - tail, &after[head..after.len() - tail])
}

#[test]
fn the_description_of_every_memory_changes_and_changes_back() {
    let memories = memories();
    let mut refused = Vec::new();
    for (path, before) in &memories {
        for text in ["Say it: \"so\" #1 --- and\nmore", "Say it so"] {
            let old = fields(before).into_iter().find(|f| f.place == Place::Top && f.key == "description");
            let after = match set_field(before, Place::Top, "description", text) {
                Ok(after) => after,
                Err(why) => {
                    refused.extend((!is_open(before)).then(|| format!("{}: {why}", path.display())));
                    continue;
                }
            };
            let (range, written) = difference(before, &after);
            match &old {
                Some(old) => {
                    assert!(
                        range.start >= old.value.start && range.end <= old.value.end,
                        "{}",
                        path.display()
                    );
                    let back = set_field(&after, Place::Top, "description", &old.text).unwrap();
                    let read = fields(&back).into_iter().find(|f| f.key == "description").unwrap().text;
                    assert_eq!(read, old.text);
                }
                None => {
                    assert!(range.is_empty(), "{}: only an insertion", path.display());
                    assert!(String::from_utf8_lossy(written).contains("description: "));
                    let gone = remove_field(&after, Place::Top, "description").unwrap();
                    assert!(gone == *before || !before.starts_with(b"---"), "{}", path.display());
                }
            }
            let new = fields(&after).into_iter().find(|f| f.key == "description").unwrap();
            assert_eq!(new.text, text, "{}", path.display());
        }
    }
    assert!(refused.is_empty(), "{} of {}:\n{}", refused.len(), memories.len(), refused.join("\n"));
}

#[test]
fn a_missing_how_is_added_and_every_part_can_be_set() {
    let memories = memories();
    let mut refused = Vec::new();
    let (mut added, mut set) = (0, 0);
    for (path, before) in &memories {
        let old = part_texts(before);
        if old.iter().all(|(part, _)| part.kind != PartKind::How) {
            match add_part(before, PartKind::How, "In every release.\nAlways.") {
                Ok(after) => {
                    added += 1;
                    let (range, _) = difference(before, &after);
                    assert!(range.is_empty(), "{}", path.display());
                    let new = part_texts(&after);
                    assert_eq!(new[..old.len()], old);
                    assert_eq!(new.last().unwrap().1, "In every release.\nAlways.");
                }
                Err(why) => refused.push(format!("{}: {why}", path.display())),
            }
        }
        for (at, (which, text)) in old.iter().enumerate() {
            assert_eq!(set_part(before, *which, text).as_ref(), Ok(before), "{}", path.display());
            // A section without a label of its own starts with its heading.
            let new = if which.kind == PartKind::Other {
                format!("{text}\n\nmore")
            } else {
                "new\n\ntext".to_owned()
            };
            match set_part(before, *which, &new) {
                Ok(after) => {
                    set += 1;
                    let mut expected = old.clone();
                    expected[at].1 = new;
                    assert_eq!(part_texts(&after), expected, "{}", path.display());
                    if is_open(before) {
                        continue;
                    }
                    let back = set_part(&after, *which, text).unwrap();
                    assert!(
                        back == *before
                            || before.contains(&b'\r')
                            || text.is_empty()
                            || text.contains('\u{fffd}'),
                        "{}",
                        path.display()
                    );
                }
                Err(why) => refused.push(format!("{} {which:?}: {why}", path.display())),
            }
        }
    }
    println!("{added} parts added, {set} set, {} refused", refused.len());
    assert!(refused.len() * 100 <= set, "{}", refused.join("\n"));
}

#[test]
fn broken_frontmatter_is_repaired_or_left() {
    let memories = memories();
    let (mut repaired, mut left, mut lossy) = (0, Vec::new(), 0);
    for (path, before) in &memories {
        if Document::parse(before).frontmatter.is_some_and(|b| b.reading == Reading::Lenient) {
            match memcurator::memory::edit::repair_broken(before) {
                Ok(after) => {
                    repaired += 1;
                    assert_eq!(Document::parse(&after).frontmatter.unwrap().reading, Reading::Yaml);
                    let header = |bytes: &[u8]| Document::parse(bytes).header.description;
                    assert_eq!(header(&after), header(before), "{}", path.display());
                }
                Err(why) => left.push(format!("{}: {why}", path.display())),
            }
        }
        for (place, key) in memcurator::memory::edit::repairable(before) {
            lossy += 1;
            let after = memcurator::memory::edit::repair_field(before, place, &key);
            assert!(after.is_ok(), "{} {key}: {after:?}", path.display());
        }
    }
    println!("{repaired} repaired, {lossy} values quoted, left:\n{}", left.join("\n"));
    assert!(repaired > left.len(), "most broken frontmatter lacks quotes only");
}
