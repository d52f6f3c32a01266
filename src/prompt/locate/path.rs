//! Paths as text: `.` and `..` taken out without asking the disk, as the client does it.

use std::path::{Component, Path, PathBuf};

/// `text` as a path of its own or, when relative, one under `base`; `.`, `..` and doubled slashes taken out.
#[must_use]
pub fn absolute(base: &Path, text: impl AsRef<Path>) -> PathBuf {
    normal(&base.join(text))
}

/// `path` with `.`, `..` and doubled slashes taken out; a relative path keeps the `..` that lead out of it.
#[must_use]
pub fn normal(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match clean.components().next_back() {
                Some(Component::Normal(_)) => {
                    clean.pop();
                }
                Some(Component::RootDir) => {}
                _ => clean.push(component),
            },
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => clean.push(component),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_taken_out() {
        for (path, want) in [
            ("/a/./b/../c/", "/a/c"),
            ("/..", "/"),
            ("//a///b", "/a/b"),
            ("a/../..", ".."),
            ("../../x", "../../x"),
            ("a/..", ""),
            ("", ""),
        ] {
            assert_eq!(normal(Path::new(path)), Path::new(want), "{path}");
        }
        assert_eq!(absolute(Path::new("/w"), "../x"), Path::new("/x"));
        assert_eq!(absolute(Path::new("/w"), ""), Path::new("/w"));
    }
}
