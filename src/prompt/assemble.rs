//! The whole picture: layers, the index, what opening files brings in, the texts, sizes and warnings.

use crate::memory::index::{Index, Target};
use crate::prompt::agent;
use crate::prompt::backfill;
use crate::prompt::layers;
use crate::prompt::limits::{self, Fate, Loaded};
use crate::prompt::locate::Layout;
use crate::prompt::opened::{self, Fallback};
use crate::prompt::picture::{
    Budget, IndexPicture, Layer, Preview, Reason, Role, Section, Skipped, Survives, Warning, tokens,
};
use crate::prompt::port::{Environment, Kind, Port};
use crate::prompt::sent;
use crate::prompt::session::{Request, Session, SystemPrompt};
use crate::prompt::walk::MAX_READ;
use crate::prompt::wording::Voice;
use std::collections::HashSet;
use std::path::Path;

/// From how many characters on the client calls an instruction file large (known from its interactive screens, not
/// measured: in print mode it says nothing).
pub const LARGE_CHARS: usize = 40_000;

/// What the next session gets that is started in `env.cwd` in this way. Looking changes nothing.
#[must_use]
pub fn preview(port: &dyn Port, env: &Environment, request: &Request) -> Preview {
    let session = Session::new(port, env, request);
    let layers::Start { mut sections, loader, fallback, .. } = layers::start(&session);
    let (mut skipped, mut warnings, seen) = (loader.skipped, loader.warnings, loader.seen);
    let voice = session.voice();
    let mut opened = opened::open(&session, &sections, fallback);
    opened.put_in_words(&session.voice());
    let mut index = None;
    if let Some(found) = main_index(&session, &voice, &seen, &mut skipped, &mut warnings) {
        sections.push(found.section);
        index = Some(found.picture);
    }
    let notice = index.as_ref().and_then(|index| index.notice.clone());
    let (text, map) = voice.block(&sections, notice.as_deref());
    let memory_dir = memory_dir(&session);
    let mut system = memory_dir.map(|directory| {
        let extra = session.filled("CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES");
        voice.system(directory, extra.as_ref().map(|(text, _)| *text))
    });
    if let Some((text, _)) = guidelines(&session) {
        system = Some(text.to_owned());
    }
    if let Some(name) = &request.agent {
        match agent::memory(&session, &voice, name) {
            Ok(memory) => {
                sections.extend(memory.section);
                system = Some(memory.system);
            }
            Err(warning) => warnings.push(warning),
        }
    }
    if fallback == Fallback::NotRead {
        agents_hint(&session, &sections, &mut skipped);
    }
    warn(&session, &sections, &mut warnings);
    Preview {
        version: request.version.clone(),
        version_note: session.rules().note(&request.version),
        wording: voice.used(),
        memory_dir: memory_dir.map(Path::to_path_buf),
        index,
        budget: budget(&sections),
        sections,
        skipped,
        opened,
        text,
        map,
        system,
        warnings,
    }
}

/// The memory directory that the system prompt names.
fn memory_dir<'a>(session: &'a Session<'_>) -> Option<&'a Path> {
    let named = session.request.system_prompt == SystemPrompt::Own && guidelines(session).is_none();
    (named && session.located.off.is_none() && !walks_bare(session)).then_some(session.located.dir.as_path())
}

/// `--bare --add-dir` brings files back on older versions, memory never.
fn walks_bare(session: &Session<'_>) -> bool {
    session.switched_on("CLAUDE_CODE_SIMPLE").is_some()
}

fn guidelines<'a>(session: &'a Session<'_>) -> Option<(&'a str, String)> {
    let counts = session.rules().index_content && session.located.off.is_none();
    session.filled("CLAUDE_COWORK_MEMORY_GUIDELINES").filter(|_| counts)
}

struct MainIndex {
    section: Section,
    picture: IndexPicture,
}

