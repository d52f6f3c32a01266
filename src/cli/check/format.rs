//! How findings are written: for people, as JSON, as SARIF 2.1.0, as annotations of a GitHub workflow.

use super::bytes_of;
use crate::app::deep::Looked;
use crate::app::update::place as place_of;
use crate::check::project::Reach;
use crate::check::{Evidence, FAMILIES, Finding, Fix, Report, Severity, preview};
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::cli::list::count;
use crate::memory::snapshot::Snapshot;
use serde_json::{Value, json};
use std::path::Path;

/// What is told.
pub(super) struct Told<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) report: &'a Report,
    pub(super) looked: &'a Looked,
}

/// For people: a finding a paragraph, worst first, and how many there are.
pub(super) fn human(cx: &mut Context<'_>, told: &Told<'_>) -> Result<(), Failure> {
    for finding in &told.report.findings {
        let (severity, check) = (finding.severity.as_str(), finding.check.0);
        cx.out.line(&format!(
            "{}:{}: {severity}[{check}]: {}",
            finding.memory, finding.line, finding.message
        ))?;
        for one in &finding.evidence {
            cx.out.line(&format!("    {}{}", place_of(one), one.text))?;
        }
        if let Some(fix) = finding.fixes.first() {
            for line in in_words(cx, told.snapshot, finding, fix) {
                cx.out.line(&format!("  {line}"))?;
            }
        }
        cx.out.line("")?;
    }
    let of = |severity| told.report.findings.iter().filter(|it| it.severity == severity).count();
    let mut parts = vec![
        count(of(Severity::Error), "error", "errors"),
        count(of(Severity::Warning), "warning", "warnings"),
        format!("{} worth knowing", of(Severity::Info)),
    ];
    match told.report.silenced.len() {
        0 => {}
        silenced => parts.push(format!("{silenced} silenced")),
    }
    if told.looked.project.is_some() {
        parts.push(told.looked.words());
    }
    cx.out.line(&parts.join(", "))?;
    Ok(())
}

/// What a fix does, in words.
fn in_words(cx: &Context<'_>, snapshot: &Snapshot, finding: &Finding, fix: &Fix) -> Vec<String> {
    let said = match fix {
        Fix::Replace { range, text, is_safe } => {
            let Some(shown) = preview(bytes_of(snapshot, &finding.memory), range, text) else {
                return Vec::new();
            };
            let (before, after) = shown.around(60);
            let how = if *is_safe { "fix (memcurator check --fix):" } else { "fix:" };
            let lines = |sign: &str, text: &str| -> Vec<String> {
                text.split('\n').map(|line| format!("  {sign} {line}")).collect()
            };
            return [vec![how.to_owned()], lines("-", &before), lines("+", &after)].concat();
        }
        Fix::Edit => "edit it".to_owned(),
        Fix::Promote => "move it into the instructions: memcurator promote".to_owned(),
        Fix::Merge(other) => format!("merge it with {other}: memcurator merge"),
        Fix::Delete => "delete it: memcurator delete".to_owned(),
        Fix::Index => index_fix(cx, finding),
        Fix::Affirm => "say that it still holds: memcurator affirm".to_owned(),
        Fix::Purge => "take it out of the history too: memcurator history purge".to_owned(),
    };
    vec![format!("fix: {said}")]
}

/// The command that mends a finding on the index, to be typed as it stands.
fn index_fix(cx: &Context<'_>, finding: &Finding) -> String {
    let fix = |flags: &str| cx.command(&format!("index fix {flags}"));
    match finding.check.0 {
        "index-dangling" => format!("repair the index: {}", fix("--drop-dangling")),
        "index-orphan" => format!("repair the index: {}", fix("--add-orphans")),
        "index-duplicate" => format!("repair the index: {}", fix("--remove-duplicates")),
        _ => format!(
            "delete, merge or park memories that matter least; {} proposes shorter lines",
            fix("--shorten")
        ),
    }
}

/// The findings as the design has them.
pub(super) fn json(told: &Told<'_>) -> Value {
    let findings: Vec<Value> = told.report.findings.iter().map(|it| finding(told.snapshot, it)).collect();
    json!({
        "findings": findings,
        "silenced": told.report.silenced.len(),
        "project": told.looked.project.as_ref().map(|dir| dir.to_string_lossy()),
        "history": history(told.looked),
    })
}

/// How far back the history was read.
pub(in crate::cli) fn history(looked: &Looked) -> Value {
    match &looked.reach {
        Reach::None => json!(null),
        Reach::Whole => json!("whole"),
        Reach::Until(time) => json!(time.format("%Y-%m-%d").to_string()),
    }
}

