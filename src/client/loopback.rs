//! A server on the loopback interface that speaks enough of the Messages API for one session of the client in print
//! mode. It keeps what the client sends; its answers are a fixed word, or the next calls of tools.

use crate::prompt::words::exchange::is_main;
use serde_json::{Value as Json, json};
use std::io::Read;
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response, Server};

/// The largest request that is kept, in bytes.
const MAX_REQUEST: u64 = 256 * 1024 * 1024;

/// The server of one session.
pub(super) struct Loopback {
    server: Server,
    key: String,
    /// The calls of tools, turn by turn.
    turns: Vec<Vec<Json>>,
    /// How many messages were answered: the client takes two of one number for one message.
    answered: usize,
    /// The requests of the conversation, in order.
    pub requests: Vec<Json>,
    /// The first request that could not be read, in words.
    pub rubbish: Option<String>,
}

impl Loopback {
    /// Listens on a free port of the loopback interface. Only requests with this key count; tools are called turn by turn.
    pub fn start(key: String, turns: Vec<Vec<Json>>) -> Result<Self, String> {
        let server = Server::http("127.0.0.1:0").map_err(|error| error.to_string())?;
        Ok(Self { server, key, turns, answered: 0, requests: Vec::new(), rubbish: None })
    }

    /// The address that the client is given.
    pub fn url(&self) -> String {
        self.server.server_addr().to_ip().map(|address| format!("http://{address}")).unwrap_or_default()
    }

    /// The key that the client is given.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Answers the requests that come within this time; gives whether there was one.
    pub fn answer(&mut self, within: Duration) -> bool {
        match self.server.recv_timeout(within) {
            Ok(Some(request)) => {
                self.one(request);
                true
            }
            Ok(None) | Err(_) => false,
        }
    }

    fn one(&mut self, mut request: Request) {
        let path = request.url().to_owned();
        let is_ours = request.headers().iter().any(|header| {
            let value = header.value.as_str();
            (header.field.equiv("x-api-key") && value == self.key)
                || (header.field.equiv("authorization") && value.strip_prefix("Bearer ") == Some(&self.key))
        });
        if *request.method() != Method::Post {
            let code = if *request.method() == Method::Head { 200 } else { 404 };
            return respond(request, code, "application/json", "{}".into());
        }
        if !is_ours {
            return respond(request, 401, "application/json", "{}".into());
        }
        let mut raw = Vec::new();
        let read = request.as_reader().take(MAX_REQUEST).read_to_end(&mut raw);
        let body: Json = match read
            .map_err(|error| error.to_string())
            .and_then(|_| serde_json::from_slice(&raw).map_err(|error| error.to_string()))
        {
            Ok(body) => body,
            Err(why) => {
                let _ = self.rubbish.get_or_insert(why);
                return respond(request, 400, "application/json", "{}".into());
            }
        };
        if path.contains("count_tokens") {
            return respond(request, 200, "application/json", json!({ "input_tokens": 1 }).to_string());
        }
        if !path.contains("/messages") {
            return respond(request, 404, "application/json", "{}".into());
        }
        let streams = body.get("stream").and_then(Json::as_bool) == Some(true);
        let model = body.get("model").cloned().unwrap_or_default();
        let blocks = if is_main(&path, &body) {
            let turn = self.requests.len();
            self.requests.push(body);
            self.turns.get(turn).cloned().unwrap_or_else(|| vec![word()])
        } else {
            vec![word()]
        };
        self.answered += 1;
        let (kind, text) = match streams {
            true => ("text/event-stream", stream(self.answered, &blocks, &model)),
            false => {
                ("application/json", message(self.answered, json!(blocks), &model, stop(&blocks)).to_string())
            }
        };
        respond(request, 200, kind, text);
    }
}

/// A call of a tool.
pub(super) fn tool_use(id: &str, name: &str, input: &Json) -> Json {
    json!({ "type": "tool_use", "id": id, "name": name, "input": input })
}

/// The id of the call that reads the file of this number.
pub(super) fn call(number: usize) -> String {
    format!("toolu_{number}")
}

fn word() -> Json {
    json!({ "type": "text", "text": "ok" })
}

fn stop(blocks: &[Json]) -> Json {
    let is_call = blocks.iter().any(|block| block.get("type").and_then(Json::as_str) == Some("tool_use"));
    if is_call { "tool_use".into() } else { "end_turn".into() }
}

fn message(id: usize, content: Json, model: &Json, stop: Json) -> Json {
    json!({
        "id": format!("msg_{id}"), "type": "message", "role": "assistant", "model": model, "content": content,
        "stop_reason": stop, "stop_sequence": null, "usage": { "input_tokens": 1, "output_tokens": 1 },
    })
}

/// One message as server-sent events.
fn stream(id: usize, blocks: &[Json], model: &Json) -> String {
    let mut events =
        vec![json!({ "type": "message_start", "message": message(id, json!([]), model, Json::Null) })];
    for (index, block) in blocks.iter().enumerate() {
        let (start, delta) = match block.get("text") {
            Some(text) => {
                (json!({ "type": "text", "text": "" }), json!({ "type": "text_delta", "text": text }))
            }
            None => {
                let mut start = block.clone();
                let input = start.get_mut("input").map(Json::take).unwrap_or_default();
                if let Some(place) = start.get_mut("input") {
                    *place = json!({});
                }
                (start, json!({ "type": "input_json_delta", "partial_json": input.to_string() }))
            }
        };
        events.push(json!({ "type": "content_block_start", "index": index, "content_block": start }));
        events.push(json!({ "type": "content_block_delta", "index": index, "delta": delta }));
        events.push(json!({ "type": "content_block_stop", "index": index }));
    }
    events.push(json!({
        "type": "message_delta", "delta": { "stop_reason": stop(blocks), "stop_sequence": null },
        "usage": { "output_tokens": 1 },
    }));
    events.push(json!({ "type": "message_stop" }));
    let event = |event: &Json| {
        format!("event: {}\ndata: {event}\n\n", event.get("type").and_then(Json::as_str).unwrap_or_default())
    };
    events.iter().map(event).collect()
}

fn respond(request: Request, code: u16, kind: &str, text: String) {
    let mut response = Response::from_string(text).with_status_code(code);
    if let Ok(header) = Header::from_bytes("content-type", kind) {
        response = response.with_header(header);
    }
    // A client that went away does not read it.
    let _ = request.respond(response);
}
