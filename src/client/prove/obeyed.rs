//! Files by which the client does something, whoever names them: in a mirror there is none of them but as it is reduced.

use std::path::Path;

/// Settings, which are reduced where they count.
const SETTINGS: [&str; 2] = ["settings.json", "settings.local.json"];
/// Servers, the client's own state, keys.
const OTHERS: [&str; 3] = [".mcp.json", ".claude.json", ".credentials.json"];
/// Directories of `.claude` with what can carry hooks and commands.
const KINDS: [&str; 6] = ["agents", "commands", "hooks", "output-styles", "plugins", "skills"];

/// Whether the client obeys a file, or a link in its place; `settings` are the real directories whose settings count.
pub(super) fn is(path: &Path, settings: &[std::path::PathBuf]) -> bool {
    let lower = |name: &std::ffi::OsStr| name.to_string_lossy().to_lowercase();
    let Some(name) = path.file_name().map(lower) else { return false };
    let dir = path.parent().unwrap_or(path);
    let names: Vec<String> = path.iter().map(lower).collect();
    let is_of_client = dir.file_name().map(lower).is_some_and(|dir| dir == ".claude")
        || settings.iter().any(|one| one == dir);
    let below = |dir: &Path| {
        let kind = path.strip_prefix(dir).ok().and_then(|rest| rest.iter().next()).map(lower);
        kind.is_some_and(|kind| KINDS.contains(&kind.as_str()))
    };
    OTHERS.contains(&name.as_str())
        || is_of_client && SETTINGS.contains(&name.as_str())
        || settings.iter().any(|dir| below(dir))
        || names.windows(2).any(|pair| {
            pair.first().is_some_and(|dir| dir == ".claude")
                && pair.get(1).is_some_and(|kind| KINDS.contains(&kind.as_str()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_more_than_say_something() {
        for (path, want) in [
            ("/p/.claude/settings.json", true),
            ("/p/.Claude/Settings.local.json", true),
            ("/p/settings.json", false),
            ("/conf/settings.json", true),
            ("/p/.mcp.json", true),
            ("/home/.claude.json", true),
            ("/p/.claude/agents/x.md", true),
            ("/conf/skills/a/SKILL.md", true),
            ("/p/.claude/agents", true),
            ("/p/.claude/agent-memory/x/MEMORY.md", false),
            ("/p/.claude/rules/settings.md", false),
            ("/p/.claude/projects/-p/memory/skills.md", false),
            ("/p/agents/x.md", false),
            ("/", false),
        ] {
            assert_eq!(is(Path::new(path), &["/conf".into()]), want, "{path}");
        }
    }
}
