//! A sub-agent's own memory (CLIENT_FACTS E; measured on 2.1.197 and 2.1.332).

use crate::prompt::frontmatter;
use crate::prompt::limits;
use crate::prompt::picture::{IndexPicture, Layer, Role, Section, Survives, Warning};
use crate::prompt::port::{Kind, Port};
use crate::prompt::sent;
use crate::prompt::session::Session;
use crate::prompt::text;
use crate::prompt::walk::Trim;
use crate::prompt::wording::Voice;
use std::path::{Path, PathBuf};

/// What a sub-agent gets beside what every session gets.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentMemory {
    /// The directory of its memories.
    pub directory: PathBuf,
    /// The word for its place: `user`, `project` or `local`.
    pub scope: String,
    /// What decided.
    pub because: String,
    /// Its index, when there is one.
    pub section: Option<Section>,
    /// What loads of it.
    pub index: Option<IndexPicture>,
    /// The memory part of its system prompt.
    pub system: String,
}

/// The three places of an agent's memory, by the word for them in an agent's definition.
const SCOPES: [(&str, &str); 3] =
    [("local", ".claude/agent-memory-local"), ("project", ".claude/agent-memory"), ("user", "agent-memory")];

/// The memory of the agent of this name: where its definition says (`memory:` in `.claude/agents/NAME.md`, the
/// project's before the person's), else the first directory of local, project and user that exists.
///
/// # Errors
/// A warning, when nothing of that name is found.
pub fn memory(session: &Session<'_>, voice: &Voice<'_>, name: &str) -> Result<AgentMemory, Warning> {
    let port = session.port;
    let place = |scope: &str| {
        let (_, below) = SCOPES.iter().find(|(word, _)| *word == scope)?;
        let base = if scope == "user" { session.config.as_path() } else { session.cwd() };
        Some(base.join(below).join(name))
    };
    let is_name = !name.is_empty() && !name.contains(['/', '\0']) && name != "." && name != "..";
    let defined = if is_name { definition(session, name) } else { None };
    let found = match defined.and_then(|(scope, file)| {
        let because = format!("`memory: {scope}` in {}", file.display());
        Some((scope.clone(), place(&scope)?, because))
    }) {
        Some(found) => Some(found),
        None => SCOPES.iter().filter(|_| is_name).find_map(|(scope, _)| {
            let directory = place(scope)?;
            (port.kind(&directory) == Some(Kind::Dir))
                .then(|| ((*scope).to_owned(), directory, format!("the {scope} directory exists")))
        }),
    };
    let Some((scope, directory, because)) = found else {
        return Err(Warning {
            id: "agent-unknown",
            path: None,
            message: format!(
                "no agent `{name}` with a memory: neither a definition with `memory:` in .claude/agents nor a directory \
                 of its memories; give the name as the client shows it"
            ),
        });
    };
    Ok(load(session, voice, &scope, directory, because))
}

/// `memory` in the agent's definition.
fn definition(session: &Session<'_>, name: &str) -> Option<(String, PathBuf)> {
    let places = [session.cwd().join(".claude/agents"), session.config.join("agents")];
    places.iter().find_map(|place| {
        let file = place.join(format!("{name}.md"));
        if session.port.size(&file)? > crate::prompt::walk::MAX_BYTES {
            return None;
        }
        let parts = text::parts(&session.port.read(&file).ok()?, session.rules(), Trim::Yes);
        Some((frontmatter::value(&parts.yaml?, "memory", session.rules())?, file))
    })
}

/// Its index: limits as for the main one, but neither frontmatter nor comments are taken off.
fn load(
    session: &Session<'_>,
    voice: &Voice<'_>,
    scope: &str,
    directory: PathBuf,
    because: String,
) -> AgentMemory {
    let path = directory.join("MEMORY.md");
    let bytes = read(session.port, &path);
    let loaded = bytes.map(|bytes| limits::load_whole(&bytes, &session.rules().into()));
    let loaded = loaded.filter(|loaded| !loaded.text.is_empty());
    let index = loaded.as_ref().map(|loaded| {
        let mut index = IndexPicture::of(path.clone(), loaded);
        index.notice = voice.notice(&index);
        index
    });
    let section = loaded.map(|loaded| Section {
        shown: path.to_string_lossy().into_owned(),
        path,
        layer: Layer::Agent,
        role: Role::Index,
        via: None,
        half: loaded.half,
        body: sent::body(&loaded, session.rules()),
        matched: None,
        opened_by: None,
        survives: Survives::Yes,
    });
    let notice = index.as_ref().and_then(|index| index.notice.as_ref());
    let shown = section.as_ref().map(|section| match notice {
        Some(notice) => format!("{}\n\n{notice}", section.body),
        None => section.body.clone(),
    });
    let system = voice.agent_system(scope, &directory, shown.as_deref());
    AgentMemory { directory, scope: scope.into(), because, section, index, system }
}

fn read(port: &dyn Port, path: &Path) -> Option<Vec<u8>> {
    let small = port.kind(path) == Some(Kind::File) && port.size(path)? <= crate::prompt::walk::MAX_BYTES;
    if small { port.read(path).ok() } else { None }
}
