//! What the files of the project show: lists of paths, versions, commands, sentences of the README.

use super::claims::{Claim, Passage, Said, about};
use super::instructions::Sayings;
use super::listing::Paths;
use crate::check::likeness::markers::says_more;
use crate::check::likeness::{Bag, Form, Vocabulary};
use crate::check::manifests::{Agreement, Manifests, Stated, agreement};
use crate::check::project::Text;
use crate::check::{Evidence, Found, Look, quoted};
use crate::memory::text::visible;
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

pub(super) fn look(look: &Look<'_>, found: &mut Found) {
    let Some(project) = look.project else { return };
    let paths = Paths::of(project);
    let manifests = Manifests::of(&project.texts);
    let readme = Sayings::of(project.texts.iter().filter(|text| is_readme(text)));
    for memory in &look.snapshot.memories {
        let claim = Claim::of(memory);
        let mut said = paths.lists(&claim);
        for (at, passage) in claim.passages.iter().enumerate() {
            if said.iter().any(|one| one.passages.contains(&at)) {
                continue;
            }
            let stated = is_bare(&claim, at)
                .then(|| versions(&manifests, passage, at).or_else(|| commands(&manifests, passage, at)))
                .flatten();
            let stated = stated.or_else(|| {
                let saying = readme.saying(passage)?;
                Some(Said {
                    passages: at..at + 1,
                    about: about(&passage.text),
                    message: format!("{} says this, on line {}", saying.file(), saying.line),
                    evidence: vec![saying.evidence()],
                    is_other: false,
                    is_rule: false,
                })
            });
            said.extend(stated);
        }
        claim.report(said, found);
    }
}

/// Whether no condition and no warning in the claim is about a passage: such a one is what it is for.
fn is_bare(claim: &Claim<'_>, at: usize) -> bool {
    let Some(passage) = claim.passages.get(at) else { return false };
    let words = |text: &str| {
        let lower = text.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 2);
        words.map(str::to_owned).collect::<HashSet<String>>()
    };
    let own = words(&passage.text);
    // The lines around it without a blank one between, and the block that a line before introduces.
    let near = |other: usize| {
        let (from, to) = (at.min(other), at.max(other));
        let lines = claim.passages.get(from..=to).unwrap_or_default();
        lines.windows(2).all(|pair| matches!(pair, [a, b] if b.line <= a.line + 1))
            || lines.first().is_some_and(|first| first.text.trim_end().ends_with([':', '：']))
    };
    let concerns = |other: usize, text: &str| {
        other == at
            || near(other)
            || !text.is_ascii()
            || REFERS.as_ref().is_none_or(|refers| refers.is_match(text))
            || {
                let theirs = words(text);
                theirs.iter().any(|word| own.contains(word) && !COMMON.contains(&word.as_str()))
            }
    };
    !claim.passages.iter().enumerate().any(|(other, one)| says_more(&one.text) && concerns(other, &one.text))
}

/// Small words that say nothing of what two sentences are about.
const COMMON: &[&str] = &[
    "the", "and", "for", "with", "this", "that", "are", "was", "has", "have", "from", "not", "run", "use",
    "our", "all", "its",
];

/// A sentence that begins with its condition, or speaks of what stands elsewhere.
static REFERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^\W*(?:only|never|not|do\ not|don['’]t|always|if|when|before|after|unless|until|without|careful|beware|otherwise|because|since|except|wait|instead|avoid)\b
        |\b(?:it|them|these|those|both|they|either|neither|commands?|scripts?|targets?|versions?|upgrad\w+|downgrad\w+|bump\w*|updat\w+|newer|older|latest|`)\b|`",
    )
    .ok()
});

fn is_readme(text: &Text) -> bool {
    let name = text.path.rsplit('/').next().unwrap_or_default().to_lowercase();
    name.starts_with("readme") || name.starts_with("contributing")
}

fn shown(stated: &Stated) -> Evidence {
    let path = Some(visible(&stated.path, false).into_owned());
    Evidence { path, line: Some(stated.line), commit: None, text: quoted(&stated.text) }
}

/// A version with what may stand before it.
static VERSION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^[v^~=><@]*\d+(?:\.\d+)*(?:\.[x*])?(?:-[\w.]+)?\+?$").ok());

