// The server that the extension starts, over stdio, as the editor talks to it. `LARIAT` names the program; without one the
// tests of the server are skipped.
import assert from "node:assert/strict";
import { ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { createMessageConnection, MessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { DEFAULTS, initializationOptions, serverCommand } from "../src/settings";

const program = process.env.LARIAT ?? "lariat";
const missing = spawnSync(program, ["--version"]).status !== 0;
const skip = missing ? `there is no ${program}; set LARIAT` : false;

interface Diagnostic {
  message: string;
  code: string;
  range: { start: { line: number } };
  relatedInformation?: { message: string }[];
}

class Session {
  connection: MessageConnection;
  process: ChildProcess;
  published: { uri: string; diagnostics: Diagnostic[] }[] = [];
  private waiting: (() => void)[] = [];

  constructor() {
    const { command, args } = serverCommand({ ...DEFAULTS, path: program });
    this.process = spawn(command, args);
    this.connection = createMessageConnection(new StreamMessageReader(this.process.stdout!), new StreamMessageWriter(this.process.stdin!));
    this.connection.onNotification("textDocument/publishDiagnostics", (it) => {
      this.published.push(it as never);
      this.waiting.splice(0).forEach((wake) => wake());
    });
    this.connection.onRequest("window/workDoneProgress/create", () => null);
    this.connection.listen();
  }

  async start(): Promise<void> {
    await this.connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: { window: { workDoneProgress: true } }, initializationOptions: initializationOptions(DEFAULTS) });
    await this.connection.sendNotification("initialized", {});
  }

  async until(found: (diagnostics: Diagnostic[]) => boolean): Promise<Diagnostic[]> {
    const end = Date.now() + 60_000;
    for (;;) {
      const last = this.published.find((one) => found(one.diagnostics));
      if (last) return last.diagnostics;
      assert.ok(Date.now() < end, JSON.stringify(this.published));
      await new Promise<void>((resolve) => { this.waiting.push(resolve); setTimeout(resolve, 1000); });
    }
  }

  async stop(): Promise<void> {
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    await new Promise((resolve) => this.process.once("exit", resolve));
    this.connection.dispose();
  }
}

function file(name: string, text: string): { uri: string; text: string } {
  const path = join(mkdtempSync(join(tmpdir(), "lariat-ext-")), name);
  writeFileSync(path, text);
  return { uri: pathToFileURL(path).toString(), text };
}

test("a failure is shown with its execution, and lenses and symbols follow", { skip }, async () => {
  const session = new Session();
  await session.start();
  const { uri, text } = file("bug.bpl", "procedure main(x: int)\n{\n  var y: int;\n  y := x + 1;\n  assert y != 8;\n}\n");
  await session.connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "boogie", version: 1, text } });
  const found = await session.until((all) => all.some((one) => one.message.includes("can fail")));
  assert.equal(found[0].range.start.line, 4);
  assert.ok((found[0].relatedInformation ?? []).some((step) => step.message.includes("y = 8")));
  const lenses = (await session.connection.sendRequest("textDocument/codeLens", { textDocument: { uri } })) as { command: { title: string } }[];
  assert.deepEqual(lenses.map((lens) => lens.command.title), ["✗ assertion can fail", "show execution"]);
  const symbols = (await session.connection.sendRequest("textDocument/documentSymbol", { textDocument: { uri } })) as { name: string }[];
  assert.deepEqual(symbols.map((symbol) => symbol.name), ["main"]);
  const definition = (await session.connection.sendRequest("textDocument/definition", { textDocument: { uri }, position: { line: 4, character: 9 } })) as { range: { start: { line: number } } };
  assert.equal(definition.range.start.line, 2);
  await session.stop();
});

test("an error of the input is shown at once", { skip }, async () => {
  const session = new Session();
  await session.start();
  const { uri, text } = file("bad.bpl", "procedure main()\n{\n  assert 3;\n}\n");
  await session.connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "boogie", version: 1, text } });
  const found = await session.until((all) => all.length > 0);
  assert.equal(found[0].range.start.line, 2);
  await session.stop();
});

test("specifications have quick fixes in their file", { skip }, async () => {
  const session = new Session();
  await session.start();
  const { uri, text } = file("open.specs.toml", '[[spec]]\nentry = "f"\nspec = "p != NULL"\nstatus = "inferred"\n');
  await session.connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "toml", version: 1, text } });
  const place = { line: 2, character: 0 };
  const fixes = (await session.connection.sendRequest("textDocument/codeAction", { textDocument: { uri }, range: { start: place, end: place }, context: { diagnostics: [] } })) as { title: string; edit: { changes: Record<string, { newText: string; range: { start: { line: number } } }[]> } }[];
  assert.deepEqual(fixes.map((fix) => fix.title), ["Accept: p != NULL", "Reject: p != NULL"]);
  const [edit] = fixes[1].edit.changes[uri];
  assert.equal(edit.newText, '"rejected"');
  assert.equal(edit.range.start.line, 3);
  await session.stop();
});
