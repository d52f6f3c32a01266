//! What stands where in a request of the client (CLIENT_FACTS 0, C12, D1): the system prompt, the blocks of the first
//! message, what comes back when a file is read.

use serde_json::Value as Json;

/// Stands between the texts of two blocks where several are compared as one.
pub const BETWEEN: char = '\u{1e}';

/// Whether a request is one of the conversation: requests on the side (titles, summaries) carry no tools.
#[must_use]
pub fn is_main(path: &str, body: &Json) -> bool {
    let tools = body.get("tools").and_then(Json::as_array);
    path.contains("/messages")
        && !path.contains("count_tokens")
        && tools.is_some_and(|tools| !tools.is_empty())
}

/// The system prompt.
#[must_use]
pub fn system(request: &Json) -> String {
    match request.get("system") {
        Some(system) => texts(system).join("\n"),
        None => String::new(),
    }
}

/// The text blocks of the first message, in order.
#[must_use]
pub fn first_blocks(request: &Json) -> Vec<String> {
    let first = messages(request).iter().find(|message| role(message) == "user");
    first.and_then(|message| message.get("content")).map(texts).unwrap_or_default()
}

/// What came back when a file was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Read {
    /// The result of the tool.
    pub result: String,
    /// The client says that it failed.
    pub failed: bool,
    /// The texts behind it, up to the model's next turn.
    pub behind: Vec<String>,
}

/// What came back for the tool call of this id.
#[must_use]
pub fn read(request: &Json, id: &str) -> Option<Read> {
    let messages = messages(request);
    let is_result = |block: &Json| block.get("tool_use_id").and_then(Json::as_str) == Some(id);
    let at = messages.iter().position(|message| blocks(message).iter().any(is_result))?;
    let mut found = Read::default();
    let mut seen = false;
    for message in messages.iter().skip(at).take_while(|message| role(message) != "assistant") {
        match message.get("content") {
            Some(Json::String(text)) => found.behind.push(text.clone()),
            _ => {
                for block in blocks(message) {
                    if is_result(block) {
                        seen = true;
                        found.failed = block.get("is_error").and_then(Json::as_bool).unwrap_or_default();
                        found.result =
                            block.get("content").map(|content| texts(content).concat()).unwrap_or_default();
                    } else if seen && let Some(text) = block.get("text").and_then(Json::as_str) {
                        found.behind.push(text.to_owned());
                    }
                }
            }
        }
    }
    Some(found)
}

fn messages(request: &Json) -> &[Json] {
    request.get("messages").and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

fn role(message: &Json) -> &str {
    message.get("role").and_then(Json::as_str).unwrap_or_default()
}

fn blocks(message: &Json) -> &[Json] {
    message.get("content").and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

/// The texts of a content: one text, or a list of blocks.
fn texts(content: &Json) -> Vec<String> {
    match content {
        Json::String(text) => vec![text.clone()],
        Json::Array(blocks) => {
            let text = |block: &Json| Some(block.get("text")?.as_str()?.to_owned());
            blocks.iter().filter_map(text).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_part_is_found() {
        let text = |text: &str| json!({ "type": "text", "text": text });
        let result =
            |id: &str, content: Json| json!({ "type": "tool_result", "tool_use_id": id, "content": content });
        let request = json!({
            "system": [text("one"), text("two")],
            "tools": [{}],
            "messages": [
                { "role": "user", "content": [text("a"), text("b")] },
                { "role": "system", "content": "s" },
                { "role": "assistant", "content": [{ "type": "tool_use", "id": "t0" }] },
                { "role": "user", "content": [result("t0", "1\tx".into()), text("more")] },
                { "role": "system", "content": "and more" },
                { "role": "assistant", "content": [{ "type": "tool_use", "id": "t1" }] },
                { "role": "user", "content": [result("t1", json!([text("1\t"), text("y")]))] },
            ],
        });
        assert_eq!(system(&request), "one\ntwo");
        assert_eq!(first_blocks(&request), ["a", "b"]);
        let first =
            Read { result: "1\tx".into(), behind: vec!["more".into(), "and more".into()], ..Read::default() };
        assert_eq!(read(&request, "t0"), Some(first));
        assert_eq!(read(&request, "t1"), Some(Read { result: "1\ty".into(), ..Read::default() }));
        assert_eq!(read(&request, "t2"), None);
        assert!(is_main("/v1/messages?beta=true", &request));
        assert!(
            !is_main("/v1/messages/count_tokens", &request)
                && !is_main("/v1/messages", &json!({ "tools": [] }))
        );
        // Whatever comes in its place is no request and does no harm.
        for odd in
            [json!(null), json!([]), json!({ "system": 3, "messages": {} }), json!({ "messages": [3, null] })]
        {
            assert_eq!((system(&odd), first_blocks(&odd), read(&odd, "t")), (String::new(), vec![], None));
        }
    }
}
