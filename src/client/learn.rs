//! Learning the client's words: it runs in throw-away homes on content of ours. Three rounds, each with another home, other
//! directories, numbers, days and another time zone: two to find the slots by difference, one to check what they predict.

use crate::client::disk::DiskPort;
use crate::client::inside;
use crate::client::loopback::call;
use crate::client::program::{Program, path_of};
use crate::client::run::{Job, Recorded};
use crate::client::sandbox::Sandbox;
use crate::client::trouble::{Trouble, disk};
use crate::memory::Time;
use crate::prompt::limits;
use crate::prompt::locate::{self, Launch};
use crate::prompt::picture::IndexPicture;
use crate::prompt::port::Environment;
use crate::prompt::sent;
use crate::prompt::versions::Rules;
use crate::prompt::wording::notice_values;
use crate::prompt::words::Slot;
use crate::prompt::words::exchange::{first_blocks, read, system};
use crate::prompt::words::learn::{
    Block, Known, Learned, Observed, agent_part, learn as compare, memory_part, on_use,
};
use crate::prompt::words::template::{Value, Values, values};
use chrono::{Days, TimeDelta};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What is needed to run the client.
pub struct Client<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its version.
    pub version: &'a str,
    /// The person's environment; only `PATH` of it gets to the client.
    pub env: &'a Environment,
    /// Where it runs.
    pub sandbox: &'a Sandbox,
    /// How long a session may take.
    pub limit: Duration,
    /// Set from elsewhere: it is called off.
    pub cancel: &'a AtomicBool,
}

/// One round: what differs between them.
struct Plan {
    /// The home directory and the project's, below the round's own directory.
    home: &'static str,
    project: &'static str,
    /// A time zone; those of two rounds never have the same day.
    zone: (&'static str, i64),
    /// How many lines the indexes have above the limit.
    over: usize,
    /// How old the memory is that is read, in days.
    days: u64,
}

const PLANS: [Plan; 3] = [
    Plan { home: "home", project: "work/first", zone: ("Etc/GMT+12", -12), over: 71, days: 40 },
    Plan { home: "homes/other person", project: "p2", zone: ("Etc/GMT-14", 14), over: 83, days: 400 },
    Plan { home: "h", project: "deeper/down/third", zone: ("Etc/GMT", 0), over: 40, days: 2 },
];

/// The scopes of a sub-agent's memory, the word for each, and its directory.
const SCOPES: [&str; 3] = ["user", "project", "local"];

/// Learns the client's words. `progress` is told how many of how many sessions are done.
///
/// # Errors
/// When a session comes to nothing. Words that are not known are no error: what was learned says which, and why.
pub fn learn(
    client: &Client<'_>,
    now: Time,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Learned, Trouble> {
    let done = std::sync::atomic::AtomicUsize::new(0);
    let one = |plan: &Plan| {
        let round = Round::lay_out(client, plan, now)?;
        round.observe(&|| {
            let done = done.fetch_add(1, std::sync::atomic::Ordering::SeqCst) + 1;
            progress(done, PLANS.len() * SESSIONS);
        })
    };
    let rounds = std::thread::scope(|scope| {
        let threads = PLANS.each_ref().map(|plan| scope.spawn(move || one(plan)));
        threads.map(|thread| thread.join().unwrap_or(Err(Trouble::Cancelled)))
    });
    let [first, second, third] = rounds;
    let rounds = [first?, second?, third?];
    let mut learned = compare(client.version, &rounds);
    let rules = client.rules();
    learned.missed.retain(|(slot, _)| slot.applies(&rules));
    Ok(learned)
}

/// The sessions of a round.
const SESSIONS: usize = 6;

impl Client<'_> {
    fn rules(&self) -> Rules {
        Rules::of(self.version).unwrap_or(Rules::NEWEST)
    }

    /// A session in this home and directory.
    pub(super) fn job(&self, home: &Path, cwd: &Path) -> Job {
        Job {
            program: self.program.path.clone(),
            args: Vec::new(),
            env: vec![
                path_of(self.env),
                ("HOME".into(), home.to_string_lossy().into_owned()),
                ("LANG".into(), "C.UTF-8".into()),
            ],
            cwd: cwd.into(),
            reads: Vec::new(),
            calls: Vec::new(),
            limit: self.limit,
        }
    }

    /// Runs a session that must come to something.
    pub(super) fn run(&self, job: &Job) -> Result<Recorded, Trouble> {
        job.run(self.sandbox, self.cancel)?.checked(self.limit)
    }
}

/// An index that is written for a session, with what becomes of it.
struct Index {
    text: String,
    body: String,
    notice: Option<(Slot, Values)>,
}

/// A round, laid out on the disk.
struct Round<'a> {
    client: &'a Client<'a>,
    plan: &'a Plan,
    /// Gone with everything in it when the round is over.
    _dir: tempfile::TempDir,
    /// Its directory, real.
    root: PathBuf,
    home: PathBuf,
    project: PathBuf,
    memory: PathBuf,
    date: String,
    files: Vec<Known>,
}

