//! What a line that a commit took out says of a name in it: whether the project defined it there, read it as a setting,
//! or only used what others define.

use crate::memory::mentions::owner_of_flag;

/// What a line is to a name in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It defines a function, type or constant.
    Defines,
    /// It reads or sets a setting.
    Sets,
    /// It only uses it, brings it in from elsewhere, or speaks of it.
    Uses,
}

/// What a line of a file is to a name in it.
pub(super) fn role(line: &str, path: &str, name: &str) -> Role {
    let line = line.trim();
    let Some(at) = find_word(line, name) else { return Role::Uses };
    let (head, tail) = (line.get(..at).unwrap_or_default(), line.get(at + name.len()..).unwrap_or_default());
    if reads_setting(line, name) || is_settings_file(path) && is_assigned(head, tail) {
        return Role::Sets;
    }
    if is_comment(line) || brings_in(line) {
        return Role::Uses;
    }
    if defines(head, tail) { Role::Defines } else { Role::Uses }
}

/// Whether a line shows that the project itself had a literal: it defines a symbol, reads or sets a setting, or knows a
/// flag. The evidence engine asks it, to keep of all lines that a commit took out the one that tells most.
pub(in crate::check) fn tells(line: &str, path: &str, literal: &str) -> bool {
    if literal.starts_with('-') {
        return knows_flag(line, literal);
    }
    role(line, path, literal) != Role::Uses
        || last_part(literal).is_some_and(|part| role_of_key(line, path, literal, part) != Role::Uses)
}

/// What a line is to the last part of a dotted name: the key under its section, or the whole where it is read.
pub(super) fn role_of_key(line: &str, path: &str, whole: &str, part: &str) -> Role {
    let of_whole = role(line, path, whole);
    if of_whole != Role::Uses {
        return of_whole;
    }
    let read = find_word(line, whole).and_then(|at| line.get(..at)).is_some_and(|head| {
        let owner =
            head.trim_end_matches('.').rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let owner = owner.to_ascii_lowercase();
        ["config", "conf", "cfg", "settings", "options", "prefs"].iter().any(|end| owner.ends_with(end))
    });
    if read && !is_comment(line.trim()) { Role::Sets } else { role(line, path, part) }
}

/// The last part of a name of several (`open` of `Ledger::open`, `ttl` of `cache.ttl`).
pub(super) fn last_part(name: &str) -> Option<&str> {
    name.rsplit(['.', ':']).next().filter(|part| part.len() < name.len() && part.len() > 2)
}

/// Whether a line shows that the project itself knew a flag: not as an argument of another program, nor in a comment
/// that only mentions it without quotes. Parsers of options know it by its bare name (`"dry-run"`) or by an identifier
/// (`dry_run: bool`).
pub(super) fn knows_flag(line: &str, flag: &str) -> bool {
    let Some(at) = line.find(flag) else {
        let bare = flag.trim_start_matches('-');
        return bare.len() > 1 && !is_comment(line.trim()) && declares_option(line, bare);
    };
    let compact: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let hands_on = [
        ".arg(\"--",
        ".arg('--",
        ".args([",
        ".args(&[",
        "subprocess",
        "Popen(",
        "execa(",
        "spawn(",
        "exec(",
        "exec.Command(",
        "execFile",
        "Command::new(",
        "os.system(",
        "check_call(",
        "check_output(",
    ];
    !hands_on.iter().any(|mark| compact.contains(mark)) && owner_of_flag(line, at).is_none()
}

/// Whether a line declares an option by its name without dashes.
fn declares_option(line: &str, bare: &str) -> bool {
    let is_quoted =
        |name: &str| ['"', '\'', '`'].iter().any(|mark| line.contains(&format!("{mark}{name}{mark}")));
    let snake = bare.replace('-', "_");
    let camel: String = bare
        .split('-')
        .enumerate()
        .map(|(at, word)| {
            let mut chars = word.chars();
            let first = chars.next().map(|c| if at == 0 { c } else { c.to_ascii_uppercase() });
            first.into_iter().chain(chars).collect::<String>()
        })
        .collect();
    let parses = ["option", "flag", "arg", "long", "Bool", "String(", "Int", "Duration("];
    (is_quoted(bare) && (bare.contains('-') || parses.iter().any(|word| line.contains(word))))
        || line.trim_start().strip_prefix(bare).is_some_and(|rest| rest.trim_start().starts_with(':'))
        || [snake, camel].iter().any(|name| {
            let Some(at) = find_word(line, name) else { return false };
            let (head, tail) =
                (line.get(..at).unwrap_or_default(), line.get(at + name.len()..).unwrap_or_default());
            let tail = tail.trim_start();
            (name != bare && is_quoted(name))
                || (tail.starts_with(':') && !tail.starts_with("::") && defines(head.trim_start(), tail))
        })
}

/// Whether a file is configuration.
fn is_settings_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    [
        "toml",
        "yaml",
        "yml",
        "json",
        "jsonc",
        "json5",
        "ini",
        "cfg",
        "conf",
        "env",
        "properties",
        "tfvars",
        "config",
    ]
    .contains(&end)
        || name.starts_with(".env")
        || name.starts_with("dockerfile")
}

/// `name = …`, `"name": …`, `export NAME=…`, `- NAME=…`.
fn is_assigned(head: &str, tail: &str) -> bool {
    let head = head.trim_matches(['"', '\'', ' ', '-', '\t']);
    let tail = tail.trim_start_matches(['"', '\'', ' ', ']']);
    (head.is_empty() || matches!(head, "export" | "ENV" | "ARG" | "set") || head.ends_with('['))
        && (tail.starts_with(['=', ':']) || head.ends_with('['))
}

