#!/usr/bin/env python3
"""Make a project with a year of history, a store of memories about it and an answer key, in many words and languages.

    make_store_other.py OUT [--memories 400] [--files 300] [--seed 1] [--clean] [--holdout]

The layout is that of the shared make_store.py: OUT/project, OUT/memory, OUT/answers.json. Run the checker with
`--now 2026-11-30T10:00:00Z`, the day for which the key holds. `--clean`: nothing to report; `--holdout`: only the
frames that are never used otherwise.
"""
import argparse
import base64
import datetime
import pathlib
import random

import frames_en as en
import other_facts as facts
from frames_other import FRAMES
from kit import NOW, Frames, Store, fresh
from other_project import Project, TAILS, VERBS

LANGS = list(FRAMES)
MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(),
}


def say_date(rng, lang, day):
    forms = [f"{day:%Y-%m-%d}"]
    if lang == "en":
        m = MONTHS["en"][day.month - 1]
        forms += [f"{m} {day.day}, {day.year}", f"{day.day} {m} {day.year}", f"{m[:3]} {day.day}, {day.year}"]
    elif lang in ("ja", "zh"):
        forms += [f"{day.year}年{day.month}月{day.day}日"] * 2
    elif lang == "ko":
        forms += [f"{day.year}년 {day.month}월 {day.day}일"] * 2
    else:
        m = MONTHS[lang][day.month - 1]
        forms += {"de": [f"{day.day}. {m} {day.year}", f"{day:%d.%m.%Y}"], "fr": [f"{day.day} {m} {day.year}", f"{day:%d/%m/%Y}"]}.get(
            lang, [f"{day.day} de {m} de {day.year}", f"{day:%d/%m/%Y}"])
    return rng.choice(forms)


