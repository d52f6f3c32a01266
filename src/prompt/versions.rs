//! What differs between versions of the client, as one table: [`TABLE`]. Everything else that this crate knows
//! of the client holds for all versions that were measured.
//!
//! Measured versions: 2.1.100, 2.1.197 (the reference) and 2.1.332. A version between two of them is taken to
//! behave as the older one; one newer than the newest takes the newest rules, one older than the oldest the
//! oldest: [`Rules::basis`] tells, and whoever shows a preview says so.

/// A version number of the client.
pub type Version = [u32; 3];

/// The measured versions, oldest first.
pub const MEASURED: [Version; 3] = [V100, V197, V332];
const V100: Version = [2, 1, 100];
const V197: Version = [2, 1, 197];
const V332: Version = [2, 1, 332];

/// How sure it is that something holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// It was measured on this very version.
    Measured,
    /// It is taken over from the nearest measured version.
    Assumed,
    /// The client's makers document it; it was not measured.
    Documented,
}

/// One row of the table: a rule, and for which versions it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The rule's name: the field of [`Rules`].
    pub name: &'static str,
    /// The first measured version that has it; `None`: the oldest one has it already.
    pub from: Option<Version>,
    /// The first measured version that has it no more.
    pub until: Option<Version>,
    /// Whether it was measured.
    pub basis: Basis,
    /// What it says.
    pub what: &'static str,
}

impl Entry {
    const fn holds(&self, version: Version) -> bool {
        let since = match self.from {
            Some(from) => !is_before(version, from),
            None => true,
        };
        let still = match self.until {
            Some(until) => is_before(version, until),
            None => true,
        };
        since && still
    }
}

const fn is_before(a: Version, b: Version) -> bool {
    let ([a0, a1, a2], [b0, b1, b2]) = (a, b);
    a0 < b0 || (a0 == b0 && (a1 < b1 || (a1 == b1 && a2 < b2)))
}

macro_rules! table {
    ($($name:ident: $from:expr, $until:expr, $basis:ident, $what:literal;)*) => {
        /// The rules of one version of the client; [`TABLE`] says where each comes from.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Rules {
            /// The measured version whose rules these are.
            pub version: Version,
            $(#[doc = $what] pub $name: bool,)*
        }

        /// Every rule that differs between versions.
        pub const TABLE: &[Entry] = &[$(Entry {
            name: stringify!($name), from: $from, until: $until, basis: Basis::$basis, what: $what,
        },)*];

        impl Rules {
            /// The rules of a measured version.
            const fn at(version: Version) -> Self {
                Self {
                    version,
                    $($name: Entry { name: "", from: $from, until: $until, basis: Basis::$basis, what: "" }
                        .holds(version),)*
                }
            }
        }
    };
}

table! {
    // Where the memory is.
    project_directory: Some(V197), None, Measured,
        "`autoMemoryDirectory` in a project's settings counts (A5).";
    sources_limit_directory: Some(V332), None, Measured,
        "`--setting-sources` limits `autoMemoryDirectory` too (A5).";
    directory_above_home: None, Some(V197), Measured,
        "`~/../x` is a directory that may be set.";
    relative_back_link: Some(V332), None, Measured,
        "A worktree whose way back is a relative path belongs to its main checkout.";
    local_at_root: Some(V332), None, Measured,
        "`settings.local.json` of the main checkout counts in its subdirectories and worktrees, over the current directory's own one.";
    project_env_limited: Some(V332), None, Measured,
        "Of the variables about memory, the `env` of project and local settings sets only `CLAUDE_CODE_DISABLE_AUTO_MEMORY`; elsewhere all.";
    override_keeps_on: Some(V197), None, Measured,
        "`CLAUDE_COWORK_MEMORY_PATH_OVERRIDE` keeps memory on in a remote session.";
    remote_from_settings: None, Some(V197), Measured,
        "`CLAUDE_CODE_REMOTE` counts when a settings file sets it; later clients look before they read settings.";
    safe_mode: Some(V197), None, Measured,
        "`--safe-mode` and `CLAUDE_CODE_SAFE_MODE` exist (A6).";
    index_content: Some(V197), None, Measured,
        "`CLAUDE_COWORK_MEMORY_INDEX_CONTENT` replaces the index, `CLAUDE_COWORK_MEMORY_GUIDELINES` the memory part of the system prompt (A6).";
    memory_stores: Some(V332), None, Measured,
        "`CLAUDE_MEMORY_STORES` removes the index (A6).";
    // Text.
    size_limit: Some(V197), None, Measured,
        "A file over 4 MiB is not loaded at all, without a notice (B5).";
    sanitises: Some(V332), None, Measured,
        "A byte order mark before a frontmatter is taken off; in the index as it is sent, and nowhere else, line ends become LF and control and invisible characters go, after the limits (0, B8).";
    keeps_definitions: Some(V332), None, Measured,
        "Link reference definitions stay when comments are stripped (B9).";
    keeps_half_pair: None, Some(V197), Measured,
        "A hard cut through a surrogate pair sends the first half alone (B3).";
    replaces_half_pair: Some(V197), Some(V332), Measured,
        "A hard cut through a surrogate pair sends U+FFFD in its place (B3); later ones send nothing.";
    lenient_yaml: Some(V197), None, Measured,
        "The reader of frontmatter takes a key twice, tabs, and a colon inside a plain value.";
    // Layers.
    rules_sorted: None, Some(V197), Measured,
        "Each directory of rules is sorted by byte value; later clients take the system's own order (C2).";
    real_path_once: Some(V197), None, Measured,
        "A file is loaded once by its real path too (C3).";
    links_stay_inside: Some(V332), None, Measured,
        "Rules and imports that lead out of the current directory through a link are dropped unless external imports are approved (C2, C5).";
    links_excluded: Some(V332), None, Measured,
        "`claudeMdExcludes` looks at the link that leads to a rule too, not only at the real path.";
    agents_md: Some(V332), None, Measured,
        "`AGENTS.md` is read where no `CLAUDE.md` has content (C6).";
    add_dir_local: Some(V197), None, Measured,
        "`CLAUDE.local.md` of an `--add-dir` directory is read (C10).";
    add_dir_absolute: Some(V332), None, Measured,
        "A relative `--add-dir` shows absolute paths, and `~` is expanded in it (C10).";
    bare_add_dir_walks: None, Some(V332), Measured,
        "`--bare` with `--add-dir` loads the usual files, without memory (C10).";
    backfill: Some(V332), None, Measured,
        "Where the index is missing and memories exist, the client writes one at start (B7).";
    // Loading on use.
    missing_read_triggers: Some(V332), None, Measured,
        "Reading a file that does not exist, or a directory, brings in what opening it would (C12).";
    sources_limit_rules_on_use: Some(V332), None, Measured,
        "Project rules that load on use need the source `project`.";
    start_counts_on_use: Some(V332), None, Measured,
        "A file that loaded at start does not load again on use.";
    worktree_skips_on_use: Some(V332), None, Measured,
        "In a worktree inside its main checkout, the main tree's conditional rules do not load on use either.";
    disabled_on_use: Some(V197), None, Measured,
        "`CLAUDE_CODE_DISABLE_CLAUDE_MDS` holds for files that load on use too.";
    // The form of the text.
    own_block: Some(V332), None, Measured,
        "The files stand in a text block of their own, without a heading (0).";
    escapes_tags: Some(V332), None, Measured,
        "Tags of the reminder are escaped in the index, though not in other files (0).";
    notice_counts_lost: Some(V332), None, Measured,
        "The notice about a cut index says how much was lost, and what came first (B4).";
}

