#!/usr/bin/env python3
"""Looks up in the repositories what the labels of make_store_other.py rest on: verify_other.py [SEEDS]

What is gone must be in the history and not in the last commit (the changelog aside), what is live must be in it, and
what moved must be a rename for git. Prints what is wrong and exits 1.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from other_project import Project

wrong = []
for seed in range(1, int(sys.argv[1] if len(sys.argv) > 1 else 5) + 1):
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch) / "project"
        p = Project(root, random.Random(f"other-{seed}"), 300, seed)
        git = lambda *args: subprocess.run(["git", "-C", str(root), *args], capture_output=True, text=True, check=True).stdout
        files = git("ls-files").split()
        bases = {pathlib.PurePosixPath(f).name for f in files}
        words = re.compile(r"\w+(?:-\w+)*|\w+", re.ASCII)
        split = lambda text: set(words.findall(text)) | set(re.findall(r"\w+", text, re.ASCII))
        now = split(" ".join((root / f).read_text() for f in files if f != "CHANGELOG.md"))
        ever = split(git("log", "-p", "--format="))
        renames = {line.split("\t")[1] for line in git("log", "-M", "--diff-filter=R", "--format=", "--name-status").splitlines() if line}
        wrong += [(seed, "gone path is there", x) for x in p.gone if pathlib.PurePosixPath(x).name in bases]
        wrong += [(seed, "no rename", o) for o, n in p.moved.items() if o in files or n not in files or o not in renames]
        wrong += [(seed, "bare name is there", o) for o in p.renamed_base if pathlib.PurePosixPath(o).name in bases]
        dead = p.gone_symbols + p.gone_envs + [k for _, k in p.gone_keys] + p.gone_flags + [f.replace("-", "_") for f in p.gone_flags]
        wrong += [(seed, "gone name is there", x) for x in dead if x in now]
        wrong += [(seed, "was never there", x) for x in dead if x not in ever and x.replace("_", "-") not in ever and x.replace("-", "_") not in ever]
        live = p.live_symbols + p.live_envs + [k for _, k in p.live_keys]
        wrong += [(seed, "live name is missing", x) for x in live if x not in now]
        wrong += [(seed, "live flag is missing", x) for x in p.live_flags if x not in now and x.replace("-", "_") not in now]
        print(f"seed {seed}: {len(p.gone)} gone, {len(p.moved)} moved, {len(dead)} gone names, {len(live)} live names")
for w in wrong:
    print(*w)
sys.exit(1 if wrong else 0)
