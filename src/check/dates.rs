//! Dates that have passed, and dates that only meant something on the day they were written.

use super::prose::{BLANK, Prose, Sentence};
use super::{Check, CheckId, Depth, Fix, Found, Look, Severity, quoted, seen_in};
use crate::memory::lines::line_of;
use crate::memory::pattern::Pattern;
use crate::memory::snapshot::Memory;
use crate::memory::text::lossy;
use crate::memory::when::{self, Dated, Span, Spoken, Written, dates};
use chrono::NaiveDate;
use std::ops::Range;
use std::sync::LazyLock;

pub(super) const CHECKS: &[Check] = &[
    Check {
        id: CheckId("date-past"),
        means: "A deadline, or the end of something that the memory says holds, has passed.",
        depth: Depth::Deep,
        look: date_past,
    },
    Check {
        id: CheckId("relative-date"),
        means: "Words like \"yesterday\" or \"next week\" meant a day only when they were written; an agent that reads \
                them later takes them for another.",
        depth: Depth::Deep,
        look: relative_date,
    },
];

fn relative_date(store: &Look<'_>, found: &mut Found) {
    for memory in &store.snapshot.memories {
        if !when::may_be_relative(&lossy(&memory.bytes)) {
            continue;
        }
        let written = when::written(memory);
        let prose = Prose::of(memory);
        for sentence in prose.sentences() {
            let entry = entry_day(&sentence, written.day);
            let day = entry.as_ref().map_or(written.day, |entry| entry.day);
            for spoken in when::relative(sentence.text, day) {
                report(memory, &sentence, &spoken, entry.as_ref().unwrap_or(&written), found);
            }
        }
    }
}

fn report(memory: &Memory, sentence: &Sentence<'_>, spoken: &Spoken, written: &Written, found: &mut Found) {
    let range = sentence.start + spoken.range.start..sentence.start + spoken.range.end;
    let words = sentence.text.get(spoken.range.clone()).unwrap_or_default();
    let line = line_of(&memory.bytes, range.start);
    let meant = spoken.span.map_or_else(
        || "which day that was can't be told later".to_owned(),
        |span| format!("it meant {}", in_words(span)),
    );
    let evidence = vec![
        seen_in(&memory.path, line, quoted(&sentence.text.replace(BLANK, "·"))),
        seen_in(&memory.path, None, format!("written on {} ({})", written.day, written.clock)),
    ];
    let finding =
        found.add(Severity::Warning, &memory.path, line, format!("{}: {meant}", quoted(words)), evidence);
    finding.about = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    finding.range = Some(range.clone());
    let in_body = memory.document.body.contains(&range.start);
    if spoken.span.is_some() {
        let is_safe = spoken.is_sure && written.is_sure && in_body;
        finding.fixes.push(Fix::Replace { range, text: spoken.text.clone(), is_safe });
    }
    finding.fixes.push(Fix::Edit);
}

fn in_words(span: Span) -> String {
    match span {
        Span::Week(_) => format!("the week of {span}"),
        _ => span.to_string(),
    }
}

/// The day that an entry names at its head (`2026-03-02: yesterday we …`) or in the heading above it.
fn entry_day(sentence: &Sentence<'_>, written: NaiveDate) -> Option<Written> {
    let at_head = |text: &str| {
        let head = text.get(..text.len().min(HEAD)).or_else(|| text.get(..text.floor_char_boundary(HEAD)))?;
        let first = dates(head).into_iter().next()?;
        let Span::Day(day) = first.span else { return None };
        let before = head.get(..first.range.start)?;
        let letters = before.chars().filter(|c| c.is_alphabetic()).count();
        // What lies ahead was not the day of writing.
        (letters <= 3 && day <= written.succ_opt().unwrap_or(written)).then_some(day)
    };
    let own = format!("{}{}", sentence.before, sentence.text);
    let in_heading = || {
        let day = dates(sentence.heading).into_iter().find_map(|date| match date.span {
            Span::Day(day) => Some(day),
            _ => None,
        })?;
        (day <= written.succ_opt().unwrap_or(written)).then_some(day)
    };
    let day = at_head(&own).or_else(in_heading)?;
    Some(Written { day, clock: "the entry's own date", is_sure: true })
}

