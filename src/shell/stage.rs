//! The screens on a virtual terminal: for replays, pictures and tests.

use crate::app::action::Action;
use crate::app::key;
use crate::app::model::Model;
use crate::shell::driver::Then;
use crate::shell::{Driver, Session};
use anyhow::anyhow;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

/// A virtual terminal with the screens on it.
pub struct Stage {
    driver: Driver,
    terminal: Terminal<TestBackend>,
    /// The last frame as it was drawn. The backend holds what the differences between frames left, and the hidden
    /// half of a wide character is in none of them.
    frame: Buffer,
}

impl Stage {
    /// Opens the session on a virtual terminal of so many columns and rows, and waits until it is idle.
    ///
    /// # Errors
    /// As [`Driver::new`] and [`Driver::wait`].
    pub fn open(session: &Session, size: (u16, u16)) -> anyhow::Result<Self> {
        let driver = Driver::new(session, Box::new(std::io::sink()))?;
        let terminal = Terminal::new(TestBackend::new(size.0, size.1))?;
        let mut stage = Self { driver, terminal, frame: Buffer::default() };
        stage.settle()?;
        Ok(stage)
    }

    /// Presses keys, written as `jj<enter>/foo<esc>`; before each the screen is idle and drawn. What
    /// follows after leaving is not pressed.
    ///
    /// # Errors
    /// When a word names no key, or a worker does not answer.
    pub fn press(&mut self, keys: &str) -> anyhow::Result<()> {
        for key in key::sequence(keys).map_err(|what| anyhow!(what))? {
            self.act(Action::Key(key))?;
        }
        Ok(())
    }

    /// Hands over any action, and waits until the screen is idle.
    ///
    /// # Errors
    /// When a worker does not answer.
    pub fn act(&mut self, action: Action) -> anyhow::Result<()> {
        if self.driver.has_left() {
            return Ok(());
        }
        if self.driver.act(action) == Then::Outside {
            self.driver.run_outside();
        }
        self.settle()
    }

    /// Shows what others change in the store from now on, as the screens on a real terminal do.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn watch(&mut self) -> anyhow::Result<()> {
        self.driver.watch()
    }

    /// Waits until something comes unasked, a change of the store for instance, and draws it; whether it came.
    ///
    /// # Errors
    /// When a worker does not answer.
    pub fn wait(&mut self, within: std::time::Duration) -> anyhow::Result<bool> {
        let came = self.driver.take_unasked(within);
        self.settle()?;
        Ok(came)
    }

    /// Makes the terminal another size.
    ///
    /// # Errors
    /// When a worker does not answer.
    pub fn resize(&mut self, size: (u16, u16)) -> anyhow::Result<()> {
        self.terminal.backend_mut().resize(size.0, size.1);
        self.settle()
    }

    /// Whether the person left.
    #[must_use]
    pub fn has_left(&self) -> bool {
        self.driver.has_left()
    }

    /// What the screens know.
    #[must_use]
    pub fn model(&self) -> &Model {
        self.driver.model()
    }

    /// What is on the terminal.
    #[must_use]
    pub fn buffer(&self) -> &Buffer {
        &self.frame
    }

    /// What is on the terminal, a line a row, without blanks at the ends.
    #[must_use]
    pub fn text(&self) -> String {
        let buffer = self.buffer();
        let mut text = String::new();
        for y in 0..buffer.area.height {
            let mut line = String::new();
            let mut x = 0;
            while let Some(cell) = buffer.cell((x, y)).filter(|_| x < buffer.area.width) {
                line.push_str(cell.symbol());
                x += u16::try_from(crate::ui::text::width(cell.symbol())).unwrap_or(1).max(1);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// What is on the terminal, as a picture.
    #[must_use]
    pub fn svg(&self) -> String {
        crate::ui::svg::svg(self.buffer(), self.driver.is_light())
    }

    fn settle(&mut self) -> anyhow::Result<()> {
        // The first frame tells the model the layout, by which the second is scrolled.
        for _ in 0..2 {
            self.driver.wait().map_err(|problem| anyhow!(problem.to_string()))?;
            self.frame = self.driver.draw(&mut self.terminal)?.buffer.clone();
        }
        Ok(())
    }
}
