//! `memcurator check silence`, `unsilence` and `silenced`.

use crate::check::{CheckId, Scope, Silence};
use crate::cli::args::check::{self, Silencing};
use crate::cli::context::Context;
use crate::cli::failure::{Failure, Status};
use crate::config::{Config, nearest};
use crate::memory::path::RelPath;
use crate::store::{Silenced, Store};
use serde_json::{Value, json};

/// Runs one of them.
///
/// # Errors
/// When the store, a memory, an id or a number can't be found, or something can't be written.
pub(super) fn run(cx: &mut Context<'_>, command: &Silencing) -> Result<Status, Failure> {
    match command {
        Silencing::Silence(asked) => silence(cx, asked),
        Silencing::Unsilence { numbers } => unsilence(cx, numbers),
        Silencing::Silenced => list(cx),
    }
}

fn silence(cx: &mut Context<'_>, asked: &check::Silence) -> Result<Status, Failure> {
    let id = asked.check.clone().unwrap_or_default();
    if !id.is_empty() && CheckId::find(&id).is_none() {
        return Err(Failure::broken(format!("there is no check `{id}`; nothing is silenced"), nearest(&id)));
    }
    if asked.for_good {
        let file = Config::silence_for_good(cx.common.config.as_deref(), &cx.places.config, &id)?;
        let done = format!("silenced {id} everywhere, in {}", file.display());
        return say(cx, &done, "take it out of `checks.silence` there to have it reported again");
    }
    let store = Store::look(&cx.located()?.dir, &cx.places)?;
    let word = asked.file.as_ref().or(asked.all.as_ref());
    let memory = word.map(|word| super::memory(cx, word)).transpose()?;
    let memory = memory.as_ref().map(RelPath::to_str_lossy).map(String::from).unwrap_or_default();
    let about = asked.about.clone().unwrap_or_default();
    let until = asked.until;
    if until.is_some_and(|until| until <= cx.now()) {
        return Err(Failure::broken("that date has passed; nothing is silenced", "give one that is to come"));
    }
    let one = Silence { check: id, memory, about, until, ..Silence::default() };
    Silenced::of(&cx.places, store.root()).change(&[], std::slice::from_ref(&one), cx.now())?;
    let back = cx.command("check silenced");
    say(
        cx,
        &format!("silenced {}", one.words()),
        &format!("{back} lists it with its number, `check unsilence N` takes it back"),
    )
}

fn say(cx: &mut Context<'_>, done: &str, back: &str) -> Result<Status, Failure> {
    if !cx.json(|| json!({ "done": done }))? {
        cx.out.line(done)?;
        cx.out.line(back)?;
    }
    Ok(Status::Fine)
}

fn unsilence(cx: &mut Context<'_>, numbers: &[usize]) -> Result<Status, Failure> {
    let store = Store::look(&cx.located()?.dir, &cx.places)?;
    let silenced = Silenced::of(&cx.places, store.root());
    let all = silenced.all()?;
    let of = |number: &usize| {
        number.checked_sub(1).and_then(|at| all.get(at)).cloned().ok_or_else(|| {
            let what = format!("there is no number {number}; nothing was changed");
            Failure::broken(what, cx.command("check silenced") + " lists them")
        })
    };
    let remove: Vec<Silence> = numbers.iter().map(of).collect::<Result<_, _>>()?;
    silenced.change(&remove, &[], cx.now())?;
    let words: Vec<String> = remove.iter().map(Silence::words).collect();
    let done = format!("reported again: {}", words.join("; "));
    if !cx.json(|| json!({ "done": done }))? {
        cx.out.line(&done)?;
    }
    Ok(Status::Fine)
}

fn list(cx: &mut Context<'_>) -> Result<Status, Failure> {
    let store = Store::look(&cx.located()?.dir, &cx.places)?;
    let own = Silenced::of(&cx.places, store.root()).all()?;
    let config = Config::load(cx.common.config.as_deref(), &cx.places.config)?.checks.silenced;
    let numbered = own.iter().enumerate().map(|(at, one)| (Some(at + 1), one));
    let all: Vec<(Option<usize>, &Silence)> = numbered.chain(config.iter().map(|one| (None, one))).collect();
    let value = |(number, one): &(Option<usize>, &Silence)| {
        json!({
            "number": number,
            "check": text(&one.check),
            "memory": text(&one.memory),
            "about": text(&one.about),
            "until": one.until.map(|until| until.to_rfc3339()),
            "until_changed": one.hash.is_some(),
            "scope": match one.scope {
                Scope::Store => "store",
                Scope::Config => "config",
            },
        })
    };
    if !cx.json(|| all.iter().map(value).collect())? {
        let row = |(number, one): &(Option<usize>, &Silence)| {
            [number.map_or_else(|| "–".into(), |number| number.to_string()), one.words()]
        };
        let rows: Vec<_> = all.iter().map(row).collect();
        match rows.is_empty() {
            true => cx.out.line("nothing is silenced, but what memories say themselves")?,
            false => cx.out.table(&rows)?,
        }
    }
    Ok(Status::Fine)
}

fn text(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { text.into() }
}
