//! Proving the prompt that is shown against the installed client.

use crate::app::action::{Asked, Effect};
use crate::app::model::{Mode, Model, Problem, Tone};
use crate::app::preview::report::{Kind, Report};

/// Starts a proof of what the screen shows.
pub(super) fn start(model: &mut Model) -> Vec<Effect> {
    let Some(page) = model.prompt.page.clone() else { return Vec::new() };
    model.prompt.proving = true;
    model.prompt.offered = true;
    model.say(Tone::Note, "the client runs on a mirror; Esc calls it off …");
    let asked = Asked {
        number: 0,
        subject: page.subject.clone(),
        open: model.prompt.open.clone(),
        as_if: Vec::new(),
    };
    vec![Effect::Prove(asked)]
}

/// Esc while the client runs.
pub(super) fn call_off(model: &mut Model) -> Vec<Effect> {
    model.say(Tone::Note, "calling it off …");
    vec![Effect::CancelProof]
}

/// A proof came to its end. The prompt is worked out again, since the client's words may be known now.
pub(super) fn done(model: &mut Model, result: Result<Vec<(Kind, String)>, Problem>) -> Vec<Effect> {
    model.prompt.proving = false;
    model.message = None;
    match result {
        Err(problem) => model.say_problem(&problem),
        Ok(lines) => {
            let first = lines.first().map(|(_, line)| line.clone()).unwrap_or_default();
            let tone = if first.starts_with("identical") { Tone::Good } else { Tone::Note };
            if model.mode == Mode::Browse && model.editor.is_none() && model.sheet.is_none() {
                model.mode =
                    Mode::Report(Report { title: "The prompt against the client".into(), lines, scroll: 0 });
            }
            model.say(tone, first);
        }
    }
    super::preview::store_changed(model)
}

/// Says once that there is a client whose words can be learned.
pub(super) fn offer(model: &mut Model) {
    let version = model.prompt.page.as_ref().and_then(|page| page.offer.clone());
    if let Some(version) = version.filter(|_| !model.prompt.offered) {
        model.prompt.offered = true;
        let text = format!("client {version} is installed: P learns its own words and proves this text");
        model.say(Tone::Note, text);
    }
}
