//! What a shell command does to a store. Strict: what is not read for sure as a literal write, a deletion, or looking alone is
//! unclear, and refused with a word how to do it.

use crate::client::transcript::bash::{self, ShellWrite};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use std::str::Chars;

/// What a command does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shell {
    /// Nothing to a store.
    Passes,
    /// One literal write of a file in a store.
    Write(ShellWrite),
    /// It removes these files of stores.
    Delete(Vec<PathBuf>),
    /// It may write into a store.
    Unclear,
}

/// What is known about stores while a command is read.
pub trait Known {
    /// Whether a path is a store or in one.
    fn covers(&self, path: &Path) -> bool;
    /// Whether a text names one.
    fn named_in(&self, command: &str) -> bool;
}

/// Reads a command that is run in `cwd`.
#[must_use]
pub fn read(command: &str, cwd: &Path, known: &dyn Known) -> Shell {
    if let Some(write) = bash::literal_write(command) {
        return if known.covers(&cwd.join(&write.path)) { Shell::Write(write) } else { Shell::Passes };
    }
    if !known.named_in(command) && !known.covers(cwd) {
        return Shell::Passes;
    }
    let Some(commands) = parse(command) else { return Shell::Unclear };
    if let [only] = commands.as_slice()
        && let Some(files) = removed(only)
    {
        let files: Vec<PathBuf> = files.iter().map(|file| cwd.join(file)).collect();
        let inside = files.iter().filter(|file| known.covers(file)).count();
        return match inside {
            0 => Shell::Passes,
            all if all == files.len() => Shell::Delete(files),
            _ => Shell::Unclear,
        };
    }
    let moves = commands.iter().any(|command| command.name() == Some("cd"));
    let elsewhere = |word: &Word| {
        let path = Path::new(&word.text);
        word.literal
            && !word.text.is_empty()
            && (path.is_absolute() || !moves)
            && !known.covers(&cwd.join(path))
    };
    if commands.iter().all(|command| looks_only(command, &elsewhere)) {
        Shell::Passes
    } else {
        Shell::Unclear
    }
}

/// A word, and whether it stands for itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Word {
    text: String,
    literal: bool,
}

/// A program with its arguments, and the files that its output goes to.
#[derive(Debug, Default)]
struct Simple {
    words: Vec<Word>,
    into: Vec<Word>,
}

impl Simple {
    fn name(&self) -> Option<&str> {
        self.words.first().filter(|word| word.literal).map(|word| word.text.as_str())
    }

    fn args(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }
}

/// Programs that write nothing, whatever they are told.
const LOOKING: [&str; 33] = [
    "cat",
    "head",
    "tail",
    "grep",
    "egrep",
    "fgrep",
    "wc",
    "ls",
    "stat",
    "du",
    "cmp",
    "comm",
    "cut",
    "tr",
    "nl",
    "od",
    "md5sum",
    "sha1sum",
    "sha256sum",
    "cksum",
    "basename",
    "dirname",
    "realpath",
    "readlink",
    "pwd",
    "cd",
    "test",
    "[",
    "true",
    "false",
    "echo",
    "sleep",
    "jq",
];

/// Whether a command only looks. `elsewhere` says of a file that it is outside of all stores.
fn looks_only(command: &Simple, elsewhere: &dyn Fn(&Word) -> bool) -> bool {
    let quiet = |word: &Word| word.literal && word.text == "/dev/null";
    if !command.into.iter().all(|word| quiet(word) || elsewhere(word)) {
        return false;
    }
    let Some(name) = command.name() else { return command.words.is_empty() };
    let args = command.args();
    let has =
        |starts: &[&str]| args.iter().any(|word| starts.iter().any(|start| word.text.starts_with(start)));
    let plain: Vec<&Word> = args.iter().filter(|word| !word.text.starts_with('-')).collect();
    match name {
        _ if LOOKING.contains(&name) => true,
        "diff" | "rg" => !has(&["--pre", "--output", "--to-file"]),
        "sort" => !has(&["-o", "--o", "--comp"]) && args.iter().all(|word| !is_cluster_with(word, 'o')),
        "uniq" => plain.len() <= 1 && args.iter().all(|word| word.literal),
        "tree" | "less" | "more" => !has(&["-o", "-O", "--log", "--LOG", "+"]),
        "find" => {
            !has(&["-delete", "-exec", "-ok", "-fprint", "-fls"]) && args.iter().all(|word| word.literal)
        }
        "sed" => {
            let script = |word: &Word| {
                word.literal
                    && !word.text.is_empty()
                    && word.text.chars().all(|c| c.is_ascii_digit() || ",$p;".contains(c))
            };
            let options = args.iter().filter(|word| word.text.starts_with('-'));
            options.clone().all(|word| word.text == "-n") && plain.first().is_some_and(|word| script(word))
        }
        "printf" => !has(&["-v"]),
        // It copies out of a store.
        "cp" => {
            !has(&["-t", "--t"])
                && args.iter().all(|word| !is_cluster_with(word, 't'))
                && args.last().is_some_and(elsewhere)
        }
        _ => false,
    }
}

