//! The page of keys is what the table of commands says.

use memcurator::app::docs::keys_md;
use std::path::Path;

#[test]
fn the_page_of_keys_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/KEYS.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, keys_md()).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == keys_md(), "docs/KEYS.md is stale: UPDATE_DOCS=1 cargo test --test it keys");
}
