//! The words by which a text says that a thing is gone, replaced, still to come, or not to come back, in the eight
//! languages that real memories are written in.

use aho_corasick::{AhoCorasick, MatchKind};
use std::ops::Range;
use std::sync::LazyLock;

/// What a cue says, and about what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// An English participle: with `was` about what stands before it, else about what follows at once.
    Done,
    /// It is gone: what stands before.
    Was,
    /// It is gone: what follows at once.
    Of,
    /// It became something else, which follows: what stands before.
    Into,
    /// A participle of another language: what follows at once, else what stands before.
    Either,
    /// A word that says so only under a "not" (`bring back`): everything in the sentence.
    Back,
    /// Everything in the sentence is not to come back.
    Never,
    /// It is still to come, or may not be there: what follows at once.
    New,
    /// It is still to come: what stands before.
    Will,
}

/// A cue in a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cue {
    pub says: Says,
    pub range: Range<usize>,
}

/// The cues of a text in lower case, in order.
pub(super) fn find(text: &str) -> Vec<Cue> {
    let bytes = text.as_bytes();
    let is_letter = |at: usize| {
        bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, 0xC3..=0xC9) || *b == b'_')
    };
    let mut found = Vec::new();
    for hit in TABLE.0.iter().flat_map(|automaton| automaton.find_iter(text)) {
        let Some(&(says, is_stem, is_latin)) = TABLE.1.get(hit.pattern().as_usize()) else { continue };
        let mut end = hit.end();
        if is_latin {
            let up = |back: usize| hit.start().checked_sub(back).and_then(|at| bytes.get(at));
            let is_inside = hit.start().checked_sub(1).is_some_and(is_letter)
                || up(1) == Some(&b'-')
                || matches!(up(2), Some(0xC3..=0xC9));
            let starts = !is_inside;
            if !starts || !is_stem && is_letter(end) {
                continue;
            }
            while is_stem && is_letter(end) {
                end += if matches!(bytes.get(end), Some(0xC3..=0xC9)) { 2 } else { 1 };
            }
        }
        found.push(Cue { says, range: hit.start()..end });
    }
    found
}

/// The automaton, and for each of its patterns what it says, whether letters may follow, and whether it is of a
/// script with blanks between words.
type Table = (Option<AhoCorasick>, Vec<(Says, bool, bool)>);

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut seen = std::collections::HashSet::new();
    let phrases: Vec<(&str, Says)> = CUES
        .iter()
        .flat_map(|(says, list)| list.split('|').map(|phrase| (phrase.trim(), *says)))
        .filter(|(phrase, _)| !phrase.is_empty() && seen.insert(*phrase))
        .collect();
    let texts = phrases.iter().map(|(phrase, _)| phrase.trim_end_matches('*'));
    let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(texts);
    let facts = phrases
        .iter()
        .map(|(phrase, says)| {
            let is_latin = phrase.bytes().next().is_some_and(|b| b < 0x80 || matches!(b, 0xC3..=0xC9));
            (*says, phrase.ends_with('*'), is_latin)
        })
        .collect();
    // The table is our own, and a test builds it.
    (automaton.ok(), facts)
});

