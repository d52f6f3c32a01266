//! Which directory stands for a project: the root of its repository, found as the client finds it
//! (CLIENT_FACTS A4). Only entries named `.git` are looked at; `GIT_DIR` plays no part.

use crate::prompt::locate::path::absolute;
use crate::prompt::port::{Kind, Port};
use crate::prompt::versions::Rules;
use std::path::{Path, PathBuf};

/// The directory that stands for a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The path whose name the store bears.
    pub named: PathBuf,
    /// The nearest directory at or above the current one that holds an entry `.git`.
    pub checkout: Option<PathBuf>,
    /// The main checkout: `checkout` itself, or the one it is a worktree of; none for a bare repository.
    pub main: Option<PathBuf>,
    /// What decided, for a person.
    pub because: &'static str,
}

/// The directory that stands for the project of `cwd`, a real path.
#[must_use]
pub fn root(port: &dyn Port, cwd: &Path, rules: &Rules) -> Root {
    // An empty directory, an empty file and a file that points nowhere all make a root; a link that leads
    // nowhere does not (measured on 2.1.197 and 2.1.332).
    let holds_git = |dir: &&Path| matches!(port.kind(&dir.join(".git")), Some(Kind::File | Kind::Dir));
    let Some(checkout) = cwd.ancestors().find(holds_git).map(Path::to_path_buf) else {
        let because = "that directory, which is in no repository";
        return Root { named: cwd.to_path_buf(), checkout: None, main: None, because };
    };
    let (named, main, because) = match main_checkout(port, &checkout, rules) {
        Some(Main::Checkout(main)) => (main.clone(), Some(main), "the main checkout of this worktree"),
        Some(Main::Bare(bare)) => (bare, None, "the bare repository of this worktree"),
        None => (checkout.clone(), Some(checkout.clone()), "the git root"),
    };
    Root { named, checkout: Some(checkout), main, because }
}

enum Main {
    Checkout(PathBuf),
    Bare(PathBuf),
}

/// Where a linked worktree belongs; `None` for everything else: an ordinary repository, a submodule, a
/// separate git directory (no `commondir` in these), and a `.git` file that was copied elsewhere (the way
/// back does not lead to it).
fn main_checkout(port: &dyn Port, checkout: &Path, rules: &Rules) -> Option<Main> {
    let entry = checkout.join(".git");
    let text = text(port, &entry)?;
    let git_dir = absolute(checkout, text.trim().strip_prefix("gitdir:")?.trim());
    let common = absolute(&git_dir, self::text(port, &git_dir.join("commondir"))?.trim());
    if git_dir.parent()? != common.join("worktrees") {
        return None;
    }
    let back = self::text(port, &git_dir.join("gitdir"))?;
    let back = Path::new(back.trim());
    if back.is_relative() && !rules.relative_back_link {
        return None;
    }
    if port.real(&git_dir.join(back)).ok()? != port.real(checkout).ok()?.join(".git") {
        return None;
    }
    Some(match common.file_name() {
        Some(name) if name == ".git" => Main::Checkout(common.parent()?.to_path_buf()),
        _ => Main::Bare(common),
    })
}

fn text(port: &dyn Port, path: &Path) -> Option<String> {
    String::from_utf8(port.read(path).ok()?).ok()
}
