//! Claims about the project: paths, symbols, flags, settings; and what lies where nobody looks.

use super::{Claim, Kind, Scene, Verdict};
use crate::check::gone::tree::Tree;
use crate::check::gone::{commit, is_asked_of, is_held, is_there, last_seen, own_names, parts};
use crate::check::project::{Place, Project, Reach};
use crate::check::{Evidence, Finding, quoted};
use crate::memory::mentions::{self, Excuse, Mention};
use crate::memory::text::visible;

/// So many places are given for one claim; whoever reads the lines shows the most telling of them.
const PLACES: usize = 8;

/// The claims about things, each once, at its first place.
pub(super) fn things(scene: &Scene<'_>) -> Vec<Claim> {
    let own = own_names(scene.look.snapshot);
    let tree = scene.look.project.map(Tree::new);
    let is_own = |mention: &Mention| {
        let last = mention.text.rsplit('/').next().unwrap_or_default().to_lowercase();
        mention.kind == mentions::Kind::Path && own.contains(&last)
    };
    let mut claims: Vec<Claim> = Vec::new();
    let mut done: Vec<(&str, bool)> = Vec::new();
    for mention in scene.mentions.all.iter().filter(|mention| !is_own(mention)) {
        let key = (&*mention.text, mention.kind == mentions::Kind::Path);
        if done.contains(&key) {
            continue;
        }
        // Of several places the one that may be held against the project counts.
        let same = scene
            .mentions
            .all
            .iter()
            .filter(|other| other.text == mention.text && (other.kind == mentions::Kind::Path) == key.1);
        let held = same.clone().find(|other| may_be_held(other, scene.look.project));
        if let Some(claim) = claim(scene, tree.as_ref(), held.unwrap_or(mention)) {
            claims.push(claim);
            done.push(key);
        }
    }
    claims
}

/// Whether the checks would hold a mention against this project.
fn may_be_held(mention: &Mention, project: Option<&Project>) -> bool {
    match (mention.kind, project) {
        (mentions::Kind::Path, Some(project)) => is_asked_of(mention, project),
        (mentions::Kind::Path, None) => matches!(mention.excuse, None | Some(Excuse::Absolute)),
        _ => is_held(mention),
    }
}

/// What a mention claims; `None`: nothing that could be looked up.
fn claim(scene: &Scene<'_>, tree: Option<&Tree<'_>>, mention: &Mention) -> Option<Claim> {
    let project = scene.look.project;
    let is_path = mention.kind == mentions::Kind::Path;
    let kind = match mention.kind {
        _ if mention.excuse == Some(Excuse::Url) => Kind::Address,
        mentions::Kind::Path => Kind::Path,
        mentions::Kind::Symbol => Kind::Symbol,
        mentions::Kind::Constant => Kind::Constant,
        mentions::Kind::Flag => Kind::Flag,
        mentions::Kind::Variable => Kind::Variable,
        mentions::Kind::Key => Kind::Setting,
    };
    let open =
        |note: String| Claim::open(kind, &mention.text, mention.line, Some(mention.range.clone()), note);
    if let Some(finding) = finding(scene, mention) {
        let mut claim = open(String::new()).found(finding);
        if claim.verdict == Verdict::Unknown {
            claim.note.push_str("; that alone says little");
        }
        return Some(claim);
    }
    // `/word` is a command or a route rather than a file of any project.
    if mention.excuse == Some(Excuse::Absolute) && !mention.text.trim_matches('/').contains(['/', '.']) {
        return None;
    }
    if !may_be_held(mention, project) {
        let there = tree.filter(|_| is_path).map(|tree| tree.found(&mention.text)).unwrap_or_default();
        return excused(mention).map(|note| Claim { evidence: files(&there), ..open(note) });
    }
    let (Some(project), Some(tree)) = (project, tree) else { return Some(open(scene.absent.to_owned())) };
    Some(if is_path { path(open, project, tree, mention) } else { name(open, project, mention) })
}

/// The finding about a mention.
fn finding<'a>(scene: &'a Scene<'_>, mention: &Mention) -> Option<&'a Finding> {
    let is_path = mention.kind == mentions::Kind::Path;
    scene.findings.iter().find(|finding| {
        let id = finding.check.0;
        let is_of_kind = if is_path { id.starts_with("path-") } else { GONE.contains(&id) };
        is_of_kind && finding.about == *mention.text
    })
}

