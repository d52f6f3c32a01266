//! What each kind of manifest states, and on which line.

use super::*;

fn of(path: &str, text: &str) -> Manifests {
    Manifests::of(&[Text { path: path.into(), text: text.into() }])
}

#[test]
fn versions_with_their_lines() {
    for (path, text, name, line, value) in [
        (
            "package.json",
            "{\n\"devDependencies\": {\n\"@acme/grid\": \"^4.1.0\"}}",
            "@acme/grid",
            3,
            "^4.1.0",
        ),
        ("web/package.json", "{\"engines\":\n{\"node\": \">=20\"}}", "Node.js", 2, ">=20"),
        ("package.json", "{\n\"packageManager\": \"pnpm@9.1.0+sha1.x\"}", "pnpm", 2, "9.1.0"),
        ("Cargo.toml", "[package]\nname = \"x\"\nversion = \"0.3.0\"\n", "x", 3, "0.3.0"),
        ("Cargo.toml", "[dependencies]\nfoo = { version = \"1.4\", features = [] }\n", "foo", 2, "1.4"),
        ("Cargo.toml", "[workspace.dependencies]\nfoo = \"1.4\"\n", "foo", 2, "1.4"),
        ("pyproject.toml", "[project]\nrequires-python = \">=3.11\"\n", "python", 2, ">=3.11"),
        ("pyproject.toml", "[project]\ndependencies = [\n\"web[fast]>=2.1; x\"]\n", "web", 3, ">=2.1"),
        ("pyproject.toml", "[tool.poetry.dependencies]\nweb = \"^2.1\"\n", "web", 2, "^2.1"),
        ("requirements-dev.txt", "# x\nweb==2.1.4  # y\n", "web", 2, "2.1.4"),
        (
            "go.mod",
            "module x\n\ngo 1.22\nrequire (\n\texample.com/a/queue v1.2.3 // indirect\n)\n",
            "queue",
            5,
            "v1.2.3",
        ),
        ("go.mod", "go 1.22\n", "golang", 1, "1.22"),
        ("Gemfile", "gem \"rails\", \"~> 7.1\"\n", "rails", 1, "~> 7.1"),
        ("Gemfile.lock", "GEM\n    rails (7.1.2)\n", "rails", 2, "7.1.2"),
        ("pom.xml", "<artifactId>core</artifactId>\n<version>3.2</version>\n", "core", 2, "3.2"),
        ("build.gradle.kts", "implementation(\"org.x:core:3.2.1\")\n", "core", 1, "3.2.1"),
        ("composer.json", "{\"require\":\n{\"acme/mail\": \"^3.0\"}}", "mail", 2, "^3.0"),
        ("Dockerfile", "FROM --platform=x reg.example.com/postgres:16.2 AS db\n", "PostgreSQL", 1, "16.2"),
        ("compose.yaml", "services:\n  a:\n    image: redis:7.2\n", "redis", 3, "7.2"),
        (".nvmrc", "v20.11.1\n", "node", 1, "v20.11.1"),
        (".tool-versions", "x\nnodejs 20.1.0\n", "node", 2, "20.1.0"),
        ("rust-toolchain.toml", "[toolchain]\nchannel = \"1.82.0\"\n", "rustc", 2, "1.82.0"),
        (".github/workflows/ci.yml", "  with:\n    python-version: '3.12'\n", "python", 2, "3.12"),
    ] {
        let manifests = of(path, text);
        let stated = manifests.versions_of(name);
        assert!(stated.iter().any(|one| one.line == line && one.value == value), "{path} {name}: {stated:?}");
    }
}

#[test]
fn commands_with_their_lines() {
    for (path, text, typed, line) in [
        ("package.json", "{\"scripts\": {\n\"lint\": \"eslint src\"}}", "npm run lint", 2),
        ("package.json", "{\"scripts\": {\n\"lint\": \"eslint src\"}}", "pnpm lint", 2),
        ("package.json", "{\"scripts\": {\n\"lint\": \"eslint src\"}}", "eslint  src", 2),
        ("package.json", "{\"scripts\": {\n\"test\": \"x\"}}", "npm test", 2),
        ("Makefile", "X := 1\n.PHONY: test\ntest: build\n\t@cargo test --all\n", "make test", 3),
        ("Makefile", "test:\n\t@cargo test --all\n", "cargo test --all", 2),
        ("justfile", "set x := y\nserve port=\"1\":\n    run it\n", "just serve", 2),
        ("Taskfile.yml", "version: '3'\ntasks:\n  build:\n    cmds: [x]\n", "task build", 3),
        ("pyproject.toml", "[tool.poe.tasks]\nfmt = \"ruff\"\n", "poe fmt", 2),
        ("composer.json", "{\"scripts\": {\n\"stan\": \"x\"}}", "composer stan", 2),
        ("README.md", "# A\n```sh\n$ docker compose up\n```\n", "docker compose up", 3),
        (".github/workflows/ci.yml", "- run: tox -e py\n", "tox -e py", 1),
    ] {
        let manifests = of(path, text);
        assert_eq!(manifests.command(typed).map(|one| one.line), Some(line), "{path} {typed}");
    }
    let make = of("Makefile", "X := 1\nX = 2\n.PHONY: test\n# note: x\n");
    assert!(make.commands.is_empty(), "{make:?}");
    assert!(of("package.json", "{ broken").is_empty());
}

#[test]
fn versions_agree_as_the_requirement_allows() {
    for (given, required, expected) in [
        ("4.17.2", "4.17.2", Agreement::Same),
        ("4.17", "^4.17.2", Agreement::Same),
        ("4", "4.17.2", Agreement::Same),
        ("4.18.0", "^4.17.2", Agreement::Allowed),
        ("5.0", "^4.17.2", Agreement::Other),
        ("0.4", "^0.3.1", Agreement::Other),
        ("7.0", "~> 7.1", Agreement::Allowed),
        ("8.0", "~> 7.1", Agreement::Other),
        ("3.12", ">=3.11", Agreement::Allowed),
        ("2.0.8", "2.0.9", Agreement::Other),
        ("20", "v20.11.1", Agreement::Same),
        ("1", "workspace:*", Agreement::Allowed),
    ] {
        assert_eq!(agreement(given, required), expected, "{given} {required}");
    }
}
