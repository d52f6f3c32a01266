//! Takes several memories apart that were given one after the other as Markdown.

/// The memories in a text. A new one begins at a line `---` behind which frontmatter with a `name` or a `description`
/// follows, up to another line `---`; a thematic break has none.
pub(super) fn split(text: &str) -> Vec<&str> {
    let lines: Vec<(usize, &str)> = text
        .split_inclusive('\n')
        .scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some((start, line.trim_end_matches(['\n', '\r'])))
        })
        .collect();
    let mut starts = Vec::new();
    let mut at = 0;
    while let Some((start, line)) = lines.get(at) {
        let end =
            if *line == "---" { end_of_frontmatter(lines.get(at + 1..).unwrap_or_default()) } else { None };
        match end {
            Some(length) => {
                starts.push(*start);
                at += length + 2;
            }
            None => at += 1,
        }
    }
    let bounds = starts.iter().copied().zip(starts.iter().copied().skip(1).chain([text.len()]));
    let head = text.get(..starts.first().copied().unwrap_or(text.len())).unwrap_or_default();
    let mut found: Vec<&str> = Vec::new();
    found.extend((!head.trim().is_empty()).then_some(head));
    found.extend(bounds.filter_map(|(from, to)| text.get(from..to)));
    found
}

/// How many lines of frontmatter stand before its end.
fn end_of_frontmatter(lines: &[(usize, &str)]) -> Option<usize> {
    let length = lines.iter().position(|(_, line)| *line == "---")?;
    let inside = lines.get(..length)?;
    let is_key = |line: &str| line.starts_with("name:") || line.starts_with("description:");
    let is_yaml = |line: &&(usize, &str)| !line.1.trim().is_empty();
    let first = inside.iter().find(is_yaml)?;
    let looks_so = first.1.split_once(':').is_some_and(|(key, _)| !key.contains(' '));
    (looks_so && inside.iter().any(|(_, line)| is_key(line))).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn memories_one_after_the_other() {
        let a = "---\nname: a\ntype: user\n---\n\nOne.\n\n---\n\nBelow a break.\n";
        let b = "---\ndescription: b\n---\nTwo.\n";
        assert_eq!(split(&format!("{a}{b}")), [a, b]);
        assert_eq!(split(a), [a]);
        assert_eq!(split("no frontmatter\n"), ["no frontmatter\n"]);
        assert_eq!(split(&format!("words\n{b}")), ["words\n", b]);
        assert!(split("\n").is_empty());
    }
}
