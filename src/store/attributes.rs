//! What a file has beside content, permissions and time, when another one takes its place.

use super::files::READ;
use rustix::fs::{AtFlags, FileType, Mode, XattrFlags};
use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::AsFd;

/// Gives `new` the owner and the extended attributes (access lists among them) of the file `name`, as far as the system
/// lets us: root and members of a group may write others' files, and those stay theirs.
pub(super) fn copy(dir: impl AsFd, name: &OsStr, new: &File) {
    let Ok(old) = rustix::fs::openat(dir, name, READ, Mode::empty()).map(File::from) else { return };
    if let (Ok(was), Ok(is)) = (rustix::fs::fstat(&old), rustix::fs::fstat(new))
        && (was.st_uid, was.st_gid) != (is.st_uid, is.st_gid)
    {
        // Whoever may not do this is the owner of the new file, as with any editor.
        let _ = std::os::unix::fs::fchown(new, Some(was.st_uid), Some(was.st_gid));
    }
    // Some file systems have none, and some attributes are the system's own.
    let _ = copy_extended(&old, new);
}

fn copy_extended(old: &File, new: &File) -> rustix::io::Result<()> {
    let mut names = vec![0; rustix::fs::flistxattr_query(old)?];
    let length = rustix::fs::flistxattr(old, &mut names[..])?;
    names.truncate(length);
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let Ok(size) = rustix::fs::fgetxattr_query(old, name) else { continue };
        let mut value = vec![0; size];
        if let Ok(length) = rustix::fs::fgetxattr(old, name, &mut value[..]) {
            value.truncate(length);
            let _ = rustix::fs::fsetxattr(new, name, &value, XattrFlags::empty());
        }
    }
    Ok(())
}

/// What a person should know when the file `name` is replaced.
pub(super) fn warning(dir: impl AsFd, name: &OsStr) -> Option<&'static str> {
    let stat = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return None;
    }
    if stat.st_nlink > 1 {
        return Some("it has another name (a hard link), and under that it still holds what it held before");
    }
    (super::files::mode_of(&stat) & 0o222 == 0)
        .then_some("it is read-only; it was changed all the same, and is read-only again")
}
