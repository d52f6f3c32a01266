//! What the agent client keeps on this machine, and the process's own surroundings, as the core wants them.

pub mod disk;
pub mod extract;
pub mod sessions;
pub mod surroundings;
pub mod transcript;
pub mod usage;
pub mod writes;
