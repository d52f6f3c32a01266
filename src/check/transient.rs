//! The state of a single session.

use super::prose::{BLANK, Prose, Sentence};
use super::{Check, CheckId, Depth, Fix, Found, Look, Severity, quoted, seen_in};
use crate::memory::lines::line_of;
use crate::memory::pattern::Pattern;
use crate::memory::text::lossy;
use std::ops::Range;
use std::sync::LazyLock;

pub(super) const CHECKS: &[Check] = &[Check {
    id: CheckId("transient"),
    means: "The text tells how things stood in one session (\"tests pass now\", \"in progress\"); in the next one it is \
            no longer so.",
    depth: Depth::Deep,
    look: transient,
}];

fn transient(store: &Look<'_>, found: &mut Found) {
    for memory in &store.snapshot.memories {
        if !MAY_BE.is_match(&lossy(&memory.bytes)) {
            continue;
        }
        let prose = Prose::of(memory);
        for sentence in prose.sentences() {
            let Some((severity, place)) = state(&sentence) else { continue };
            let range = sentence.start + place.start..sentence.start + place.end;
            let words = sentence.text.get(place).unwrap_or_default();
            let line = line_of(&memory.bytes, range.start);
            let evidence = vec![seen_in(&memory.path, line, quoted(&sentence.text.replace(BLANK, "·")))];
            let message = format!("{} tells of one session", quoted(words));
            let finding = found.add(severity, &memory.path, line, message, evidence);
            finding.about = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            finding.range = Some(range);
            finding.fixes = vec![Fix::Edit, Fix::Delete];
        }
    }
}

/// The words of a sentence that tell of a session's state.
fn state(sentence: &Sentence<'_>) -> Option<(Severity, Range<usize>)> {
    let text = sentence.text;
    // Most sentences end here; the dearest look comes last.
    if !MAY_BE.is_match(text) {
        return None;
    }
    let words = strong(text)
        .or_else(|| SESSION.find(text).filter(|_| WORK.is_match(text)).map(|found| found.range()));
    let found = match words {
        Some(range) => {
            let after = text.get(range.end..).unwrap_or_default();
            (!IS_NAME.is_match(after)).then_some((Severity::Warning, trimmed(text, range)))
        }
        None => PLANS.find(text).map(|found| (Severity::Info, trimmed(text, found.range()))),
    };
    found.filter(|_| !GENERAL.is_match(text))
}

/// Words that tell of a state in one of the languages; a text in ASCII is in none of the last three.
fn strong(text: &str) -> Option<Range<usize>> {
    let patterns = STATES.get(..if text.is_ascii() { LATIN } else { STATES.len() }).unwrap_or_default();
    patterns.iter().find_map(|pattern| pattern.find(text)).map(|found| found.range())
}

/// So many patterns of [`STATES`] are of languages in Latin letters; they come first.
const LATIN: usize = 5;

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let words = text.get(range.clone()).unwrap_or_default();
    let inner = words.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '(' | '[' | ':' | '*' | '-' | '#' | '|' | '：')
    });
    let start = range.start + words.find(inner).unwrap_or(0);
    start..start + inner.len()
}

/// A fast look that most texts end with.
static MAY_BE: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::rough(
        r"(?i)pass(?:ing|es)?\b|fail|hang|crash|in the middle|next,? (?:i|we) |laufen|grün|échou|passam|passan|pasan|sin subir|sin confirmar|falta|working on|tests (?:jetzt|sind|laufen)|passent|échouent|pruebas|testes|テスト|테스트|测试|debugging|green|\bred\b|failing|broken|in progress|\bwip\b|session|sitzung|séance|sesión|sessão|currently|right now|left off|stopped|picked up|pick up|resume|todo|next|just |waiting|uncommitted|commit|submet|submit|por enviar|halfway|half-way|remaining|about to|still need|context|gerade|derzeit|momentan|noch nicht|in arbeit|warte|weiter|en cours|actuellement|vien[st] de|venons|reprendre|reste à|attend|en curso|en progreso|actualmente|ahora mismo|acab|pendiente|espera|em andamento|em progresso|atualmente|agora|parei|paramos|pendente|aguard|セッション|作業中|進行中|対応中|現在|途中|待ち|今のところ|次回|次は|たった今|未コミット|세션|진행 ?중|작업 ?중|현재|대기|방금|다음에|지금|아직|여기까지|本次|会话|會話|进行中|進行中|正在|目前|刚刚|剛剛|刚才|等待|尚未|下一步|接下来|待办|未提交",
    )
});

