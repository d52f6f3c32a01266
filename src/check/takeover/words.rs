//! The words of a takeover in eight languages, and the words of a text that warns of one.

use crate::memory::pattern::Pattern;
use std::ops::Range;
use std::sync::LazyLock;

/// What a text tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// To set aside what was told before.
    Ignore,
    /// To give the agent another part to play.
    Role,
    /// To keep something from the person.
    Hide,
    /// To do what matters without asking.
    Unasked,
    /// To look like the client's own words.
    Tag,
}

impl What {
    pub(super) const fn in_words(self) -> &'static str {
        match self {
            Self::Ignore => "it tells the agent to set aside its instructions",
            Self::Role => "it gives the agent another part to play",
            Self::Hide => "it tells the agent to keep something from the person",
            Self::Unasked => "it lets the agent do what matters without asking",
            Self::Tag => "it looks like the client's own words",
        }
    }
}

/// Whether a text can hold any: a fast look that most texts end with.
pub(super) fn may_have(text: &str) -> bool {
    static ANY: LazyLock<Pattern> = LazyLock::new(|| {
        Pattern::rough(
            r"(?i)ignor|disregard|restrict|limit|guideline|no longer|revised|updated|instruktion|vorgaben|regeln|grenzen|folg|gehorch|nichts|règles|reglas|límites|regras|órdenes|ordens|sigas|obede|ルール|規則|指示|지침|지시|규칙|规则|规則|指令|约束|void|guidance|instructions|disabl|safety|turn off|switch off|circumvent|reveal|leak|frag|anweisung|schranken|beschränk|nichts davon|forget|overrid|bypass|discard|you are now|from now on|pretend|act as|system|guardrail|safeguard|\[/?inst|im_start|im_end|<\||</|ask|confirm|the user|without|secret from|hide |conceal|missacht|vergiss|überschreib|du bist|nutzer|rückfrage|nachfrag|bestätigung|zustimmung|genehmigung|oublie|restriction|consignes|ne dis |n.en parle|tiens pas compte|tu es|vous êtes|utilisateur|demand|sans |olvid|restriccion|instruccion|omit|descart|caso omiso|eres|usuario|pregunt|pidas|sin |esqueç|restriç|instruç|esquece|desconsider|você|usuário|utilizador|pergunt|peça|sem |無視|忘れ|無効|制限|取り消|ユーザ|利用者|確認|許可|聞かず|尋ねず|承認|あなたは|무시|잊|사용자|묻지|확인|승인|허락|허가|이제|무효|제한|忽略|作废|失效|限制|无效|无视|無視|忘|用户|用戶|使用者|你现在|你現在|询问|詢問|确认|確認|批准|请求",
        )
    });
    ANY.is_match(text)
}

/// The languages of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tongue {
    English,
    /// German, French, Spanish, Portuguese.
    European,
    /// Japanese, Korean, Chinese.
    Asian,
    Any,
}

/// Which patterns a paragraph can hold at all, by words that are cheap to look for: the patterns themselves take long.
struct Gates {
    ignores: bool,
    hides: bool,
    asks: bool,
    european: bool,
    asian: bool,
    tags: bool,
}

impl Gates {
    fn of(paragraph: &str) -> Self {
        static SETS: LazyLock<[Pattern; 6]> = LazyLock::new(|| {
            [
                // English: what is done to what was told,
                r"ignor|disregard|forget|overrid|bypass|discard|follow|disabl|turn off|switch off|circumvent|reveal|print|leak|output|repeat|previous|prior|earlier|existing|preceding|former|old|original|above|you (?:are|now|have|no)|your|from now on|pretend|act|updated|revised|new system",
                // what was told,
                r"instruction|prompt|direct|guid|guardrail|safe|restrict|order|programming|constraint|command|rule|message|you (?:were|have)|told|above|filter|polic|limit|DAN|jailbroken|mode|root|free|no longer|assistant|agent|model|bot|persona|hacker|admin|expert|pirate|terminal|obey|bound|different|another",
                // from whom it is kept,
                r"user|person|human|developer|owner|operator|anyone|anybody",
                // and who is not asked.
                r"(?:ask|confirm|request|seek|prompt|check|wait|approv|permission|review|show|tell|mention|report)",
                r"never|n['’]t|not|need|without|stop|skip|whatever|anything|everything|what|all",
                r"anweisung|instruktion|vorgab|prompt|befehl|regel|nutzer|anwender|person|niemand|frag|bitte|warte|bestätigung|zustimmung|genehmigung|freigabe|du bist|sie sind|schränk|schranken|grenzen|tu es|vous êtes|tu n|vous n|instruc|indicac|instruç|ordens|orienta|diretriz|eres|agora|utilisateur|utilizador|personne|nadie|ninguém|consigne|directi|règle|ordres|regla|regra|órdenes|usuario|usuário|demand|confirm|autorisation|validation|pidas|pregunt|pedir|solicit|permiso|aprobación|autorización|pergunt|peça|permissão|autorização|aprovação|pida|pregunte",
            ]
            .map(|words| Pattern::rough(&format!("(?i){words}")))
        });
        let [acts, told, people, asking, denying, european] = &*SETS;
        Self {
            ignores: acts.is_match(paragraph) && told.is_match(paragraph),
            hides: people.is_match(paragraph),
            asks: asking.is_match(paragraph) && denying.is_match(paragraph),
            european: european.is_match(paragraph),
            asian: !paragraph.is_ascii(),
            tags: paragraph.contains(['<', '[']) || paragraph.contains("SYSTEM"),
        }
    }