/// The rules that hold when no version is given.
pub const REFERENCE: Rules = Rules::at(V197);

impl Default for Rules {
    fn default() -> Self {
        REFERENCE
    }
}

impl Rules {
    /// The newest rules that are known.
    pub const NEWEST: Self = Self::at(V332);

    /// The rules for a version as the client writes it (`2.1.197`): those of the newest measured version
    /// that is not newer, else of the oldest one. `None` when it is not three numbers.
    #[must_use]
    pub fn of(version: &str) -> Option<Self> {
        let asked = numbers(version)?;
        let measured = MEASURED.into_iter().rev().find(|measured| *measured <= asked);
        Some(Self::at(measured.unwrap_or(V100)))
    }

    /// Whether these rules were measured on `version`.
    #[must_use]
    pub fn basis(&self, version: &str) -> Basis {
        if numbers(version) == Some(self.version) { Basis::Measured } else { Basis::Assumed }
    }

    /// What to tell a person when the rules for `version` are not measured ones.
    #[must_use]
    pub fn note(&self, version: &str) -> Option<String> {
        let asked = numbers(version)?;
        let taken = self.version.map(|number| number.to_string()).join(".");
        let why = match asked {
            asked if MEASURED.contains(&asked) => return None,
            asked if asked > V332 => "it is newer than the newest measured version",
            asked if asked < V100 => "it is older than the oldest measured version",
            _ => "it was not measured",
        };
        Some(format!("client {version}: {why}; the rules of {taken} are taken"))
    }
}

fn numbers(version: &str) -> Option<Version> {
    let numbers: Vec<u32> = version.trim().split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_gets_the_newest_rules_that_are_not_newer() {
        for (asked, got, basis) in [
            ("2.1.197", [2, 1, 197], Basis::Measured),
            ("2.1.198", [2, 1, 197], Basis::Assumed),
            ("2.1.331", [2, 1, 197], Basis::Assumed),
            ("2.1.332", [2, 1, 332], Basis::Measured),
            ("3.0.0", [2, 1, 332], Basis::Assumed),
            ("2.1.100", [2, 1, 100], Basis::Measured),
            ("1.0.0", [2, 1, 100], Basis::Assumed),
        ] {
            let rules = Rules::of(asked).unwrap();
            assert_eq!((rules.version, rules.basis(asked)), (got, basis), "{asked}");
            assert_eq!(rules.note(asked).is_none(), basis == Basis::Measured, "{asked}");
        }
        for bad in ["", "2.1", "2.1.x", "2.1.1.1", "latest"] {
            assert_eq!(Rules::of(bad), None, "{bad}");
        }
        assert!(MEASURED.is_sorted());
        assert!(Rules::of("9.0.0").unwrap().note("9.0.0").unwrap().contains("newer than the newest"));
    }

    #[test]
    fn each_row_holds_for_some_measured_versions_and_not_for_others() {
        for entry in TABLE {
            let held = MEASURED.iter().filter(|version| entry.holds(**version)).count();
            assert!((1..MEASURED.len()).contains(&held), "{}: a rule of all versions or of none", entry.name);
            assert!(entry.what.ends_with('.'), "{}", entry.name);
        }
        let (old, new) = (Rules::of("2.1.100").unwrap(), Rules::of("2.1.332").unwrap());
        assert!(old.rules_sorted && !new.rules_sorted && !old.agents_md && new.agents_md);
    }
}
