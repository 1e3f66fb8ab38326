//! A browser without a window, driven by the messages of its developer tools over a pipe.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Commands that start Chromium.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A page that is not ready after this time never will be.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Browser {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: Option<String>,
    last_id: u64,
    /// Errors of pages: exceptions, and what was written to the console as an error.
    pub errors: Vec<String>,
}

impl Browser {
    /// `None` if there is no browser on this machine; then `LARIAT_NEEDS_BROWSER` must not be set.
    pub fn start(profile: &Path) -> Option<Self> {
        let named = std::env::var("LARIAT_BROWSER").ok();
        let names = named.iter().map(String::as_str).chain(NAMES);
        let found = names.into_iter().find(|name| {
            let version = Command::new(name).arg("--version").output();
            version.is_ok_and(|output| output.status.success())
        });
        let Some(name) = found else {
            assert!(
                std::env::var_os("LARIAT_NEEDS_BROWSER").is_none(),
                "no browser was found: install chromium"
            );
            eprintln!("skipped: there is no browser (apt install chromium)");
            return None;
        };
        // Messages go over the file descriptors 3 and 4.
        let script = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let mut child = Command::new("sh")
            .args([
                "-c",
                script,
                name,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
            ])
            .args([
                "--no-first-run",
                "--disable-extensions",
                "--disable-background-networking",
            ])
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a browser can be started");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut browser = Browser {
            child,
            input,
            output,
            session: None,
            last_id: 0,
            errors: Vec::new(),
        };
        let target = browser.send("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = browser.send(
            "Target.attachToTarget",
            json!({ "targetId": target["targetId"], "flatten": true }),
        );
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.send(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    fn send(&mut self, method: &str, parameters: Value) -> Value {
        self.last_id += 1;
        let mut message = json!({ "id": self.last_id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.input.write_all(&bytes).expect("the browser listens");
        loop {
            let mut bytes = Vec::new();
            self.output
                .read_until(0, &mut bytes)
                .expect("the browser answers");
            assert_eq!(bytes.pop(), Some(0), "the browser has ended");
            let message: Value = serde_json::from_slice(&bytes).expect("a message");
            if message["id"] == self.last_id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            let is_error = match message["method"].as_str() {
                Some("Runtime.exceptionThrown") => true,
                Some("Runtime.consoleAPICalled") => message["params"]["type"] == "error",
                Some("Log.entryAdded") => message["params"]["entry"]["level"] == "error",
                _ => false,
            };
            if is_error {
                self.errors.push(message["params"].to_string());
            }
        }
    }

    /// Opens a file as a user with this width and these colours.
    pub fn open(&mut self, page: &Path, width: u32, dark: bool) {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.send("Emulation.setDeviceMetricsOverride", size);
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.send("Emulation.setEmulatedMedia", json!({ "features": features }));
        let name = page.display().to_string().replace('%', "%25").replace('#', "%23");
        self.send(
            "Page.navigate",
            json!({ "url": format!("file://{}", name.replace('?', "%3F")) }),
        );
        let start = Instant::now();
        while self.value("document.readyState === 'complete' && location.protocol === 'file:'") != true {
            assert!(start.elapsed() < PATIENCE, "{} does not open", page.display());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "returnByValue": true });
        let answer = self.send("Runtime.evaluate", parameters);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// A key as the page sees it.
    pub fn press(&mut self, key: &str) {
        self.value(&format!(
            "document.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }})); 1"
        ));
    }

    pub fn assert_no_errors(&self) {
        assert!(self.errors.is_empty(), "{}", self.errors.join("\n"));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
