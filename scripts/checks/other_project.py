"""The invented project: a repository in one of three shapes, with a year of history, and a record of what became of what."""
import json
import pathlib
import re

import other_facts as facts
from kit import Repo

THEMES = {
    "harbor": "berth crane manifest vessel pilot dock cargo stevedore quay ballast tide customs".split(),
    "clinic": "visit ward triage referral dosage intake bedplan chart roster consent lab vitals".split(),
    "gallery": "album thumb exif tagset crop palette frame caption upload facet mosaic shutter".split(),
    "meter": "reading feeder outage substation phase tariffband dial loadcurve sensor pulse gridcell relayset".split(),
}
VERBS = "build load parse render collect apply resolve assign compute validate enqueue flush select normalise attach release schedule estimate".split()
TAILS = "plan batch window state summary limits report rules cache cursor policy graph snapshot range group page".split()
ROOTS = {
    "rust": {"rs": ["crates/{n}/src", "crates/engine/src/{n}"], "py": ["tools/{n}"], "ts": ["web/src/{n}"], "tsx": ["web/src/components/{n}"]},
    "go": {"go": ["internal/{n}", "pkg/{n}", "cmd/{n}ctl"], "ts": ["frontend/lib/{n}"], "tsx": ["frontend/views/{n}"], "sh": ["hack/{n}"]},
    "python": {"py": ["app/{n}", "app/services/{n}", "jobs/{n}"], "ts": ["ui/src/{n}"], "vue": ["ui/src/pages/{n}"], "sql": ["db/migrations/{n}"]},
}
LIBRARIES = {"package.json": ["gridwell", "@acme/forms", "slimdate", "tabulon"], "pyproject.toml": ["quernel", "halyard", "pinaforte"],
             "Cargo.toml": ["brindle", "osmand", "tarnish"], "go.mod": ["example.com/kestrel/wire", "example.com/lumen/trace"]}


def snake(words): return "_".join(words)
def camel(words): return words[0] + "".join(w.capitalize() for w in words[1:])
def pascal(words): return "".join(w.capitalize() for w in words)
def kebab(words): return "-".join(words)


