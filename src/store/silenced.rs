//! What a person silenced for one store: a private file beside its history.

use super::error::Result;
use super::lock::Lock;
use super::places::make_private;
use super::{Places, StoreError, failpoint};
use crate::check::Silence;
use crate::memory::Time;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What is silenced for one store.
#[derive(Debug, Clone)]
pub struct Silenced {
    home: PathBuf,
}

#[derive(Serialize, Deserialize, Default)]
struct Written {
    silenced: Vec<Line>,
}

/// One of them as it is written; what is empty is left out.
#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    check: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    memory: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    about: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
}

impl Silenced {
    /// What is silenced for the store at this real path. Nothing is made on the disk.
    #[must_use]
    pub fn of(places: &Places, root: &Path) -> Self {
        Self { home: places.of_store(root) }
    }

    /// All of it, in the order in which it was set.
    ///
    /// # Errors
    /// When the file is there and can't be read, or is not what memcurator writes. It is left as it is.
    pub fn all(&self) -> Result<Vec<Silence>> {
        self.read()?.map_err(|why| {
            let what = format!("{} is damaged ({why}); {STANDS}", super::error::shown(&self.file()));
            StoreError::fault(
                what,
                "correct it or remove it; silencing something writes it anew and keeps this one beside it",
            )
        })
    }

    /// What the file says, or why it is damaged; an error when it can't be read at all, which is no damage.
    fn read(&self) -> Result<std::result::Result<Vec<Silence>, String>> {
        let file = self.file();
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Ok(Vec::new())),
            Err(error) => return Err(StoreError::io("read what is silenced in", &file, &error, STANDS)),
        };
        Ok(parse(&bytes))
    }

    /// Takes some out and adds others, in one step; what has run out at `now` is dropped. A file that is damaged
    /// is kept under another name.
    ///
    /// # Errors
    /// When another memcurator is at it, or it can't be written: it is then as before.
    pub fn change(&self, remove: &[Silence], add: &[Silence], now: Time) -> Result<()> {
        let _lock = Lock::take(&self.home)?;
        let file = self.file();
        let read = self.read()?;
        let is_damaged = read.is_err();
        let mut all = read.unwrap_or_default();
        all.retain(|one| !remove.contains(one) && one.until.is_none_or(|until| until > now));
        for one in add {
            if !all.contains(one) {
                all.push(one.clone());
            }
        }
        let line = |one: Silence| Line {
            check: one.check,
            memory: one.memory,
            about: one.about,
            until: one.until.map(|until| until.to_rfc3339()),
            hash: one.hash,
        };
        let written = Written { silenced: all.into_iter().map(line).collect() };
        let write = || -> io::Result<()> {
            make_private(&self.home)?;
            // `tempfile` makes it with mode 0600.
            let mut temp = tempfile::NamedTempFile::new_in(&self.home)?;
            failpoint::before("write silenced", &file)?;
            temp.write_all(&serde_json::to_vec_pretty(&written)?)?;
            temp.as_file().sync_data()?;
            // Only now: on a full disk the old one stays where it is.
            if is_damaged {
                keep_aside(&file)?;
            }
            temp.persist(&file)?;
            Ok(())
        };
        write().map_err(|error| StoreError::io("write", &file, &error, "what is silenced is as before"))
    }

    fn file(&self) -> PathBuf {
        self.home.join("silenced.json")
    }
}

/// The content of the file, or what is wrong with it.
fn parse(bytes: &[u8]) -> std::result::Result<Vec<Silence>, String> {
    let written: Written = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let silence = |line: Line| {
        let until = line.until.map(|text| text.parse::<Time>()).transpose();
        let until = until.map_err(|error| format!("`until`: {error}"))?;
        let (check, memory, about, hash) = (line.check, line.memory, line.about, line.hash);
        Ok(Silence { check, memory, about, until, hash, ..Silence::default() })
    };
    written.silenced.into_iter().map(silence).collect()
}

/// Gives a damaged file a second name that no other has; the new one takes the first.
fn keep_aside(file: &Path) -> io::Result<()> {
    let mut aside = file.with_extension("json.damaged");
    for number in 2_u64.. {
        if aside.symlink_metadata().is_err() {
            break;
        }
        aside = file.with_extension(format!("json.damaged-{number}"));
    }
    // Some file systems know no second names. What is a link stays one.
    fs::hard_link(file, &aside).or_else(|_| fs::rename(file, &aside))
}

