//! What the agent client keeps on this machine, and the process's own surroundings, as the core wants them.

pub mod disk;
pub mod extract;
pub mod hook;
mod inside;
pub mod kept;
pub mod learn;
mod loopback;
pub mod model;
pub mod program;
pub mod prove;
pub mod run;
pub mod sandbox;
pub mod sessions;
pub mod surroundings;
pub mod transcript;
pub mod trouble;
pub mod usage;
pub mod writes;
