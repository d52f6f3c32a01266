//! The located directory equals the one that the real client announced: 60 trees, three versions.

use memcurator::client::disk::DiskPort;
use memcurator::prompt::locate::slug::slug;
use memcurator::prompt::locate::{Launch, client_store_as, find, path};
use memcurator::prompt::port::Environment;
use memcurator::prompt::versions::Rules;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One tree as data, laid out on the disk.
struct Case<'a> {
    spec: &'a Value,
    tree: PathBuf,
}

impl Case<'_> {
    /// `{MEM}`, `{TREE}` and `{SLUG:x}` filled in.
    fn fill(&self, text: &str) -> String {
        let memory =
            format!("home/.claude/projects/{{SLUG:{}}}/memory", self.spec["mem_of"].as_str().unwrap());
        let mut text = text.replace("{MEM}", &memory).replace("{TREE}", self.tree.to_str().unwrap());
        while let Some((before, rest)) = text.split_once("{SLUG:") {
            let (name, after) = rest.split_once('}').unwrap();
            text = format!("{before}{}{after}", slug(&path::normal(&self.tree.join(name))));
        }
        text
    }

    fn at(&self, name: &str) -> PathBuf {
        self.tree.join(self.fill(name))
    }

    fn build(&self) {
        let texts = |key: &str| -> Vec<String> {
            self.spec[key].as_array().unwrap().iter().map(|item| item.as_str().unwrap().into()).collect()
        };
        let links = self.spec["links"].as_object().unwrap();
        for dir in ["home".into(), self.spec["cwd"].as_str().unwrap().into()].iter().chain(&texts("dirs")) {
            if !links.contains_key(dir) {
                std::fs::create_dir_all(self.at(dir)).unwrap();
            }
        }
        for dir in texts("git") {
            std::fs::create_dir_all(self.at(&dir).join(".git")).unwrap();
        }
        for (name, parts) in self.spec["files"].as_object().unwrap() {
            std::fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
            // Only settings and git's own files matter here, and they are plain text.
            std::fs::write(self.at(name), self.fill(parts.as_str().unwrap_or_default())).unwrap();
        }
        for (name, target) in links {
            std::fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(self.fill(target.as_str().unwrap()), self.at(name)).unwrap();
        }
    }
}

#[test]
fn the_directory_is_the_one_that_the_real_client_announced() {
    let Some(shared) = crate::shared() else { return };
    let read = |name: &str| -> Value {
        serde_json::from_slice(&std::fs::read(shared.join("client-cases").join(name)).unwrap()).unwrap()
    };
    let specs = read("cases.json");
    assert_eq!(specs.as_object().unwrap().len(), 60);
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let mut compared = 0;
    for (name, spec) in specs.as_object().unwrap() {
        let case = Case { spec, tree: root.join(name) };
        case.build();
        let vars: BTreeMap<_, _> = spec["env"].as_object().unwrap().iter().collect();
        let vars = vars.into_iter().map(|(name, value)| (name.clone(), case.fill(value.as_str().unwrap())));
        let env = Environment {
            vars: vars.collect(),
            cwd: case.at(spec["cwd"].as_str().unwrap()),
            home: case.at("home"),
        };
        for version in ["2.1.100", "2.1.197", "2.1.332"] {
            let expected = &read(&format!("expected-{version}.json"))["cases"][name];
            let Some(expected) = expected.as_object() else { continue };
            let launch = Launch { rules: Rules::of(version).unwrap(), ..Launch::default() };
            let located = client_store_as(&DiskPort, &env, &launch);
            let got = located.off.is_none().then_some(located.dir);
            let want = expected["memory_dir"].as_str().map(|dir| case.at(dir));
            assert_eq!(got, want, "{name} on {version}");
            compared += 1;
        }
        std::fs::remove_dir_all(&case.tree).unwrap();
    }
    assert!(compared >= 60, "{compared}");
}

#[test]
fn every_store_of_the_corpus_is_taken_for_one() {
    let Some(shared) = crate::shared() else { return };
    let env = Environment { cwd: "/".into(), home: "/nowhere".into(), ..Environment::default() };
    for entry in std::fs::read_dir(shared.join("corpus")).unwrap() {
        let dir = entry.unwrap().path();
        if dir.is_dir() {
            find::at(&DiskPort, &env, &Launch::default(), Path::new(&dir)).unwrap();
        }
    }
}
