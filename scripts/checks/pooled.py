#!/usr/bin/env python3
"""Pools findings over several stores: precision and recall for each check id, by the rules of the shared score_checks.py.

    pooled.py NAME DIR... [--quiet] [--worst 12] [--min 0.0]

Each DIR has answers.json, memory/ and findings.json (the checker's `--format json`). As in score_checks.py: findings of
severity `info` or without a memory do not count, nor do ids that are neither in a key nor in the fixed set; the keys
of all DIRs are pooled, so an id is counted everywhere once one key has it. `--quiet` shows figures only, no texts:
for hold-out stores.
"""
import argparse
import collections
import json
import pathlib
import sys

FIXED = {"path-gone", "path-moved", "symbol-gone", "flag-gone", "relative-date", "repeats-instructions", "repeats-repository",
         "repeats-history", "date-past", "secret", "hidden-text", "instruction-override"}


def ratio(part, rest):
    return part / (part + rest) if part + rest else 1.0


def main():
    a = argparse.ArgumentParser()
    a.add_argument("name")
    a.add_argument("dirs", nargs="+", type=pathlib.Path)
    a.add_argument("--quiet", action="store_true")
    a.add_argument("--worst", type=int, default=12)
    a.add_argument("--min", type=float, default=0.0)
    a = a.parse_args()
    keys = {d: json.loads((d / "answers.json").read_text()) for d in a.dirs}
    ids = FIXED | {i for key in keys.values() for want in key.values() for i in want}
    hit, false, missed, wrong = collections.Counter(), collections.Counter(), collections.Counter(), []
    for d, key in keys.items():
        text = (d / "findings.json").read_text()
        try:
            findings = json.loads(text)["findings"]
        except (ValueError, KeyError):
            sys.exit(f"{d}/findings.json is not what `check --format json` prints; see {d}/stderr.txt")
        found = collections.defaultdict(dict)
        for f in findings:
            if f.get("severity") != "info" and f.get("memory") and f["check"] in ids:
                found[pathlib.Path(f["memory"]).name].setdefault(f["check"], f)
        for memory, want in key.items():
            got = found.get(memory, {})
            for i in got:
                (hit if i in want else false)[i] += 1
                if i not in want:
                    wrong.append(("false", i, d, memory, f"line {got[i].get('line')}: {got[i].get('message')}"))
            for i in set(want) - set(got):
                missed[i] += 1
                wrong.append(("missed", i, d, memory, f"wanted {', '.join(want)}"))
    print(f"== {a.name}: {len(a.dirs)} stores, {sum(map(len, keys.values()))} memories")
    print(f"{'check':24}{'found':>6}{'false':>6}{'missed':>7}{'precision':>11}{'recall':>8}")
    for i in sorted(ids):
        if hit[i] + false[i] + missed[i]:
            print(f"{i:24}{hit[i]:6}{false[i]:6}{missed[i]:7}{ratio(hit[i], false[i]):11.3f}{ratio(hit[i], missed[i]):8.3f}")
    precision, recall = ratio(sum(hit.values()), sum(false.values())), ratio(sum(hit.values()), sum(missed.values()))
    print(f"{'total':24}{sum(hit.values()):6}{sum(false.values()):6}{sum(missed.values()):7}{precision:11.3f}{recall:8.3f}")
    if not a.quiet:
        # the kinds that are wrong most often first, and of each a few
        often = collections.Counter((w[0], w[1]) for w in wrong)
        shown = collections.Counter()
        for w in sorted(wrong, key=lambda w: (-often[w[:2]], w[:2], str(w[2]), w[3])):
            if sum(shown.values()) >= a.worst or shown[w[:2]] >= 3:
                continue
            shown[w[:2]] += 1
            body = (w[2] / "memory" / w[3]).read_text().split("---\n", 2)[-1].strip()
            print(f"\n-- {w[0]} {w[1]} ({often[w[:2]]} such)  {w[2]}/memory/{w[3]}\n   {w[4]}")
            print("   | " + body[:700].replace("\n", "\n   | "))
    sys.exit(0 if min(precision, recall) >= a.min else 1)


if __name__ == "__main__":
    main()
