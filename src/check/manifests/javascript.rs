//! `package.json` and `composer.json`, and the files that name a version of Node.

use super::Reader;
use serde_json::Value;

pub(super) fn read(name: &str, reader: &mut Reader<'_>) {
    match name {
        "package.json" => package(reader),
        "composer.json" => composer(reader),
        _ => {}
    }
}

fn package(reader: &mut Reader<'_>) {
    let Ok(json) = serde_json::from_str::<Value>(reader.content()) else { return };
    if let (Some(name), Some(version)) = (string(&json, "name"), string(&json, "version")) {
        let line = reader.line_with(&["\"version\"", version]).unwrap_or(1);
        reader.version_at(name, version, line);
    }
    for section in
        ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "engines", "volta"]
    {
        for (name, version) in entries(&json, section) {
            version.as_str().into_iter().for_each(|version| reader.version(name, version));
        }
    }
    if let Some((name, version)) = string(&json, "packageManager").and_then(|text| text.split_once('@')) {
        reader.version(name, version.split('+').next().unwrap_or(version));
    }
    for (name, command) in entries(&json, "scripts") {
        let quoted = format!("\"{name}\"");
        let seen = [quoted.as_str(), ":"];
        for runner in ["npm run", "yarn", "yarn run", "pnpm", "pnpm run", "bun run", "npm run-script", "npm"]
        {
            // Of `npm NAME` only these are scripts.
            if runner != "npm" || matches!(name.as_str(), "test" | "start" | "stop" | "restart") {
                reader.command(&format!("{runner} {name}"), &seen);
            }
        }
        if let Some(command) = command.as_str().filter(|command| command.contains(' ')) {
            reader.command(command, &seen);
        }
    }
}

fn composer(reader: &mut Reader<'_>) {
    let Ok(json) = serde_json::from_str::<Value>(reader.content()) else { return };
    for section in ["require", "require-dev"] {
        for (name, version) in entries(&json, section) {
            let Some(version) = version.as_str() else { continue };
            reader.version(name, version);
            if let Some((_, short)) = name.split_once('/') {
                reader.version(short, version);
            }
        }
    }
    for (name, _) in entries(&json, "scripts") {
        let quoted = format!("\"{name}\"");
        reader.command(&format!("composer {name}"), &[&quoted]);
        reader.command(&format!("composer run {name}"), &[&quoted]);
        reader.command(&format!("composer run-script {name}"), &[&quoted]);
    }
}

fn string<'a>(json: &'a Value, key: &str) -> Option<&'a str> {
    json.get(key).and_then(Value::as_str)
}

fn entries<'a>(json: &'a Value, key: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    json.get(key).and_then(Value::as_object).into_iter().flatten()
}