fn main_index(
    session: &Session<'_>,
    voice: &Voice<'_>,
    seen: &HashSet<std::path::PathBuf>,
    skipped: &mut Vec<Skipped>,
    warnings: &mut Vec<Warning>,
) -> Option<MainIndex> {
    let port = session.port;
    let path = session.located.dir.join("MEMORY.md");
    let mut skip = |reason| {
        if port.kind(&path).is_some() {
            skipped.push(Skipped { path: path.clone(), from: None, reason, hint: None });
        }
    };
    if let Some(off) = session.located.off.clone().or_else(|| session.no_files()) {
        skip(Reason::Off(off));
        return None;
    }
    if let Some((_, origin)) =
        session.filled("CLAUDE_MEMORY_STORES").filter(|_| session.rules().memory_stores)
    {
        skip(Reason::Off(origin));
        return None;
    }
    if seen.contains(&path) {
        warnings.push(Warning {
            id: "index-imported",
            path: Some(path),
            message: "another file imports the index: it loads there, whole, and not as the index".into(),
        });
        return None;
    }
    let mut written = false;
    // A text that is given in place of the index is taken as it is, with the same limits (measured); an empty one
    // takes the index away.
    let given = session.var("CLAUDE_COWORK_MEMORY_INDEX_CONTENT").filter(|_| session.rules().index_content);
    if let Some((text, origin)) = given {
        let loaded = limits::load_whole(text.as_bytes(), &session.rules().into());
        skip(Reason::Off(origin));
        return (!loaded.text.is_empty())
            .then(|| picture(session, voice, &path, text.as_bytes(), loaded, false, warnings));
    }
    let bytes = match port.kind(&path) {
        Some(Kind::File) => {
            let size = port.size(&path).unwrap_or_default();
            let limit = if session.rules().size_limit { crate::prompt::walk::MAX_BYTES } else { MAX_READ };
            if size > limit {
                let dropped = session.rules().size_limit;
                let reason = if dropped { Reason::TooLarge(size) } else { Reason::NotRead(size) };
                let message = reason.describe();
                skip(reason);
                warnings.push(Warning { id: "too-large", path: Some(path), message });
                return None;
            }
            match port.read(&path) {
                Ok(bytes) => bytes,
                Err(error) => {
                    skip(Reason::Unreadable(error.to_string()));
                    return None;
                }
            }
        }
        Some(_) => {
            skip(Reason::NotAFile);
            return None;
        }
        None if session.rules().backfill && !port.is_link(&path) => {
            let text = backfill::index(port, &session.located.dir)?;
            written = true;
            warnings.push(Warning {
                id: "index-written",
                path: Some(path.clone()),
                message:
                    "there is no index: this version of the client writes one at the start and loads it; \
                              this preview shows its text and writes nothing"
                        .into(),
            });
            text.into_bytes()
        }
        None => return None,
    };
    let loaded = limits::load_with(&bytes, &session.rules().into());
    if sent::body(&loaded, session.rules()).is_empty() && loaded.half.is_none() {
        skip(Reason::Empty);
        return None;
    }
    Some(picture(session, voice, &path, &bytes, loaded, written, warnings))
}

fn picture(
    session: &Session<'_>,
    voice: &Voice<'_>,
    path: &Path,
    bytes: &[u8],
    loaded: Loaded,
    written_by_client: bool,
    warnings: &mut Vec<Warning>,
) -> MainIndex {
    let mut picture = IndexPicture::of(path.to_path_buf(), &loaded);
    picture.lost = lost(bytes, &loaded.fate);
    picture.notice = voice.notice(&picture);
    picture.written_by_client = written_by_client;
    if !picture.cut().is_empty() {
        warnings.push(Warning {
            id: "index-cut",
            path: Some(path.to_path_buf()),
            message: format!(
                "the index is over its limit of {}: {} lines of {} load; {}",
                picture.cut().join(" and of "),
                picture.kept_lines,
                picture.lines,
                match picture.lost.len() {
                    0 => "no memory is lost by that".to_owned(),
                    1 => "1 memory below the cut is not seen".to_owned(),
                    many => format!("{many} memories below the cut are not seen"),
                }
            ),
        });
    }
    let section = Section {
        path: path.to_path_buf(),
        shown: path.to_string_lossy().into_owned(),
        layer: Layer::Auto,
        role: Role::Index,
        via: None,
        body: sent::body(&loaded, session.rules()),
        half: loaded.half,
        matched: None,
        opened_by: None,
        survives: Survives::Yes,
    };
    MainIndex { section, picture }
}

