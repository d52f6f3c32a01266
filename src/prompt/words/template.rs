//! A literal text of the client with slots in it: `This memory is {days} days old`, as the client would word it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What stands in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// A file's path.
    Path,
    /// A directory, without a slash at its end.
    Dir,
    /// All lines of an index.
    Lines,
    /// The size of an index, in the client's form.
    Size,
    /// How many lines of it are lost.
    Lost,
    /// The number of the first line that is lost, from 1.
    First,
    /// What the first line that is lost says, cut as the client cuts it.
    Quoted,
    /// How many UTF-16 units of a line are kept that is cut inside.
    Kept,
    /// Whole days.
    Days,
    /// The day on which the session starts, `2026-11-30`.
    Date,
}

/// What stands in the slots of one text.
pub type Values = BTreeMap<Value, String>;

/// A text with slots.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Part {
    Text(String),
    Slot { slot: Value },
}

impl Template {
    /// The template of a text in which these values stand: each place where one of them stands is a slot. Longer values
    /// are looked for first, so that a directory is no slot inside of a path.
    #[must_use]
    pub fn of(text: &str, values: &Values) -> Self {
        let mut sorted: Vec<(&Value, &String)> = values.iter().filter(|(_, text)| !text.is_empty()).collect();
        sorted.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let found =
                sorted.iter().find_map(|(slot, value)| Some((**slot, rest.strip_prefix(value.as_str())?)));
            match found {
                Some((slot, behind)) => {
                    if !literal.is_empty() {
                        parts.push(Part::Text(std::mem::take(&mut literal)));
                    }
                    parts.push(Part::Slot { slot });
                    rest = behind;
                }
                None => {
                    literal.push(first);
                    rest = rest.get(first.len_utf8()..).unwrap_or_default();
                }
            }
        }
        if !literal.is_empty() {
            parts.push(Part::Text(literal));
        }
        Self(parts)
    }

    /// The text with these values in its slots; `None` when one of them is not given.
    #[must_use]
    pub fn fill(&self, values: &Values) -> Option<String> {
        let part = |part: &Part| match part {
            Part::Text(text) => Some(text.clone()),
            Part::Slot { slot } => values.get(slot).cloned(),
        };
        self.0.iter().map(part).collect()
    }

    /// The literal text before the first slot.
    #[must_use]
    pub fn start(&self) -> &str {
        match self.0.first() {
            Some(Part::Text(text)) => text,
            _ => "",
        }
    }
}

/// Values from pairs.
pub fn values<T: Into<String>>(pairs: impl IntoIterator<Item = (Value, T)>) -> Values {
    pairs.into_iter().map(|(value, text)| (value, text.into())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_become_slots_and_come_back() {
        let first = values([(Value::Lines, "271"), (Value::Lost, "71"), (Value::Size, "3.1KB")]);
        let template = Template::of("it has 271 of 200 lines, 3.1KB, and 71 are lost", &first);
        let other = values([(Value::Lines, "9"), (Value::Lost, "1"), (Value::Size, "1MB")]);
        assert_eq!(template.fill(&other).unwrap(), "it has 9 of 200 lines, 1MB, and 1 are lost");
        assert_eq!(template.fill(&values([(Value::Lines, "9")])), None, "a slot without a value");
        assert_eq!(template.start(), "it has ");
        let kept = serde_json::to_string(&template).unwrap();
        assert_eq!(serde_json::from_str::<Template>(&kept).unwrap(), template);
    }

    proptest! {
        #[test]
        fn what_is_read_is_written_again(text in "[ab1é]{0,30}", one in "[ab1é]{0,3}", two in "[ab1é]{0,3}") {
            let values = values([(Value::Path, one), (Value::Days, two)]);
            prop_assert_eq!(Template::of(&text, &values).fill(&values), Some(text));
        }
    }
}
