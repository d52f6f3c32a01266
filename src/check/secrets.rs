//! Secrets, and text that tries to take over an agent.

use super::Check;

pub(super) const CHECKS: &[Check] = &[];
