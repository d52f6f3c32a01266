//! The installed client: which program, which version. Programs come from the person's configuration, `PATH` and the
//! places where the client's own installers put it, never from a project.

use crate::client::run;
use crate::client::trouble::Trouble;
use crate::prompt::port::Environment;
use crate::prompt::versions::Rules;
use serde_json::Value as Json;
use sha1::{Digest, Sha1};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The name of the client's program.
const NAME: &str = "claude";
/// Where its installers put it, from the home directory.
const PLACES: [&str; 3] =
    [".local/bin/claude", ".claude/local/claude", ".claude/local/node_modules/.bin/claude"];

/// A client that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The program, as it is started.
    pub path: PathBuf,
    /// Stands for this very file: path, size and times of the program behind all links, in 16 hexadecimal digits. Reading
    /// 200 MB for a hash of the content would take longer than everything else.
    pub fingerprint: String,
}

/// The client that `client = PATH` names, else the one on this machine.
///
/// # Errors
/// When there is none: where was looked.
pub fn find(configured: Option<&Path>, env: &Environment) -> Result<Program, Trouble> {
    if let Some(path) = configured {
        let path = match path.strip_prefix("~") {
            Ok(rest) => env.home.join(rest),
            Err(_) => path.to_path_buf(),
        };
        let missing = || Trouble::NoClient(format!("`client` names {}, which is no program", path.display()));
        return at(&path).ok_or_else(missing);
    }
    let path = env.var("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(path).filter(|dir| dir.is_absolute()).map(|dir| dir.join(NAME));
    let places = PLACES.iter().map(|place| env.home.join(place));
    on_path.chain(places).find_map(|path| at(&path)).ok_or_else(|| {
        Trouble::NoClient(format!(
            "no program `{NAME}` on PATH, nor in {}",
            PLACES.map(|place| format!("~/{place}")).join(", ")
        ))
    })
}

fn at(path: &Path) -> Option<Program> {
    let real = std::fs::canonicalize(path).ok()?;
    let meta = std::fs::metadata(&real).ok()?;
    if !meta.is_file() || meta.permissions().mode() & 0o111 == 0 {
        return None;
    }
    let mut hash = Sha1::new();
    hash.update(real.as_os_str().as_encoded_bytes());
    for part in [meta.len(), meta.ino(), meta.mtime().unsigned_abs(), meta.mtime_nsec().unsigned_abs()] {
        hash.update(part.to_ne_bytes());
    }
    let fingerprint = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    Some(Program { path: path.into(), fingerprint })
}

impl Program {
    /// Its version as files tell it: the name of the file itself, as the client's own installer has it, or the package
    /// that it belongs to. `None` where they don't tell: [`Program::version`] asks it.
    #[must_use]
    pub fn version_on_disk(&self) -> Option<String> {
        let real = std::fs::canonicalize(&self.path).ok()?;
        let name = real.file_name()?.to_str()?;
        if Rules::of(name).is_some() {
            return Some(name.to_owned());
        }
        real.ancestors().skip(1).take(2).find_map(|dir| {
            let text = std::fs::read(dir.join("package.json")).ok()?;
            let package: Json = serde_json::from_slice(&text).ok()?;
            let is_client = package.get("name")?.as_str()?.contains("claude-code");
            let version = package.get("version")?.as_str().filter(|version| Rules::of(version).is_some())?;
            is_client.then(|| version.to_owned())
        })
    }

    /// Its version as it says itself, in an environment that is empty but for `PATH`.
    ///
    /// # Errors
    /// When it can't be started, does not answer in time, or says no version.
    pub fn version(&self, env: &Environment, cancel: &AtomicBool) -> Result<String, Trouble> {
        run::version(&self.path, &[path_of(env)], cancel)
    }
}

/// The person's `PATH`: a client that is a script needs what it is written in. A relative directory on it would be one of
/// wherever the client starts.
pub(super) fn path_of(env: &Environment) -> (String, String) {
    let path = env.var("PATH").unwrap_or(run::SYSTEM_PATH);
    let absolute: Vec<&str> = path.split(':').filter(|dir| dir.starts_with('/')).collect();
    ("PATH".into(), absolute.join(":"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn program(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "#!/bin/sh\necho nothing of a version\n").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn it_is_found_where_the_person_has_it() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("home");
        let bin = dir.path().join("bin");
        let vars = [("PATH".to_owned(), format!("relative:{}", bin.display()))].into();
        let env = Environment { vars, home: home.clone(), cwd: dir.path().into() };
        assert!(find(None, &env).unwrap_err().to_string().contains("~/.local/bin/claude"));
        assert_eq!(path_of(&env).1, bin.to_string_lossy());
        // A directory of the project is none of the person's.
        program(&dir.path().join("relative/claude"));
        assert!(find(None, &env).is_err());
        program(&home.join(".local/bin/claude"));
        assert_eq!(find(None, &env).unwrap().path, home.join(".local/bin/claude"));
        program(&bin.join("claude"));
        let found = find(None, &env).unwrap();
        assert_eq!(found.path, bin.join("claude"));
        assert_eq!(found.version_on_disk(), None);
        let asked = found.version(&env, &AtomicBool::new(false)).unwrap_err();
        assert!(asked.to_string().contains("nothing of a version"), "{asked}");
        fs::write(bin.join("package.json"), r#"{"name": "@x/claude-code", "version": "2.1.197"}"#).unwrap();
        assert_eq!(found.version_on_disk().unwrap(), "2.1.197");
        fs::write(bin.join("package.json"), r#"{"name": "something-else", "version": "2.1.197"}"#).unwrap();
        assert_eq!(found.version_on_disk(), None);
        program(&home.join("mine"));
        assert_eq!(find(Some(Path::new("~/mine")), &env).unwrap().path, home.join("mine"));
        for bad in ["~/nothing", "/", "~"] {
            assert!(find(Some(Path::new(bad)), &env).unwrap_err().to_string().contains("names"), "{bad}");
        }
        // Another file in its place is another client.
        let before = found.fingerprint;
        fs::write(bin.join("claude"), "#!/bin/sh\necho\n").unwrap();
        assert_ne!(find(None, &env).unwrap().fingerprint, before);
        program(&home.join("versions/2.1.5"));
        assert_eq!(
            find(Some(Path::new("~/versions/2.1.5")), &env).unwrap().version_on_disk().unwrap(),
            "2.1.5"
        );
    }
}
