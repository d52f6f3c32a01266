//! Literal writes in a shell command: `echo`, `printf` or `cat` with a here-document, and one redirection into a file.
//! Pure, and strict: what could mean anything else (an expansion, a pipe, a second command) is none.

use std::path::PathBuf;

/// A file that a command writes, and the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellWrite {
    /// The file, as it is named; it may be relative.
    pub path: PathBuf,
    /// The text.
    pub text: String,
    /// It is added at the end (`>>`), not written over it (`>`).
    pub appends: bool,
}

/// What a command writes, when it is one literal write and nothing else.
#[must_use]
pub fn literal_write(command: &str) -> Option<ShellWrite> {
    let command = command.trim_matches([' ', '\t', '\n']);
    let (line, rest) = command.split_once('\n').map_or((command, None), |(line, rest)| (line, Some(rest)));
    let first = line.split_whitespace().next()?;
    match first {
        "cat" => here_document(line, rest?),
        "echo" | "printf" => {
            let words = words(command)?;
            let (words, path, appends) = redirected(&words)?;
            let text = if first == "echo" { echo(&words)? } else { printf(&words)? };
            Some(ShellWrite { path, text, appends })
        }
        _ => None,
    }
}

/// A word, and whether it is an operator of redirection.
#[derive(Debug, PartialEq)]
enum Word {
    Text(String),
    Into { appends: bool },
}

/// The words of a command without anything that a shell would expand; `None` when there is such a thing.
fn words(command: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => words.extend(word.take().map(Word::Text)),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '$' | '`' => return None,
                        '\\' => match chars.next()? {
                            c @ ('$' | '`' | '"' | '\\') => word.push(c),
                            '\n' => {}
                            c => word.extend(['\\', c]),
                        },
                        c => word.push(c),
                    }
                }
            }
            '>' => {
                // A number before it names another stream than the output.
                if word.as_ref().is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit())) {
                    return None;
                }
                words.extend(word.take().map(Word::Text));
                let appends = chars.next_if_eq(&'>').is_some();
                if chars.next_if(|c| matches!(c, '&' | '|' | '(')).is_some() {
                    return None;
                }
                words.push(Word::Into { appends });
            }
            '\\' => match chars.next()? {
                '\n' => {}
                c => word.get_or_insert_default().push(c),
            },
            '~' if word.is_none() => return None,
            '#' if word.is_none() => return None,
            '$' | '`' | '|' | '&' | ';' | '<' | '(' | ')' | '{' | '}' | '*' | '?' | '[' | ']' | '!'
            | '\n' => {
                return None;
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word.map(Word::Text));
    Some(words)
}

/// The words without their one redirection at the end, and where it leads.
fn redirected(words: &[Word]) -> Option<(Vec<&str>, PathBuf, bool)> {
    let [before @ .., Word::Into { appends }, Word::Text(path)] = words else { return None };
    let before: Option<Vec<&str>> = before
        .iter()
        .map(|word| match word {
            Word::Text(text) => Some(text.as_str()),
            Word::Into { .. } => None,
        })
        .collect();
    (!path.is_empty()).then_some((before?, path.into(), *appends))
}

/// What `echo` prints; a backslash means another thing in each shell unless `-e` or `-E` says it.
fn echo(words: &[&str]) -> Option<String> {
    let mut words = words.iter().skip(1).peekable();
    let (mut ends, mut escapes) = (true, false);
    while let Some(option) = words.next_if(|word| is_option(word)) {
        for letter in option.chars().skip(1) {
            match letter {
                'n' => ends = false,
                'e' => escapes = true,
                _ => escapes = false,
            }
        }
    }
    let mut text = words.copied().collect::<Vec<_>>().join(" ");
    if escapes {
        text = unescaped(&text)?;
    }
    if ends {
        text.push('\n');
    }
    Some(text)
}

fn is_option(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|letters| {
        !letters.is_empty() && letters.chars().all(|letter| matches!(letter, 'n' | 'e' | 'E'))
    })
}

/// What `printf` prints: a format without conversions, or `%s` alone (with line ends) for each of the others.
fn printf(words: &[&str]) -> Option<String> {
    let [_, format, values @ ..] = words else { return None };
    if format.starts_with('-') {
        return None;
    }
    let format = unescaped(format)?;
    if values.is_empty() {
        let text = format.replace("%%", "\0");
        return (!text.contains('%')).then(|| text.replace('\0', "%"));
    }
    // The format is used again until no value is left.
    let pieces: Vec<&str> = format.split("%s").collect();
    let is_plain = pieces.len() == 2 && !pieces.iter().any(|piece| piece.contains('%'));
    is_plain.then(|| values.iter().map(|value| pieces.join(value)).collect())
}

