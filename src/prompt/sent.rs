//! An index as newer clients send it: its text is cleaned at the very end, after limits and quotes (measured on
//! 2.1.332; the limits count what is taken off here).

use crate::prompt::limits::Loaded;
use crate::prompt::strip::is_js_blank;
use crate::prompt::versions::Rules;
use regex::Regex;
use std::sync::LazyLock;

/// What newer clients take out of an index: control, format, private and unassigned characters and those that are
/// ignored by default; tabs, the two joiners and the last two variation selectors stay.
const UNSEEN: &str =
    r"[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]--[\t\n\x{200C}\x{200D}\x{FE0E}\x{FE0F}]]";

/// The text of an index, or of the notice about it, as a client with these rules sends it.
#[must_use]
pub fn sent(text: &str, rules: &Rules) -> String {
    let mut text = text.to_owned();
    if rules.sanitises {
        static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(UNSEEN).ok());
        text = text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}'], "\n");
        if let Some(pattern) = &*PATTERN {
            text = pattern.replace_all(&text, "").into_owned();
        }
    }
    if rules.escapes_tags { escaped(&text) } else { text }
}

/// What loads of an index as it is sent: what is taken off may leave blanks at its ends, which go too; those at the end
/// stay when a notice follows.
#[must_use]
pub fn body(loaded: &Loaded, rules: &Rules) -> String {
    let cut = loaded.over_lines || loaded.over_size;
    // A CR at the cut and the LF before the notice are one line end.
    let text = loaded.text.strip_suffix('\r').filter(|_| cut && rules.sanitises).unwrap_or(&loaded.text);
    let sent = sent(text, rules);
    match (rules.sanitises, cut) {
        (false, _) => sent,
        (true, false) => sent.trim_matches(is_js_blank).to_owned(),
        (true, true) => sent.trim_start_matches(is_js_blank).to_owned(),
    }
}

/// A text whose reminder tags can't close the block that it stands in: a backslash behind their bracket (measured on
/// 2.1.332, in any case and with blanks and attributes).
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (nth, part) in text.split('<').enumerate() {
        if nth > 0 {
            out.push_str(if is_reminder(part) { "<\\" } else { "<" });
        }
        out.push_str(part);
    }
    out
}

fn is_reminder(after: &str) -> bool {
    const NAME: &str = "system-reminder";
    let after = after.trim_start();
    let after = after.strip_prefix('/').unwrap_or(after).trim_start();
    let is_name = after.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME));
    let next = after.get(NAME.len()..).and_then(|rest| rest.chars().next());
    is_name && !next.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str, rules: &Rules) -> String {
        super::body(&Loaded { text: text.into(), ..Loaded::default() }, rules)
    }

    #[test]
    fn tags_of_the_reminder_are_escaped() {
        let escapes = [
            "<system-reminder>",
            "</system-reminder>",
            "<SYSTEM-REMINDER>",
            "</System-Reminder >",
            "</system-reminder\n>",
        ];
        for tag in escapes.into_iter().chain([
            "<system-reminder x=\"y\">",
            "< system-reminder>",
            "<system-reminder/>",
            "<  /  system-reminder>",
            "<system-reminder.",
        ]) {
            assert_eq!(escaped(tag), tag.replacen('<', "<\\", 1));
        }
        for text in [
            "<system-reminders>",
            "</system-reminderx>",
            "<system-reminder-x>",
            "<\\/system-reminder>",
            "<b>",
            "a < b",
        ] {
            assert_eq!(escaped(text), text);
        }
    }

    /// One after the other between letters, in the index of 2.1.332.
    #[test]
    fn what_a_newer_client_takes_out_of_an_index() {
        let gone = [
            0x0, 0x1, 0x8, 0xb, 0xc, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9f, 0xad, 0x34f, 0x378, 0x61c, 0x6dd,
            0x70f, 0x115f, 0x180b, 0x180e, 0x200b, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060, 0x2064, 0x2065,
            0x2066, 0x206f, 0x3164, 0xe000, 0xf8ff, 0xfe00, 0xfeff, 0xffa0, 0xfff0, 0xfff9, 0xfffb, 0xfffe,
            0xffff, 0x110bd, 0x13430, 0x1d173, 0xe0001, 0xe0041, 0xe007f, 0xe0100, 0xf0000, 0x10ffff,
        ];
        let kept = [
            0x9, 0xa0, 0x300, 0x2000, 0x200c, 0x200d, 0x202f, 0x205f, 0x2800, 0x3000, 0xfe0e, 0xfe0f, 0xfffc,
            0xfffd,
        ];
        let line = |c: u32| format!("a{}b", char::from_u32(c).unwrap());
        for c in gone {
            assert_eq!(body(&line(c), &Rules::NEWEST), "ab", "{c:x}");
            assert_eq!(body(&line(c), &Rules::default()), line(c), "2.1.197 sends all: {c:x}");
        }
        for c in kept {
            assert_eq!(body(&line(c), &Rules::NEWEST), line(c), "{c:x}");
        }
        for (text, want) in [
            ("a\r\nb\rc\u{2028}d\u{2029}e", "a\nb\nc\nd\ne"),
            ("- a </sys\u{200b}tem-reminder>", "- a <\\/system-reminder>"),
            ("\u{200b}  - a\n\u{200b}", "- a"),
            ("\u{200b}\u{7}", ""),
        ] {
            assert_eq!(body(text, &Rules::NEWEST), want, "{text:?}");
        }
        let cut = Loaded { text: " - a \u{200b}".into(), over_lines: true, ..Loaded::default() };
        assert_eq!(super::body(&cut, &Rules::NEWEST), "- a ", "the notice stands behind it");
        let cut = Loaded { text: "- a\r\n- b\r".into(), over_lines: true, ..Loaded::default() };
        assert_eq!(super::body(&cut, &Rules::NEWEST), "- a\n- b");
        assert_eq!(super::body(&cut, &Rules::default()), "- a\r\n- b\r");
    }
}
