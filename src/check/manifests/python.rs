//! `pyproject.toml` (PEP 621 and Poetry), `requirements.txt`, `Pipfile`.

use super::Reader;
use super::rust::dependencies;
use toml::{Table, Value};

pub(super) fn read(name: &str, reader: &mut Reader<'_>) {
    match name {
        "pyproject.toml" => pyproject(reader),
        "Pipfile" => {
            if let Ok(table) = reader.content().parse::<Table>() {
                dependencies(table.get("packages"), reader);
                dependencies(table.get("dev-packages"), reader);
            }
        }
        _ if name.starts_with("requirements") && name.ends_with(".txt") => {
            let lines: Vec<String> = reader.content().lines().map(str::to_owned).collect();
            for (at, line) in lines.iter().enumerate() {
                requirement(line, Some(at + 1), reader);
            }
        }
        _ => {}
    }
}

fn pyproject(reader: &mut Reader<'_>) {
    let Ok(table) = reader.content().parse::<Table>() else { return };
    if let Some(project) = table.get("project") {
        own(project, reader);
        if let Some(version) = project.get("requires-python").and_then(Value::as_str) {
            reader.version("requires-python", version);
        }
        strings(project.get("dependencies"), reader);
        groups(project.get("optional-dependencies"), reader);
    }
    groups(table.get("dependency-groups"), reader);
    let tool = table.get("tool");
    if let Some(poetry) = tool.and_then(|tool| tool.get("poetry")) {
        own(poetry, reader);
        dependencies(poetry.get("dependencies"), reader);
        dependencies(poetry.get("dev-dependencies"), reader);
        for group in poetry.get("group").and_then(Value::as_table).into_iter().flat_map(Table::values) {
            dependencies(group.get("dependencies"), reader);
        }
    }
    let tasks = tool.and_then(|tool| tool.get("poe")).and_then(|poe| poe.get("tasks"));
    for (name, _) in tasks.and_then(Value::as_table).into_iter().flatten() {
        for runner in ["poe", "poetry run poe", "uv run poe"] {
            reader.command(&format!("{runner} {name}"), &[name]);
        }
    }
    let scripts = [table.get("project"), tool.and_then(|tool| tool.get("poetry"))];
    for scripts in scripts.into_iter().flatten().filter_map(|one| one.get("scripts")) {
        for (name, _) in scripts.as_table().into_iter().flatten() {
            for runner in ["poetry run", "uv run", "pdm run", "hatch run"] {
                reader.command(&format!("{runner} {name}"), &[name, "="]);
            }
        }
    }
}

fn own(project: &Value, reader: &mut Reader<'_>) {
    let string = |key: &str| project.get(key).and_then(Value::as_str);
    if let (Some(name), Some(version)) = (string("name"), string("version")) {
        let line = reader.line_with(&["version", version]).unwrap_or(1);
        reader.version_at(name, version, line);
    }
}

fn groups(table: Option<&Value>, reader: &mut Reader<'_>) {
    for list in table.and_then(Value::as_table).into_iter().flat_map(Table::values) {
        strings(Some(list), reader);
    }
}

fn strings(list: Option<&Value>, reader: &mut Reader<'_>) {
    for text in list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        requirement(text, None, reader);
    }
}

/// `name[extra]>=1.2,<2 ; marker`.
fn requirement(text: &str, line: Option<usize>, reader: &mut Reader<'_>) {
    let text = text.split(['#', ';']).next().unwrap_or_default().trim();
    let end =
        text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.')).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let rest = rest.rsplit(']').next().unwrap_or_default().trim();
    let version = rest.strip_prefix("==").map_or(rest, str::trim);
    if !name.is_empty() && !version.is_empty() {
        match line {
            Some(line) => reader.version_at(name, version, line),
            None => reader.version(name, version),
        }
    }
}
