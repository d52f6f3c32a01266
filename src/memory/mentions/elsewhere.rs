//! Places outside of the project that a sentence names: another repository, a host.

use super::sentence::words;
use std::ops::Range;

/// The places that a sentence (lower case, with code masked) names, each with the word that tells which.
pub(super) fn places(line: &str, original: &str) -> Vec<(Range<usize>, Box<str>)> {
    let mut found = european(line, original);
    found.extend(asian(line, original));
    found
}

/// Whether what stands between a thing and a place says that it is there.
pub(super) fn joins(between: &str) -> bool {
    let near = [
        "lives", "is", "sits", "stays", "kept", "are", "live", "stored", "resides", "located", "found",
        "was", "were", "up", "end", "ends", "be", "only", "comes", "file", "files", "script", "module",
        "lands", "land", "written", "there", "which", "that", "has", "s", "its", "the", "a", "over", "está",
        "vive", "se", "trouve", "liegt", "lebt", "steht", "ist", "fica", "exists", "belongs", "flag",
        "function",
    ];
    words(between).count() <= 5 && words(between).all(|word| near.contains(&word) || word.is_empty())
        || between.chars().count() <= 8 && !between.is_ascii() && !between.contains(['。', '.'])
}

/// Whether a place is a machine rather than another repository.
pub(super) fn is_machine(place: &str) -> bool {
    let machines = [
        "host",
        "server",
        "machine",
        "box",
        "vm",
        "cluster",
        "laptop",
        "workstation",
        "container",
        "image",
        "nas",
        "appliance",
        "rechner",
        "서버",
        "호스트",
        "サーバー",
        "サーバ",
        "ホスト",
        "服务器",
        "构建机",
        "主机",
    ];
    machines.iter().any(|machine| place.ends_with(machine))
}

const NOUNS: &[&str] = &[
    "repo",
    "repository",
    "repos",
    "repositories",
    "host",
    "server",
    "machine",
    "box",
    "vm",
    "cluster",
    "bucket",
    "wiki",
    "laptop",
    "workstation",
    "project",
    "codebase",
    "fork",
    "checkout",
    "container",
    "image",
    "monorepo",
    "submodule",
    "plugin's",
    "nas",
    "appliance",
];
const HERE: &[&str] = &[
    "this", "our", "same", "main", "whole", "current", "git", "local", "the", "project", "entire", "own",
    "a", "every", "its", "original", "app", "code", "your", "my", "source", "new", "public", "private",
];
const OTHER: &[&str] = &[
    "other",
    "another",
    "different",
    "separate",
    "sibling",
    "external",
    "sister",
    "upstream",
    "downstream",
    "neighbouring",
    "neighboring",
    "second",
];

fn european(line: &str, original: &str) -> Vec<(Range<usize>, Box<str>)> {
    let mut found = Vec::new();
    let offset = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
    let all: Vec<&str> = words_with_masks(line);
    for (at, word) in all.iter().enumerate() {
        let bare = word.trim_end_matches("'s").trim_end_matches("’s");
        let (compound, noun) = bare.rsplit_once('-').map_or(("", bare), |(head, noun)| (head, noun));
        if NOUNS.contains(&noun) || matches!(noun, "rechner" | "repository" | "projekt") {
            // The words back to the article or the preposition.
            let mut start = at;
            while start > 0 && at - start < 4 {
                let up = all.get(start - 1).copied().unwrap_or_default();
                if matches!(
                    up,
                    "the"
                        | "a"
                        | "an"
                        | "our"
                        | "their"
                        | "this"
                        | "that"
                        | "its"
                        | "in"
                        | "on"
                        | "from"
                        | "of"
                        | "at"
                        | "inside"
                        | "another"
                        | "your"
                        | "my"
                        | "im"
                        | "dem"
                        | "der"
                        | "auf"
                        | "every"
                        | "each"
                ) || is_clause_word(up)
                {
                    break;
                }
                start -= 1;
            }
            let opener = start.checked_sub(1).and_then(|up| all.get(up)).copied().unwrap_or_default();
            let which: Vec<&str> = all
                .get(start..at)
                .unwrap_or_default()
                .iter()
                .copied()
                .chain(Some(compound).filter(|c| !c.is_empty()))
                .filter(|w| !HERE.contains(w))
                .collect();
            let is_other = opener == "another" || which.iter().any(|w| OTHER.contains(w));
            let is_project = matches!(noun, "project" | "projekt" | "codebase" | "checkout");
            let opens = matches!(
                opener,
                "the"
                    | "a"
                    | "an"
                    | "our"
                    | "their"
                    | "another"
                    | "in"
                    | "on"
                    | "from"
                    | "of"
                    | "at"
                    | "inside"
                    | "im"
                    | "dem"
                    | "der"
                    | "auf"
                    | "my"
                    | "your"
                    | "every"
                    | "each"
            );
            if !is_other && (which.is_empty() || is_project || !opens) {
                continue;
            }
            let mut begin = start.saturating_sub(1);
            let up = begin.checked_sub(1).and_then(|up| all.get(up)).copied().unwrap_or_default();
            if matches!(up, "in" | "on" | "from" | "of" | "at" | "inside" | "within" | "auf") {
                begin -= 1;
            }
            let first = all.get(begin).copied().unwrap_or(word);
            let range = offset(first)..offset(word) + word.len();
            let name = which.last().map_or_else(String::new, |w| {
                let place = offset(w)..offset(w) + w.len();
                original.get(place).unwrap_or_default().trim_matches(['`', '"', '*']).to_owned()
            });
            found.push((range, name.into()));
        }
    }
    for (lead, is_open) in [
        ("otro repositorio", false),
        ("otro proyecto", false),
        ("repositorio de ", true),
        ("repositorio ", true),
        ("un autre dépôt", false),
        ("autre dépôt", false),
        ("autre projet", false),
        ("dépôt ", true),
        ("anderen repo", false),
        ("anderes repo", false),
        ("anderen projekt", false),
        ("outro repositório", false),
        ("outro projeto", false),
        ("repositório de ", true),
        ("repositório do ", true),
        ("repositório ", true),
        ("servidor de ", true),
        ("serveur de ", true),
    ] {
        for (at, _) in line.match_indices(lead) {
            let tail = line.get(at + lead.len()..).unwrap_or_default();
            let which = tail.split([' ', ',', '.', ';', ')']).next().unwrap_or_default();
            if is_open
                && (which.is_empty()
                    || matches!(
                        which,
                        "principal"
                            | "actual"
                            | "git"
                            | "del"
                            | "el"
                            | "est"
                            | "se"
                            | "la"
                            | "es"
                            | "a"
                            | "e"
                            | "é"
                            | "du"
                            | "local"
                            | "código"
                    ))
            {
                continue;
            }
            let end = at + lead.len() + if is_open { which.len() } else { 0 };
            let start = line.get(..at).map_or(at, |head| {
                head.trim_end_matches("d'").trim_end_matches(' ').rfind(' ').map_or(0, |blank| blank + 1)
            });
            found.push((start..end, if is_open { which.trim_matches('\u{1}').into() } else { "".into() }));
        }
    }
    found
}

