//! Plans what goes from one store to another, for the screens and for the commands.

use crate::app::moving::Asked;
use crate::client::disk::DiskPort;
use crate::memory::Time;
use crate::memory::path::RelPath;
use crate::prompt::locate::{git, known};
use crate::prompt::port::Environment;
use crate::prompt::versions::Rules;
use crate::review::moving::{Side, Transfer, Way, all, transfer};
use crate::review::plan::Refusal;
use crate::store::{Applied, Places, Queue, Store, StoreError};

/// Plans a move or a copy of some memories, or of all (`None`), from one store to another. Writes nothing.
///
/// # Errors
/// When the stores are not apart, one can't be read, or the plan is refused.
pub fn plan(
    from: &Store,
    to: &Store,
    way: Way,
    paths: Option<&[RelPath]>,
    env: &Environment,
) -> Result<Transfer, StoreError> {
    from.is_apart_from(to)?;
    let (source, target) = (from.scan(&|_| {})?, to.scan(&|_| {})?);
    let (parked, parked_there) = (from.parked()?, to.parked()?);
    let name = |store: &Store| known::name_of(&DiskPort, env, store.root());
    let (here, there) = (name(from), name(to));
    let repository = git::root(&DiskPort, to.root(), &Rules::default()).checkout;
    let proposed = Queue::targets(&from.queue())?;
    let proposed: Vec<RelPath> = proposed.into_iter().collect();
    let (every, stay) = match paths {
        Some(paths) => (paths.to_vec(), Vec::new()),
        None => all(&source),
    };
    if every.is_empty() {
        return Err(StoreError {
            what: format!("{} holds no memories that could go; nothing was changed", from.root().display()),
            hint: String::new(),
            conflict: true,
        });
    }
    let side = |snapshot, parked, name| Side { snapshot, parked, name, repository: None, proposed: &[] };
    let source = Side { proposed: &proposed, ..side(&source, &parked, &here) };
    let target = Side { repository: repository.as_deref(), ..side(&target, &parked_there, &there) };
    let mut planned = transfer(source, target, way, &every).map_err(refused)?;
    planned.notes.extend(stay);
    Ok(planned)
}

/// Plans what the screens ask for. Writes nothing.
///
/// # Errors
/// As [`plan`].
pub(super) fn asked(asked: &Asked, env: &Environment, places: &Places) -> Result<Transfer, StoreError> {
    let (from, to) = (Store::look(&asked.from, places)?, Store::look(&asked.to, places)?);
    plan(&from, &to, asked.way, asked.paths.as_deref(), env)
}

/// Carries it out.
///
/// # Errors
/// As [`Store::transfer`].
pub(super) fn carry_out(transfer: &Transfer, places: &Places, now: Time) -> Result<Applied, StoreError> {
    let (from, to) = (Store::open(&transfer.from, places)?, Store::open(&transfer.to, places)?);
    from.transfer(&to, transfer, now)
}

fn refused(Refusal { what, hint }: Refusal) -> StoreError {
    StoreError { what, hint, conflict: true }
}