/// The memories that only lines below the cut name, in the order of the index.
#[must_use]
pub fn lost(bytes: &[u8], fate: &[Fate]) -> Vec<String> {
    let index = Index::parse(bytes);
    let name = |target: &Target| match target {
        Target::File(path) => path.to_str_lossy().into_owned(),
        Target::Name(name) => name.clone(),
    };
    let of = |wanted: Fate| {
        let entries = index.entries.iter().filter(move |entry| fate.get(entry.line) == Some(&wanted));
        entries.map(|entry| name(&entry.target))
    };
    let loaded: HashSet<String> = of(Fate::Loads).collect();
    let mut seen = HashSet::new();
    of(Fate::Cut).filter(|name| !loaded.contains(name) && seen.insert(name.clone())).collect()
}

/// Names the `AGENTS.md` files of the walk that a client reads only where there is no `CLAUDE.md`.
fn agents_hint(session: &Session<'_>, sections: &[Section], skipped: &mut Vec<Skipped>) {
    for directory in session.walk() {
        let path = directory.join("AGENTS.md");
        if session.port.kind(&path) != Some(Kind::File) || sections.iter().any(|section| section.path == path)
        {
            continue;
        }
        let what = if session.rules().agents_md {
            "the client, which reads AGENTS.md only where no CLAUDE.md has content"
        } else {
            "the client: this version does not read AGENTS.md"
        };
        skipped.push(Skipped {
            path,
            from: None,
            reason: Reason::Off(what.into()),
            hint: Some("import it from CLAUDE.md with @AGENTS.md".into()),
        });
    }
}

fn warn(session: &Session<'_>, sections: &[Section], warnings: &mut Vec<Warning>) {
    for section in sections.iter().filter(|section| section.layer != Layer::Auto) {
        let chars = section.body.chars().count();
        if chars > LARGE_CHARS {
            warnings.push(Warning {
                id: "large-file",
                path: Some(section.path.clone()),
                message: format!(
                    "{chars} characters: the client calls more than {LARGE_CHARS} large; it loads whole"
                ),
            });
        }
    }
    let located = &session.located;
    let wide = [session.cwd(), &session.around.env.home, &session.around.root.named, &session.config];
    if located.layout == Layout::Plain && wide.iter().any(|place| place.starts_with(&located.dir)) {
        let mut message = format!("{} holds more than memories", located.because);
        if session.rules().backfill {
            message.push_str(": the client would write an index there that names every .md file below it");
        }
        warnings.push(Warning { id: "memory-dir-wide", path: Some(located.dir.clone()), message });
    }
    warnings.extend(located.notes.iter().map(|note| Warning {
        id: "setting",
        path: None,
        message: note.clone(),
    }));
}

/// The size of each layer that loads something, in the order of layers.
#[must_use]
pub fn budget(sections: &[Section]) -> Vec<Budget> {
    let all: usize = sections.iter().map(Section::units).sum();
    let mut layers: Vec<Layer> = sections.iter().map(|section| section.layer).collect();
    layers.sort_unstable();
    layers.dedup();
    let of = |layer| {
        let sections: Vec<&Section> = sections.iter().filter(|section| section.layer == layer).collect();
        let sum = |size: fn(&Section) -> usize| sections.iter().map(|section| size(section)).sum::<usize>();
        let units = sum(Section::units);
        let share = if all == 0 { 0.0 } else { units as f64 / all as f64 };
        Budget {
            layer,
            files: sections.len(),
            chars: sum(|section| section.body.chars().count()),
            units,
            lines: sum(Section::lines),
            tokens: sum(|section| tokens(&section.body)),
            share,
        }
    };
    layers.into_iter().map(of).collect()
}
