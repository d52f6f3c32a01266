//! Text that was typed and not saved: kept so that quitting, a closed terminal or a crash doesn't lose it.

use crate::memory::path::RelPath;
use std::sync::Arc;

/// The unsaved text of one memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// Which memory.
    pub path: RelPath,
    /// The file as it was when the editing began.
    pub base: Arc<[u8]>,
    /// What was typed: for each field that was changed its name and its text; [`RAW`] names the whole file.
    pub texts: Vec<(String, String)>,
}

/// The name of the whole file among the fields of a draft.
pub const RAW: &str = "raw";
