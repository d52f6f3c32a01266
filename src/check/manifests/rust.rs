//! `Cargo.toml` and the tool chain that a Rust project asks for.

use super::Reader;
use toml::{Table, Value};

pub(super) fn read(name: &str, reader: &mut Reader<'_>) {
    match name {
        "Cargo.toml" => cargo(reader),
        "rust-toolchain" | "rust-toolchain.toml" => toolchain(reader),
        _ => {}
    }
}

fn cargo(reader: &mut Reader<'_>) {
    let Ok(table) = reader.content().parse::<Table>() else { return };
    let workspace = table.get("workspace").and_then(Value::as_table);
    for package in [table.get("package"), workspace.and_then(|one| one.get("package"))] {
        let Some(package) = package.and_then(Value::as_table) else { continue };
        let string = |key: &str| package.get(key).and_then(Value::as_str);
        if let Some(version) = string("version") {
            let line = reader.line_with(&["version", version]).unwrap_or(1);
            reader.version_at(string("name").unwrap_or("workspace"), version, line);
        }
        if let Some(version) = string("rust-version") {
            reader.version("rust-version", version);
        }
        if let Some(edition) = string("edition") {
            reader.version("edition", edition);
        }
    }
    for holder in [Some(&table), workspace] {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            dependencies(holder.and_then(|one| one.get(section)), reader);
        }
    }
    for target in table.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values) {
        dependencies(target.get("dependencies"), reader);
    }
}

/// A table of dependencies: a version, or a table with one.
pub(super) fn dependencies(table: Option<&Value>, reader: &mut Reader<'_>) {
    for (name, value) in table.and_then(Value::as_table).into_iter().flatten() {
        if let Some(version) = value.as_str().or_else(|| value.get("version").and_then(Value::as_str)) {
            reader.version(name, version);
        }
    }
}

fn toolchain(reader: &mut Reader<'_>) {
    let text = reader.content().to_owned();
    let channel = text.parse::<Table>().ok().and_then(|table| {
        table.get("toolchain").and_then(|one| one.get("channel")).and_then(Value::as_str).map(str::to_owned)
    });
    let channel = channel.unwrap_or_else(|| text.trim().to_owned());
    let line = reader.line_with(&[channel.as_str()]).unwrap_or(1);
    reader.version_at("rust", &channel, line);
}
