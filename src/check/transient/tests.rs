//! What tells of one session, in eight languages, and what only uses such words.

use crate::check::tests::deep;

fn found(body: &str) -> Vec<String> {
    let text = format!("---\nname: a\ndescription: d\ntype: project\n---\n\n{body}\n");
    let findings = deep(&text, "transient");
    findings
        .iter()
        .map(|one| format!("{:?} {}", one.severity, text.get(one.range.clone().unwrap()).unwrap()))
        .collect()
}

#[test]
fn states_of_a_session() {
    let table = [
        "All tests pass now.",
        "The tests are currently failing on the parser.",
        "CI is red right now.",
        "The refactor of the importer is still in progress.",
        "Status: in progress",
        "- [WIP] cart rewrite",
        "Currently debugging the flaky worker.",
        "I'm working on the invoice export.",
        "We left off at the migration script.",
        "TODO next: wire up the webhook.",
        "I have just committed the fix.",
        "Waiting for CI on the branch.",
        "There are uncommitted changes in the worktree.",
        "In this session we fixed the rounding.",
        "Halfway through the port to the new client.",
        "The branch still needs to be rebased.",
        "Next session: finish the webhook.",
        "Alle Tests laufen jetzt durch.",
        "Die Umstellung ist noch in Arbeit.",
        "Ich habe gerade den Fix eingecheckt.",
        "Warte auf CI.",
        "Les tests passent maintenant.",
        "La migration est en cours.",
        "Je viens de pousser le correctif.",
        "Dans cette session, nous avons corrigé l'arrondi.",
        "Las pruebas pasan ahora.",
        "La migración está en curso.",
        "Acabo de subir el arreglo.",
        "En esta sesión arreglamos el redondeo.",
        "Os testes passam agora.",
        "A migração está em andamento.",
        "Acabei de enviar a correção.",
        "Nesta sessão corrigimos o arredondamento.",
        "テストは今すべて通っている。",
        "移行は作業中です。",
        "このセッションで丸めを直した。",
        "CI待ち。",
        "테스트가 지금 모두 통과한다.",
        "이전 작업 중이다.",
        "이번 세션에서 반올림을 고쳤다.",
        "방금 수정을 커밋했다.",
        "测试现在全部通过。",
        "正在调试解析器。",
        "本次会话修复了舍入问题。",
        "等待CI。",
    ];
    let wrong: Vec<_> =
        table.iter().filter(|body| !found(body).iter().any(|one| one.starts_with("Warning"))).collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), table.len());
}

#[test]
fn words_that_are_what_is_spoken_of() {
    let table = [
        "Never commit while tests are in progress.",
        "This session's token is rotated by the gateway.",
        "The session cookie lives for a day.",
        "Work-in-progress limits are three per person.",
        "WIP commits are squashed before review.",
        "If CI is red, stop and look.",
        "Tests must pass before a merge.",
        "The In progress column holds at most three tickets.",
        "Sessions expire after an hour.",
        "The currently selected tenant is kept in the URL.",
        "Waiting for locks costs more than retries.",
        "The next release drops the old API.",
        "Always wait for CI before you merge.",
        "Uploads in progress are kept in a scratch table.",
        "The user wants a summary when work is still in progress.",
        "`in progress` is a state of the order.",
        "Nie committen, während Tests laufen.",
        "Die Sitzung läuft nach einer Stunde ab.",
        "Ne jamais fusionner quand la CI est rouge.",
        "La session expire après une heure.",
        "Nunca fusionar mientras las pruebas fallan.",
        "La sesión caduca en una hora.",
        "A sessão expira em uma hora.",
        "テスト中はコミットしない。",
        "セッションは一時間で切れる。",
        "작업 중에는 커밋하지 마라.",
        "세션은 한 시간 뒤 만료된다.",
        "会话一小时后过期。",
        "测试进行中时不要提交。",
    ];
    let wrong: Vec<_> = table
        .iter()
        .filter(|body| !found(body).is_empty())
        .map(|body| format!("{body} {:?}", found(body)))
        .collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), table.len());
}

#[test]
fn plans_are_only_information() {
    assert_eq!(found("Next steps: port the client."), ["Info Next steps"]);
}

#[test]
fn how_far_the_work_is() {
    for body in [
        "Status: 9 of 12 tests pass, the parser ones are open.",
        "Two of the export tests still fail.",
        "The importer tests pass on macOS now.",
        "I was in the middle of moving the locks.",
        "Next I need to wire the form.",
        "Jetzt laufen alle Tests.",
        "9 von 12 Tests sind grün.",
        "Maintenant tous les tests passent.",
        "Deux fichiers ne sont pas encore commités.",
        "Ahora pasan todas las pruebas.",
        "Hay dos archivos modificados sin subir.",
        "Agora passam todos os testes.",
        "Há dois ficheiros ainda por enviar.",
    ] {
        assert!(found(body).iter().any(|one| one.starts_with("Warning")), "{body}");
    }
    for body in
        ["Work in progress is drawn in blue on the board.", "Passing tests are not enough for a release."]
    {
        assert_eq!(found(body), Vec::<String>::new(), "{body}");
    }
}