/// How many bytes of an entry may hold its date.
const HEAD: usize = 40;

fn date_past(store: &Look<'_>, found: &mut Found) {
    let today = store.now.date_naive();
    for memory in &store.snapshot.memories {
        let text = lossy(&memory.bytes);
        if !YEAR.is_match(&text) {
            continue;
        }
        let prose = Prose::of(memory);
        for sentence in prose.sentences() {
            if !YEAR.is_match(sentence.text) {
                continue;
            }
            for date in dates(sentence.text).into_iter().filter(|date| date.span.last_day() < today) {
                if let Some(cue) = deadline(&sentence, &date) {
                    past(memory, &sentence, &date, &cue, today, found);
                }
            }
        }
    }
}

fn past(
    memory: &Memory,
    sentence: &Sentence<'_>,
    date: &Dated,
    cue: &str,
    today: NaiveDate,
    found: &mut Found,
) {
    let range = sentence.start + date.range.start..sentence.start + date.range.end;
    let words = sentence.text.get(date.range.clone()).unwrap_or_default();
    let line = line_of(&memory.bytes, range.start);
    let days = (today - date.span.last_day()).num_days();
    let ago = if days == 1 { "1 day".to_owned() } else { format!("{days} days") };
    let message = format!("{} has passed {ago} ago, and the text says {}", quoted(words), quoted(cue));
    let evidence = vec![seen_in(&memory.path, line, quoted(&sentence.text.replace(BLANK, "·")))];
    let finding = found.add(Severity::Warning, &memory.path, line, message, evidence);
    finding.about = words.split_whitespace().collect::<Vec<_>>().join(" ");
    finding.range = Some(range);
    finding.fixes = vec![Fix::Edit, Fix::Delete];
}

/// The word that makes a date of a sentence a deadline or an end; `None` when it is only the time of something.
fn deadline(sentence: &Sentence<'_>, date: &Dated) -> Option<String> {
    let before = sentence.text.get(..date.range.start)?;
    let after = sentence.text.get(date.range.end..)?;
    let clause = clause(before);
    let cue = AHEAD
        .find(clause)
        .map(|found| found.as_str().trim())
        .or_else(|| BEHIND.find(after).map(|found| found.as_str().trim()))
        .or_else(|| HEADED.find(before).map(|found| found.as_str().trim()))?;
    let told = (PAST.is_match(clause) && !PLANNED.is_match(clause))
        || is_over(sentence, &date.range)
        || is_told_of(before, after);
    (!told).then(|| cue.trim_matches([':', '(', ' ', '*', ',']).to_owned())
}

/// The part of a sentence that a date is said in.
fn clause(before: &str) -> &str {
    let cut = before
        .rfind(['(', '（', '—', '。'])
        .map_or(0, |at| at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
    before.get(cut..).unwrap_or(before)
}

/// Whether the text says that the deadline was met, moved, or is over.
fn is_over(sentence: &Sentence<'_>, date: &Range<usize>) -> bool {
    let after = sentence.text.get(date.end..).unwrap_or_default();
    let next: String = sentence.after.chars().take(NEXT).collect();
    let before = sentence.text.get(..date.start).unwrap_or_default();
    OVER.is_match(before) || OVER.is_match(after) || OVER.is_match(&next)
}

/// Whether a date that opens its sentence is the end of what was so: `Until 2026-03-12 the files came by mail`.
fn is_told_of(before: &str, after: &str) -> bool {
    let opens = before.split_whitespace().count() <= 4;
    let clause = after.split([';', '.', '。']).next().unwrap_or_default();
    opens && (WAS.is_match(clause) && !PLANNED.is_match(clause) || SINCE_THEN.is_match(after))
}

/// A verb of the past right in the main clause.
static WAS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?ix)\b(?:was|were|had|did|used\ to|came|went|took|gave|got|sent|wrote|held|stood|sat|ran|lived|kept|made|met|paid|ate|saw|read\ from|(?:we|they|it|he|she|i|files?|service|team|project|system|customers?|users?)\ \p{L}+ed
            |war|waren|hatte|hatten|kam|kamen|ging|gingen|lief|liefen|lag|lagen|galt|galten|nutzten|wurde|wurden|gab
            |era|eran|fue|fueron|estaba|estaban|había|venía|venían|llegaba|llegaban|iba|iban|usábamos|\p{L}+aba|\p{L}+aban
            |était|étaient|avait|avaient|venait|venaient|arrivaient|arrivait|passait|passaient|utilisait|utilisions|fallait
            |foi|foram|eram|estava|estavam|tinha|tinham|vinha|vinham|chegava|chegavam|\p{L}+ávamos|\p{L}+ava|\p{L}+avam)\b
          | でした | だった | していた | ていた | だったが | 였다 | 었다 | 했다 | 았다 | 一直是 | 当时 | 過去 ",
    )
});

