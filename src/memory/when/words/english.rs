//! English.

use super::{Meaning, Need, Scene, Table};
use crate::memory::pattern::Pattern;
use crate::memory::when::{Language, Unit};
use chrono::Weekday;
use std::sync::LazyLock;

pub(super) static TABLE: Table = Table {
    language: Language::English,
    rules: &[
        (r"{p}\b(?:the\s+)?day before yesterday\b", Meaning::Day(-2), Need::Nothing),
        (r"{p}\b(?:the\s+)?day after tomorrow\b", Meaning::Day(2), Need::Nothing),
        (
            r"{p}\byesterday(?P<s>['’]s)?(?:\s+(?:morning|afternoon|evening|night|noon))?\b",
            Meaning::Day(-1),
            Need::Past,
        ),
        (r"{p}\blast night(?P<s>['’]s)?\b", Meaning::Day(-1), Need::Past),
        (
            r"{p}\btomorrow(?P<s>['’]s)?(?:\s+(?:morning|afternoon|evening|night|noon))?\b",
            Meaning::Day(1),
            Need::Nothing,
        ),
        (
            r"{p}\b(?:tonight|(?:earlier|later) today|this (?:morning|afternoon|evening))\b",
            Meaning::Day(0),
            Need::Nothing,
        ),
        (
            r"(?P<p>as of|starting|since|from|effective|until|till|by)\s+today\b",
            Meaning::Day(0),
            Need::Nothing,
        ),
        (
            r"\btoday,?\s+(?P<x>(?:we|i|they|he|she|the user|the team)\s+(?:\w+ed|went|made|took|found|broke|began|chose|wrote|met|set|cut|built|ran|saw|put|fixed|have|had|were|was)\b)",
            Meaning::Day(0),
            Need::Nothing,
        ),
        (
            r"\b(?:we|i|they|he|she|was|were|been|team|user)\s+(?:\w+ed|chose|made|broke|went|took|found|set)(?:\s+[\w-]+){0,5}\s+(?P<r>today)\b",
            Meaning::Day(0),
            Need::Nothing,
        ),
        (
            r"{p}\b{w}\s+{d}\b(?:\s+(?:morning|afternoon|evening|night|noon))?",
            Meaning::WhichDay,
            Need::Nothing,
        ),
        (
            r"(?:will|['’]ll|going to|returns?|is back|comes? back|goes live|is due|are due)\b[^,;.]{0,40}?\s(?P<r>(?P<p>on)\s+{d})\b",
            Meaning::WhichDay,
            Need::Nothing,
        ),
        (r"{p}\b(?:the\s+)?(?:week|month|year) (?:after next|before last)\b", Meaning::Vague, Need::Nothing),
        (r"{p}\ba week from {d}\b", Meaning::Vague, Need::Nothing),
        (
            r"\b(?P<p>by|until|till|due(?: on)?|before)\s+{d}\b(?:\s+(?:morning|afternoon|evening|night|noon))?",
            Meaning::WhichDay,
            Need::Nothing,
        ),
        (r"{p}\b(?P<w>last|next)\s+{m}\b", Meaning::WhichMonth, Need::Nothing),
        (
            r"{p}\b(?:at\s+)?(?:the\s+)?(?:very\s+)?end of (?:the |this |the current )?{U}\b",
            Meaning::End,
            Need::Point,
        ),
        (
            r"\b(?:at|towards?)\s+(?:the\s+)?end of (?:the |this |the current )?{U}\b",
            Meaning::End,
            Need::Future,
        ),
        (r"{p}\b(?:at\s+)?(?:the\s+)?end of {w} {U}\b", Meaning::End, Need::Nothing),
        (r"{p}\b(?P<u>month|quarter|year)[- ]end\b", Meaning::End, Need::Point),
        (r"{p}\bEOM\b", Meaning::EndOf(Unit::Month), Need::Point),
        (r"{p}\bEOQ\b", Meaning::EndOf(Unit::Quarter), Need::Point),
        (r"{p}\bEOY\b", Meaning::EndOf(Unit::Year), Need::Point),
        (
            r"{p}\b(?:(?:earlier|later|early|late|some ?time)\s+)?(?P<w>last|this past)\s+{U}(?P<s>['’]s)?\b",
            Meaning::Which,
            Need::Past,
        ),
        (
            r"{p}\b(?:(?:earlier|later|early|late|some ?time)\s+)?{w}\s+{U}(?P<s>['’]s)?\b",
            Meaning::Which,
            Need::Nothing,
        ),
        (r"{p}\b(?:about |around |some |roughly )?{n}\s+{u}\s+ago\b", Meaning::Count(-1), Need::Past),
        (
            r"\b(?:the other day|(?:just )?a few (?:days|weeks|months|years) ago|several (?:days|weeks|months|years) ago|(?:days|weeks|months|years) ago|last (?:weekend|summer|winter|spring|autumn|fall))\b",
            Meaning::Vague,
            Need::Past,
        ),
        (r"\bnext (?:weekend|summer|winter|spring|autumn|fall)\b", Meaning::Vague, Need::Nothing),
        (r"{p}\b{n}\s+{u}\s+from\s+(?:now|today)\b", Meaning::Count(1), Need::Nothing),
        (
            r"\bin\s+(?:about |around |roughly )?{n}\s+{u}(?:['’]s?\s+time)?\b",
            Meaning::Count(1),
            Need::Future,
        ),
    ],
    prepositions: r"\b(?P<p>since|until|till|by|before|after|from|through|for|on|as of|starting|effective|of|due)\s+",
    numbers: &[
        ("a couple of", 2),
        ("couple of", 2),
        ("a", 1),
        ("an", 1),
        ("one", 1),
        ("two", 2),
        ("three", 3),
        ("four", 4),
        ("five", 5),
        ("six", 6),
        ("seven", 7),
        ("eight", 8),
        ("nine", 9),
        ("ten", 10),
        ("eleven", 11),
        ("twelve", 12),
    ],
    units: &[
        ("day", Unit::Day),
        ("week", Unit::Week),
        ("fortnight", Unit::Week),
        ("month", Unit::Month),
        ("quarter", Unit::Quarter),
        ("year", Unit::Year),
    ],
    unit_end: "s?",
    single_end: "",
    weekdays: &[
        ("mon", Weekday::Mon),
        ("monday", Weekday::Mon),
        ("tue", Weekday::Tue),
        ("tues", Weekday::Tue),
        ("tuesday", Weekday::Tue),
        ("wed", Weekday::Wed),
        ("wednesday", Weekday::Wed),
        ("thu", Weekday::Thu),
        ("thur", Weekday::Thu),
        ("thurs", Weekday::Thu),
        ("thursday", Weekday::Thu),
        ("fri", Weekday::Fri),
        ("friday", Weekday::Fri),
        ("sat", Weekday::Sat),
        ("saturday", Weekday::Sat),
        ("sun", Weekday::Sun),
        ("sunday", Weekday::Sun),
    ],
    weekday_end: "",
    which: &[
        ("next", 1),
        ("coming", 1),
        ("this coming", 1),
        ("this past", -1),
        ("past", -1),
        ("last", -1),
        ("this", 0),
    ],
    which_end: "",
    general: r"(?i)\b(?:(?:covers?|shows?|displays?|lists?|contains?|includes?|sums? up|summari[sz]es?|compares?|counts?|holds?|spans?)\s+(?:all\s+(?:of\s+)?|only\s+|just\s+)?(?:the\s+)?(?:whole\s+)?(?:of\s+)?(?:last|this|next|yesterday|today|tomorrow)\b|every|each|always|usually|typically|generally|often|daily|weekly|monthly|quarterly|yearly|annually|whenever|regularly|routine(?:ly)?|habit(?:ually)?|recurring|per (?:day|week|month)|(?:mon|tues|wednes|thurs|fri|satur|sun)days|likes|loves|enjoys|tends|relative (?:dates?|time|terms?|words?|expressions?)|absolute dates?|(?:the|a) (?:words?|phrases?|terms?|literal|placeholder)|(?:words|phrases|terms|expressions) (?:like|such as)|e\.g\.|for example|fuzzy dates?)\b",
    not_behind: r"(?i)\b(?:instead of|rather than|not|like|as|words?|called|named|says?|saying|means?|vs\.?|versus|than|or|per|of the|the|to the|within|a|any)\s*$|\b(?:if|unless|older than|newer than|more than|less than|longer than|at least|at most|up to|carried|carries|rolls?|rolled)\b[^,.;]*$",
    not_before: r"(?i)^\s*(?:view|tab|column|page|button|filter|label|widget|section|screen|list|bucket|preset|option|keyword|theme|variable|parameter|field|card|chart|dashboard|folder|playlist|lane|board|menu|toggle|panel|badge|shortcut|range|picker|macro|constant|template)s?\b|^\s+\d{1,2}\b|^\s+of\s+(?:the|a|an|each|every|that)\b|^\s+(?:at most|at least|or (?:less|more|older|newer|earlier|later|so)|in a row)\b|^['’]s\b",
    past: r"(?i)\b(?:\w{2,}ed|was|were|had|did|went|got|made|took|came|broke|found|began|ran|said|told|chose|wrote|lost|sent|met|built|left|saw|gave|put|set|cut|kept|held|paid|sold|bought|brought|taught|caught|fell|felt|grew|knew|led|meant|rose|spoke|spent|stood|threw|understood|woke|won|shut|hit|became|drew|drove|flew|froze|hid|sank|shook|stuck|struck|wore|has|have|shipped|split|let|read)\b|['’](?:ve|d)\b",
    future: r"(?i)\b(?:will|['’]ll|going to|(?:we|they|i|he|she|it|must|to|gets?|goes) +(?:\w+ +){0,3}?(?:start|begin|end|launch|ship|go|leave|switch|move|migrate|freeze|close|open|release|deliver|finish|retire|upgrade|stop|drop|replace|remove|revisit|review|meet|decide|return|live|to)\w*|starts|begins|ends|launch(?:es|ing)|ships|shipping|due|goes live|go live|live|expires|expiring|retires|freezes|opens|closes|lands|moves|migrates|migration|switch(?:es|ing)|leaves|leaving|joins|joining|returns|returning|back|planned|scheduled|happens|arrives|kicks? off|takes effect|effective|finishes|completes|wraps up|is|are|comes|released?|sunset\w*|deprecated|removed|shut\w*|deadline|cutover|renew\w*|revisit|remind|resumes|moving|going|starting|ending|changes|rolls out|reaches|runs out|stops|drops|replaces|turns|flips)\b[^,;]*$",
    event: "",
};

