//! What a session loads: where the memory is, which layers there are, what is cut. Pure: files, the
//! environment and the clock are passed in through [`port::Port`] and [`port::Environment`].

pub mod limits;
pub mod locate;
pub mod port;
pub mod strip;
pub mod versions;
