//! Whether a store changed, without reading a file.

use super::walk;
use rustix::fs::AtFlags;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// A number that changes when a file of the store comes, goes or is written: from names, sizes, times and inodes.
/// `None` when the store can't be listed.
#[must_use]
pub fn fingerprint(root: &Path) -> Option<u64> {
    let listing = walk::list(root).ok()?;
    let mut hasher = DefaultHasher::new();
    listing.left_alone.hash(&mut hasher);
    for file in &listing.unreadable {
        file.path.hash(&mut hasher);
    }
    for file in &listing.files {
        file.path.hash(&mut hasher);
        // What a link leads to counts as the link's own.
        let Ok(stat) = rustix::fs::statat(&listing.root, &file.path, AtFlags::empty()) else { continue };
        (stat.st_size, stat.st_mtime, stat.st_mtime_nsec, stat.st_ino, stat.st_mode).hash(&mut hasher);
    }
    Some(hasher.finish())
}

/// Whether a store lies on a file system where others can write without this system being told: it has to be looked
/// at now and then.
#[must_use]
pub fn is_remote(root: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        // NFS, SMB (old, 2), FUSE, 9P, Ceph, AFS, the shares of virtual machines: linux/magic.h.
        const REMOTE: [u32; 9] = [
            0x6969,
            0x517B,
            0xFF53_4D42,
            0xFE53_4D42,
            0x6573_5546,
            0x0102_1997,
            0x00C3_6400,
            0x5346_414F,
            0x786F_4256,
        ];
        // Its width differs between systems; the numbers have 32 bits.
        let kind = rustix::fs::statfs(root).map(|stat| stat.f_type as u32);
        kind.is_ok_and(|kind| REMOTE.contains(&kind))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = root;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_is_noticed_and_reading_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        write("a.md", "one");
        let mut seen = vec![fingerprint(dir.path()).unwrap()];
        std::fs::read(dir.path().join("a.md")).unwrap();
        write(".memcurator-x.tmp", "hidden");
        assert_eq!(fingerprint(dir.path()).unwrap(), seen[0]);
        write("a.md", "longer");
        seen.push(fingerprint(dir.path()).unwrap());
        write("b.md", "");
        seen.push(fingerprint(dir.path()).unwrap());
        std::fs::remove_file(dir.path().join("a.md")).unwrap();
        seen.push(fingerprint(dir.path()).unwrap());
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 4);
        assert_eq!(fingerprint(&dir.path().join("gone")), None);
        assert!(!is_remote(&dir.path().join("gone")));
    }
}