/// What was so ended with the date.
static SINCE_THEN: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)\b(?:since then|from then on|after that,|thereafter|ever since|seither|seitdem|danach|desde entonces|a partir de entonces|después,|depuis lors|depuis,|ensuite|desde então|a partir daí|depois disso)\b|その後|それ以来|それ以降|이후로는|그 후|그 뒤|此后|之后改|后来",
    )
});

/// How many characters behind a sentence may say that it is over.
const NEXT: usize = 90;

static YEAR: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"(?:19|20)\d\d"));

static AHEAD: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?ix)
        (?: \b(?: until | till | 'til | thru | through | no\ later\ than | not\ later\ than | at\ the\ latest | best\ before
            | valid(?:\ only)?\ (?:to|through|until|till|up\ to) | (?:is|are)\ due(?:\ (?:on|by|in))? | due(?:\ (?:on|by|in|date))?
            | by(?:\ the)? | before
            | deadline(?:\ [\p{L}'’-]+){0,6} | due\ date(?:\ \p{L}+){0,3} | cut-?off(?:\ date)?(?:\ \p{L}+){0,4}
            | expires(?:\ \p{L}+){0,2} | expir(?:y|ation)(?:\ \p{L}+){0,4} | expiring(?:\ on)? | will\ expire(?:\ on)?
            | ends(?:\ (?:on|in|at))? | ending(?:\ on)? | lasts(?:\ until)? | runs\ out(?:\ (?:on|in))? | closes(?:\ on)? | retires(?:\ (?:on|in))?
            | sunsets?(?:\ \p{L}+){0,3} | (?:end\ of\ (?:life|support)|eol|eos)(?:\ \p{L}+){0,3} | goes\ away(?:\ (?:on|in))? | stops(?:\ \p{L}+){0,3}
            | will\ be\ (?:removed|dropped|retired|shut\ down|switched\ off|turned\ off|deleted|lifted|disabled)(?:\ (?:on|in|by|at))?
            | hasta(?:\ el|\ fin(?:ales)?\ de)? | antes\ del? | a\ más\ tardar(?:\ el)? | fecha\ límite(?:\ \p{L}+){0,5} | vence(?:\ el|\ en)? | caduca(?:\ el|\ en)? | expira(?:\ el|\ en|\ em)?
            | plazo(?:\ \p{L}+){0,5} | termina(?:\ el|\ en|\ em)? | finaliza(?:\ el|\ en)? | vigente\ hasta(?:\ el)?
            | bis(?:\ (?:zum|einschließlich|ende|spätestens))* | spätestens(?:\ \p{L}+){0,2} | frist(?:\ \p{L}+){0,5} | gültig\ bis(?:\ zum)? | endet(?:\ (?:am|im|mit))? | fällig(?:\ (?:am|bis|zum|im))*
            | ablauf(?:datum)?(?:\ \p{L}+){0,3} | stichtag(?:\ \p{L}+){0,4} | läuft(?:\ \p{L}+){0,4}\ (?:am|bis|bis\ zum)
            | jusqu['’](?:au|à|en)(?:\ la\ fin\ de)? | avant(?:\ le|\ la\ fin)? | au\ plus\ tard(?:\ le|\ en)? | date\ limite(?:\ \p{L}+){0,5} | échéance(?:\ \p{L}+){0,5} | expire(?:\ le|\ en)?
            | valable\ jusqu['’](?:au|à) | se\ termine(?:\ le|\ en)? | prend\ fin(?:\ le|\ en)? | d['’]ici(?:\ le|\ au|\ à|\ fin)?
            | até(?:\ o\ fim\ de|\ o\ dia|\ ao?)? | prazo(?:\ \p{L}+){0,5} | validade(?:\ \p{L}+){0,3} | antes\ d[eo] | data\ limite(?:\ \p{L}+){0,5} | o\ mais\ tardar(?:\ em)?
            | deadline(?:\ [\p{L}'’-]+){0,4}
            | (?:will|shall|going\ to|is\ to|are\ to|plans?\ to|wants?\ to|intends?\ to)\ (?:\p{L}+\ ){0,2}?(?:end|close|expire|shut(?:\ down|\ off)?|stop|cease|retire|switch\ off|turn\ off|disappear|discontinue|remove|drop|delete|disable|withdraw|terminate|lapse|be\ (?:closed|ended|stopped|discontinued|disabled|withdrawn|terminated|decommissioned))(?:\ [\p{L}'’-]+){0,6}?(?:\ (?:on|in|by|at|from))?
            | (?:dejará\ de\ (?:funcionar|existir)|se\ (?:apagará|cerrará|retirará|eliminará|desactivará)|será\ (?:retirad|eliminad|desactivad|desligad|encerrad|removid)[oa]|cerrará|finalizará|terminará|vencerá|caducará|expirará|acabará|vai\ (?:acabar|terminar|expirar|fechar)|encerra|deixará\ de\ funcionar|deixa\ de\ funcionar)(?:\ \p{L}+){0,4}?(?:\ (?:el|en|em|no|a))?
            | (?:sera\ (?:arrêté|fermé|coupé|désactivé|supprimé|retiré)e?|cessera|s['’]arrêtera|s['’]arrête|fermera|expirera|se\ terminera|prendra\ fin|va\ (?:fermer|expirer|disparaître|s['’]arrêter))(?:\ \p{L}+){0,4}?(?:\ (?:le|en|au))?
            )
          | (?:期限|締切|締め切り|締切日|有効期限|期日|納期|マイルストーン期限)[^。、]{0,12} | (?:마감일?|기한|만료일?|유효기간)[^.,]{0,12} | (?:截止(?:日期|时间|到|至|于)?|到期(?:日|时间)?|到|至|有效期|期限|最后期限|最晚|最迟|直到|直至|截至|不晚于|延续到|持续到|冻结到|冻结至|有效至)[^。，]{0,8}
        )
        [\s:：=*_\x00\-–—(（|]*(?:on|the|le|el|dem|den|am|o|a|em|en|im|is|of)?\s*$
        ",
    )
});

static BEHIND: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?ix)^[\s)*_]*(?:
            まで | 迄 | (?:が|は)?(?:締切|締め切り|期限) | に(?:期限切れ|失効|終了する|満了) | 以降は(?:無効|使えない) | 前に(?:完了|終|対応|移行)
          | \s?까지 | \s?(?:마감|만료|종료\s?예정) | 에\s?(?:만료|마감|종료(?:된다|됩니다|예정)) | \s?전까지 | 이전까지
          | \s(?:abgeschaltet|eingestellt|abgekündigt|stillgelegt)\b
          | \s?(?:に|で)(?:停止|廃止|終了|閉鎖)(?:する|される|します|予定) | \s?에\s?(?:중단|폐쇄|종료)(?:될|된다|됩니다|할|한다|\s?예정) | (?:将)?(?:停止|关闭|下线|停用|停服)(?:[^了]|$)
          | 截止 | 到期 | 之前 | 以前 | 前(?:完成|必须|必須|要|需|不|请|請|上线|提交|迁移|，) | 为止 | 為止 | 过期 | 過期 | 失效 | 结束(?!了) | 終了予定
          | \s?(?:deadline|due\ date|cut-?off|freeze\ end)\b
          | \s(?:at\ the\ latest|or\ earlier|latest)\b
        )"
        .replace("(?!了)", "")
        .as_str(),
    )
});

/// Words further before a date: the sentence is about a deadline.
static HEADED: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)\b(?:deadline|due date|expiry date|expiration date|fecha límite|date limite|échéance|prazo|data limite|\p{L}*frist|\p{L}*schluss|stichtag|ablaufdatum)\b[^.;,()]{0,60}\b(?:is|es|est|ist|é|on|am|le|el|em|fällt auf)\b\s*(?:the|le|el|der|den|am|on|o)?\s*$",
    )
});

