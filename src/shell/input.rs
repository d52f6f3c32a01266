//! What the terminal sends, as the app understands it.

use crate::app::action::{Action, Mouse};
use crate::app::key::{Code, Key};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use std::time::{Duration, Instant};

/// Two clicks on a cell within this time are a double click.
const DOUBLE: Duration = Duration::from_millis(400);

/// Turns events into actions; remembers the last click for double clicks.
#[derive(Debug, Default)]
pub(super) struct Input {
    last_click: Option<(u16, u16, Instant)>,
}

impl Input {
    /// The action for an event; `None` for what the app does not know (and for a new size, which only needs
    /// a new frame).
    pub(super) fn action(&mut self, event: Event) -> Option<Action> {
        match event {
            Event::Key(event) => key(event).map(Action::Key),
            Event::Paste(text) => Some(Action::Paste(text)),
            Event::Mouse(event) => {
                let (x, y) = (event.column, event.row);
                match event.kind {
                    MouseEventKind::Down(MouseButton::Left) => Some(Action::Mouse(self.click(x, y))),
                    MouseEventKind::ScrollDown => Some(Action::Mouse(Mouse::Wheel(x, y, 1))),
                    MouseEventKind::ScrollUp => Some(Action::Mouse(Mouse::Wheel(x, y, -1))),
                    _ => None,
                }
            }
            Event::Resize(..) | Event::FocusGained | Event::FocusLost => None,
        }
    }

    fn click(&mut self, x: u16, y: u16) -> Mouse {
        let now = Instant::now();
        let is_second = self.last_click.is_some_and(|(other_x, other_y, then)| {
            (other_x, other_y) == (x, y) && now.duration_since(then) < DOUBLE
        });
        if is_second {
            self.last_click = None;
            Mouse::DoubleClick(x, y)
        } else {
            self.last_click = Some((x, y, now));
            Mouse::Click(x, y)
        }
    }
}

fn key(event: KeyEvent) -> Option<Key> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    let has = |modifier| event.modifiers.contains(modifier);
    let mut key = Key {
        code: Code::Esc,
        ctrl: has(KeyModifiers::CONTROL),
        alt: has(KeyModifiers::ALT),
        shift: has(KeyModifiers::SHIFT),
    };
    key.code = match event.code {
        KeyCode::Char(char) => {
            key.shift = false;
            Code::Char(if key.ctrl { char.to_ascii_lowercase() } else { char })
        }
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab => Code::Tab,
        KeyCode::BackTab => {
            key.shift = true;
            Code::Tab
        }
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Insert => Code::Insert,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::F(number) => Code::F(number),
        _ => return None,
    };
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_table() {
        let press = |code, modifiers| key(KeyEvent::new(code, modifiers)).unwrap().to_string();
        assert_eq!(press(KeyCode::Char('G'), KeyModifiers::SHIFT), "G");
        assert_eq!(press(KeyCode::Char('R'), KeyModifiers::CONTROL), "<c-r>");
        assert_eq!(press(KeyCode::BackTab, KeyModifiers::SHIFT), "<s-tab>");
        assert_eq!(press(KeyCode::Char(' '), KeyModifiers::NONE), "<space>");
    }

    #[test]
    fn two_quick_clicks_on_a_cell_are_one_double_click() {
        let mut input = Input::default();
        assert_eq!(input.click(1, 1), Mouse::Click(1, 1));
        assert_eq!(input.click(1, 1), Mouse::DoubleClick(1, 1));
        assert_eq!(input.click(1, 1), Mouse::Click(1, 1));
        assert_eq!(input.click(2, 1), Mouse::Click(2, 1));
    }
}
