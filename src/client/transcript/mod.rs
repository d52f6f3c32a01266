//! The client's transcripts: `<config>/projects/<slug of the cwd>/<session>.jsonl`, and those of sub-agents beside them,
//! `<session>/subagents/agent-*.jsonl` (CLIENT_FACTS F, and looked at again on 2.1.197 and 2.1.332).
//!
//! They are read line by line, so that 500 MB need no more memory than one line. A line that is broken, too long or of
//! a kind that nobody knows is skipped and counted: the format is the client's own and changes with it.

pub mod bash;
pub mod find;
pub mod line;
pub mod reader;
pub mod recover;
pub mod refused;

pub use find::{Scope, Transcript, Transcripts};
pub use line::{Event, Line, LoadedFile, Stamp};
pub use reader::{Counts, Reader};