    const fn lets(&self, tongue: Tongue, what: What) -> bool {
        match (tongue, what) {
            (Tongue::Asian, _) => self.asian,
            (Tongue::European, _) => self.european,
            (_, What::Tag) => self.tags,
            (Tongue::English, What::Hide) => self.hides,
            (Tongue::English, What::Unasked) => self.asks,
            (Tongue::English, _) => self.ignores,
            (Tongue::Any, _) => self.ignores || self.european,
        }
    }
}

/// The paragraphs of a text, with where they start.
fn paragraphs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive("\n\n").map(move |paragraph| {
        let start = at;
        at += paragraph.len();
        (start, paragraph)
    })
}

/// The places where a text tries to take over.
pub(super) fn find(text: &str) -> Vec<(What, Range<usize>)> {
    let mut found = Vec::new();
    for (offset, paragraph) in paragraphs(text).filter(|(_, paragraph)| may_have(paragraph)) {
        let gates = Gates::of(paragraph);
        for (_, what, pattern) in PATTERNS.iter().filter(|(tongue, what, _)| gates.lets(*tongue, *what)) {
            for place in pattern.find_iter(paragraph) {
                let range = offset + place.start()..offset + place.end();
                if is_meant(text, range.clone(), place.as_str(), *what) {
                    found.push((*what, range));
                }
            }
        }
    }
    found.sort_by_key(|(_, range)| range.start);
    found
}

