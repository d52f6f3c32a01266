//! What the agent sees when it reads a memory's file (CLIENT_FACTS D1): numbered lines, and before them a note about the
//! file's age.

/// The lines with which a file is read, the number and a tab before each: CR LF is shown as LF, and a file that ends in
/// a line end has a last, empty line. Bytes that are not UTF-8 become U+FFFD. Empty for an empty file, of which the
/// client only says that it is empty.
#[must_use]
pub fn numbered(bytes: &[u8]) -> Vec<(usize, String)> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    text.split('\n').enumerate().map(|(at, line)| (at + 1, line.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_with_a_last_empty_one() {
        let of = |text: &str| -> Vec<String> {
            numbered(text.as_bytes()).into_iter().map(|(number, line)| format!("{number}\t{line}")).collect()
        };
        assert_eq!(of("a\r\nb\n"), ["1\ta", "2\tb", "3\t"]);
        assert_eq!(of("a"), ["1\ta"]);
        assert_eq!(of("a\rb"), ["1\ta\rb"]);
        assert_eq!(of("\n"), ["1\t", "2\t"]);
        assert!(of("").is_empty());
    }
}