fn asian(line: &str, original: &str) -> Vec<(Range<usize>, Box<str>)> {
    let nouns = [
        "저장소",
        "레포지토리",
        "레포",
        "프로젝트",
        "서버",
        "호스트",
        "リポジトリ",
        "レポジトリ",
        "プロジェクト",
        "サーバー",
        "サーバ",
        "ホスト",
        "仓库",
        "代码库",
        "倉庫",
        "服务器",
        "构建机",
        "主机",
        "项目",
    ];
    let here = [
        "이", "우리", "본", "현재", "해당", "그", "この", "本", "当", "弊社", "这个", "本", "当前", "该",
        "我们", "此", "같은", "同じ", "主", "메인", "在", "の", "는", "は", "의", "를", "을", "에", "로",
    ];
    let others = ["다른", "별도", "別の", "他の", "另一个", "其他", "别的", "另外", "ほかの", "타"];
    let mut found = Vec::new();
    for noun in nouns {
        for (at, _) in line.match_indices(noun) {
            let head = line.get(..at).unwrap_or_default().trim_end();
            let start = head.rfind([' ', '、', '，', '。', ',', '\n']).map_or(0, |blank| {
                blank + head.get(blank..).and_then(|r| r.chars().next()).map_or(1, char::len_utf8)
            });
            let which = head.get(start..).unwrap_or_default();
            let which = which.trim_start_matches('在');
            let bare = which.trim_end_matches(['의', 'の', '的']);
            let is_other = others.iter().any(|other| which.starts_with(other) || which.ends_with(other));
            let is_project = matches!(noun, "프로젝트" | "プロジェクト" | "项目");
            if !is_other
                && (bare.is_empty()
                    || is_project
                    || here.contains(&bare)
                    || here.iter().any(|h| h.chars().count() > 1 && bare.ends_with(h))
                    || bare.chars().count() > 12)
            {
                continue;
            }
            let name = original
                .get(at - (line.get(..at).unwrap_or_default().len() - start)..)
                .and_then(|rest| rest.get(..bare.len()))
                .unwrap_or_default();
            found.push((start..at + noun.len(), name.trim_matches('`').into()));
        }
    }
    found
}

fn is_clause_word(word: &str) -> bool {
    matches!(
        word,
        "and"
            | "but"
            | "is"
            | "was"
            | "are"
            | "runs"
            | "lives"
            | "to"
            | "with"
            | "for"
            | "by"
            | ","
            | "uses"
            | "via"
    ) || word.ends_with('s') && word.len() > 5 && word.contains('\u{1}')
}

/// The words of a sentence; a masked piece is a word.
fn words_with_masks(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '_' | '\u{1}')))
        .filter(|word| !word.is_empty())
        .collect()
}
