#!/usr/bin/env python3
"""Score the duplicates that a checker proposes against labelled pairs.

    memcurator check --store OUT/memory --project OUT/project --now 2026-11-30T10:00:00Z --format json | score_pairs.py OUT

A pair is a finding with check "duplicate": its memory, and each memory that its evidence names. The order within a pair
does not matter, and a pair found from both sides counts once. A pair of two languages is a translation and does not
count at all. Exit 0 when precision and recall reach --min.
"""
import argparse
import json
import pathlib
import sys

a = argparse.ArgumentParser()
a.add_argument("out", type=pathlib.Path)
a.add_argument("--min", type=float, default=0.0)
a.add_argument("--worst", type=int, default=12)
a.add_argument("--quiet", action="store_true", help="figures only")
a = a.parse_args()
want = {frozenset(pair) for pair in json.loads((a.out / "answers_pairs.json").read_text())}
mine = {f.name for f in (a.out / "memory").glob("*.md")}
spoken = json.loads((a.out / "languages.json").read_text())
try:
    findings = json.load(sys.stdin)["findings"]
except (ValueError, KeyError):
    sys.exit("standard input is not what `check --format json` prints; nothing was scored")
got = set()
for f in findings:
    if f["check"] != "duplicate" or not f.get("memory"):
        continue
    one = pathlib.Path(f["memory"]).name
    for e in f.get("evidence") or []:
        # evidence in CLAUDE.md or a rule is no pair within the store
        other = pathlib.Path(e.get("path") or "").name
        if other in mine and other not in ("MEMORY.md", one) and spoken.get(one) == spoken.get(other):
            got.add(frozenset((one, other)))
hit, false, missed = want & got, got - want, want - got
precision, recall = len(hit) / len(got) if got else 1.0, len(hit) / len(want)
print(f"== pairs: {len(mine)} files, {len(want)} pairs")
print(f"duplicate {len(hit)} found, {len(false)} false, {len(missed)} missed; precision {precision:.3f} recall {recall:.3f}")
if not a.quiet:
    for kind, pairs in (("false", false), ("missed", missed)):
        for pair in sorted(map(sorted, pairs))[: a.worst]:
            print(f"\n-- {kind}")
            for name in pair:
                print(f"   {name}: " + (a.out / "memory" / name).read_text().split("---\n", 2)[-1].strip()[:300].replace("\n", " / "))
sys.exit(0 if min(precision, recall) >= a.min else 1)