/// Whether a word is short options in one that hold this letter.
fn is_cluster_with(word: &Word, letter: char) -> bool {
    !word.literal || word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains(letter)
}

/// The files that a plain `rm` removes.
fn removed(command: &Simple) -> Option<Vec<String>> {
    if command.name() != Some("rm")
        || !command.into.is_empty()
        || !command.words.iter().all(|word| word.literal)
    {
        return None;
    }
    let mut files = Vec::new();
    let mut options = true;
    for word in command.args() {
        match word.text.as_str() {
            "--" if options => options = false,
            "-f" | "-v" | "-fv" | "-vf" | "--force" if options => {}
            text if options && text.starts_with('-') => return None,
            "" => return None,
            text => files.push(text.to_owned()),
        }
    }
    (!files.is_empty()).then_some(files)
}

/// The simple commands of a line; `None`: it holds something that is not read here (substitutions, here-documents, groups).
fn parse(line: &str) -> Option<Vec<Simple>> {
    let mut all = vec![Simple::default()];
    let mut chars = line.chars().peekable();
    loop {
        while chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        let Some(&next) = chars.peek() else { break };
        match next {
            '\n' | ';' | '&' | '|' => {
                let first = chars.next();
                let twice = chars.next_if(|c| Some(*c) == first && *c != ';').is_some();
                if first == Some('&') && !twice && chars.peek() == Some(&'>') {
                    return None;
                }
                // `|&` and `;;` and their like.
                if matches!(chars.peek(), Some('&' | ';' | '|')) {
                    return None;
                }
                all.push(Simple::default());
            }
            '<' => {
                chars.next();
                if matches!(chars.peek(), Some('<' | '(' | '&' | '>')) {
                    return None;
                }
                while chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
                word(&mut chars)?;
            }
            '>' => redirected(&mut chars, all.last_mut()?)?,
            '(' | ')' | '#' => return None,
            _ => {
                let word = word(&mut chars)?;
                // `2>`: the number is no word.
                if chars.peek() == Some(&'>')
                    && word.text.bytes().all(|b| b.is_ascii_digit())
                    && !word.text.is_empty()
                {
                    redirected(&mut chars, all.last_mut()?)?;
                } else {
                    all.last_mut()?.words.push(word);
                }
            }
        }
    }
    all.retain(|command| !command.words.is_empty() || !command.into.is_empty());
    Some(all)
}

fn redirected(chars: &mut Peekable<Chars<'_>>, command: &mut Simple) -> Option<()> {
    chars.next();
    if chars.next_if_eq(&'&').is_some() {
        // `2>&1`: to another stream, no file.
        let to = word(chars)?;
        return (to.text == "1" || to.text == "2").then_some(());
    }
    let _ = chars.next_if(|c| matches!(c, '>' | '|'));
    if matches!(chars.peek(), Some('(' | '&' | '>')) {
        return None;
    }
    while chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
    command.into.push(word(chars)?);
    Some(())
}

