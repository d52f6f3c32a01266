//! Which files a memory file imports: where `@` counts, and what stands behind it (CLIENT_FACTS C5; measured with
//! 180 forms on 2.1.100, 2.1.197 and 2.1.332).
//!
//! The client reads plain Markdown without tables, strikethrough, footnotes and task lists, and looks at each run of
//! plain text. In list items it also looks at the text as written, code spans and comments included.

use crate::prompt::locate::path::normal;
use crate::prompt::strip::is_js_blank;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// One import as it stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The path as written: fragment cut, escaped blanks as blanks.
    pub path: String,
    /// Where it was found.
    pub place: Place,
}

/// Where an import was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In plain text.
    Text,
    /// In a list item's text as written, where code is no protection.
    Item,
}

/// The imports of a text (frontmatter already off, comments still in), in the client's order, each path once.
#[must_use]
pub fn scan(text: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    if memchr::memchr(b'@', text.as_bytes()).is_some() {
        Scan { text, found: &mut found, run: None, item: None, depth: Vec::new(), silent: 0, html: None }
            .all();
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|mention: &Mention| seen.insert(mention.path.clone()));
    found
}

struct Scan<'a> {
    text: &'a str,
    found: &'a mut Vec<Mention>,
    /// The plain text being read.
    run: Option<Range<usize>>,
    /// The text of the list item being read, with the runs in it.
    item: Option<(Range<usize>, Vec<Range<usize>>)>,
    /// For each open block: whether it is a list item.
    depth: Vec<Block>,
    /// How many images and code blocks are open.
    silent: usize,
    /// The HTML block being read.
    html: Option<Range<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Item,
    Paragraph,
    Other,
}

impl Scan<'_> {
    fn all(mut self) {
        for (event, range) in Parser::new_ext(self.text, Options::empty()).into_offset_iter() {
            match event {
                Event::Start(tag) => self.start(&tag, range),
                Event::End(tag) => self.end(tag, range),
                Event::Text(_) if self.silent == 0 && self.html.is_none() => {
                    self.inline(&range);
                    self.plain(range);
                }
                Event::SoftBreak => self.inline(&range),
                Event::Html(_) | Event::Text(_) | Event::Rule => {}
                _ => {
                    self.inline(&range);
                    self.close_run();
                }
            }
        }
        self.close_item();
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Link { .. } => {
                self.inline(&range);
                self.close_run();
            }
            Tag::Image { .. } => {
                self.inline(&range);
                self.close_run();
                self.silent += 1;
            }
            block => {
                self.close_item();
                match block {
                    Tag::CodeBlock(_) => self.silent += 1,
                    Tag::HtmlBlock => self.html = Some(range),
                    _ => {}
                }
                self.depth.push(match block {
                    Tag::Item => Block::Item,
                    Tag::Paragraph => Block::Paragraph,
                    _ => Block::Other,
                });
            }
        }
    }

    fn end(&mut self, tag: TagEnd, _: Range<usize>) {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link => self.close_run(),
            TagEnd::Image => {
                self.close_run();
                self.silent = self.silent.saturating_sub(1);
            }
            block => {
                self.close_item();
                match block {
                    TagEnd::CodeBlock => self.silent = self.silent.saturating_sub(1),
                    TagEnd::HtmlBlock => self.html_block(),
                    _ => {}
                }
                self.depth.pop();
            }
        }
    }

    /// A comment's rest is read as plain text; every other HTML block is not read.
    fn html_block(&mut self) {
        let Some(block) = self.html.take().and_then(|range| self.text.get(range)) else { return };
        if block.trim_start().starts_with("<!--") && block.contains("-->") {
            mentions(&without_comments(block), Place::Text, self.found);
        }
    }

    /// Whether the inline text here is that of a list item, directly or in a paragraph of it.
    fn in_item(&self) -> bool {
        matches!(self.depth.as_slice(), [.., Block::Item] | [.., Block::Item, Block::Paragraph])
    }

    fn inline(&mut self, range: &Range<usize>) {
        if self.in_item() {
            // A backslash before what is escaped belongs to the text as written.
            let slash = range.start > 0 && self.text.as_bytes().get(range.start - 1) == Some(&b'\\');
            let start = range.start - usize::from(slash);
            let (whole, _) = self.item.get_or_insert_with(|| (start..range.end, Vec::new()));
            whole.end = whole.end.max(range.end);
        }
    }

    fn plain(&mut self, range: Range<usize>) {
        let before = self.run.as_ref().map_or(0, |run| run.end);
        let escaped = range.start > before
            && self.text.as_bytes().get(range.start - 1) == Some(&b'\\')
            && self.text.as_bytes().get(range.start).is_some_and(u8::is_ascii_punctuation);
        if escaped {
            // What is escaped is no plain text; what follows begins a new run.
            self.close_run();
            self.run = Some(range.start + 1..range.end);
        } else if let Some(run) = self.run.as_mut().filter(|run| run.end == range.start) {
            run.end = range.end;
        } else {
            self.close_run();
            self.run = Some(range);
        }
    }

    fn close_run(&mut self) {
        let Some(run) = self.run.take() else { return };
        match &mut self.item {
            Some((_, runs)) => runs.push(run),
            None => mentions(self.text.get(run).unwrap_or_default(), Place::Text, self.found),
        }
    }

    fn close_item(&mut self) {
        self.close_run();
        let Some((whole, runs)) = self.item.take() else { return };
        // The marks of a quotation around the list do not belong to its lines.
        let written: Vec<&str> = self
            .text
            .get(whole)
            .unwrap_or_default()
            .lines()
            .enumerate()
            .map(|(nth, line)| if nth == 0 { line } else { line.trim_start_matches([' ', '\t', '>']) })
            .collect();
        let mut as_written = Vec::new();
        mentions(&written.join("\n"), Place::Item, &mut as_written);
        let mut plain = Vec::new();
        for run in runs {
            mentions(self.text.get(run).unwrap_or_default(), Place::Text, &mut plain);
        }
        for mention in &mut as_written {
            if plain.contains(&Mention { place: Place::Text, path: mention.path.clone() }) {
                mention.place = Place::Text;
            }
        }
        self.found.append(&mut as_written);
        self.found.append(&mut plain);
    }
}

