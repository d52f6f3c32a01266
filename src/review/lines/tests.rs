use super::*;
use proptest::prelude::*;

fn told(after: &str, before: &str, current: &str) -> (String, usize) {
    let merged = revert(after.as_bytes(), before.as_bytes(), current.as_bytes());
    (String::from_utf8(merged.bytes).unwrap(), merged.conflicts.len())
}

#[test]
fn what_others_did_stays() {
    for (after, before, current, result, conflicts) in [
        // Put back behind the line above it.
        ("a\nc\n", "a\nb\nc\n", "a\nc\nd\n", "a\nb\nc\nd\n", 0),
        // The last line went, the agent appended.
        ("a\n", "a\nb\n", "a\nd\n", "a\nb\nd\n", 0),
        ("a\n", "a\nb", "a\nd\n", "a\nb\nd\n", 0),
        ("a", "a\nb", "a\nd", "a\nb\nd", 0),
        ("", "b\n", "d\n", "b\nd\n", 0),
        // Both neighbours are gone.
        ("a\nc\n", "a\nb\nc\n", "x\ny\n", "x\ny\nb\n", 0),
        ("a\nc\n", "a\nb\nc\n", "c\n", "b\nc\n", 0),
        // Someone put it back already.
        ("a\nc\n", "a\nb\nc\n", "a\nb\nc\nd\n", "a\nb\nc\nd\n", 0),
        ("a\nc\n", "a\nb\nc\n", "a\nc\nb\nd\n", "a\nc\nb\nd\n", 0),
        // A line that was added goes, one that was altered stays.
        ("a\nb\n", "a\n", "x\na\nb\ny\n", "x\na\ny\n", 0),
        ("a\nb one two\nc\n", "a\nc\n", "a\nb one three\nc\n", "a\nb one three\nc\n", 1),
        ("a\nb\nc\n", "a\nc\n", "a\nc\nd\n", "a\nc\nd\n", 0),
        // A line that was rewritten.
        (
            "see X, and Y\nz\n",
            "see [X](x), and Y\nz\n",
            "see X, and Y\nz\nw\n",
            "see [X](x), and Y\nz\nw\n",
            0,
        ),
        (
            "- one two three X\nz\n",
            "- one two three [X](x)\nz\n",
            "- one two four X\nz\n",
            "- one two four X\nz\n",
            1,
        ),
        // Line ends are kept.
        ("a\r\nc\r\n", "a\r\nb\r\nc\r\n", "a\r\nc\r\nd\r\n", "a\r\nb\r\nc\r\nd\r\n", 0),
    ] {
        assert_eq!(
            told(after, before, current),
            (result.to_owned(), conflicts),
            "{after:?} {before:?} {current:?}"
        );
    }
}

fn lines_of(max: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-h]{1,2}", 0..max)
}

/// A list of lines as a file, with and without a final line end.
fn file(lines: &[String], end: &str, open: bool) -> Vec<u8> {
    let text = lines.iter().map(|line| format!("{line}{end}")).collect::<String>();
    let text = if open { text.strip_suffix(end).unwrap_or(&text) } else { &text };
    text.as_bytes().to_vec()
}

fn count(bytes: &[u8], line: &str) -> usize {
    String::from_utf8_lossy(bytes).lines().filter(|found| *found == line).count()
}

proptest! {
    #[test]
    fn unchanged_since_gives_the_bytes_before(after in any::<Vec<u8>>(), before in any::<Vec<u8>>()) {
        prop_assert_eq!(revert(&after, &before, &after).bytes, before);
    }

    #[test]
    fn any_bytes(after in "[ab\n\r]{0,12}", before in "[ab\n\r]{0,12}", current in "[ab\n\r]{0,12}") {
        let merged = revert(after.as_bytes(), before.as_bytes(), current.as_bytes());
        prop_assert!(merged.bytes.len() <= 2 * (before.len() + current.len()) + 2);
    }

    #[test]
    fn foreign_lines_survive_and_none_is_doubled(
        base in lines_of(8),
        taken in prop::collection::vec(any::<bool>(), 8),
        added in prop::collection::vec((0usize..9, "new [0-9]"), 0..3),
        foreign in prop::collection::vec((0usize..12, "agent [0-9]{3}"), 0..4),
        removed in prop::collection::vec(0usize..9, 0..3),
        crlf in any::<bool>(),
        open in any::<[bool; 3]>(),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let mut after: Vec<String> =
            base.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(line, _)| line.clone()).collect();
        for (at, line) in &added {
            after.insert(*at.min(&after.len()), line.clone());
        }
        let mut current = after.clone();
        for at in &removed {
            if *at < current.len() {
                current.remove(*at);
            }
        }
        for (at, line) in &foreign {
            current.insert(*at.min(&current.len()), line.clone());
        }
        let merged = revert(&file(&after, end, open[0]), &file(&base, end, open[1]), &file(&current, end, open[2]));
        for line in foreign.iter().map(|(_, line)| line) {
            let given = current.iter().filter(|l| *l == line).count();
            prop_assert_eq!(count(&merged.bytes, line), given, "{:?}", String::from_utf8_lossy(&merged.bytes));
        }
        // No line more often than in the file before and in what others added together.
        for line in base.iter().chain(&after).chain(&current) {
            let most = base.iter().filter(|l| *l == line).count().max(current.iter().filter(|l| *l == line).count());
            prop_assert!(count(&merged.bytes, line) <= most);
        }
        // Nothing that others removed keeps a line of before from coming back.
        if removed.is_empty() {
            for line in &base {
                prop_assert!(count(&merged.bytes, line) >= base.iter().filter(|l| *l == line).count());
            }
        }
    }
}
