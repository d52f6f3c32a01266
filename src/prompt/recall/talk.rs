//! Words that are in requests whatever they are about. They tell hardly anything about what is asked for, though few
//! memories have them.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Whether a word is one of them, as it stands in a request.
#[must_use]
pub fn is_talk(word: &str) -> bool {
    static TALK: LazyLock<HashSet<&str>> =
        LazyLock::new(|| WORDS.iter().flat_map(|line| line.split(' ')).collect());
    TALK.contains(word.to_lowercase().as_str())
}

const WORDS: &[&str] = &[
    "why something someone somebody anything everything nothing here there back last next find found many few time times",
    "before behind give gives giving put say says said let explain mean means another other add write draft show tell look",
    "see open check again try tries want help please thanks thank okay ok yes no maybe really some today tonight tomorrow",
    "yesterday week year day know think sure start read word words first second two three four five six seven eight nine",
    "ten best better good bad right wrong kind sort lot bit less more most much than whether within does stand stands come",
    "comes came went got come below above exactly explain question answer without another default current currently old",
    "build builds built building create creates change changes update updates updated move moves moved fix fixes fixed",
    "correct implement support happen happens happened finish",
    "warum wieso etwas jemand alles nichts hier dort zurück finde finden viele wenige mal vorher geben gib sagen sagt zeig",
    "zeige erkläre erklären schreib schreibe schreiben prüfe bitte danke heute morgen gestern woche tag jahr wissen denken",
    "pourquoi quelque chose quelqu'un rien ici trouver trouve beaucoup avant donner donne dire dis montre explique expliquer",
    "écris écrire merci aujourd'hui demain hier semaine jour année savoir penser",
    "qué algo alguien nada aquí encontrar encuentra muchos antes dar decir dice muestra explica explicar escribe escribir",
    "gracias hoy mañana ayer semana día año saber pensar algum alguém aqui achar dizer mostra escreve escrever obrigado hoje",
    "amanhã ontem dia ano",
];
