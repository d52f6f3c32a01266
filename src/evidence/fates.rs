//! What became of paths, worked out from the list of those that went. Pure.

use super::log::Left;
use crate::check::project::{Commit, Fate};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How a path left last: the number of the commit (newest first), and where it is today.
#[derive(Debug, Clone)]
struct Last {
    commit: usize,
    to: Option<String>,
    /// Of what moved and went later: the commit that removed it.
    removed: usize,
}

/// What became of each path that went and is not there now, files and directories. `left` has the newest first.
pub(super) fn fates(
    left: &[Left],
    commits: &[Arc<Commit>],
    is_alive: &dyn Fn(&str) -> bool,
) -> BTreeMap<String, Fate> {
    let mut lasts: HashMap<&str, Last> = HashMap::new();
    for one in left {
        if lasts.contains_key(one.path.as_str()) || is_alive(&one.path) {
            continue;
        }
        // Its new place may be alive, or have gone on to another one since.
        let next = one.to.as_deref().and_then(|to| lasts.get(to));
        let last = match (&one.to, next) {
            (Some(to), _) if is_alive(to) => {
                Last { commit: one.commit, to: one.to.clone(), removed: one.commit }
            }
            (Some(_), Some(next)) => Last { commit: one.commit, ..next.clone() },
            _ => Last { commit: one.commit, to: None, removed: one.commit },
        };
        lasts.insert(&one.path, last);
    }
    let fate = |last: &Last| {
        let commit = |number: usize| commits.get(number).map(Arc::clone);
        Some(match &last.to {
            Some(to) => Fate::Moved { to: to.clone(), by: commit(last.commit)? },
            None => Fate::Removed(commit(last.removed)?),
        })
    };
    let dirs = directories(&lasts, is_alive);
    let all =
        lasts.iter().map(|(path, last)| (*path, last)).chain(dirs.iter().map(|(path, last)| (*path, last)));
    all.filter_map(|(path, last)| Some((path.to_owned(), fate(last)?))).collect()
}

/// The directories that went with their last file. One has moved when what it held at the end went to one place,
/// and no more was removed from it than moved.
fn directories<'a>(
    lasts: &HashMap<&'a str, Last>,
    is_alive: &dyn Fn(&str) -> bool,
) -> HashMap<&'a str, Last> {
    let mut held: HashMap<&str, Vec<(&str, &Last)>> = HashMap::new();
    for (path, last) in lasts {
        for (end, _) in path.match_indices('/') {
            if let (Some(dir), Some(rest)) = (path.get(..end), path.get(end..)) {
                held.entry(dir).or_default().push((rest, last));
            }
        }
    }
    held.retain(|dir, _| !lasts.contains_key(dir) && !is_alive(dir));
    held.into_iter()
        .filter_map(|(dir, files)| {
            let commit = files.iter().map(|(_, last)| last.commit).min()?;
            let mut homes = files.iter().map(|(rest, last)| last.to.as_deref()?.strip_suffix(rest));
            let moved: Vec<_> = homes.by_ref().flatten().collect();
            let home = moved.first().filter(|home| moved.iter().all(|other| other == *home));
            let at_the_end = files.iter().filter(|(_, last)| last.commit == commit);
            let whole = at_the_end.fold(true, |whole, (_, last)| whole && last.to.is_some());
            let elsewhere = files.iter().filter(|(_, last)| last.to.is_some()).count() > moved.len();
            let to = home.filter(|_| whole && !elsewhere && moved.len() * 2 >= files.len());
            Some((dir, Last { commit, to: to.map(|home| (*home).to_owned()), removed: commit }))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Time;

    /// What `fates` says, in words; the commits are numbered from the newest, 0.
    fn told(left: &[(usize, &str, &str)], alive: &[&str]) -> Vec<String> {
        let left: Vec<Left> = left
            .iter()
            .map(|(commit, path, to)| Left {
                commit: *commit,
                path: (*path).to_owned(),
                to: (!to.is_empty()).then(|| (*to).to_owned()),
            })
            .collect();
        let commit = |id: usize| {
            let (subject, body) = (String::new(), String::new());
            Arc::new(Commit { id: id.to_string(), date: Time::default(), subject, body })
        };
        let commits: Vec<_> = (0..10).map(commit).collect();
        let is_alive = |path: &str| {
            alive.iter().any(|file| {
                file.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        fates(&left, &commits, &is_alive)
            .into_iter()
            .map(|(path, fate)| match fate {
                Fate::Removed(by) => format!("{path} removed in {}", by.id),
                Fate::Moved { to, by } => format!("{path} moved to {to} in {}", by.id),
            })
            .collect()
    }

    #[test]
    fn chains_are_followed_to_the_place_today() {
        let left = [(1, "c", "d"), (2, "b", "c"), (3, "a", "b")];
        assert_eq!(told(&left, &["d"]), ["a moved to d in 3", "b moved to d in 2", "c moved to d in 1"]);
        let left = [(0, "d", ""), (1, "c", "d"), (3, "a", "c")];
        assert_eq!(told(&left, &[]), ["a removed in 0", "c removed in 0", "d removed in 0"]);
    }

    #[test]
    fn a_path_that_is_there_again_is_alive() {
        assert_eq!(told(&[(3, "a", "")], &["a"]), Vec::<String>::new());
        assert_eq!(told(&[(1, "a", ""), (5, "a", "b")], &["b"]), ["a removed in 1"], "the last time counts");
        assert_eq!(told(&[(1, "a", "lost")], &[]), ["a removed in 1"], "moved to where nothing is now");
    }

    #[test]
    fn directories_go_with_their_last_file() {
        let left = [(1, "x/y/b", ""), (4, "x/y/a", ""), (5, "x/z", "")];
        let expected = [
            "x removed in 1",
            "x/y removed in 1",
            "x/y/a removed in 4",
            "x/y/b removed in 1",
            "x/z removed in 5",
        ];
        assert_eq!(told(&left, &[]), expected);
        assert_eq!(told(&left[..2], &["x/w"])[0], "x/y removed in 1", "what still holds a file is no news");
    }

    #[test]
    fn directories_move_when_all_goes_to_one_place() {
        let left = [(1, "old/sub/b", "new/sub/b"), (1, "old/a", "new/a"), (6, "old/c", "")];
        let all = told(&left, &["new/a", "new/sub/b"]);
        assert!(all.contains(&"old moved to new in 1".into()), "{all:?}");
        assert!(all.contains(&"old/sub moved to new/sub in 1".into()), "{all:?}");
        let apart = told(&[(1, "old/a", "new/a"), (1, "old/b", "other/b")], &["new/a", "other/b"]);
        assert!(apart.contains(&"old removed in 1".into()), "{apart:?}");
        let ended = told(&[(1, "old/a", ""), (2, "old/b", "new/b")], &["new/b"]);
        assert!(ended.contains(&"old removed in 1".into()), "{ended:?}");
        let renamed = told(&[(1, "old/a", "new/z")], &["new/z"]);
        assert!(renamed.contains(&"old removed in 1".into()), "{renamed:?}");
    }
}
