//! Lists of the project's paths.

use super::claims::{Claim, Passage, Said, about};
use crate::check::likeness::markers::says_more;
use crate::check::likeness::{Bag, Form};
use crate::check::project::Project;
use crate::check::{Evidence, quoted};
use crate::memory::text::visible;
use std::collections::HashSet;

/// The paths of a project, its directories too.
pub(super) struct Paths<'a> {
    all: HashSet<&'a str>,
    /// Single names, for trees that are drawn with indentation.
    names: HashSet<&'a str>,
}

/// So many paths in a row are a list; fewer are examples.
const FEWEST: usize = 4;
/// So many bare ones under a heading or words that announce one.
const FEWEST_BARE: usize = 3;
/// A note of more words than this on each path is knowledge.
const NOTE: usize = 7;

impl<'a> Paths<'a> {
    pub(super) fn of(project: &'a Project) -> Self {
        let (mut all, mut names) = (HashSet::new(), HashSet::new());
        for file in project.files.iter() {
            let mut path = file.as_str();
            while !path.is_empty() && all.insert(path) {
                let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
                names.insert(name);
                path = parent;
            }
        }
        Self { all, names }
    }

    fn has(&self, written: &str) -> bool {
        let path = written.trim_start_matches("./").trim_end_matches(['/', ':', ',']);
        !path.is_empty() && self.all.contains(path)
    }

    /// The lists of paths in a claim.
    pub(super) fn lists(&self, claim: &Claim<'_>) -> Vec<Said> {
        let mut said = Vec::new();
        let passages = &claim.passages;
        let mut at = 0;
        while at < passages.len() {
            let run = self.run(passages, at);
            if run > at {
                said.extend(self.list(passages, at, run));
                at = run;
            } else {
                said.extend(passages.get(at).and_then(|one| self.in_line(one, at)));
                at += 1;
            }
        }
        said
    }

    /// Where the items that name paths, from one on, end.
    fn run(&self, passages: &[Passage], start: usize) -> usize {
        let form = passages.get(start).map(|one| one.form);
        if !matches!(form, Some(Form::Item | Form::Code)) {
            return start;
        }
        let rest = passages.get(start..).unwrap_or_default();
        start + rest.iter().take_while(|one| Some(one.form) == form).count()
    }

    /// A list or a tree.
    fn list(&self, passages: &[Passage], start: usize, end: usize) -> Option<Said> {
        let items = passages.get(start..end)?;
        let before = start.checked_sub(1).and_then(|at| passages.get(at));
        let announced = match before {
            None => true,
            Some(one) if one.form == Form::Heading => true,
            Some(one) => announces(&one.text),
        };
        let mut named: Vec<&str> = Vec::new();
        let mut notes = 0;
        for item in items {
            let (path, note) = split(&item.text, item.form);
            let known = self.has(path)
                || (item.form == Form::Code && self.names.contains(path.trim_end_matches('/')));
            if known {
                named.push(path);
            }
            notes += note.split_whitespace().count();
            if says_more(note) {
                return None;
            }
        }
        // Nearly every item is a path that is there.
        let is_list = named.len() * 10 >= items.len() * 8 && notes <= named.len() * NOTE;
        let enough = if notes == 0 && announced { FEWEST_BARE } else { FEWEST };
        if !announced || !is_list || named.len() < enough {
            return None;
        }
        let start = if before.is_some_and(|one| one.form != Form::Heading) { start - 1 } else { start };
        Some(said(start..end, &named))
    }

    /// A sentence that names where things are and nothing more.
    fn in_line(&self, passage: &Passage, at: usize) -> Option<Said> {
        if passage.form != Form::Prose || says_more(&passage.text) {
            return None;
        }
        let is_edge =
            |c: char| matches!(c, ',' | ';' | '(' | ')' | '`' | '"' | '*' | '.' | ':' | '、' | '。');
        let words = passage.text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '、' | '`'));
        let words = words.map(|word| word.trim_matches(is_edge));
        let named: Vec<&str> = words.filter(|word| word.contains(['/', '.']) && self.has(word)).collect();
        let mut rest = passage.text.clone();
        for path in &named {
            rest = rest.replace(path, " ");
        }
        let own = Bag::of(&rest).strong();
        (named.len() >= FEWEST && own <= named.len()).then(|| said(at..at + 1, &named))
    }
}

fn said(passages: std::ops::Range<usize>, named: &[&str]) -> Said {
    let first = named.first().copied().unwrap_or_default();
    let shown = named.iter().take(3).map(|path| Evidence {
        path: Some(visible(path, false).into_owned()),
        line: None,
        commit: None,
        text: format!("{} is there", quoted(path)),
    });
    Said {
        passages,
        about: about(first),
        message: format!(
            "it lists {} paths that the project shows; keep what is surprising about them",
            named.len()
        ),
        evidence: shown.collect(),
        is_other: false,
        is_rule: false,
    }
}

/// An item as its path and the note on it.
fn split(text: &str, form: Form) -> (&str, &str) {
    let text = if form == Form::Code {
        text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '.')
    } else {
        text
    };
    let text = text.trim_start_matches(['*', '`', '"', '[']);
    let end = text
        .find(|c: char| c.is_whitespace() || matches!(c, '`' | '*' | '"' | ']' | '→' | '：'))
        .unwrap_or(text.len());
    let (path, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    (path.trim_end_matches([':', ',']), rest.trim_start_matches(|c: char| !c.is_alphanumeric()))
}

/// Whether a sentence announces a list of paths and says nothing else.
fn announces(text: &str) -> bool {
    let lower = text.to_lowercase();
    let of_lists = ANNOUNCING.iter().any(|word| lower.contains(word));
    let own = Bag::of(text).strong();
    !says_more(text) && (if of_lists { own <= 6 } else { own <= 1 })
}

const ANNOUNCING: &[&str] = &[
    "structure",
    "layout",
    "tree",
    "director",
    "folder",
    "organi",
    "laid out",
    "overview",
    "modules",
    "files",
    "where ",
    "components",
    "contains",
    "codebase",
    "entry point",
    "located",
    "struktur",
    "aufbau",
    "verzeichnis",
    "ordner",
    "dateien",
    "übersicht",
    "gliedert",
    "arborescence",
    "répertoire",
    "dossier",
    "fichiers",
    "organis",
    "composé",
    "estructura",
    "carpeta",
    "archivos",
    "directorio",
    "árbol",
    "estrutura",
    "pasta",
    "arquivos",
    "diretório",
    "árvore",
    "结构",
    "目录",
    "文件",
    "布局",
    "構成",
    "構造",
    "ディレクトリ",
    "ファイル",
    "一覧",
    "구조",
    "디렉터리",
    "디렉토리",
    "폴더",
    "파일",
    "구성",
];
