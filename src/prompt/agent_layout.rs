//! The `.agent/` layout: `AGENT.md`, `.agent/rules/`, `.agent/memory/MEMORY.md`. The wording is our own, so this preview
//! is exact by definition: this page is what the layout means.
//!
//! The project is the nearest directory at or above the current one that holds `.agent`, up to the repository's root.
//! `AGENT.md` and `.agent/AGENT.md` load with their imports, then the rules in the order of their names (one with
//! `paths` waits until a matching file is opened), then the index with the limits of the client. Text is read by the
//! rules of the newest known client. A missing index is not made up.

use crate::memory::Time;
use crate::prompt::assemble::{budget, lost};
use crate::prompt::excludes::Excludes;
use crate::prompt::gitignore::Patterns;
use crate::prompt::layers::item;
use crate::prompt::limits;
use crate::prompt::locate::git;
use crate::prompt::locate::path::absolute;
use crate::prompt::opened::age_note;
use crate::prompt::picture::{
    IndexPicture, Layer, Opened, OpenedFile, Preview, Reason, Role, Section, Skipped, Survives, Warning,
    Wording,
};
use crate::prompt::port::{Environment, Kind, Port};
use crate::prompt::sent;
use crate::prompt::versions::Rules;
use crate::prompt::walk::{Loader, MAX_BYTES, Outside, Setting, Trim};
use crate::prompt::wording::Voice;
use std::path::{Path, PathBuf};

/// What a session in `env.cwd` gets from the `.agent/` layout, and what opening files brings in.
#[must_use]
pub fn preview(port: &dyn Port, env: &Environment, open: &[PathBuf], now: Time) -> Preview {
    let rules = Rules { rules_sorted: true, ..Rules::NEWEST };
    let cwd = port.real(&env.cwd).unwrap_or_else(|_| env.cwd.clone());
    let project = project(port, &cwd);
    let excludes = Excludes::default();
    let setting = Setting {
        port,
        rules: &rules,
        cwd: &project,
        home: &env.home,
        root: Some(&project),
        excludes: &excludes,
        approved: false,
    };
    let mut loader = Loader::new(setting, Trim::Yes);
    let mut sections = Vec::new();
    for name in ["AGENT.md", ".agent/AGENT.md"] {
        let loaded = loader.file(item(&project.join(name), None, Layer::Project, Outside::Dropped));
        sections.extend(loaded.into_iter().map(|loaded| loaded.section));
    }
    let found = loader.rules(&project.join(".agent/rules"), &project, Layer::Project, Outside::Dropped);
    let (waiting, always): (Vec<_>, Vec<_>) = found.into_iter().partition(|rule| !rule.patterns.is_empty());
    sections.extend(always.into_iter().map(|rule| rule.section));
    let (mut skipped, mut warnings) = (loader.skipped, loader.warnings);
    let memory = project.join(".agent/memory");
    let voice = Voice::ours(&rules);
    let index =
        index(port, &memory, &rules, &voice, &mut skipped, &mut warnings).map(|(picture, section)| {
            sections.push(section);
            picture
        });
    let mut opened = Opened::default();
    let mut delivered = std::collections::HashSet::new();
    for path in open {
        let path = absolute(&cwd, path);
        let relative = path.strip_prefix(&project).unwrap_or(Path::new("")).to_string_lossy().into_owned();
        for rule in &waiting {
            let patterns = Patterns::new(rule.patterns.iter().map(String::as_str));
            let Some(pattern) = patterns.matching(&relative).filter(|_| !relative.is_empty()) else {
                continue;
            };
            if delivered.insert(rule.section.path.clone()) {
                opened.sections.push(Section {
                    matched: Some(pattern.to_owned()),
                    opened_by: Some(path.clone()),
                    survives: Survives::OnUse,
                    ..rule.section.clone()
                });
            }
        }
        opened.files.push(OpenedFile {
            age_note_days: age_note(port, &path, Some(&memory), now),
            readable: port.kind(&path) == Some(Kind::File),
            path,
            age_note: None,
            brings: None,
        });
    }
    skipped.extend(waiting.into_iter().map(|rule| Skipped {
        path: rule.section.path,
        from: rule.section.via,
        reason: Reason::Conditional(rule.patterns),
        hint: None,
    }));
    let notice = index.as_ref().and_then(|index| index.notice.clone());
    opened.put_in_words(&voice);
    let (text, map) = voice.block(&sections, notice.as_deref());
    Preview {
        version: "agent layout".into(),
        version_note: None,
        wording: Wording::BuiltIn,
        system: Some(voice.system(&memory, None)),
        memory_dir: Some(memory),
        index,
        budget: budget(&sections),
        sections,
        skipped,
        opened,
        text,
        map,
        warnings,
    }
}

/// The project that a directory (a real path) is in: the nearest one that holds `.agent`, else the repository's root, else
/// the directory itself.
#[must_use]
pub fn project(port: &dyn Port, cwd: &Path) -> PathBuf {
    let root = git::root(port, cwd, &Rules::NEWEST).checkout;
    let up_to = root.as_deref().unwrap_or(cwd);
    let inside = cwd.ancestors().take_while(|directory| directory.starts_with(up_to));
    let found = inside.into_iter().find(|directory| port.kind(&directory.join(".agent")) == Some(Kind::Dir));
    found.unwrap_or(up_to).to_path_buf()
}

/// What loads of the index in a directory; a reason or a warning when it does not.
pub(super) fn index(
    port: &dyn Port,
    memory: &Path,
    rules: &Rules,
    voice: &Voice<'_>,
    skipped: &mut Vec<Skipped>,
    warnings: &mut Vec<Warning>,
) -> Option<(IndexPicture, Section)> {
    let path = memory.join("MEMORY.md");
    if port.kind(&path) != Some(Kind::File) {
        return None;
    }
    let size = port.size(&path).unwrap_or_default();
    let read = if size > MAX_BYTES {
        Err(Reason::TooLarge(size))
    } else {
        port.read(&path).map_err(|error| Reason::Unreadable(error.to_string()))
    };
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(reason) => {
            warnings.push(Warning {
                id: "index-not-read",
                path: Some(path.clone()),
                message: reason.describe(),
            });
            skipped.push(Skipped { path, from: None, reason, hint: None });
            return None;
        }
    };
    let loaded = limits::load_with(&bytes, &rules.into());
    let body = sent::body(&loaded, rules);
    if body.is_empty() && loaded.half.is_none() {
        return None;
    }
    let mut picture = IndexPicture::of(path.clone(), &loaded);
    picture.lost = lost(&bytes, &loaded.fate);
    picture.notice = voice.notice(&picture);
    let section = Section {
        shown: path.to_string_lossy().into_owned(),
        path,
        layer: Layer::Auto,
        role: Role::Index,
        via: None,
        body,
        half: loaded.half,
        matched: None,
        opened_by: None,
        survives: Survives::Yes,
    };
    Some((picture, section))
}
