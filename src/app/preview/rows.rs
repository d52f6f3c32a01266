//! The list of sources beside the text: what loads, what does not and why, what is worth knowing, the sizes.

use crate::app::contents::one_line;
use crate::app::preview::page::{Line, Of};
use crate::prompt::limits::{MAX_LINES, MAX_UNITS};
use crate::prompt::picture::{IndexPicture, Preview, Role, Section, Survives, tokens};
use crate::prompt::subject::Subject;
use crate::review::index_state::thousands;
use std::path::{Path, PathBuf};

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// The head of a group.
    Head(String),
    /// Something that the cursor can stand on.
    Entry(Entry),
}

/// A row that the cursor can stand on. Texts are safe to show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// What sign it has.
    pub sign: Sign,
    /// The layer, or what kind of row it is.
    pub kind: String,
    /// What it is about.
    pub name: String,
    /// Its size, or what else stands at the right.
    pub figure: String,
    /// How far a limit is used: the figure and the limit.
    pub bar: Option<(usize, usize)>,
    /// How far it is indented (what is imported stands below what imports it).
    pub depth: usize,
    /// Where Enter leads.
    pub target: Target,
    /// The first line of the text that comes from it.
    pub line: Option<usize>,
    /// What there is to say about it, in full.
    pub detail: Vec<String>,
}

/// The sign of a row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sign {
    /// It loads; nothing to say.
    #[default]
    Loads,
    /// It does not load.
    Not,
    /// Something is worth knowing.
    Warning,
}

/// Where Enter leads from a row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Target {
    /// Nowhere.
    #[default]
    Nothing,
    /// To a file.
    File(PathBuf),
    /// To a memory, as the index names it.
    Memory(String),
}

/// The rows of a preview.
#[must_use]
pub fn rows(preview: &Preview, lines: &[Line], subject: &Subject, home: &Path) -> Vec<Row> {
    let list = List { preview, lines, subject, home };
    let mut rows = Vec::new();
    list.start(&mut rows);
    list.opened(&mut rows);
    list.warnings(&mut rows);
    list.skipped(&mut rows);
    list.budget(&mut rows);
    list.lost(&mut rows);
    rows
}

/// A path as a person reads it: from the directory of the session, else from the home directory. Safe to show.
#[must_use]
pub fn short(path: &Path, subject: &Subject, home: &Path) -> String {
    let text = match (path.strip_prefix(subject.dir()), path.strip_prefix(home)) {
        (Ok(rest), _) => rest.to_string_lossy().into_owned(),
        (_, Ok(rest)) => format!("~/{}", rest.to_string_lossy()),
        _ => path.to_string_lossy().into_owned(),
    };
    one_line(&text)
}

struct List<'a> {
    preview: &'a Preview,
    lines: &'a [Line],
    subject: &'a Subject,
    home: &'a Path,
}

