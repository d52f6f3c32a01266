//! Where the client runs: on Linux, where the host allows it, in namespaces of its own, without a network but the loopback
//! interface and with all its processes gone when it ends. Elsewhere only the address that it is given keeps it here.

use crate::client::run::SYSTEM_PATH;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The hidden command of this program that runs inside: `run-client JOB ANSWER`.
pub const INSIDE: &str = "run-client";

/// Where the client runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    /// This program, that runs inside; `None`: no namespaces.
    helper: Option<PathBuf>,
}

/// The ways to ask for namespaces, the best first.
const WAYS: [&[&str]; 2] = [
    &["--user", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"],
    &["--user", "--map-root-user", "--net", "--pid", "--fork", "--kill-child"],
];

impl Sandbox {
    /// Namespaces where the host allows them; `helper` is this program.
    #[must_use]
    pub fn best(helper: Option<PathBuf>) -> Self {
        Self { helper: helper.filter(|_| way().is_some()) }
    }

    /// No namespaces.
    #[must_use]
    pub fn none() -> Self {
        Self { helper: None }
    }

    /// Whether the client is cut off from the network.
    #[must_use]
    pub fn is_sealed(&self) -> bool {
        self.helper.is_some()
    }

    /// In words, for a person.
    #[must_use]
    pub fn describe(&self) -> &'static str {
        if self.is_sealed() {
            "in a network namespace: it could reach nothing but memcurator"
        } else {
            "without a network namespace: only the address that it was given kept it on this machine"
        }
    }

    /// The command that starts this program inside.
    pub(super) fn command(&self) -> Option<Command> {
        let (helper, way) = (self.helper.as_ref()?, way()?);
        let mut command = unshare()?;
        command.args(way).arg("--").arg(helper).arg(INSIDE);
        Some(command)
    }
}

/// The system's program that makes namespaces, with nothing of the process's environment: a search path may name
/// directories of the project.
fn unshare() -> Option<Command> {
    let found =
        std::env::split_paths(SYSTEM_PATH).map(|dir| dir.join("unshare")).find(|path| path.is_file())?;
    let mut command = Command::new(found);
    command.env_clear().env("PATH", SYSTEM_PATH);
    Some(command)
}

/// The best way that the host allows; tried once.
fn way() -> Option<&'static [&'static str]> {
    static WAY: LazyLock<Option<&'static [&'static str]>> = LazyLock::new(|| {
        let works = |way: &&&[&str]| {
            let Some(mut command) = unshare() else { return false };
            command.args(**way).args(["--", "true"]);
            let done = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
            cfg!(target_os = "linux") && done.is_ok_and(|status| status.success())
        };
        WAYS.iter().find(works).copied()
    });
    *WAY
}

/// Switches the loopback interface of a new network namespace on. Does nothing on other systems.
///
/// # Errors
/// The system's.
#[cfg(target_os = "linux")]
pub fn loopback_on() -> std::io::Result<()> {
    use rustix::net::netlink::SocketAddrNetlink;
    use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};
    // struct nlmsghdr: length, type RTM_NEWLINK (16), flags REQUEST | ACK, sequence, port;
    // struct ifinfomsg: family and type 0, interface 1 (the loopback one), flags IFF_UP, the flag that changes.
    let mut message: Vec<u8> = Vec::new();
    message.extend(32u32.to_ne_bytes());
    message.extend(16u16.to_ne_bytes());
    message.extend(5u16.to_ne_bytes());
    for word in [1u32, 0, 0, 1, 1, 1] {
        message.extend(word.to_ne_bytes());
    }
    // No protocol is protocol 0, NETLINK_ROUTE.
    let kind = (AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC);
    let socket = rustix::net::socket_with(kind.0, kind.1, kind.2, None)?;
    rustix::net::sendto(&socket, &message, SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
    let mut answer = [0u8; 256];
    let (read, _) = rustix::net::recv(&socket, &mut answer, RecvFlags::empty())?;
    // struct nlmsgerr behind the header: the error, 0 when there is none.
    let code = answer.get(16..20).filter(|_| read >= 20).and_then(|bytes| bytes.try_into().ok());
    match code.map(i32::from_ne_bytes) {
        Some(0) => Ok(()),
        Some(code) => Err(std::io::Error::from_raw_os_error(-code)),
        None => Err(std::io::Error::other("the system gave no answer")),
    }
}

/// Switches the loopback interface of a new network namespace on. Does nothing on other systems.
///
/// # Errors
/// None here.
#[cfg(not(target_os = "linux"))]
pub fn loopback_on() -> std::io::Result<()> {
    Ok(())
}
