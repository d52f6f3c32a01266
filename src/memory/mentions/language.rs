//! Small words of the eight languages: what may stand between a cue and the thing it is about, and what may not.

use super::words::{Words, words};
use std::sync::LazyLock;

/// Words that may stand between a cue and the thing that follows it.
pub(super) static FILLERS: Words = words!(
    "a an the this that these those our its their his her my your both all any every each old whole entire last legacy unused \
     previous former original dead obsolete deprecated broken flaky also finally already completely just then too unnecessary duplicate \
     duplicated following called named known as now and or new another file files module modules script scripts function functions \
     method methods class classes type types struct flag flags option options switch env environment variable variables var setting \
     settings key keys constant constants symbol path directory folder dir helper helpers command commands job jobs service package crate \
     component hook config configuration test tests endpoint code binary tool parameter argument field line lines entry entries entirely \
     el la los las un una este esta ese esa archivo archivos fichero módulo función script variable opción antiguo antigua viejo vieja y \
     le les une cet cette ces fichier fichiers fonction option ancien ancienne vieux et 了 掉 の も \
     der die das den dem ein eine einen einer die datei dateien modul funktion skript schalter alte alten altes und \
     o a os as um uma arquivo arquivos ficheiro função módulo opção antigo antiga e"
);

/// Words for a thing as such: `it`, `the file` at the start of a sentence mean what was named last.
pub(super) static PRONOUNS: Words = words!(
    "it they both these this that those all he all everything lo la los las eso esto ambos il elle ils elles cela ça les deux es sie beide \
     das dies diese dieser ele ela eles elas isso ambos ambas"
);

/// Words that stand for kinds of things: `the file was removed`.
pub(super) static KINDS: Words = words!(
    "file files module modules script scripts function functions method class type flag option switch variable setting key constant path \
     directory folder helper command job component hook archivo fichero módulo función script fichier fonction datei modul funktion \
     skript arquivo função"
);

/// Words that open a clause of their own, so that what stands behind them is not about what stands before.
pub(super) static BREAKS: Words = words!(
    "because after when once while if although though unless until before so but whereas where that which who whose whom whenever since \
     then yet whether except porque pero cuando aunque mientras si que quien donde después antes car mais quand parce bien lorsque si qui \
     dont où depuis après avant puisque weil aber wenn obwohl während dass nachdem seit bevor sondern falls sobald mas quando embora \
     enquanto se depois"
);

/// Words before a determiner that leave the subject as it is (`in the package`, `by the team`).
pub(super) static PREPOSITIONS: Words = words!(
    "in on at from of by with for to into under over within inside about during since through without near as per via along plus \
     de del en por con para sobre desde hasta durante du des dans par pour avec sur sous chez à au aux von vom im am in aus bei mit für \
     auf unter zum zur seit nach durch wegen do da dos das no na nos nas em com pelo pela ao à"
);

/// Words that make a noun behind them a subject of its own.
pub(super) static DETERMINERS: Words = words!(
    "the a an this these those our its their his her every each some all no el los las un una nuestro nuestra le les une notre ces der \
     die das den ein eine unser unsere os um uma nosso nossa"
);

/// Forms of "to be" and the like before a participle.
pub(super) static PASSIVE: Words = words!("was were been being is are be got get gets getting 's wasn isn");

/// Forms of "to have" before a participle.
pub(super) static PERFECT: Words = words!("have has had ve 've having");

/// Adverbs that may stand between these and the participle.
pub(super) static ADVERBS: Words = words!(
    "since now finally completely long already later also then just recently deliberately intentionally quietly meanwhile entirely fully \
     eventually subsequently all both too soon partly mostly simply explicitly therefore consequently formally officially silently \
     accidentally never not"
);

/// Words that say "not".
pub(super) static NEGATIONS: Words = words!(
    "not never don't dont doesn't didn't isn't wasn't weren't cannot can't mustn't shouldn't won't no don’t doesn’t didn’t can’t nor \
     nunca jamás ni jamais ne pas nicht nie niemals kein keine não jamais without refuse forbidden"
);

/// Behind a cue of a script without blanks: what turns it into "don't".
pub(super) const NOT_BEHIND: &[&str] = &[
    "하지 마",
    "하지 말",
    "하지 않",
    "하면 안",
    "하면안",
    "되면 안",
    "금지",
    "하지마",
    "지 마",
    "지 말",
    "면 안",
    "しない",
    "しては",
    "するな",
    "しないで",
    "せず",
    "禁止",
    "しません",
];

/// Before a cue of Chinese: what turns it into "don't".
pub(super) const NOT_BEFORE: &[&str] = &[
    "不要", "不能", "不可", "别", "勿", "禁止", "不得", "没有", "未", "不会", "不应", "不该", "切勿", "从未",
    "沒有", "不許", "不许", "从不",
];