/// Whether words say so in their sentence.
fn is_meant(text: &str, range: Range<usize>, words: &str, what: What) -> bool {
    if what == What::Tag {
        return is_tag(text, words);
    }
    let line_start = text
        .get(..range.start)
        .and_then(|before| before.rfind(['\n', '.', '。', '!', '?']))
        .map_or(0, |at| at + 1);
    let before = text.get(line_start..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    !(DENIED.is_match(before) || what == What::Unasked && is_asked(words, before, after))
}

/// What does harm when nobody was asked, for the pattern of English.
const HARM: &str = r"(?:(?:force[- ]?)?push\w*|deploy\w*|merg(?:e|ing)|delet\w+|remov(?:e|ing)\s+(?:file|branch|data|record|table|user)\w*|drop(?:ping)?\s+(?:the\s+)?(?:table|database|schema|collection)\w*|wip(?:e|ing)|overwrit\w+|publish\w*|releas(?:e|ing)|reset --hard|rm -rf|sudo|curl\b|--force\b|--no-verify|prod(?:uction)?\b|(?:run|execut)\w*\s+(?:any|all|every|the following|this|these|whatever|arbitrary|commands?|scripts?|shell|it|destructive)|destructive|send(?:ing)?\s+(?:e-?mails?|money|data|credentials)|transfer\w*|credentials|exfiltrat\w*|upload\w*|payments?|migrations?\s+(?:on|in|against)|apply\w*\s+(?:terraform|migrations?))";

static PATTERNS: LazyLock<Vec<(Tongue, What, Pattern)>> = LazyLock::new(|| {
    let of = |tongue, what, pattern: &str| (tongue, what, Pattern::new(&format!("(?im){pattern}")));
    vec![
        of(
            Tongue::English,
            What::Ignore,
            r"\b(?:ignore|disregard|forget|override|bypass|discard|do not follow|don['’]t follow|stop following)\s+(?:[\w'’]+\s+){0,3}?(?:previous|prior|earlier|above|preceding|system|existing|original|all(?:\s+of)?(?:\s+(?:your|the|other))?|your|any)\s+(?:\w+\s+){0,2}?(?:instructions?|prompts?|directions?|directives?|guidelines|commands|guardrails|safety\s+\w+|restrictions|orders|programming|constraints)\b",
        ),
        of(
            Tongue::English,
            What::Ignore,
            r"\b(?:ignore|disregard|forget|override)\s+(?:all\s+)?(?:the\s+)?(?:previous|prior|earlier|above|system|safety|everything)\s+(?:rules|messages?|you (?:were|have been) told|above|before this|security rules)\b",
        ),
        of(
            Tongue::English,
            What::Ignore,
            r"\b(?:ignore|disregard|forget|override|discard)\s+(?:\w+\s+){0,3}?(?:rules?|instructions?|guidance|guidelines?|directives?|orders?|prompts?|messages?|constraints?)\s+(?:that\s+|which\s+)?(?:(?:you|i|we)\s+(?:were|was|have been|had been|got|received)\b|(?:came|stand|stands|are|is|written)?\s*(?:before|above)\s+(?:this|here|now)|so far\b|given\s+(?:to you|so far|before|earlier|above))",
        ),
        of(
            Tongue::European,
            What::Ignore,
            r"\bnão\s+(?:sigas?|obedeças?|cumpras?|respeites?|siga|obedeça|cumpra)\s+(?:mais\s+)?(?:as|às|nenhumas?)\s+(?:instruções|regras|ordens|orientações)(?:\s+(?:do sistema|anteriores|prévias|que recebe\w+))|\bno\s+(?:sigas?|obedezcas?|cumplas?|respetes?)\s+(?:más\s+)?(?:las|ninguna de las)\s+(?:instrucciones|reglas|órdenes)\s+(?:del sistema|anteriores|previas|recibidas)|\bne\s+(?:suis|suivez|respecte[zs]?)\s+(?:plus|pas)\s+(?:les|tes|vos)\s+(?:instructions|consignes|règles)(?:\s+(?:du système|précédentes|reçues))?",
        ),
        of(
            Tongue::English,
            What::Ignore,
            r"\b(?:disable|turn off|switch off|circumvent|bypass)\s+(?:all\s+|your\s+|the\s+)*(?:safety|guardrails|safeguards|content filters?|permission prompts?|security policy|restrictions)\b",
        ),
        of(
            Tongue::English,
            What::Ignore,
            r"\b(?:reveal|print|leak|output|repeat)\s+(?:your|the)\s+(?:hidden\s+|full\s+|entire\s+)?system prompt\b",
        ),
        of(
            Tongue::European,
            What::Ignore,
            r"\b(?:ignorier\w*|missacht\w*|vergiss|vergesse?n?|überschreib\w*)\s+(?:\S+\s+){0,3}?(?:vorherig|bisherig|früher|obig|vorangegangen|vorig|alle|deine|system|sämtliche)\S*\s+(?:\S+\s+){0,2}?\S*(?:anweisung|instruktion|vorgabe|prompt|befehl|regel)\w*|\b(?:ignorier\w*|missachte|vergiss)\s+(?:\S+\s+){0,2}?system-?prompt\b",
        ),
        of(
            Tongue::European,
            What::Ignore,
            r"\b(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) pas compte d\S+|(?:fais|faites) abstraction d\S+|contourne[zr]?)\s+(?:\S+\s+){0,3}?(?:instructions?|consignes?|directives?|règles|prompt|ordres)\s+(?:\S+\s+)?(?:précédente?s?|antérieure?s?|ci-dessus|système|initiales?|données|reçues)|\b(?:ignore[zr]?|oublie[zr]?)\s+(?:toutes|tes|vos)\s+(?:\S+\s+)?(?:instructions|consignes|directives|règles)",
        ),
        of(
            Tongue::European,
            What::Ignore,
            r"\b(?:ignora|ignore|ignorar|olvida|olvide|olvidar|descarta|omite|(?:haz|haga) caso omiso de)\s+(?:\S+\s+){0,3}?(?:instrucciones|indicaciones|reglas|órdenes|directrices|prompt)\s+(?:\S+\s+)?(?:anteriores|previas|del sistema|de sistema|recibidas|iniciales)|\b(?:ignora|ignore|olvida)\s+(?:todas\s+)?(?:las|tus)\s+(?:instrucciones|órdenes)\b",
        ),
        of(
            Tongue::European,
            What::Ignore,
            r"\b(?:ignore|ignora|ignorar|esqueça|esquece|desconsidere|descarte)\s+(?:\S+\s+){0,3}?(?:instruções|regras|orientações|ordens|diretrizes|prompt)\s+(?:\S+\s+)?(?:anteriores|prévias|acima|do sistema|recebidas|iniciais)|\b(?:ignore|esqueça)\s+(?:todas\s+)?(?:as|suas)\s+(?:\S+\s+)?(?:instruções|ordens)\b",
        ),
        of(
            Tongue::Asian,
            What::Ignore,
            r"(?:これまで|以前|前|上記|今まで|すべて|全て|全部|システム)[^。\n]{0,12}(?:指示|命令|ルール|プロンプト|指令)[^。\n]{0,6}(?:無視|忘れ|破棄)",
        ),
        of(
            Tongue::Asian,
            What::Ignore,
            r"(?:이전|앞선|앞의|위의|지금까지|기존|모든|시스템)[^.\n]{0,12}(?:지시|명령|규칙|프롬프트|지침)[^.\n]{0,8}(?:무시|잊)",
        ),
        of(
            Tongue::Asian,
            What::Ignore,
            r"(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不理会|不要遵守)[^。\n]{0,8}(?:之前|以前|先前|上述|上面|以上|前面|所有|一切|系统|系統|此前)[^。\n]{0,8}(?:指令|指示|命令|规则|規則|提示|要求|说明)",
        ),
        of(
            Tongue::English,
            What::Ignore,
            r"\b(?:(?:all|any|every|the|your|my)\s+)*(?:previous|prior|earlier|existing|preceding|former|old|original|above)\s+(?:\w+\s+)?(?:instructions?|guidance|rules|directives?|guidelines|prompts?|orders|constraints|policies)\s+(?:is|are|was|were|become|have been)\s+(?:now\s+|hereby\s+|all\s+)*(?:void|null|invalid|cancell?ed|suspended|revoked|lifted|obsolete|rescinded|no longer (?:valid|binding|in force))|\b(?:previous|prior|earlier|existing|original|above)\s+(?:instructions|rules|guidelines|guidance|directives)\s+(?:no longer apply|do not apply|don['’]t apply|do not count|no longer count)",
        ),
        of(
            Tongue::European,
            What::Ignore,
            r"\b(?:folg\w*|gehorch\w*|beacht\w*|befolg\w*)\s+(?:du\s+|ab jetzt\s+)?(?:dem|den|deinen?|deiner|die|das)\s+(?:\S+\s+)?(?:system-?prompt|anweisung\w*|systemanweisung\w*|vorgaben|regeln|instruktion\w*)\s+nicht(?:\s+(?:mehr|länger))?\s*(?:[.,;!]|und\b|$)|\b(?:vorherigen|bisherigen|früheren|alten)\s+(?:anweisungen|vorgaben|regeln|instruktionen)\s+(?:sind|gelten)\s+(?:ab jetzt\s+|ab sofort\s+|hiermit\s+|nun\s+)?(?:ungültig|aufgehoben|nichtig|nicht mehr|außer kraft)",
        ),
        of(
            Tongue::European,
            What::Ignore,
            r"\b(?:instructions|consignes|directives|règles)\s+(?:précédentes|antérieures|ci-dessus)\s+(?:sont\s+(?:désormais\s+)?(?:annulées|nulles|caduques|levées|suspendues)|ne\s+(?:valent|s['’]appliquent|comptent)\s+plus)|\b(?:instrucciones|reglas|órdenes|indicaciones)\s+(?:anteriores|previas)\s+(?:quedan|están|son)\s+(?:ahora\s+)?(?:anuladas|canceladas|sin efecto|nulas|suspendidas)|\b(?:instrucciones|reglas)\s+(?:anteriores|previas)\s+ya no\s+(?:valen|se aplican|cuentan|rigen)|\b(?:instruções|regras|ordens|orientações)\s+(?:anteriores|prévias)\s+(?:estão|ficam|são)\s+(?:agora\s+)?(?:anuladas|canceladas|sem efeito|nulas|suspensas)|\b(?:instruções|regras)\s+(?:anteriores|prévias)\s+(?:já não|não)\s+(?:valem|se aplicam|contam)",
        ),
        of(
            Tongue::Asian,
            What::Ignore,
            r"(?:これまで|以前|前|上記|従来)の?(?:すべての|全ての)?(?:指示|命令|ルール|規則|プロンプト)(?:は|を)[^。\n]{0,6}(?:無効|取り消|破棄|撤回)|(?:이전|기존|앞선|앞의|위의)\s?(?:모든\s?)?(?:지시|지침|명령|규칙)(?:사항)?(?:은|는|들은)?\s?(?:모두\s?|이제\s?)*(?:무효|취소|폐기|효력)|(?:之前|以前|先前|上述|此前|前面)的?(?:所有|一切|全部)?(?:指令|指示|命令|规则|規則|提示)(?:现在|均|都|已|全部)*(?:无效|無效|作废|作廢|失效|取消)",
        ),
        of(
            Tongue::Any,
            What::Role,
            r"\byou\s+(?:now\s+)?(?:have|are under|are bound by)\s+no\s+(?:more\s+|longer\s+(?:any\s+)?)?(?:restrictions|limits|limitations|rules|guidelines|filters|constraints|safety\s+\w+)\b|\byou\s+(?:are\s+)?no\s+longer\s+(?:have\s+(?:any\s+)?|bound\s+by\s+(?:any\s+|your\s+)?)(?:restrictions|limits|limitations|rules|guidelines)|\b(?:new|updated|revised)\s+system\s+(?:instructions?|prompt|message|directive)\s*:|\bdu\s+(?:hast|unterliegst)\s+(?:ab jetzt\s+|jetzt\s+|nun\s+)?(?:keine[nr]?\s+(?:\S+\s+)?)(?:beschränkungen|einschränkungen|schranken|grenzen|regeln)\b|\b(?:tu n['’]as|vous n['’]avez)\s+(?:plus\s+)?(?:aucune\s+|de\s+)(?:restriction|limite|règle)s?\b|\b(?:ya\s+)?no\s+tienes\s+(?:ninguna\s+)?(?:restricci[óo]n|restricciones|límites|reglas)\b|\bvocê\s+(?:já\s+)?não\s+tem\s+(?:mais\s+)?(?:nenhuma\s+)?(?:restriç\S+|limites|regras)",
        ),
        of(
            Tongue::Asian,
            What::Role,
            r"(?:あなた|お前|君)に(?:は)?[^。\n]{0,8}(?:制限|制約)は?(?:ない|ありません|なくなった)|(?:너|당신)(?:에게|한테)?는?\s?(?:이제\s?|더 이상\s?)*(?:아무런?\s?)?(?:제한|제약)(?:이|은|도)?\s?(?:없|사라)|你(?:现在|從此|从此)?(?:没有|沒有|不受)(?:任何)?(?:限制|约束|約束)",
        ),
        of(
            Tongue::English,
            What::Unasked,
            r"\b(?:run|execute|do|follow|obey)\s+(?:what(?:ever)?|anything|everything|all)\s+(?:\S+\s+){0,6}?(?:asks?|says?|tells?|wants?|requests?|demands?)\b[^.\n]{0,30}?\bwithout\s+(?:\w+\s+)?(?:showing|asking|telling|confirming|mentioning|reporting|review\w*)",
        ),
        of(
            Tongue::European,
            What::Hide,
            r"\b(?:sag|sage|sagst|erzähl|erzähle|erzählst|verrate|verrätst|melde|meldest)\s+(?:dem|den|der)\s+(?:nutzer|benutzer|anwender|nutzerin|person|menschen)\s+(?:nichts|kein wort)(?:\s+(?:davon|darüber|dazu))?|\b(?:le\s+digas|digas)\s+nada\s+(?:de esto\s+)?al\s+usuario|\bn['’]en\s+(?:parle[zs]?|dis|dites)\s+(?:pas|rien)\s+à\s+l['’]utilisateur|\bne\s+(?:dis|dites)\s+rien\s+à\s+l['’]utilisateur|\bnão\s+(?:contes?|digas?|fales?)\s+nada\s+(?:disso\s+)?ao\s+(?:usuário|utilizador)",
        ),
        of(
            Tongue::English,
            What::Role,
            r"\byou are now\s+(?:\w+\s+){0,3}?(?:DAN|jailbroken|unrestricted|(?:in\s+)?(?:developer|admin|god|debug|root|maintenance)\s+mode|root|free\b|no longer|an?\s+(?:[\w-]+\s+){0,3}(?:assistant|agent|ai|model|bot|system|persona|hacker|admin\w*|expert|pirate|terminal))",
        ),
        of(
            Tongue::English,
            What::Role,
            r"\bfrom now on,?\s+(?:you|the (?:assistant|agent))\s+(?:are|will|must|shall|act|obey|only)\s+(?:\w+\s+){0,4}?(?:obey|no (?:rules|restrictions|limits)|unrestricted|another|different|act as|an? [\w-]+ (?:assistant|ai|bot|model|agent)|bound)",
        ),
        of(
            Tongue::English,
            What::Role,
            r"\b(?:pretend|act)\s+(?:\w+\s+){0,4}?(?:no (?:rules|restrictions|limits|guidelines)|unrestricted|jailbroken|without (?:any )?(?:rules|restrictions|limits))",
        ),
        of(
            Tongue::European,
            What::Role,
            r"\b(?:du bist|sie sind)\s+(?:ab\s+)?(?:jetzt|nun|sofort)\s+(?:kein|ein|im|nicht mehr|frei)|\b(?:tu es|vous êtes)\s+(?:désormais|maintenant)\s+(?:une?|en mode|libre)|\b(?:ahora eres|a partir de ahora eres|eres ahora)\s+(?:una?|libre|el)\b|\b(?:agora você é|você agora é|a partir de agora,? você é)\s+(?:uma?|livre|o)\b",
        ),
        of(
            Tongue::Asian,
            What::Role,
            r"(?:あなたは今から|これからあなたは|今後あなたは|今からあなたは)[^。\n]{1,30}(?:です|として|になる|振る舞|である)|(?:너는 이제|당신은 이제|이제부터 (?:너는|당신은))[^.\n]{1,30}|(?:你现在是|你現在是|从现在起，?你(?:是|将)|從現在起，?你(?:是|將)|从现在开始，?你(?:是|将|就是))",
        ),
        of(
            Tongue::English,
            What::Hide,
            r"\b(?:do not|don['’]t|never|without|avoid)\s+(?:ever\s+)?(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?|let(?:ting)?)\s+(?:the\s+)?(?:user|person|human|developer|owner|operator|anyone|anybody)(?:\s+(?:about\s+(?:this|it|these|that|any of|the)\b|(?:that|what)\s+(?:you|this)\b|of this|this|anything|know)|\s*(?:[.!;]|$))",
        ),
        of(
            Tongue::English,
            What::Hide,
            r"\b(?:do not|don['’]t|never)\s+(?:mention|show|reveal|disclose|report|admit)\s+(?:this|it|these|any of this|that)\s*(?:\w+\s+){0,3}?(?:to|from)\s+(?:the\s+)?(?:user|person|human|developer|owner|operator|anyone)|\b(?:keep|hide|conceal)\s+(?:this|it|these|the change|that)\s+(?:\w+\s+)?(?:from|secret from|hidden from)\s+(?:the\s+)?(?:user|person|human|developer|owner|anyone)",
        ),
        of(
            Tongue::European,
            What::Hide,
            r"\b(?:sag|sage|erzähl|erzähle|verrate|verrat|melde)\s+(?:\S+\s+){0,3}?(?:dem (?:nutzer|benutzer|anwender)|der (?:nutzerin|person)|niemandem)\s+(?:\S+\s+)?(?:nichts|nicht|davon)[^,\n]{0,20}(?:[.!]|$)|\b(?:informiere|benachrichtige)\s+(?:den (?:nutzer|benutzer|anwender))\s+(?:darüber\s+)?nicht\b|\bverheimlich\w*\s+(?:\S+\s+){0,2}?(?:dem )?(?:nutzer|benutzer)",
        ),
        of(
            Tongue::European,
            What::Hide,
            r"\bn(?:e|['’])\s*(?:le\s+|en\s+)?(?:dis|dites|dire|préviens|prévenez|informe[zr]?|parle[zr]?|mentionne[zr]?|avertis(?:sez)?)\s+(?:\S+\s+){0,3}?(?:à l['’]utilisateur|l['’]utilisateur|à personne)(?:\s+de (?:ceci|cela|rien)|\s*(?:[.!;]|$))|\bcache[zr]?\s+(?:cela|ceci|ça)\s+à l['’]utilisateur",
        ),
        of(
            Tongue::European,
            What::Hide,
            r"\bno\s+(?:se\s+lo\s+|le\s+)?(?:digas|diga|informes|avises|menciones|cuentes|reveles|muestres)\s+(?:\S+\s+){0,3}?(?:al usuario|a la persona|a nadie)(?:\s+(?:nada|de esto|sobre esto))?\s*(?:[.!;]|$)|\b(?:oculta|esconde)\s+esto\s+al usuario",
        ),
        of(
            Tongue::European,
            What::Hide,
            r"\bnão\s+(?:conte|diga|informe|avise|mencione|revele|mostre)\s+(?:\S+\s+){0,3}?(?:ao usuário|ao utilizador|o usuário|a ninguém)(?:\s+(?:nada|disso|sobre isso))?\s*(?:[.!;]|$)|\b(?:esconda|oculte)\s+isso\s+do usuário",
        ),
        of(
            Tongue::Asian,
            What::Hide,
            r"(?:ユーザー?|利用者)(?:に|には|から)は?(?:、)?(?:この(?:こと|件)[はを]|何も)?[^。\nと]{0,6}(?:言わない|言うな|知らせない|知らせるな|伝えない|伝えるな|教えない|教えるな|報告しない|秘密|隠す|隠せ)|사용자(?:에게|한테)는?\s?(?:이\s?(?:사실|일|것)[을은]\s?|아무것도\s?)?(?:말하지 ?마|말하지 ?않|알리지 ?마|알리지 ?않|알리지 ?말|숨기|숨겨|비밀)|(?:不要|别|別|勿|不得|禁止)(?:把(?:这|這)[^。\n]{0,6})?(?:告诉|告訴|通知|告知|提醒|让|讓)(?:用户|用戶|使用者|任何人)(?:知道|这|這|此|关于|[。！\n]|$)",
        ),
        of(
            Tongue::English,
            What::Unasked,
            &format!(
                r"\b(?:never|don['’]t|do not|no need to|needn['’]t|stop|skip)\s+(?:ever\s+|even\s+|bother\s+)?(?:ask(?:ing)?|confirm(?:ing)?|request(?:ing)?|seek(?:ing)?|prompt(?:ing)?|check(?:ing)?|wait(?:ing)?)\b(?:[^.,;\n]{{0,60}}?)\b(?:before|when|prior to|for|to|if|on|about|,)\s+(?:\w+\s+){{0,4}}?{HARM}"
            ),
        ),
        of(
            Tongue::English,
            What::Unasked,
            &format!(
                r"\bwithout\s+(?:ever\s+)?(?:asking|confirming|confirmation|approval|permission|a confirmation|any confirmation|review by|waiting for (?:approval|confirmation))\b[^.;\n]{{0,40}}?{HARM}"
            ),
        ),
        of(
            Tongue::English,
            What::Unasked,
            &format!(
                r"{HARM}[^.;\n]{{0,50}}?\bwithout\s+(?:ever\s+)?(?:asking|confirming|confirmation|approval|permission|any confirmation|waiting for (?:approval|confirmation))\b"
            ),
        ),
        of(
            Tongue::European,
            What::Unasked,
            r"\b(?:frag\w*|bitte|warte)\s+(?:\S+\s+){0,2}?(?:nie|niemals|nicht)\b[^.\n]{0,30}?(?:push\w*|deploy\w*|lösch\w*|merg\w*|veröffentlich\w*|force|produktion|ausführ\w*)|\bohne\s+(?:\S+\s+)?(?:nachfrage\w*|rückfrage|zu fragen|bestätigung|zustimmung|genehmigung|freigabe)\b[^.\n]{0,40}?(?:push\w*|deploy\w*|lösch\w*|merg\w*|veröffentlich\w*|produktion|ausführ\w*)|(?:push\w*|deploy\w*|lösch\w*|merg\w*|veröffentlich\w*)\b[^.\n]{0,30}?\bohne\s+(?:\S+\s+)?(?:nachfrage\w*|rückfrage|zu fragen|bestätigung|zustimmung|genehmigung)",
        ),
        of(
            Tongue::European,
            What::Unasked,
            r"\bne\s+(?:\S+\s+)?(?:demande[zr]?|confirme[zr]?)\s+(?:jamais|pas)\b[^.\n]{0,40}?(?:push\w*|pouss\w*|déploi\w*|déploy\w*|supprim\w*|efface\w*|fusionn\w*|publi\w*|production)|\bne (?:jamais|pas) (?:demander|confirmer)\b[^.\n]{0,30}?(?:push\w*|pouss\w*|déplo\w*|supprim\w*|effac\w*|fusionn\w*|publi\w*|production)|(?:push\w*|pouss\w*|déploi\w*|déploy\w*|supprim\w*|effac\w*|fusionn\w*|publi\w*|exécut\w*)\b[^.\n]{0,30}?\bsans\s+(?:\S+\s+)?(?:demander|confirmation|autorisation|validation|confirmer)|\bsans\s+(?:demander|confirmation|autorisation|validation|confirmer)\b[^.\n]{0,30}?(?:push\w*|pouss\w*|déploi\w*|déploy\w*|supprim\w*|effac\w*|fusionn\w*|publi\w*|exécut\w*)",
        ),
        of(
            Tongue::European,
            What::Unasked,
            r"\b(?:nunca|no|jamás)\s+(?:pidas|preguntes|pedir|preguntar|solicites|pida|pregunte)\b[^.\n]{0,40}?(?:push\w*|despl[ei]\w*|borr\w*|elimin\w*|fusion\w*|public\w*|producción|subir)|\bsin\s+(?:preguntar|pedir \S+|confirmar|confirmación|permiso|autorización|aprobación)\b[^.\n]{0,30}?(?:push\w*|despl[ei]\w*|borr\w*|elimin\w*|fusion\w*|public\w*|producción|ejecut\w*)|(?:push\w*|despl[ei]\w*|borr\w*|elimin\w*|fusion\w*|public\w*|ejecut\w*)\b[^.\n]{0,30}?\bsin\s+(?:preguntar|pedir \S+|confirmar|confirmación|permiso|autorización|aprobación)",
        ),
        of(
            Tongue::European,
            What::Unasked,
            r"\b(?:nunca|não|jamais)\s+(?:peça|pergunte|pedir|perguntar|solicite)\b[^.\n]{0,40}?(?:push\w*|deploy\w*|implant\w*|apag\w*|exclu\w*|delet\w*|public\w*|produção|merge\w*)|\bsem\s+(?:perguntar|pedir \S+|confirmar|confirmação|permissão|autorização|aprovação)\b[^.\n]{0,30}?(?:push\w*|deploy\w*|implant\w*|apag\w*|exclu\w*|delet\w*|public\w*|produção|execut\w*)|(?:push\w*|deploy\w*|implant\w*|apag\w*|exclu\w*|delet\w*|public\w*|execut\w*)\b[^.\n]{0,30}?\bsem\s+(?:perguntar|pedir \S+|confirmar|confirmação|permissão|autorização|aprovação)",
        ),
        of(
            Tongue::Asian,
            What::Unasked,
            r"(?:確認(?:せず|せずに|しないで|なし|を求めず|を取らず)|許可(?:なし|を求めず|を取らず|なく|を得ず)|聞かずに|尋ねずに|承認(?:なし|を待たず))[^。\n]{0,24}(?:push|プッシュ|デプロイ|削除|消|マージ|公開|本番|実行)[^。\n]{0,10}|(?:묻지 ?(?:말고|않고|마)|확인 ?(?:없이|받지 ?말고|하지 ?(?:말고|않고))|승인 ?없이|허락 ?없이|허가 ?없이)[^.\n]{0,24}(?:push|푸시|배포|삭제|지우|지워|병합|머지|공개|운영|실행)[^.\n]{0,12}|(?:不要|无需|無需|不用|不必|别|从不|從不|永远不要|永遠不要|未经|不经)(?:再)?(?:询问|詢問|问|問|请求|請求|征求|确认|確認|等待|批准|同意)[^。\n]{0,16}(?:push|推送|部署|删除|刪除|合并|合併|发布|發布|执行|執行)|(?:推送|部署|删除|刪除|合并|合併|发布|發布)[^。\n]{0,10}(?:前|时)[^。\n]{0,6}(?:不要|无需|無需|不用|不必|别|从不)(?:再)?(?:询问|詢問|问|確認|确认|请求)",
        ),
        of(
            Tongue::Any,
            What::Tag,
            r"</?(?:system(?:[-_ ](?:reminder|prompt|message|instructions?|override|note))?|function_(?:calls|results)|tool_result|tool_use)\s*>|<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[/?INST\]|<</?SYS>>|</(?:memory|memories|context|instructions|document|rules)\s*>",
        ),
        of(
            Tongue::Any,
            What::Tag,
            r"^(?:\*\*|#{1,3} )?(?-i:\[?SYSTEM(?: (?:PROMPT|MESSAGE|OVERRIDE|NOTICE|INSTRUCTIONS?))?\]?):",
        ),
    ]
});

/// A closing tag that an opening one belongs to is a document's own.
fn is_tag(text: &str, tag: &str) -> bool {
    let Some(name) = tag.strip_prefix("</").map(|name| name.trim_end_matches('>').trim()) else {
        return true;
    };
    ["system", "function", "tool_"].iter().any(|own| name.starts_with(own))
        || !text.contains(&format!("<{name}"))
}

/// A "not" right before it ("do not ignore …").
static DENIED: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)(?:\b(?:not|n['’]t|never|must not|cannot|refuse to|without|nicht|niemals|nie|ne|no|nunca|não|jamais|avoid|avoids)\s+(?:ever\s+)?|(?:不要|切勿|请勿|不得|不可|別|别))$",
    )
});

