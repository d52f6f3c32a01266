#!/usr/bin/env python3
"""Make a store with labelled duplicates among many near neighbours.

    make_pairs.py OUT [--memories 480] [--seed 1] [--holdout]

OUT/memory, OUT/project (a small repository) and OUT/answers_pairs.json: a list of [a.md, b.md] that say the same thing
in other words. Memories that share only a part are no pairs, and a translation is neither right nor wrong
(OUT/languages.json names what is not English). Neighbours that are not to be proposed:
another fact of the same topic, the same sentence about another subject, the same sentence with the opposite meaning.
Run the checker with `--now 2026-11-30T10:00:00Z`.
"""
import argparse
import json
import random

import frames_en as en
import other_facts
import pairs_data as data
from kit import Repo, Store, fresh
from other_project import THEMES


def slug_of(text, taken):
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in text.lower()).split()[:6]
    return "-".join(words) if len(words) > 1 else f"note-{len(taken) + 1}"


def main():
    a = argparse.ArgumentParser()
    a.add_argument("out")
    a.add_argument("--memories", type=int, default=480)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--holdout", action="store_true", help="only the facts that are never used otherwise")
    args = a.parse_args()
    out, r = fresh(args.out), random.Random(f"pairs-{args.seed}")
    repo = Repo(out / "project")
    repo.write("README.md", "# Sample\n\nA sample without code.\n")
    repo.commit("2026-01-12", "Start the sample")
    store = Store(out / "memory", r)
    todo, pairs = [], []  # todo: (group or None, description, body)

    facts = [f for at, f in enumerate(data.FACTS) if (at % 10 in (2, 5, 8)) == args.holdout]
    for at, (one, other, near) in enumerate(facts):
        todo += [(at, *one), (at, *other), (None, *near)]
    for title, body in data.TEMPLATES:
        todo += [(None, title.format(x=x), body.format(x=x)) for x in data.PLACES]
    for title, body, subjects in data.NUMBERS:
        todo += [(None, title.format(x=x), body.format(x=x, n=3 + 2 * n)) for n, x in enumerate(subjects)]
    for yes, yes_body, no, no_body, subjects in data.OPPOSITES:
        for x in subjects:
            todo += [(None, yes.format(x=x), yes_body.format(x=x)), (None, no.format(x=x), no_body.format(x=x))]
    nouns = [n for theme in THEMES.values() for n in theme]
    fillers = [f for f in en.NEUTRAL if "{n}" in f]
    seen = set()
    while len(todo) < args.memories and len(seen) < len(fillers) * len(nouns):
        noun, frame = r.choice(nouns), r.choice(fillers)
        if (noun, frame) not in seen:
            seen.add((noun, frame))
            todo.append((None, f"About each {noun}: {' '.join(frame.split()[-4:]).rstrip('.').format(n=noun)}", frame.format(n=noun)))
    r.shuffle(todo)
    groups, languages = {}, {}
    spoken = {told[0]: data.LANGUAGES.get(row[0][0]) for row in data.FACTS for told in row}
    for group, title, body in todo:
        slug = store.slug(slug_of(title, store.taken))
        if not spoken.get(title) and "**" not in body and r.random() < 0.35:  # words that many share, as in real stores
            body += f"\n\n**How to apply:** {r.choice(other_facts.HOW['en'])}"
        name = store.add(slug, title, title, r.choice(["feedback", "project", "reference"]), body, [])
        if spoken.get(title):
            languages[name] = spoken[title]
        if group is not None:
            groups.setdefault(group, []).append(name)
    pairs = sorted(sorted(names) for names in groups.values())
    store.finish(out)
    (out / "answers_pairs.json").write_text(json.dumps(pairs, indent=1, ensure_ascii=False) + "\n")
    (out / "languages.json").write_text(json.dumps(languages, indent=1, ensure_ascii=False) + "\n")
    (out / "answers.json").unlink()
    print(f"{len(todo)} memories, {len(pairs)} pairs; now 2026-11-30T10:00:00Z")


if __name__ == "__main__":
    main()
