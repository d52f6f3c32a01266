//! From the text of a pattern to what it is made of.

use super::{GroupKind, Item, Node};

/// The most patterns that braces may make of one: ours, against `{a,b}{a,b}{a,b}…`.
const MAX_CHOICES: usize = 1000;

/// Reads a whole pattern: one that is nothing but `!(…)` with a slash in it matches everything (measured).
pub(super) fn whole(text: &str) -> Vec<Node> {
    let nodes = parse(&text.chars().collect::<Vec<_>>());
    match nodes.as_slice() {
        [Node::Group { kind: GroupKind::Not, .. }] if text.contains('/') => vec![Node::All],
        _ => nodes,
    }
}

fn parse(chars: &[char]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let rest = chars.get(at + 1..).unwrap_or_default();
        let at_name = matches!(nodes.last(), None | Some(Node::Char('/') | Node::Dirs));
        at += 1;
        match c {
            '*' if rest.first() == Some(&'(') => at += group(GroupKind::Any, rest, &mut nodes),
            '?' if rest.first() == Some(&'(') => at += group(GroupKind::Optional, rest, &mut nodes),
            '+' if rest.first() == Some(&'(') => at += group(GroupKind::Many, rest, &mut nodes),
            '@' if rest.first() == Some(&'(') => at += group(GroupKind::One, rest, &mut nodes),
            '!' if rest.first() == Some(&'(') => at += group(GroupKind::Not, rest, &mut nodes),
            '(' => at = at - 1 + group(GroupKind::One, chars.get(at - 1..).unwrap_or_default(), &mut nodes),
            '*' => {
                let more = rest.iter().take_while(|c| **c == '*').count();
                let after = rest.get(more).copied();
                at += more;
                match (more, after) {
                    (1, Some('/')) if at_name => {
                        at += 1;
                        nodes.push(Node::Dirs);
                    }
                    (1, None) if nodes.is_empty() => nodes.push(Node::All),
                    (1, None) if nodes.last() == Some(&Node::Char('/')) => {
                        nodes.pop();
                        nodes.push(Node::Below);
                    }
                    (1, None) if nodes.last() == Some(&Node::Dirs) => nodes.push(Node::All),
                    _ => nodes.push(Node::Star {
                        filled: at_name && !nodes.is_empty() && matches!(after, None | Some('/')),
                    }),
                }
            }
            '?' => nodes.push(Node::One),
            '[' => match class(rest) {
                Some((node, length)) => {
                    let inside = rest.get(..length.saturating_sub(1)).unwrap_or_default();
                    nodes.push(either(inside, node));
                    at += length;
                }
                None => nodes.push(Node::Char('[')),
            },
            c => nodes.push(Node::Char(c)),
        }
    }
    nodes
}

/// Reads `(a|b)`; gives how many characters it took. An unclosed one stands for itself.
fn group(kind: GroupKind, chars: &[char], nodes: &mut Vec<Node>) -> usize {
    let mut depth = 0;
    let mut choices = Vec::new();
    let mut from = 1;
    for (at, c) in chars.iter().enumerate() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '|' if depth == 1 => {
                choices.push(parse(chars.get(from..at).unwrap_or_default()));
                from = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            choices.push(parse(chars.get(from..at).unwrap_or_default()));
            nodes.push(Node::Group { kind, choices });
            return at + 1;
        }
    }
    nodes.push(Node::Char('('));
    1
}

/// Reads a class after its `[`; gives how many characters it took.
fn class(chars: &[char]) -> Option<(Node, usize)> {
    let negated = chars.first() == Some(&'^');
    let mut at = usize::from(negated);
    let start = at;
    let mut items = Vec::new();
    loop {
        let rest = chars.get(at..)?;
        match rest {
            [']', ..] if at > start => return Some((Node::Class { negated, items }, at + 1)),
            ['[', ':', name @ ..] => {
                let end = name.windows(2).position(|pair| pair == [':', ']'])?;
                items.push(Item::Named(name.get(..end)?.iter().collect()));
                at += end + 4;
            }
            [from, '-', to, ..] if *to != ']' => {
                items.push(Item::Range(*from, *to));
                at += 3;
            }
            [c, ..] => {
                items.push(Item::Range(*c, *c));
                at += 1;
            }
            [] => return None,
        }
    }
}

/// A class without special characters also stands for its own text, brackets and all (measured).
fn either(inside: &[char], class: Node) -> Node {
    if inside.iter().any(|c| "-*+?.^${}(|)[]".contains(*c)) {
        return class;
    }
    let text = std::iter::once(&'[').chain(inside).chain([&']']).map(|c| Node::Char(*c)).collect();
    Node::Group { kind: GroupKind::One, choices: vec![text, vec![class]] }
}

/// Expands `{a,b}` and `{1..3}`, nested ones too; braces without a comma or a range stand for themselves.
pub(super) fn braces(pattern: &str, out: &mut Vec<String>) {
    let Some((before, choices, after)) = first_braces(pattern) else {
        if out.len() < MAX_CHOICES {
            out.push(pattern.to_owned());
        }
        return;
    };
    for choice in choices {
        if out.len() >= MAX_CHOICES {
            return;
        }
        braces(&format!("{before}{choice}{after}"), out);
    }
}

fn first_braces(pattern: &str) -> Option<(&str, Vec<String>, &str)> {
    for (open, _) in pattern.match_indices('{') {
        let inside = pattern.get(open + 1..)?;
        let mut depth = 1;
        let mut commas = Vec::new();
        let close = inside.char_indices().find_map(|(at, c)| {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => commas.push(at),
                _ => {}
            }
            (depth == 0).then_some(at)
        });
        let Some(close) = close else { continue };
        let (body, after) = (inside.get(..close)?, inside.get(close + 1..)?);
        let before = pattern.get(..open)?;
        if !commas.is_empty() {
            let starts = std::iter::once(0).chain(commas.iter().map(|at| at + 1));
            let ends = commas.iter().copied().chain([body.len()]);
            let choices =
                starts.zip(ends).filter_map(|(from, to)| body.get(from..to)).map(str::to_owned).collect();
            return Some((before, choices, after));
        }
        if let Some(choices) = range(body) {
            return Some((before, choices, after));
        }
    }
    None
}

/// What the client makes of `{a..c}`: one class of characters, `[a-c]` (so `{1..10}` is a one or a zero, measured); where
/// that is none, the text between the braces.
fn range(body: &str) -> Option<Vec<String>> {
    let mut ends: Vec<&str> = body.split("..").collect();
    if ends.len() < 2 || ends.iter().any(|end| end.is_empty()) {
        return None;
    }
    ends.sort_unstable();
    let class: Vec<char> = ends.join("-").chars().collect();
    let backwards = class.windows(3).any(|three| matches!(three, [from, '-', to] if from > to));
    Some(vec![if backwards { ends.join("..") } else { format!("[{}]", ends.join("-")) }])
}