/// What happened, rather than what is to end.
static PAST: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?ix)\b(?:was|were|had|did|used|ran|lived|kept|worked|stayed|served|lasted|existed|began|decided|agreed|discovered|introduced|added|happened|occurred|(?:was|were|been)\ \w+ed
            |era|eran|fue|fueron|estaba|estaban|estuvo|había|usábamos|usaba|war|waren|hatte|hatten|wurde|wurden|lief|liefen|nutzte|était|étaient|avait|avaient|a\ été|ont\ été|a\ duré|utilisait|foi|foram|era|eram|estava|estavam|tinha|usava|ficou)\b
            | ^[^,;:]*\b(?:we|they|i|he|she|it|team|project|service|company|system|app|users?)\ (?:\p{L}+ed)\b
            | \p{L}+ed\ by\s*$ | よりも | でした | だった | していた | していました | 였다 | 했었다 ",
    )
});

/// A plan, in spite of a participle ("must be finished by").
static PLANNED: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)\b(?:must|should|shall|will|needs?|has to|have to|to be|planned|scheduled|required|is|are|frozen|blocked|no|don['’]t|do not|muss|müssen|soll|sollen|ist|sind|debe|deben|está|están|doit|doivent|est|sont|deve|devem|está|estão)\b[^.;]*$",
    )
});