const STANDS: &str = "nothing is silenced for this store meanwhile, and the file is left as it is";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::failpoint;
    use std::os::unix::fs::PermissionsExt;

    fn now() -> Time {
        "2026-11-30T12:00:00Z".parse().unwrap()
    }

    fn kept(dir: &Path) -> Silenced {
        let places = Places { state: dir.into(), cache: dir.into(), config: dir.into() };
        Silenced::of(&places, Path::new("/s"))
    }

    #[test]
    fn what_is_silenced_is_kept_privately_and_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let kept = kept(dir.path());
        assert_eq!(kept.all().unwrap(), []);
        let one = Silence { about: "x.sh".into(), hash: Some("0a".into()), ..Silence::of_check("path-gone") };
        let day = chrono::TimeDelta::days(1);
        let other = Silence { until: Some(now() + day), memory: "a.md".into(), ..Silence::default() };
        kept.change(&[], &[one.clone(), other.clone(), one.clone()], now()).unwrap();
        assert_eq!(kept.all().unwrap(), [one.clone(), other.clone()]);
        assert_eq!(fs::metadata(kept.file()).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(&kept.home).unwrap().permissions().mode() & 0o777, 0o700);
        // What has run out goes with the next change.
        kept.change(&[one], &[], now() + day * 2).unwrap();
        assert_eq!(kept.all().unwrap(), []);
    }

    #[test]
    fn a_damaged_file_is_said_and_kept() {
        let dir = tempfile::tempdir().unwrap();
        let kept = kept(dir.path());
        kept.change(&[], &[Silence::of_check("old")], now()).unwrap();
        for text in ["{", "[]", r#"{"silenced":[{"check":"old","until":"soon"}]}"#] {
            fs::write(kept.file(), text).unwrap();
            let error = kept.all().unwrap_err();
            assert!(error.what.contains("damaged") && error.what.contains("left as it is"), "{error}");
            assert_eq!(fs::read_to_string(kept.file()).unwrap(), text);
        }
        kept.change(&[], &[Silence::of_check("old")], now()).unwrap();
        assert_eq!(kept.all().unwrap(), [Silence::of_check("old")]);
        assert!(fs::read_to_string(kept.home.join("silenced.json.damaged")).unwrap().contains("soon"));
    }

    #[test]
    fn every_damaged_file_is_kept_and_only_a_damaged_one_is_moved() {
        let dir = tempfile::tempdir().unwrap();
        let kept = kept(dir.path());
        let old = [Silence::of_check("old")];
        kept.change(&[], &old, now()).unwrap();
        for text in ["{first", "{second", "{third"] {
            fs::write(kept.file(), text).unwrap();
            kept.change(&[], &old, now()).unwrap();
            assert_eq!(kept.all().unwrap(), old);
        }
        for (name, text) in [("", "{first"), ("-2", "{second"), ("-3", "{third")] {
            let aside = kept.home.join(format!("silenced.json.damaged{name}"));
            assert_eq!(fs::read_to_string(aside).unwrap(), text);
        }
        // What can't be read for another reason is not damaged.
        fs::remove_file(kept.file()).unwrap();
        fs::create_dir(kept.file()).unwrap();
        let count = || fs::read_dir(&kept.home).unwrap().count();
        let before = count();
        assert!(kept.change(&[], &old, now()).unwrap_err().what.contains("could not read"));
        assert!(kept.file().is_dir() && count() == before);
    }

    #[test]
    fn a_full_disk_leaves_the_damaged_file_in_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let kept = kept(dir.path());
        kept.change(&[], &[Silence::of_check("old")], now()).unwrap();
        fs::write(kept.file(), "{first").unwrap();
        failpoint::hook(|what, _| match what {
            "write silenced" => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok(()),
        });
        let refused = kept.change(&[], &[Silence::of_check("old")], now());
        failpoint::unhook();
        assert!(refused.unwrap_err().what.contains("as before"));
        assert_eq!(fs::read_to_string(kept.file()).unwrap(), "{first");
        assert!(!kept.home.join("silenced.json.damaged").exists());
    }
}
