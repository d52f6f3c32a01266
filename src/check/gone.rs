//! Paths, symbols, flags and settings that the project no longer has.

use super::Check;

pub(super) const CHECKS: &[Check] = &[];
