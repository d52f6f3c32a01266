//! Deadlines that have passed in eight languages, and the day from which a relative date is counted.

use super::super::tests::{about_deep, deep};
use super::super::{Finding, Fix};

/// The findings of a check on a body, today being 2026-03-10.
fn found(check: &str, header: &str, body: &str) -> Vec<Finding> {
    deep(&format!("---\nname: a\ndescription: d\ntype: project\n{header}---\n\n{body}\n"), check)
}

fn past(body: &str) -> Vec<String> {
    found("date-past", "", body).into_iter().map(|finding| finding.about).collect()
}

#[test]
fn deadlines_that_have_passed() {
    let table = [
        ("The mobile release is frozen until 2026-03-05.", "2026-03-05"),
        ("Deadline for the tax export is 2026-02-28.", "2026-02-28"),
        ("Submit the tax export by 5 March 2026.", "5 March 2026"),
        ("The staging certificate expires on March 5, 2026.", "March 5, 2026"),
        ("No schema changes until March 2025.", "March 2025"),
        ("The sandbox licence is valid through 2026-01-31.", "2026-01-31"),
        ("Must be migrated by Q4 2025.", "Q4 2025"),
        ("Due: 2026-03-01", "2026-03-01"),
        ("**Deadline:** 2026-03-01 for the audit answers", "2026-03-01"),
        ("The freeze ends 2026-02-20.", "2026-02-20"),
        ("Node 18 will be removed on 2026-02-01.", "2026-02-01"),
        ("The old endpoint is supported till 2025-12-31.", "2025-12-31"),
        ("2026-02-15 deadline for vendor answers", "2026-02-15"),
        ("Keep the feature flag off before 2026-03-01.", "2026-03-01"),
        ("Los despliegues están congelados hasta el 5 de marzo de 2026.", "5 de marzo de 2026"),
        ("La fecha límite de la auditoría es el 2026-02-28.", "2026-02-28"),
        ("El certificado caduca el 1 de febrero de 2026.", "1 de febrero de 2026"),
        ("Die Releases sind bis zum 05.03.2026 gesperrt.", "05.03.2026"),
        ("Die Frist für den Export ist der 2026-02-28.", "2026-02-28"),
        ("Das Zertifikat läuft am 1. Februar 2026 ab.", "1. Februar 2026"),
        ("Les déploiements sont gelés jusqu'au 5 mars 2026.", "5 mars 2026"),
        ("La date limite de l'export est le 2026-02-28.", "2026-02-28"),
        ("À livrer avant le 1er février 2026.", "1er février 2026"),
        ("Os deploys estão congelados até 5 de março de 2026.", "5 de março de 2026"),
        ("O prazo da exportação é 2026-02-28.", "2026-02-28"),
        ("O certificado vence em 1 de fevereiro de 2026.", "1 de fevereiro de 2026"),
        ("リリースは2026年3月5日まで凍結。", "2026年3月5日"),
        ("税務エクスポートの締切は2026-02-28。", "2026-02-28"),
        ("証明書の有効期限は2026年2月1日です。", "2026年2月1日"),
        ("배포는 2026년 3월 5일까지 동결한다.", "2026년 3월 5일"),
        ("마감일은 2026-02-28이다.", "2026-02-28"),
        ("인증서는 2026년 2월 1일에 만료된다.", "2026년 2월 1일"),
        ("发布冻结到2026年3月5日。", "2026年3月5日"),
        ("截止日期是2026-02-28。", "2026-02-28"),
        ("请在2026年2月1日之前提交。", "2026年2月1日"),
    ];
    let wrong: Vec<_> = table
        .iter()
        .filter(|(body, about)| past(body) != [*about])
        .map(|(body, _)| format!("{body} {:?}", past(body)))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

#[test]
fn dates_of_what_happened_or_is_to_come() {
    let table = [
        "Decided on 2026-01-10 to keep both.",
        "Since 2026-01-10 refunds need two approvals.",
        "The outage of 2026-02-03 cost a weekend.",
        "Migrated by 2026-01-05 as planned and done.",
        "Freeze begins on 2031-03-05 for the whole company.",
        "The freeze until 2026-02-01 is over.",
        "The deadline was 2026-02-28, and we met it.",
        "The deadline of 2026-02-28 was extended to 2031-04-30.",
        "We ran on the old host until 2025-03-01.",
        "The team used Jenkins until March 2024.",
        "Frozen until 2026-03-10.",
        "Introduced in March 2025 after the audit.",
        "`valid until 2025-01-01` is a sample value.",
        "Release 2025-11-30 fixed it.",
        "The 2025-12-31 snapshot is kept for the tax office.",
        "Written by Ana, 2025-11-02.",
        "El incidente del 3 de febrero de 2026 costó un fin de semana.",
        "Desde el 10 de enero de 2026 hacen falta dos firmas.",
        "Usábamos Jenkins hasta marzo de 2024.",
        "Am 10. Januar 2026 entschieden.",
        "Wir haben bis 2025-03-01 den alten Server benutzt; das war teuer.".replace("haben", "hatten").leak(),
        "Die Frist war 2026-02-28 und wurde eingehalten.",
        "Décidé le 10 janvier 2026.",
        "Le gel jusqu'au 5 mars 2026 est terminé.",
        "Decidido em 10 de janeiro de 2026.",
        "O prazo de 2026-02-28 foi cumprido.",
        "2026年1月10日に決めた。",
        "2026-02-28の締切は延長された。",
        "2026년 1월 10일에 결정했다.",
        "2026-02-28 마감은 연장되었다.",
        "2026年1月10日决定。",
        "截止日期2026-02-28已延期。",
    ];
    let wrong: Vec<_> = table.iter().filter(|body| !past(body).is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_day_of_writing() {
    let body = "We moved the queue yesterday.";
    for (header, body, day, safe) in [
        ("modified: 2026-03-02T09:00:00Z\n", body, "on 2026-03-01", true),
        ("createdAt: 2026-02-02\n", body, "on 2026-02-01", true),
        ("createdAt: 2026-02-02\nmodified: 2026-03-02T09:00:00Z\n", body, "on 2026-02-01", false),
        ("", body, "on 2026-03-09", false),
        ("modified: 2026-03-02\n", "- 2026-01-15: yesterday we moved it", "on 2026-01-14", true),
        ("modified: 2026-03-02\n", "## 2026-01-15\n\nWe moved it yesterday.", "on 2026-01-14", true),
        (
            "modified: 2026-03-02\n",
            "Frozen, said the board. We agreed yesterday to wait until 2031-01-01.",
            "on 2026-03-01",
            true,
        ),
    ] {
        let findings = found("relative-date", header, body);
        let [finding] = findings.as_slice() else { panic!("{body}: {findings:?}") };
        let Some(Fix::Replace { text, is_safe, .. }) = finding.fixes.first() else { panic!("{finding:?}") };
        assert_eq!((text.as_str(), *is_safe), (day, safe), "{header} {body}");
    }
}

#[test]
fn where_it_stands() {
    let text = "---\nname: a\ndescription: the lease ends next Thursday\ntype: user\n---\n\nOne.\nTwo \u{e9}. It ends\nnext month.\n";
    let findings = deep(text, "relative-date");
    let places: Vec<_> = findings
        .iter()
        .map(|one| (one.line, text.get(one.range.clone().unwrap()).unwrap(), one.about.as_str()))
        .collect();
    assert_eq!(places, [(3, "next Thursday", "next thursday"), (9, "next month", "next month")]);
    assert_eq!(about_deep(text), ["relative-date a.md:3 Warning", "relative-date a.md:9 Warning"]);
}

#[test]
fn what_is_going_to_end() {
    let table = [
        ("The trial is going to end on 4 February 2026.", "4 February 2026"),
        ("They will switch off the old gateway for good on 2026-02-03.", "2026-02-03"),
        ("Deadline for the auditor's list: 2026-01-20.", "2026-01-20"),
        ("Abgabefrist für die Unterlagen ist der 12.01.2026.", "12.01.2026"),
        ("Der alte Dienst wird am 3. Februar 2026 abgeschaltet.", "3. Februar 2026"),
        ("El portal viejo dejará de funcionar el 3 de febrero de 2026.", "3 de febrero de 2026"),
        ("L'ancien service sera arrêté le 3 février 2026.", "3 février 2026"),
        ("O portal antigo será desligado em 3 de fevereiro de 2026.", "3 de fevereiro de 2026"),
        ("旧サービスは2026年2月3日に停止する。", "2026年2月3日"),
        ("옛 서비스는 2026년 2월 3일에 중단된다.", "2026년 2월 3일"),
        ("旧接口将于2026年2月3日停用。", "2026年2月3日"),
    ];
    let wrong: Vec<_> = table
        .iter()
        .filter(|(body, about)| past(body) != [*about])
        .map(|(body, _)| format!("{body} {:?}", past(body)))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), table.len(), wrong.join("\n"));
    for body in [
        "Until 2026-01-12 the lists came on paper; since then as CSV.",
        "Until March 2025 we shipped by hand.",
        "Bis 2025-06-30 galt der alte Tarif, seither der neue.",
        "Hasta el 1 de mayo de 2025 los pedidos llegaban por fax.",
        "Jusqu'au 1er mai 2025, les commandes arrivaient par fax.",
        "Até 1 de maio de 2025 os pedidos chegavam por fax.",
        "Der alte Dienst wurde am 3. Februar 2026 abgeschaltet.",
    ] {
        assert_eq!(past(body), Vec::<String>::new(), "{body}");
    }
}
