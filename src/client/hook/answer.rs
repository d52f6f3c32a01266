//! What the client is told, and through it the agent. Short, and ours.

use crate::client::hook::command;
use serde_json::json;

/// It waits now.
pub const WAITS: &str = "Noted, and not written yet: this memory waits for the person's approval in memcurator. Do not write it again, and do not try another way; go on with the task. To change it before it is approved, write the whole file once more with the Write tool.";
/// A deletion waits.
pub const DELETION_WAITS: &str = "Noted, and not deleted yet: the deletion waits for the person's approval in memcurator. Do not try another way; go on with the task.";
/// The person said no to it before.
pub const REJECTED: &str =
    "The person has said no to this memory before, so it is not kept. Do not try again; go on with the task.";
/// The store has it.
pub const PRESENT: &str = "The memory holds this already; there is nothing to write.";
/// A shell command that may write.
pub const UNCLEAR: &str = "This command may write into the memory directory, where every change waits for the person's approval. Write or change a memory with the Write or Edit tool, one file a call; look at memories with Read, cat, ls or grep alone.";
/// Of the command around memcurator, when memcurator gives no answer.
pub const GUARD: &str = "Nothing was written: memory writes wait for approval in memcurator, which gives no answer here (memcurator hook status tells why). Do not try again; go on with the task. What was refused can be recovered from the transcript.";
/// It leads out of the store.
pub const LEADS_OUT: &str =
    "This file of the memory directory is a link that leads out of it, so nothing is written through it.";

/// It can't be put together, and why.
#[must_use]
pub fn impossible(why: &str) -> String {
    format!(
        "Nothing was written: {why}. What waits for approval is not on the disk; write the whole memory with the Write tool instead."
    )
}

/// It could not be kept, and why.
#[must_use]
pub fn failed(why: &str) -> String {
    format!(
        "Nothing was written: memory writes wait for the person's approval in memcurator, and this one could not be kept ({why}). Go on with the task, and say so at the end."
    )
}

/// The client's form of a refusal.
#[must_use]
pub fn deny(reason: &str) -> String {
    json!({
        "hookSpecificOutput": {
            "hookEventName": command::EVENT,
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    })
    .to_string()
}