impl List<'_> {
    fn short(&self, path: &Path) -> String {
        short(path, self.subject, self.home)
    }

    fn line(&self, wanted: Of) -> Option<usize> {
        self.lines.iter().position(|line| line.of == wanted)
    }

    fn start(&self, rows: &mut Vec<Row>) {
        rows.push(Row::Head("at the start · again after compaction".into()));
        if let Some(system) = &self.preview.system {
            rows.push(Row::Entry(Entry {
                kind: "system".into(),
                name: "memory part".into(),
                figure: thousands(system.encode_utf16().count()),
                line: self.line(Of::System),
                detail: vec!["the part of the system prompt that is about memory".into()],
                ..Entry::default()
            }));
        }
        let mut firsts = self.firsts();
        for (at, section) in self.preview.sections.iter().enumerate() {
            let mut entry = self.section(section);
            entry.line = firsts.get_mut(at).and_then(Option::take);
            entry.depth = self.depth(section);
            let index = self.preview.index.as_ref().filter(|index| index.path == section.path);
            let index = index.filter(|_| section.role == Role::Index);
            if section.role == Role::Index {
                entry.name = "MEMORY.md".into();
            }
            if index.is_some_and(|index| !index.cut().is_empty()) {
                entry.sign = Sign::Warning;
            }
            let line = entry.line;
            rows.push(Row::Entry(entry));
            if let Some(index) = index {
                meters(index, line, rows);
            }
        }
        if self.preview.sections.is_empty() {
            rows.push(Row::Entry(Entry {
                name: "no file loads".into(),
                detail: vec!["there are neither instructions nor an index".into()],
                ..Entry::default()
            }));
        }
    }

    /// The first line of each section, in one pass.
    fn firsts(&self) -> Vec<Option<usize>> {
        let mut firsts = vec![None; self.preview.sections.len()];
        for (number, line) in self.lines.iter().enumerate() {
            if let Of::Heading(at) | Of::Body(at) = line.of
                && let Some(first) = firsts.get_mut(at)
            {
                let _ = first.get_or_insert(number);
            }
        }
        firsts
    }

    /// How many imports lie between a section and the file that starts the chain.
    fn depth(&self, section: &Section) -> usize {
        // Chains are at most four long (CLIENT_FACTS C5).
        let mut via = section.via.as_ref();
        let mut depth = 0;
        while let Some(path) = via.filter(|_| depth < 5) {
            depth += 1;
            via =
                self.preview.sections.iter().find(|other| other.path == *path).and_then(|it| it.via.as_ref());
        }
        depth
    }

    fn section(&self, section: &Section) -> Entry {
        let role = match section.role {
            Role::Instructions => "instructions",
            Role::Rule => "a rule",
            Role::Import => "an import",
            Role::Index => "the index",
        };
        let mut detail = vec![one_line(&section.path.to_string_lossy())];
        detail.push(format!(
            "{} layer, {role} · {} lines, {} characters, about {} tokens (an estimate)",
            section.layer.as_str(),
            section.lines(),
            section.units(),
            thousands(tokens(&section.body))
        ));
        if let Some(via) = &section.via {
            detail.push(format!("imported by {}", self.short(via)));
        }
        if let Some(matched) = &section.matched {
            detail.push(format!("its pattern {} matches", one_line(matched)));
        }
        detail.push(match section.survives {
            Survives::Yes => "after compaction: loads again (documented, not measured)".into(),
            Survives::OnUse => "after compaction: only when such a file is read again (documented)".into(),
        });
        Entry {
            kind: section.layer.as_str().into(),
            name: self.short(&section.path),
            figure: thousands(section.units()),
            target: Target::File(section.path.clone()),
            detail,
            ..Entry::default()
        }
    }

    fn opened(&self, rows: &mut Vec<Row>) {
        for file in &self.preview.opened.files {
            rows.push(Row::Head(format!("if the agent opened {}", self.short(&file.path))));
            let own = self.preview.opened.sections.iter().enumerate();
            let own = own.filter(|(_, section)| section.opened_by.as_ref() == Some(&file.path));
            let mut any = false;
            for (at, section) in own {
                any = true;
                let mut entry = self.section(section);
                // The rule above it says by which file and pattern.
                entry.line = self.line(Of::OnUse(at)).map(|line| line.saturating_sub(1));
                if let Some(matched) = &section.matched {
                    entry.figure = one_line(matched);
                }
                rows.push(Row::Entry(entry));
            }
            let mut say = |sign, name: String| {
                let target = Target::File(file.path.clone());
                let detail = vec![one_line(&file.path.to_string_lossy()), name.clone()];
                rows.push(Row::Entry(Entry { sign, name, target, detail, ..Entry::default() }));
            };
            if let Some(days) = file.age_note_days {
                say(Sign::Loads, format!("the client will say that it is {days} days old"));
            }
            if !file.readable {
                say(Sign::Warning, "there is no such file to read".into());
            }
            if !any {
                say(Sign::Loads, "nothing more loads".into());
            }
        }
    }

    fn lost(&self, rows: &mut Vec<Row>) {
        let Some(index) = self.preview.index.as_ref().filter(|index| !index.lost.is_empty()) else { return };
        rows.push(Row::Head(format!("below the cut, not seen  {}", index.lost.len())));
        for name in &index.lost {
            rows.push(Row::Entry(Entry {
                sign: Sign::Not,
                kind: "memory".into(),
                name: one_line(name),
                target: Target::Memory(name.clone()),
                line: self.line(Of::Cut),
                detail: vec![one_line(name), "only lines below the cut name it: no session sees them".into()],
                ..Entry::default()
            }));
        }
    }

    fn skipped(&self, rows: &mut Vec<Row>) {
        if self.preview.skipped.is_empty() {
            return;
        }
        rows.push(Row::Head(format!("does not load  {}", self.preview.skipped.len())));
        for skipped in &self.preview.skipped {
            let mut detail =
                vec![one_line(&skipped.path.to_string_lossy()), one_line(&skipped.reason.describe())];
            detail.extend(skipped.from.iter().map(|from| format!("named by {}", self.short(from))));
            detail.extend(skipped.hint.iter().map(|hint| one_line(hint)));
            rows.push(Row::Entry(Entry {
                sign: Sign::Not,
                kind: if skipped.from.is_some() { "import".into() } else { "file".into() },
                name: self.short(&skipped.path),
                figure: word(&skipped.reason).into(),
                target: Target::File(skipped.path.clone()),
                detail,
                ..Entry::default()
            }));
        }
    }

    fn warnings(&self, rows: &mut Vec<Row>) {
        let note = self.preview.version_note.iter().map(|note| (note.clone(), None));
        let warnings = self.preview.warnings.iter().map(|it| (it.message.clone(), it.path.clone()));
        let all: Vec<(String, Option<PathBuf>)> = note.chain(warnings).collect();
        if all.is_empty() {
            return;
        }
        rows.push(Row::Head(format!("worth knowing  {}", all.len())));
        for (message, path) in all {
            let mut detail: Vec<String> = path.iter().map(|path| one_line(&path.to_string_lossy())).collect();
            detail.push(one_line(&message));
            rows.push(Row::Entry(Entry {
                sign: Sign::Warning,
                name: one_line(&message),
                target: path.map_or(Target::Nothing, Target::File),
                detail,
                ..Entry::default()
            }));
        }
    }

    fn budget(&self, rows: &mut Vec<Row>) {
        if self.preview.budget.is_empty() {
            return;
        }
        rows.push(Row::Head("size by layer (tokens are an estimate)".into()));
        for budget in &self.preview.budget {
            let share = format!("{:.0} %", budget.share * 100.0);
            rows.push(Row::Entry(Entry {
                kind: budget.layer.as_str().into(),
                name: format!(
                    "{}, {} lines, ≈{} tokens",
                    thousands(budget.chars),
                    budget.lines,
                    thousands(budget.tokens)
                ),
                figure: share.clone(),
                detail: vec![format!(
                    "{}: {} files, {} characters, {} lines, about {} tokens (an estimate), {share} of all",
                    budget.layer.as_str(),
                    budget.files,
                    budget.chars,
                    budget.lines,
                    budget.tokens
                )],
                ..Entry::default()
            }));
        }
    }
}

