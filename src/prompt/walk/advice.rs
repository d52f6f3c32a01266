//! What may help a person: hints about imports that do not load, warnings about rules that load otherwise than they look.

use super::{Item, Loader, Setting};
use crate::prompt::frontmatter::{self, Fault};
use crate::prompt::locate::path::normal;
use crate::prompt::picture::{Reason, Warning};
use crate::prompt::port::Kind;
use std::path::Path;

impl Loader<'_> {
    /// What may help with an import that does not load.
    pub(super) fn hint(&self, item: Item<'_>, reason: &Reason) -> Option<String> {
        let Setting { port, root, cwd, home, .. } = self.setting;
        let is_file = |path: &Path| port.kind(path) == Some(Kind::File);
        match reason {
            Reason::Outside if root.is_some_and(|root| item.path.starts_with(root) && root != cwd) => Some(
                "the session starts in a subdirectory; from the repository's root this would load".into(),
            ),
            Reason::Outside | Reason::LinkOutside => Some(
                "the client asks once whether a project may import from outside; until then it does not"
                    .into(),
            ),
            Reason::Missing | Reason::Extension(_) => {
                let cut = item
                    .path
                    .to_string_lossy()
                    .trim_end_matches(['.', ',', ';', ':', '!', '?', ')'])
                    .to_owned();
                if cut.len() < item.path.as_os_str().len() && is_file(Path::new(&cut)) {
                    return Some("punctuation behind a path belongs to it: put a space between them".into());
                }
                let written = item.written.unwrap_or_default().trim_start_matches("./");
                let relative = !written.starts_with(['/', '~']) && *reason == Reason::Missing;
                let found = |from: &Path| relative && is_file(&normal(&from.join(written)));
                if root.is_some_and(found) {
                    Some("it exists from the repository's root; imports start at the importing file".into())
                } else if found(cwd) {
                    Some("it exists from the current directory; imports start at the importing file".into())
                } else if found(home) {
                    Some("it exists in the home directory: write ~/ before it".into())
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// Warns about what makes a rule load otherwise than it looks.
    pub(super) fn flag(&mut self, path: &Path, paths: &frontmatter::Paths) {
        for fault in &paths.faults {
            let (id, message) = match fault {
                Fault::Broken => (
                    "rule-yaml",
                    "its frontmatter is no YAML: `paths` is not seen, it always loads".to_owned(),
                ),
                Fault::Quoted if paths.patterns.is_empty() => continue,
                Fault::Quoted => (
                    "rule-yaml",
                    "its frontmatter is no YAML; the client reads odd values as plain text".to_owned(),
                ),
                Fault::ForeignKey(key) => {
                    ("rule-key", format!("the client does not know `{key}`: without `paths` it always loads"))
                }
                Fault::Ignored => {
                    ("rule-paths", "its `paths` is no text and no list: it always loads".to_owned())
                }
            };
            self.warnings.push(Warning { id, path: Some(path.to_path_buf()), message });
        }
    }
}
