//! What a file has beside its content, and the directories that are memcurator's own.

use crate::store_kit::{Kit, at, now};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn permissions_that_were_changed_meanwhile_stay() {
    let kit = Kit::new(3);
    let store = kit.open();
    let delete = kit.delete(&[0]);
    chmod(&kit.dir.join("MEMORY.md"), 0o600);
    store.apply(&delete, at(0)).unwrap();
    assert_eq!(kit.state("MEMORY.md").unwrap().mode, 0o600);
    chmod(&kit.dir.join("MEMORY.md"), 0o640);
    store.undo(at(1)).unwrap().unwrap();
    assert_eq!(kit.state("MEMORY.md").unwrap().mode, 0o640);
    store.redo(at(2)).unwrap().unwrap();
    assert_eq!(kit.state("MEMORY.md").unwrap().mode, 0o640);
}

#[test]
fn a_state_directory_that_others_could_read_is_closed() {
    let kit = Kit::new(2);
    fs::create_dir_all(kit.home()).unwrap();
    let ours = [kit.places.state.clone(), kit.places.state.join("stores"), kit.home()];
    ours.iter().for_each(|dir| chmod(dir, 0o755));
    kit.open().apply(&kit.delete(&[0]), now()).unwrap();
    for dir in ours {
        assert_eq!(fs::metadata(&dir).unwrap().mode() & 0o777, 0o700, "{}", dir.display());
    }
}

#[test]
fn extended_attributes_stay() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    let kit = Kit::new(2);
    let path = kit.dir.join("MEMORY.md");
    if setxattr(&path, "user.colour", b"blue", XattrFlags::empty()).is_err() {
        return crate::skipped("there are no extended attributes here");
    }
    let store = kit.open();
    store.apply(&kit.delete(&[0]), at(0)).unwrap();
    let mut value = [0; 8];
    assert_eq!(getxattr(&path, "user.colour", &mut value[..]), Ok(4));
    assert_eq!(&value[..4], b"blue");
}

#[test]
fn another_name_of_a_file_and_a_file_that_is_read_only_are_named() {
    let kit = Kit::new(3);
    let store = kit.open();
    fs::hard_link(kit.dir.join("MEMORY.md"), kit.top.join("second.md")).unwrap();
    let applied = store.apply(&kit.delete(&[0]), at(0)).unwrap();
    assert!(applied.conflicts[0].what.contains("hard link"), "{applied:?}");
    assert!(fs::read_to_string(kit.top.join("second.md")).unwrap().contains("m00.md"));
    // It is no conflict: undo takes it back.
    chmod(&kit.dir.join("MEMORY.md"), 0o444);
    let undone = store.undo(at(1)).unwrap().unwrap();
    assert!(undone.conflicts.len() == 1 && undone.conflicts[0].what.contains("read-only"), "{undone:?}");
    assert!(kit.exists("m00.md") && kit.read("MEMORY.md").contains("m00.md"));
    assert_eq!(kit.state("MEMORY.md").unwrap().mode, 0o444);
    assert_eq!(store.log().unwrap().len(), 3);
}
