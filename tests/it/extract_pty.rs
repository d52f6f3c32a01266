//! `extract` on a terminal: it asks before anything is sent, and Ctrl-C ends what it started.

use crate::home::Home;
use crate::transcript_kit::{Talk, answering, model};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long something may take to come, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn run(home: &Home, config: &Path, wait: &dyn Fn(&str) -> bool, keys: &str) -> (u32, String) {
    on_terminal(home, &["extract", "--config", config.to_str().unwrap()], wait, keys)
}

/// Runs a command on a terminal; once `wait` shows, these keys are typed. Gives the exit status and all that was shown.
pub fn on_terminal(home: &Home, args: &[&str], wait: &dyn Fn(&str) -> bool, keys: &str) -> (u32, String) {
    let size = PtySize { rows: 24, cols: 200, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_memcurator"));
    command.args(args);
    command.env_clear();
    for (name, value) in home.vars() {
        command.env(name, value);
    }
    command.cwd(home.project());
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let shown = Arc::new(Mutex::new(String::new()));
    let mut reader = pair.master.try_clone_reader().unwrap();
    let to = shown.clone();
    let reading = std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = reader.read(&mut bytes) {
            to.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    });
    let began = Instant::now();
    while !wait(&shown.lock().unwrap()) {
        assert!(began.elapsed() < PATIENCE, "{}", shown.lock().unwrap());
        std::thread::sleep(Duration::from_millis(20));
    }
    pair.master.take_writer().unwrap().write_all(keys.as_bytes()).unwrap();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(began.elapsed() < 2 * PATIENCE, "{}", shown.lock().unwrap());
        std::thread::sleep(Duration::from_millis(20));
    };
    drop(pair.master);
    let _ = reading.join();
    let shown = shown.lock().unwrap().clone();
    (status.exit_code(), shown)
}

#[test]
fn it_asks_once_before_anything_is_sent() {
    let home = Home::demo();
    let config = answering(&home, "{\"memories\": []}");
    Talk::new(&home, "s").user("please remember tea");
    let is_asked = |shown: &str| shown.contains("[y/N] ");
    for no in ["n\n", "\n", "\u{3}"] {
        let (status, shown) = run(&home, &config, &is_asked, no);
        assert_ne!(status, 0, "{no:?}: {shown}");
        assert!(shown.contains("bytes: 1 of the person's messages"), "{shown}");
        assert!(!home.path().join("asked").exists(), "{no:?}");
    }
    let (status, shown) = run(&home, &config, &is_asked, "y\n");
    assert!(status == 0 && shown.contains("nothing worth remembering"), "{shown}");
    assert!(fs::read_to_string(home.path().join("asked")).unwrap().contains("please remember tea"));
    let (status, shown) = run(&home, &config, &|_| true, "");
    assert!(status == 0 && !shown.contains("[y/N]"), "asked once: {shown}");
}

#[test]
fn ctrl_c_ends_the_model_and_queues_nothing() {
    let home = Home::demo();
    let at = home.path().display().to_string();
    let config = model(&home, &format!("cat > /dev/null; sleep 300 & echo $! > '{at}/pid'; wait"));
    Talk::new(&home, "s").user("please remember tea");
    let done = home.run(&["extract", "--config", config.to_str().unwrap(), "--dry-run"]);
    assert_eq!(done.status, 0, "{done:?}");
    // The yes is given beforehand, as `--yes` would.
    let command = fs::read_to_string(&config).unwrap();
    let command = command.lines().nth(1).unwrap().trim_start_matches("command = ").to_owned();
    let state = home.vars().find(|(name, _)| *name == "XDG_STATE_HOME").map(|(_, value)| value.to_owned());
    let state = state.map_or_else(|| home.path().join(".local/state"), Into::into).join("memcurator");
    fs::create_dir_all(&state).unwrap();
    fs::write(state.join("model-commands"), format!("{command}\n")).unwrap();
    let pid = home.path().join("pid");
    let runs = |_: &str| fs::read_to_string(&pid).is_ok_and(|pid| pid.ends_with('\n'));
    let (status, shown) = run(&home, &config, &runs, "\u{3}");
    assert!(
        status == 1 && shown.contains("stopped; the model command was ended; nothing was queued"),
        "{shown}"
    );
    let pid = fs::read_to_string(&pid).unwrap().trim().to_owned();
    let began = Instant::now();
    let is_running = || {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    };
    while is_running() {
        assert!(began.elapsed() < PATIENCE, "what the model started goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}
