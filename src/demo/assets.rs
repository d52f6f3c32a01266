//! The files of `assets/demo`, inside the program.

/// The manifest: times and history.
pub const MANIFEST: &str = include_str!("../../assets/demo/demo.toml");

macro_rules! embedded {
    ($($path:literal,)*) => {
        &[$(($path, include_bytes!(concat!("../../assets/demo/", $path)))),*]
    };
}

/// Every file but the manifest: its path below `assets/demo` and its bytes. A test compares the list with the
/// directory.
pub const FILES: &[(&str, &[u8])] = embedded![
    "before/MEMORY.md",
    "before/old-release-steps.md",
    "before/retry-budget.md",
    "memory/MEMORY.md",
    "memory/archive/release-checklist.md",
    "memory/ask-in-the-channel.md",
    "memory/chargeback-webhook.md",
    "memory/currency-rounding.md",
    "memory/dashboards.md",
    "memory/deploy-with-old-script.md",
    "memory/feedback_errors_ja.md",
    "memory/incident-double-payout.md",
    "memory/integration-tests-real-db.md",
    "memory/mobile-freeze.md",
    "memory/money-as-integer-cents.md",
    "memory/on-call-rota.md",
    "memory/prefer-small-commits.md",
    "memory/project_refunds.md",
    "memory/provider-quirk.md",
    "memory/reference_ledger-schema.md",
    "memory/release-train.md",
    "memory/retry-budget.md",
    "memory/sandbox-accounts.md",
    "memory/scratch-notes.md",
    "memory/settle-in-cents.md",
    "memory/user_language_ko.md",
    "memory/user_role.md",
    "memory/vendor-switch.md",
    "project/CLAUDE.md",
    "project/Makefile",
    "project/README.md",
    "project/config/limits.toml",
    "project/docs/runbook.md",
    "project/migrations/0001_ledger.sql",
    "project/pyproject.toml",
    "project/scripts/migrate.sh",
    "project/scripts/release.sh",
    "project/scripts/roll.sh",
    "project/src/ledger.py",
    "project/src/refunds.py",
    "project/src/settlement/__init__.py",
    "project/src/settlement/currencies.py",
    "project/src/settlement/rounding.py",
    "project/src/webhooks.py",
    "proposed/proposals.json",
    "removed/scripts/deploy_old.sh",
];

/// The files below a directory of `assets/demo`, with their paths in it.
pub fn below(dir: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> {
    FILES.iter().filter_map(move |(path, bytes)| {
        let inside = path.strip_prefix(dir)?.strip_prefix('/')?;
        Some((inside, *bytes))
    })
}

/// One file of the project: as it is at the end of its history, or one that is gone by then.
pub fn of_project(path: &str) -> Option<&'static [u8]> {
    below("project").chain(below("removed")).find(|(name, _)| *name == path).map(|(_, bytes)| bytes)
}
