//! `docs/CHECKS.md`: what each check means, an example, and how to silence it; made from the tables of the checks.

use super::{Check, Depth, FAMILIES};

/// An example for each check.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "frontmatter-invalid",
        "`description: prefers: tabs` (a colon and a blank inside a value without quotes)",
    ),
    ("frontmatter-lossy", "`description: see issue #12` (YAML ends the value before ` #12`)"),
    ("frontmatter-wiped", "`name: \"\"` above `metadata:` with nothing else of what was written"),
    ("name-missing", "a frontmatter with `description` and `type` only"),
    ("name-duplicate", "`a.md` and `b.md` both say `name: Release steps`"),
    ("description-missing", "`description:` with nothing behind it"),
    ("description-vague", "`description: Notes` or the name once more"),
    ("type-missing", "a frontmatter without `type`"),
    ("type-unknown", "`type: lesson`"),
    ("why-missing", "a feedback memory that is one sentence: `Squash before merging.`"),
    ("how-missing", "a feedback memory with a Why and nothing about when it applies"),
    ("link-unresolved", "`See [[old-release-steps]].` where no memory is called so"),
    ("encoding", "bytes of Latin-1 in the middle of UTF-8"),
    ("index-over-lines", "an index of 214 lines, of which 200 load"),
    ("index-over-size", "an index of 31,000 UTF-16 units, of which 25,000 load"),
    ("index-near-limit", "an index of 188 lines: the next few memories push others out"),
    ("index-entry-long", "an index line that holds a paragraph"),
    ("index-dangling", "`- [Rota](on-call.md)` where there is no `on-call.md`"),
    ("index-orphan", "a memory that no line of the index names"),
    ("index-duplicate", "two lines that both name `refunds.md`"),
    ("metadata-invalid", "`expiresAt: end of the quarter`, or an `updatedAt` before `createdAt`"),
    ("expires-soon", "`expiresAt: 2026-03-12` read on 2026-03-05"),
    ("unsure", "`confidence: low` in a memory that nobody touched since last month"),
    ("expired", "`expiresAt: 2026-03-01`, and that day has passed"),
    ("old", "a project memory that was last changed 8 months ago"),
    ("age-hidden", "`modified: 2025-04-02` in a file that was copied yesterday"),
    ("date-past", "`The freeze ends on 2026-03-05.` read in November"),
    ("relative-date", "`Since last Thursday …` (the fix: `Since 2026-03-05 …`)"),
    ("path-gone", "`scripts/deploy_old.sh`, which a commit removed"),
    ("path-moved", "`src/rounding.py`, which is `src/settlement/rounding.py` now (the fix writes that)"),
    ("path-unknown", "`tools/report.sh`, which the project never had as far as its history was read"),
    ("symbol-gone", "`settle_batch()`, which was in the code and is no more"),
    ("flag-gone", "`--dry-run`, which the project's own program does not take any more"),
    ("setting-gone", "`LEDGER_URL`, which nothing reads any more"),
    ("superseded", "`superseded_by: use-the-queue`, or a newer memory that says it replaces this one"),
    ("contradicts", "one memory says port 8080, another one port 9090, of the same service"),
    ("repeats-instructions", "a memory whose sentence stands in CLAUDE.md"),
    (
        "repeats-repository",
        "a list of the project's own directories, or the version that `Cargo.toml` states",
    ),
    ("repeats-history", "an account of a fix that the commit message gives"),
    ("transient", "`All tests pass now; next step is the migration.`"),
    ("duplicate", "two memories that say the same in other words"),
    ("secret", "a key or password in the text (never shown in full)"),
    ("hidden-text", "characters that nobody sees, or text that is written backwards"),
    ("instruction-override", "text that tells an agent to forget its instructions"),
    ("terminal-escape", "control characters that steer a terminal"),
    ("link-escapes", "a symbolic link that leads out of the store"),
];

/// The text of `docs/CHECKS.md`.
#[must_use]
pub fn checks_md() -> String {
    let mut page = HEAD.to_owned();
    let mut last = "";
    for (family, checks) in FAMILIES {
        if *family != last && !checks.is_empty() {
            page.push_str(&format!("## {}\n\n", title(family)));
            last = family;
        }
        for check in *checks {
            page.push_str(&of(check));
        }
    }
    page.push_str(TAIL);
    page
}

