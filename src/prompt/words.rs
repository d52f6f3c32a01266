//! The literal texts of one version of the client, learned from it. Each is known or not on its own.

pub mod compare;
pub mod exchange;
pub mod learn;
pub mod template;
pub mod verdict;

use crate::prompt::picture::Layer;
use crate::prompt::versions::Rules;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use template::{Template, Values};

/// The texts around content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// What the block of the first message begins with.
    Opening,
    /// What it ends with.
    Closing,
    /// The heading above a file of the machine's administrator. A run in a throw-away home shows none.
    Managed,
    /// The heading above a file of the person.
    User,
    /// The heading above a file of the project.
    Project,
    /// The heading above a file of the person for this project.
    Local,
    /// The heading above the index.
    Auto,
    /// The notice about an index over the limit of lines.
    NoticeLines,
    /// The same where the first line that is lost is blank.
    NoticeLinesBlank,
    /// The notice about an index over the limit of size.
    NoticeSize,
    /// The same where the first line that is lost is blank.
    NoticeSizeBlank,
    /// The same where the cut goes through a line.
    NoticeSizeInside,
    /// The notice about an index over both limits.
    NoticeBoth,
    /// The same where the first line that is lost is blank.
    NoticeBothBlank,
    /// The same where the cut goes through a line.
    NoticeBothInside,
    /// The note before a memory that is read, about its age.
    Age,
    /// What stands before the path of the first file that loads on use.
    UseOpening,
    /// What stands between path and content of such a file.
    UseHeading,
    /// What stands between one such file and the path of the next one.
    UseJoint,
    /// What stands behind the last one.
    UseClosing,
    /// The memory part of the system prompt.
    Memory,
    /// The memory part of a sub-agent's system prompt up to its index, for a memory of scope `user`.
    AgentUser,
    /// The same for scope `project`.
    AgentProject,
    /// The same for scope `local`.
    AgentLocal,
    /// What stands in place of a sub-agent's index that is missing or empty.
    AgentEmpty,
}

impl Slot {
    /// All of them.
    pub const ALL: [Self; 25] = [
        Self::Opening,
        Self::Closing,
        Self::Managed,
        Self::User,
        Self::Project,
        Self::Local,
        Self::Auto,
        Self::NoticeLines,
        Self::NoticeLinesBlank,
        Self::NoticeSize,
        Self::NoticeSizeBlank,
        Self::NoticeSizeInside,
        Self::NoticeBoth,
        Self::NoticeBothBlank,
        Self::NoticeBothInside,
        Self::Age,
        Self::UseOpening,
        Self::UseHeading,
        Self::UseJoint,
        Self::UseClosing,
        Self::Memory,
        Self::AgentUser,
        Self::AgentProject,
        Self::AgentLocal,
        Self::AgentEmpty,
    ];

    /// Its name, in the file that keeps it and on the screen.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Closing => "closing",
            Self::Managed => "label-managed",
            Self::User => "label-user",
            Self::Project => "label-project",
            Self::Local => "label-local",
            Self::Auto => "label-auto",
            Self::NoticeLines => "notice-lines",
            Self::NoticeLinesBlank => "notice-lines-blank",
            Self::NoticeSize => "notice-size",
            Self::NoticeSizeBlank => "notice-size-blank",
            Self::NoticeSizeInside => "notice-size-inside",
            Self::NoticeBoth => "notice-both",
            Self::NoticeBothBlank => "notice-both-blank",
            Self::NoticeBothInside => "notice-both-inside",
            Self::Age => "age-note",
            Self::UseOpening => "on-use-opening",
            Self::UseHeading => "on-use-heading",
            Self::UseJoint => "on-use-joint",
            Self::UseClosing => "on-use-closing",
            Self::Memory => "memory-part",
            Self::AgentUser => "agent-user",
            Self::AgentProject => "agent-project",
            Self::AgentLocal => "agent-local",
            Self::AgentEmpty => "agent-empty",
        }
    }

    /// Whether a client with these rules has such a text: older ones say the same wherever a cut falls.
    #[must_use]
    pub fn applies(self, rules: &Rules) -> bool {
        use Slot::{NoticeBothBlank, NoticeBothInside, NoticeLinesBlank, NoticeSizeBlank, NoticeSizeInside};
        let by_place =
            [NoticeLinesBlank, NoticeSizeBlank, NoticeSizeInside, NoticeBothBlank, NoticeBothInside]
                .contains(&self);
        rules.notice_counts_lost || !by_place
    }

    /// The heading of a layer; a sub-agent's index has none.
    #[must_use]
    pub fn of_layer(layer: Layer) -> Option<Self> {
        match layer {
            Layer::Managed => Some(Self::Managed),
            Layer::User => Some(Self::User),
            Layer::Project => Some(Self::Project),
            Layer::Local => Some(Self::Local),
            Layer::Auto => Some(Self::Auto),
            Layer::Agent => None,
        }
    }

    /// The memory part for a scope, by the word for it in an agent's definition.
    #[must_use]
    pub fn of_scope(scope: &str) -> Option<Self> {
        match scope {
            "user" => Some(Self::AgentUser),
            "project" => Some(Self::AgentProject),
            "local" => Some(Self::AgentLocal),
            _ => None,
        }
    }
}

