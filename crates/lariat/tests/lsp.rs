//! The language server with a scripted client over standard input and output.

#[allow(dead_code, reason = "each test uses a part")]
mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use common::{HARD_PROGRAM, Sandbox};
use serde_json::{Value, json};

/// A message that has not come after this time never will.
const PATIENCE: Duration = Duration::from_secs(60);

struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    last_id: u64,
    /// What came while something else was waited for.
    kept: Vec<Value>,
}

impl Client {
    fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut words = vec!["lsp"];
        words.extend(arguments);
        let mut command = sandbox.lariat(&words);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server can be started");
        let (sender, messages) = channel();
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            while let Some(message) = read_message(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        let mut client = Client {
            child,
            input,
            messages,
            last_id: 0,
            kept: Vec::new(),
        };
        let capabilities = json!({ "window": { "workDoneProgress": true } });
        let answer = client.ask("initialize", json!({ "capabilities": capabilities }));
        assert_eq!(answer["serverInfo"]["name"], "lariat");
        client.tell("initialized", json!({}));
        client
    }

    fn send(&mut self, message: Value) {
        let text = message.to_string();
        let input = self.input.as_mut().expect("it runs");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server listens");
        input.flush().expect("the server listens");
    }

    fn tell(&mut self, method: &str, parameters: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        let answer = self.wait(|message| message["id"] == id && message["method"].is_null());
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// The first message of this kind, now or later.
    fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.kept.iter().position(&is_wanted) {
            return self.kept.remove(index);
        }
        let start = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(start.elapsed());
            let message = self.messages.recv_timeout(left);
            let message = message.unwrap_or_else(|_| panic!("no such message among {:#?}", self.kept));
            if is_wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    fn open(&mut self, sandbox: &Sandbox, name: &str, text: &str) -> String {
        sandbox.write(name, text);
        let uri = format!("file://{}", sandbox.path().join(name).display());
        let document = json!({ "uri": uri, "languageId": "x", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        uri
    }

    /// Diagnostics of a version that satisfy a condition.
    fn diagnostics(&mut self, version: i64, is_wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let message = self.wait(|message| {
            let parameters = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && parameters["version"] == version
                && parameters["diagnostics"]
                    .as_array()
                    .is_some_and(|it| is_wanted(it))
        });
        message["params"]["diagnostics"]
            .as_array()
            .cloned()
            .unwrap_or_default()
    }

    fn change(&mut self, uri: &str, version: i64, text: &str) {
        let document = json!({ "uri": uri, "version": version });
        let changes = json!([{ "text": text }]);
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    fn stop(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.input = None;
        let status = self.child.wait().expect("ended");
        assert_eq!(status.code(), Some(0));
    }
}

fn read_message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().ok(),
            Some(_) => {}
            None => break,
        }
    }
    let mut bytes = vec![0; length?];
    output.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

const BUG: &str = "procedure main(x: int)\n{\n  var y: int;\n  y := x + 1;\n  assert y != 8;\n}\n\nprocedure other()\n{\n  assert true;\n}\n";

#[test]
fn findings_verdicts_and_names_while_the_user_writes() {
    let sandbox = Sandbox::new("lsp-session");
    let mut client = Client::start(&sandbox, &[]);
    let uri = client.open(&sandbox, "a.bpl", BUG);
    let document = json!({ "uri": uri });

    // The failure with its execution.
    let found = client.diagnostics(1, |it| it.iter().any(|one| one["code"] == "assertion"));
    assert_eq!(found[0]["range"]["start"], json!({ "line": 4, "character": 2 }));
    assert_eq!(found[0]["severity"], 1);
    let steps = found[0]["relatedInformation"].to_string();
    assert!(steps.contains("y = 8"), "{steps}");
    let status = client
        .wait(|message| message["method"] == "lariat/status" && message["params"]["functions"] != json!([]));
    assert_eq!(status["params"]["functions"][0]["verdict"], "bug");
    client.wait(|message| message["params"]["value"]["kind"] == "begin");
    client.wait(|message| message["params"]["value"]["kind"] == "end");

    // Lenses: one function is known, the other is verified on demand.
    let titles = |lenses: &Value| -> Vec<String> {
        let lenses = lenses.as_array().cloned().unwrap_or_default();
        lenses
            .iter()
            .map(|it| it["command"]["title"].as_str().unwrap_or("").to_owned())
            .collect()
    };
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": document }));
    assert_eq!(
        titles(&lenses),
        ["✗ assertion can fail", "show execution", "verify this function"]
    );
    let command = lenses[2]["command"].clone();
    client.ask(
        "workspace/executeCommand",
        json!({ "command": command["command"], "arguments": command["arguments"] }),
    );
    client.wait(|message| {
        message["method"] == "lariat/status"
            && message["params"]["functions"].as_array().map(Vec::len) == Some(2)
    });
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": document }));
    assert_eq!(titles(&lenses)[2], "✓ proved: no assertion can fail");
    let hover = client.ask(
        "textDocument/hover",
        json!({ "textDocument": document, "position": { "line": 7, "character": 11 } }),
    );
    assert!(
        hover["contents"]["value"]
            .as_str()
            .is_some_and(|it| it.contains("proved")),
        "{hover}"
    );

    // Names.
    let place = json!({ "textDocument": document, "position": { "line": 4, "character": 9 } });
    let definition = client.ask("textDocument/definition", place);
    assert_eq!(definition["range"]["start"], json!({ "line": 2, "character": 6 }));
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": document }));
    let names: Vec<&str> = symbols
        .as_array()
        .expect("symbols")
        .iter()
        .filter_map(|it| it["name"].as_str())
        .collect();
    assert_eq!(names, ["main", "other"]);

    // The user mends it and saves.
    let mended = BUG.replace("y != 8", "y > x");
    client.change(&uri, 2, &mended);
    sandbox.write("a.bpl", &mended);
    client.tell("textDocument/didSave", json!({ "textDocument": document }));
    assert!(client.diagnostics(2, <[Value]>::is_empty).is_empty());
    // And makes a mistake.
    let wrong = BUG.replace("y != 8", "y");
    client.change(&uri, 3, &wrong);
    sandbox.write("a.bpl", &wrong);
    client.tell("textDocument/didSave", json!({ "textDocument": document }));
    let found = client.diagnostics(3, |it| !it.is_empty());
    assert_eq!(found[0]["range"]["start"]["line"], 4, "{found:?}");
    // A page of an execution exists only where there is one.
    let none = client.ask(
        "workspace/executeCommand",
        json!({ "command": "lariat.showExecution", "arguments": [uri] }),
    );
    assert_eq!(none, Value::Null);
    let unknown = client.ask(
        "workspace/executeCommand",
        json!({ "command": "nothing", "arguments": [] }),
    );
    assert_eq!(unknown, Value::Null);
    client.tell("textDocument/didClose", json!({ "textDocument": document }));
    client.stop();
}

#[test]
fn a_verification_is_cancelled_at_once() {
    let sandbox = Sandbox::new("lsp-cancel");
    let mut client = Client::start(&sandbox, &["--seconds", "100"]);
    client.open(&sandbox, "hard.bpl", HARD_PROGRAM);
    let begin = client.wait(|message| message["params"]["value"]["kind"] == "begin");
    client.wait(|message| message["params"]["value"]["kind"] == "report");
    let start = Instant::now();
    client.tell(
        "window/workDoneProgress/cancel",
        json!({ "token": begin["params"]["token"] }),
    );
    let end = client.wait(|message| message["params"]["value"]["kind"] == "end");
    let took = start.elapsed();
    assert_eq!(end["params"]["value"]["message"], "cancelled");
    // 200 ms on a machine that does nothing else.
    assert!(took < Duration::from_secs(20), "{took:?}");
    eprintln!("cancelled after {took:?}");
    client.stop();
}

#[test]
fn a_c_file_of_1000_lines_is_checked_quickly() {
    let sandbox = Sandbox::new("lsp-speed");
    let mut text = String::new();
    for line in 0..500 {
        text.push_str(&format!(
            "static int f{line}(int x) {{\n  return x + {line}; }}\n"
        ));
    }
    text.push_str("int main(void) { return undeclared; }\n");
    let mut client = Client::start(&sandbox, &[]);
    // The first file also loads libclang from the disk.
    client.open(&sandbox, "warm.c", "int main(void) { return undeclared; }\n");
    client.diagnostics(1, |it| !it.is_empty());
    let start = Instant::now();
    client.open(&sandbox, "long.c", &text);
    let found = client.diagnostics(1, |it| it.iter().any(|one| one["range"]["start"]["line"] == 1000));
    let took = start.elapsed();
    assert_eq!(found[0]["severity"], 1, "{found:?}");
    // 300 ms on a machine that does nothing else.
    assert!(took < Duration::from_secs(20), "{took:?}");
    eprintln!("first diagnostics after {took:?}");
    client.stop();
}

#[test]
fn a_c_program_has_its_findings_and_its_page() {
    let sandbox = Sandbox::new("lsp-c");
    let mut client = Client::start(&sandbox, &[]);
    let uri = client.open(
        &sandbox,
        "a.c",
        "int main(void)\n{\n  int *p = 0;\n  return *p;\n}\n",
    );
    let found = client.diagnostics(1, |it| it.iter().any(|one| one["code"] == "null-dereference"));
    assert_eq!(found[0]["range"]["start"]["line"], 3);
    let address = client.ask(
        "workspace/executeCommand",
        json!({ "command": "lariat.showExecution", "arguments": [uri, "main"] }),
    );
    let shown = client.wait(|message| message["method"] == "window/showDocument");
    assert_eq!(shown["params"]["uri"], address);
    let path = address
        .as_str()
        .and_then(|it| it.strip_prefix("file://"))
        .expect("a file")
        .to_owned();
    let page = std::fs::read_to_string(&path).expect("a page");
    assert!(page.contains("id=\"lariat-data\""));
    std::fs::remove_file(path).expect("removed");
    client.stop();
}

#[test]
fn specifications_are_accepted_and_rejected_in_the_editor() {
    let sandbox = Sandbox::new("lsp-specs");
    let program = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/registry.c"));
    let program = program.expect("an example");
    sandbox.write("registry.c", &program);
    let output = sandbox.run(&["angelic", "--no-cache", "registry.c"]);
    common::assert_code(&output, 1);
    let file = std::fs::read_to_string(sandbox.path().join("registry.specs.toml")).expect("specifications");
    let mut client = Client::start(&sandbox, &["--on-demand"]);
    let uri = client.open(&sandbox, "registry.c", &program);
    let is_hint = |one: &Value| one["code"] == "specification";
    let found = client.diagnostics(1, |it| it.iter().any(is_hint));
    let hint = found
        .iter()
        .find(|one| one["message"] == "assumed (inferred): driver_for() != NULL")
        .expect("a hint");
    let actions = |client: &mut Client, uri: &str, range: &Value| {
        let parameters =
            json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } });
        client.ask("textDocument/codeAction", parameters)
    };
    let edit = |actions: &Value, title: &str| {
        let all = actions.as_array().expect("a list");
        let one = all.iter().find(|one| one["title"] == title);
        let one = one.unwrap_or_else(|| panic!("no {title} among {actions:#}"));
        assert_eq!(one["kind"], "quickfix");
        one["edit"]["changes"].clone()
    };
    // In the program: the edit is one of the other file.
    let offered = actions(&mut client, &uri, &hint["range"]);
    let changes = edit(&offered, "Reject: driver_for() != NULL");
    let specs_uri = uri.replace("registry.c", "registry.specs.toml");
    let change = &changes[&specs_uri][0];
    let line = change["range"]["start"]["line"].as_u64().expect("a line") as usize;
    let mut lines: Vec<String> = file.lines().map(str::to_owned).collect();
    let place = |end: &str| change["range"][end]["character"].as_u64().expect("a place") as usize;
    assert_eq!(lines[line], "status = \"inferred\"");
    lines[line].replace_range(
        place("start")..place("end"),
        change["newText"].as_str().expect("a text"),
    );
    assert_eq!(lines[line], "status = \"rejected\"");
    // In the file itself: what is rejected can be accepted.
    let text = lines.join("\n") + "\n";
    let specs_uri = client.open(&sandbox, "registry.specs.toml", &text);
    let range = json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 0 } });
    let offered = actions(&mut client, &specs_uri, &range);
    assert_eq!(offered.as_array().map(Vec::len), Some(2), "{offered:#}");
    edit(&offered, "Accept: driver_for() != NULL");
    client.stop();
    // The next run obeys.
    let output = sandbox.run(&["angelic", "--no-cache", "registry.c"]);
    common::assert_shows(&output, "2 warnings");
}

#[test]
fn nonsense_does_not_end_the_server() {
    let sandbox = Sandbox::new("lsp-nonsense");
    let mut client = Client::start(&sandbox, &[]);
    client.tell("textDocument/didOpen", json!({ "textDocument": 3 }));
    client.tell("textDocument/didChange", json!([]));
    client.tell("unknown/notification", json!(null));
    client.send(
        json!({ "jsonrpc": "2.0", "id": "x", "method": "textDocument/hover", "params": { "position": 1 } }),
    );
    let answer = client.wait(|message| message["id"] == "x");
    assert_eq!(answer["error"]["code"], -32602);
    client.send(json!({ "jsonrpc": "2.0", "id": "y", "method": "no/such", "params": {} }));
    let answer = client.wait(|message| message["id"] == "y");
    assert_eq!(answer["error"]["code"], -32601);
    let place = json!({ "textDocument": { "uri": "file:///nowhere.bpl" }, "position": { "line": 1, "character": 1 } });
    assert_eq!(client.ask("textDocument/definition", place), Value::Null);
    client.stop();
}