const GONE: &[&str] = &["symbol-gone", "flag-gone", "setting-gone"];

/// Why what is excused can't be told; `None`: it is no claim about anything.
fn excused(mention: &Mention) -> Option<String> {
    Some(match mention.excuse.as_ref()? {
        Excuse::Url => "an address: nothing is looked up on a network; open it yourself".to_owned(),
        Excuse::Home => "it lies below a home directory, which is not looked at".to_owned(),
        Excuse::Absolute => "it lies outside of the project, where nothing is looked at".to_owned(),
        Excuse::Host => "it is on another host, which is not looked at".to_owned(),
        Excuse::Gone => "the text itself says that it is gone, or was replaced".to_owned(),
        Excuse::Planned => {
            "the text itself says that it is still to come, or asks whether it is there".to_owned()
        }
        Excuse::Elsewhere(name) => format!("the text says that it is at home elsewhere: {}", quoted(name)),
        Excuse::Glob
        | Excuse::Placeholder
        | Excuse::Ref
        | Excuse::Package
        | Excuse::Words
        | Excuse::MediaType
        | Excuse::Route
        | Excuse::Model
        | Excuse::Other => return None,
    })
}

fn path(open: impl Fn(String) -> Claim, project: &Project, tree: &Tree<'_>, mention: &Mention) -> Claim {
    let found = tree.found(&mention.text);
    let Some(first) = found.first() else {
        return open(match tree.is_inside(&mention.text) {
            true => not_found(project),
            false => "it lies outside of the project, where nothing is looked at".to_owned(),
        });
    };
    let more = match found.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more of this name"),
    };
    open(String::new()).holds(format!("it is there: {}{more}", visible(first, false)), files(&found))
}

fn files(found: &[String]) -> Vec<Evidence> {
    let file = |path: &String| Evidence {
        path: Some(visible(path, false).into_owned()),
        line: None,
        commit: None,
        text: if path.ends_with('/') { "a directory".to_owned() } else { String::new() },
    };
    found.iter().take(PLACES).map(file).collect()
}

fn name(open: impl Fn(String) -> Claim, project: &Project, mention: &Mention) -> Claim {
    let text = &*mention.text;
    if is_there(project, text) {
        return open(String::new()).holds("it stands in the project", places(project, text, false));
    }
    let single: Vec<&str> = parts(text).skip(1).collect();
    let (there, missing): (Vec<&str>, Vec<&str>) = single.iter().partition(|part| is_there(project, part));
    if let Some(last) = there.last() {
        let evidence = places(project, last, false);
        // A key may well be in another section.
        if missing.is_empty() && mention.kind == mentions::Kind::Symbol {
            return open(String::new()).holds("each of its parts stands in the project", evidence);
        }
        let note = match missing.first() {
            Some(lost) => format!("{} stands in the project, {} does not", quoted(last), quoted(lost)),
            None => "its parts stand in the project, not as this one name".to_owned(),
        };
        return Claim { evidence, ..open(format!("{note}; that alone says little")) };
    }
    let prose = places(project, text, true);
    if !prose.is_empty() {
        let note = "only prose of the project names it, no code or configuration";
        return Claim { evidence: prose, ..open(note.to_owned()) };
    }
    match last_seen(project, text) {
        // Had the project itself had it, a check had found it.
        Some(how) => {
            let note = format!("not found; a line that used what others define went in {}", how.by.words());
            let evidence = vec![commit(&how.by, Some(&how.path), quoted(&how.text))];
            Claim { evidence, ..open(note) }
        }
        None => open(not_found(project)),
    }
}

/// "Not found" alone is weak: the words say how much was looked at.
fn not_found(project: &Project) -> String {
    match project.history.reach {
        Reach::None => {
            "not found, and there is no history to tell whether it ever was there; that alone says little"
                .to_owned()
        }
        Reach::Whole => "not found, neither now nor in the history; that alone says little".to_owned(),
        Reach::Until(since) => {
            format!("not found, searched back to {}; that alone says little", since.format("%Y-%m-%d"))
        }
    }
}

fn places(project: &Project, name: &str, in_prose: bool) -> Vec<Evidence> {
    let all = project.places.get(name).into_iter().flatten();
    let place = |place: &Place| Evidence {
        path: Some(visible(&place.path, false).into_owned()),
        line: Some(place.line),
        commit: None,
        text: String::new(),
    };
    all.filter(|place| place.is_prose == in_prose).take(PLACES).map(place).collect()
}
