//! Writes a store of made-up memories, with the sizes and shapes that real ones have (quantiles of 736 real
//! memories: 5 % under 720 bytes, half under 1.9 kB, 1 % over 17 kB), for benches and for trying things out.
//!
//! `cargo run --release --example make-store -- DIR [COUNT] [SEED]`

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

const QUANTILES: &[(f64, f64)] = &[
    (0.0, 85.0),
    (0.05, 721.0),
    (0.10, 991.0),
    (0.25, 1399.0),
    (0.50, 1871.0),
    (0.75, 2715.0),
    (0.90, 5408.0),
    (0.95, 7483.0),
    (0.99, 16849.0),
    (1.0, 226_307.0),
];
const WORDS: &[&str] = &[
    "refund",
    "ledger",
    "queue",
    "approval",
    "invoice",
    "customer",
    "settlement",
    "release",
    "migration",
    "test",
    "database",
    "branch",
    "review",
    "deploy",
    "script",
    "staging",
    "mobile",
    "freeze",
    "audit",
    "limit",
    "retry",
    "webhook",
    "currency",
    "rounding",
    "cents",
    "schema",
    "index",
    "worker",
    "the",
    "a",
    "is",
    "are",
    "must",
    "never",
    "always",
    "before",
    "after",
    "when",
    "by",
    "hand",
    "with",
    "without",
    "second",
    "first",
    "only",
    "and",
    "Überweisung",
    "größe",
    "naïve",
    "테스트",
    "설정",
    "決済",
    "変更",
    "确认",
    "🚀",
];
const TYPES: &[&str] =
    &["project", "project", "project", "feedback", "feedback", "feedback", "reference", "user"];

fn main() -> io::Result<()> {
    let args: Vec<String> = env::args().collect();
    // What begins like an option is no name that anyone wants.
    let Some(dir) = args.get(1).filter(|dir| !dir.starts_with('-')) else {
        return Err(io::Error::other("usage: make-store DIR [COUNT] [SEED]"));
    };
    let count = args.get(2).and_then(|n| n.parse().ok()).unwrap_or(10_000);
    let mut random = Random(args.get(3).and_then(|n| n.parse().ok()).unwrap_or(7));
    make(Path::new(dir), count, &mut random)
}

/// Writes `count` memories and their index into `dir`.
///
/// # Errors
/// When the disk refuses.
pub fn make(dir: &Path, count: usize, random: &mut Random) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let mut index = String::from("# Memory\n\n");
    for n in 0..count {
        let (a, b) = (random.word(), random.word());
        let name = format!("{a}-{b}-{n}");
        let kind = random.pick(TYPES);
        let description = random.words(18);
        let mut text = if random.below(100) < 36 {
            format!(
                "---\nname: {name}\ndescription: {description}\nmetadata: \n  node_type: memory\n  type: {kind}\n  \
                 originSessionId: 6f0c1c3e-8f6e-4a55-9c0b-{n:012x}\n---\n\n"
            )
        } else {
            format!("---\nname: {name}\ndescription: {description}\ntype: {kind}\n---\n\n")
        };
        let size = random.size();
        while text.len() < size.saturating_sub(200) {
            let sentence = random.words(14);
            let _ = match random.below(12) {
                0 => write!(text, "- `src/{}/{}.rs`: {sentence}\n\n", random.word(), random.word()),
                1 => write!(text, "## {sentence}\n\n"),
                2 => write!(text, "See [[{}-{}-{}]].\n\n", random.word(), random.word(), random.below(count)),
                _ => writeln!(text, "{sentence}."),
            };
        }
        let _ = write!(text, "\n**Why:** {}.\n\n**How to apply:** {}.\n", random.words(10), random.words(10));
        fs::write(dir.join(format!("{kind}_{name}.md")), text)?;
        let _ = writeln!(index, "- [{name}]({kind}_{name}.md) — {}", random.words(8));
    }
    fs::write(dir.join("MEMORY.md"), index)
}

/// The numbers that a store is made from. Knuth's MMIX generator: the same store for the same seed on every machine.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next()).unwrap_or_default() % n.max(1)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        let at = self.below(from.len());
        from.get(at).copied().unwrap_or_default()
    }

    fn word(&mut self) -> &'static str {
        self.pick(WORDS.get(..46).unwrap_or(WORDS))
    }

    fn words(&mut self, about: usize) -> String {
        let n = about / 2 + self.below(about);
        (0..n.max(1)).map(|_| self.pick(WORDS)).collect::<Vec<_>>().join(" ")
    }

    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn size(&mut self) -> usize {
        let q = self.below(1_000_000) as f64 / 1_000_000.0;
        for pair in QUANTILES.windows(2) {
            if let [(q0, s0), (q1, s1)] = pair
                && q <= *q1
            {
                return (s0 + (s1 - s0) * ((q - q0) / (q1 - q0)).powi(if *q1 >= 1.0 { 4 } else { 1 }))
                    as usize;
            }
        }
        1871
    }
}
