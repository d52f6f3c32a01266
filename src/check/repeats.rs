//! What instructions, the repository or its commits say anyway.

use super::Check;

pub(super) const CHECKS: &[Check] = &[];
