//! The parts of a memory that help an agent to use it: Why, How to apply, a description that tells.

use super::Check;

pub(super) const CHECKS: &[Check] = &[];
