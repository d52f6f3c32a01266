//! What a preview is about: a session of the client, one in the `.agent/` layout, or an index alone where no project is
//! known.

use crate::memory::Time;
use crate::prompt::agent_layout;
use crate::prompt::assemble;
use crate::prompt::backfill;
use crate::prompt::limits;
use crate::prompt::locate::{Launch, Layout, Located};
use crate::prompt::picture::{
    IndexPicture, Layer, Opened, OpenedFile, Preview, Role, Section, Survives, Warning,
};
use crate::prompt::port::{Environment, Kind, Port};
use crate::prompt::session::{Request, Said, SystemPrompt};
use crate::prompt::versions::Rules;
use crate::prompt::wording::Voice;
use crate::prompt::{opened, sent};
use std::path::{Path, PathBuf};

/// What a preview is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A session of the client that starts in this directory.
    Client(PathBuf),
    /// A session in the `.agent/` layout that starts in this directory.
    Agent(PathBuf),
    /// The index of this store alone: no project is known whose sessions load it.
    Index(PathBuf),
}

/// How sessions are started on this machine, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usual {
    /// The client's version; `None`: the newest one known.
    pub version: Option<String>,
    /// Settings and switches.
    pub launch: Launch,
    /// The real directory outside of which nothing is looked at; `None`: everywhere.
    pub within: Option<PathBuf>,
    /// The machine's directory of managed instructions (documented, not measured); `None`: not looked at.
    pub managed: Option<PathBuf>,
    /// What is known of the client's own words.
    pub said: Said,
}

/// The newest version whose rules are known.
pub const NEWEST: &str = "2.1.332";

impl Subject {
    /// What sessions that use this store are; they start in `cwd`.
    #[must_use]
    pub fn of(located: &Located, cwd: &Path) -> Self {
        match (&located.project, located.layout) {
            (Some(_), Layout::Agent) => Self::Agent(cwd.into()),
            (Some(_), Layout::Claude | Layout::Plain) => Self::Client(cwd.into()),
            (None, _) => Self::Index(located.dir.clone()),
        }
    }

    /// The directory in which paths of a person are meant.
    #[must_use]
    pub fn dir(&self) -> &Path {
        match self {
            Self::Client(dir) | Self::Agent(dir) | Self::Index(dir) => dir,
        }
    }

    /// The preview. Looking changes nothing.
    #[must_use]
    pub fn preview(&self, port: &dyn Port, env: &Environment, request: &Request) -> Preview {
        let there = |cwd: &PathBuf| Environment { cwd: cwd.clone(), ..env.clone() };
        match self {
            Self::Client(cwd) => assemble::preview(port, &there(cwd), request),
            Self::Agent(cwd) => agent_layout::preview(port, &there(cwd), &request.open, request.now),
            Self::Index(dir) => index_alone(port, dir, request),
        }
    }
}

impl Usual {
    /// A session that is started as usual, in which these files are opened.
    #[must_use]
    pub fn request(&self, open: &[PathBuf], now: Time) -> Request {
        let version = self.version.clone().unwrap_or_else(|| NEWEST.to_owned());
        let rules = Rules::of(&version).unwrap_or(Rules::NEWEST);
        Request {
            launch: Launch { rules, ..self.launch.clone() },
            version,
            add_dirs: Vec::new(),
            system_prompt: SystemPrompt::Own,
            agent: None,
            open: open.to_vec(),
            managed: self.managed.clone(),
            now,
            said: self.said.clone(),
        }
    }
}