fn reads_setting(line: &str, name: &str) -> bool {
    let marks = [
        "env::var",
        "env!(",
        "environ",
        "getenv",
        "Getenv",
        "LookupEnv",
        "process.env",
        "import.meta.env",
        "ENV[",
        "ENV.fetch",
        "std.env",
        "GetEnvironmentVariable",
        "env(",
    ];
    let reads =
        marks.iter().any(|mark| line.contains(mark)) || line.contains("env = \"") || line.contains("envvar=");
    let quoted = line.contains(&format!("\"{name}\"")) || line.contains(&format!("'{name}'"));
    let keyed = quoted
        && [
            "config",
            "settings",
            "viper",
            "conf",
            "options",
            "cfg",
            "Config",
            "Settings",
            "prefs",
            "getProperty",
            "@Value",
        ]
        .iter()
        .any(|mark| line.contains(mark));
    let shell = line.contains(&format!("${{{name}")) || line.contains(&format!("${name}"));
    reads || keyed || shell
}

fn is_comment(line: &str) -> bool {
    ["//", "/*", "* ", "<!--", "-- ", ";;", "\"\"\""].iter().any(|mark| line.starts_with(mark))
        || line.starts_with('#') && !["#define", "#["].iter().any(|mark| line.starts_with(mark))
}

fn brings_in(line: &str) -> bool {
    [
        "use ",
        "pub use ",
        "import ",
        "from ",
        "#include",
        "require",
        "export *",
        "export {",
        "using ",
        "extern crate",
        "} from ",
    ]
    .iter()
    .any(|mark| line.starts_with(mark))
        || line.contains("require(") && line.contains('=')
}

fn defines(head: &str, tail: &str) -> bool {
    let words: Vec<&str> = head
        .split([' ', '\t', '(', ')', '<', '>', '*', '&', ':', '!', ',', '[', ']'])
        .filter(|word| !word.is_empty())
        .collect();
    let last = words.last().copied().unwrap_or_default();
    let keywords = [
        "fn",
        "def",
        "func",
        "function",
        "class",
        "struct",
        "enum",
        "trait",
        "interface",
        "type",
        "const",
        "static",
        "let",
        "var",
        "val",
        "mod",
        "module",
        "namespace",
        "macro",
        "macro_rules",
        "union",
        "record",
        "object",
        "protocol",
        "sub",
        "proc",
        "#define",
        "data",
        "newtype",
        "defn",
        "defmodule",
        "defp",
        "mut",
        "typedef",
        "final",
        "function*",
        "@interface",
        // SQL, whose keywords are written in either case.
        "procedure",
        "table",
        "view",
        "trigger",
    ];
    let called = tail.trim_start().starts_with(['(', '<', '[']);
    let upper = last.to_ascii_lowercase();
    if keywords.contains(&last) || last.bytes().all(|b| b.is_ascii_uppercase()) && keywords.contains(&&*upper)
    {
        return true;
    }
    let first = words.first().copied().unwrap_or_default();
    // `func (r *Repo) Name(`, `impl X for Name` is none.
    if first == "func" && called && head.trim_end().ends_with(')') {
        return true;
    }
    let modifiers = [
        "pub",
        "export",
        "static",
        "public",
        "private",
        "protected",
        "readonly",
        "async",
        "default",
        "final",
        "override",
        "abstract",
        "virtual",
        "internal",
        "open",
        "self",
        "get",
        "set",
        "const",
        "inline",
        "extern",
        "unsafe",
        "suspend",
        "crate",
    ];
    let plain = words.iter().all(|word| modifiers.contains(word));
    let tail = tail.trim_start();
    let assigned = (tail.starts_with('=') && !tail.starts_with("=="))
        || tail.starts_with(":=")
        || tail.starts_with(':') && !tail.starts_with("::");
    if plain && assigned && !head.trim_end().ends_with('.') {
        return true;
    }
    // A method without a keyword: `name(args) {`, or with its types before: `public void name(`.
    let opens = line_opens(tail);
    if called && words.is_empty() && opens {
        return true;
    }
    let no_statement = [
        "return", "new", "await", "else", "throw", "yield", "assert", "if", "while", "match", "in", "not",
        "and", "or", "raise", "print", "echo", "case", "when", "for", "switch", "go", "defer", "delete",
        "typeof", "do",
    ];
    let typed = !words.is_empty()
        && words.iter().all(|word| {
            word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'@'))
                && !no_statement.contains(word)
        });
    called
        && typed
        && head.ends_with([' ', '*', '&', '\t'])
        && !head.contains(['(', '=', '.', '"', '\'', '+', '-', '?', '#'])
        && opens
}

fn line_opens(tail: &str) -> bool {
    let tail = tail.trim_end();
    tail.ends_with('{')
        || tail.ends_with("{}")
        || tail.ends_with('(')
        || tail.ends_with(',')
        || tail.ends_with(')') && tail.matches('(').count() == tail.matches(')').count()
        || tail.ends_with('}')
        || tail.ends_with(';') && tail.contains(") ")
}

/// Where a name stands in a line as a whole word.
fn find_word(line: &str, name: &str) -> Option<usize> {
    let is_part = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let bytes = line.as_bytes();
    line.match_indices(name).map(|(at, _)| at).find(|at| {
        !is_part(at.checked_sub(1).and_then(|up| bytes.get(up))) && !is_part(bytes.get(at + name.len()))
    })
}
