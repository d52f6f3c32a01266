//! Files of commands: `Makefile`, `justfile`, `Taskfile`, workflows, and the code that a README shows.

use super::Reader;
use crate::check::likeness::{Form, sentences};

pub(super) fn read(name: &str, reader: &mut Reader<'_>) {
    let lower = name.to_lowercase();
    match lower.as_str() {
        "makefile" | "gnumakefile" => recipes("make", reader),
        "justfile" | ".justfile" => recipes("just", reader),
        "rakefile" => rake(reader),
        _ if lower.starts_with("taskfile.") => taskfile(reader),
        _ if lower.starts_with("readme") || lower.starts_with("contributing") => readme(reader),
        _ if reader.text.path.contains(".github/workflows/") || lower == ".gitlab-ci.yml" => workflow(reader),
        _ => {}
    }
}

/// Targets and the lines below them.
fn recipes(runner: &str, reader: &mut Reader<'_>) {
    let lines: Vec<String> = reader.content().lines().map(str::to_owned).collect();
    for (at, line) in lines.iter().enumerate() {
        let number = at + 1;
        if line.starts_with(['\t', ' ']) {
            let recipe = line.trim().trim_start_matches(['@', '-']);
            (recipe.contains(' ')).then(|| reader.command_at(recipe, number));
            continue;
        }
        let Some((head, rest)) = line.split_once(':') else { continue };
        // A parameter of a recipe may have a default; else a sign of equality makes it a variable.
        let is_variable = rest.starts_with('=') || (runner == "make" && head.contains('='));
        if is_variable || line.starts_with(['#', '.']) {
            continue;
        }
        // A recipe of just may have parameters; a rule of make may have several targets.
        let names = head.split_whitespace().map(|name| name.trim_start_matches('@'));
        let names: Vec<&str> = names.take(if runner == "just" { 1 } else { usize::MAX }).collect();
        let is_name =
            |name: &&str| name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/'));
        for name in names.into_iter().filter(is_name) {
            reader.command_at(&format!("{runner} {name}"), number);
        }
    }
}

fn rake(reader: &mut Reader<'_>) {
    let lines: Vec<String> = reader.content().lines().map(str::to_owned).collect();
    for (at, line) in lines.iter().enumerate() {
        if let Some(rest) = line.trim().strip_prefix("task ") {
            let name = rest.trim_start_matches([':', '"', '\'']);
            let name = name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            reader.command_at(&format!("rake {name}"), at + 1);
            reader.command_at(&format!("bundle exec rake {name}"), at + 1);
        }
    }
}

/// The keys below `tasks:`.
fn taskfile(reader: &mut Reader<'_>) {
    let lines: Vec<String> = reader.content().lines().map(str::to_owned).collect();
    let mut inside = false;
    let mut depth = None;
    for (at, line) in lines.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        if indent == 0 && !line.trim().is_empty() {
            inside = line.trim_end() == "tasks:";
            continue;
        }
        let Some(name) = line.trim().strip_suffix(':').filter(|_| inside) else { continue };
        if *depth.get_or_insert(indent) == indent {
            reader.command_at(&format!("task {}", name.trim_matches(['"', '\''])), at + 1);
        }
    }
}

fn workflow(reader: &mut Reader<'_>) {
    let lines: Vec<String> = reader.content().lines().map(str::to_owned).collect();
    for (at, line) in lines.iter().enumerate() {
        let Some((key, value)) = line.trim().trim_start_matches("- ").split_once(": ") else { continue };
        let value = value.trim().trim_matches(['"', '\'']);
        if key == "run" && value != "|" {
            reader.command_at(value, at + 1);
        } else if let Some(name) = key.strip_suffix("-version") {
            reader.version_at(name, value, at + 1);
        }
    }
}

/// Lines of code and code within lines.
fn readme(reader: &mut Reader<'_>) {
    let text = reader.content().to_owned();
    for sentence in sentences(&text) {
        let content = text.get(sentence.range.clone()).unwrap_or_default();
        if sentence.form == Form::Code {
            reader.command_at(content.split(" #").next().unwrap_or_default(), sentence.line);
            continue;
        }
        for code in content.split('`').skip(1).step_by(2).filter(|code| code.contains(' ')) {
            reader.command_at(code, sentence.line);
        }
    }
}