/// What a session would get of the index in `dir`, if it used that store.
fn index_alone(port: &dyn Port, dir: &Path, request: &Request) -> Preview {
    let rules = &request.launch.rules;
    let voice = Voice::new(rules, request.said.words.as_deref(), &request.said.date);
    let (mut skipped, mut warnings) = (Vec::new(), Vec::new());
    let mut found = agent_layout::index(port, dir, rules, &voice, &mut skipped, &mut warnings);
    let path = dir.join("MEMORY.md");
    if port.kind(&path).is_none()
        && rules.backfill
        && !port.is_link(&path)
        && let Some(text) = backfill::index(port, dir)
    {
        warnings.push(Warning {
            id: "index-written",
            path: Some(path.clone()),
            message:
                "there is no index: this version of the client writes one at the start and loads it; this \
                      preview shows its text and writes nothing"
                    .into(),
        });
        found = Some(written(path, &text, rules));
    }
    warnings.push(Warning {
        id: "index-alone",
        path: None,
        message: "no project is known whose sessions use this store: this is the index alone, without instructions \
                  and rules"
            .into(),
    });
    let (picture, section) = found.unzip();
    let notice = picture.as_ref().and_then(|index| index.notice.clone());
    let sections: Vec<Section> = section.into_iter().collect();
    let (text, map) = voice.block(&sections, notice.as_deref());
    let system = Some(voice.system(dir, None));
    let files = request.open.iter().map(|path| {
        let path = crate::prompt::locate::path::absolute(dir, path);
        OpenedFile {
            age_note_days: opened::age_note(port, &path, Some(dir), request.now),
            readable: port.kind(&path) == Some(Kind::File),
            path,
            age_note: None,
            brings: None,
        }
    });
    let mut opened = Opened { sections: Vec::new(), files: files.collect() };
    opened.put_in_words(&Voice::new(rules, request.said.words.as_deref(), &request.said.date));
    Preview {
        version: request.version.clone(),
        version_note: rules.note(&request.version),
        wording: voice.used(),
        memory_dir: Some(dir.into()),
        index: picture,
        budget: assemble::budget(&sections),
        opened,
        sections,
        skipped,
        text,
        map,
        system,
        warnings,
    }
}

fn written(path: PathBuf, text: &str, rules: &Rules) -> (IndexPicture, Section) {
    let loaded = limits::load_with(text.as_bytes(), &rules.into());
    let mut picture = IndexPicture::of(path.clone(), &loaded);
    picture.written_by_client = true;
    let section = Section {
        shown: path.to_string_lossy().into_owned(),
        path,
        layer: Layer::Auto,
        role: Role::Index,
        via: None,
        body: sent::body(&loaded, rules),
        half: None,
        matched: None,
        opened_by: None,
        survives: Survives::Yes,
    };
    (picture, section)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::port::mem::MemPort;

    fn store(files: &[(&str, &str)]) -> Preview {
        let mut port = MemPort::default();
        port.dir("/s");
        for (path, text) in files {
            port.file(*path, *text);
        }
        let now = "2026-11-30T12:00:00Z".parse().unwrap();
        let env = Environment { home: "/home".into(), cwd: "/".into(), ..Environment::default() };
        let request = Usual::default().request(&[], now);
        Subject::Index("/s".into()).preview(&port, &env, &request)
    }

    #[test]
    fn a_store_without_a_project_shows_its_index_alone_and_says_so() {
        let preview = store(&[("/s/MEMORY.md", "- [A](a.md)\n"), ("/s/a.md", "x"), ("/CLAUDE.md", "no")]);
        assert_eq!(preview.sections.len(), 1);
        assert!(preview.text.contains("- [A](a.md)") && !preview.text.contains("no\n"));
        assert!(preview.warnings.iter().any(|warning| warning.id == "index-alone"));
        assert_eq!(preview.index.unwrap().lines, 1);
        let preview = store(&[("/s/a.md", "---\nname: A\ndescription: about a\n---\nx\n")]);
        assert!(preview.index.unwrap().written_by_client);
        assert!(preview.text.contains("- [a](a.md) — about a"));
        let preview = store(&[]);
        assert_eq!((preview.sections.len(), preview.text.as_str()), (0, ""));
    }

    #[test]
    fn the_layout_and_whether_the_project_is_known_decide() {
        let located = |layout, project: Option<&str>| Located {
            dir: "/s".into(),
            layout,
            project: project.map(Into::into),
            because: String::new(),
            off: None,
            notes: Vec::new(),
        };
        let of = |layout, project| Subject::of(&located(layout, project), Path::new("/p/sub"));
        assert_eq!(of(Layout::Claude, Some("/p")), Subject::Client("/p/sub".into()));
        assert_eq!(of(Layout::Plain, Some("/p")), Subject::Client("/p/sub".into()));
        assert_eq!(of(Layout::Agent, Some("/p")), Subject::Agent("/p/sub".into()));
        assert_eq!(of(Layout::Claude, None), Subject::Index("/s".into()));
    }
}
