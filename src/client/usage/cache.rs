//! What was read of transcripts, kept between runs. It can be deleted any time.

use super::file::FileUse;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{self, DirBuilder};
use std::io::{self, BufReader, BufWriter, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Of another version nothing is taken over.
const VERSION: u32 = 1;
/// The largest cache that is read, in bytes; one of 5,000 sessions has 3 MB.
const MAX_BYTES: u64 = 256 << 20;

#[derive(Deserialize)]
struct Cache {
    version: u32,
    files: HashMap<PathBuf, FileUse>,
}

#[derive(Serialize)]
struct Kept<'a> {
    version: u32,
    files: HashMap<&'a Path, &'a FileUse>,
}

/// What is kept; nothing when it is not there or damaged.
pub(super) fn load(path: &Path) -> HashMap<PathBuf, FileUse> {
    let read = || -> Option<Cache> {
        let file = fs::File::open(path).ok()?;
        let meta = file.metadata().ok()?;
        (meta.is_file() && meta.len() <= MAX_BYTES).then_some(())?;
        serde_json::from_reader(BufReader::new(file)).ok()
    };
    read().filter(|cache| cache.version == VERSION).map(|cache| cache.files).unwrap_or_default()
}

/// Keeps it, readable by the user alone.
pub(super) fn save<'a>(path: &Path, files: impl Iterator<Item = (&'a Path, &'a FileUse)>) -> io::Result<()> {
    let dir = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    // Made by tempfile: nobody else can read it from the first byte on.
    let mut file = tempfile::Builder::new()
        .prefix(".usage-")
        .permissions(fs::Permissions::from_mode(0o600))
        .tempfile_in(dir)?;
    let mut writer = BufWriter::new(&mut file);
    serde_json::to_writer(&mut writer, &Kept { version: VERSION, files: files.collect() })?;
    writer.flush()?;
    drop(writer);
    file.persist(path)?;
    Ok(())
}
