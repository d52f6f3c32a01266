//! Finds the links of an index that name memories, and the block that each stands in.

use crate::memory::index::{Target, source::Source};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// What Markdown says about an index.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Every link to a memory, in the order of the file.
    pub links: Vec<Link>,
    /// The bytes of every heading outside lists.
    pub headings: Vec<Range<usize>>,
}

/// A link to a memory.
#[derive(Debug)]
pub(super) struct Link {
    pub target: Target,
    /// The text as it reads.
    pub title: String,
    /// The bytes of the whole link.
    pub range: Range<usize>,
    /// The bytes of its text as written.
    pub text: Range<usize>,
    pub block: Block,
}

/// The innermost block that holds a link, with its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    /// A list item, with all that it holds.
    Item(Range<usize>),
    /// A row of a table's body.
    Row(Range<usize>),
    /// A paragraph outside lists.
    Paragraph(Range<usize>),
    /// A heading, the head of a table, or something else that must stay.
    Other(Range<usize>),
}

/// Finds the links and headings.
pub(super) fn find(source: &Source<'_>) -> Found {
    let mut walk = Walk::of(source);
    let markdown = source.text.get(source.start..).unwrap_or_default();
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(markdown, options).into_offset_iter() {
        walk.event(event, range.start + source.start..range.end + source.start);
    }
    walk.end_run();
    let mut found = walk.found;
    found.links.sort_by_key(|link| link.range.start);
    found
}

struct Walk<'a> {
    source: &'a Source<'a>,
    found: Found,
    /// The blocks around the current place, outermost first.
    blocks: Vec<Block>,
    /// The link around the current place, when there is one.
    open: Option<Open>,
    /// Code blocks and images around the current place: no links there.
    opaque: usize,
    /// Text without markup that is being read, for links that Markdown does not know.
    run: Range<usize>,
}

struct Open {
    range: Range<usize>,
    destination: String,
    title: String,
    text: Option<Range<usize>>,
}

impl<'a> Walk<'a> {
    fn of(source: &'a Source<'a>) -> Self {
        Self { source, found: Found::default(), blocks: Vec::new(), open: None, opaque: 0, run: 0..0 }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        if let (Some(open), false) = (&mut self.open, matches!(event, Event::End(TagEnd::Link))) {
            open.take(&event, &range);
            return;
        }
        if matches!(event, Event::Text(_)) && self.opaque == 0 {
            if self.run.end != range.start {
                self.end_run();
                self.run.start = range.start;
            }
            self.run.end = range.end;
            return;
        }
        self.end_run();
        match event {
            Event::Start(Tag::Link { dest_url, .. }) if self.opaque == 0 => {
                let destination = dest_url.into_string();
                self.open = Some(Open { range, destination, title: String::new(), text: None });
            }
            Event::End(TagEnd::Link) => self.close_link(),
            Event::Start(tag) => self.start(&tag, range),
            Event::End(tag) => self.end(tag),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Item => self.blocks.push(Block::Item(range)),
            Tag::TableRow => self.blocks.push(Block::Row(range)),
            Tag::Paragraph => self.blocks.push(Block::Paragraph(range)),
            Tag::TableHead => self.blocks.push(Block::Other(range)),
            Tag::Heading { .. } => {
                if !self.blocks.iter().any(|block| matches!(block, Block::Item(_))) {
                    self.found.headings.push(range.clone());
                }
                self.blocks.push(Block::Other(range));
            }
            Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::Image { .. } => self.opaque += 1,
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Item | TagEnd::TableRow | TagEnd::Paragraph | TagEnd::TableHead | TagEnd::Heading(_) => {
                self.blocks.pop();
            }
            TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::Image => {
                self.opaque = self.opaque.saturating_sub(1);
            }
            _ => {}
        }
    }

    fn close_link(&mut self) {
        let Some(open) = self.open.take() else { return };
        if let Some(target) = Target::of_destination(&open.destination) {
            let text = open.text.unwrap_or(open.range.start + 1..open.range.start + 1);
            self.push(target, open.title, open.range, text);
        }
    }

    fn push(&mut self, target: Target, title: String, range: Range<usize>, text: Range<usize>) {
        let block = self.block(&range);
        self.found.links.push(Link { target, title, range, text, block });
    }

    /// The innermost block that an edit can take: what a list item holds belongs to the item, except a
    /// table in it.
    fn block(&self, link: &Range<usize>) -> Block {
        let mut innermost = None;
        for block in &self.blocks {
            match (block, innermost) {
                (Block::Paragraph(_), Some(_)) => {}
                _ => innermost = Some(block),
            }
        }
        innermost.cloned().unwrap_or_else(|| Block::Other(link.clone()))
    }

    /// Looks in a finished run of text for what Markdown takes for text: wikilinks, and links whose
    /// destination has raw spaces (the client writes those, CLIENT_FACTS B7).
    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        let mut at = run.start;
        while let Some(open) = self.source.slice(at..run.end).find('[').map(|found| at + found) {
            // `![…]` shows a picture, `\[` is a bracket and no link.
            let before = self.source.slice(0..open);
            let other = before.ends_with('\\') || (open > run.start && before.ends_with('!'));
            match self.link_at(open, run.end).filter(|_| !other) {
                Some((target, range, text)) => {
                    let title = self.source.slice(text.clone()).to_owned();
                    at = range.end;
                    self.push(target, title, range, text);
                }
                None => at = open + 1,
            }
        }
    }

    fn link_at(&self, open: usize, end: usize) -> Option<(Target, Range<usize>, Range<usize>)> {
        let rest = self.source.slice(open..end);
        if let Some(inside) = rest.strip_prefix("[[") {
            let inside = inside.get(..inside.find("]]")?)?;
            let target = Target::of_wikilink(inside)?;
            // The shown text, when the link has one, is what stands for it in a sentence.
            let shown = inside.rfind('|').map_or(0, |bar| bar + 1);
            let text = open + 2 + shown..open + 2 + inside.len();
            return Some((target, open..text.end + 2, text));
        }
        let (title, after) = rest.strip_prefix('[')?.split_once("](")?;
        let destination = after.get(..after.find(')')?)?;
        if title.contains(['[', ']']) || destination.contains(['(', '<', '\n', '\r']) {
            return None;
        }
        let target = Target::of_destination(destination)?;
        let text = open + 1..open + 1 + title.len();
        Some((target, open..text.end + 2 + destination.len() + 1, text))
    }
}

impl Open {
    fn take(&mut self, event: &Event<'_>, range: &Range<usize>) {
        match event {
            Event::Text(text) | Event::Code(text) => self.title.push_str(text),
            Event::SoftBreak | Event::HardBreak => self.title.push(' '),
            _ => {}
        }
        let text = self.text.get_or_insert(range.clone());
        text.start = text.start.min(range.start);
        text.end = text.end.max(range.end);
    }
}
