//! Words that mean the same where memories use them, also across languages: a small table, not a dictionary.
//!
//! A row holds words that can stand for one another in a sentence without changing what an agent would do.

use super::Kind;
use super::language::{LANGUAGES, Language};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The row's key for a word in lower case of this language: the row that has it as it stands, before one that only has its
/// stem (English "import" is no Spanish "importe").
pub(super) fn of(language: Language, word: &str, stem: &str) -> Option<&'static str> {
    TABLE.words.get(word).copied().or_else(|| of_stem(language, stem))
}

fn of_stem(language: Language, stem: &str) -> Option<&'static str> {
    TABLE.stems.get(language as usize)?.get(stem).copied()
}

/// What a word of a row is worth: that something is needed or preferred is in very many memories.
pub(super) fn kind(key: &str) -> Kind {
    if matches!(key, "prefer" | "need") { Kind::Weak } else { Kind::Word }
}

/// The longest word of the table with which a text in CJK writing begins: its characters, and its row's key.
pub(super) fn at_start(text: &[char]) -> Option<(usize, &'static str)> {
    (1..=TABLE.longest.min(text.len())).rev().find_map(|length| {
        let word: String = text.get(..length)?.iter().collect();
        TABLE.cjk.get(word.as_str()).map(|key| (length, *key))
    })
}

struct Table {
    words: HashMap<&'static str, &'static str>,
    stems: Vec<HashMap<String, &'static str>>,
    cjk: HashMap<&'static str, &'static str>,
    longest: usize,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let stems = vec![HashMap::new(); LANGUAGES.len()];
    let mut table = Table { words: HashMap::new(), stems, cjk: HashMap::new(), longest: 0 };
    for row in ROWS {
        let mut words = row.split_whitespace();
        let Some(key) = words.clone().next() else { continue };
        for word in words.by_ref() {
            if super::cjk::is_cjk(word) {
                table.longest = table.longest.max(word.chars().count());
                table.cjk.insert(word, key);
            } else {
                table.words.entry(word).or_insert(key);
                for (language, stems) in LANGUAGES.into_iter().zip(&mut table.stems) {
                    stems.entry(language.stem(word)).or_insert(key);
                }
            }
        }
    }
    table
});

