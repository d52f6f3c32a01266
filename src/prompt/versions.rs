//! What differs between versions of the client, as data. Every entry says where it comes from.
//!
//! Measured versions: 2.1.100, 2.1.197 (the reference) and 2.1.332 (CLIENT_FACTS). A version between two
//! of them is taken to behave as the older one, which was not measured: [`Rules::basis`] says so.

/// The rules of one version of the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// The version these rules were measured on.
    pub version: [u32; 3],
    /// `autoMemoryDirectory` in a project's settings counts (A5: yes on 2.1.197 and 2.1.332, no on 2.1.100).
    pub project_directory: bool,
    /// `--setting-sources` limits `autoMemoryDirectory` too (A5: only on 2.1.332).
    pub sources_limit_directory: bool,
    /// `~/../x` is a directory that may be set (measured: only on 2.1.100).
    pub directory_above_home: bool,
    /// A worktree whose way back is a relative path belongs to its main checkout (measured: only on 2.1.332).
    pub relative_back_link: bool,
    /// `settings.local.json` of the main checkout counts in its subdirectories and worktrees, over the current
    /// directory's own one (measured: only on 2.1.332).
    pub local_at_root: bool,
    /// Of the variables here, the `env` of project and local settings sets only
    /// `CLAUDE_CODE_DISABLE_AUTO_MEMORY` (measured: only on 2.1.332; elsewhere all).
    pub project_env_limited: bool,
    /// `CLAUDE_COWORK_MEMORY_PATH_OVERRIDE` keeps memory on in a remote session (measured: not on 2.1.100).
    pub override_keeps_on: bool,
    /// `CLAUDE_CODE_REMOTE` counts when a settings file sets it (measured: only on 2.1.100; later clients look
    /// before they read settings).
    pub remote_from_settings: bool,
    /// `--safe-mode` and `CLAUDE_CODE_SAFE_MODE` exist (A6: not on 2.1.100).
    pub safe_mode: bool,
    /// `CLAUDE_COWORK_MEMORY_INDEX_CONTENT` replaces the index (A6: 2.1.197 and 2.1.332).
    pub index_content: bool,
    /// `CLAUDE_MEMORY_STORES` removes the index (A6: only on 2.1.332; no effect on 2.1.197).
    pub memory_stores: bool,
}

/// How sure it is that rules hold for a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// They were measured on this very version.
    Measured,
    /// They are those of the nearest measured version.
    Assumed,
}

/// The measured versions, oldest first.
pub const TABLE: [Rules; 3] = [
    Rules {
        version: [2, 1, 100],
        project_directory: false,
        sources_limit_directory: false,
        directory_above_home: true,
        relative_back_link: false,
        local_at_root: false,
        project_env_limited: false,
        override_keeps_on: false,
        remote_from_settings: true,
        safe_mode: false,
        index_content: false,
        memory_stores: false,
    },
    REFERENCE,
    Rules {
        version: [2, 1, 332],
        project_directory: true,
        sources_limit_directory: true,
        directory_above_home: false,
        relative_back_link: true,
        local_at_root: true,
        project_env_limited: true,
        override_keeps_on: true,
        remote_from_settings: false,
        safe_mode: true,
        index_content: true,
        memory_stores: true,
    },
];

/// The rules that hold when no version is given.
pub const REFERENCE: Rules = Rules {
    version: [2, 1, 197],
    project_directory: true,
    sources_limit_directory: false,
    directory_above_home: false,
    relative_back_link: false,
    local_at_root: false,
    project_env_limited: false,
    override_keeps_on: true,
    remote_from_settings: false,
    safe_mode: true,
    index_content: true,
    memory_stores: false,
};

impl Default for Rules {
    fn default() -> Self {
        REFERENCE
    }
}

impl Rules {
    /// The rules for a version as the client writes it (`2.1.197`): those of the newest measured version
    /// that is not newer, else of the oldest one. `None` when it is not three numbers.
    #[must_use]
    pub fn of(version: &str) -> Option<Self> {
        let asked = numbers(version)?;
        let [oldest, ..] = TABLE;
        Some(TABLE.into_iter().rev().find(|rules| rules.version <= asked).unwrap_or(oldest))
    }

    /// Whether these rules were measured on `version`.
    #[must_use]
    pub fn basis(&self, version: &str) -> Basis {
        if numbers(version) == Some(self.version) { Basis::Measured } else { Basis::Assumed }
    }
}

fn numbers(version: &str) -> Option<[u32; 3]> {
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
        }
        for bad in ["", "2.1", "2.1.x", "2.1.1.1", "latest"] {
            assert_eq!(Rules::of(bad), None, "{bad}");
        }
        assert!(TABLE.is_sorted_by_key(|rules| rules.version));
    }
}
