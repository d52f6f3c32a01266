//! Where the project lies in its repository: a project may be a subdirectory of one.

/// The project's directory, seen from the top of the repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Base {
    /// Empty, or ends with `/`.
    prefix: String,
}

impl Base {
    pub(super) fn new(prefix: &str) -> Self {
        let prefix = prefix.trim_matches('/');
        Self { prefix: if prefix.is_empty() { String::new() } else { format!("{prefix}/") } }
    }

    /// A path of the repository as one of the project; `None` when it lies outside, or is none that a file of a
    /// checkout can have (a repository that was made by hand can hold `..`).
    pub(super) fn inside(&self, path: &str) -> Option<String> {
        let rest = path.strip_prefix(&self.prefix)?;
        is_plain(rest).then(|| rest.to_owned())
    }

    /// The same for a place that something was moved to: outside of the project it begins with `../`.
    pub(super) fn relative(&self, path: &str) -> Option<String> {
        if !is_plain(path) {
            return None;
        }
        let mut up: Vec<&str> = self.prefix.split_terminator('/').collect();
        let mut down: Vec<&str> = path.split('/').collect();
        while up.first().is_some_and(|part| down.len() > 1 && down.first() == Some(part)) {
            up.remove(0);
            down.remove(0);
        }
        Some("../".repeat(up.len()) + &down.join("/"))
    }
}

fn is_plain(path: &str) -> bool {
    !path.is_empty() && path.split('/').all(|part| !matches!(part, "" | "." | ".." | ".git"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_may_be_a_subdirectory() {
        let base = Base::new("apps/pay/");
        assert_eq!(base.inside("apps/pay/src/a.rs").as_deref(), Some("src/a.rs"));
        assert_eq!(base.inside("apps/payments/a.rs"), None);
        assert_eq!(base.relative("apps/pay/src/a.rs").as_deref(), Some("src/a.rs"));
        assert_eq!(base.relative("apps/web/a.rs").as_deref(), Some("../web/a.rs"));
        assert_eq!(base.relative("a.rs").as_deref(), Some("../../a.rs"));
        assert_eq!(base.relative("apps/pay").as_deref(), Some("../pay"));
        let top = Base::new("");
        assert_eq!(top.inside("a/b").as_deref(), Some("a/b"));
        assert_eq!(top.relative("a/b").as_deref(), Some("a/b"));
    }

    #[test]
    fn paths_that_no_checkout_has_are_dropped() {
        for bad in ["", "../x", "a/../../x", "/etc/x", "a//b", ".git/config", "a/./b"] {
            assert_eq!(Base::new("").inside(bad), None, "{bad}");
            assert_eq!(Base::new("").relative(bad), None, "{bad}");
        }
    }
}