impl<'a> Round<'a> {
    fn lay_out(client: &'a Client<'a>, plan: &'a Plan, now: Time) -> Result<Self, Trouble> {
        let dir = place("memcurator-learn-")?;
        let root = std::fs::canonicalize(dir.path()).map_err(disk(dir.path()))?;
        let (home, project) = (root.join(plan.home), root.join(plan.project));
        for made in [&home, &project.join(".git")] {
            std::fs::create_dir_all(made).map_err(disk(made))?;
        }
        let env = Environment { vars: [].into(), cwd: project.clone(), home: home.clone() };
        let launch = Launch { rules: client.rules(), ..Launch::default() };
        let memory = locate::client_store_as(&DiskPort, &env, &launch).dir;
        let date = (now + TimeDelta::hours(plan.zone.1)).date_naive().to_string();
        let mut round =
            Self { client, plan, _dir: dir, root, home, project, memory, date, files: Vec::new() };
        let mark = |what: &str| format!("Marker text {what} of {}.", plan.project);
        let (home, project) = (round.home.clone(), round.project.clone());
        let import = project.join("notes.md");
        for (slot, path, body) in [
            (Slot::User, home.join(".claude/CLAUDE.md"), mark("alpha")),
            (Slot::User, home.join(".claude/rules/r.md"), mark("bravo")),
            (Slot::Project, project.join("CLAUDE.md"), format!("{} @notes.md", mark("charlie"))),
            (Slot::Project, import, mark("delta")),
            (Slot::Project, project.join(".claude/rules/q.md"), mark("echo")),
            (Slot::Local, project.join("CLAUDE.local.md"), mark("foxtrot")),
        ] {
            round.write(&path, &format!("{body}\n"))?;
            round.files.push(Known { slot, path: path.to_string_lossy().into_owned(), body });
        }
        for (path, text) in round.on_use() {
            round.write(&path, &text)?;
        }
        round.write(
            &project.join(".claude/rules/w.md"),
            &format!("---\npaths: src/**\n---\n{}", round.waiting()),
        )?;
        round.write(&project.join("src/in/code.txt"), "one\n")?;
        let old = round.memory.join("old.md");
        round.write(&old, "---\nname: old\n---\nsays\n")?;
        let then = now - Days::new(plan.days) - TimeDelta::minutes(5);
        let file = std::fs::File::options().write(true).open(&old).map_err(disk(&old))?;
        file.set_modified(then.into()).map_err(disk(&old))?;
        for scope in SCOPES {
            let text =
                format!("---\nname: m-{scope}\ndescription: for {scope}\nmemory: {scope}\n---\n{OWN}\n");
            round.write(&project.join(format!(".claude/agents/m-{scope}.md")), &text)?;
        }
        Ok(round)
    }

    /// Writes a file and its directories, inside the round's directory.
    fn write(&self, path: &Path, text: &str) -> Result<(), Trouble> {
        inside::write(&self.root, path, text)
    }

    /// The files that load when `src/in/code.txt` is read, without the rule that waits for it.
    fn on_use(&self) -> Vec<(PathBuf, String)> {
        let text = |what: &str| format!("Marker text {what} of {}.\n\n", self.plan.project);
        vec![
            (self.project.join("src/CLAUDE.md"), text("golf")),
            (self.project.join("src/in/CLAUDE.md"), text("hotel")),
        ]
    }

