//! Pictures of the Prompt screen at three sizes, from files in memory.

use crate::app::action::{Action, Outcome};
use crate::app::key;
use crate::app::model::Model;
use crate::app::preview::page::Page;
use crate::app::testing;
use crate::app::update::update;
use crate::prompt::port::Environment;
use crate::prompt::port::mem::MemPort;
use crate::prompt::subject::{Subject, Usual};
use crate::ui::theme::Theme;
use crate::ui::{Painter, view};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const STORE: &str = "/home/ann/.claude/projects/-home-ann-src-payments/memory";

fn files() -> MemPort {
    let mut port = MemPort::default();
    let index: String = (0..204).map(|n| format!("- [Memory {n}](m{n}.md) — what it is about\n")).collect();
    port.dir("/home/ann/src/payments/.git")
        .file("/home/ann/.claude/CLAUDE.md", "Answer briefly.\n")
        .file(
            "/home/ann/src/payments/CLAUDE.md",
            "# Payments\n\nSee @docs/money.md and @docs/gone.md.\n\n\tAmounts are 整数 in the smallest unit, and this line is long enough to be \
             wrapped where the window is narrow.\n",
        )
        .file("/home/ann/src/payments/docs/money.md", "Round half to even.\n")
        .file("/home/ann/src/payments/.claude/rules/api.md", "---\npaths: src/api/**\n---\nVersion every route.\n")
        .file("/home/ann/src/payments/src/api/routes.rs", "")
        .file(format!("{STORE}/MEMORY.md"), index);
    port
}

fn page(open: &[PathBuf]) -> Arc<Page> {
    let env = Environment {
        home: "/home/ann".into(),
        cwd: "/home/ann/src/payments".into(),
        ..Environment::default()
    };
    let subject = Subject::Client(env.cwd.clone());
    let preview = subject.preview(&files(), &env, &Usual::default().request(open, testing::now()));
    Arc::new(Page::new(subject, preview, Path::new("/home/ann")))
}

/// The screen after some keys; each preview that is asked for is answered at once.
fn screen(keys: &str, (columns, rows): (u16, u16)) -> String {
    let mut model = testing::model(&[]);
    model.prompt.known = Some(("/store".into(), Subject::Client("/home/ann/src/payments".into())));
    let mut painter = Painter::new(Theme::named("mono").unwrap());
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let mut draw = |model: &mut Model| {
        let mut layout = None;
        terminal.draw(|frame| layout = Some(view(model, &mut painter, frame))).unwrap();
        model.layout = layout.unwrap();
        terminal.backend().to_string()
    };
    draw(&mut model);
    for key in key::sequence(keys).unwrap() {
        for effect in update(&mut model, Action::Key(key)) {
            use crate::app::action::Effect;
            let outcome = match effect {
                Effect::Preview(asked) => {
                    let open: Vec<_> = asked
                        .open
                        .iter()
                        .map(|path| Path::new("/home/ann/src/payments").join(path))
                        .collect();
                    Outcome::Previewed(asked.number, Ok(page(&open)))
                }
                Effect::Search(number, page, text) => {
                    Outcome::Found(number, Arc::new(crate::app::preview::search::find(&page, &text)))
                }
                _ => continue,
            };
            let _ = update(&mut model, Action::Outcome(outcome));
        }
        draw(&mut model);
    }
    draw(&mut model)
}

#[test]
fn the_prompt_in_three_sizes() {
    for (name, size) in [("80x24", (80, 24)), ("120x40", (120, 40)), ("200x50", (200, 50))] {
        insta::assert_snapshot!(format!("sources_{name}"), screen("2", size));
        insta::assert_snapshot!(format!("cut_{name}"), screen("2/memories<space>below<enter>", size));
    }
}

#[test]
fn what_a_file_would_bring_in() {
    insta::assert_snapshot!("opened_80x24", screen("2osrc/api/routes.rs<enter>", (80, 24)));
    insta::assert_snapshot!("opened_120x40", screen("2osrc/api/routes.rs<enter>", (120, 40)));
}