/// The next word; `None`: there is none, or it holds a substitution.
fn word(chars: &mut Peekable<Chars<'_>>) -> Option<Word> {
    let mut word = Word { text: String::new(), literal: true };
    let mut is_there = false;
    while let Some(&c) = chars.peek() {
        match c {
            ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
            '\'' => {
                chars.next();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.text.push(c),
                    }
                }
            }
            '"' => {
                chars.next();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '`' => return None,
                        '$' if chars.peek() == Some(&'(') => return None,
                        '$' => {
                            word.literal = false;
                            word.text.push('$');
                        }
                        '\\' => match chars.next()? {
                            c @ ('$' | '`' | '"' | '\\') => word.text.push(c),
                            '\n' => {}
                            c => word.text.extend(['\\', c]),
                        },
                        c => word.text.push(c),
                    }
                }
            }
            '\\' => {
                chars.next();
                match chars.next()? {
                    '\n' => {}
                    c => word.text.push(c),
                }
            }
            '`' => return None,
            '$' => {
                chars.next();
                if matches!(chars.peek(), Some('(' | '\'' | '"')) {
                    return None;
                }
                word.literal = false;
                word.text.push('$');
            }
            c => {
                chars.next();
                if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '!') || c == '~' && word.text.is_empty() {
                    // `[` is a program, too.
                    word.literal &= c == '[' && !is_there || c == ']';
                }
                word.text.push(c);
            }
        }
        is_there = true;
    }
    is_there.then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Memory;

    impl Known for Memory {
        fn covers(&self, path: &Path) -> bool {
            path.starts_with("/m")
        }

        fn named_in(&self, command: &str) -> bool {
            command.contains("/m")
        }
    }

    fn look(command: &str) -> Shell {
        read(command, Path::new("/w"), &Memory)
    }

    #[test]
    fn what_is_no_write_of_a_memory_passes() {
        for command in [
            "echo hi",
            "rm -rf target && cargo build > log 2>&1",
            "python3 -c \"open('x','w')\"",
            "cat /m/a.md",
            "cat /m/*.md | grep -n 'x y' | head -20",
            "ls -la /m 2>/dev/null; cat \"/m/MEMORY.md\"",
            "cd /m && ls && cat a.md",
            "grep -rn foo /m || true",
            "find /m -name '*.md' | sort",
            "sed -n '1,20p' /m/a.md",
            "cat /m/a.md > /tmp/copy.md",
            "cat /m/a.md > copy.md",
            "cp /m/a.md /tmp/",
            "wc -l < /m/a.md",
            "[ -f /m/a.md ] && echo yes",
            "echo 'see /m for it' > notes.txt",
            "cat > notes.md <<'E'\n/m/a.md\nE",
            "test -e /m\nls /m",
        ] {
            assert_eq!(look(command), Shell::Passes, "{command}");
        }
    }

    #[test]
    fn what_may_write_is_unclear() {
        for command in [
            "cp x /m/a.md",
            "cp -t /m x",
            "cp /m/a.md $X",
            "mv /m/a.md /m/b.md",
            "tee /m/a.md",
            "cat x | tee -a /m/a.md",
            "sed -i s/a/b/ /m/a.md",
            "sed -n 'w /m/a.md' x",
            "sort -o /m/a.md x",
            "sort -uo /m/a.md x",
            "uniq x /m/a.md",
            "find /m -delete",
            "find /m -exec rm {} +",
            "touch /m/a.md",
            "python3 -c \"open('/m/a.md','w')\"",
            "cat x > /m/a.md",
            "cat x >| /m/a.md",
            "cat x 2> /m/a.md",
            "cat x &> /m/a.md",
            "cat x >> /m/$y",
            "echo $(date) > /m/a.md",
            "echo \"$X\" > /m/a.md",
            "echo `date` >> /m/a.md",
            "cd /m && echo x > a.md",
            "cd /m; rm a.md",
            "rm -r /m",
            "rm /m/*.md",
            "rm /m/a.md /w/b",
            "cat /m/a.md; rm /m/a.md",
            "for f in /m/*; do rm $f; done",
            "cat <<E > /m/a.md\n$X\nE",
            "(echo x > /m/a.md)",
            "{ echo x; } > /m/a.md",
            "bash -c 'echo x > /m/a.md'",
            "d=/m; echo x > $d/a.md",
            "ls /m | xargs rm",
            "cat '/m",
            "diff x y --output=/m/a",
            "cat x > >(tee /m/a.md)",
            "git -C /m commit",
            "cat /m/a.md # > x",
        ] {
            assert_eq!(look(command), Shell::Unclear, "{command}");
        }
        assert_eq!(read("touch a.md", Path::new("/m/sub"), &Memory), Shell::Unclear);
        assert_eq!(read("ls", Path::new("/m/sub"), &Memory), Shell::Passes);
    }

    #[test]
    fn literal_writes_and_deletions_are_read() {
        assert!(matches!(look("echo '- [A](a.md)' >> /m/MEMORY.md"), Shell::Write(write) if write.appends));
        assert!(matches!(look("cat > /m/a.md <<'E'\nx\nE"), Shell::Write(write) if write.text == "x\n"));
        let here = read("printf 'x\\n' > a.md", Path::new("/m"), &Memory);
        assert!(matches!(here, Shell::Write(_)), "{here:?}");
        assert_eq!(
            look("rm -f -- '/m/a.md' /m/b.md"),
            Shell::Delete(vec!["/m/a.md".into(), "/m/b.md".into()])
        );
        assert_eq!(look("rm x /w/m"), Shell::Passes);
    }
}
