#!/usr/bin/env python3
"""Make a realistic project from crates in the local cargo registry, with an invented history, and 60 notes about it.

    make_project.py OUT [--registry DIR] [--seed 1]

OUT/project, OUT/memory and OUT/answers.json as the other generators. Crates that the registry lacks are skipped, and
the notes about them too (each is named on standard error). No network: run `cargo fetch` in this repository first if
the registry is empty. Run the checker with `--now 2026-11-30T10:00:00Z`.
"""
import argparse
import datetime
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

from kit import NOW, Repo, Store, fresh
from project_memories import MEMORIES

CRATES = ["walkdir-2", "globset-0.4", "ignore-0.4", "similar-2", "console-0.16", "tiny_http-0.12", "strsim-0.11", "vt100-0.16"]
FLAGS = {"max-depth": "How deep to look", "follow-links": "Follow symbolic links", "context-lines": "Lines around a change", "report-dir": "Where reports go",
         "flat-output": "One line for each file", "porcelain-v2": "Output for programs", "serve-report": "Show the report over HTTP", "poll-interval": "Seconds between two looks"}
GONE_FLAGS = ["flat-output", "porcelain-v2", "serve-report"]
ENVS = ["SWEEP_THREADS", "SWEEP_CACHE_DIR", "SWEEP_DIFF_TIMEOUT", "SWEEP_NO_PAGER", "SWEEP_REPORT_PORT"]
GONE_ENVS = ["SWEEP_NO_PAGER", "SWEEP_REPORT_PORT"]
INSTRUCTIONS = """# trailsweep

## Rules

- Error messages name the file and what to do next, and never end with an exclamation mark.
- Golden files are never renewed in the same commit as a change of behaviour; they get a commit of their own.
- Vendored crates keep their licence files.
- Public functions have a doc comment.
- Ask before adding a crate.
- Unsafe code needs a comment that starts with SAFETY.
"""


def cli(flags, envs):
    """The program's own options: some by their field's name, some by a string."""
    lines = ["//! The command line of trailsweep.", "", "use clap::Parser;", "", "#[derive(Parser)]", "pub struct Options {"]
    for at, (flag, about) in enumerate(FLAGS.items()):
        if flag in flags:
            lines += [f"    /// {about}.", "    #[arg(long)]" if at % 2 else f"    #[arg(long = \"{flag}\")]", f"    pub {flag.replace('-', '_') if at % 2 else 'option_' + str(at)}: Option<String>,"]
    lines += ["}", "", "pub struct Surroundings {"] + [f"    pub {e.lower()}: Option<String>," for e in envs] + ["}", "", "impl Surroundings {", "    pub fn read() -> Self {", "        Self {"]
    lines += [f"            {e.lower()}: std::env::var(\"{e}\").ok()," for e in envs] + ["        }", "    }", "}", ""]
    return "\n".join(lines)


