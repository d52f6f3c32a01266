#!/usr/bin/env python3
"""Drive `memcurator memory-tool` and the local file-system memory tool of the `anthropic` package alike, and compare.

    memory-tool-peer.py MEMCURATOR [--sequences 300] [--seed 1] [--steps 40] [--stage]

Each sequence starts from the same directory; every answer and the directory afterwards must be equal. Where the
two differ on purpose, the command is in DIFFERENT with the reason, and ours must refuse. An exception of the helper
that is no answer to the model (it lets Python's own errors through) counts as an error without a text. With --stage our
writes wait: nothing may be written until all is approved at the end, and then the files must be equal.
Needs the package: pip install anthropic. Exit status 0 when all are equal, 1 when not, 2 when it can't run.
"""
import argparse, json, os, pathlib, random, shutil, subprocess, sys, tempfile

try:
    from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool
    from anthropic.lib.tools import ToolError
    import anthropic
except ImportError:
    print("the package `anthropic` is not installed: pip install anthropic")
    sys.exit(2)

A = argparse.ArgumentParser()
A.add_argument("memcurator"); A.add_argument("--sequences", type=int, default=300)
A.add_argument("--stage", action="store_true"); A.add_argument("--seed", type=int, default=1); A.add_argument("--steps", type=int, default=40)
a = A.parse_args()

# What differs on purpose: how to tell, and why. Ours refuses each.
DIFFERENT = [
    ("another root", lambda p: p.startswith("/memories") and not (p == "/memories" or p.startswith("/memories/")),
     "`/memories_evil` is another name, not `_evil` in the root"),
    ("encoded escape", lambda p: ".." in decoded(p).split("/") and ".." not in p.split("/"),
     "a program on the way may decode it; no memory needs such a name"),
    ("link", lambda p: has_link(p),
     "a link is never followed, so that none that is swapped in leads out; the helper follows those that stay inside"),
]

STAGED = [
    ("a link in a directory", lambda c, answer: "a link in it" in answer,
     "a directory with a link in it is neither removed nor renamed by proposals, which hold files alone"),
]
# And of what is proposed: empty directories, and the sizes of directories that are not on the disk yet.

def decoded(path):
    text = path.lower()
    for _ in range(3): text = text.replace("%25", "%")
    return text.replace("%2e", ".").replace("%2f", "/").replace("%5c", "/").replace("\\", "/")

def has_link(path):
    """Whether a link of ours is on the way, with `..` as text."""
    parts = []
    for part in path.removeprefix("/memories").split("/"):
        if part == "..": parts = parts[:-1]
        elif part not in ("", "."): parts.append(part)
    return path.startswith("/memories") and any((root_of_ours[0] / "/".join(parts[:n])).is_symlink() for n in range(1, len(parts) + 1))

root_of_ours = [None]

def why_different(command):
    for key in ("path", "old_path", "new_path"):
        for name, test, _ in DIFFERENT:
            if key in command and test(command[key]): return name
    return None

NAMES = ["a.md", "b.md", "notes", "deep", "x.txt", ".hidden", "é.md", "日本.md", "with space.md"]
WORDS = ["alpha", "beta", "", "α", "line", "aa", "aaa", "\r", "tab\t", "`tick`", "1"]

links = False

def path(r):
    roll = r.random()
    if roll < 0.04: return r.choice(["/memories", "/memories/", "/memories/.", "/memories//", ""])
    if roll < 0.10 and links: return r.choice(["/memories/link", "/memories/link/b.md", "/memories/notes/link", "/memories/notes/link/x.md"])
    if roll < 0.14: return r.choice(["/memories_evil/a.md", "/etc/passwd", "memories/a.md", "/memories/../x", "/memories/a/../../x",
                                     "/memories/%2e%2e/x", "/memories/..%2fx", "/memories/..\\x", "~/a.md", "/memories/notes/../a.md", "/memories/./a.md"])
    return "/memories/" + "/".join(r.choice(NAMES) for _ in range(r.choice([1, 1, 1, 2, 2, 3])))

def text(r):
    lines = "\n".join(" ".join(r.choice(WORDS) for _ in range(r.randrange(4))) for _ in range(r.randrange(7)))
    return lines + r.choice(["", "\n", "\n\n"])

def command(r):
    kind = r.choice(["view", "view", "create", "create", "create", "str_replace", "str_replace", "insert", "insert", "delete", "rename"])
    if kind == "view":
        c = {"command": kind, "path": path(r)}
        if r.random() < 0.4: c["view_range"] = r.choice([[r.randrange(-3, 9), r.randrange(-4, 9)], [1, -1], [2], [1, 2, 3], None])
        return c
    if kind == "create": return {"command": kind, "path": path(r), "file_text": text(r)}
    if kind == "str_replace": return {"command": kind, "path": path(r), "old_str": r.choice(WORDS + ["\n", "e a", "alpha beta"]), "new_str": r.choice(WORDS + ["new\nlines", "aa"])}
    if kind == "insert": return {"command": kind, "path": path(r), "insert_line": r.randrange(-1, 8), "insert_text": text(r)}
    if kind == "delete": return {"command": kind, "path": path(r)}
    return {"command": "rename", "old_path": path(r), "new_path": path(r)}

def lay_out(root):
    root.mkdir(parents=True)
    (root / "a.md").write_text("alpha\nbeta\n\nalpha beta\n"); (root / "notes").mkdir(); (root / "notes/b.md").write_text("aaa")
    (root / "x.txt").write_text(""); (root / ".hidden").write_text("h"); (root / "deep/deep/deep").mkdir(parents=True)
    (root / "deep/deep/b.md").write_text("line\r\nline\r\n")

