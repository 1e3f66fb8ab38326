//! A browser without a window, driven by the messages of its developer tools over a pipe.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Commands that start Chromium.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A page that is not ready after this time never will be, however loaded the machine is.
const PATIENCE: Duration = Duration::from_secs(240);

/// What is wider than its place and not cut off or scrolled: how wide, and what it says.
const STICKING_OUT: &str = "\
[...document.querySelectorAll('body *')]
  .filter(e => e.scrollWidth > e.clientWidth && e.clientWidth > 0)
  .filter(e => getComputedStyle(e).overflowX === 'visible')
  .filter(e => { while ((e = e.parentElement) !== document.body) if (getComputedStyle(e).overflowX !== 'visible') return false; return true; })
  .filter((e, _, all) => !all.some(other => other !== e && e.contains(other)))
  .map(e => `<${e.tagName.toLowerCase()} class=\"${e.className}\"> has ${e.scrollWidth} of ${e.clientWidth}: ${e.textContent.slice(0, 120)}`)
  .join('\\n')";

pub struct Browser {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
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
                // Containers have little shared memory.
                "--disable-dev-shm-usage",
            ])
            .arg("--remote-debugging-pipe")
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a browser can be started");
        let input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, messages) = mpsc::channel();
        // Ends with the browser.
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            while output.read_until(0, &mut bytes).is_ok() && bytes.pop() == Some(0) {
                let message = serde_json::from_slice(&bytes).expect("a message");
                bytes.clear();
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Browser {
            child,
            input,
            messages,
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
        for domain in ["Page", "Runtime", "Log", "Performance"] {
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
            let message = self.messages.recv_timeout(PATIENCE);
            let message =
                message.unwrap_or_else(|error| panic!("{method}: no answer of the browser: {error}"));
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
        // What was open before is told apart by a mark, since the answer to `navigate` can come before the new page is there.
        self.value("window.isOfTheLastPage = true");
        let name = page.display().to_string().replace('%', "%25").replace('#', "%23");
        self.send(
            "Page.navigate",
            json!({ "url": format!("file://{}", name.replace('?', "%3F")) }),
        );
        // A new page may first have another size.
        let state =
            "[location.protocol, document.readyState, innerWidth, window.isOfTheLastPage === undefined]";
        let wanted = json!(["file:", "complete", width, true]);
        let start = Instant::now();
        loop {
            let found = self.value(state);
            if found == wanted {
                break;
            }
            let patient = start.elapsed() < PATIENCE;
            assert!(patient, "{} does not open: {found}, not {wanted}", page.display());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Seconds of processor time that the open page has used.
    pub fn processor_time(&mut self) -> f64 {
        let answer = self.send("Performance.getMetrics", json!({}));
        let metrics = answer["metrics"].as_array().expect("a list");
        let time = metrics.iter().find(|metric| metric["name"] == "ProcessTime");
        time.and_then(|metric| metric["value"].as_f64())
            .expect("the time of the process")
    }

    /// The page as a whole needs no scrolling to the side.
    #[track_caller]
    pub fn assert_nothing_sticks_out(&mut self) {
        let sizes = self.value("[document.documentElement.scrollWidth, innerWidth]");
        assert!(
            sizes[0].as_u64() <= sizes[1].as_u64(),
            "the page is {} wide in a window of {}; too wide are:\n{}",
            sizes[0],
            sizes[1],
            self.value(STICKING_OUT).as_str().unwrap_or_default()
        );
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