class Project:
    """Builds the project and keeps what is live, gone and moved."""

    def __init__(self, out, rng, count, seed):
        self.rng, self.repo = rng, Repo(out)
        # three seeds in a row cover all shapes, four all themes
        self.theme = list(THEMES)[seed % len(THEMES)]
        self.shape = list(ROOTS)[seed % len(ROOTS)]
        self.nouns = THEMES[self.theme]
        self.used_symbols, self.used_bases = set(), set()
        self.symbols = {}          # path -> names defined there
        self.files = []
        self.moved, self.gone, self.gone_symbols = {}, [], []
        for _ in range(count):
            self.files.append(self.new_file())
        self.surface()
        self.documents()
        self.history()
        self.live = sorted(self.symbols)
        self.live_symbols = [s for p in self.live for s in self.symbols[p]]

    # names -------------------------------------------------------------------------------------------------
    def name(self):
        while True:
            words = [self.rng.choice(VERBS), self.rng.choice(self.nouns), self.rng.choice(TAILS)]
            if self.rng.random() < 0.4:
                words.insert(2, self.rng.choice(self.nouns))
            if snake(words) not in self.used_symbols:
                self.used_symbols.add(snake(words))
                return words

    def new_file(self):
        kinds = ROOTS[self.shape]
        while True:
            ext = self.rng.choice(list(kinds))
            noun = self.rng.choice(self.nouns)
            words = [self.rng.choice(self.nouns), self.rng.choice(TAILS)] + ([self.rng.choice(VERBS)] if self.rng.random() < 0.5 else [])
            base = {"tsx": pascal, "vue": pascal, "ts": camel, "sh": kebab}.get(ext, snake)(words)
            if base.lower().replace("-", "").replace("_", "") not in self.used_bases:
                break
        self.used_bases.add(base.lower().replace("-", "").replace("_", ""))
        path = f"{self.rng.choice(kinds[ext]).format(n=noun)}/{base}.{ext}"
        text, names = self.source(ext)
        self.symbols[path] = names
        self.repo.write(path, text)
        return path

    def source(self, ext):
        """The text of a file and what it defines: three functions, and a type or a constant."""
        r, names = self.rng, []
        say = lambda: f"{r.choice(VERBS)} the {r.choice(self.nouns)} {r.choice(TAILS)} of the {r.choice(self.nouns)} before the {r.choice(TAILS)}"
        mark = {"py": "#", "sh": "#", "sql": "--"}.get(ext, "//")
        lines = [f"{mark} {say().capitalize()}.", ""]
        if ext == "vue":
            lines = ["<script setup lang=\"ts\">"] + lines
        for at in range(3):
            w = self.name()
            a, b, n = r.choice(self.nouns), r.choice(TAILS), r.randint(2, 97)
            if ext == "rs":
                f = snake(w); lines += [f"/// {say().capitalize()}.", f"pub fn {f}({a}: &[u64], {b}: usize) -> usize {{", f"    let kept = {a}.iter().filter(|it| **it > {n}).count();", f"    kept.min({b} + {r.randint(1, 50)})", "}", ""]
            elif ext == "py":
                f = snake(w); lines += [f"def {f}({a}, {b}=None):", f'    """{say().capitalize()}."""', f"    kept = [it for it in {a} if it > {n}]", f"    return kept[: {b} or {r.randint(1, 50)}]", "", ""]
            elif ext == "go":
                f = pascal(w) if r.random() < 0.6 else camel(w); lines += [f"// {f} will {say()}.", f"func {f}({a} []int, {b} int) int {{", f"\tif len({a}) > {n} {{", f"\t\treturn {b} + {r.randint(1, 50)}", "\t}", f"\treturn {b}", "}", ""]
            elif ext == "sh":
                f = snake(w); lines += [f"# {say()}", f"{f}() {{", f"  local {a}=\"$1\"", f"  echo \"${{{a}}}\" | head -n {n}", "}", ""]
            elif ext == "sql":
                f = snake(w); lines += [f"-- {say()}", f"CREATE FUNCTION {f}({a} integer) RETURNS integer AS $$", f"  SELECT {a} + {n};", "$$ LANGUAGE sql;", ""]
            else:
                f = camel(w); lines += [f"/** {say().capitalize()}. */", f"export function {f}({a}: number[], {b}: number): number {{", f"  const kept = {a}.filter((it) => it > {n});", f"  return Math.min(kept.length, {b} + {r.randint(1, 50)});", "}", ""]
            names.append(f)
        w = self.name()
        if ext == "rs":
            t = pascal(w[1:] + [w[0]]) if r.random() < 0.5 else snake(w).upper()
            lines += [f"pub struct {t} {{", f"    pub {r.choice(TAILS)}: u64,", "}"] if t[1].islower() else [f"pub const {t}: usize = {r.randint(2, 900)};"]
        elif ext in ("ts", "tsx", "vue"):
            t = pascal(w[1:] + [w[0]]); lines += [f"export interface {t} {{", f"  {r.choice(TAILS)}: string;", "}"]
        elif ext == "py":
            t = snake(w).upper() if r.random() < 0.5 else pascal(w[1:] + [w[0]])
            lines += [f"{t} = {r.randint(2, 900)}"] if t.isupper() else [f"class {t}:", f"    {r.choice(TAILS)} = {r.randint(2, 90)}"]
        elif ext == "go":
            t = pascal(w[1:] + [w[0]]); lines += [f"type {t} struct {{", f"\t{r.choice(TAILS).capitalize()} int", "}"]
            lines.insert(1, "package core\n")
        else:
            t = None
        if t:
            names.append(t)
        if ext == "vue":
            lines += ["</script>", "<template>", "  <section class=\"page\"><slot /></section>", "</template>"]
        return "\n".join(lines) + "\n", names

    # flags, environment and settings -------------------------------------------------------------------------
    def surface(self):
        r = self.rng
        pairs = [(v, n, t) for v in VERBS for n in self.nouns for t in TAILS]
        words = [list(p) for p in r.sample(pairs, 96)]
        self.flags = [kebab(w[:2] if r.random() < 0.6 else w[1:]) for w in words[:32]]
        self.flags = sorted(set(self.flags))
        self.envs = sorted({f"{self.theme.upper()}_{snake(w[1:]).upper()}" for w in words[32:60]})
        self.keys = sorted({(w[1], f"{w[2]}_{r.choice(['ms', 'limit', 'size', 'mode', 'depth'])}") for w in words[60:]})
        self.keys = [(s, k) for k, s in {k: s for s, k in self.keys}.items()]  # a key's name stands in one section only
        r.shuffle(self.flags); r.shuffle(self.envs); r.shuffle(self.keys)
        cut = lambda c: (c[: len(c) * 2 // 5], c[len(c) * 2 // 5:])
        (self.gone_flags, self.live_flags), (self.gone_envs, self.live_envs), (self.gone_keys, self.live_keys) = map(cut, (self.flags, self.envs, self.keys))
        self.write_surface(self.flags, self.envs, self.keys)

    def write_surface(self, flags, envs, keys):
        """Every flag is defined once, as its language does it; likewise what is read from the environment."""
        by = {"rust": [], "go": [], "py": [], "yargs": []}
        # which parser defines a flag depends on the flag alone, so that dropping others leaves it where it was
        for f in sorted(flags):
            by[list(by)[sum(map(ord, f)) % 4]].append(f)
        rs = "use clap::Parser;\n\n#[derive(Parser)]\npub struct Options {\n" + "".join(
            (f"    /// {f.replace('-', ' ').capitalize()}.\n    #[arg(long)]\n    pub {f.replace('-', '_')}: bool,\n" if sum(map(ord, f)) % 3 else
             f"    #[arg(long = \"{f}\")]\n    pub opt_{sum(map(ord, f))}: Option<String>,\n") for f in by["rust"]) + "}\n"
        go = "package main\n\nimport \"github.com/spf13/cobra\"\n\nfunc addFlags(cmd *cobra.Command) {\n" + "".join(f"\tcmd.Flags().Bool(\"{f}\", false, \"{f.replace('-', ' ')}\")\n" for f in by["go"]) + "}\n"
        py = "import argparse\n\n\ndef make_parser():\n    parser = argparse.ArgumentParser()\n" + "".join(f"    parser.add_argument(\"--{f}\", action=\"store_true\")\n" for f in by["py"]) + "    return parser\n"
        js = "import yargs from 'yargs';\n\nexport const argv = yargs(process.argv.slice(2))\n" + "".join(f"  .option('{f}', {{ type: 'boolean' }})\n" for f in by["yargs"]) + "  .parseSync();\n"
        for path, text in (("cli/options.rs", rs), ("cli/main.go", go), ("cli/parser.py", py), ("cli/argv.ts", js)):
            self.repo.write(path, text)
        read = [("std::env::var(\"{}\").ok()", "env.rs"), ("os.environ.get(\"{}\")", "env.py"), ("process.env.{}", "env.ts"), ("os.Getenv(\"{}\")", "env.go")]
        for at, (form, path) in enumerate(read):
            mine = [e for e in sorted(envs) if sum(map(ord, e)) % 4 == at]
            self.repo.write(f"runtime/{path}", "".join(f"{'# ' if path.endswith('py') else '// '}{e.lower().replace('_', ' ')}\n{form.format(e)}\n" for e in mine))
        self.repo.write(".env.example", "".join(f"{e}=\n" for e in sorted(envs) if sum(map(ord, e)) % 5))
        self.repo.write("runtime/config.ts", "import { config } from './load';\n\n" + "".join(f"export const {camel(k.split('_'))} = config.{s}.{k};\n" for s, k in sorted(keys)))
        toml, yaml = {}, {}
        for s, k in sorted(keys):
            (toml if sum(map(ord, s)) % 2 else yaml).setdefault(s, []).append(k)
        self.repo.write("settings.toml", "\n".join(f"[{s}]\n" + "".join(f"{k} = {len(k)}\n" for k in ks) for s, ks in toml.items()))
        self.repo.write("config/defaults.yaml", "".join(f"{s}:\n" + "".join(f"  {k}: {len(k)}\n" for k in ks) for s, ks in yaml.items()))

    # documents -----------------------------------------------------------------------------------------------
    def documents(self):
        r = self.rng
        told = r.sample(range(len(facts.INSTRUCTIONS)), 14)
        self.told, self.untold = told, [i for i in range(len(facts.INSTRUCTIONS)) if i not in told]
        lines = [facts.INSTRUCTIONS[i][0] for i in told]
        self.repo.write("CLAUDE.md", f"# {self.theme.capitalize()}\n\nHow we work here.\n\n## Conventions\n\n" + "\n".join(f"- {s}" for s in lines[:6])
                        + "\n\n## Working\n\n" + "\n".join(f"{n}. {s}" for n, s in enumerate(lines[6:10], 1)) + "\n")
        self.repo.write(".claude/rules/style.md", "# Style\n\n" + "\n\n".join(lines[10:12]) + "\n")
        self.repo.write(".claude/rules/process.md", "---\npaths:\n  - \"**/*\"\n---\n\n" + "\n".join(f"* {s}" for s in lines[12:]) + "\n")
        self.foreign = r.sample(facts.FOREIGN, 4)
        self.unforeign = [f for f in facts.FOREIGN if f not in self.foreign]
        self.repo.write(".claude/rules/regional.md", "# Regional teams\n\n" + "\n".join(f"- {f[1]}" for f in self.foreign) + "\n")
        self.read = r.sample(range(len(facts.README)), 5)
        self.unread = [i for i in range(len(facts.README)) if i not in self.read]
        self.repo.write("README.md", f"# {self.theme.capitalize()}\n\n" + "\n\n".join(facts.README[i][0] for i in self.read) + "\n\n## Licence\n\nMIT\n")
        ver = lambda: f"{r.randint(1, 9)}.{r.randint(0, 20)}.{r.randint(0, 12)}"
        self.versions = {lib: (ver(), m) for m, libs in LIBRARIES.items() for lib in libs}
        v = {lib: got[0] for lib, got in self.versions.items()}
        self.scripts = r.sample(["lint", "typecheck", "storybook", "seed", "e2e", "codegen", "licences"], 4)
        self.targets = r.sample(["proto", "image", "smoke", "docs-site", "fixtures", "certs"], 3)
        self.recipes = r.sample(["tidy", "bench-all", "new-migration", "watch-api", "coverage-html"], 3)
        run = {s: f"node scripts/{s}.mjs" for s in self.scripts}
        self.repo.write("package.json", json.dumps({"name": self.theme, "private": True, "scripts": run, "dependencies": {n: "^" + v[n] for n in LIBRARIES["package.json"]}}, indent=2) + "\n")
        for s in self.scripts:
            self.repo.write(f"scripts/{s}.mjs", f"// {s}\nconsole.log('{s}');\n")
        self.repo.write("pyproject.toml", "[project]\nname = \"%s\"\nversion = \"0.9.0\"\nrequires-python = \">=3.11\"\ndependencies = [\n%s]\n" % (self.theme, "".join(f"  \"{n}=={v[n]}\",\n" for n in LIBRARIES["pyproject.toml"])))
        self.repo.write("Cargo.toml", "[workspace]\nmembers = []\n\n[workspace.dependencies]\n" + "".join(f"{n} = \"{v[n]}\"\n" for n in LIBRARIES["Cargo.toml"]))
        self.repo.write("go.mod", f"module example.com/{self.theme}\n\ngo 1.22\n\nrequire (\n" + "".join(f"\t{n} v{v[n]}\n" for n in LIBRARIES["go.mod"]) + ")\n")
        self.repo.write("Makefile", ".PHONY: " + " ".join(self.targets) + "\n\n" + "\n".join(f"{t}:\n\t@echo {t}\n" for t in self.targets))
        self.repo.write("justfile", "\n".join(f"# {t.replace('-', ' ')}\n{t}:\n    echo {t}\n" for t in self.recipes))
        self.repo.write("CHANGELOG.md", "# Changelog\n\n## 0.1.0\n\n- First release\n")

    def commands(self):
        return [f"npm run {s}" for s in self.scripts] + [f"make {t}" for t in self.targets] + [f"just {t}" for t in self.recipes]

    # history -------------------------------------------------------------------------------------------------
    def forget(self, path):
        self.gone_symbols += self.symbols.pop(path)
        (self.repo.root / path).unlink()

    def history(self):
        r, repo = self.rng, self.repo
        repo.commit("2025-11-18", "chore: import the code base", "From the old server, without its history.")
        order = list(self.files)
        r.shuffle(order)
        k = max(4, len(order) // 14)
        take = lambda n: [order.pop() for _ in range(n)]
        fixes = r.sample(facts.FIXES, 5)
        self.fixes = []

        def fix(date):
            subject, body, accounts = fixes.pop()
            for p in r.sample([p for p in self.files if p in self.symbols], 3):
                text = repo.read(p)
                repo.write(p, re.sub(r"\b(\d+)\b", lambda m: str(int(m.group(1)) + 1), text, count=2))
            repo.commit(date, subject, body)
            self.fixes.append((date, accounts, repo.commits[-1][3], subject))

        fix("2025-12-09")
        changelog = ["## 0.2.0\n"]
        dead = take(k)
        for p in dead:
            self.forget(p)
        self.gone += dead
        repo.commit("2026-01-14", f"refactor: drop the old {self.nouns[0]} pipeline", "Nothing called it since the new importer went live.")
        fix("2026-02-03")
        for p in take(k):  # the same directory, another name, a few numbers changed
            old = pathlib.PurePosixPath(p)
            ext = old.suffix[1:]
            while True:
                words = [r.choice(self.nouns), r.choice(VERBS), r.choice(TAILS)]
                base = {"tsx": pascal, "vue": pascal, "ts": camel, "sh": kebab}.get(ext, snake)(words)
                if base.lower().replace("-", "").replace("_", "") not in self.used_bases:
                    break
            self.used_bases.add(base.lower().replace("-", "").replace("_", ""))
            self.rename(p, f"{old.parent}/{base}.{ext}", edit=True)
        repo.commit("2026-02-25", f"refactor({self.nouns[1]}): give files the names the team uses")
        # a directory moves as a whole
        homes = {}
        for p in order:
            homes.setdefault(str(pathlib.PurePosixPath(p).parent), []).append(p)
        self.moved_dirs = {}
        for home in r.sample(sorted(h for h in homes if len(homes[h]) > 1), 2):
            parts = home.split("/")
            new = "/".join(parts[:-1] + ["domain", parts[-1]]) if r.random() < 0.5 else "platform/" + parts[-1] + "-core"
            for p in [q for q in sorted(self.symbols) if str(pathlib.PurePosixPath(q).parent) == home]:
                self.rename(p, f"{new}/{pathlib.PurePosixPath(p).name}")
                if p in order:
                    order.remove(p)
            self.moved_dirs[home] = new
        repo.commit("2026-03-19", "refactor: move directories below their domain")
        fix("2026-04-08")
        # functions are renamed or dropped; the files stay
        self.renamed = []
        for p in take(k):
            text, names = repo.read(p), self.symbols[p]
            victim = r.choice(names)
            w = self.name()
            new = pascal(w) if victim[0].isupper() and not victim.isupper() else snake(w).upper() if victim.isupper() else snake(w) if "_" in victim else camel(w)
            repo.write(p, re.sub(rf"\b{victim}\b", new, text))
            names[names.index(victim)] = new
            self.gone_symbols.append(victim)
            self.renamed.append((victim, new, p))
            if r.random() < 0.3:
                changelog.append(f"- `{victim}` is now called `{new}`")
        repo.commit("2026-05-05", f"refactor({self.nouns[2]}): clearer names for functions and types")
        dead = take(k)
        for p in dead:
            self.forget(p)
        self.gone += dead
        repo.commit("2026-06-11", f"chore: remove the {self.nouns[3]} prototype and what only it used")
        self.write_surface(self.live_flags, self.envs, self.keys)
        changelog += [f"- Removed the option `--{f}`" for f in self.gone_flags[::3]]
        repo.write("CHANGELOG.md", repo.read("CHANGELOG.md") + "\n" + "\n".join(changelog) + "\n")
        repo.commit("2026-07-02", "feat(cli)!: drop options nobody used")
        fix("2026-07-30")
        self.write_surface(self.live_flags, self.live_envs, self.live_keys)
        repo.write("CHANGELOG.md", repo.read("CHANGELOG.md") + "".join(f"- `{e}` is no longer read\n" for e in self.gone_envs[::4]))
        repo.commit("2026-08-20", "feat(config)!: fewer settings", "Values that were never changed in production are constants now.")
        # moved again, and moved then removed
        again = [old for old in self.moved if self.moved[old] in self.symbols][:4]
        for old in again[:2]:
            here = self.moved[old]
            self.rename(here, f"archive/{pathlib.PurePosixPath(here).name}" if len(here) % 2 else f"shared/{pathlib.PurePosixPath(here).name}")
        repo.commit("2026-09-10", "refactor: share helpers between services")
        for old in again[2:]:
            here = self.moved[old]
            self.forget(here)
            self.gone += [old, here]
            for o in [o for o, n in self.moved.items() if n == here]:
                del self.moved[o]
        repo.commit("2026-09-24", "chore: remove helpers that nobody imports")
        fix("2026-10-15")
        for _ in range(max(3, k // 2)):
            self.files.append(self.new_file())
        repo.commit("2026-11-12", f"feat({self.nouns[4]}): first part of the new planner")
        # names that a later file took up again are not gone
        here = {s for names in self.symbols.values() for s in names}
        self.gone_symbols = [s for s in self.gone_symbols if s not in here]
        tree = {pathlib.PurePosixPath(p).name for p in self.symbols}
        self.gone = [p for p in self.gone if p not in self.symbols]
        self.moved = {o: n for o, n in self.moved.items() if n in self.symbols and o not in self.symbols}
        self.renamed_base = [o for o in self.moved if pathlib.PurePosixPath(o).name not in tree]

    def rename(self, old, new, edit=False):
        names = self.symbols.pop(old)
        self.repo.move(old, new)
        if edit:
            text = self.repo.read(new)
            self.repo.write(new, re.sub(r"\b(\d+)\b", lambda m: str(int(m.group(1)) + 3), text, count=2))
        self.symbols[new] = names
        for o in [o for o, n in self.moved.items() if n == old]:
            self.moved[o] = new
        self.moved[old] = new