def tree(root):
    found = {}
    for p in sorted(root.rglob("*")):
        rel = p.relative_to(root).as_posix()
        found[rel] = os.readlink(p) if p.is_symlink() else (None if p.is_dir() else p.read_bytes())
    return found

def files(root): return {k: v for k, v in tree(root).items() if v is not None}

def sizeless(text):
    """A listing without the sizes of directories."""
    if not text.startswith("Here're"): return text
    return "\n".join(l.split("\t", 1)[1] if "\t" in l and (n == 1 or l.endswith("/")) else l for n, l in enumerate(text.split("\n")))

class Namespace:
    def __init__(self, d): self.__dict__.update(d)
    def __getattr__(self, _): return None

def peer(tool, c):
    try: return (False, tool.execute(Namespace(c)))
    except ToolError as e: return (True, str(e))
    except Exception as e: return (True, None)

# Proposals are synced one by one: in memory that costs nothing.
fast = "/dev/shm" if a.stage and os.path.isdir("/dev/shm") else None
top = pathlib.Path(tempfile.mkdtemp(prefix="memory-tool-peer-", dir=fast))
env = dict(os.environ, XDG_CACHE_HOME=str(top / "cache"), XDG_CONFIG_HOME=str(top / "config"))
forced = 0

def ids(store):
    listed = subprocess.run([a.memcurator, "pending", "list", "--format", "json", "--store", str(store)], env=env, capture_output=True, text=True)
    return [one["id"] for one in json.loads(listed.stdout)]

wrong, compared, silent, differing = 0, 0, 0, {name: 0 for name, _, _ in DIFFERENT + (STAGED if a.stage else [])}
try:
    for number in range(a.sequences):
        r = random.Random(a.seed * 100003 + number)
        theirs, ours = top / f"{number}/theirs", top / f"{number}/ours"
        env["XDG_STATE_HOME"] = str(top / f"{number}/state")
        lay_out(theirs / "memories"); lay_out(ours); root_of_ours[0] = ours; links = number % 5 < 2
        for root in (theirs / "memories", ours):
            if number % 5 == 0: (root / "link").symlink_to("notes")
            if number % 5 == 1: (root / "notes/link").symlink_to("/usr/share")
        tool = BetaLocalFilesystemMemoryTool(str(theirs))
        before = tree(ours)
        child = subprocess.Popen([a.memcurator, "memory-tool", "--store", str(ours)] + ["--stage"] * a.stage, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
        for step in range(a.steps):
            c = command(r)
            name = why_different(c)
            child.stdin.write(json.dumps(c) + "\n"); child.stdin.flush()
            answer = json.loads(child.stdout.readline())
            mine = (answer["is_error"], answer["content"])
            if name:
                differing[name] += 1
                if not mine[0]:
                    wrong += 1; print(f"sequence {number} step {step}: ours did not refuse ({name}): {c}")
                continue  # theirs is not asked: it would do something else from here on
            staged = next((name for name, test, _ in STAGED if a.stage and mine[0] and test(c, mine[1])), None)
            if staged: differing[staged] += 1; continue
            his = peer(tool, c)
            compared += 1
            if his[1] is None: silent += 1
            # A directory's listing names links that stay inside, and what is behind them; ours shows no link.
            shown = his[1]
            if shown is not None and shown.startswith("Here're"):
                shown = "\n".join(l for l in shown.split("\n") if "\t" not in l or not has_link(l.split("\t", 1)[1]))
            if a.stage: mine, shown = (mine[0], sizeless(mine[1])), shown and sizeless(shown)
            if mine[0] != his[0] or (his[1] is not None and mine[1] != shown):
                wrong += 1
                if wrong < 12: print(f"sequence {number} step {step}: {json.dumps(c, ensure_ascii=False)}\n  theirs {his}\n  ours   {mine}")
        child.stdin.close(); child.wait()
        look = files if a.stage else tree
        if a.stage:
            if tree(ours) != before: wrong += 1; print(f"sequence {number}: something was written without a yes")
            subprocess.run([a.memcurator, "pending", "approve", "--all", "--store", str(ours)], env=env, stdout=subprocess.DEVNULL)
            if subprocess.run([a.memcurator, "pending", "list", "--quiet", "--store", str(ours)], env=env, capture_output=True).stdout: forced += 1; subprocess.run([a.memcurator, "pending", "approve", "--anyway", "--store", str(ours)] + ids(ours), env=env, stdout=subprocess.DEVNULL)
        if look(theirs / "memories") != look(ours):
            wrong += 1
            t, o = look(theirs / "memories"), look(ours)
            if wrong < 12: print(f"sequence {number}: the trees differ: " + ", ".join(sorted(k for k in {**t, **o} if t.get(k, 0) != o.get(k, 0))))
        shutil.rmtree(top / f"{number}")
finally:
    shutil.rmtree(top, ignore_errors=True)
if a.stage: print(f"staged, then approved: of {forced} sequences some proposals by name, since the gate would ask a person")
print(f"anthropic {anthropic.__version__}: {a.sequences} sequences, {compared} commands compared ({silent} where the helper fails without an answer), {wrong} differ")
for name, why in [(d[0], d[-1]) for d in DIFFERENT + (STAGED if a.stage else [])]: print(f"  on purpose: {name}, {differing[name]} commands: {why}")
sys.exit(1 if wrong else 0)