fn title(family: &str) -> &'static str {
    match family {
        "format" => "Format",
        "index" => "Index",
        "stale" => "Stale",
        "reconstructable" => "Reconstructable",
        "duplicate" => "Duplicate",
        "security" => "Security",
        _ => "Other",
    }
}

fn of(check: &Check) -> String {
    let id = check.id.0;
    let means = check.means.split_whitespace().collect::<Vec<_>>().join(" ");
    let example = example(id).map(|text| format!("Example: {text}.\n\n")).unwrap_or_default();
    let when = match check.depth {
        Depth::Quick => "Looked at with every change.",
        Depth::Deep => "Looked at in the background.",
    };
    let own = if check.id.family() == "security" {
        "a memory can't silence it about itself".to_owned()
    } else {
        format!("in the memory: `memcurator-silence: {id}` or `<!-- memcurator: silence {id} -->`")
    };
    format!(
        "### {id}\n\n{means}\n\n{example}{when} To silence it: `s` on the screen, `memcurator check silence {id} [FILE]`, \
         for good `silence = [\"{id}\"]` under `[checks]`; {own}.\n\n"
    )
}

/// An example of what a check finds.
fn example(id: &str) -> Option<&'static str> {
    EXAMPLES.iter().find(|(name, _)| *name == id).map(|(_, text)| *text)
}

const HEAD: &str = "\
# Checks

Made from the checks themselves (`cargo test --test it checks` tells when this page is stale; `UPDATE_DOCS=1` writes it).

A finding says what is wrong with a memory, how bad that is, and what shows it. **error**: the memory can't do its work.
**warning**: it is likely to mislead or to be lost. **info**: worth knowing; it does not change the exit status.

`memcurator check` looks at a store and its project: `--format json`, `sarif` (for code scanning) or `github` (annotations
of a workflow), `--only ID`, `--severity LEVEL`, and `--fix` for what nobody could want otherwise. Exit status 0: nothing of a
warning or worse; 1: something; 2: it could not run.

## Silencing

| for | how | taken back by |
|---|---|---|
| one finding, while the memory says what it says | `y` (keep) in the walk | the memory changes; or as below |
| one finding | `s` on the Checks screen, or `memcurator check silence ID FILE --about TEXT` | `!` on the Checks screen, `memcurator check unsilence N` |
| a check on this store | `s`, then `c`; or `memcurator check silence ID` | the same |
| a check everywhere | `s`, then `g`; or `silence = [\"ID\"]` under `[checks]` in the configuration | editing the configuration |
| a memory until a date | `s`, then `z`; or `memcurator check silence --until DATE --all FILE` | the date, or as above |
| a memory, by itself | `memcurator-silence: ID` in its frontmatter, or a comment `<!-- memcurator: silence ID -->` in its text; behind the id may stand what the finding is about | editing the memory |

How many findings are silenced is always said. From how many days on a memory is `old` is set per type:

```toml
[checks]
silence = [\"link-unresolved\"]
old.user = 730        # days; 0: never
old.project = 180
```

";

const TAIL: &str = "\
## In a workflow of GitHub

A project that keeps its memories in `.agent/memory` can have them checked with every push: each finding becomes a note on
the line that it is about, and the step fails when one is a warning or worse.

```yaml
name: memories
on: [push, pull_request]
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0          # the history is evidence: without it less can be shown to be gone
      - run: cargo install memcurator --locked
      - run: memcurator check --store .agent/memory --project . --format github
```

For the code scanning page, write SARIF and upload it:

```yaml
      - run: memcurator check --store .agent/memory --project . --format sarif > memories.sarif || test $? -eq 1
      - uses: github/codeql-action/upload-sarif@v3
        with:
          sarif_file: memories.sarif
```
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_an_example() {
        for check in FAMILIES.iter().flat_map(|(_, checks)| *checks) {
            assert!(example(check.id.0).is_some(), "{:?} has no example in check/pages.rs", check.id);
        }
    }
}