/// How many words may stand between a name and its version.
const APART: usize = 4;
/// How many words a sentence about a version may have of its own.
const OWN: usize = 4;

/// A sentence that says which version of something is used.
fn versions(manifests: &Manifests, passage: &Passage, at: usize) -> Option<Said> {
    if manifests.versions.is_empty() || !matches!(passage.form, Form::Prose | Form::Item) {
        return None;
    }
    let words: Vec<&str> = words(&passage.text);
    let version = VERSION.as_ref()?;
    let (mut evidence, mut other, mut named) = (Vec::new(), None, Vec::new());
    for (place, word) in words.iter().enumerate() {
        let (name, own) = named_version(word);
        let stated = manifests.versions_of(name);
        if stated.is_empty() {
            continue;
        }
        let following = words.iter().skip(place + 1).take(APART);
        let given = own.or_else(|| following.copied().find(|word| version.is_match(word)));
        let Some(given) = given.filter(|given| given.contains('.') || is_telling(name, &words)) else {
            continue;
        };
        let given = given
            .trim_start_matches(|c: char| !c.is_ascii_digit())
            .trim_end_matches(".x")
            .trim_end_matches(".*");
        named.extend([*word, given]);
        let agrees = stated.iter().find(|one| agreement(given, &one.value) != Agreement::Other);
        match agrees {
            Some(one) if agreement(given, &one.value) == Agreement::Same => evidence.push(shown(one)),
            Some(_) => {}
            None => other = stated.first().map(|one| (one, name.to_owned(), given.to_owned())),
        }
    }
    let mut rest = format!(" {} ", words.join(" "));
    for word in &named {
        rest = rest.replace(&format!(" {word} "), " ");
    }
    let own = Bag::of(&rest).own_words(&[&OF_VERSIONS]);
    if own > OWN + named.len() {
        return None;
    }
    if let Some((stated, name, given)) = other {
        let file = visible(&stated.path, false);
        let value = quoted(&stated.value);
        return Some(Said {
            passages: at..at + 1,
            about: name.clone(),
            message: format!(
                "{file} says {value} for {}, not {}",
                visible(&name, false),
                visible(&given, false)
            ),
            evidence: vec![shown(stated)],
            is_other: true,
            is_rule: false,
        });
    }
    let first = evidence.first()?;
    let file = first.path.clone().unwrap_or_default();
    Some(Said {
        passages: at..at + 1,
        about: named.first().copied().map(about).unwrap_or_default(),
        message: format!("{file} states this version, and stays current; keep why it matters"),
        evidence,
        is_other: false,
        is_rule: false,
    })
}

/// The words of a sentence as names and versions are written.
fn words(text: &str) -> Vec<&str> {
    let is_edge = |c: char| !c.is_alphanumeric() && !matches!(c, '@' | '^' | '~' | '=' | '>' | '<' | '+');
    let split = |c: char| {
        c.is_whitespace() || matches!(c, '`' | '(' | ')' | ',' | ':' | '、' | '，' | '"' | '“' | '”')
    };
    let words = text.split(split).map(|word| word.trim_matches(is_edge)).filter(|word| !word.is_empty());
    // CJK writing puts no blank between a name and what follows it.
    words.flat_map(|word| word.split(|c: char| c >= '\u{3000}')).filter(|word| !word.is_empty()).collect()
}

/// `tiny-queue@2.0.9`, `tiny-queue==2.0.9` as both parts.
fn named_version(word: &str) -> (&str, Option<&str>) {
    for mark in ["@", "==", "="] {
        if let Some((name, version)) = word.rsplit_once(mark).filter(|(name, version)| {
            !name.is_empty()
                && version.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '^' | '~' | 'v'))
        }) {
            return (name, Some(version));
        }
    }
    (word, None)
}

/// Whether a number without a point is a version of this: a language or tool is known by it, and else the word stands
/// beside.
fn is_telling(name: &str, words: &[&str]) -> bool {
    const KNOWN: &[&str] = &[
        "node",
        "nodejs",
        "node.js",
        "java",
        "python",
        "php",
        "ruby",
        "go",
        "postgres",
        "postgresql",
        "react",
        "vue",
        "angular",
        "django",
        "rails",
        "next",
        "mysql",
        "redis",
    ];
    let lower = name.to_lowercase();
    let of_version = ["version", "versión", "versão", "v", "major", "版本", "バージョン", "버전"];
    KNOWN.contains(&lower.as_str())
        || words.iter().any(|word| of_version.contains(&word.to_lowercase().as_str()))
}