    fn waiting(&self) -> String {
        format!("Marker text india of {}.\n", self.plan.project)
    }

    /// Runs all sessions; gives what was seen of the client's words.
    fn observe(&self, done: &dyn Fn()) -> Result<Vec<Observed>, Trouble> {
        let [lines, lines_blank, size, size_blank, size_inside, both, both_blank, both_inside] =
            self.indexes();
        let mut seen = Vec::new();
        let mut off = self.job();
        off.env.push(("CLAUDE_CODE_DISABLE_AUTO_MEMORY".into(), "1".into()));
        let off = self.client.run(&off)?;
        done();
        let without = off.requests.first().map(system).unwrap_or_default();
        let found = off.requests.first().map(|request| self.block(request, None, None)).unwrap_or_default();
        let closing = found.iter().find(|seen| seen.slot == Slot::Closing).map(|seen| seen.text.clone());
        seen.extend(found);

        let mut job = self.job();
        job.reads = vec![self.project.join("src/in/code.txt"), self.memory.join("old.md")];
        self.write(&self.memory.join("MEMORY.md"), &lines.text)?;
        let main = self.client.run(&job)?;
        done();
        if let (Some(first), Some(last)) = (main.requests.first(), main.requests.last()) {
            seen.extend(self.block(first, Some(&lines), closing.as_deref()));
            let dir = self.memory.to_string_lossy();
            seen.extend(memory_part(&system(first), &without, &dir));
            seen.extend(self.reads(last));
        }
        let agents = [
            ("user", &lines_blank, Some(&size)),
            ("project", &size_blank, Some(&size_inside)),
            ("local", &both, Some(&both_blank)),
            ("user", &both_inside, None),
        ];
        for (scope, main, own) in agents {
            self.write(&self.memory.join("MEMORY.md"), &main.text)?;
            seen.extend(self.agent(scope, main, own, closing.as_deref())?);
            done();
        }
        Ok(seen)
    }

    fn job(&self) -> Job {
        let mut job = self.client.job(&self.home, &self.project);
        job.env.push(("TZ".into(), self.plan.zone.0.into()));
        job
    }

    /// What stands around the files of the first message, and the notice about the index.
    fn block(&self, request: &Json, index: Option<&Index>, closing: Option<&str>) -> Vec<Observed> {
        let mut files = self.files.clone();
        if let Some(index) = index {
            let path = self.memory.join("MEMORY.md").to_string_lossy().into_owned();
            files.push(Known { slot: Slot::Auto, path, body: index.body.clone() });
        }
        let first = files.first().map(|file| file.body.clone()).unwrap_or_default();
        let blocks = first_blocks(request);
        let Some(text) = blocks.iter().find(|block| block.contains(&first)) else { return Vec::new() };
        let notice = index.and_then(|index| index.notice.clone());
        Block { text, files: &files, date: &self.date, notice, closing }.observed()
    }

    /// What stands around files that load on use, and the age note.
    fn reads(&self, request: &Json) -> Vec<Observed> {
        let mut files: Vec<(String, String)> = self
            .on_use()
            .into_iter()
            .map(|(path, text)| (path.to_string_lossy().into_owned(), text))
            .collect();
        let rule = self.project.join(".claude/rules/w.md");
        files.push((rule.to_string_lossy().into_owned(), self.waiting()));
        let mut seen = Vec::new();
        if let Some(read) = read(request, &call(0)) {
            // Older clients put it behind the file's own lines.
            let tail = read.result.strip_prefix("1\tone\n2\t").unwrap_or_default().to_owned();
            let texts: Vec<String> =
                [tail].into_iter().filter(|tail| !tail.is_empty()).chain(read.behind).collect();
            seen.extend(on_use(&texts, &files));
        }
        if let Some(read) = read(request, &call(1))
            && let Some((note, _)) = read.result.split_once("1\t---\n")
        {
            seen.push(Observed::new(Slot::Age, note, values([(Value::Days, self.plan.days.to_string())])));
        }
        seen
    }

