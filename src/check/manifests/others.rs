//! Go, Ruby, Java, containers, and the files that hold one version of a tool.

use super::Reader;
use regex::Regex;
use std::sync::LazyLock;

pub(super) fn read(name: &str, reader: &mut Reader<'_>) {
    let lower = name.to_lowercase();
    match name {
        "go.mod" => each_line(reader, go),
        "Gemfile" => by_pattern(reader, &GEM),
        "Gemfile.lock" => by_pattern(reader, &GEM_LOCK),
        "pom.xml" => pom(reader),
        "build.gradle" | "build.gradle.kts" | "settings.gradle" | "settings.gradle.kts" => {
            by_pattern(reader, &GRADLE);
            by_pattern(reader, &GRADLE_PLUGIN);
        }
        "libs.versions.toml" => by_pattern(reader, &CATALOGUE),
        ".nvmrc" | ".node-version" => alone("node", reader),
        ".python-version" => alone("python", reader),
        ".ruby-version" => alone("ruby", reader),
        ".go-version" => alone("go", reader),
        ".java-version" => alone("java", reader),
        ".tool-versions" | "mise.toml" | ".mise.toml" => by_pattern(reader, &TOOLS),
        _ if lower.starts_with("dockerfile")
            || lower.ends_with(".dockerfile")
            || lower == "containerfile" =>
        {
            by_pattern(reader, &FROM);
        }
        _ if lower.contains("compose") && (lower.ends_with(".yml") || lower.ends_with(".yaml")) => {
            by_pattern(reader, &IMAGE);
        }
        _ => {}
    }
}

type Pattern = LazyLock<Option<Regex>>;

static GEM: Pattern = LazyLock::new(|| {
    Regex::new(r#"^\s*(?:gem\s+)?["']?([\w-]+)["']?(?:,)?\s+["']([^"']*\d[^"']*)["']"#).ok()
});
static GEM_LOCK: Pattern = LazyLock::new(|| Regex::new(r"^ {4}([\w-]+) \((\d[^)]*)\)").ok());
static GRADLE: Pattern = LazyLock::new(|| Regex::new(r#"["'][\w.-]+:([\w.-]+):(\d[\w.-]*)["']"#).ok());
static GRADLE_PLUGIN: Pattern =
    LazyLock::new(|| Regex::new(r#"id\s*\(?["']([\w.-]+)["']\)?\s+version\s+["'](\d[\w.-]*)["']"#).ok());
static CATALOGUE: Pattern = LazyLock::new(|| Regex::new(r#"^([\w-]+)\s*=\s*"(\d[\w.-]*)""#).ok());
static TOOLS: Pattern = LazyLock::new(|| Regex::new(r#"^([\w-]+)\s*(?:=|\s)\s*"?(\d[\w.-]*)"?"#).ok());
static FROM: Pattern =
    LazyLock::new(|| Regex::new(r"(?i)^FROM\s+(?:--\S+\s+)?(?:\S+/)?([\w.-]+):(v?\d[\w.-]*)").ok());
static IMAGE: Pattern =
    LazyLock::new(|| Regex::new(r#"^\s*image:\s*["']?(?:\S+/)?([\w.-]+):(v?\d[\w.-]*)"#).ok());

/// Each line that a pattern of name and version matches.
fn by_pattern(reader: &mut Reader<'_>, pattern: &Pattern) {
    let Some(pattern) = pattern.as_ref() else { return };
    each_line(reader, |line| {
        let found = pattern.captures(line)?;
        Some((found.get(1)?.as_str().to_owned(), found.get(2)?.as_str().to_owned()))
    });
}

fn each_line(reader: &mut Reader<'_>, read: impl Fn(&str) -> Option<(String, String)>) {
    let lines: Vec<String> = reader.content().lines().map(str::to_owned).collect();
    for (at, line) in lines.iter().enumerate() {
        if let Some((name, version)) = read(line) {
            reader.version_at(&name, &version, at + 1);
            // A module of Go is known by the end of its path.
            if let Some(short) = name.rsplit('/').find(|part| !part.starts_with('v') || part.len() > 3)
                && short != name
            {
                reader.version_at(short, &version, at + 1);
            }
        }
    }
}

fn go(line: &str) -> Option<(String, String)> {
    let line = line.trim().trim_start_matches("require ").split("//").next()?.trim();
    let (name, version) = line.split_once(' ')?;
    let version = version.trim();
    let is_version = version.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    (is_version && (name == "go" || name.contains('.'))).then(|| (name.to_owned(), version.to_owned()))
}

fn alone(name: &str, reader: &mut Reader<'_>) {
    let version = reader.content().lines().next().unwrap_or_default().trim().to_owned();
    reader.version_at(name, &version, 1);
}

/// `artifactId` with the `version` that follows it.
fn pom(reader: &mut Reader<'_>) {
    let lines: Vec<String> = reader.content().lines().map(str::to_owned).collect();
    let tag = |line: &str, tag: &str| -> Option<String> {
        let rest = line.split_once(&format!("<{tag}>"))?.1;
        Some(rest.split_once("</")?.0.trim().to_owned())
    };
    let mut artifact: Option<String> = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(version) = tag(line, "java.version").or_else(|| tag(line, "maven.compiler.release")) {
            reader.version_at("java", &version, at + 1);
        }
        if let Some(name) = tag(line, "artifactId") {
            artifact = Some(name);
        }
        if let (Some(version), Some(name)) = (tag(line, "version"), &artifact) {
            reader.version_at(name, &version, at + 1);
            artifact = None;
        }
    }
}