/// The first word of a row is its key.
const ROWS: &[&str] = &[
    "store store stored stores storing save saved saving persist persisted hold held record recorded speichern \
     gespeichert stocker stocké stockés enregistrer enregistré conservé guardar guarda guardan guardado guardados \
     almacenar almacena almacenan armazenar armazenado armazenados guardado salvar 保存 存储 存儲 储存 保存 存为 存成 格納 保管 저장 보관",
    "database database databases db datenbank datenbanken 数据库 資料庫 データベース 데이터베이스 디비",
    "repository repository repositories repo repos 仓库 リポジトリ 저장소 레포",
    "config configuration config configs configured konfiguration configuración configuração 配置 設定 설정",
    "setting setting settings einstellung einstellungen paramètre paramètres ajuste ajustes",
    "test test tests testing tested prueba pruebas essai essais teste testes 测试 測試 テスト 테스트",
    "delete delete deleted deletes deleting remove removed removes removing drop dropped erase purge löschen gelöscht entfernen \
     entfernt supprimer supprimé supprimés eliminar eliminado borrar borrado remover removido apagar excluir 删除 刪除 移除 削除 삭제 제거",
    "folder folder folders directory directories dir dirs ordner verzeichnis répertoire dossier carpeta directorio pasta \
     diretório 目录 目錄 文件夹 ディレクトリ フォルダ 디렉터리 디렉토리 폴더",
    "function function functions method methods funktion funktionen fonction fonctions función funciones função funções 函数 関数 함수",
    "error error errors failure failures failed fails fail failing fehler erreur erreurs échec fallo falla fallan errores erro erros falha falham 错误 报错 失败 エラー 失敗 오류 에러 실패",
    "bug bug bugs defect defects",
    "fix fix fixed fixes fixing repair repaired correct corrected resolve resolved solve solved beheben behoben korrigiert corriger corrigé corrigée \
     corregir corregido corrigió arreglar arreglado corrigir corrigido 修复 修正 修理 수정 고침",
    "change change changed changes changing modify modified modifies edit edited ändern geändert änderung änderungen changer modifier modifié \
     modifiés cambiar cambiado cambios cambio modificar mudar mudança mudanças alterar alterado 修改 更改 変更 변경",
    "create create created creates creating generate generated generates erstellen erstellt erzeugen créer créé crear creado criar criado 创建 生成 作成 생성",
    "start start started starts starting launch launched begin begins boot starten gestartet démarrer lancer lancé iniciar inicia arrancar arranca \
     começar 启动 開始 起動 시작 실행",
    "stop stop stopped halt stoppen anhalten arrêter detener parar 停止 중지",
    "send send sent sends sending deliver delivered senden gesendet versendet verschickt envoyer envoyé envoyés enviar enviado enviados envía enviada 发送 送信 전송 발송",
    "show show shown shows display displayed displays anzeigen angezeigt afficher affiché mostrar muestra mostrado exibir 显示 表示 표시",
    "read read reads reading load loaded loads loading lesen geladen laden lire charger chargé leer cargar ler carregar 读取 加载 読み込み 읽기",
    "need require requires required need needs needed demand demands benötigt benötigen erfordert braucht brauchen exige exigent requiert nécessite nécessitent \
     besoin requiere requieren necesita necesitan exige requer precisa precisam necessita 需要 要求 必要 필요",
    "company company firm organisation organization empresa entreprise firma unternehmen",
    "customer customer customers client clients kunde kunden cliente clientes 客户 客戶 顧客 고객",
    "developer developer developers engineer engineers programmer entwickler développeur développeurs desarrollador desenvolvedor",
    "answer answer answers answering reply replies respond response responses antwort antworten réponse réponses répondre responder respuesta respuestas resposta respostas 回答 回复 答复 返信 回答 답변 응답 대답",
    "short short brief briefly concise terse succinct compact kurz knapp kurze knappe court courte courtes bref brève brèves brièvement brevemente concis concise concises corto corta cortas breve breves \
     conciso concisa concisas curto curta curtas 简短 简洁 簡潔 短く 短い 짧게 간결하게 짧은 간결한",
    "long long lengthy verbose wordy lang lange ausführlich largo larga largos verboso longo longa",
    "explain explain explanation explanations explained explains erklären erklärung erklärungen expliquer explication explications explicar explicación explicaciones explicação \
     解释 说明 説明 설명",
    "check check checked checks checking verify verified verifies validate validated validates prüfen geprüft überprüfen vérifier vérifié verificar verifica comprobar 检查 验证 確認 検証 확인 검증",
    "review review reviews reviewed reviewing reviewer reviewers begutachten prüfung revue revisar revisión revisão 审查 评审 審查 レビュー 리뷰 검토",
    "approve approve approved approves approval approvals genehmigung genehmigungen genehmigen genehmigt freigabe freigaben approuver approuvé approbation approbations \
     aprobar aprobación aprobaciones aprobado aprovar aprovação aprovações aprovado 批准 审批 承認 승인",
    "deploy deploy deployed deploys deploying deployment deployments rollout déployer déploiement déploiements déployé desplegar despliegue despliegues desplegado \
     implantar implantação implantações ausrollen ausgerollt bereitstellen 部署 上线 デプロイ 배포",
    "release release releases released releasing ship shipped ships publish published veröffentlichen veröffentlicht publier publication lanzamiento lanzamientos publicar lançamento lançamentos \
     发布 發布 リリース 릴리스 릴리즈 출시",
    "branch branch branches zweig zweige branche rama ramas ramo ramos 分支 ブランチ 브랜치",
    "merge merge merged merges merging fusionner fusionnées fusionnée fusionar fusionan mesclar mergen gemergt zusammengeführt 合并 合併 マージ 머지 병합",
    "squash squash squashed squashing gesquasht squashen",
    "commit commit commits committed committing commiten committen 提交 コミット 커밋",
    "message message messages msg nachricht nachrichten mensaje mensajes mensagem mensagens 消息 信息 メッセージ 메시지",
    "endpoint endpoint endpoints route routes エンドポイント 接口 端点 엔드포인트",
    "column column columns spalte spalten colonne colonnes columna columnas coluna colunas 列名 字段 カラム 컬럼",
    "table table tables tabelle tabellen tabla tablas tabela tabelas 表格 テーブル 테이블",
    "key key keys field fields property properties schlüssel clé clés clave claves chave chaves campo campos champ champs キー 키",
    "integer integer integers int ints ganzzahl ganzzahlen ganzzahlig entier entiers entero enteros inteiro inteiros 整数 整數 정수",
    "float float floats floating fließkomma gleitkomma gleitkommazahl gleitkommazahlen fließkommazahlen flottant flottants flotante flotantes 浮点 浮点数 浮動小数点 浮動小数 부동소수점 부동소수 실수",
    "money money monetary currency price prices geld geldbetrag geldbeträge beträge betrag preis preise argent monétaire monétaires montant montants prix dinero monetario monetarios importe importes precio precios \
     dinheiro monetário monetários valores valor preço preços 金额 金額 货币 価格 금액 가격",
    "cent cent cents centavo centavos céntimo céntimos centime centimes 分为 セント 센트",
    "document document documents documentation doc docs dokument dokumente dokumentation documentación documento documentos documentação 文档 文件 ドキュメント 문서",
    "comment comment comments kommentar kommentare commentaire commentaires comentario comentarios comentário comentários 注释 評論 コメント 주석",
    "language language languages sprache sprachen langue langues idioma idiomas lengua língua 语言 言語 언어",
    "english english englisch anglais anglaise inglés inglesa inglês inglesa 英文 英语 英語 영어 영문",
    "german german deutsch allemand alemán alemão 德语 ドイツ語 독일어",
    "japanese japanese japanisch japonais japonés japonês 日语 日文 日本語 일본어",
    "korean korean koreanisch coréen coreano 韩语 韓国語 한국어 한글",
    "french french französisch français francés francês 法语 フランス語 프랑스어",
    "spanish spanish spanisch espagnol español espanhol 西班牙语 スペイン語 스페인어",
    "chinese chinese chinesisch chinois chino chinês 中文 汉语 中国語 중국어",
    "write write written writes writing schreiben geschrieben schreibt verfasst écrire écrit écrits écrites rédiger rédigés escribir escrito escriben redactar escrever escrito redigir 写成 编写 撰写 写 書く 書い 書き 書 작성 쓰기 쓴다 쓴",
    "server server servers host hosts serveur serveurs servidor servidores 服务器 伺服器 サーバー サーバ 서버",
    "service service services dienst dienste servicio servicios serviço serviços 服务 サービス 서비스",
    "password password passwords passwort contraseña senha 密码 パスワード 비밀번호",
    "production production prod live produktion producción produção produktiv 生产环境 生产 本番 本番環境 운영 프로덕션 운영환경",
    "staging staging stage",
    "frontend frontend ui 前端 フロントエンド 프론트엔드",
    "backend backend 后端 バックエンド 백엔드",
    "library library libraries lib libs crate crates package packages dependency dependencies bibliothek bibliotheken bibliothèque bibliothèques paquet paquets biblioteca bibliotecas paquete paquetes pacote pacotes \
     dependencia dependencias dependência dependências abhängigkeit abhängigkeiten paket pakete 依赖 库 ライブラリ パッケージ 依存 라이브러리 패키지 의존성",
    "add add adds added adding introduce introduced introduces install installed hinzufügen hinzugefügt einführen eingeführt ajouter ajouté ajoutées agregar agregado añadir añadido adicionar adicionado 添加 新增 引入 追加 導入 추가 도입",
    "ask ask asks asked asking fragen gefragt nachfragen demander demandé preguntar pregunta pedir perguntar pergunta 询问 确认 尋ねる 聞く 물어 질문",
    "bill bill bills billing invoice invoices invoicing rechnung rechnungen facture factures facturation factura facturas facturación fatura faturas faturamento 账单 发票 請求 請求書 청구 청구서",
    "refund refund refunds refunded rückerstattung rückerstattungen erstattung erstattungen remboursement remboursements reembolso reembolsos devolución devoluciones 退款 返金 환불",
    "job job jobs task tasks aufgabe aufgaben tâche tâches tarea tareas tarefa tarefas 任务 ジョブ タスク 작업",
    "night nightly night overnight nachts nächtlich nächtliche nocturne nuit noche nocturno noturno 夜间 夜間 야간",
    "slow slow slowly sluggish langsam lent lente lento lenta 慢 遅い 느리",
    "fast fast quick quickly rapid schnell rapide rápido rápida 快速 速い 빠르",
    "small small smaller little tiny klein kleine kleinen kleiner petit petite petits petites pequeño pequeña pequeños pequeñas pequeno pequena pequenos pequenas 小的 小さな 小さい 작은 작게",
    "big big large larger huge groß große großen grand grande grands grande grandes 大型 大きな 큰",
    "log log logs logging protokoll protokolle journal journaux registro registros 日志 ログ 로그",
    "cache cache cached caches caching zwischenspeicher 缓存 快取 キャッシュ 캐시",
    "queue queue queues queued warteschlange cola colas fila filas 队列 キュー 큐",
    "import import imports imported importing importieren importiert importer importar importación importação 导入 インポート 임포트 가져오기",
    "export export exports exported exporting exportieren exportiert exporter exportar exportación exportação 导出 エクスポート 내보내기",
    "finish finish finished finishes complete completed completes end ends ended finalize beenden abgeschlossen terminer terminé terminar terminado acabar concluir 完成 完了 완료",
    "connect connect connects connected connecting connection talk talks hit hits verbinden verbindung connecter connexion conectar conexión conexão 连接 接続 연결",
    "mock mock mocks mocked mocking stub stubs stubbed fake fakes faked simulacro simulacros 模拟 モック 목 목킹 모킹",
    "public public öffentlich öffentliche öffentlicher publique publiques publics público pública públicos públicas 公开 公開 공개",
    "return return returns returned returning zurückgeben zurück renvoyer renvoie renvoient retourner devolver devuelve devuelven retornar retorna retornam 返回 返す 반환",
    "variable variable variables variável variáveis",
    "environment environment environments env umgebung environnement entorno ambiente 环境 環境 환경",
    "schedule schedule scheduled schedules cron planen geplant planifier planifié programar programado agendar agendado 定时 定期 예약",
    "format format formats formatted formatting formatter formatieren formatiert formater formatear formatar 格式化 フォーマット 포맷",
    "version version versions versión versiones versão versões 版本 バージョン 버전",
    "limit limit limits limited maximum max cap capped grenze obergrenze limite límite máximo 上限 限制 制限 제한",
    "wait wait waits waiting delay delays warten attendre esperar aguardar 等待 待つ 대기",
    "owner owner owns owned responsible maintains maintained maintainer zuständig verantwortlich gehört responsable propriétaire dueño responsável dono 负责 担当 담당",
    "account account accounts konto konten compte comptes cuenta cuentas conta contas 账户 账号 アカウント 계정",
    "payment payment payments pay pays paid zahlung zahlungen paiement paiements pago pagos pagamento pagamentos 支付 付款 支払い 決済 결제",
    "order order orders bestellung bestellungen commande commandes pedido pedidos orden 订单 注文 주문",
    "email email emails mail mails correo courriel 邮件 メール 이메일 메일",
    "ticket ticket tickets issue issues",
    "request request requests anfrage anfragen requête requêtes solicitud solicitudes petición peticiones pedido requisição 请求 リクエスト 요청",
    "secret secret secrets credential credentials geheimnis",
    "report report reports reporting bericht berichte rapport rapports informe informes relatório relatórios 报告 报表 レポート 報告 보고서 리포트",
    "schema schema schemas schéma esquema",
    "migration migration migrations migrate migrated migración migraciones migração migrações 迁移 移行 マイグレーション 마이그레이션",
    "feature feature features fonctionnalité funcionalidad funcionalidade 功能 機能 기능",
    "name name names named naming namen benannt nom noms nommer nombre nombres nome nomes 命名 名前 이름",
    "weekly week weeks woche wochen semaine semaines semana semanas 周 週 주간",
    "date date dates datum fecha fechas 日期 日付 날짜",
    "friday friday fridays freitag freitags vendredi vendredis viernes sextas 周五 星期五 金曜 金曜日 금요일",
    "monday monday mondays montag montags lundi lundis lunes 周一 星期一 月曜 月曜日 월요일",
    "example example examples sample samples beispiel beispiele exemple exemples ejemplo ejemplos exemplo exemplos 例子 示例 例 예시 예제",
    "forbid forbid forbids forbidden prohibited banned disallowed verboten interdit interdite prohibido prohibida proibido proibida",
    "duplicate duplicate duplicates duplicated twice doppelt doublon doublons duplicado duplicados",
    "introduction introduction intro preamble preface einleitung vorrede préambule introducción preámbulo introdução preâmbulo 开场白 前置き 前書き 서론 서두",
    "direct direct directly straight direkt directement directamente diretamente 直接 직접",
    "dislike dislike dislikes hate hates",
    "exceed exceed exceeds over above exceeding übersteigt überschreitet dépasse dépassant supera superiores superior excede excedem 超过 超過 超え 超える 넘는 넘으면 초과",
    "listen listen listens listening lauscht hört écoute escucha escuta 监听 リッスン 待ち受け",
    "prefer prefer prefers preferred favor favour bevorzugt bevorzugen préfère préférer prefiere preferir prefere 喜欢 偏好 好む 선호",
];
