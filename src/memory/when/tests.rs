//! Sentences in eight languages: what counts from the day of writing, what it meant, and what only looks so.

use super::*;

/// A Wednesday.
const WRITTEN: &str = "2026-03-04";

/// The sentence with what is relative replaced; `?` where it can't be told; `None` when nothing is.
fn said(sentence: &str) -> Option<String> {
    let found = relative(sentence, WRITTEN.parse().unwrap());
    let mut said = sentence.to_owned();
    for one in found.iter().rev() {
        said.replace_range(one.range.clone(), if one.span.is_some() { &one.text } else { "?" });
    }
    (!found.is_empty()).then_some(said)
}

fn relates(table: &[(&str, &str)]) {
    let wrong: Vec<_> = table
        .iter()
        .filter_map(|(sentence, expected)| {
            let said = said(sentence);
            (said.as_deref() != Some(expected))
                .then(|| format!("{sentence}\n  is      {said:?}\n  expected {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

fn stays(sentences: &[&str]) {
    let wrong: Vec<_> =
        sentences.iter().filter_map(|one| said(one).map(|said| format!("{one}\n  is {said}"))).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), sentences.len(), wrong.join("\n"));
}

#[test]
fn english() {
    relates(&[
        ("The lease ends next Thursday.", "The lease ends on 2026-03-05."),
        ("We dropped the old cart yesterday.", "We dropped the old cart on 2026-03-03."),
        ("Yesterday the importer broke twice.", "On 2026-03-03 the importer broke twice."),
        ("Code freeze begins in two weeks.", "Code freeze begins on 2026-03-18."),
        (
            "Since last month payouts need a second pair of eyes.",
            "Since 2026-02 payouts need a second pair of eyes.",
        ),
        (
            "The bank switch is finished by the end of the quarter.",
            "The bank switch is finished by 2026-03-31.",
        ),
        ("The beta closes this Friday.", "The beta closes on 2026-03-06."),
        ("3 days ago the cluster was rebuilt.", "On 2026-03-01 the cluster was rebuilt."),
        ("Ana joined the team last week.", "Ana joined the team in the week of 2026-02-23."),
        ("The tender is open until tomorrow.", "The tender is open until 2026-03-05."),
        ("We'll move to the new region next month.", "We'll move to the new region in 2026-04."),
        ("No merges until next Monday.", "No merges until 2026-03-09."),
        ("The contract was signed two months ago.", "The contract was signed in 2026-01."),
        (
            "After yesterday's outage the pager goes to both.",
            "After the 2026-03-03 outage the pager goes to both.",
        ),
        ("He is on leave until the day after tomorrow.", "He is on leave until 2026-03-06."),
        ("As of today the flag is on for everyone.", "As of 2026-03-04 the flag is on for everyone."),
        ("We chose Postgres a few days ago.", "We chose Postgres ?."),
        ("Last year we lost the domain.", "In 2025 we lost the domain."),
        ("The vendor will send keys a week from now.", "The vendor will send keys on 2026-03-11."),
        ("Reports must be in by Friday.", "Reports must be in by 2026-03-06."),
        ("The cutover is planned for next quarter.", "The cutover is planned for 2026-Q2."),
        (
            "Old API goes away at the end of next month.",
            "Old API goes away at 2026-04-30.".replace("at 2026", "on 2026").leak(),
        ),
        ("The audit starts tomorrow morning.", "The audit starts on 2026-03-05."),
        ("Today we deployed the rewrite.", "On 2026-03-04, we deployed the rewrite."),
        ("The office moved last Friday.", "The office moved on 2026-02-27."),
        (
            "This week the release train is stopped.",
            "In the week of 2026-03-02 the release train is stopped.",
        ),
        ("Budget is due by EOQ.", "Budget is due by 2026-03-31."),
    ]);
    stays(&[
        "The user asks each morning what was done yesterday.",
        "Standups are every Monday.",
        "Pick last sprint's figure, yesterday's weather pattern.",
        "The job takes two weeks.",
        "Answer within 3 days.",
        "Give two weeks' notice.",
        "Keep logs for 30 days.",
        "Review it on the day after a release.",
        "Branches are cut two weeks before the freeze.",
        "It moves to the next day.",
        "The Today view shows open tickets.",
        "Weather comes from tomorrow.io for the map.",
        "Today's date is injected into the prompt.",
        "If it is older than two weeks, delete it.",
        "Use the clock, not yesterday.",
        "A token expires in 30 days.",
        "The rewrite was finished in two weeks.",
        "Invoices roll over to next month.",
        "Write absolute dates, never relative dates such as next Thursday.",
        "The app is called Yesterday and sells prints.",
        "The worker reads yesterday's partition.",
        "The same day a fix went out.",
        "The user always wants this week and last week side by side.",
        "Batches close at the end of the month.",
        "She works Tuesdays and Thursdays.",
        "Run `\0\0\0\0` with since=yesterday.",
        "Show what changed yesterday in the summary.",
        "The team decided yesterday (2026-03-03) to stop.",
        "Version 4 is the last year of support plan.",
    ]);
}

#[test]
fn german() {
    relates(&[
        (
            "Wir haben gestern beschlossen, den alten Shop zu behalten.",
            "Wir haben am 2026-03-03 beschlossen, den alten Shop zu behalten.",
        ),
        ("Der Vertrag endet nächsten Donnerstag.", "Der Vertrag endet am 2026-03-05."),
        ("Der Umzug ist übermorgen.", "Der Umzug ist am 2026-03-06."),
        (
            "Seit letztem Monat brauchen Erstattungen zwei Freigaben.",
            "Seit 2026-02 brauchen Erstattungen zwei Freigaben.",
        ),
        ("Die Sperre beginnt in zwei Wochen.", "Die Sperre beginnt am 2026-03-18."),
        ("Die Migration läuft bis Ende des Quartals.", "Die Migration läuft bis zum 2026-03-31."),
        ("Vor drei Tagen wurde der Server ersetzt.", "Am 2026-03-01 wurde der Server ersetzt."),
        ("Nächste Woche ist niemand im Büro.", "In der Woche ab 2026-03-09 ist niemand im Büro."),
        ("Morgen stellen wir auf die neue Kasse um.", "Am 2026-03-05 stellen wir auf die neue Kasse um."),
        ("Keine Deployments bis nächsten Montag.", "Keine Deployments bis zum 2026-03-09."),
        ("Das Budget muss bis Freitag stehen.", "Das Budget muss bis zum 2026-03-06 stehen."),
        ("Letztes Jahr ging die Domain verloren.", "In 2025 ging die Domain verloren."),
        ("Ab nächstem Monat gilt der neue Tarif.", "Ab 2026-04 gilt der neue Tarif."),
        ("Wir haben das vor ein paar Tagen umgestellt.", "Wir haben das ? umgestellt."),
        ("Der Bericht ist bis Monatsende fällig.", "Der Bericht ist bis zum 2026-03-31 fällig."),
    ]);
    stays(&[
        "Der Nutzer fragt jeden Morgen, was gestern passiert ist.",
        "Die Konfiguration liegt hier im Ordner und wird morgens geladen.",
        "Jeden Montag ist Planung.",
        "Die Aufgabe dauert zwei Wochen.",
        "Logs werden 30 Tage aufbewahrt.",
        "Zwei Wochen vor dem Release wird der Zweig geschnitten.",
        "Wenn es älter als zwei Wochen ist, löschen.",
        "Am nächsten Tag wird geprüft.",
        "Guten Morgen sagt der Bot.",
        "In den letzten Tagen des Monats wird immer abgerechnet.",
        "Am Ende des Monats wird abgerechnet.",
        "Relative Daten wie gestern in absolute Daten umwandeln.",
    ]);
}

#[test]
fn french() {
    relates(&[
        (
            "Nous avons décidé hier de garder l'ancien panier.",
            "Nous avons décidé le 2026-03-03 de garder l'ancien panier.",
        ),
        ("Le contrat se termine jeudi prochain.", "Le contrat se termine le 2026-03-05."),
        ("Le gel commence dans deux semaines.", "Le gel commence le 2026-03-18."),
        (
            "Depuis le mois dernier, les remboursements demandent deux accords.",
            "Depuis 2026-02, les remboursements demandent deux accords.",
        ),
        ("La migration finit d'ici la fin du trimestre.", "La migration finit d'ici le 2026-03-31."),
        ("Il y a trois jours, le serveur a été remplacé.", "Le 2026-03-01, le serveur a été remplacé."),
        (
            "La semaine prochaine, personne n'est au bureau.",
            "La semaine du 2026-03-09, personne n'est au bureau.",
        ),
        ("On bascule demain sur la nouvelle caisse.", "On bascule le 2026-03-05 sur la nouvelle caisse."),
        ("Pas de déploiement jusqu'à lundi prochain.", "Pas de déploiement jusqu'au 2026-03-09."),
        ("Le bail court jusqu'à la fin du mois.", "Le bail court jusqu'au 2026-03-31."),
        ("L'année dernière nous avons perdu le domaine.", "En 2025 nous avons perdu le domaine."),
        ("La bêta ferme ce vendredi.", "La bêta ferme le 2026-03-06."),
        ("Le client a signé avant-hier.", "Le client a signé le 2026-03-02."),
        (
            "Depuis hier les alertes vont aux deux équipes.",
            "Depuis le 2026-03-03 les alertes vont aux deux équipes.",
        ),
        ("Nous avons changé de base il y a quelques jours.", "Nous avons changé de base ?."),
    ]);
    stays(&[
        "L'utilisateur demande chaque matin ce qui a été fait hier.",
        "Les réunions ont lieu tous les lundis.",
        "La tâche prend deux semaines.",
        "Les journaux sont gardés 30 jours.",
        "La branche est coupée deux semaines avant le gel.",
        "Un jeton expire dans 30 jours.",
        "Si c'est plus ancien que deux semaines, supprimer.",
        "Le lendemain, on vérifie.",
        "Remplacer les dates relatives comme hier par des dates absolues.",
        "Le rapport sort à la fin du mois.",
        "Il y a trois serveurs dans ce groupe.",
    ]);
}

#[test]
fn spanish() {
    relates(&[
        (
            "Ayer decidimos mantener el carrito antiguo.",
            "El 2026-03-03 decidimos mantener el carrito antiguo.",
        ),
        ("El contrato termina el próximo jueves.", "El contrato termina el 2026-03-05."),
        ("La congelación empieza dentro de dos semanas.", "La congelación empieza el 2026-03-18."),
        (
            "Desde el mes pasado los reembolsos necesitan dos firmas.",
            "Desde 2026-02 los reembolsos necesitan dos firmas.",
        ),
        ("La migración acaba antes de fin de mes.", "La migración acaba antes del 2026-03-31."),
        ("Hace tres días se cambió el servidor.", "El 2026-03-01 se cambió el servidor."),
        (
            "La semana que viene no hay nadie en la oficina.",
            "La semana del 2026-03-09 no hay nadie en la oficina.",
        ),
        ("Mañana pasamos a la nueva caja.", "El 2026-03-05 pasamos a la nueva caja."),
        ("No hay despliegues hasta el próximo lunes.", "No hay despliegues hasta el 2026-03-09."),
        ("La entrega es pasado mañana.", "La entrega es el 2026-03-06."),
        ("El año pasado perdimos el dominio.", "En 2025 perdimos el dominio."),
        ("La beta cierra este viernes.", "La beta cierra el 2026-03-06."),
        ("El proveedor firmó anteayer.", "El proveedor firmó el 2026-03-02."),
        ("El jueves que viene cambia el horario.", "El 2026-03-05 cambia el horario."),
        ("Cambiamos de base hace unos días.", "Cambiamos de base ?."),
    ]);
    stays(&[
        "El usuario pregunta cada mañana qué se hizo ayer.",
        "Las reuniones son todos los lunes.",
        "La tarea tarda dos semanas.",
        "Los registros se guardan 30 días.",
        "La rama se corta dos semanas antes de la congelación.",
        "El informe llega por la mañana.",
        "Un token caduca en 30 días.",
        "Si es más antiguo que dos semanas, borrar.",
        "Al día siguiente se comprueba.",
        "El fin de semana no se despliega.",
        "Convertir fechas relativas como mañana en fechas absolutas.",
        "Se factura a fin de mes.",
    ]);
}

#[test]
fn portuguese() {
    relates(&[
        ("Ontem decidimos manter o carrinho antigo.", "Em 2026-03-03 decidimos manter o carrinho antigo."),
        ("O contrato termina na próxima quinta-feira.", "O contrato termina em 2026-03-05."),
        ("O congelamento começa daqui a duas semanas.", "O congelamento começa em 2026-03-18."),
        (
            "Desde o mês passado os reembolsos precisam de duas aprovações.",
            "Desde 2026-02 os reembolsos precisam de duas aprovações.",
        ),
        ("A migração termina até o fim do trimestre.", "A migração termina até 2026-03-31."),
        ("Há três dias o servidor foi trocado.", "Em 2026-03-01 o servidor foi trocado."),
        (
            "Na próxima semana não há ninguém no escritório.",
            "Na semana de 2026-03-09 não há ninguém no escritório.",
        ),
        ("Amanhã mudamos para o novo caixa.", "Em 2026-03-05 mudamos para o novo caixa."),
        ("Sem deploys até segunda-feira.", "Sem deploys até 2026-03-09."),
        ("A entrega é depois de amanhã.", "A entrega é em 2026-03-06."),
        ("No ano passado perdemos o domínio.", "Em 2025 perdemos o domínio."),
        ("O cliente assinou anteontem.", "O cliente assinou em 2026-03-02."),
        ("Trocamos de banco duas semanas atrás.", "Trocamos de banco em 2026-02-18."),
        ("A reunião é na semana que vem.", "A reunião é na semana de 2026-03-09."),
        ("Mudamos a base há alguns dias.", "Mudamos a base ?."),
    ]);
    stays(&[
        "O usuário pergunta toda manhã o que foi feito ontem.",
        "As reuniões são todas as segundas.",
        "A tarefa leva duas semanas.",
        "Os logs ficam guardados por 30 dias.",
        "O branch é cortado duas semanas antes do congelamento.",
        "Um token expira em 30 dias.",
        "Se for mais antigo que duas semanas, apagar.",
        "No dia seguinte verificamos.",
        "No fim de semana não há deploy.",
        "Converter datas relativas como amanhã em datas absolutas.",
        "A fatura sai no fim do mês.",
    ]);
}

#[test]
fn japanese() {
    relates(&[
        ("昨日、旧カートを残すと決めた。", "2026-03-03、旧カートを残すと決めた。"),
        ("契約は来週の木曜日に終わる。", "契約は2026-03-12に終わる。"),
        ("先月から返金には二人の承認が要る。", "2026-02から返金には二人の承認が要る。"),
        ("凍結は2週間後に始まる。", "凍結は2026-03-18に始まる。"),
        ("移行は月末までに終える。", "移行は2026-03-31までに終える。"),
        ("3日前にサーバーを交換した。", "2026-03-01にサーバーを交換した。"),
        ("来月リリースする。", "2026-04にリリースする。"),
        ("明日から新しいレジに切り替える。", "2026-03-05から新しいレジに切り替える。"),
        ("今週は誰もいない。", "2026-03-02の週は誰もいない。"),
        ("昨年ドメインを失った。", "2025にドメインを失った。"),
        ("明後日は本番作業がある。", "2026-03-06は本番作業がある。"),
        ("数日前にデータベースを変えた。", "?にデータベースを変えた。"),
        ("来月末に旧 API を止める。", "2026-04-30に旧 API を止める。"),
    ]);
    stays(&[
        "利用者は毎朝、昨日やったことを尋ねる。",
        "毎週月曜日に計画を立てる。",
        "作業には2週間かかる。",
        "ログは30日間保存する。",
        "リリースの2週間前にブランチを切る。",
        "翌日に確認する。",
        "登録の3日後にメールを送る。",
        "3日以内に返事をする。",
        "「\0\0\0」という列は来週の作業を示す。",
        "今日の日付はプロンプトに入る。",
        "相対日付(昨日など)は絶対日付に直す。",
    ]);
}

#[test]
fn korean() {
    relates(&[
        ("어제 예전 장바구니를 유지하기로 했다.", "2026-03-03에 예전 장바구니를 유지하기로 했다."),
        ("계약은 다음 주 목요일에 끝난다.", "계약은 2026-03-12에 끝난다."),
        ("지난달부터 환불에는 승인 두 개가 필요하다.", "2026-02부터 환불에는 승인 두 개가 필요하다."),
        ("동결은 2주 후에 시작한다.", "동결은 2026-03-18에 시작한다."),
        ("이전은 분기 말까지 끝낸다.", "이전은 2026-03-31까지 끝낸다."),
        ("3일 전에 서버를 교체했다.", "2026-03-01에 서버를 교체했다."),
        ("다음 달에 출시한다.", "2026-04에 출시한다."),
        ("내일부터 새 결제로 바꾼다.", "2026-03-05부터 새 결제로 바꾼다."),
        ("이번 주는 아무도 없다.", "2026-03-02 주는 아무도 없다."),
        ("작년에 도메인을 잃었다.", "2025에 도메인을 잃었다."),
        ("모레 운영 작업이 있다.", "2026-03-06에 운영 작업이 있다."),
        ("며칠 전에 데이터베이스를 바꿨다.", "?에 데이터베이스를 바꿨다."),
        ("이번 주 금요일까지 배포 금지.", "2026-03-06까지 배포 금지."),
    ]);
    stays(&[
        "사용자는 매일 아침 어제 한 일을 묻는다.",
        "매주 월요일에 계획을 세운다.",
        "작업은 2주 걸린다.",
        "로그는 30일 동안 보관한다.",
        "출시 2주 전에 브랜치를 자른다.",
        "다음 날 확인한다.",
        "가입 3일 후에 메일을 보낸다.",
        "3일 이내에 답한다.",
        "오늘 날짜는 프롬프트에 들어간다.",
        "상대 날짜(어제 등)는 절대 날짜로 바꾼다.",
        "2주 전보다 오래된 것은 매번 지운다.",
    ]);
}

#[test]
fn chinese() {
    relates(&[
        ("昨天我们决定保留旧购物车。", "2026-03-03我们决定保留旧购物车。"),
        ("合同下周四到期。", "合同2026-03-12到期。"),
        ("从上个月起退款需要两人批准。", "从2026-02起退款需要两人批准。"),
        ("冻结两周后开始。", "冻结2026-03-18开始。"),
        ("迁移要在季度末之前完成。", "迁移要在2026-03-31之前完成。"),
        ("三天前更换了服务器。", "2026-03-01更换了服务器。"),
        ("下个月上线新版本。", "2026-04上线新版本。"),
        ("明天切换到新收银台。", "2026-03-05切换到新收银台。"),
        ("这周办公室没有人。", "2026-03-02那周办公室没有人。"),
        ("去年我们丢了域名。", "2025我们丢了域名。"),
        ("后天有生产维护。", "2026-03-06有生产维护。"),
        ("几天前换了数据库。", "?换了数据库。"),
        ("下週一之前不要部署。", "2026-03-09之前不要部署。"),
        ("今年年底停用旧接口。", "2026年底停用旧接口。".replace("2026年底", "2026-12-31").leak()),
    ]);
    stays(&[
        "用户每天早上问昨天做了什么。",
        "每周一开计划会。",
        "这个任务需要两周。",
        "日志保留30天。",
        "发布前两周切分支。",
        "第二天再检查。",
        "注册三天后发送邮件。",
        "三天之内回复。",
        "今天的日期会写进提示词。",
        "把昨天这样的词改成绝对日期。",
        "超过两周前的文件可以删除。",
    ]);
}

#[test]
fn dates_that_are_written_out() {
    for (text, expected) in [
        ("on 2026-03-05 and 2026/3/6", "2026-03-05 2026-03-06"),
        ("5 March 2026, March 5, 2026, 5th of March 2026", "2026-03-05 2026-03-05 2026-03-05"),
        ("am 05.03.2026 und 5. März 2026", "2026-03-05 2026-03-05"),
        ("2026年3月5日 2026년 3월 5일", "2026-03-05 2026-03-05"),
        (
            "5 de marzo de 2026; 5 de março de 2026; le 5 mars 2026; 1er août 2026",
            "2026-03-05 2026-03-05 2026-03-05 2026-08-01",
        ),
        (
            "until March 2026, Q1 2026, 2026-Q2, 2026年3月, end of 2025",
            "2026-03 2026-Q1 2026-Q2 2026-03 2025",
        ),
        ("25/12/2025 12/25/2025", "2025-12-25 2025-12-25"),
        ("2026-02-30 v2026-1 10-2026-03-05 2026 in 2025", ""),
        (
            "décembre 2025, Dezember 2025, dezembro de 2025, diciembre de 2025",
            "2025-12 2025-12 2025-12 2025-12",
        ),
    ] {
        let found: Vec<_> = dates(text).iter().map(|date| date.span.to_string()).collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }
}

#[test]
fn spans_end_on_their_last_day() {
    let day = |text: &str| text.parse::<NaiveDate>().unwrap();
    for (unit, last) in [
        (Unit::Day, "2024-02-29"),
        (Unit::Week, "2024-03-03"),
        (Unit::Month, "2024-02-29"),
        (Unit::Quarter, "2024-03-31"),
        (Unit::Year, "2024-12-31"),
    ] {
        assert_eq!(Span::of(unit, day("2024-02-29")).last_day(), day(last), "{unit:?}");
    }
    assert_eq!(step(NaiveDate::MAX, Unit::Day, 1), None);
    assert_eq!(step(day("2026-03-31"), Unit::Month, -1), Some(day("2026-02-28")));
}

#[test]
fn only_what_nobody_takes_otherwise_is_sure() {
    for (sentence, sure) in [
        ("We moved it yesterday.", true),
        ("We moved it last Friday.", true),
        ("It ends next Thursday.", false),
        ("It ends next Tuesday.", true),
        ("It starts in two weeks.", false),
        ("It starts in 3 days.", true),
        ("We moved it two months ago.", false),
    ] {
        let found = relative(sentence, WRITTEN.parse().unwrap());
        assert_eq!(found.iter().map(|one| one.is_sure).collect::<Vec<_>>(), [sure], "{sentence}");
    }
}

#[test]
fn what_a_report_covers_is_a_habit() {
    stays(&[
        "The Monday list covers the whole of last week.",
        "The screen shows yesterday by default.",
        "El informe de los lunes cubre toda la semana pasada.",
        "La pantalla muestra la semana pasada.",
        "O relatório mostra a semana passada.",
        "Le tableau affiche la semaine dernière.",
        "Die Übersicht zeigt die letzte Woche.",
        "一覧は先週を表示する。",
        "목록은 지난주를 보여준다.",
        "报表显示上周的数据。",
    ]);
    for sentence in [
        "The inspection is the week after next.",
        "1. Yesterday the owner kept the old format.",
        "The owner is back on Monday and decides then.",
        "We will ship on Friday.",
    ] {
        assert_eq!(relative(sentence, "2026-03-04".parse().unwrap()).len(), 1, "{sentence}");
    }
    stays(&["The job runs on Monday.", "Stand-up is short on Friday."]);
}
