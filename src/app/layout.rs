//! Where things are on the screen. `view` gives it back after drawing; paging and the mouse go by it.

use crate::app::model::Screen;

/// Where things are on the screen, as drawn last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// The names of the screens.
    pub tabs: Vec<(Area, Screen)>,
    /// The list (of memories or stores): where, and which row is the first.
    pub list: Option<(Area, usize)>,
    /// The memory's text.
    pub pane: Option<PaneLayout>,
    /// The text of the Prompt screen, or the file shown over it.
    pub prompt: Option<PromptLayout>,
    /// Help, palette or question: how many lines show, and how many there are.
    pub overlay: Option<(usize, usize)>,
    /// The fields of the editor: where each is (its text, when it shows), and its number.
    pub fields: Vec<(Area, usize)>,
    /// Both panes show side by side.
    pub is_wide: bool,
    /// The terminal is too small for the screens: nothing of them is seen.
    pub is_too_small: bool,
}

/// The memory's text on the screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaneLayout {
    /// Where it is.
    pub area: Area,
    /// The first line shown.
    pub scroll: usize,
    /// How many lines there are (at least: of a very long text only what was needed is laid out).
    pub lines: usize,
    /// The lines on which the links stand, in their order.
    pub links: Vec<usize>,
}

/// The text of the Prompt screen on the screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptLayout {
    /// Where it is.
    pub area: Area,
    /// The first line shown.
    pub top: usize,
    /// The line that each row of the screen shows a part of.
    pub rows: Vec<usize>,
}

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Area {
    /// Its left column.
    pub x: u16,
    /// Its upper row.
    pub y: u16,
    /// Its columns.
    pub width: u16,
    /// Its rows.
    pub height: u16,
}

impl Area {
    /// Whether the cell lies in it.
    #[must_use]
    pub fn contains(&self, x: u16, y: u16) -> bool {
        (self.x..self.x.saturating_add(self.width)).contains(&x)
            && (self.y..self.y.saturating_add(self.height)).contains(&y)
    }
}