fn finding(snapshot: &Snapshot, finding: &Finding) -> Value {
    let evidence = |one: &Evidence| json!({ "path": one.path, "line": one.line, "commit": one.commit, "text": one.text });
    json!({
        "check": finding.check.0,
        "severity": finding.severity.as_str(),
        "memory": finding.memory.to_str_lossy(),
        "line": finding.line,
        "message": finding.message,
        "about": finding.about,
        "evidence": finding.evidence.iter().map(evidence).collect::<Vec<_>>(),
        "fix": finding.fixes.first().map(|fix| fix_json(snapshot, finding, fix)),
    })
}

fn fix_json(snapshot: &Snapshot, finding: &Finding, fix: &Fix) -> Value {
    match fix {
        Fix::Replace { range, text, is_safe } => {
            let shown = preview(bytes_of(snapshot, &finding.memory), range, text);
            let (before, after) = shown.map(|it| (it.before, it.after)).unwrap_or_default();
            json!({ "kind": fix.kind(), "safe": is_safe, "before": before, "after": after })
        }
        Fix::Merge(other) => json!({ "kind": fix.kind(), "safe": false, "with": other.to_str_lossy() }),
        _ => json!({ "kind": fix.kind(), "safe": false }),
    }
}

/// SARIF 2.1.0. Paths are relative to the current directory where the store lies in it, else whole.
pub(super) fn sarif(told: &Told<'_>, cwd: &Path) -> Value {
    let checks: Vec<_> = FAMILIES.iter().flat_map(|(_, checks)| *checks).collect();
    let rules: Vec<Value> = checks
        .iter()
        .map(|check| {
            let means = check.means.split_whitespace().collect::<Vec<_>>().join(" ");
            json!({ "id": check.id.0, "shortDescription": { "text": means } })
        })
        .collect();
    let place = |path: &Path, line: Option<usize>| {
        let mut physical = json!({ "artifactLocation": { "uri": uri(path, cwd) } });
        if let (Some(line), Value::Object(keys)) = (line, &mut physical) {
            keys.insert("region".into(), json!({ "startLine": line.max(1) }));
        }
        json!({ "physicalLocation": physical })
    };
    let result = |finding: &Finding| {
        let root = &told.snapshot.root;
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "note",
        };
        let mut text = finding.message.clone();
        for one in &finding.evidence {
            text.push_str(&format!("\n{}{}", place_of(one), one.text));
        }
        json!({
            "ruleId": finding.check.0,
            "ruleIndex": checks.iter().position(|check| check.id == finding.check),
            "level": level,
            "message": { "text": text },
            "locations": [place(&root.join(finding.memory.as_path()), Some(finding.line))],
            "partialFingerprints": {
                "memcurator/v1": format!("{}|{}|{}", finding.check.0, finding.memory.to_str_lossy(), finding.about),
            },
        })
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "memcurator",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "results": told.report.findings.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

/// A path as a URI: relative to the current directory where it lies in it.
fn uri(path: &Path, cwd: &Path) -> String {
    let cwd = cwd.canonicalize().unwrap_or_else(|_| cwd.to_path_buf());
    let (head, path) = match path.strip_prefix(&cwd) {
        Ok(inside) => ("", inside),
        Err(_) => ("file://", path),
    };
    let mut uri = head.to_owned();
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte))
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// Annotations: one line a finding, on the file and line that it is about.
pub(super) fn github(cx: &mut Context<'_>, told: &Told<'_>) -> Result<(), Failure> {
    let cwd = cx.env.cwd.canonicalize().unwrap_or_else(|_| cx.env.cwd.clone());
    for finding in &told.report.findings {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let path = told.snapshot.root.join(finding.memory.as_path());
        let path = path.strip_prefix(&cwd).unwrap_or(&path).to_string_lossy().into_owned();
        let mut text = finding.message.clone();
        for one in &finding.evidence {
            text.push_str(&format!("\n{}{}", place_of(one), one.text));
        }
        cx.out.line(&format!(
            "::{command} file={},line={},title={}::{}",
            property(&path),
            finding.line.max(1),
            property(finding.check.0),
            data(&text)
        ))?;
    }
    Ok(())
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_a_uri_or_an_annotation_can_not_end_it() {
        let cwd = Path::new("/nowhere");
        assert_eq!(uri(Path::new("/nowhere/a b/é#?.md"), cwd), "a%20b/%C3%A9%23%3F.md");
        assert_eq!(uri(Path::new("/else/a.md"), cwd), "file:///else/a.md");
        assert_eq!(data("50 %\nnext"), "50 %25%0Anext");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }
}
