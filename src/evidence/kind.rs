//! What a file is, told by its path: prose or code, a text that a person would read first, or an instruction.

/// Extensions of prose.
const PROSE: &[&str] = &["md", "mdx", "markdown", "rst", "txt", "adoc", "asciidoc", "org", "tex", "textile"];

/// Names of prose, without extension, in lower case.
const PROSE_NAMES: &[&str] = &[
    "readme",
    "changelog",
    "changes",
    "history",
    "news",
    "license",
    "licence",
    "copying",
    "authors",
    "notice",
    "contributing",
    "contributors",
    "maintainers",
    "todo",
];

/// Files named `.txt` that programs read.
const CODE_NAMES: &[&str] = &["cmakelists.txt", "constraints.txt", "robots.txt", "meson_options.txt"];

/// Manifests, in lower case: they state names, versions, commands and tools.
const MANIFESTS: &[&str] = &[
    "package.json",
    "cargo.toml",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "pipfile",
    "environment.yml",
    "tox.ini",
    "go.mod",
    "go.work",
    "makefile",
    "gnumakefile",
    "justfile",
    ".justfile",
    "gemfile",
    "rakefile",
    "composer.json",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "libs.versions.toml",
    "taskfile.yml",
    "taskfile.yaml",
    "deno.json",
    "deno.jsonc",
    "mix.exs",
    "pubspec.yaml",
    "package.swift",
    "procfile",
    "dockerfile",
    "docker-compose.yml",
    "docker-compose.yaml",
    "compose.yml",
    "compose.yaml",
    "pnpm-workspace.yaml",
    "cmakelists.txt",
    "mise.toml",
    ".mise.toml",
    ".nvmrc",
    ".node-version",
    ".python-version",
    ".ruby-version",
    ".tool-versions",
    "rust-toolchain",
    "rust-toolchain.toml",
    "global.json",
    "build.sbt",
];

/// Whether the file is prose: what stands there does not keep a symbol alive.
pub(super) fn is_prose(path: &str) -> bool {
    let name = name(path).to_ascii_lowercase();
    if CODE_NAMES.contains(&name.as_str()) || is_requirements(&name) {
        return false;
    }
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => PROSE.contains(&extension),
        _ => PROSE_NAMES.contains(&name.as_str()),
    }
}

/// Whether the file's text is wanted whole: manifests, READMEs and the first page of the documentation.
pub(super) fn is_text(path: &str) -> bool {
    let name = name(path).to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    let is_front = is_prose(path) && matches!(stem, "readme" | "contributing");
    let is_index = is_prose(path) && stem == "index" && path.split('/').any(|part| part == "docs");
    is_front || is_index || is_requirements(&name) || MANIFESTS.contains(&name.as_str())
}

/// Whether the file instructs an agent: a memory's own words don't keep a symbol alive.
pub(super) fn is_instruction(path: &str) -> bool {
    let is_home = |part: &str| part == ".claude" || part == ".agent";
    matches!(name(path), "CLAUDE.md" | "CLAUDE.local.md" | "AGENTS.md" | "MEMORY.md")
        || path.split('/').any(is_home)
}

/// Whether nobody writes the file by hand: its past versions are many and tell nothing.
pub(super) fn is_generated(path: &str) -> bool {
    const ENDS: &[&str] =
        &[".lock", ".min.js", ".min.css", ".map", ".svg", ".csv", ".jsonl", ".snap", "go.sum"];
    const NAMES: &[&str] = &["package-lock.json", "pnpm-lock.yaml", "npm-shrinkwrap.json"];
    ENDS.iter().any(|end| path.ends_with(end)) || NAMES.contains(&name(path))
}

/// The last part of a path.
pub(super) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_requirements(name: &str) -> bool {
    name.starts_with("requirements") && name.ends_with(".txt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_and_code() {
        for path in ["README", "a/readme.md", "CHANGELOG", "docs/x.rst", "notes.txt", "LICENSE", "a.b/TODO"] {
            assert!(is_prose(path), "{path}");
        }
        for path in
            ["src/readme.rs", "requirements-dev.txt", "CMakeLists.txt", "Makefile", ".txt", "a.md/b.py"]
        {
            assert!(!is_prose(path), "{path}");
        }
    }

    #[test]
    fn texts_and_instructions() {
        for path in [
            "web/package.json",
            "README.ko.md",
            "readme",
            "docs/index.md",
            "requirements/requirements.txt",
            "Makefile",
        ] {
            assert!(is_text(path), "{path}");
        }
        for path in ["src/index.md", "docs/index.ts", "readme.py", "notes.txt", "docs/more.md"] {
            assert!(!is_text(path), "{path}");
        }
        assert!(is_instruction("a/CLAUDE.md") && is_instruction(".claude/rules/x.md"));
        assert!(!is_instruction("src/claude.rs") && !is_instruction("a.claude/x"));
        assert!(
            is_generated("web/package-lock.json")
                && is_generated("Cargo.lock")
                && !is_generated("src/lock.rs")
        );
    }
}
