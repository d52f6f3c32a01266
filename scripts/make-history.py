#!/usr/bin/env python3
"""Make a git repository with a long history, fast (git fast-import): for measuring only.

    make-history.py OUT [--commits 20000] [--files 3000] [--seed 1]

Each commit edits three files, and now and then removes, moves or adds one; each file holds about 40 functions,
some of which are renamed on the way. OUT/wanted.json names functions, flags and settings: some that live, some
that a commit removed, some that never were.
"""
import argparse, json, pathlib, random, subprocess

A = argparse.ArgumentParser()
A.add_argument("out"); A.add_argument("--commits", type=int, default=20000)
A.add_argument("--files", type=int, default=3000); A.add_argument("--seed", type=int, default=1)
a = A.parse_args()
R = random.Random(a.seed)
out = pathlib.Path(a.out); repo = out / "project"; repo.mkdir(parents=True)
subprocess.run(["git", "init", "-q", "-b", "main", str(repo)], check=True)
load = subprocess.Popen(["git", "-C", str(repo), "fast-import", "--quiet"], stdin=subprocess.PIPE)
WORD = "ledger invoice cursor tariff beacon quota shard relay voucher parcel gauge kernel mosaic pivot rollup tenant".split()
count = 0

def name():
    global count
    count += 1
    return f"{R.choice(WORD)}_{R.choice(WORD)}_{count}"

def function(f):
    n = R.randrange(1000)
    return f"pub fn {f}(limit: u32) -> u32 {{\n    // read from {f.upper()}_LIMIT or --{f.replace('_', '-')}\n    limit + {n}\n}}\n"

files, gone = {}, []
def put(path):
    data = "\n".join(function(f) for f in files[path]).encode()
    load.stdin.write(b"M 100644 inline %s\ndata %d\n" % (path.encode(), len(data)) + data + b"\n")

def commit(n, text, change):
    date = 1_500_000_000 + n * 3600
    text = text.encode()
    load.stdin.write(b"commit refs/heads/main\ncommitter Sample <sample@example.com> %d +0000\ndata %d\n%s\n" % (date, len(text), text))
    change()

def fresh():
    path = f"src/{R.choice(WORD)}/{R.choice(WORD)}/{name()}.rs"
    files[path] = [name() for _ in range(40)]
    return path

def start():
    for _ in range(a.files): put(fresh())

def step():
    for path in R.sample(list(files) if len(files) < 50 else paths, 3):
        if path not in files: continue
        at = R.randrange(len(files[path]))
        if R.random() < 0.1:
            gone.append(files[path][at]); files[path][at] = name()
        put(path)
    chance = R.random()
    path = R.choice(paths)
    if path not in files: return
    if chance < 0.02:
        gone.extend(files.pop(path)); load.stdin.write(b"D %s\n" % path.encode()); paths.remove(path)
    elif chance < 0.04:
        to = f"src/{R.choice(WORD)}/moved/{path.rsplit('/', 1)[1]}"
        if to in files: return
        files[to] = files.pop(path); paths.remove(path); paths.append(to)
        load.stdin.write(b"R %s %s\n" % (path.encode(), to.encode()))
    elif chance < 0.06:
        new = fresh(); paths.append(new); put(new)

commit(0, "Start", start)
paths = list(files)
for n in range(1, a.commits): commit(n, f"Change {n}\n\nIn few words.\n", step)
load.stdin.close(); assert load.wait() == 0
subprocess.run(["git", "-C", str(repo), "reset", "-q", "--hard"], check=True)
living = [f for names in files.values() for f in names]
pick = R.sample(living, min(2000, len(living))) + R.sample(gone, min(1000, len(gone))) + [f"never_was_{n}" for n in range(500)]
json.dump({"symbols": pick, "flags": ["--" + f.replace("_", "-") for f in pick[::3]], "settings": [f.upper() + "_LIMIT" for f in pick[::5]]}, open(out / "wanted.json", "w"))