/// Runners whose second word is a script or a target.
static BARE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(?:(?:npm|pnpm|yarn|bun|composer|poetry|uv|pdm|hatch) run|npm|pnpm|yarn|make|just|task|composer|rake|poe) [\w:./-]*\w").ok()
});

/// How many words a sentence may have of its own for each command, and beyond.
const OWN_OF_COMMAND: usize = 1;

/// A sentence that says which commands there are.
fn commands(manifests: &Manifests, passage: &Passage, at: usize) -> Option<Said> {
    if manifests.commands.is_empty() || passage.form == Form::Heading {
        return None;
    }
    let text = passage.text.as_str();
    let mut typed: Vec<&str> = Vec::new();
    let mut rest = String::new();
    if passage.form == Form::Code {
        typed.push(text.split(" #").next().unwrap_or_default().trim());
    } else {
        for (number, piece) in text.split('`').enumerate() {
            if number % 2 == 1 && piece.contains(' ') {
                // Every command must be stated: another one is what the sentence is for.
                manifests.command(piece)?;
                typed.push(piece);
            } else {
                rest.push_str(piece);
                rest.push(' ');
            }
        }
    }
    let bare = rest.clone();
    for found in BARE.as_ref()?.find_iter(&bare).filter(|found| manifests.command(found.as_str()).is_some()) {
        typed.push(found.as_str());
        rest = rest.replace(found.as_str(), " ");
    }
    let stated: Vec<&Stated> = typed.iter().filter_map(|one| manifests.command(one)).collect();
    let first = stated.first()?;
    let known = Vocabulary::of(&typed.join(" ").replace([':', '-', '/'], " "));
    if Bag::of(&rest).own_words(&[&OF_COMMANDS, &known]) > (OWN_OF_COMMAND + 1) * stated.len().min(3) {
        return None;
    }
    let file = visible(&first.path, false);
    Some(Said {
        passages: at..at + 1,
        about: about(typed.first().copied().unwrap_or_default()),
        message: format!("{file} states this command; keep what is surprising about it"),
        evidence: stated.iter().map(|one| shown(one)).collect(),
        is_other: false,
        is_rule: true,
    })
}

static OF_VERSIONS: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::of(VERSION_WORDS));
static OF_COMMANDS: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::of(COMMAND_WORDS));

/// Words of sentences about versions that say nothing else.
const VERSION_WORDS: &str = "version versions depend depends dependency dependencies library framework package pinned \
    installed install built build based currently current uses runs requires at on stack toolchain runtime compiler edition language \
    backend frontend service server database tests image base minimum \
    abhängigkeit hängt bibliothek basiert läuft aktuell installiert setzt setzen dépend dépendance bibliothèque \
    actuellement tourne installé depende dependencia biblioteca actualmente instalado corre usamos roda atualmente \
    依赖 版本 当前 目前 项目 バージョン 依存 現在 プロジェクト 버전 의존 현재";

/// Words of sentences about commands that say nothing else.
const COMMAND_WORDS: &str = "run execute start build test tests suite lint linter format formatter check type typecheck deploy seed dev develop \
    development server watch command commands script scripts install dependencies locally local app application code \
    project database data compile bundle generate docs documentation benchmark benchmarks unit integration coverage \
    clean available use call invoke launch everything whole \
    ausführen starten bauen testen prüfen formatieren befehl befehle skript skripte lokal anwendung datenbank daten \
    exécuter lancer construire tester vérifier formater commande commandes lance localement données base serveur \
    ejecutar iniciar construir probar comprobar formatear comando comandos lanzar pruebas servidor datos localmente \
    executar rodar iniciar compilar testar verificar formatar testes servidor dados localmente \
    运行 启动 构建 测试 检查 格式化 命令 脚本 本地 执行 项目 代码 数据 実行 起動 ビルド テスト チェック コマンド スクリプト 整形 データ 실행 시작 빌드 테스트 \
    검사 명령 스크립트 로컬 린트 포맷 데이터";
