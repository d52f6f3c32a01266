//! The program on a real (pseudo) terminal: it is given back as it was, and pasted text is only text.

use crate::screen_kit::Kit;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a screen may take to come, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// The program on a terminal of 24 lines and 80 columns.
struct Pty {
    master: Box<dyn MasterPty + Send>,
    keyboard: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    screen: Arc<Mutex<vt100::Parser>>,
    /// Whether lines are edited and echoed, before the program ran.
    before: String,
}

impl Pty {
    fn start(kit: &Kit) -> Self {
        Self::start_with(kit, "")
    }

    /// The program with this as `$EDITOR`.
    fn start_with(kit: &Kit, editor: &str) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let home = kit.dir.path().join("home");
        std::fs::create_dir_all(&home).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_memcurator"));
        command.arg(kit.store());
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("HOME", &home);
        command.env("PATH", "/usr/bin:/bin");
        command.env("EDITOR", editor);
        command.cwd(&home);
        let before = line_modes(pair.master.as_ref());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(24, 80, 0)));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let shown = screen.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                shown.lock().unwrap().process(&bytes[..count]);
            }
        });
        let keyboard = pair.master.take_writer().unwrap();
        Self { master: pair.master, keyboard, child, screen, before }
    }

    fn send(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits until the screen holds a text.
    fn wait_for(&mut self, text: &str) {
        let begin = Instant::now();
        while !self.text().contains(text) {
            assert!(begin.elapsed() < PATIENCE, "`{text}` never came:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the program has ended, and sees that the terminal is as before.
    fn assert_given_back(&mut self) -> portable_pty::ExitStatus {
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begin.elapsed() < PATIENCE, "still running:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        };
        // What it wrote last may still be on its way.
        let is_back = |parser: &vt100::Parser| {
            let screen = parser.screen();
            !screen.alternate_screen()
                && !screen.bracketed_paste()
                && !screen.hide_cursor()
                && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
        };
        while !is_back(&self.screen.lock().unwrap()) {
            assert!(begin.elapsed() < PATIENCE, "the terminal was not given back");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(line_modes(self.master.as_ref()), self.before);
        status
    }
}

fn line_modes(master: &dyn MasterPty) -> String {
    master
        .get_termios()
        .map(|termios| format!("{:?} {:?}", termios.local_flags, termios.input_flags))
        .unwrap()
}

#[test]
fn leaving_gives_the_terminal_back() {
    let kit = Kit::new();
    let mut pty = Pty::start(&kit);
    pty.wait_for("11 memories");
    assert!(pty.screen.lock().unwrap().screen().alternate_screen());
    assert!(pty.screen.lock().unwrap().screen().bracketed_paste());
    assert_ne!(line_modes(pty.master.as_ref()), pty.before);
    pty.send("q");
    assert!(pty.assert_given_back().success());
}

#[test]
fn signals_give_the_terminal_back() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let kit = Kit::new();
        let before = kit.disk();
        let mut pty = Pty::start(&kit);
        pty.wait_for("11 memories");
        let id = Pid::from_raw(i32::try_from(pty.child.process_id().unwrap()).unwrap()).unwrap();
        kill_process(id, signal).unwrap();
        assert!(!pty.assert_given_back().success(), "the parent sees that it was ended");
        assert_eq!(kit.disk(), before);
    }
}

#[test]
fn pasted_text_is_only_text() {
    let kit = Kit::new();
    let before = kit.disk();
    let mut pty = Pty::start(&kit);
    pty.wait_for("11 memories");
    pty.send("\u{1b}[200~dy*dy\rq\u{1b}[201~");
    pty.wait_for("never taken for commands");
    assert_eq!(kit.disk(), before);
    pty.send("/\u{1b}[200~one\ncommit\u{1b}[201~");
    pty.wait_for("/ one commit");
    pty.send("\rd");
    pty.wait_for("Delete this memory?");
    pty.send("\u{1b}[200~y\u{1b}[201~\r");
    pty.wait_for("does nothing here");
    assert_eq!(kit.disk(), before);
    pty.send("y");
    pty.wait_for("undoes");
    assert!(!kit.names().contains(&"small-commits.md".to_string()));
    pty.send("u");
    pty.wait_for("redoes");
    assert_eq!(kit.disk(), before);
    pty.send("q");
    assert!(pty.assert_given_back().success());
}

#[test]
fn unsaved_text_outlives_every_end_of_the_program() {
    for signal in [Signal::TERM, Signal::HUP, Signal::KILL] {
        let kit = Kit::new();
        let before = kit.disk();
        let mut pty = Pty::start(&kit);
        pty.wait_for("11 memories");
        pty.send("/integration\r");
        pty.wait_for("1 of 11");
        pty.send("e");
        pty.wait_for("Ctrl-S save");
        pty.send("TYPED");
        pty.wait_for("TYPED");
        if signal == Signal::KILL {
            // Nothing can be done at that moment: the text was kept before.
            let begin = Instant::now();
            while drafts(&kit) == 0 {
                assert!(begin.elapsed() < PATIENCE, "no draft was written");
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        let id = Pid::from_raw(i32::try_from(pty.child.process_id().unwrap()).unwrap()).unwrap();
        kill_process(id, signal).unwrap();
        pty.child.wait().unwrap();
        assert_eq!(drafts(&kit), 1, "{signal:?}");
        assert_eq!(kit.disk(), before);
        let mut pty = Pty::start(&kit);
        pty.wait_for("unsaved text for integration-tests.md");
        pty.send("/integration\r");
        pty.wait_for("1 of 11");
        pty.send("e");
        pty.wait_for("Text of an earlier time");
        pty.send("y");
        pty.wait_for("integration-tests-real-dbTYPED");
        // Ctrl-S is a key here, not the terminal's stop.
        pty.send("\u{13}");
        pty.wait_for("undoes");
        assert_eq!(drafts(&kit), 0);
        pty.send("q");
        assert!(pty.assert_given_back().success());
    }
}

/// How many drafts are kept.
fn drafts(kit: &Kit) -> usize {
    let stores = kit.dir.path().join("home/.local/state/memcurator/stores");
    let Ok(stores) = std::fs::read_dir(stores) else { return 0 };
    let files = stores.flatten().filter_map(|store| std::fs::read_dir(store.path().join("drafts")).ok());
    files.flatten().flatten().filter(|file| file.path().extension().is_some_and(|end| end == "json")).count()
}

#[test]
fn ones_own_editor_has_the_terminal_for_itself() {
    let kit = Kit::new();
    let script = kit.dir.path().join("editor");
    let text = "#!/bin/sh\nstty -a | grep -q ' icanon' && echo WAITING\nread line\necho \"$line\" >> \"$2\"\nsleep 0.1\n";
    std::fs::write(&script, text).unwrap();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut pty = Pty::start_with(&kit, &format!("{} --flag", script.display()));
    pty.wait_for("11 memories");
    pty.send("/integration\r");
    pty.wait_for("1 of 11");
    pty.send("E");
    pty.wait_for("WAITING");
    assert!(!pty.screen.lock().unwrap().screen().alternate_screen());
    // Every key goes to the editor, none to the screens.
    pty.send("dddq\r");
    pty.wait_for("changed integration-tests-real-db");
    assert!(pty.screen.lock().unwrap().screen().alternate_screen());
    let path = kit.store().join("integration-tests.md");
    assert!(std::fs::read_to_string(path).unwrap().ends_with("dddq\n"));
    pty.send("u");
    pty.wait_for("redoes");
    pty.send("q");
    assert!(pty.assert_given_back().success());
}

/// The store is watched on a real terminal: what the agent writes shows within a second or so.
#[test]
fn what_others_write_shows_by_itself() {
    let kit = Kit::new();
    let mut pty = Pty::start(&kit);
    pty.wait_for("11 memories");
    std::thread::sleep(Duration::from_millis(300));
    let begin = Instant::now();
    kit.write("user_new.md", 0, b"---\nname: Quite new\ntype: user\n---\n\nNew.\n");
    pty.wait_for("12 memories");
    eprintln!("a change of others showed after {:?}", begin.elapsed());
    pty.wait_for("changed by someone else: 1 new");
    pty.send("q");
    assert!(pty.assert_given_back().success());
}
