//! A screen as a picture: SVG on a grid of equal cells, for documentation and tests.

use crate::ui::text::width;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use std::fmt::Write;

/// The size of a cell in user units.
const CELL: (f32, f32) = (8.4, 18.0);
/// Space around the screen.
const EDGE: f32 = 12.0;

/// The ground, the text, and the 16 colours of a terminal.
struct Palette {
    ground: &'static str,
    text: &'static str,
    colours: [&'static str; 16],
}

const DARK: Palette = Palette {
    ground: "#1b1e25",
    text: "#c9cdd4",
    colours: [
        "#2a2e37", "#e06c75", "#8fbf7f", "#d9b36c", "#6fa8dc", "#c18fd1", "#5fb8c2", "#c9cdd4", "#6b7280",
        "#f08a92", "#a8d69a", "#ecc987", "#8fc1f0", "#d6aae3", "#7fd2db", "#f2f4f7",
    ],
};

const LIGHT: Palette = Palette {
    ground: "#fbfbf9",
    text: "#2b2e34",
    colours: [
        "#2b2e34", "#b3261e", "#2e7d32", "#8a5a00", "#1f5fae", "#8e3fa8", "#006b77", "#5f6570", "#7a808c",
        "#cf3a32", "#3d9142", "#a67000", "#3277c9", "#a556bf", "#008391", "#101216",
    ],
};

/// The screen as SVG, on a light ground or a dark one.
#[must_use]
pub fn svg(buffer: &Buffer, is_light: bool) -> String {
    let palette = if is_light { &LIGHT } else { &DARK };
    let (columns, rows) = (f32::from(buffer.area.width), f32::from(buffer.area.height));
    let (wide, high) = (columns * CELL.0 + 2.0 * EDGE, rows * CELL.1 + 2.0 * EDGE);
    let mut out = String::new();
    // Writing to a String never fails.
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0}" height="{high:.0}" viewBox="0 0 {wide:.1} {high:.1}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">"#
    );
    let _ = writeln!(out, r#"<rect width="100%" height="100%" rx="8" fill="{}"/>"#, palette.ground);
    for y in 0..buffer.area.height {
        row(buffer, y, palette, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

/// One row: cells of the same look that follow one another are one piece of text. Each piece is given its
/// width, so that the grid holds whatever font the viewer has.
fn row(buffer: &Buffer, y: u16, palette: &Palette, out: &mut String) {
    let mut run: Option<Run> = None;
    let mut x = 0;
    while x < buffer.area.width {
        let Some(cell) = buffer.cell((buffer.area.x + x, buffer.area.y + y)) else { break };
        let columns = u16::try_from(width(cell.symbol())).unwrap_or(1).max(1);
        let look = Look::of(cell, palette);
        match &mut run {
            // A wide character stands alone: fonts seldom make it exactly two cells.
            Some(run) if run.look == look && columns == 1 && !run.is_wide => {
                run.text.push_str(cell.symbol());
                run.columns += 1;
            }
            _ => {
                if let Some(run) = run.take() {
                    run.write(y, out);
                }
                run = Some(Run { x, columns, is_wide: columns > 1, text: cell.symbol().into(), look });
            }
        }
        x += columns;
    }
    if let Some(run) = run {
        run.write(y, out);
    }
}

struct Run {
    x: u16,
    columns: u16,
    is_wide: bool,
    text: String,
    look: Look,
}

#[derive(PartialEq)]
struct Look {
    fill: String,
    ground: Option<String>,
    modifier: Modifier,
}

impl Look {
    fn of(cell: &Cell, palette: &Palette) -> Self {
        let fill = colour(cell.fg, palette).unwrap_or_else(|| palette.text.into());
        let ground = colour(cell.bg, palette);
        let (fill, ground) = if cell.modifier.contains(Modifier::REVERSED) {
            (ground.unwrap_or_else(|| palette.ground.into()), Some(fill))
        } else {
            (fill, ground)
        };
        Self { fill, ground, modifier: cell.modifier }
    }
}

impl Run {
    fn write(&self, y: u16, out: &mut String) {
        let (x, top) = (EDGE + f32::from(self.x) * CELL.0, EDGE + f32::from(y) * CELL.1);
        let wide = f32::from(self.columns) * CELL.0;
        if let Some(ground) = &self.look.ground {
            let high = CELL.1;
            let _ = writeln!(
                out,
                r#"<rect x="{x:.1}" y="{top:.1}" width="{wide:.1}" height="{high:.1}" fill="{ground}"/>"#
            );
        }
        let underlined = self.look.modifier.contains(Modifier::UNDERLINED);
        if self.text.trim().is_empty() && !underlined {
            return;
        }
        let mut style = String::new();
        for (modifier, attribute) in [
            (Modifier::BOLD, r#" font-weight="bold""#),
            (Modifier::ITALIC, r#" font-style="italic""#),
            (Modifier::DIM, r#" opacity="0.65""#),
            (Modifier::UNDERLINED, r#" text-decoration="underline""#),
            (Modifier::CROSSED_OUT, r#" text-decoration="line-through""#),
        ] {
            if self.look.modifier.contains(modifier) {
                style.push_str(attribute);
            }
        }
        let base = top + CELL.1 * 0.74;
        let text = escape(&self.text);
        let fill = &self.look.fill;
        let _ = writeln!(
            out,
            r#"<text x="{x:.1}" y="{base:.1}" textLength="{wide:.1}" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="{fill}"{style}>{text}</text>"#
        );
    }
}

/// The text as XML: markup escaped, characters that XML does not allow replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            char if char.is_control() || matches!(char, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            char => escaped.push(char),
        }
    }
    escaped
}

fn colour(colour: Color, palette: &Palette) -> Option<String> {
    let sixteen = |at: usize| palette.colours.get(at).map(|colour| (*colour).to_string());
    match colour {
        Color::Reset => None,
        Color::Black => sixteen(0),
        Color::Red => sixteen(1),
        Color::Green => sixteen(2),
        Color::Yellow => sixteen(3),
        Color::Blue => sixteen(4),
        Color::Magenta => sixteen(5),
        Color::Cyan => sixteen(6),
        Color::Gray => sixteen(7),
        Color::DarkGray => sixteen(8),
        Color::LightRed => sixteen(9),
        Color::LightGreen => sixteen(10),
        Color::LightYellow => sixteen(11),
        Color::LightBlue => sixteen(12),
        Color::LightMagenta => sixteen(13),
        Color::LightCyan => sixteen(14),
        Color::White => sixteen(15),
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        Color::Indexed(at @ 0..16) => sixteen(usize::from(at)),
        // The cube of 6 × 6 × 6 colours, then 24 greys.
        Color::Indexed(at @ 16..232) => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            let at = at - 16;
            Some(format!("#{:02x}{:02x}{:02x}", level(at / 36), level(at / 6 % 6), level(at % 6)))
        }
        Color::Indexed(at) => {
            let grey = 8 + 10 * (at - 232);
            Some(format!("#{grey:02x}{grey:02x}{grey:02x}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn text_is_escaped_and_wide_characters_take_two_cells() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 1));
        buffer.set_string(0, 0, "<a&\"> 中x", Style::new().fg(Color::Indexed(196)));
        let svg = svg(&buffer, false);
        assert!(svg.contains("&lt;a&amp;&quot;&gt; </text>"), "{svg}");
        assert!(svg.contains(r##"fill="#ff0000""##), "{svg}");
        assert!(svg.contains(r#"textLength="16.8""#), "{svg}");
        let x_of = |text: &str| {
            let line = svg.lines().find(|line| line.contains(&format!(">{text}"))).unwrap();
            line.split('"').nth(1).unwrap().parse::<f32>().unwrap()
        };
        assert!((x_of("x") - x_of("中") - 16.8).abs() < 0.2);
    }

    #[test]
    fn reversed_cells_have_a_ground() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 2, 1));
        buffer.set_string(0, 0, "ab", Style::new().add_modifier(Modifier::REVERSED));
        assert!(svg(&buffer, true).contains(&format!(r#"height="18.0" fill="{}""#, LIGHT.text)));
    }
}
