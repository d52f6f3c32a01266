//! Every operation adds one small pack to the history; now and then they become one, so that reading it
//! stays fast.

use super::error::{Result, history};
use super::failpoint;
use super::pack::{Object, Objects};
use git2::Odb;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// From how many small packs on they are merged.
const MANY: usize = 50;
/// Up to how many bytes a pack is small.
const SMALL: u64 = 4 << 20;

/// Merges the small packs of a history when there are many. What can't be done now is done another time.
pub(super) fn merge_packs(dir: &Path) -> Result<()> {
    let packs = dir.join("objects/pack");
    let small = small_packs(&packs).map_err(|e| history("tidy", e))?;
    if small.len() < MANY {
        return Ok(());
    }
    // The packs alone, under second names, so that their objects can be listed.
    let aside = dir.join("tidy");
    let objects = remove(&aside)
        .and_then(|()| link_all(&small, &aside.join("pack")))
        .map_err(|e| history("tidy", e))
        .and_then(|()| read_all(&aside));
    failpoint::step();
    let written = objects.and_then(|objects| objects.write(&packs));
    let removed = remove(&aside);
    let name = written?;
    removed.map_err(|e| history("tidy", e))?;
    for pack in small.iter().filter(|pack| pack.file_stem() != name.as_deref().map(OsStr::new)) {
        failpoint::step();
        // Without its list of objects a pack is not seen.
        fs::remove_file(pack.with_extension("idx")).map_err(|e| history("tidy", e))?;
        fs::remove_file(pack).map_err(|e| history("tidy", e))?;
    }
    Ok(())
}

fn small_packs(packs: &Path) -> io::Result<Vec<PathBuf>> {
    let mut small = Vec::new();
    for entry in fs::read_dir(packs)? {
        let entry = entry?;
        let path = entry.path();
        let is_pack = path.extension() == Some(OsStr::new("pack")) && path.with_extension("idx").exists();
        if is_pack && entry.metadata()?.len() < SMALL {
            small.push(path);
        }
    }
    Ok(small)
}

fn link_all(small: &[PathBuf], to: &Path) -> io::Result<()> {
    super::places::make_private(to)?;
    for pack in small {
        for file in [pack.clone(), pack.with_extension("idx")] {
            fs::hard_link(&file, to.join(file.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}

fn read_all(objects_dir: &Path) -> Result<Objects> {
    let cannot = |e: git2::Error| history("tidy", e.message());
    let odb = Odb::new().map_err(cannot)?;
    odb.add_disk_alternate(&objects_dir.to_string_lossy()).map_err(cannot)?;
    let mut ids = Vec::new();
    odb.foreach(|id| {
        ids.push(*id);
        true
    })
    .map_err(cannot)?;
    let mut objects = Objects::default();
    for id in ids {
        let object = odb.read(id).map_err(cannot)?;
        objects.push(Object::new(object.kind(), object.data()).map_err(|e| history("tidy", e))?);
    }
    Ok(objects)
}

fn remove(dir: &Path) -> io::Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use git2::ObjectType;

    #[test]
    fn many_small_packs_become_one_and_nothing_is_lost() {
        let dir = tempfile::tempdir().unwrap();
        let packs = dir.path().join("objects/pack");
        fs::create_dir_all(&packs).unwrap();
        let mut ids = Vec::new();
        for i in 0..MANY {
            assert_eq!(small_packs(&packs).unwrap().len(), i);
            merge_packs(dir.path()).unwrap();
            let mut objects = Objects::default();
            ids.push(objects.add(ObjectType::Blob, format!("number {i}").as_bytes()).unwrap());
            objects.add(ObjectType::Blob, b"the same in all").unwrap();
            objects.write(&packs).unwrap();
        }
        merge_packs(dir.path()).unwrap();
        assert_eq!(fs::read_dir(&packs).unwrap().count(), 2);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        let odb = Odb::new().unwrap();
        odb.add_disk_alternate(dir.path().join("objects").to_str().unwrap()).unwrap();
        for (i, id) in ids.iter().enumerate() {
            assert_eq!(odb.read(*id).unwrap().data(), format!("number {i}").as_bytes());
        }
    }
}
