//! Findings made by hand, as the deep checks will report them, brought to the screens like a worker's answer.

use crate::screen_kit::Kit;
use memcurator::app::action::{Action, Outcome};
use memcurator::app::deep::Looked;
use memcurator::check::project::Reach;
use memcurator::check::{CheckId, Evidence, Finding, Fix, Report, Severity};
use memcurator::memory::path::RelPath;
use memcurator::shell::Stage;
use std::sync::Arc;

/// Two memories with something wrong in each, one that another links to, and one that is fine.
pub const FILES: &[(&str, &str)] = &[
    (
        "MEMORY.md",
        "- [Deploys](deploys.md) — by script\n- [Freeze](freeze.md) — no merges\n- [Rota](rota.md) — who is on call\n\
         - [Fine](fine.md) — nothing wrong\n",
    ),
    (
        "deploys.md",
        "---\nname: Deploys\ndescription: by script\ntype: feedback\n---\n\nReleases go out with `scripts/deploy_old.sh`.\n\
         Use src/rounding.py for totals, and src/rounding.py alone.\n\n**Why:** A manual one went wrong.\n\n**How to \
         apply:** Every release. See [[rota]].\n",
    ),
    (
        "freeze.md",
        "---\nname: Freeze\ndescription: no merges\ntype: project\n---\n\nNo merges until moonrise, says the desk.\n\n**Why:** A \
         merge starts the review again.\n\n**How to apply:** Every merge.\n",
    ),
    (
        "rota.md",
        "---\nname: Rota\ndescription: who is on call\ntype: reference\n---\n\nAsk the desk at dusk.\n",
    ),
    ("fine.md", "---\nname: Fine\ndescription: nothing wrong\ntype: user\n---\n\nTabs of four.\n"),
];

pub fn kit() -> Kit {
    Kit::with(FILES)
}

/// A finding on the first occurrence of some words.
pub fn finding(check: &'static str, memory: &str, about: &str, fixes: Vec<Fix>) -> Finding {
    let text = FILES.iter().find(|(path, _)| *path == memory).map_or("", |(_, text)| text);
    let start = text.find(about).unwrap();
    Finding {
        check: CheckId(check),
        severity: Severity::Warning,
        memory: RelPath::new(memory).unwrap(),
        line: text[..start].matches('\n').count() + 1,
        message: format!("{about} is not what it was"),
        about: about.into(),
        range: Some(start..start + about.len()),
        evidence: vec![Evidence {
            path: None,
            line: None,
            commit: Some("4e8725f0123456789".into()),
            text: "2026-05-12: drop the old way".into(),
        }],
        fixes,
    }
}

/// A replacement of some words of a memory.
pub fn replace(memory: &str, words: &str, text: &str, is_safe: bool) -> Fix {
    let (_, file) = FILES.iter().find(|(path, _)| *path == memory).unwrap();
    let start = file.find(words).unwrap();
    Fix::Replace { range: start..start + words.len(), text: text.into(), is_safe }
}

/// What the deep checks found.
pub fn findings() -> Vec<Finding> {
    vec![
        finding("path-gone", "deploys.md", "scripts/deploy_old.sh", vec![Fix::Edit, Fix::Delete]),
        finding(
            "path-moved",
            "deploys.md",
            "src/rounding.py",
            vec![replace("deploys.md", "src/rounding.py", "src/settlement/rounding.py", true), Fix::Edit],
        ),
        finding(
            "relative-date",
            "freeze.md",
            "moonrise",
            vec![replace("freeze.md", "moonrise", "2026-12-03", false), Fix::Edit],
        ),
        finding(
            "relative-date",
            "rota.md",
            "at dusk",
            vec![replace("rota.md", "at dusk", "on 2026-11-29", false), Fix::Edit],
        ),
    ]
}

/// Brings findings to the screens, as the worker of the checks does.
pub fn bring(stage: &mut Stage, findings: Vec<Finding>) {
    let model = stage.model();
    let contents = model.open().unwrap().contents.clone();
    let number = model.checking.asked;
    let report = Report { findings, ..Report::default() };
    let looked = Looked {
        project: Some("/home/ann/src/payments".into()),
        reach: Reach::Until("2025-11-02T00:00:00Z".parse().unwrap()),
        problem: None,
    };
    let contents = Arc::new(contents.checked(report, looked));
    stage.act(Action::Outcome(Outcome::Checked(number, Ok(contents)))).unwrap();
}

/// The screens on the store with these findings, on the Checks screen.
pub fn stage(kit: &Kit, size: (u16, u16)) -> Stage {
    let mut stage = kit.stage(size);
    bring(&mut stage, findings());
    stage.press("4").unwrap();
    stage
}

pub fn message(stage: &Stage) -> String {
    stage.model().message.as_ref().map(|message| message.text.clone()).unwrap_or_default()
}

pub fn text(kit: &Kit, path: &str) -> String {
    String::from_utf8(kit.disk()[path].clone()).unwrap()
}