const CUES: &[(Says, &str)] = &[
    // English
    (
        Says::Done,
        "removed|deleted|dropped|retired|scrapped|eliminated|purged|decommissioned|discontinued|abandoned|ditched|axed|killed\
         |nuked|ripped out|torn out|pulled out|taken out|thrown out|thrown away|sunset|sunsetted|erased|excised|discarded\
         |replaced|superseded|renamed|moved|relocated|inlined|consolidated|deprecated\
         |phased out|withdrawn|obsoleted|pruned|got rid of|done away with|tombstoned|took out|threw out|threw away|stopped using|stopped shipping|stopped supporting|moved away from|migrated off|migrated away from|rolled back|backed out|trashed|binned|archived",
    ),
    (
        Says::Was,
        "got the axe|bit the dust|went the way of|is toast|is no more|are no more|is gone|are gone|was gone|were gone|has gone|have gone|long gone|now gone|gone since|went away|has left|disappeared|vanished\
         |no longer exists|no longer exist|no longer there|no longer present|no longer available|no longer part of|no longer in the\
         |no longer ships|no longer shipped|no longer supported|no longer needed|no longer used|no longer defined|no longer accepted\
         |no longer valid|no longer around|no longer a thing|no longer recognised|no longer recognized|no longer maintained\
         |does not exist|doesn't exist|do not exist|don't exist|did not survive|didn't survive|doesn’t exist|never existed|not exist anymore\
         |isn't there anymore|is not there anymore|is not there any more|not there any more|isn't there any more|not around anymore|not around any more\
         |is obsolete|are obsolete|became obsolete|is defunct|are defunct|is history|was lost|ceased to exist|has been gone|was only there until\
         |used to be|used to live|used to hold|used to contain|used to exist|used to sit|used to do|used to handle|existed until|was there until|lived until|gone|is missing from the|was missing",
    ),
    (
        Says::Of,
        "en lugar de|en vez de|au lieu de|à la place de|plutôt que|statt|anstelle von|anstatt|em vez de|no lugar de|there used to be|there was a|there was once|there were|was|were|ex|antes|antes en|avant|vorher|removal of|deletion of|retirement of|removing|deleting|dropping|retiring|replaces|replacing|supersedes|superseding|instead of|rather than\
         |in place of|in lieu of|no more|there is no|there's no|there is no longer|there's no longer|there are no|no such|we no longer have|no longer have\
         |we no longer use|no longer uses|we no longer ship|no longer ships with|no longer has|no longer a|renamed from|moved from|formerly|previously|formerly known as|previously called|previously in|formerly in\
         |the former|previously named|once called|once known as|used to be called|used to be named|used to be in|used to live in|used to sit in|used to be at|which was|which were|it was once|goodbye to|without the old|decided to remove|decided to drop|decided to delete|agreed to remove|agreed to drop|agreed to delete\
         |chose to remove|chose to drop|voted to remove|obsolete|defunct|obsoletes|took over from|takes over from|takes the place of|took the place of|in favour of dropping|successor of|successor to|replacement for|not to be confused with the old",
    ),
    (
        Says::Into,
        "heißt jetzt|heisst jetzt|heißt nun|heißt inzwischen|liegt jetzt in|liegt jetzt unter|ist jetzt|ist nun|ahora es|ahora está en|ahora se llama|se llama ahora|s'appelle maintenant|s’appelle maintenant|s'appelle désormais|est maintenant|est désormais|agora é|agora fica em|chama-se agora|agora se chama|现在是|现在叫|现为|renamed to|renamed into|renamed as|moved to|moved into|moved under|moved over to|relocated to|merged into|folded into|rolled into|absorbed by|absorbed into\
         |inlined into|split into|consolidated into|collapsed into|rewritten as|rewritten into|ported to|migrated to|migrated into|converted to\
         |became|turned into|is now called|now called|is now named|now named|is now known as|now known as|now lives in|now lives at|now lives under\
         |lives now in|is now in|is now at|is now under|is now part of|replaced by|replaced with|superseded by|succeeded by|swapped for|was once in|extracted to|extracted into|gave way to|made way for|went into|is now",
    ),
    (
        Says::Back,
        "bring|bring back|bring it back|bring them back|bring that back|come back|comes back|coming back|reintroduce|reintroduced|re-introduce|re-introduced|restore|restored|resurrect|resurrected\
         |recreate|recreated|re-create|re-created|revive|revived|re-add|re-added|readd|add it back|add them back|added back|put it back|put back|undelete|bring this back|add back",
    ),
    (
        Says::New,
        "create|creating|add a|add the|add an|add new|adding a|write a|write the|introduce|introducing|scaffold|new file|new files|new module|new script|new function|new flag|new option|new directory\
         |new class|new helper|new command|new type|implement a|planned|a new|check whether|if there is a|if there's a|upcoming|proposed|a future|todo|to do|would add|will add|will create|should create|plan to add\
         |check if|once we have|when we have|we want a|we need a|we'll need a|should become|will become|to be called|will be called|will be named",
    ),
    (
        Says::Will,
        "will be created|to be created|will be added|to be added|will be written|to be written|will be introduced|to be introduced|is planned|are planned|will live in|will come\
         |not yet|does not exist yet|doesn't exist yet|yet to be|has yet to|to come|is upcoming|should be created|needs to be created|must be created|will be removed|to be removed|will be deleted|to be deleted|will go away|gets created|is generated|are generated|is created|gets generated|is built by|is written by|coming soon|is coming",
    ),
    // Korean
    (
        Says::Either,
        "삭제했|삭제됐|삭제되었|삭제된|삭제됨|삭제함|삭제한|삭제하였|삭제되어|삭제돼|삭제 완료|삭제하기로|삭제하고|삭제되고|삭제.|삭제)|삭제,|제거했|제거됐|제거되었|제거된|제거됨|제거함|제거한|제거하였|제거되어|제거돼|제거 완료|제거하기로|제거하고|제거되고\
         |폐기했|폐기됐|폐기되|폐기된|폐기함|폐지했|폐지됐|폐지되|폐지된|없앴|없앤|없애고|없애기로|없어졌|없어진|없어짐|사라졌|사라진|사라짐|지웠|지운|지워졌|지워진|걷어냈|걷어낸|빠졌|빠진|뺐|들어냈|들어낸|철거|정리해서 없|퇴역\
         |더 이상 없|더 이상 존재하지|더 이상 쓰지|더 이상 사용하지|더이상 없|더이상 존재하지|더이상 쓰지|더이상 사용하지|더는 없|더는 존재하지|더는 쓰지|더는 사용하지|존재하지 않|이제 없|이제는 없|지금은 없|현재 없|이제 쓰지 않|이제 사용하지 않|안 쓴다|안 씀|사용 중단|지원 중단|지원 종료|단종\
         |대체했|대체됐|대체되|대체된|대체함|대체하|교체했|교체됐|교체되|교체된|교체함|바꿨|바뀌었|바뀜|바뀐|이름을 바꾸|이름 변경|이름이 변경|개명|변경됐|변경되었|변경됨|옮겼|옮겨졌|옮겨짐|옮긴|이동했|이동됐|이동되었|이동됨|이동함|이전됐|이전되었|이전했|합쳐졌|합쳤|통합됐|통합되었|통합됨|통합했|흡수|예전에는|이전에는|과거에는|한때|구버전|예전 이름",
    ),
    (
        Says::Never,
        "되살리지|복구하지 마|복구하지 말|복원하지 마|복원하지 말|다시 만들지|다시 추가하지|다시 넣지|부활시키지|되돌리지 마|되돌리지 말|재도입하지|다시 도입하지|다시 살리지",
    ),
    (
        Says::Will,
        "만들 예정|추가 예정|생성 예정|추가할 예정|만들 계획|추가할 계획|예정이다|예정임|아직 없|아직 존재하지|아직 만들지|만들어야|신설 예정|자동 생성|생성된다|만들자",
    ),
    // Japanese
    (
        Says::Either,
        "削除した|削除し、|削除された|削除しました|削除されました|削除され、|削除されて|削除済み|削除済|削除。|削除）|削除)|廃止した|廃止し、|廃止された|廃止しました|廃止されました|廃止済み|廃止済|廃止になった|廃止。|廃止され|撤去した|撤去された|撤去済み|撤去済|除去した|除去された|除去済み|除去済|取り除いた|取り除かれた|取り除き|消した|消された|消えた|消えました|消滅\
         |なくなった|なくなりました|無くなった|無くなりました|なくした|無くした|もうない|もう無い|もうありません|もう存在しない|もう存在しません|もう使わ|もう使って|既にない|すでにない|既に存在しない|すでに存在しない|存在しない|存在しません|今はない|今は無い|現在はない|使われなくなった|使わなくなった|やめた|やめました|引退した\
         |置き換えた|置き換えられた|置き換えました|置き換えられ|置換した|置換された|差し替えた|差し替えられた|に代わった|に変わった|改名した|改名された|改名|改称|リネームした|リネームされた|リネーム|名前を変え|移動した|移動された|移動しました|移動済|移した|移された|移しました|移設|移管|移行した|移行された|統合した|統合された|統合しました|統合され|外した|外された|かつて|以前は|昔は|旧名|廃棄した|廃棄された|廃棄",
    ),
    (
        Says::Never,
        "復活させない|復活させてはいけない|復活させては|復活させないで|復活禁止|復元しない|戻してはいけない|戻さない|戻してはならない|再追加しない|再導入しない|再作成しない|作り直さない|復活はさせない",
    ),
    (
        Says::Will,
        "作成予定|追加予定|作る予定|作成する予定|追加する予定|まだない|まだ無い|まだ存在しない|まだありません|未作成|未実装|これから作|予定です|予定。|新規作成|自動生成|生成される",
    ),
    // Chinese, simplified and traditional
    (
        Says::Either,
        "删除|删掉|删了|删去|移除|去掉|去除|废弃|弃用|停用|下线|淘汰|不再存在|不再使用|不再需要|不再有|不再支持|不再维护|已不存在|不存在|已不在|已不再|没有了|不在了|消失|已取消|被取消|砍掉|拿掉|清理掉|清除|剔除|退役|作废|报废\
         |取代|替换|替代|代替|改名|重命名|更名|改成|改为|移到|移至|移动到|移入|迁移到|迁移至|迁到|搬到|并入|合并到|合并进|合并入|拆分|曾经|曾在|以前在|以前叫|原名|旧名\
         |刪除|刪掉|刪了|廢棄|棄用|淘汰|已經不在|取代|替換|重新命名|移動到|遷移到|搬到",
    ),
    (
        Says::Never,
        "不要恢复|别恢复|勿恢复|不要加回|别加回|不要再加|别再加|不要重新引入|不要找回|不要还原|不得恢复|禁止恢复|不要带回|别再引入|不要再引入|不要重建|不要重新创建|不要重新添加|不要恢復|不要復原",
    ),
    (
        Says::Will,
        "将创建|待创建|计划创建|计划添加|计划新增|将新增|将添加|尚未|还没有|还不存在|还未|即将|待实现|新建|创建|自动生成|会生成|打算",
    ),
    // Spanish
    (
        Says::Either,
        "eliminad*|eliminó|eliminamos|eliminaron|eliminé|borrad*|borró|borramos|borraron|borré|quitad*|quitó|quitamos|quitaron|retirad*|retiró|retiramos|retiraron|suprimid*|suprimió|suprimimos|suprimieron|descartad*|descartó|descartamos|desechad*|desmantelad*|descontinuad*|discontinuad*|jubilad*|tirad*\
         |ya no existe|ya no existen|ya no está|ya no están|ya no se usa|ya no se usan|ya no hay|ya no forma parte|dejó de existir|dejaron de existir|no existe|no existen|desapareció|desaparecieron|desaparecid*|obsolet*|en desuso\
         |reemplazad*|reemplazó|reemplazamos|reemplazaron|reemplaza a|sustituid*|sustituyó|sustituimos|sustituyeron|sustituye a|renombrad*|renombró|renombramos|movid*|movió|movimos|movieron|trasladad*|trasladó|trasladamos|fusionad*|fusionó|fusionamos|se llamaba|antes era|antes estaba|antiguamente|anteriormente",
    ),
    (
        Says::Never,
        "no volver a crear|no volver a añadir|no lo recuperes|no la recuperes|no recuperar|no reintroducir|no lo reintroduzcas|no restaurar|no lo restaures|no la restaures|no debe volver|no deben volver|no hay que recuperar|no lo vuelvas|no la vuelvas|no los vuelvas|no revivir|no recrear|nunca volver",
    ),
    (
        Says::Will,
        "se creará|se crearán|por crear|está previsto|está planeado|todavía no|aún no|será creado|hay que crear|vamos a crear",
    ),
    (
        Says::New,
        "crear|crea un|crea el|añadir un|añade un|nuevo archivo|nuevo fichero|nuevo módulo|nueva función|nuevo script|cree un|planeado",
    ),
    // French
    (
        Says::Either,
        "supprimé*|supprimâmes|supprima|retiré*|enlevé*|effacé*|abandonné*|éliminé*|démantelé*|jeté*|viré*|n'existe plus|n'existent plus|n’existe plus|n’existent plus|n'est plus utilisé*|n’est plus utilisé*|n'est plus là|n’est plus là|n'est plus dans|n’est plus dans|n'est plus présent*|ne sont plus utilisé*|ne sert plus|n'y a plus de|n’y a plus de|n'existe plus de|il n'y a plus de|n'y a plus|n’y a plus|n'existe pas|n’existe pas|n'existent pas|a disparu|ont disparu|disparu*|obsolète|obsolètes\
         |remplacé*|remplaça|remplace|renommé*|déplacé*|fusionné*|rebaptisé*|s'appelait|s’appelait|anciennement|autrefois|suppression de|retrait de|précédemment",
    ),
    (
        Says::Never,
        "ne pas le remettre|ne pas la remettre|ne pas les remettre|ne pas remettre|ne pas réintroduire|ne pas le réintroduire|ne pas la réintroduire|ne pas restaurer|ne pas le restaurer|ne pas la restaurer|ne pas recréer|ne pas le recréer|ne pas la recréer|ne doit pas revenir|ne doivent pas revenir|ne le remets pas|ne la remets pas|ne pas ressusciter|ne pas faire revenir|ne jamais réintroduire|ne jamais remettre",
    ),
    (Says::Will, "sera créé|seront créés|à créer|est prévu|est prévue|pas encore|sera ajouté"),
    (
        Says::New,
        "créer|créez|ajouter un|ajouter une|ajoutez un|nouveau fichier|nouveau module|nouvelle fonction|nouveau script|prévu",
    ),
    // German
    (
        Says::Either,
        "entfernt*|gelöscht*|gestrichen*|rausgeworfen*|rausgeflogen|herausgenommen*|rausgenommen*|abgeschafft*|weggefallen*|fiel weg|fielen weg|entfallen|entfiel|verworfen*|stillgelegt*|abgeschaltet*|aufgegeben|ausgemustert*|beseitigt*|weggeworfen|eingestampft\
         |existiert nicht mehr|existieren nicht mehr|gibt es nicht mehr|gibt's nicht mehr|gibt’s nicht mehr|es nicht mehr gibt|nicht mehr vorhanden|nicht mehr da|nicht mehr verwendet|nicht mehr benutzt|nicht mehr genutzt|nicht mehr im einsatz|nicht mehr gebraucht|nicht mehr benötigt|nicht mehr gibt|ist weg|sind weg|verschwunden*|veraltet*|hinfällig|existiert nicht|existieren nicht\
         |ersetzt*|ersetzte|abgelöst*|umbenannt*|verschoben*|verlegt*|ausgelagert*|aufgegangen|zusammengeführt*|zusammengelegt*|umgezogen|hieß früher|früher|ehemals|ehemalige*|vormals|löschung von|entfernung von",
    ),
    (
        Says::Never,
        "nicht wieder einführen|nicht wieder einbauen|nicht zurückholen|nicht wieder anlegen|nicht wieder hinzufügen|nicht wiederherstellen|nicht wieder herstellen|nicht zurückbringen|nicht wiederbeleben|nicht neu anlegen|nicht wieder aufnehmen|nie wieder einführen|nicht wieder auftauchen|nicht zurückkommen|nicht wiederkommen|nicht erneut",
    ),
    (
        Says::Will,
        "wird angelegt|werden angelegt|wird erstellt|soll angelegt|soll erstellt|ist geplant|sind geplant|noch nicht|wird hinzugefügt",
    ),
    (
        Says::New,
        "anlegen|erstelle|erstellen|neue datei|neues modul|neue funktion|neues skript|geplante|geplanter|geplantes|lege",
    ),
    // Portuguese
    (
        Says::Either,
        "removid*|removeu|removemos|removeram|removi|excluíd*|excluiu|excluímos|excluíram|apagad*|apagou|apagamos|apagaram|deletad*|deletou|deletamos|eliminou|eliminámos|retirou|retirámos|suprimiu|descartou|não existe mais|não existem mais|já não existe|já não existem|não existe|não existem|não está mais|não há mais|não é mais usad*|não é mais necessári*|não usamos mais|deixou de existir|deixaram de existir|sumiu|sumiram|desapareceu|desapareceram\
         |substituíd*|substituiu|substituímos|renomead*|renomeou|renomeamos|movemos|moveu|mesclad*|fundid*|aposentad*|antigamente|chamava-se|desativad*|tirou|tiramos|remoção de|remoção do|remoção da|transferid*",
    ),
    (
        Says::Never,
        "não trazer de volta|não traga de volta|não restaurar|não restaure|não reintroduzir|não reintroduza|não recriar|não recrie|não deve voltar|não devem voltar|não voltar a|não adicionar de volta|nunca reintroduzir",
    ),
    (
        Says::Will,
        "será criado|será criada|a ser criado|está planejado|está previsto|ainda não|será adicionado",
    ),
    (
        Says::New,
        "criar|crie um|crie o|adicionar um|novo arquivo|novo ficheiro|novo módulo|nova função|novo script",
    ),
];
