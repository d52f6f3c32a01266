//! The directory name that the client gives to a project (CLIENT_FACTS A2, A3: measured).

use std::path::Path;

/// The longest name without a hash, in UTF-16 units.
const MAX_UNITS: usize = 200;

/// The name for a path: every UTF-16 unit outside `[A-Za-z0-9]` becomes `-`; a name over 200 units is cut
/// there and gets a hash of the whole path. Bytes that are not UTF-8 count as U+FFFD.
#[must_use]
pub fn slug(path: &Path) -> String {
    let path = path.to_string_lossy();
    let units = || path.encode_utf16();
    let mut name: String = units().take(MAX_UNITS).map(plain).collect();
    if units().count() > MAX_UNITS {
        name.push('-');
        name.push_str(&base36(units().fold(0_i32, java_step).unsigned_abs()));
    }
    name
}

fn plain(unit: u16) -> char {
    u8::try_from(unit).ok().map(char::from).filter(char::is_ascii_alphanumeric).unwrap_or('-')
}

/// One step of Java's string hash, in 32-bit signed arithmetic.
fn java_step(hash: i32, unit: u16) -> i32 {
    hash.wrapping_mul(31).wrapping_add(i32::from(unit))
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(number % 36, 36));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_outside_letters_and_digits_is_one_dash() {
        for (path, want) in [
            ("/work/a b_c.d+x(y)", "-work-a-b-c-d-x-y-"),
            ("/a//b--c", "-a--b--c"),
            ("/Case/KEPT", "-Case-KEPT"),
            ("/é", "--"),
            ("/e\u{301}", "-e-"),
            ("/記", "--"),
            ("/😀", "---"),
        ] {
            assert_eq!(slug(Path::new(path)), want, "{path}");
        }
    }

    #[test]
    fn over_200_units_it_is_cut_and_hashed() {
        let at_limit = format!("/{}", "a".repeat(199));
        assert_eq!(slug(Path::new(&at_limit)), format!("-{}", "a".repeat(199)));
        let over = format!("/{}", "e".repeat(200));
        // Both hashes were computed apart from this code.
        assert_eq!(slug(Path::new(&over)), format!("-{}-ucs6n", "e".repeat(199)));
        // The absolute value: this path's hash is negative.
        let negative = format!("/{}", "a".repeat(200));
        assert_eq!(slug(Path::new(&negative)), format!("-{}-b6ymvl", "a".repeat(199)));
        // Units, not characters: 100 emoji are 200 units.
        let emoji = format!("/{}", "😀".repeat(100));
        assert!(slug(Path::new(&emoji)).starts_with(&"-".repeat(201)));
    }
}
