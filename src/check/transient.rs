//! The state of a single session.

use super::Check;

pub(super) const CHECKS: &[Check] = &[];