class Build:
    def __init__(self, out, registry):
        self.repo, self.registry, self.root = Repo(out), registry, pathlib.Path(out)

    def crate(self, prefix):
        """Copies a crate's sources to crates/NAME, if the registry has it."""
        for home in sorted(self.registry.glob(f"*/{prefix}*")):
            name = re.sub(r"-\d.*", "", home.name)
            for part in ("src", "tests", "benches", "examples", "compare"):
                if (home / part).is_dir():
                    shutil.copytree(home / part, self.root / "crates" / name / part, ignore=shutil.ignore_patterns("*.pem", "*.snap", "*.log", "*.php"))
            for file in ("Cargo.toml.orig", "README.md", "LICENSE-MIT", "LICENSE"):
                if (home / file).is_file():
                    to = self.root / "crates" / name / file.replace(".orig", "")
                    to.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(home / file, to)
            for dirpath, _, files in os.walk(self.root / "crates" / name):
                for f in files:
                    os.chmod(pathlib.Path(dirpath) / f, 0o644)
            return
        print(f"the registry has no {prefix}*: skipped", file=sys.stderr)

    def remove(self, path):
        at = self.root / path
        shutil.rmtree(at) if at.is_dir() else at.unlink(missing_ok=True)

    def move(self, old, new):
        if (self.root / old).exists():
            self.repo.move(old, new)

    def rename_word(self, old, new):
        for file in sorted(self.root.rglob("*")):
            if file.is_file() and ".git" not in file.parts and file.suffix in (".rs", ".md"):
                text = file.read_text(errors="surrogateescape")
                changed = re.sub(rf"\b{old}\b", new, text)
                if changed != text:
                    file.write_text(changed, errors="surrogateescape")

    def history(self):
        repo = self.repo
        for c in CRATES[:3]:
            self.crate(c)
        repo.write("Cargo.toml", "[workspace]\nmembers = [\"crates/*\", \"cli\"]\n")
        repo.commit("2025-12-03", "Import the crates that walk and match", "They are changed here, so they are copies and no dependencies.")
        for c in CRATES[3:]:
            self.crate(c)
        repo.commit("2025-12-11", "Import the crates for diffs, terminal and reports")
        repo.write("cli/src/main.rs", cli(FLAGS, ENVS))
        repo.write("cli/Cargo.toml", "[package]\nname = \"trailsweep\"\nversion = \"0.4.0\"\n")
        repo.write("sweep.toml", "[walk]\nmax_open = 8\nbatch_size = 64\n\n[report]\nkeep_days = 400\ntemplate = \"plain\"\n")
        repo.write("README.md", "# trailsweep\n\nFinds what is missing between a scanner's folder and an archive, and shows what changed.\n\nThe report lists every file once, with the day of its last change and the number of its box.\n")
        repo.write("CLAUDE.md", INSTRUCTIONS)
        repo.write("justfile", "# runs the demo\nsweep-demo:\n    cargo run -p trailsweep -- list demo\n\n# renews the golden files\ngolden:\n    GOLDEN=1 cargo test\n")
        repo.write("Makefile", "dist:\n\ttar -cf dist.tar target/release/trailsweep\n")
        repo.commit("2026-01-07", "Add the program itself, with its options and settings")
        repo.write("CHANGELOG.md", "# Changelog\n\n## 0.4.0\n\n- First release for the archive\n")
        repo.commit("2026-01-20", "Start a changelog")
        self.remove("crates/strsim")
        repo.commit("2026-03-04", "Remove strsim: similar finds close matches too", "Two distances gave two suggestions.")
        self.move("crates/console", "crates/terminal/console")
        self.move("crates/vt100", "crates/terminal/vt100")
        repo.write("Cargo.toml", "[workspace]\nmembers = [\"crates/*\", \"crates/terminal/*\", \"cli\"]\n")
        repo.commit("2026-03-25", "Put the terminal crates into one directory")
        self.remove("crates/ignore/examples")
        self.remove("crates/walkdir/compare")
        repo.commit("2026-04-09", "Remove examples and comparisons that nobody runs")
        self.move("crates/ignore/src/pathutil.rs", "crates/ignore/src/paths.rs")
        self.move("crates/tiny_http/src/util/refined_tcp_stream.rs", "crates/tiny_http/src/util/plain_or_tls_stream.rs")
        for old, new, where in (("pathutil", "paths", "crates/ignore/src"), ("refined_tcp_stream", "plain_or_tls_stream", "crates/tiny_http/src")):
            for file in sorted((self.root / where).rglob("*.rs")) if (self.root / where).exists() else []:
                file.write_text(re.sub(rf"\b{old}\b", new, file.read_text()))
        repo.commit("2026-05-06", "Name files after what is in them")
        for old, new in (("find_middle_snake", "middle_of_snakes"), ("measure_text_width", "shown_width"), ("normalize_path", "with_slashes"), ("parse_excludes_file", "excludes_setting")):
            self.rename_word(old, new)
        repo.commit("2026-06-02", "Rename functions whose names misled reviewers")
        for old, new in (("AnsiCodeIterator", "EscapeSplitter"), ("MultiLookup", "WordLookup")):
            self.rename_word(old, new)
        repo.write("CHANGELOG.md", repo.read("CHANGELOG.md") + "- `AnsiCodeIterator` is called `EscapeSplitter`\n")
        repo.commit("2026-06-18", "Rename two types; say so in the changelog")
        self.remove("crates/tiny_http/src/ssl/openssl.rs")
        self.remove("crates/tiny_http/tests/promptness.rs")
        repo.commit("2026-07-14", "Keep one TLS backend, drop the timing tests")
        flags = [f for f in FLAGS if f not in GONE_FLAGS]
        repo.write("cli/src/main.rs", cli(flags, ENVS))
        repo.write("CHANGELOG.md", repo.read("CHANGELOG.md") + "- Removed `--serve-report`\n")
        repo.commit("2026-08-12", "Drop options that only the prototype needed")
        repo.write("cli/src/main.rs", cli(flags, [e for e in ENVS if e not in GONE_ENVS]))
        repo.write("sweep.toml", "[walk]\nmax_open = 8\n\n[report]\nkeep_days = 400\n")
        repo.commit("2026-09-03", "Read fewer variables and settings")
        self.move("crates/tiny_http/src/util", "crates/tiny_http/src/io")
        repo.commit("2026-09-17", "Call the server's helpers what they are: input and output")
        server = self.root / "crates/tiny_http/src/lib.rs"
        if server.exists():
            server.write_text(server.read_text() + "\n// The listener is closed before the pool, see the history.\n")
            repo.commit("2026-10-08", "Close the listener before the worker pool is dropped", "A late connection was accepted and then never answered.")
        # what one file had is in another: the name lives on
        self.repo.write("CHANGELOG.md", repo.read("CHANGELOG.md") + "- Settings that nobody changed are constants\n")
        repo.commit("2026-11-05", "Note the dropped settings in the changelog")

    def holds(self, thing, live):
        """Whether a name is in the last commit (`live`), or was once and is no more."""
        grep = lambda: self.ask("grep", "-qwF", "-e", thing, "HEAD", "--", ".", ":!CHANGELOG.md")
        path = re.sub(r":\d+$", "", thing)
        if re.search(r"\.\w+$", path):
            here = (self.root / path).exists() or ("/" not in path and any(self.root.rglob(path)))
            was = bool(self.repo.git("log", "--format=%h", "-1", "--", path if "/" in path else f"**/{path}"))
            return here if live else was and not here
        forms = {thing, thing.replace("-", "_")}
        here = any(self.ask("grep", "-qwF", "-e", f, "HEAD", "--", ".", ":!CHANGELOG.md") for f in forms)
        return here if live else not here and any(self.repo.git("log", "--format=%h", "-1", f"-S{f}") for f in forms)

    def ask(self, *args):
        return subprocess.run(["git", "-C", str(self.root), *args], capture_output=True).returncode == 0


