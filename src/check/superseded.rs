//! Memories that newer ones replace or contradict.

use super::Check;

pub(super) const CHECKS: &[Check] = &[];
