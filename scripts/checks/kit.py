"""What the generators share: a git repository without the user's settings, frames with a hold-out part, and the store."""
import datetime
import json
import os
import pathlib
import subprocess
import sys

NOW = datetime.datetime(2026, 11, 30, 10, 0, tzinfo=datetime.timezone.utc)


class Repo:
    """A git repository whose commits depend on nothing but what is passed in."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.root.mkdir(parents=True)
        self.commits = []  # (date, subject, body, hash)
        self.git("init", "-q", "-b", "main")

    def git(self, *args, date=None):
        env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        env.update(
            GIT_AUTHOR_NAME="Sample", GIT_AUTHOR_EMAIL="sample@example.com", GIT_COMMITTER_NAME="Sample",
            GIT_COMMITTER_EMAIL="sample@example.com", GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1",
        )
        if date:
            env["GIT_AUTHOR_DATE"] = env["GIT_COMMITTER_DATE"] = f"{date}T10:00:00Z"
        done = subprocess.run(["git", "-C", str(self.root), *args], env=env, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"git {' '.join(args)}: {done.stderr}")
        return done.stdout.strip()

    def write(self, path, text):
        to = self.root / path
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text)

    def read(self, path):
        return (self.root / path).read_text()

    def move(self, old, new):
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(self.root / new)

    def commit(self, date, subject, body=""):
        self.git("add", "-A")
        if not self.git("status", "--porcelain"):
            return  # a crate that was skipped leaves its commits empty
        self.git("commit", "-q", "-m", subject, *(["-m", body] if body else []), date=date)
        self.commits.append((date, subject, body, self.git("rev-parse", "HEAD")))


class Frames:
    """Picks a frame: 3 of 10 are held out, and are the only ones picked with `holdout`."""

    def __init__(self, rng, holdout):
        self.rng, self.holdout = rng, holdout

    def pick(self, frames):
        frames = list(frames)
        kept = [f for at, f in enumerate(frames) if (at % 10 in (2, 5, 8)) == self.holdout]
        return self.rng.choice(kept or frames)


class Store:
    """Memories, their index and the answer key."""

    def __init__(self, root, rng):
        self.root, self.rng = pathlib.Path(root), rng
        self.root.mkdir(parents=True)
        self.answers, self.index, self.taken = {}, [], set()

    def slug(self, words):
        base = words
        at = 2
        while words in self.taken:
            words, at = f"{base}-{at}", at + 1
        self.taken.add(words)
        return words

    def add(self, slug, title, description, kind, body, ids, when=None, extra=(), newer=None):
        """Writes one memory. `when` is its day of change; `extra` are further frontmatter lines."""
        rng = self.rng
        if when is None:
            when = NOW - datetime.timedelta(days=rng.randint(4, 280), seconds=rng.randint(0, 80000))
        newer = rng.random() < 0.5 if newer is None else newer
        if newer:
            name = f"{slug}.md"
            head = [f"name: {slug}", f"description: {json.dumps(description, ensure_ascii=False) if ': ' in description else description}",
                    "metadata: " if rng.random() < 0.8 else "metadata:", "  node_type: memory", f"  type: {kind}"]
            if rng.random() < 0.6:
                head.append("  originSessionId: " + "".join(rng.choice("0123456789abcdef") if c == "x" else c for c in "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx"))
            if rng.random() < 0.8:
                head.append(f"  modified: {when:%Y-%m-%dT%H:%M:%S}.{rng.randint(0, 999):03}Z")
        else:
            name = f"{kind}_{slug.replace('-', '_')}.md"
            head = [f"name: {title}", f"description: {description.replace(': ', ' - ')}", f"type: {kind}"]
        head += list(extra)
        gap = "\n" if newer or rng.random() < 0.7 else ""
        file = self.root / name
        file.write_text("---\n" + "\n".join(head) + "\n---\n" + gap + body.rstrip("\n") + "\n")
        os.utime(file, (when.timestamp(), when.timestamp()))
        self.answers[name] = list(ids)
        self.index.append(f"- [{title}]({name}) — {description}")
        return name

    def finish(self, out, key="answers.json"):
        (self.root / "MEMORY.md").write_text("\n".join(self.index) + "\n")
        os.utime(self.root / "MEMORY.md", (NOW.timestamp(), NOW.timestamp()))
        (pathlib.Path(out) / key).write_text(json.dumps(self.answers, indent=1, ensure_ascii=False) + "\n")


def fresh(out):
    """The output directory, which must hold no earlier run."""
    out = pathlib.Path(out)
    if (out / "project").exists() or (out / "memory").exists():
        sys.exit(f"{out} holds an earlier run; nothing was written. Name a new directory.")
    out.mkdir(parents=True, exist_ok=True)
    return out