/// The literal texts of one version.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    /// The version that they were learned from.
    pub version: String,
    /// What is known.
    pub slots: BTreeMap<Slot, Template>,
}

impl Words {
    /// A text with its slots filled; `None` when it is not known or a value is missing.
    #[must_use]
    pub fn say(&self, slot: Slot, values: &Values) -> Option<String> {
        self.slots.get(&slot)?.fill(values)
    }

    /// What is not known.
    #[must_use]
    pub fn unknown(&self) -> Vec<Slot> {
        Slot::ALL.into_iter().filter(|slot| !self.slots.contains_key(slot)).collect()
    }

    /// Whether enough is known for a preview in the client's words.
    #[must_use]
    pub fn is_useful(&self) -> bool {
        [Slot::Opening, Slot::Closing, Slot::Project].iter().all(|slot| self.slots.contains_key(slot))
    }

    /// As it is kept.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let slots = self.slots.iter().filter_map(|(slot, template)| {
            Some((slot.as_str().to_owned(), serde_json::to_value(template).ok()?))
        });
        let mut object = Map::new();
        object.insert("version".into(), self.version.clone().into());
        object.insert("slots".into(), Json::Object(slots.collect()));
        Json::Object(object)
    }

    /// From what was kept. Whatever in it can't be read is not known; `None` when nothing can.
    #[must_use]
    pub fn from_json(json: &Json) -> Option<Self> {
        let version = json.get("version")?.as_str()?.to_owned();
        let kept = json.get("slots")?.as_object()?;
        let slot = |slot: Slot| Some((slot, serde_json::from_value(kept.get(slot.as_str())?.clone()).ok()?));
        Some(Self { version, slots: Slot::ALL.into_iter().filter_map(slot).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use template::{Value, values};

    #[test]
    fn each_slot_is_kept_and_read_on_its_own() {
        let days = values([(Value::Days, "40")]);
        let words = Words {
            version: "2.1.5".into(),
            slots: [(Slot::Age, Template::of("40 days", &days)), (Slot::Closing, Template::of("end", &days))]
                .into(),
        };
        let mut json = words.to_json();
        assert_eq!(Words::from_json(&json), Some(words.clone()));
        json["slots"]["closing"] = serde_json::json!({ "x": 1 });
        json["slots"]["what-later-versions-keep"] = 3.into();
        let read = Words::from_json(&json).unwrap();
        assert_eq!(read.slots.keys().collect::<Vec<_>>(), [&Slot::Age]);
        assert_eq!(read.say(Slot::Age, &values([(Value::Days, "2")])).unwrap(), "2 days");
        assert!(read.unknown().contains(&Slot::Closing) && !read.is_useful());
        for bad in ["{}", "[]", "3", "{\"version\":1,\"slots\":{}}", "{\"version\":\"1\",\"slots\":[]}"] {
            assert_eq!(Words::from_json(&serde_json::from_str(bad).unwrap()), None, "{bad}");
        }
        let names: std::collections::BTreeSet<_> = Slot::ALL.iter().map(|slot| slot.as_str()).collect();
        assert_eq!(names.len(), Slot::ALL.len());
    }
}