    /// A session as a sub-agent with a memory of its own.
    fn agent(
        &self,
        scope: &str,
        main: &Index,
        own: Option<&Index>,
        closing: Option<&str>,
    ) -> Result<Vec<Observed>, Trouble> {
        let name = format!("m-{scope}");
        let dir = match scope {
            "user" => self.home.join(".claude/agent-memory"),
            "project" => self.project.join(".claude/agent-memory"),
            _ => self.project.join(".claude/agent-memory-local"),
        };
        let dir = dir.join(&name);
        let index = dir.join("MEMORY.md");
        match own {
            Some(own) => self.write(&index, &own.text)?,
            None => match std::fs::remove_file(&index) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Trouble::Disk(index, error));
                }
                _ => {}
            },
        }
        let mut job = self.job();
        job.args = vec!["--agent".into(), name];
        let recorded = self.client.run(&job)?;
        let Some(request) = recorded.requests.first() else { return Ok(Vec::new()) };
        let mut seen = self.block(request, Some(main), closing);
        let (system, dir) = (system(request), dir.to_string_lossy());
        let slot = Slot::of_scope(scope).unwrap_or(Slot::AgentProject);
        match own {
            Some(own) => {
                if let Some((part, tail)) = agent_part(&system, OWN, slot, &dir, &own.body) {
                    seen.push(part);
                    if let (Some((slot, values)), Some(text)) = (&own.notice, tail.strip_prefix("\n\n")) {
                        seen.push(Observed::new(*slot, text, values.clone()));
                    }
                }
            }
            None => {
                // The same part as with an index, then what stands in the index's place: the last paragraph.
                let text = system.rsplit("\n\n").next().unwrap_or_default();
                if system.contains(dir.as_ref()) {
                    seen.push(Observed::new(Slot::AgentEmpty, text, Values::new()));
                }
            }
        }
        Ok(seen)
    }

    /// Indexes for each notice, in the order of [`Slot`].
    fn indexes(&self) -> [Index; 8] {
        let over = self.plan.over;
        let short =
            |count: usize| -> Vec<String> { (0..count).map(|n| format!("- entry {n} is short")).collect() };
        let long = |count: usize| -> Vec<String> {
            (0..count).map(|n| format!("- entry {n} {}", "is long ".repeat(30 + over / 10))).collect()
        };
        let blank = |mut lines: Vec<String>, at: usize| {
            if let Some(line) = lines.get_mut(at) {
                // As long as before, so that the cut falls where it fell.
                *line = " ".repeat(line.len());
            }
            lines
        };
        // How many of the long lines load.
        let kept = self.index(long(200 + over)).1;
        let one = "one line without an end ".repeat(1100 + over);
        [
            short(200 + over),
            blank(short(200 + over), 200),
            long(100 + over),
            blank(long(100 + over), kept),
            [vec![one.clone()], short(over)].concat(),
            long(200 + over),
            blank(long(200 + over), kept),
            [vec![one], short(200 + over)].concat(),
        ]
        .map(|lines| self.index(lines).0)
    }

    fn index(&self, lines: Vec<String>) -> (Index, usize) {
        let rules = self.client.rules();
        let text = lines.join("\n") + "\n";
        let loaded = limits::load_with(text.as_bytes(), &(&rules).into());
        let picture = IndexPicture::of(PathBuf::new(), &loaded);
        let index =
            Index { body: sent::body(&loaded, &rules), notice: notice_values(&picture, &rules), text };
        (index, loaded.kept_lines)
    }
}

/// The own text of the sub-agents.
const OWN: &str = "Marker text of the agent itself.";

/// A temporary directory of its own, on whose way there is nothing that a client would take for a project or load.
pub(super) fn place(prefix: &str) -> Result<tempfile::TempDir, Trouble> {
    let dir = tempfile::Builder::new().prefix(prefix).tempdir().map_err(disk(std::env::temp_dir()))?;
    let root = std::fs::canonicalize(dir.path()).map_err(disk(dir.path()))?;
    const NAMES: [&str; 5] = [".git", "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", ".claude"];
    for above in root.ancestors().skip(1) {
        if let Some(name) = NAMES.iter().find(|name| above.join(name).symlink_metadata().is_ok()) {
            let what =
                format!("{} is on its way, which the client would look at", above.join(name).display());
            return Err(Trouble::Place(root, what));
        }
    }
    Ok(dir)
}