/// Where the sentence is about no day, whatever its words: a habit told in the present, a name, a condition.
pub(super) fn is_meant(scene: &Scene<'_>) -> bool {
    let words = scene.words;
    let lower = words.to_ascii_lowercase();
    // `the Today view`, a product called Tomorrow.
    let is_name = ["Yesterday", "Tomorrow", "Today"].iter().any(|name| words.contains(name));
    // The number of a list's item is no word.
    let is_first = scene.before.chars().all(|c| !c.is_alphabetic())
        || scene.before.trim_end().ends_with([':', '—', '–', '*', '-', '|', '"', '(']);
    if is_name && !is_first {
        return false;
    }
    if scene.group("s").is_some() && !EVENT.is_match(scene.after) {
        return false;
    }
    let looks_back = ["yesterday", "last", "ago", "tonight", "this"].iter().any(|word| lower.contains(word));
    let has_since = scene.group("p").is_some_and(|p| {
        ["since", "until", "till", "by", "starting", "due"].contains(&p.to_ascii_lowercase().as_str())
    });
    if looks_back && !has_since && (ASKED.is_match(scene.before) || TOLD_TO.is_match(scene.before)) {
        return false;
    }
    if lower.starts_with("in ")
        && (GENERIC.is_match(scene.before) || RESULT.is_match(scene.before) || NOT_IN.is_match(scene.after))
    {
        return false;
    }
    true
}

