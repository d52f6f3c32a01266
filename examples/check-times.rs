//! How long each check takes on a store, without a project, slowest first.
//!
//! `cargo run --release --example check-times -- STORE`

use memcurator::check::{Depth, FAMILIES, Facts, Look, Settings, report};
use memcurator::memory::mentions::Mentions;
use memcurator::store::{Places, Store};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{env, io};

fn main() -> io::Result<()> {
    let root = env::args_os().nth(1).map(PathBuf::from).ok_or_else(|| io::Error::other("name a store"))?;
    let aside = env::temp_dir().join(format!("check-times-{}", std::process::id()));
    let places =
        Places { state: aside.join("state"), cache: aside.join("cache"), config: aside.join("config") };
    let store = Store::look(&root, &places).map_err(io::Error::other)?;
    let snapshot = store.scan(&|_| ()).map_err(io::Error::other)?;
    let (now, settings) = (chrono::Utc::now(), Settings::default());
    let timed = Instant::now();
    let facts = Facts::of(&snapshot);
    let mut times = vec![(timed.elapsed(), "(facts)")];
    let timed = Instant::now();
    let mentions: Vec<Mentions> = snapshot.memories.iter().map(|memory| Mentions::of(memory)).collect();
    times.push((timed.elapsed(), "(mentions)"));
    let mut look = Look::quick(&snapshot, &facts, &[], now, &settings);
    look.mentions = Some(&mentions);
    let (mut last, mut number) = (Instant::now(), 0);
    let names: Vec<&str> = FAMILIES.iter().flat_map(|(_, checks)| *checks).map(|check| check.id.0).collect();
    let depths: Vec<Depth> =
        FAMILIES.iter().flat_map(|(_, checks)| *checks).map(|check| check.depth).collect();
    let mut spent: Vec<Duration> = Vec::new();
    let all = Instant::now();
    let found = report(&look, Depth::Deep, &mut |_| {
        spent.push(last.elapsed());
        (last, number) = (Instant::now(), number + 1);
        true
    });
    spent.push(last.elapsed());
    let whole = all.elapsed();
    times.extend(spent.iter().skip(1).copied().zip(names.iter().copied()));
    let quick: Duration = spent
        .iter()
        .skip(1)
        .zip(&depths)
        .filter(|(_, depth)| **depth == Depth::Quick)
        .map(|(time, _)| *time)
        .sum();
    times.sort_by(|a, b| b.cmp(a));
    let mut out = io::stdout().lock();
    for (time, name) in &times {
        writeln!(out, "{:9.1} ms  {name}", time.as_secs_f64() * 1000.0)?;
    }
    writeln!(
        out,
        "{:9.1} ms  all checks, {:.1} ms of it the quick ones",
        whole.as_secs_f64() * 1000.0,
        quick.as_secs_f64() * 1000.0
    )?;
    writeln!(
        out,
        "{} memories, {} findings, {number} checks",
        snapshot.memories.len(),
        found.findings.len()
    )?;
    std::fs::remove_dir_all(&aside)
        .or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}