/// Escapes that every shell knows.
fn unescaped(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        plain.push(match c {
            '\\' => match chars.next()? {
                'n' => '\n',
                't' => '\t',
                '\\' => '\\',
                '"' => '"',
                _ => return None,
            },
            c => c,
        });
    }
    Some(plain)
}

/// `cat > FILE <<'END'`, in either order of the two.
fn here_document(line: &str, body: &str) -> Option<ShellWrite> {
    let (before, after) = line.split_once("<<")?;
    if after.starts_with('<') {
        return None;
    }
    let (strips, after) = after.strip_prefix('-').map_or((false, after), |after| (true, after));
    let after = after.trim_start_matches([' ', '\t']);
    let word_ends = after.find([' ', '\t', '>']).unwrap_or(after.len());
    let (word, behind) = after.split_at_checked(word_ends)?;
    let end = word.trim_matches(['\'', '"']);
    let is_quoted = end.len() + 2 == word.len();
    if end.is_empty() || !end.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let words = words(&format!("{before} {behind}"))?;
    let (words, path, appends) = redirected(&words)?;
    if words != ["cat"] {
        return None;
    }
    let mut text = String::new();
    let mut lines = body.split_inclusive('\n');
    loop {
        let line = lines.next()?;
        let line = if strips { line.trim_start_matches('\t') } else { line };
        if line.strip_suffix('\n').unwrap_or(line) == end {
            break;
        }
        text.push_str(line);
    }
    if lines.any(|line| !line.trim().is_empty()) {
        return None;
    }
    // Without quotes around its end the shell expands what stands in it.
    (is_quoted || !text.contains(['$', '`', '\\'])).then_some(ShellWrite { path, text, appends })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_writes_are_read() {
        for (command, path, text, appends) in [
            ("echo hello > /m/a.md", "/m/a.md", "hello\n", false),
            ("echo '- [A](a.md) — $x' >> /m/MEMORY.md", "/m/MEMORY.md", "- [A](a.md) — $x\n", true),
            ("echo \"a \\\"b\\\" \\\\ c\">>\"/m/x y.md\"", "/m/x y.md", "a \"b\" \\ c\n", true),
            ("echo -n a  b > m.md", "m.md", "a b", false),
            ("echo -e 'a\\nb' > m.md", "m.md", "a\nb\n", false),
            ("echo 'two\nlines' > m.md", "m.md", "two\nlines\n", false),
            ("printf 'a\\nb\\n' > m.md", "m.md", "a\nb\n", false),
            ("printf '%s\\n' one 'two three' >> m.md", "m.md", "one\ntwo three\n", true),
            ("printf '100%%' > m.md", "m.md", "100%", false),
            (
                "cat > /m/a.md <<'EOF'\n---\nname: $a\n---\n\nEOF x\nEOF\n",
                "/m/a.md",
                "---\nname: $a\n---\n\nEOF x\n",
                false,
            ),
            ("cat <<EOF >> m.md\nplain\nEOF", "m.md", "plain\n", true),
            ("cat <<-\"E\" > m.md\n\tin\n\tE", "m.md", "in\n", false),
        ] {
            let want = ShellWrite { path: path.into(), text: text.into(), appends };
            assert_eq!(literal_write(command), Some(want), "{command}");
        }
    }

    #[test]
    fn whatever_could_mean_something_else_is_none() {
        for command in [
            "",
            "cat /m/a.md",
            "echo hello",
            "echo $HOME > a",
            "echo \"$HOME\" > a",
            "echo `id` > a",
            "echo \"`id`\" > a",
            "echo a > b > c",
            "echo a > b c",
            "echo a 2> b",
            "echo a >& b",
            "echo a &> b",
            "echo a >| b",
            "echo a > >(tee b)",
            "echo a > ~/b",
            "echo * > a",
            "echo {a,b} > a",
            "echo a > b; rm c",
            "echo a > b && rm c",
            "echo a > b\nrm c",
            "echo a | tee b",
            "echo a > 'b",
            "echo a # > b",
            "cd /m && echo a > b",
            "echo -e '\\x41' > a",
            "printf '%d' 1 > a",
            "printf '%s %s' a b > a",
            "printf -v x > a",
            "printf > a",
            "cat > a",
            "cat b > a <<'E'\nx\nE",
            "cat > a <<'E'\nx\n",
            "cat > a <<'E'\nx\nE\nrm b",
            "cat > a <<E\n$x\nE",
            "cat <<< x > a",
            "tee a <<'E'\nx\nE",
        ] {
            assert_eq!(literal_write(command), None, "{command}");
        }
    }
}
