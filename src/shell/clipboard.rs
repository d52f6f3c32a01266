//! The clipboard, through the terminal (OSC 52): works over ssh too, where the terminal allows it.

use crate::app::model::Problem;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::io::Write;

/// More than this most terminals refuse.
const MAX_BYTES: usize = 74_994;

/// Puts text on the clipboard.
pub(super) fn copy(text: &str, out: &mut dyn Write) -> Result<(), Problem> {
    if text.len() > MAX_BYTES {
        return Err(Problem {
            what: format!("not copied: {} bytes are more than terminals take ({MAX_BYTES})", text.len()),
            hint: "open the file instead".into(),
        });
    }
    let sequence = format!("\x1b]52;c;{}\x07", STANDARD.encode(text));
    out.write_all(sequence.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Problem { what: format!("not copied: {error}"), hint: String::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_goes_out_encoded_so_that_it_can_steer_nothing() {
        let mut out = Vec::new();
        copy("\x1b[2J", &mut out).unwrap();
        assert_eq!(out, b"\x1b]52;c;G1sySg==\x07");
        assert!(copy(&"x".repeat(80_000), &mut out).unwrap_err().what.starts_with("not copied"));
    }
}
