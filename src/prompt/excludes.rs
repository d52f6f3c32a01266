//! `claudeMdExcludes`: which files a settings file leaves out (CLIENT_FACTS C8).

use crate::prompt::glob::{Glob, fixed_directory};
use crate::prompt::locate::path::normal;
use crate::prompt::port::Port;
use std::path::Path;

/// The patterns of all settings files that count, in order.
#[derive(Debug, Clone, Default)]
pub struct Excludes {
    globs: Vec<(String, Glob)>,
}

impl Excludes {
    /// Reads patterns. An absolute one counts a second time with the real path of its fixed directory (measured:
    /// a pattern through a link, or with `..`, excludes the real file).
    #[must_use]
    pub fn new<'a>(patterns: impl IntoIterator<Item = &'a str>, port: &dyn Port) -> Self {
        let mut globs = Vec::new();
        for pattern in patterns {
            globs.push((pattern.to_owned(), Glob::new(pattern)));
            let unified = pattern.replace('\\', "/");
            let Some((directory, rest)) = fixed_directory(&unified) else { continue };
            let Ok(real) = port.real(&normal(Path::new(directory))) else { continue };
            let Some(real) = real.to_str().filter(|real| *real != directory) else { continue };
            globs.push((pattern.to_owned(), Glob::new(&format!("{real}{rest}"))));
        }
        Self { globs }
    }

    /// The pattern that leaves a file out.
    #[must_use]
    pub fn matching(&self, path: &str) -> Option<&str> {
        self.globs.iter().find(|(_, glob)| glob.matches(path)).map(|(pattern, _)| pattern.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::port::mem::MemPort;

    #[test]
    fn a_fixed_directory_is_looked_up() {
        let mut port = MemPort::default();
        port.file("/p/d/a.md", "").link("/l", "/p").link("/p/dl", "d");
        for (pattern, excluded) in [
            ("/l/d/a.md", true),
            ("/l/d/*.md", true),
            ("/p/dl/a.md", true),
            ("/p/d/../d/a.md", true),
            ("/p/nope/../d/a.md", true),
            ("/p//d/a.md", true),
            ("/p/./d/a.md", true),
            ("/p\\d\\a.md", true),
            ("/l/**", false),
            ("/l/{d,x}/a.md", false),
            ("/p/d/../**/a.md", false),
            ("d/a.md", false),
        ] {
            let excludes = Excludes::new([pattern], &port);
            assert_eq!(excludes.matching("/p/d/a.md").is_some(), excluded, "{pattern}");
        }
    }
}
