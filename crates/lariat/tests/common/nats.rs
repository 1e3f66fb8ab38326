//! A NATS server of our own, on this machine only.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(240);

pub struct Nats {
    config: std::path::PathBuf,
    port: u16,
    process: Child,
}

impl Nats {
    /// `None` if there is no server on this machine; then `LARIAT_NEEDS_NATS` must not be set. `more` is for its settings.
    pub fn start(folder: &Path, more: &str) -> Option<Nats> {
        if Command::new("nats-server")
            .arg("--version")
            .stdout(Stdio::null())
            .status()
            .is_err()
        {
            assert!(
                std::env::var_os("LARIAT_NEEDS_NATS").is_none(),
                "nats-server was not found: install it"
            );
            eprintln!("skipped: there is no nats-server (apt install nats-server)");
            return None;
        }
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let store = folder.join("nats");
        let config = folder.join("nats.conf");
        let limits = match more.contains("max_file_store") {
            true => "",
            false => "max_file_store: 1GB",
        };
        let text = format!(
            "listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: \"{}\", max_memory_store: 64MB\n {limits}\n{} }}\n{}\n",
            store.display(),
            more.split("---").next().unwrap_or_default(),
            more.split("---").nth(1).unwrap_or_default(),
        );
        fs::write(&config, text).expect("settings");
        let process = spawn(&config);
        let nats = Nats {
            config,
            port,
            process,
        };
        nats.wait();
        Some(nats)
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Stops it at once and starts it again with what it has on disk.
    pub fn restart(&mut self) {
        self.kill();
        self.process = spawn(&self.config);
        self.wait();
    }

    fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    fn wait(&self) {
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(started.elapsed() < PATIENCE, "nats-server does not listen");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

fn spawn(config: &Path) -> Child {
    Command::new("nats-server")
        .arg("-c")
        .arg(config)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server can be started")
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A process that ends with the test.
pub struct Running(pub Child);

impl Running {
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &self.0.id().to_string()])
            .status();
        assert!(sent.is_ok_and(|status| status.success()), "kill -{name}");
    }

    /// Its exit code, when it ends by itself.
    pub fn end(&mut self) -> Option<i32> {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.0.try_wait().expect("a process") {
                return status.code();
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("process {} does not end", self.0.id());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