class Maker:
    def __init__(self, out, args):
        self.rng = random.Random(f"other-{args.seed}")
        self.args = args
        self.project = Project(out / "project", self.rng, args.files, args.seed)
        # the phrasing has its own stream, so that the hold-out changes no project
        self.rng = random.Random(f"memories-{args.seed}-{args.holdout}")
        self.frames = Frames(self.rng, args.holdout)
        self.store = Store(out / "memory", self.rng)
        self.lang = "en"

    # subjects ------------------------------------------------------------------------------------------------
    def noun(self):
        return self.rng.choice(self.project.nouns)

    def path_form(self, path, live, bare_name=False):
        r = self.rng
        name = pathlib.PurePosixPath(path).name
        if path.endswith("/"):
            return r.choice([f"`{path}`", path, f"`{path[:-1]}`"])
        line = r.randint(3, 18) if live else r.randint(3, 300)
        forms = [f"`{path}`"] * 4 + [f"`{path}:{line}`", f"{path}:{line}", path, path, f"`./{path}`", f"**{path}**", f"[{name}]({path})", f"`{path}` (line {line})",
                 "`" + path.replace("/", "\\") + "`", path.replace("/", "\\"), f"`{path}#L{line}`"]
        forms += [f"\"{path}\"", f"'{path}'"] if self.lang == "en" else []
        forms += [f"« {path} »"] if self.lang == "fr" else [f"「{path}」"] if self.lang == "ja" else [f"„{path}“"] if self.lang == "de" else []
        if bare_name:
            forms += [f"`{name}`"] * 3 + [name, f"`{name}:{line}`"]
        return r.choice(forms)

    def symbol_form(self, name):
        r = self.rng
        function = not (name[0].isupper() and "_" not in name and self.project.shape != "go") and not name.isupper()
        forms = [f"`{name}`"] * 4
        if function:
            forms += [f"`{name}()`"] * 3 + [f"`{name}(…)`", f"`{name}({self.noun()}, limit)`", f"{name}()"]
        return r.choice(forms)

    def flag_form(self, flag):
        return self.rng.choice([f"`--{flag}`"] * 4 + [f"--{flag}", f"`{self.project.theme}ctl run --{flag}`", f"**`--{flag}`**"])

    def setting_form(self, setting):
        if isinstance(setting, str):
            return self.rng.choice([f"`{setting}`"] * 4 + [setting, f"`${setting}`"])
        section, key = setting
        file = "settings.toml" if sum(map(ord, section)) % 2 else "config/defaults.yaml"
        forms = [f"`{section}.{key}`"] * 3 + ([f"`{key}` (section `{section}` of {file})", f"`{section}.{key}` in `{file}`"] if self.lang == "en" else [f"`{section}.{key}` ({file})"])
        return self.rng.choice(forms)

    def dead(self):
        """Something gone, for text that says so."""
        p = self.project
        return self.rng.choice([f"`{self.rng.choice(p.gone)}`", f"`{self.rng.choice(p.gone_symbols)}`", f"`--{self.rng.choice(p.gone_flags)}`",
                                f"`{self.rng.choice(p.gone_envs)}`"])

    def bank(self, key):
        return getattr(en, key.upper()) if self.lang == "en" else FRAMES[self.lang][key.lower()]

    def frame(self, key, **values):
        return self.frames.pick(self.bank(key)).format(n=self.noun(), **values)

    def about(self, key, form, raw):
        """A sentence about a path, a symbol, a flag or a setting; now and then a table, a list or a code block."""
        if self.lang == "en" and self.rng.random() < 0.15:
            slot = {"path": "p", "symbol": "s", "flag": "f", "setting": "e"}[key]
            return self.frames.pick(en.BLOCKS[key]).format(n=self.noun(), t=self.project.theme, **{slot: raw})
        return self.frame(key, **{{"path": "p", "symbol": "s", "flag": "f", "setting": "e"}[key]: form})

    def about_path(self, path, live, bare_name=False): return self.about("path", self.path_form(path, live, bare_name), path)
    def about_symbol(self, name): return self.about("symbol", self.symbol_form(name), name)
    def about_flag(self, flag): return self.about("flag", self.flag_form(flag), f"--{flag}")
    def about_setting(self, setting): return self.about("setting", self.setting_form(setting), setting if isinstance(setting, str) else ".".join(setting))

    # what is to be reported ------------------------------------------------------------------------------------
    def path_gone(self):
        return self.about_path(self.rng.choice(self.project.gone), False, bare_name=True), ["path-gone"]

    def path_moved(self):
        p = self.project
        dirs = [d + "/" for d in sorted(p.moved_dirs) if not any(f.startswith(d + "/") for f in p.live)]
        if dirs and self.rng.random() < 0.1:
            return self.frame("path", p=self.path_form(self.rng.choice(dirs), False)), ["path-moved"]
        old = self.rng.choice(sorted(p.moved))
        return self.about_path(old, False, bare_name=old in p.renamed_base), ["path-moved"]

    def symbol_gone(self):
        return self.about_symbol(self.rng.choice(self.project.gone_symbols)), ["symbol-gone"]

    def flag_gone(self):
        return self.about_flag(self.rng.choice(self.project.gone_flags)), ["flag-gone"]

    def setting_gone(self):
        r, p = self.rng, self.project
        return self.about_setting(r.choice(p.gone_envs if r.random() < 0.6 else p.gone_keys)), ["setting-gone"]

    def relative_date(self):
        return self.frame("relative"), ["relative-date"]

    def date_past(self):
        day = NOW.date() - datetime.timedelta(days=self.rng.randint(12, 250))
        self.when = NOW - datetime.timedelta(days=(NOW.date() - day).days + self.rng.randint(8, 60))
        return self.frame("past_deadline", d=say_date(self.rng, self.lang, day)), ["date-past"]

    def instruction(self):
        if self.lang != "en":
            mine = [f for f in self.project.foreign if f[0] == self.lang]
            if not mine:
                return self.relative_date()
            _, text, ways = mine[0]
            return (ways[1] if self.args.holdout else self.rng.choice([text, ways[0]])), ["repeats-instructions"]
        text, ways, _ = facts.INSTRUCTIONS[self.rng.choice(self.project.told)]
        return (ways[1] if self.args.holdout else self.rng.choice([text, ways[0], ways[2]])), ["repeats-instructions"]

    def lists(self, items):
        return dict(b="\n".join(f"- {'`' + i + '`' if self.rng.random() < 0.7 else i}" for i in items), k="\n".join(items), t="\n".join(f"| `{i}` |" for i in items))

    def repository(self):
        r, p = self.rng, self.project
        what = r.randint(0, 3)
        if what == 0:
            lib = r.choice(sorted(p.versions))
            return self.frames.pick(en.VERSION_REPEAT).format(l=lib if r.random() < 0.6 else f"`{lib}`", v=p.versions[lib][0]), ["repeats-repository"]
        if what == 1:
            some = r.sample(p.commands(), r.randint(3, 5))
            lists = self.lists(some)
            lists["t"] = "\n".join(f"| `{c}` | {'package.json' if c.startswith('npm') else 'Makefile' if c.startswith('make') else 'justfile'} |" for c in some)
            return self.frames.pick(en.COMMANDS_REPEAT).format(c=", ".join(f"`{c}`" for c in some[:-1]) + f" and `{some[-1]}`", **lists), ["repeats-repository"]
        if what == 2:
            some = r.sample(p.live, r.randint(5, 9))
            return self.frames.pick(en.LISTING).format(n=self.noun(), **self.lists(some)), ["repeats-repository"]
        text, ways = facts.README[r.choice(p.read)]
        return (ways[1] if self.args.holdout else r.choice([text, ways[0]])), ["repeats-repository"]

    def history(self):
        r = self.rng
        date, accounts, commit, subject = r.choice(self.project.fixes)
        self.when = datetime.datetime.fromisoformat(date + "T15:00:00+00:00") + datetime.timedelta(days=r.randint(0, 3))
        plain = subject.split(": ", 1)[1]
        text = r.choice([accounts[1] if self.args.holdout else accounts[0], self.frames.pick(en.HISTORY)])
        text = text.format(d=say_date(r, "en", datetime.date.fromisoformat(date)), h=commit[: r.choice([7, 8, 10])], s=plain)
        return text[0].upper() + text[1:], ["repeats-history"]

    def ok_history(self):
        return self.frames.pick(en.HISTORY_OK).format(h=f"`{self.rng.choice(self.project.repo.commits)[3][:8]}`"), []

    def transient(self):
        return self.frame("transient"), ["transient"]

    def value(self):
        """A made-up secret in one of the usual forms: nothing of it is in these sources, and none opens anything."""
        r = self.rng
        some = lambda n, of="abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789": "".join(r.choice(of) for _ in range(n))
        upper, hexed = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789abcdef"
        word = some(1, upper) + some(6) + r.choice("!%+_") + some(4, "23456789")
        b64 = lambda text: base64.b64encode(text.encode()).decode().rstrip("=")
        return r.choice([
            lambda: f"`AK{'IA'}{some(16, upper)}`", lambda: f"`gh{'p_'}{some(36)}`", lambda: f"`github{'_pat_'}{some(22)}_{some(59)}`", lambda: f"`sk-ant-{'api03'}-{some(48)}`",
            lambda: f"`xox{'b-'}{some(11, '123456789')}-{some(12, '123456789')}-{some(24)}`", lambda: f"`ey{'J'}{b64('{' + chr(34) + 'alg' + chr(34) + ':' + chr(34) + 'HS256' + chr(34) + '}')[3:]}.{b64(chr(123) + chr(34) + 'sub' + chr(34) + ':' + chr(34) + some(8) + chr(34) + chr(125))}.{some(43)}`",
            lambda: f"`postgres://app:{word}@db.example.com:5432/app`", lambda: f"user `ops`, password `{word}`", lambda: f"password: {word}", lambda: f"`DB_PASSWORD={word}`",
            lambda: f"`Authorization: Bearer {some(40)}`", lambda: f"`Authorization: Basic {b64('ops:' + word)}`", lambda: f"`npm{'_'}{some(36)}`", lambda: f"`gl{'pat-'}{some(20)}`", lambda: f"`AI{'za'}{some(35)}`",
            lambda: f"`api_key = \"{some(32, hexed)}\"`", lambda: f"`https://ops:{word}@files.example.com/drop`", lambda: f"`client_secret: {some(40)}`", lambda: f"`sk{'_live_'}{some(24)}`",
        ])()

    def secret(self):
        if self.lang == "en" and self.rng.random() < 0.08:
            body = "\n".join("".join(self.rng.choice("ABCDEFabcdefghijk0123456789+/") for _ in range(64)) for _ in range(4))
            kind = self.rng.choice(["RSA ", "OPENSSH ", ""])
            return f"Key of the deploy user:\n\n```\n-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----\n```", ["secret"]
        frame = self.frames.pick(self.bank("secret"))
        value = self.value()
        return frame.format(v=value.strip("`") if "```" in frame else value), ["secret"]

    def hidden(self):
        r = self.rng
        mark = r.choice(["\u200b", "\u200b\u200c\u200b", "\u2060", "\u202e\u202c", "\u2066\u2069", "\ufeff", "".join(chr(0xE0000 + ord(c)) for c in "do it"), "\u2063\u2064", "\u200e\u202a\u202c"])
        return self.frames.pick(en.HIDDEN_TEXT).format(h=mark), ["hidden-text"]

    def override(self):
        return self.frame("override"), ["instruction-override"]

    def expired(self):
        day = NOW - datetime.timedelta(days=self.rng.randint(3, 150))
        self.when = day - datetime.timedelta(days=self.rng.randint(20, 60))
        self.extra = [self.rng.choice([f"expiresAt: {day:%Y-%m-%d}", f"expiresAt: {day:%Y-%m-%dT%H:%M:%SZ}", f"expiresAt: \"{day:%Y-%m-%d}\"", f"expiresAt: '{day:%Y-%m-%dT%H:%M:%S+00:00}'"])]
        return self.frame("neutral"), ["expired"]

    def superseded(self):
        """Writes the older memory; the newer says so, or the older does in its frontmatter."""
        r = self.rng
        old_day = NOW - datetime.timedelta(days=r.randint(90, 260))
        slug = self.new_slug()
        successor = self.store.slug(slug + "-revised")
        by_key = r.random() < 0.4
        extra = [r.choice([f"superseded_by: {successor}", f"superseded_by: \"[[{successor}]]\"", f"superseded_by: {successor}.md"])] if by_key else []
        name = self.write(slug, self.frames.pick(en.NEUTRAL).format(n=self.noun()), ["superseded"], when=old_day, extra=extra, newer=True)
        self.when, self.slug, self.force_newer = old_day + datetime.timedelta(days=r.randint(10, 80)), successor, True
        text = self.frames.pick(en.NEUTRAL).format(n=self.noun())
        link = self.frames.pick(en.SUPERSEDING).format(o=pathlib.Path(name).stem)
        return (text if by_key else r.choice([f"{text} {link}", f"{link}\n\n{text}"])), []

    # what is right as it stands ---------------------------------------------------------------------------------
    def ok_path(self):
        r, p = self.rng, self.project
        if r.random() < 0.12:
            return self.frame("path", p=self.path_form(str(pathlib.PurePosixPath(r.choice(p.live)).parent) + "/", True)), []
        if r.random() < 0.12:  # by the end of the path
            return self.frame("path", p="`" + "/".join(r.choice(p.live).split("/")[-2:]) + "`"), []
        kept = sorted(o for o in p.moved if o not in p.renamed_base)
        if kept and r.random() < 0.1:  # moved, and its bare name still leads there
            return self.frame("path", p=f"`{pathlib.PurePosixPath(r.choice(kept)).name}`"), []
        other = ["CLAUDE.md", "README.md", "Makefile", "justfile", ".env.example", "go.mod", "package.json", "config/defaults.yaml", "settings.toml", ".claude/rules/style.md"]
        if r.random() < 0.1:
            return self.frame("path", p=f"`{r.choice(other)}`"), []
        return self.about_path(r.choice(p.live), True, bare_name=True), []

    def ok_symbol(self): return self.about_symbol(self.rng.choice(self.project.live_symbols)), []
    def ok_flag(self): return self.about_flag(self.rng.choice(self.project.live_flags)), []
    def ok_setting(self): return self.about_setting(self.rng.choice(self.project.live_envs if self.rng.random() < 0.6 else self.project.live_keys)), []
    def ok_said_gone(self): return self.frame("said_gone", x=self.dead()), []
    def ok_relative(self): return self.frame("relative_ok"), []
    def ok_transient(self): return self.frame("transient_ok"), []
    def ok_neutral(self): return self.frame("neutral"), []

    def ok_future(self):
        day = NOW.date() + datetime.timedelta(days=self.rng.randint(20, 700))
        return self.frame("past_deadline", d=say_date(self.rng, self.lang, day)), []

    def ok_event(self):
        day = NOW.date() - datetime.timedelta(days=self.rng.randint(60, 500))
        self.when = NOW - datetime.timedelta(days=self.rng.randint(5, 50))
        return self.frame("past_event", d=say_date(self.rng, self.lang, day)), []

    def ok_planned(self):
        p = self.project
        near = pathlib.PurePosixPath(self.rng.choice(p.live))
        new = self.rng.choice([f"{near.parent}/{self.noun()}_forecast{near.suffix}", f"forecast_{self.noun()}_{self.rng.choice(TAILS)}", f"--forecast-{self.noun()}"])
        return self.frames.pick(en.PLANNED).format(x=new), []

    def ok_secret(self):
        r = self.rng
        h = lambda n: "".join(r.choice("0123456789abcdef") for _ in range(n))
        # no str.format: these have braces and $ of their own
        text = self.frames.pick(en.SECRET_OK)
        return text.replace("{h}", h(r.choice([7, 40]))).replace("{u}", f"{h(8)}-{h(4)}-4{h(3)}-a{h(3)}-{h(12)}").replace("{c}", h(64)), []

    def ok_hidden(self): return self.frames.pick(en.HIDDEN_OK), []
    def ok_override(self): return self.frames.pick(en.OVERRIDE_OK), []
    def ok_tools(self): return self.frames.pick(en.TOOLS), []
    def ok_libs(self): return self.frames.pick(en.LIBS), []
    def ok_shapes(self): return self.frames.pick(en.SHAPES).replace("{{", "{").replace("}}", "}"), []

    def ok_version(self):
        lib = self.rng.choice(sorted(self.project.versions))
        return self.frames.pick(en.VERSION_OK).format(l=f"`{lib}`", v=self.project.versions[lib][0]), []

    def ok_command(self):
        return self.frames.pick(en.COMMANDS_OK).format(c1=f"`{self.rng.choice(self.project.commands())}`"), []

    def ok_instruction(self):
        """Near to an instruction, or an instruction that this project does not state."""
        r, p = self.rng, self.project
        if r.random() < 0.5:
            return self.frames.pick(facts.INSTRUCTIONS)[2], []
        ways = facts.INSTRUCTIONS[r.choice(p.untold)][1]
        return (ways[1] if self.args.holdout else r.choice([ways[0], ways[2]])), []

    def ok_readme(self):
        return facts.README[self.rng.choice(self.project.unread)][1][1 if self.args.holdout else 0], []

    def ok_expires(self):
        day = NOW + datetime.timedelta(days=self.rng.randint(10, 300))
        self.extra = [self.rng.choice([f"expiresAt: {day:%Y-%m-%d}", f"expiresAt: \"{day:%Y-%m-%dT%H:%M:%SZ}\""])]
        return self.frame("neutral"), []

    def ok_link(self):
        if not self.store.answers:
            return self.ok_neutral()
        other = pathlib.Path(self.rng.choice(list(self.store.answers))).stem
        return self.frames.pick(en.NEUTRAL).format(n=self.noun()) + " " + self.frames.pick(en.SUPERSEDING_OK).format(o=other), []

    BAD = [path_gone, path_gone, path_moved, path_moved, symbol_gone, symbol_gone, flag_gone, setting_gone, relative_date, date_past, transient, secret, override, instruction]
    BAD_EN = BAD + [instruction, repository, repository, history, history, hidden, hidden, expired, superseded]
    GOOD = [ok_path, ok_path, ok_symbol, ok_symbol, ok_flag, ok_setting, ok_said_gone, ok_relative, ok_transient, ok_neutral, ok_future, ok_event]
    GOOD_EN = GOOD + [ok_planned, ok_secret, ok_secret, ok_hidden, ok_override, ok_tools, ok_libs, ok_shapes, ok_shapes, ok_version, ok_command, ok_instruction, ok_instruction, ok_readme, ok_expires, ok_link, ok_history]
    BESIDE = [ok_path, ok_symbol, ok_neutral, ok_relative, ok_transient]
    BESIDE_EN = BESIDE + [ok_tools, ok_libs, ok_shapes, ok_secret, ok_override, ok_command, ok_version]
    WITHOUT_WHY = {"repeats-instructions", "repeats-repository", "repeats-history", "transient"}

    # the memory around it ----------------------------------------------------------------------------------------
    def new_slug(self):
        r = self.rng
        return self.store.slug("-".join([self.noun(), r.choice(TAILS)] + ([r.choice(VERBS)] if r.random() < 0.5 else [])))

    def compose(self, core, ids):
        """The text with paragraphs, lists, code and the two labelled parts around it."""
        r, lang = self.rng, self.lang
        bare = bool(set(ids) & self.WITHOUT_WHY)
        parts = [core]
        # what repeats or passes keeps company only with what says nothing about it
        fill = lambda: r.choice([facts.FILLER["en"][i] for i in (0, 2, 6)] if bare and lang == "en" else facts.FILLER[lang])
        beside = lambda: r.choice(self.BESIDE_EN if lang == "en" else self.BESIDE)(self)[0]
        shape = r.randint(0, 7 if not bare else 2)
        if shape == 1:
            parts.append(fill())
        elif shape == 2:
            parts.insert(0, fill())
        elif shape == 3 and "\n" not in core:
            items = [r.choice([b for b in (beside() for _ in range(6)) if "\n" not in b] or [fill()]), core, fill()]
            r.shuffle(items)
            mark = r.choice(["- ", "* ", "1. "])
            parts = ["\n".join(mark + i.replace("\n", " ") for i in items)]
        elif shape == 4:
            parts = [f"## {r.choice(['Background', 'Rule', 'What to know', 'Notes']) if lang == 'en' else self.noun().capitalize()}", core, fill(), beside()]
        elif shape == 5:
            parts += [f"| {self.noun()} | {r.choice(TAILS)} |\n|---|---|\n| {r.randint(2, 90)} | {r.randint(2, 90)} % |\n| {r.randint(2, 90)} | {r.randint(2, 90)} % |", fill()]
        elif shape == 6:
            parts += [r.choice(["```json\n{\"kind\": \"%s\", \"count\": %d}\n```", "```\n%s  %d\n```"]) % (self.noun(), r.randint(2, 90))]
        elif shape == 7:  # a long one
            heads = ["Context", "Details", "Limits"] if lang == "en" else ["1", "2", "3"]
            parts = [f"## {heads[0]}", fill(), core, f"## {heads[1]}", "\n".join("- " + b for b in [beside() for _ in range(r.randint(4, 7))] if "\n" not in b) or fill(), f"## {heads[2]}", fill() + " " + r.choice(facts.FILLER[lang]), beside()]
        why = not bare and r.random() < (0.95 if self.kind == "feedback" else 0.4)
        if why:
            parts.append(f"**Why:** {r.choice(facts.WHY[lang])}")
            parts.append(f"**How to apply:** {r.choice(facts.HOW[lang])}")
        elif self.kind == "feedback":
            self.kind = "reference"
        return "\n\n".join(parts)

    def write(self, slug, core, ids, when=None, extra=(), newer=None):
        r = self.rng
        self.kind = r.choice(["feedback", "project", "project", "reference", "user"]) if "user" in core else r.choice(["feedback", "project", "project", "reference"])
        body = self.compose(core, ids)
        words = slug.replace("-", " ")
        title = words.capitalize()
        description = r.choice([f"What to know about the {words} before working on it", f"Agreement on the {words} and who asked for it", f"{title}, as told in a review",
                                f"Notes from working on the {words} with the partner's clerks", f"How the {words} is handled here, and for whom"])
        if r.random() < 0.12 and "\n" not in core and core[0].isalnum() and "\"" not in core and " #" not in core and ids != ["superseded"]:
            description = core.rstrip(".")
        return self.store.add(slug, title, description, self.kind, body, ids, when=when, extra=extra, newer=newer)

    def run(self):
        r = self.rng
        while len(self.store.answers) < self.args.memories:
            self.when, self.extra, self.slug, self.force_newer = None, [], None, None
            self.lang = "en" if r.random() < 0.7 else r.choice(LANGS)
            bad = not self.args.clean and r.random() < 0.46
            pool = (self.BAD_EN if bad else self.GOOD_EN) if self.lang == "en" else (self.BAD if bad else self.GOOD)
            core, ids = r.choice(pool)(self)
            if bad and self.slug is None and r.random() < 0.1 and not set(ids) & self.WITHOUT_WHY:  # two things in one memory
                more, too = r.choice([self.path_gone, self.symbol_gone, self.flag_gone, self.setting_gone])()
                core, ids = f"{core}\n\n{more}", sorted(set(ids) | set(too))
            self.write(self.slug or self.new_slug(), core, ids, when=self.when, extra=self.extra, newer=self.force_newer)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("out")
    a.add_argument("--memories", type=int, default=400)
    a.add_argument("--files", type=int, default=300)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--clean", action="store_true", help="only memories with nothing to report")
    a.add_argument("--holdout", action="store_true", help="only the frames that are never used otherwise")
    args = a.parse_args()
    out = fresh(args.out)
    maker = Maker(out, args)
    maker.run()
    maker.store.finish(out)
    told = maker.store.answers.values()
    print(f"{len(told)} memories, {len(maker.project.live)} files, {sum(1 for v in told if v)} with something to report; now 2026-11-30T10:00:00Z")


if __name__ == "__main__":
    main()
