//! Memories that say the same.

use super::Check;

pub(super) const CHECKS: &[Check] = &[];