def main():
    a = argparse.ArgumentParser()
    a.add_argument("out")
    a.add_argument("--registry", type=pathlib.Path, default=pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo")) / "registry" / "src")
    a.add_argument("--seed", type=int, default=1)
    args = a.parse_args()
    out, r = fresh(args.out), random.Random(f"project-{args.seed}")
    build = Build(out / "project", args.registry)
    build.history()
    store = Store(out / "memory", r)
    for slug, kind, ids, live, dead, description, body in MEMORIES:
        wrong = [t for t in live if not build.holds(t, True)] + [t for t in dead if not build.holds(t, False)]
        if wrong:
            print(f"left out {slug}: {', '.join(wrong)} is not as its label needs", file=sys.stderr)
            continue
        when, extra = None, []
        if ids in (["path-gone"], ["path-moved"], ["symbol-gone"], ["flag-gone"], ["setting-gone"], ["date-past"]):
            when = datetime.datetime(2026, 1, 25, 12, tzinfo=datetime.timezone.utc) + datetime.timedelta(days=r.randint(0, 25))
        if ids == ["expired"]:
            when, extra = NOW - datetime.timedelta(days=150), ["expiresAt: 2026-08-31T00:00:00Z"]
        if "{secret}" in body:
            body = body.replace("{secret}", "".join(r.choice("abcdefghkmnpqrstuvwxyzABCDEFGH23456789") for _ in range(11)) + "!7")
        store.add(store.slug(slug), slug.replace("-", " ").capitalize(), description, kind, body, ids, when=when, extra=extra)
    store.finish(out)
    told = store.answers.values()
    print(f"{len(told)} memories, {sum(1 for v in told if v)} with something to report, {len(build.repo.commits)} commits; now 2026-11-30T10:00:00Z")


if __name__ == "__main__":
    main()