/// Whether it says after all that one has to ask ("never push without asking").
fn is_asked(words: &str, before: &str, after: &str) -> bool {
    let head: String = after.chars().take(24).collect();
    let lower = words.to_lowercase();
    let has_without = WITHOUT.is_match(&lower);
    (has_without && (NEVER.is_match(before) || NEVER.is_match(&lower)))
        || FORBIDS.is_match(words)
        || FORBIDS_BEHIND.is_match(&head)
}

static WITHOUT: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"\b(?:without|ohne|sans|sin|sem)\b|なし|せず|求めず|聞かず|尋ねず|待たず|取らず|得ず|なく|없이|않고|말고|未经|不经|未經",
    )
});

static NEVER: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)\b(?:never|not|n['’]t|no|nobody|avoid|hates?|dislik\w+|upset|forbidden|prohibited|complain\w*|annoyed|nie|niemals|nicht|kein\w*|ne|n['’]|pas|jamais|nunca|jamás|não|nada|nenhum)\b|(?:不要|切勿|不得|禁止|不能|不可|不许|不允许|别)(?:推送|部署|删除|刪除|合并|合併|发布|發布|执行|執行|push)",
    )
});

static FORBIDS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?:しない|するな|しては|禁止|ならない|だめ|ダメ|いけない)|(?:하지 ?마|하지 ?않|하지 ?말|금지|말 것|안 된다|안 됨|안 돼)[^.]{0,6}$|(?:未经|不经)[^。]{0,10}(?:不要|切勿|不得|禁止|不能|不可|不许|不允许|别)",
    )
});