/// Met, moved, or over.
static OVER: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?ix)\b(?:as\ planned|and\ (?:is\ |was\ )?(?:now\ )?(?:done|over|met|finished|shipped|complete[d]?)|(?:was|were|is|are|been|got|since|already|now)\ (?:since\ |already\ |now\ |then\ |been\ )*(?:met|done|over|passed|lifted|extended|postponed|moved|cancell?ed|completed|finished|shipped|released|ended|expired|renewed|closed|dropped|delivered|resolved|superseded|replaced|achieved|reached|history|thawed|submitted|filed)
            |has\ (?:since\ |already\ |now\ )?(?:passed|ended|expired|been|lapsed|thawed)|have\ (?:since\ |already\ )?(?:passed|ended|expired|been)|we\ (?:met|made|hit|missed|shipped|finished|delivered|kept|extended)|no\ longer|done\ on|(?:extended|postponed|moved|pushed|slipped|delayed|renewed)\ (?:to|until|till|by)|in\ time|on\ time|met\ (?:it|the\ deadline)|former|formerly|old\ deadline|originally|previously|is\ over|long\ over|lifted
            |cumplid[oa]|terminad[oa]|completad[oa]|se\ cumplió|prorrogad[oa]|ampliad[oa]|ya\ (?:pasó|terminó|venció|no|está)|se\ levantó|aplazad[oa]|entregad[oa]
            |erledigt|eingehalten|verlängert|verschoben|abgeschlossen|beendet|aufgehoben|vorbei|fertig|inzwischen|geschafft|ausgelaufen
            |terminée?|respectée?|prolongée?|repoussée?|reportée?|levée?|dépassée?|achevée?|déjà|tenue?
            |concluíd[oa]|cumprid[oa]|prorrogad[oa]|adiad[oa]|encerrad[oa]|já\ (?:passou|terminou|acabou|foi|expirou)|entregue)\b
          | 完了済|完了した|完了しました|終わった|終わりました|延長|延期|済み|解除され|間に合っ|過ぎた|達成
          | 완료했|완료됐|완료되었|완료됨|끝났|연장|연기|지났|해제|마쳤|달성
          | 已完成|已经完成|已經完成|已过|已過|已结束|已結束|已延|延期|延长|延長|推迟|如期|按时|已解除|已取消|完成了|已达成
          | [✅✓☑✔] | \[x\] | \(done\) | \bdone[.!)]*\s*$",
    )
});

#[cfg(test)]
mod tests;
