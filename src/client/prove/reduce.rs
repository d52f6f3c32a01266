//! What of settings and environment gets into a mirror: what decides about memory and instructions, and nothing else. No
//! hook, helper, server, plugin or credential is among it.

use crate::prompt::locate::path::normal;
use serde_json::{Map, Value as Json};
use std::path::{Component, Path};

/// Variables that decide about memory; in a mirror their paths are moved.
const VARIABLES: [&str; 12] = [
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS",
    "CLAUDE_CODE_SIMPLE",
    "CLAUDE_CODE_SAFE_MODE",
    "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD",
    "CLAUDE_CODE_REMOTE",
    "CLAUDE_COWORK_MEMORY_INDEX_CONTENT",
    "CLAUDE_COWORK_MEMORY_GUIDELINES",
    "CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES",
    "CLAUDE_CODE_REMOTE_MEMORY_DIR",
    "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
    "CLAUDE_MEMORY_STORES",
];

/// The variable that says where the agent home is. It comes from the process alone.
const CONFIG: &str = "CLAUDE_CONFIG_DIR";

/// A variable of the process as the mirror has it; `None`: it stays out.
#[must_use]
pub fn variable(name: &str, value: &str, root: &Path) -> Option<String> {
    (VARIABLES.contains(&name) || name == CONFIG).then(|| moved(value, root))
}

/// A path as it is in the mirror; a relative one, or any other text, is the same there.
#[must_use]
pub fn moved(text: &str, root: &Path) -> String {
    if !text.starts_with('/') {
        return text.to_owned();
    }
    // `/..` is `/`, but not in the mirror.
    if Path::new(text).components().any(|part| part == Component::ParentDir) {
        return format!("{}{}", root.display(), normal(Path::new(text)).display());
    }
    format!("{}{text}", root.display())
}

/// A settings file as the mirror has it; `None` when it is no JSON object.
#[must_use]
pub fn settings(text: &str, root: &Path) -> Option<String> {
    let Json::Object(all) = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()? else {
        return None;
    };
    let mut kept = Map::new();
    for (key, value) in all {
        let value = match key.as_str() {
            "autoMemoryEnabled" => value,
            "autoMemoryDirectory" => each(value, &|text| moved(text, root)),
            "claudeMdExcludes" => each(value, &|text| pattern(text, root)),
            "env" => variables(value, root),
            "permissions" => {
                let directories = value.get("additionalDirectories").cloned();
                let Some(directories) = directories else { continue };
                let directories = each(directories, &|text| moved(text, root));
                serde_json::json!({ "additionalDirectories": directories })
            }
            _ => continue,
        };
        kept.insert(key, value);
    }
    Some(Json::Object(kept).to_string())
}

fn variables(value: Json, root: &Path) -> Json {
    let Json::Object(all) = value else { return value };
    let one = |(name, value): (String, Json)| {
        VARIABLES.contains(&name.as_str()).then(|| (name, each(value, &|text| moved(text, root))))
    };
    Json::Object(all.into_iter().filter_map(one).collect())
}

/// A pattern on absolute paths, also one that is negated.
fn pattern(text: &str, root: &Path) -> String {
    match text.strip_prefix('!') {
        Some(rest) => format!("!{}", moved(rest, root)),
        None => moved(text, root),
    }
}

/// A text, or each text of a list.
fn each(value: Json, change: &dyn Fn(&str) -> String) -> Json {
    match value {
        Json::String(text) => change(&text).into(),
        Json::Array(list) => list.into_iter().map(|value| each(value, change)).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_on_the_list_gets_in() {
        let text = r#"{
            "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "touch /x"}]}]},
            "apiKeyHelper": "/x", "enabledPlugins": {"a": true}, "mcpServers": {"a": {"command": "/x"}},
            "statusLine": {"type": "command", "command": "/x"}, "awsAuthRefresh": "/x", "model": "x",
            "env": {"ANTHROPIC_BASE_URL": "http://192.0.2.1", "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1", "PATH": "/x",
                    "LD_PRELOAD": "/x", "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": "/m", "CLAUDE_CONFIG_DIR": "/c"},
            "permissions": {"allow": ["Bash"], "additionalDirectories": ["/a", "../b"]},
            "autoMemoryEnabled": "false", "autoMemoryDirectory": "/mem",
            "claudeMdExcludes": ["/a/**", "!/b", "**/c.md", 3]
        }"#;
        let reduced: Json = serde_json::from_str(&settings(text, Path::new("/tmp/m")).unwrap()).unwrap();
        let want = serde_json::json!({
            "env": { "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1", "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": "/tmp/m/m" },
            "permissions": { "additionalDirectories": ["/tmp/m/a", "../b"] },
            "autoMemoryEnabled": "false", "autoMemoryDirectory": "/tmp/m/mem",
            "claudeMdExcludes": ["/tmp/m/a/**", "!/tmp/m/b", "**/c.md", 3],
        });
        assert_eq!(reduced, want);
        assert_eq!(settings("{ // comment\n}", Path::new("/m")), None);
        assert_eq!(settings("[]", Path::new("/m")), None);
        assert_eq!(variable("ANTHROPIC_API_KEY", "secret", Path::new("/m")), None);
        assert_eq!(variable("CLAUDE_CONFIG_DIR", "/c", Path::new("/m")).unwrap(), "/m/c");
        assert_eq!(moved("/../../x/../y", Path::new("/m")), "/m/y");
        assert_eq!(variable("CLAUDE_CONFIG_DIR", "rel", Path::new("/m")).unwrap(), "rel");
    }
}
