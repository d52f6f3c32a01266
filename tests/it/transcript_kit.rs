//! Transcripts of our own making, in the client's form.

use crate::home::Home;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A session's transcript as it is made.
pub struct Talk {
    path: PathBuf,
    session: String,
    cwd: PathBuf,
    minute: u32,
}

impl Talk {
    /// A transcript of a session that was started in the home's project.
    pub fn new(home: &Home, session: &str) -> Self {
        Self::at(&home.store().parent().unwrap().join(format!("{session}.jsonl")), session, home.project())
    }

    pub fn at(path: &Path, session: &str, cwd: &Path) -> Self {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        Self { path: path.to_path_buf(), session: session.into(), cwd: cwd.to_path_buf(), minute: 0 }
    }

    pub fn path(&self) -> &str {
        self.path.to_str().unwrap()
    }

    /// Adds a line; what every line has is filled in.
    pub fn line(&mut self, mut line: Value) -> &mut Self {
        line["sessionId"] = self.session.clone().into();
        line["cwd"] = self.cwd.to_str().unwrap().into();
        line["version"] = "2.1.332".into();
        line["gitBranch"] = "main".into();
        line["timestamp"] =
            format!("2026-03-04T10:{:02}:{:02}.000Z", self.minute / 60, self.minute % 60).into();
        self.minute += 1;
        self.raw(&format!("{line}\n"))
    }

    pub fn raw(&mut self, text: &str) -> &mut Self {
        let old = fs::read(&self.path).unwrap_or_default();
        fs::write(&self.path, [&old, text.as_bytes()].concat()).unwrap();
        self
    }

    pub fn user(&mut self, text: &str) -> &mut Self {
        self.line(json!({ "type": "user", "message": { "role": "user", "content": text } }))
    }

    pub fn agent(&mut self, text: &str) -> &mut Self {
        self.line(
            json!({ "type": "assistant", "message": { "content": [{ "type": "text", "text": text }] } }),
        )
    }

    pub fn call(&mut self, id: &str, tool: &str, input: Value) -> &mut Self {
        self.line(json!({ "type": "assistant", "message": { "content": [
            { "type": "tool_use", "id": id, "name": tool, "input": input }] } }))
    }

    /// The result of a call, and whether the client let it through, where that is recorded.
    pub fn result(&mut self, id: &str, is_error: bool, decision: Option<&str>) -> &mut Self {
        self.line(json!({ "type": "user",
            "permissionDecision": decision.map(|decision| json!({ "decision": decision })),
            "message": { "content": [
                { "type": "tool_result", "tool_use_id": id, "is_error": is_error, "content": "said the tool" }] } }))
    }
}

/// A model that answers as a shell script says, and the configuration that names it.
pub fn model(home: &Home, script: &str) -> PathBuf {
    let path = home.path().join("a model");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    let config = home.path().join("model.toml");
    fs::write(&config, format!("[model]\ncommand = \"'{}'\"\ntimeout = 20\n", path.display())).unwrap();
    config
}

/// A model that gives this answer, and keeps what it was asked in `asked`.
pub fn answering(home: &Home, answer: &str) -> PathBuf {
    fs::write(home.path().join("answer"), answer).unwrap();
    let at = home.path();
    model(home, &format!("cat >> '{0}/asked'; pwd > '{0}/where'; cat '{0}/answer'", at.display()))
}
