//! The languages written in Latin letters: which one a text is in, its words without meaning, its stems.

use rust_stemmers::{Algorithm, Stemmer};
use std::collections::HashMap;
use std::sync::LazyLock;

/// A language written in Latin letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Language {
    English,
    German,
    French,
    Spanish,
    Portuguese,
}

/// All of them; English comes first, since it is what an unclear text most likely is.
pub(super) const LANGUAGES: [Language; 5] =
    [Language::English, Language::German, Language::French, Language::Spanish, Language::Portuguese];

/// What a word is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Worth {
    /// It only holds a sentence together.
    Nothing,
    /// It is in many sentences, whatever they are about.
    Little,
    /// It says something.
    Full,
}

impl Language {
    /// The language that most of the words which only hold a sentence together are of.
    pub(super) fn of<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut counts = [0_usize; LANGUAGES.len()];
        for word in words {
            let mask = STOPS.get(word).copied().unwrap_or(0);
            for (at, count) in counts.iter_mut().enumerate() {
                *count += usize::from(mask >> at & 1);
            }
        }
        let mut best = (Self::English, 0);
        for (language, count) in LANGUAGES.into_iter().zip(counts) {
            if count > best.1 {
                best = (language, count);
            }
        }
        best.0
    }

    /// The stem of a word in lower case.
    pub(super) fn stem(self, word: &str) -> String {
        STEMMERS.get(self as usize).map_or_else(|| word.to_owned(), |one| one.stem(word).into_owned())
    }

    /// What a word in lower case is worth.
    pub(super) fn worth(self, word: &str) -> Worth {
        if STOPS.get(word).is_some_and(|mask| mask >> (self as usize) & 1 == 1) {
            return Worth::Nothing;
        }
        if WEAK.contains_key(word) { Worth::Little } else { Worth::Full }
    }
}

static STEMMERS: LazyLock<Vec<Stemmer>> = LazyLock::new(|| {
    let algorithm = |language| match language {
        Language::English => Algorithm::English,
        Language::German => Algorithm::German,
        Language::French => Algorithm::French,
        Language::Spanish => Algorithm::Spanish,
        Language::Portuguese => Algorithm::Portuguese,
    };
    LANGUAGES.into_iter().map(|language| Stemmer::create(algorithm(language))).collect()
});

/// Each word that only holds a sentence together, with a bit for each language it is of.
static STOPS: LazyLock<HashMap<&str, u8>> = LazyLock::new(|| {
    let mut stops = HashMap::new();
    for (at, words) in STOP_WORDS.iter().enumerate() {
        for word in words.split_whitespace() {
            *stops.entry(word).or_insert(0) |= 1 << at;
        }
    }
    stops
});

static WEAK: LazyLock<HashMap<&str, ()>> =
    LazyLock::new(|| WEAK_WORDS.split_whitespace().map(|word| (word, ())).collect());

/// In the order of [`LANGUAGES`].
const STOP_WORDS: [&str; 5] = [
    "a an the and or but if then than so of to in on at by for from with into onto over under about as is are was \
     were be been being am do does did done has have had having will would shall should can could may might must it \
     its it's this that these those there here he she they them his her their we us our you your i me my mine who \
     whom which what when where while how all any both each every some such own same too very just also only up out \
     off down again once because since until between through during per via via. s t re ll ve let's lets that's \
     we're we've they're i'm get gets got still already yet even ever",
    "der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als so von zu zum zur in im an \
     am auf bei für aus mit nach über unter um ist sind war waren sein wird werden wurde wurden hat haben hatte kann \
     können soll sollen sollte muss müssen darf dürfen es dies diese dieser dieses er sie ihr ihre wir uns unser \
     unsere unserer du dein ich mir mich mein wer was wann wo wie alle alles jede jeder jedes jeden auch nur sehr schon noch man \
     sich dass daß weil da durch bis vor ab pro immer beim vom ins bitte lassen lässt gibt",
    "le la les l un une des du de d et ou mais si alors que qu qui quoi dont à au aux en dans sur sous par pour avec \
     vers chez entre est sont était étaient être a ont avait avoir sera seront doit doivent peut peuvent faut il elle \
     ils elles on nous vous je tu me te se s c ce cet cette ces son sa ses leur leurs notre nos votre vos mon ma mes \
     y ne n tout tous toute toutes chaque aussi très plus déjà encore toujours parce car puisque depuis quand comme \
     lors lorsque j m t afin",
    "el la los las un una unos unas y e o u pero si entonces que quien cual de del a al en con por para sin sobre \
     entre hasta desde es son era eran ser está están estar fue fueron ha han había haber hay se debe deben puede \
     pueden hacer lo le les me te nos su sus nuestro nuestra nuestros tu mi mis este esta estos estas ese esa esos \
     eso esto todo todos toda todas cada también muy más ya aún siempre porque cuando como donde cuyo cualquier",
    "o a os as um uma uns umas e ou mas se então que quem qual de do da dos das em no na nos nas num numa ao aos à às \
     com por pelo pela pelos pelas para sobre entre até desde é são era eram ser está estão estar foi foram tem têm \
     tinha ter há deve devem pode podem fazer lhe me te nós seu sua seus suas nosso nossa nossos meu minha este esta \
     estes estas esse essa esses isso isto todo todos toda todas cada também muito mais já ainda sempre porque quando \
     como onde qualquer",
];

/// In many memories, whatever they are about; of all five languages.
const WEAK_WORDS: &str = "use uses used using need needs needed make makes made work works working run runs running go \
     goes going keep keeps kept put puts take takes took want wants wanted like likes prefer prefers preferred always \
     usually often new one ones thing things way ways case cases please note notes important memory remember user \
     users team project projects code file files set sets sure handle handles handled done contain contains call \
     called calls currently now today first new real actual actually project's own whole entire live lives number \
     numbers amount amounts main \
     verwenden verwendet benutzen benutzt nutzen nutzt nutzer benutzer projekt datei dateien brauchen braucht machen \
     macht machen bevorzugt möchte will wollen wichtig neu neue neuen neuer stets grundsätzlich team code \
     utiliser utilise utilisent utilisé utilisée fichier fichiers projet équipe préfère préférer veut important \
     nouveau nouvelle nouveaux faire fait code utilisateur \
     usar usa usan usamos utilizar utiliza utilizan archivo archivos proyecto equipo prefiere quiere importante nuevo \
     nueva nuevos nuevas código usuario hace hacen hacemos hago \
     usado utilizamos arquivo arquivos ficheiro ficheiros projeto equipe equipa prefere quer novo nova novos novas \
     usuário utilizador faz fazem fazemos";
