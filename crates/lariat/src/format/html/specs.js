// Decisions about specifications: buttons that edit the text of the specs file, which can then be saved.
(() => {
  "use strict";
  const holder = document.getElementById("lariat-specs");
  if (!holder) return;
  const given = JSON.parse(holder.textContent);
  const decided = new Map();
  const toml = (text) => JSON.stringify(text).replace(/\u007f/g, "\\u007f");
  // The file with the decisions in place; only the values of `status` and `spec` change.
  function edited() {
    const lines = given.text.split("\n");
    let start = -1;
    for (let index = 0; index <= lines.length; index++) {
      if (index < lines.length && !/^\s*\[/.test(lines[index])) continue;
      if (start >= 0) table(lines, start, index);
      start = /^\s*\[\[\s*spec\s*\]\]/.test(lines[index] ?? "") ? index : -1;
    }
    return lines.join("\n");
  }
  function table(lines, from, to) {
    let id = "";
    for (let index = from; index < to; index++) id = /^\s*id\s*=\s*"([^"]*)"/.exec(lines[index])?.[1] ?? id;
    const decision = decided.get(id);
    if (!decision) return;
    for (let index = from; index < to; index++) {
      if (decision.status) {
        lines[index] = lines[index].replace(/^(\s*status\s*=\s*)("[^"]*"|'[^']*')/, (_, key) => key + toml(decision.status));
      }
      if (decision.text !== undefined) {
        lines[index] = lines[index].replace(/^(\s*spec\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*')/, (_, key) => key + toml(decision.text));
      }
    }
  }
  const output = document.getElementById("specs-text");
  const count = document.getElementById("specs-count");
  function show() {
    output.value = edited();
    count.textContent = decided.size === 1 ? "1 decision" : `${decided.size} decisions`;
  }
  for (const item of document.querySelectorAll("[data-spec]")) {
    const id = item.dataset.spec;
    const field = item.querySelector("input");
    const buttons = [...item.querySelectorAll("button")];
    item.querySelector(".decide").hidden = false;
    item.querySelector("code").hidden = true;
    field.size = Math.max(12, field.value.length + 2);
    const first = buttons.find((one) => one.getAttribute("aria-pressed") === "true")?.dataset.status ?? "inferred";
    const update = (status) => {
      for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.status === status));
      const text = field.value === field.defaultValue ? undefined : field.value;
      if (status === first && text === undefined) decided.delete(id);
      else decided.set(id, { status: text === undefined ? status : "edited", text });
      show();
    };
    for (const one of buttons) {
      one.addEventListener("click", () => update(one.getAttribute("aria-pressed") === "true" ? "inferred" : one.dataset.status));
    }
    field.addEventListener("input", () => update(buttons.find((one) => one.getAttribute("aria-pressed") === "true")?.dataset.status ?? "inferred"));
  }
  document.getElementById("specs-save").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([edited()], { type: "text/plain" }));
    link.download = given.name.split("/").pop();
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  document.getElementById("specs-copy").addEventListener("click", () => {
    output.hidden = false;
    output.select();
    navigator.clipboard?.writeText(output.value).catch(() => document.execCommand("copy"));
  });
  document.getElementById("specs-panel").hidden = false;
  show();
})();
