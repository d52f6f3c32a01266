//! Reads the use of the memories in the client's transcripts, on a thread of its own: it may take seconds the first time.

use crate::app::action::Outcome;
use crate::client::transcript::Transcripts;
use crate::client::usage;
use crate::prompt::locate::Launch;
use crate::prompt::port::Environment;
use crate::shell::Session;
use crate::shell::worker::{Report, guarded, spawn, tell};
use crate::store::Places;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;

/// Reads it.
pub(super) struct UsageReader {
    env: Environment,
    launch: Launch,
    places: Places,
    /// The number of the latest reading: an earlier one stops.
    latest: Arc<AtomicU64>,
}

impl UsageReader {
    /// A reader for a session of the screens.
    pub(super) fn new(session: &Session) -> Self {
        let (env, launch) = (session.env.clone(), session.usual.launch.clone());
        Self { env, launch, places: session.places.clone(), latest: Arc::new(AtomicU64::new(0)) }
    }

    /// Reads the use of a store's memories, and says so at the end. What a former reading was at is given up.
    pub(super) fn read(&self, dir: PathBuf, reports: &Sender<Report>) {
        let number = self.latest.fetch_add(1, Ordering::SeqCst) + 1;
        let (env, launch, places) = (self.env.clone(), self.launch.clone(), self.places.clone());
        let latest = Arc::clone(&self.latest);
        let (to, of) = (reports.clone(), dir.clone());
        let work = move || {
            let used = guarded(|| {
                let real = std::fs::canonicalize(&of).unwrap_or_else(|_| of.clone());
                let key =
                    places.of_store(&real).file_name().unwrap_or_default().to_string_lossy().into_owned();
                let transcripts = Transcripts::of(&env, &launch, None, &of);
                let mut is_wanted = |_| latest.load(Ordering::SeqCst) == number;
                usage::read(&transcripts.scope(), &places.cache, &key, &mut is_wanted)
            });
            tell(&to, Outcome::UsageRead(of, used.ok().flatten().map(Arc::new)), true);
        };
        if spawn("usage", work).is_err() {
            tell(reports, Outcome::UsageRead(dir, None), true);
        }
    }
}