fn without_comments(block: &str) -> String {
    let mut out = String::new();
    let mut rest = block;
    while let Some((before, inside)) = rest.split_once("<!--") {
        let Some((_, after)) = inside.split_once("-->") else { break };
        out.push_str(before);
        rest = after;
    }
    out + rest
}

/// The imports in one run of text: `@` at its start or behind a blank, and what follows up to the next blank. A
/// backslash and a space make a space; any other backslash ends the path.
fn mentions(run: &str, place: Place, found: &mut Vec<Mention>) {
    let mut at = 0;
    while let Some(sign) = run.get(at..).and_then(|rest| rest.find('@')).map(|sign| at + sign) {
        at = sign + 1;
        let before = run.get(..sign).and_then(|before| before.chars().next_back());
        if before.is_some_and(|c| !is_js_blank(c)) {
            continue;
        }
        let mut path = String::new();
        let mut rest = run.get(at..).unwrap_or_default().chars().peekable();
        while let Some(c) = rest.next_if(|c| !is_js_blank(*c)) {
            at += c.len_utf8();
            if c == '\\' {
                if rest.next_if_eq(&' ').is_none() {
                    break;
                }
                at += 1;
                path.push(' ');
            } else {
                path.push(c);
            }
        }
        if let Some(fragment) = path.find('#') {
            path.truncate(fragment);
        }
        if is_path(&path) {
            found.push(Mention { path, place });
        }
    }
}

/// Whether the client takes this for a path at all.
fn is_path(path: &str) -> bool {
    let first_fits = path.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
    first_fits || path.starts_with("~/") || (path.starts_with('/') && path.len() > 1)
}

/// The file that an import means: `~/` is the home directory, anything relative starts at the importing file's
/// real directory.
#[must_use]
pub fn resolve(path: &str, directory: &Path, home: &Path) -> PathBuf {
    match path.strip_prefix("~/") {
        Some(rest) => normal(&home.join(rest.trim_start_matches('/'))),
        None => normal(&directory.join(path)),
    }
}

/// The extensions that may be imported; a name without one may too.
const EXTENSIONS: &str = "md txt text rst adoc asciidoc org tex latex log csv json yaml yml toml ini cfg conf config env \
properties xml html htm css scss sass less js mjs cjs jsx ts mts cts tsx vue svelte astro py pyi pyw rb erb rake php java kt \
kts scala sbt gradle clj cljs cljc edn go rs c h cc cpp cxx hpp hxx swift cs lua pl pm r hs lhs ml mli elm ex exs erl hrl \
dart sql graphql gql proto sh bash zsh fish ps1 bat cmd make cmake lock diff patch pug jade ejs hbs f f90 f95 for";

/// The extension for which the client refuses to read a file, with its dot; `None`: it reads it.
#[must_use]
pub fn refused_extension(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    let dot = name.rfind('.').filter(|dot| *dot > 0)?;
    if name == ".." {
        return None;
    }
    let extension = name.get(dot + 1..)?.to_lowercase();
    let allowed = EXTENSIONS.split_ascii_whitespace().any(|allowed| allowed == extension);
    (!allowed).then(|| format!(".{extension}"))
}