static FORBIDS_BEHIND: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"^[^.。\n]{0,6}(?:しない|するな|しては|禁止|ならない|だめ|ダメ|いけない|하지 ?마|하지 ?않|하지 ?말|금지|말 것|안 된다|안 됨|안 돼)|(?i)^[^.\n]{0,14}\b(?:is|are) (?:forbidden|not allowed|prohibited|a mistake|wrong)|(?i)^[^.\n]{0,16}\b(?:verboten|nicht erlaubt|interdit\w*|prohibid\w*|proibid\w*)",
    )
});

/// Whether a text is about such attacks.
pub(super) fn warns_strongly(sentence: &str) -> bool {
    static WORDS: LazyLock<Pattern> = LazyLock::new(|| {
        Pattern::new(
            r"(?i)\b(?:(?:prompt[- ]?)?injections?|jailbreak\w*|attack(?:s|ers?|ing)?|malicious|hostile|phishing|untrusted|adversarial|exploit\w*|red[- ]team\w*|angriff\w*|angreifer\w*|attaque\w*|ataque\w*|atacante\w*|inyección|injeção|malicios\w*|malveillant\w*|bösartig\w*)\b|インジェクション|攻撃|悪意|인젝션|주입 공격|공격|악의|악성|注入|攻击|攻擊|恶意|惡意",
        )
    });
    WORDS.is_match(sentence)
}

/// Whether a text may only quote such words.
pub(super) fn warns(sentence: &str) -> bool {
    static WORDS: LazyLock<Pattern> = LazyLock::new(|| {
        Pattern::new(
            r"(?i)\b(?:watch (?:out )?for|beware|treat\w*|reject\w*|detect\w*|filter\w*|block\w*|refus\w*|suspicious|fixtures?|samples?|tests?|example|e\.g\.|such as|like|contain\w*|phrases?|strings?|flag\w*|report\w*|warn\w*|never (?:obey|follow)|do not (?:obey|follow)|don['’]t (?:obey|follow)|ignore (?:any|text|lines)|log(?:s|ged)?|wie|achte|warn\w*|vorsicht|comme|méfi\w*|attention|como|cuidado|desconf\w*|texto|frase\w*|phrase\w*|satz)\b|注意|という|警戒|テスト|같은|주의|문구|테스트|之类|警惕|当心|这样的|测试",
        )
    });
    WORDS.is_match(sentence)
}