const DOING: &str = r"debugging|working\ on|investigating|fixing|testing|refactoring|implementing|looking\ (?:at|into)|stuck\ on|in\ the\ middle\ of|writing|migrating|rewriting|trying|reviewing|porting|adding|tracking\ down|rebasing|bisecting|chasing";

/// States of a session, each language's in one pattern.
static STATES: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let english = format!(
        r"(?ix)\b(?:(?:all\ |the\ |unit\ |integration\ |\d+\ )*tests?\ (?:all\ )?(?:now\ pass(?:es)?|pass(?:es)?\ (?:now|again|locally\ now)|(?:are|is)\ (?:all\ )?(?:now\ |currently\ |still\ |all\ )+(?:passing|green|failing|red|broken)|are\ (?:passing|green|failing|red)(?:\ (?:now|again|at\ the\ moment|right\ now))?)
          | \d+\ (?:of|/|out\ of)\ (?:the\ )?\d+\ (?:\w+\ )?tests?\ (?:are\ |is\ )?(?:now\ |still\ )?(?:green|red|pass\w*|fail\w*|broken)
          | tests?\ (?:\w+\ ){{0,4}}?(?:pass|fail|are\ green|are\ red)(?:\ (?:on|in|under|with|for)\ [\w.-]+){{0,2}}\ (?:now|again|at\ the\ moment|right\ now) | (?:\w+\ )?tests?\ still\ (?:fail|break|hang|crash)\w*
          | (?:i|we)\ (?:was|were)\ in\ the\ middle\ of | next,?\ (?:i|we)\ (?:have\ to|need\ to|must|will|should|want\ to)
          | (?:the\ )?(?:build|ci|pipeline|main)\ is\ (?:(?:now|currently|still|again)\ )?(?:red|green|broken|failing|passing)(?:\ (?:now|again|at\ the\ moment|right\ now))?
          | (?:is|are|still|currently|now|refactor\w*|migration|fix|status:?)\ (?:still\ |currently\ |now\ )*in\ progress
          | (?:currently|right\ now|at\ the\ moment|presently),?\ (?:we(?:['’]re|\ are)\ |i(?:['’]m|\ am)\ )?(?:{DOING}|blocked\ (?:on|by)|waiting\ (?:for|on)|half-?way)
          | (?:i(?:['’]m|\ am)|we(?:['’]re|\ are))\ (?:currently\ |now\ |still\ )*(?:{DOING}|waiting\ (?:for|on)|half-?way|blocked\ (?:on|by)|about\ to)
          | (?:left|leaving|leave)\ off\ (?:at|here|with|after|in|on|before) | stopped\ (?:here|mid-?way|half-?way) | (?:pick(?:ed|ing)?|continue|resume)\ (?:up\ )?(?:from\ )?(?:here|where\ (?:we|i)) | where\ (?:we|i)\ (?:left\ off|stopped)
          | todo\ next | next\ session\b(?:\ should|\ will|\ must|:|\ (?:start|continue|pick|finish)) | (?:for|in)\ the\ next\ session
          | (?:i|we)(?:['’]ve|\ have)?\ just\ (?:now\ )?(?:committed|pushed|finished|fixed|merged|ran|added|rebased|started|deployed|updated|refactored|moved|opened|created|reverted|renamed|implemented|completed|wrote|removed)
          | just\ (?:committed|pushed|rebased) 
          | (?:waiting|still\ waiting)\ (?:for|on)\ (?:the\ )?(?:ci|build|pipeline|review|code\ review|approval|merge|tests?|deploy\w*|checks|pr|pull\ request)\b
          | uncommitted\ (?:changes|work|edits|files)\ (?:in|on|are|left|remain) | (?:changes|work|edits)\ (?:are|is)\ (?:still\ |currently\ )?uncommitted | not\ (?:yet\ )?(?:committed|pushed)(?:\ yet)
          | half-?way\ (?:through|done) | (?:remaining|open)\ (?:steps|tasks|work|todos?)\ (?:for\ )?(?:this\ session|now|today) | still\ needs?\ to\ (?:be\ )?(?:fix|finish|test|commit|run|push|merge|rebas|implement)\w*
          | about\ to\ (?:commit|push|merge|rebase|deploy)\b
          | (?:context|context\ window)\ (?:is\ )?(?:almost|nearly|about)\ (?:full|exhausted|out) | (?:so\ far|done)\ (?:in\ )?this\ session
        )|(?:^|[\[(:|]|\*\*|[-—–]\ )\s*(?:status:?\**\s*)?(?:in\ progress|wip|work\ in\ progress)\s*(?:[\])|:.,;—–]|\*\*|$)|\b(?:is|are|still|currently|all|this\ is)\ (?:a\ |still\ )?(?:wip|work\ in\ progress)\b"
    );
    [
        english.as_str(),
        r"(?ix)\b(?:(?:alle\ |die\ )*tests\ (?:laufen|sind)\ (?:jetzt|nun|gerade|wieder|derzeit)\ (?:durch|grün|rot|alle\ durch)|tests\ laufen\ jetzt|(?:jetzt|nun)\ laufen\ (?:alle\ |die\ )*tests|\d+\ von\ \d+\ (?:\p{L}+\ )?tests\ (?:sind\ )?(?:grün|rot|laufen)|tests?\ schlagen?\ noch\ fehl|(?:ist|sind|noch|derzeit|gerade)\ (?:noch\ )?in\ (?:arbeit|bearbeitung)|in\ dieser\ sitzung|diese\ sitzung|(?:ich|wir)\ (?:habe|haben)\ (?:das\ |es\ |\S+\ )?(?:gerade|soeben|eben)\ |(?:ich\ bin|wir\ sind|bin|sind)\ (?:gerade|derzeit|noch|momentan)\ (?:dabei|mitten|am)|(?:warte|warten)\ (?:noch\ |gerade\ )?auf\ (?:die\ |den\ |das\ )?(?:ci|build|review|freigabe|pipeline)|hier\ (?:weiter|aufgehört|stehen\ ?geblieben)|(?:hier|dort)\ (?:weitermachen|geht\ es\ weiter)|noch\ nicht\ (?:committet|committed|commited|gepusht|eingecheckt)|(?:noch\ )?(?:uncommittet\w*|nicht\ eingecheckte\w*)\ (?:dateien|änderungen)|(?:derzeit|momentan|gerade)\ (?:debugge|debuggen|suche|suchen|arbeite|arbeiten|untersuche|untersuchen)|(?:debugge|suche|arbeite|untersuche|teste)n?\ (?:gerade|derzeit|momentan)|als\ nächstes:|nächste\ sitzung)",
        r"(?ix)\b(?:les\ tests\ (?:passent|échouent)\ (?:maintenant|désormais|à\ nouveau|actuellement)|(?:maintenant|désormais)\ (?:tous\ )?les\ tests\ passent|\d+\ tests?\ sur\ \d+\ (?:passent|échouent)|(?:est|sont|encore|toujours|travail|migration)\ en\ cours\b(?:\s*[.,;)]|\s*$)|(?:dans|pendant|durant|au\ cours\ de)\ cette\ (?:session|séance)|(?:je|nous)\ (?:viens|venons)\ (?:juste\ )?de\s|on\ vient\ (?:juste\ )?de\s|(?:je\ suis|nous\ sommes)\ en\ train\ de|en\ train\ de\ (?:déboguer|corriger|tester)|(?:j['’]attends|nous\ attendons|on\ attend|en\ attente)\ (?:de\ )?(?:la\ |le\ |l['’])?(?:ci|build|revue|validation|pipeline)|(?:on\ s['’]est|je\ me\ suis|nous\ nous\ sommes)\ arrêtée?s?\ (?:ici|là|à)|reprendre\ (?:ici|là\ où)|pas\ encore\ (?:été\ )?(?:commité|committé|poussé|validé|enregistré)|actuellement\ (?:en\ train|bloqué)|prochaine\ session)",
        r"(?ix)\b(?:(?:las\ |los\ |todas\ |todos\ )*(?:pruebas|tests)\ (?:ya\ |ahora\ )*(?:pasan|fallan)\ (?:ahora|de\ nuevo|ya)|(?:ahora|ya)\ (?:todas\ |todos\ )?(?:las\ |los\ )?(?:pruebas|tests)\ pasan|(?:ahora|ya)\ pasan\ (?:todas\ |todos\ )?(?:las\ |los\ )(?:pruebas|tests)|(?:me|nos)\ falta\ (?:todavía\ |aún\ )?\p{L}+r\b|(?:está|están|sigue|trabajo|migración|aún)\ en\ (?:curso|progreso)\b|(?:en|durante)\ esta\ sesión|(?:acabo|acabamos)\ de\s|(?:estoy|estamos)\ (?:\p{L}+(?:ando|iendo)|en\ medio)\b|(?:esperando|a\ la\ espera\ de|en\ espera\ de)\ (?:a\ )?(?:que\ )?(?:la\ |el\ )?(?:ci|build|revisión|aprobación|pipeline)|(?:me\ quedé|nos\ quedamos|lo\ dejé|lo\ dejamos)\s|seguir\ (?:desde\ aquí|aquí|donde)|(?:sin|aún\ no|todavía\ no)\ (?:hacer\ commit|hemos\ hecho\ commit|está\ subido)|(?:modificad|cambiad)[oa]s?\ (?:aún\ |todavía\ )?sin\ (?:commit\w*|subir|confirmar|enviar)|(?:aún|todavía)\ sin\ (?:commit\w*|subir|confirmar|hacer\ commit)|próxima\ sesión|actualmente\ (?:depurando|trabajando|bloquead))",
        r"(?ix)\b(?:(?:os\ |todos\ )*testes\ (?:agora\ |já\ )*(?:passam|passaram|falham|estão\ passando|estão\ falhando)\ ?(?:agora|de\ novo)?|agora\ (?:todos\ )?os\ testes\ passam|(?:agora|já)\ passam\ (?:todos\ )?os\ testes|(?:está|estão|continua|trabalho|migração|ainda)\ em\ (?:andamento|progresso|curso)\b|(?:n|durante\ )esta\ sessão|(?:acabei|acabamos)\ de\s|(?:estou|estamos)\ (?:\p{L}+(?:ando|endo|indo)|no\ meio)\b|(?:aguardando|esperando|à\ espera\ d)\S*\ (?:a\ |o\ )?(?:ci|build|revisão|aprovação|pipeline)|(?:parei|paramos)\ (?:aqui|em|no|na)|(?:continuar|retomar)\ (?:daqui|de\ onde)|(?:ainda\ não)\ (?:fiz\ commit|fizemos\ commit|foi\ enviado|commitado|commitei)|alterad[oa]s?\ (?:ainda\ )?(?:por|sem)\ (?:submeter|enviar|commit\w*|fazer\ commit|gravar)|ainda\ (?:por|sem)\ (?:submeter|enviar|commit\w*|fazer\ commit)|próxima\ sessão|atualmente\ (?:depurando|trabalhando|bloquead))",
        r"(?:テスト(?:は|が)?(?:今|現在|いま|すべて|全部|全て)[^。]{0,6}(?:通|パス|成功|失敗)|(?:今|現在)(?:は)?、?テスト[^。]{0,6}(?:通|パス|成功|失敗)|(?:作業|対応|実装|調査|修正|移行|デバッグ|開発|レビュー)中(?:です|だ|。|である|の段階|$)|進行中(?:です|だ|。|である|$)|(?:この|今回の)セッション|たった今|(?:さっき|先ほど)[^。]{1,20}(?:コミット|プッシュ|修正|追加|マージ)し|(?:CI|ビルド|レビュー|承認)(?:の結果)?待ち|(?:CI|ビルド|レビュー|承認)を待って|ここまで(?:やった|進め|完了|作業)|次回(?:は)?(?:ここから|続き)|続きは|未コミット|まだ(?:コミット|プッシュ)して(?:い)?ない|途中で(?:止|中断))",
        r"(?:테스트(?:가|는)?\s?(?:지금|현재|이제|모두)\s?(?:모두\s?)?(?:통과|실패)|(?:지금|현재|이제)(?:은|는)?\s?(?:모든\s?)?테스트(?:가|는)?\s?(?:모두\s?)?(?:통과|실패)|(?:작업|진행|구현|조사|수정|디버깅|이전|검토|개발)\s?중(?:이다|입니다|임|\.|$)|(?:이번|이|현재)\s?세션(?:에서|에는|에|의 목표|동안)|방금\s[^.]{0,20}(?:했|커밋|푸시|수정|추가|병합)|(?:CI|빌드|리뷰|승인)(?:를|을)?\s?(?:기다리는|대기)\s?중?|여기까지\s?(?:했|진행|완료|작업)|여기서부터|다음\s?세션|아직\s?(?:커밋|푸시)(?:하지|되지|을 안| 안))",
        r"(?:测试(?:现在|目前|已经|都|全部)+[^。]{0,4}(?:通过|失败)|(?:现在|目前)[^。]{0,4}测试[^。]{0,4}(?:通过|失败)|(?:正在|目前在)(?:调试|排查|修复|重构|实现|开发|迁移|处理|等待|编写|测试)|(?:工作|迁移|重构|开发|修复|任务|还在|仍在|正在)进行中|进行中(?:。|$|）)|(?:本次|这次|此次|這次|当前)(?:会话|會話|对话)|(?:刚刚|剛剛|刚才|我刚)[^。]{0,12}(?:提交|推送|修复|完成|合并|添加)|等待(?:CI|构建|评审|审核|代码审查|流水线|批准)|(?:上次)?(?:做到|停在|进行到)(?:这里|此处|第)|(?:尚未|还没有?|未)(?:提交|推送)(?:。|$|，|代码)|下次(?:会话|继续|从这里)|从这里继续)",
    ]
    .into_iter()
    .map(Pattern::new)
    .collect()
});

