//! What a session loads: where the memory is, which layers there are, what is cut. Pure: files, the
//! environment and the clock are passed in through [`port::Port`] and [`port::Environment`].

pub mod agent;
pub mod agent_layout;
pub mod assemble;
pub mod backfill;
pub mod excludes;
pub mod frontmatter;
pub mod gitignore;
pub mod glob;
pub mod imports;
pub mod layers;
pub mod limits;
pub mod locate;
pub mod opened;
pub mod picture;
pub mod port;
pub mod read;
pub mod recall;
pub mod sent;
pub mod session;
pub mod strip;
pub mod subject;
pub mod text;
pub mod usage;
pub mod versions;
pub mod walk;
pub mod wording;
pub mod words;
