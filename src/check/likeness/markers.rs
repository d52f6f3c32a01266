//! Words that show that a sentence holds more than the bare fact: a reason, a condition, a warning.

use regex::Regex;
use std::sync::LazyLock;

/// Whether a text gives a reason, sets a condition or warns, in one of the eight languages: then what a manifest or a
/// log says as well is not all that it holds.
pub fn says_more(text: &str) -> bool {
    let found = |pattern: &Option<Regex>| pattern.as_ref().is_some_and(|pattern| pattern.is_match(text));
    found(&WORDS) || found(&CJK)
}

/// Whether a text tells what was done, rather than what to do.
pub fn tells_past(text: &str) -> bool {
    PAST.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?: because | since | due\ to | so\ that | otherwise | unless | until | despite | although | even\ though
        | except | instead | rather\ than | never | not | cannot | \w+n['’]t | avoid | only\ when | only\ if | if | when | whenever | once | before | after
        | only | just\ for | solely | nur | seulement | uniquement | solo | s[óo]lo | solamente | apenas | somente
        | stay\w* | pin | pinning | careful | beware | warning | caution | breaks? | broke | broken | fails? | crash\w* | hangs?
        | without | workaround | lesson | from\ now\ on | upgrade\w* | downgrade\w* | wait | twice | asked | agreed | decided | wants?
        | weil | da\ sonst | damit | sonst | nie | niemals | nicht | kein\w* | ohne | solange | bis | wenn | falls | bevor | nachdem | statt | vorsicht | achtung | obwohl | erst
        | parce\ qu\w* | car | sinon | jamais | ne | pas | sans | tant\ que | avant | apr[èe]s | si | lorsqu\w* | quand | sauf | plut[ôo]t | attention | afin
        | porque | ya\ que | nunca | jam[áa]s | no | sin | mientras | hasta | antes | despu[ée]s | cuando | salvo | excepto | cuidado | ojo
        | pois | j[áa]\ que | sen[ãa]o | n[ãa]o | sem | enquanto | at[ée] | depois | quando | exceto | evite )\b",
    )
    .ok()
});

static CJK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        "因为|只|だけ|由于|否则|所以|除非|直到|之前|之后|不要|不能|不可|禁止|别|务必|如果|时候|避免|小心|ため|から、|ので|なければ|しないで|しない|ません|禁止|前に|後に|場合|まで|\
         注意|代わり|때문|므로|않|금지|마세요|말 것|전에|후에|경우|까지|주의|대신|아니면|반드시|지 말",
    )
    .ok()
});

static PAST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?: fixed | committed | added | removed | changed | moved | renamed | merged | landed | shipped | refactored | replaced | resolved | updated | introduced
        | implemented | reverted | bumped | upgraded | switched | rewrote | rewritten | dropped | deleted | cleaned | corrected | solved | patched | was | were | did | made | got | commit
        | behoben | hinzugef[üu]gt | entfernt | ge[äa]ndert | ersetzt | umbenannt | korrigiert | wurde | wurden | haben\ wir | eingebaut | umgestellt | verschoben
        | corrig[ée]\w* | ajout[ée]\w* | supprim[ée]\w* | remplac[ée]\w* | renomm[ée]\w* | d[ée]plac[ée]\w* | a\ [ée]t[ée] | avons | r[ée]solu\w*
        | corregi\w* | corrigi\w* | a[ñn]adi\w* | agreg[óo]\w* | elimin[óo]\w* | reemplaz\w* | se\ arregl[óo] | arregl\w* | cambi[óo]\w* | fue | fueron | hemos | renombr\w*
        | adicion\w* | removi\w* | removeu | substitu\w* | foi | foram | mud[oa]\w* | renome\w* )\b
        | \b20\d\d-\d\d-\d\d\b | 修复了 | 修正了 | 添加了 | 删除了 | 改了 | 提交 | 已修复 | 已 | 修正した | 修正しました | 追加した | 追加しました | 削除した | 削除しました | 変更した | 直した | コミット | ました | した
        | 수정했 | 고쳤 | 추가했 | 삭제했 | 변경했 | 커밋 | 했다 | 했습니다 | 바꿨 | 됐다 | 되었",
    )
    .ok()
});