/// "This session", which may also be a product's.
static SESSION: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)(?:\b(?:in|during|for|from|throughout|earlier|later) this session\b|^\W*this session\b|\bthis session (?:we|i|was|focused|covered|added|is about)\b|\bthis (?:conversation|chat)\b)",
    )
});

/// Work that an agent does in a session.
static WORK: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)\b(?:we|i|i['’]ve|we['’]ve|fixed|added|implemented|done|worked|changed|commits?|committed|refactored|debugged|tested|discussed|completed|created|updated|covered|focus(?:ed)?|goal|tasks?|progress|finished|wrote|investigated|reviewed|merged|renamed|removed|moved|decided)\b",
    )
});

/// Plans, which outlive a session at times.
static PLANS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)^[\s#*>|-]*(?:next (?:steps?|up|action)|remaining (?:work|steps|tasks)|nächste schritte|prochaines étapes|próximos pas[os]+|siguientes pasos|次のステップ|残作業|다음 단계|남은 작업|下一步|待办事项?)\**\s*[:：]",
    )
});

/// Rules, habits and conditions, in which such words are what is spoken of.
static GENERAL: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?ix)\b(?:never|always|when|whenever|while|if|unless|every|each|don['’]t|do\ not|must|should|until|avoid|prefers?|likes|wants|asks|expects|once|so\ that|make\ sure|ensure|means|labels?|columns?|called|named
          |nie|niemals|immer|wenn|falls|sobald|während|solange|jede\w*|bevor|muss|soll\w*
          |jamais|toujours|quand|lorsque|si|pendant\ que|chaque|avant\ que|doit|doivent
          |nunca|siempre|cuando|mientras|cada|antes\ de\ que|debe|deben
          |sempre|quando|enquanto|se|antes\ que|deve|devem)\b
        |しない|してはいけない|するな|場合|たら|とき|間は|際は|までは|毎回|必ず|하지 ?마|하지 ?않|할 때|경우|동안에?는|항상|매번|反드시|금지|때마다|如果|每次|时候|不要|必须|总是|期间|切勿|禁止|之前先",
    )
});

/// What makes a name of the words before it ("WIP limits", "in-progress column", "this session's token").
static IS_NAME: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)^(?:['’]s\b|[-\s]*(?:limits?|commits?|branch(?:es)?|prs?|prefix|label|column|state|status\b|flag|indicator|badge|tickets?|issues?|tokens?|cookie|id\b|store|storage|key|variable|timeout|expires|ends|handling|spinner|bar|event|hook|record|table)\b)",
    )
});

#[cfg(test)]
mod tests;