/// The index against its limits.
fn meters(index: &IndexPicture, line: Option<usize>, rows: &mut Vec<Row>) {
    let mut meter = |name: &str, used: usize, limit: usize, figure: String, over: bool| {
        let room = limit.saturating_sub(used);
        let detail = if over {
            format!("the index has {used} {name}, of which {limit} load")
        } else {
            format!("room for {room} more {name}")
        };
        rows.push(Row::Entry(Entry {
            sign: if over { Sign::Warning } else { Sign::Loads },
            name: name.into(),
            figure,
            bar: Some((used, limit)),
            depth: 1,
            line,
            detail: vec![detail],
            ..Entry::default()
        }));
    };
    meter("lines", index.lines, MAX_LINES, format!("{}/{MAX_LINES}", index.lines), index.over_lines);
    let size = format!("{}/{}", thousands(index.units), thousands(MAX_UNITS));
    meter("characters", index.units, MAX_UNITS, size, index.over_size);
}

/// A reason in a word or two.
fn word(reason: &crate::prompt::picture::Reason) -> &'static str {
    use crate::prompt::picture::Reason;
    match reason {
        Reason::Missing => "missing",
        Reason::NotAFile => "no file",
        Reason::Unreadable(_) => "unreadable",
        Reason::Extension(_) => "extension",
        Reason::Outside => "outside",
        Reason::LinkOutside => "link outside",
        Reason::TooDeep => "too deep",
        Reason::Already => "already loaded",
        Reason::Excluded(_) => "excluded",
        Reason::TooLarge(_) | Reason::NotRead(_) => "too large",
        Reason::Empty => "empty",
        Reason::Conditional(_) => "waits",
        Reason::Off(_) => "off",
    }
}