/// What happens once, behind a possessive ("yesterday's outage").
static EVENT: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)^\s+(?:\w+\s+)?(?:outage|incident|meeting|call|release|deploy(?:ment)?|review|decision|discussion|retro(?:spective)?|migration|audit|failure|crash|rollback|demo|workshop|sync|post-?mortem|planning|launch|cutover|fix|change|merge|regression|bug|upgrade|session|interview|goal|target|roadmap|deadline|freeze|conversation|agreement|refactor(?:ing)?|hotfix|rollout|leak|breach|test|training|offsite)\b",
    )
});

/// A question or a summary that was asked for ("what was done yesterday").
static ASKED: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)\b(?:what|whatever|anything|everything|how many|how much|asks|wants|prefers|expects)\b",
    )
});

/// An instruction, or a rule about data ("use the figures of yesterday").
static TOLD_TO: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)^[\W_]*(?:show|list|print|use|compare|fetch|load|query|defaults?|summari[sz]e|report|ask|check|read|look|pull|include|pick|take|copy|reuse|repeat|filter|group|count|display|never|don['’]t|do not)\b|\b(?:should|must|can|may|might|shall)\s+(?:\w+\s+){0,6}$",
    )
});

/// Something that holds for any of a kind ("a token expires in 30 days").
static GENERIC: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)^[\W_]*(?:an?|any|all|when|once|after|if|unless|tokens|sessions|links)\b|\b(?:within|takes?|took|taking|usually|after (?:a|the|each)|once|per)\b",
    )
});

/// A result that took so long ("finished in two weeks").
static RESULT: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)\b(?:(?:was|were|been|got|we|they|i|he|she|team)\s+(?:\w+\s+)?(?:\w+ed|done|built|written|rewrote|built|shipped)|done|built)\b[^,;]*$",
    )
});

static NOT_IN: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r"(?i)^\s+(?:of|or|after|before|without|flat|at most|from (?:the|each|their|its))\b")
});
