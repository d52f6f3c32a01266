//! The verdicts on claims agree with what the checks find: on the demo, on generated stores, and on real ones.

use memcurator::check::Settings;
use memcurator::check::claims::{Claim, IDS, Kind, Verdict, verdict};
use memcurator::demo::{self, Size};
use memcurator::memory::Time;
use memcurator::prompt::port::Environment;
use memcurator::prompt::subject::{Subject, Usual};
use memcurator::shell::checkup::{Checkup, Patient};
use memcurator::store::{Places, Store};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    memories: usize,
    claims: [usize; 3],
    findings: usize,
    slowest: Duration,
}

fn index(verdict: Verdict) -> usize {
    match verdict {
        Verdict::Holds => 0,
        Verdict::Fails => 1,
        Verdict::Unknown => 2,
    }
}

/// Holds the claims of every so many-th memory of a store against the findings of all checks on it.
fn agree(checkup: &Checkup, store: &Path, subject: Option<&Subject>, now: Time, every: usize) -> Compared {
    let snapshot = Store::look(store, &checkup.places).unwrap().scan(&|_| {}).unwrap();
    let settings = Settings::default();
    let patient = Patient { snapshot: &snapshot, parked: &[], settings: &settings, subject, now };
    let (report, _) = checkup.run(&patient, &|_| true);
    let silenced = report.silenced.into_iter().map(|one| one.finding);
    let all: Vec<_> = report.findings.into_iter().chain(silenced).collect();
    let mut compared = Compared::default();
    for memory in snapshot.memories.iter().step_by(every) {
        let begin = Instant::now();
        let mut early: Option<Vec<Claim>> = None;
        let found = checkup.claims(&patient, &memory.path, &mut |it| early = Some(it), &|_| true);
        compared.slowest = compared.slowest.max(begin.elapsed());
        let (claims, _) = found.unwrap();
        // What shows at once shows no other claims that need no project than what shows in the end.
        let told = |claims: &[Claim]| -> Vec<Claim> {
            let is_early = |claim: &&Claim| !claim.kind.is_of_project() && claim.kind != Kind::Newer;
            claims.iter().filter(is_early).cloned().collect()
        };
        assert_eq!(told(&early.unwrap()), told(&claims), "{}", memory.path);
        let own: Vec<_> =
            all.iter().filter(|it| it.memory == memory.path && IDS.contains(&it.check.0)).collect();
        for finding in &own {
            let same = claims.iter().filter(|claim| claim.check == Some(finding.check));
            let same: Vec<_> = same.filter(|claim| claim.line == finding.line).collect();
            assert!(same.iter().any(|claim| claim.verdict == verdict(finding)), "{finding:#?}\n{claims:#?}");
            let holds = claims.iter().find(|claim| {
                claim.verdict == Verdict::Holds && claim.range.is_some() && claim.range == finding.range
            });
            assert_eq!(holds, None, "{finding:#?}");
        }
        for claim in claims.iter().filter(|claim| claim.verdict == Verdict::Fails) {
            let known = own.iter().any(|it| Some(it.check) == claim.check && it.line == claim.line);
            assert!(known, "{}: {claim:#?}", memory.path);
        }
        for claim in &claims {
            let all = format!("{}{}{:?}", claim.what, claim.note, claim.evidence);
            assert!(!all.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{all:?}");
            compared.claims[index(claim.verdict)] += 1;
        }
        compared.memories += 1;
        compared.findings += own.len();
    }
    compared
}

fn checkup(env: Environment, places: Places) -> Checkup {
    let usual = Usual { within: Some(env.home.clone()), ..Usual::default() };
    Checkup { env, usual, places, keeps: false }
}

/// Nothing but the path of programs, so that `git` is found.
fn alone(home: &Path) -> Checkup {
    let vars = BTreeMap::from([("PATH".to_owned(), std::env::var("PATH").unwrap_or_default())]);
    let env = Environment { vars, cwd: home.into(), home: home.into() };
    let places = Places { state: home.join("state"), cache: home.join("cache"), config: home.join("config") };
    checkup(env, places)
}

#[test]
fn on_the_demo() {
    let dir = tempfile::tempdir().unwrap();
    let home = demo::build(dir.path(), Size::Small).unwrap();
    let subject = Subject::of(&home.store, &home.project);
    let checkup = checkup(home.env.clone(), home.places.clone());
    let compared = agree(&checkup, &home.store.dir, Some(&subject), home.now, 1);
    println!("{compared:?}");
    assert!(compared.memories == 24 && compared.findings >= 7, "{compared:?}");
    assert!(compared.claims[0] >= 15 && compared.claims[1] >= 7, "{compared:?}");
}

#[test]
fn on_generated_stores() {
    let Some(shared) = crate::shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("made");
    let mut command = Command::new("python3");
    command.arg(shared.join("tools/make_store.py")).arg(&out);
    command.args(["--memories", "120", "--files", "80", "--seed", "7"]);
    assert!(command.output().unwrap().status.success());
    let subject = Subject::Client(out.join("project"));
    let now = "2026-06-01T10:00:00Z".parse().unwrap();
    let compared = agree(&alone(dir.path()), &out.join("memory"), Some(&subject), now, 3);
    println!("{compared:?}");
    assert!(compared.findings >= 6 && compared.claims[0] >= 10, "{compared:?}");
}

/// Without their projects, which nobody has: dates, links and newer memories.
#[test]
fn on_real_stores() {
    let stores = crate::corpus::corpus();
    if stores.is_empty() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let checkup = alone(dir.path());
    let mut sum = Compared::default();
    // The smaller ones: every memory there is compared with the whole store.
    let is_small = |store: &PathBuf| std::fs::read_dir(store).unwrap().count() <= 60;
    for store in stores.into_iter().filter(is_small) {
        let now = "2026-11-30T12:00:00Z".parse().unwrap();
        let one = agree(&checkup, &store, None, now, 12);
        sum.memories += one.memories;
        sum.findings += one.findings;
        sum.slowest = sum.slowest.max(one.slowest);
        for (sum, one) in sum.claims.iter_mut().zip(one.claims) {
            *sum += one;
        }
    }
    println!("{sum:?}");
    assert!(sum.memories >= 20, "{sum:?}");
}
