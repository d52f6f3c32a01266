//! Paths of the memory tool: `/memories/…`, a name space of its own that leads nowhere else.

use std::path::PathBuf;

/// The root that every path begins with.
const ROOT: &str = "/memories";

/// A path below `/memories` as its components: no `..`, nothing empty, nothing that a file system reads otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct VirtualPath(Vec<String>);

impl VirtualPath {
    /// Reads a path. `..` is taken as text, as far as it stays below the root.
    ///
    /// # Errors
    /// What the model is told when the path leads elsewhere: another root (`/memories_evil` is one), a way above the
    /// root, an encoded way there, or a name that no file can have.
    pub fn parse(path: &str) -> Result<Self, String> {
        let below = path.strip_prefix(ROOT).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let Some(below) = below else {
            return Err(format!("Path must start with /memories, got: {path}"));
        };
        let escapes = || format!("Path {path} would escape /memories directory");
        if is_encoded_escape(below) {
            return Err(escapes());
        }
        let mut parts: Vec<String> = Vec::new();
        for part in below.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop().ok_or_else(escapes)?),
                name if name.contains('\0') => return Err(format!("Path {path} is not valid")),
                name if name.len() > 255 => return Err(format!("A name in {path} is too long")),
                name => parts.push(name.into()),
            }
        }
        Ok(Self(parts))
    }

    /// Whether it is `/memories` itself.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Its components.
    #[must_use]
    pub fn parts(&self) -> &[String] {
        &self.0
    }

    /// The path of an entry of this directory.
    #[must_use]
    pub fn join(&self, name: &str) -> Self {
        let mut parts = self.0.clone();
        parts.push(name.into());
        Self(parts)
    }

    /// The path relative to the root.
    #[must_use]
    pub fn relative(&self) -> PathBuf {
        self.0.iter().collect()
    }
}

/// Whether a path has `..` in a form that some program on the way could decode: percent-encoded (also twice), with
/// backslashes, or in full-width and overlong-looking forms. No memory needs such a name.
fn is_encoded_escape(path: &str) -> bool {
    let mut text = path.to_ascii_lowercase();
    for _ in 0..3 {
        text = text.replace("%25", "%");
    }
    let text = text
        .replace("%2e", ".")
        .replace("%c0%ae", ".")
        .replace(['\u{FF0E}', '\u{2024}', '\u{FE52}'], ".")
        .replace("%2f", "/")
        .replace("%c0%af", "/")
        .replace("%5c", "/")
        .replace(['\\', '\u{FF0F}', '\u{2215}', '\u{2044}', '\u{FF3C}'], "/");
    let leaves = |text: &str| text.split('/').any(|part| part == "..");
    leaves(&text) && !leaves(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_the_root() {
        for (path, parts) in [
            ("/memories", &[][..]),
            ("/memories/", &[]),
            ("/memories/.", &[]),
            ("/memories//a.md", &["a.md"]),
            ("/memories/a/b.md/", &["a", "b.md"]),
            ("/memories/a/../b.md", &["b.md"]),
            ("/memories/a/..", &[]),
            ("/memories/50%.md", &["50%.md"]),
            ("/memories/a..b/...", &["a..b", "..."]),
            ("/memories/%2e.md", &["%2e.md"]),
        ] {
            assert_eq!(VirtualPath::parse(path).unwrap().parts(), parts, "{path}");
        }
    }

    #[test]
    fn every_other_way() {
        for path in
            ["", "memories", "/memory", "/memories_evil", "/memories.md", "/etc/passwd", "~/x", "/Memories"]
        {
            assert!(
                VirtualPath::parse(path).unwrap_err().starts_with("Path must start with /memories"),
                "{path}"
            );
        }
        for path in [
            "/memories/..",
            "/memories/../memories/a",
            "/memories/a/../../b",
            "/memories/%2e%2e/a",
            "/memories/%2E./a",
            "/memories/%252e%252e%252fa",
            "/memories/..%2fa",
            "/memories/..%5ca",
            "/memories/..\\a",
            "/memories/a\\..\\..\\b",
            "/memories/%c0%ae%c0%ae/a",
            "/memories/\u{FF0E}\u{FF0E}/a",
            "/memories/..\u{2215}a",
        ] {
            assert!(VirtualPath::parse(path).unwrap_err().contains("would escape"), "{path}");
        }
        assert!(VirtualPath::parse("/memories/a\0b").is_err());
        assert!(VirtualPath::parse(&format!("/memories/{}", "x".repeat(256))).is_err());
    }
}
