import assert from "node:assert/strict";
import test from "node:test";
import { DEFAULTS, initializationOptions, read, serverCommand } from "../src/settings";
import { byMark, mark } from "../src/status";

test("missing and wrong settings are the defaults", () => {
  assert.deepEqual(read(() => undefined), DEFAULTS);
  const wrong: Record<string, unknown> = { path: "  ", verifyOnSave: 3, timeLimit: -1, check: "memory" };
  assert.deepEqual(read((key) => wrong[key]), DEFAULTS);
});

test("settings become the command of the server", () => {
  const given: Record<string, unknown> = { path: "/opt/lariat", verifyOnSave: false, timeLimit: 5, check: ["memory", 7, "overflow"] };
  const settings = read((key) => given[key]);
  assert.deepEqual(serverCommand(settings), { command: "/opt/lariat", args: ["lsp", "--check", "memory", "--check", "overflow"] });
  assert.deepEqual(initializationOptions(settings), { verifyOnSave: false, timeLimit: 5 });
});

test("only a proof is marked as good", () => {
  assert.equal(mark("proved"), "good");
  for (const verdict of ["bounded", "bug", "bug-unconfirmed", "unknown", "bad-input", "accepted", "other"]) {
    assert.notEqual(mark(verdict), "good");
  }
  const marks = byMark([{ name: "f", line: 1, verdict: "bug", words: "" }]);
  assert.equal(marks.get("bad")?.length, 1);
});
