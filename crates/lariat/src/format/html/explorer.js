// The interactive part of a report: source on the left, the execution as a tree of calls on the right, a slider between.
//
// Everything that comes from the user's files is put into the page by `textContent` or `createTextNode`, so it stays text.
// Only the rows that can be seen are in the page: files of 100,000 lines and executions of 10,000 steps stay quick.
(() => {
  "use strict";
  const holder = document.getElementById("lariat-data");
  const root = document.getElementById("explorer");
  if (!holder || !root) return;
  const data = JSON.parse(holder.textContent);
  const make = (tag, cls, text) => {
    const node = document.createElement(tag);
    if (cls) node.className = cls;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const button = (text, title, action) => {
    const node = make("button", "", text);
    node.type = "button";
    node.title = title;
    node.setAttribute("aria-label", title);
    node.addEventListener("click", action);
    return node;
  };

  // ---- rows that can be seen ------------------------------------------------------------------------------------------
  class Rows {
    constructor(box, height, draw) {
      this.box = box;
      this.height = height;
      this.draw = draw;
      this.count = 0;
      this.from = this.to = -1;
      this.inner = make("div", "rows");
      box.append(this.inner);
      box.addEventListener("scroll", () => this.update(false), { passive: true });
      new ResizeObserver(() => this.update(true)).observe(box);
    }
    reset(count) {
      this.count = count;
      this.inner.style.height = `${count * this.height}px`;
      this.update(true);
    }
    update(force) {
      const view = this.box.clientHeight || 400;
      const from = Math.max(0, Math.floor(this.box.scrollTop / this.height) - 8);
      const to = Math.min(this.count, Math.ceil((this.box.scrollTop + view) / this.height) + 8);
      if (!force && from === this.from && to === this.to) return;
      this.from = from;
      this.to = to;
      const rows = [];
      for (let index = from; index < to; index++) {
        const row = this.draw(index);
        row.style.top = `${index * this.height}px`;
        rows.push(row);
      }
      this.inner.replaceChildren(...rows);
    }
    show(index) {
      const top = index * this.height;
      const view = this.box.clientHeight || 400;
      if (top < this.box.scrollTop + this.height || top > this.box.scrollTop + view - 3 * this.height) {
        this.box.scrollTop = Math.max(0, top - view / 2.5);
      }
      this.update(true);
    }
  }

  // ---- colours of source ----------------------------------------------------------------------------------------------
  const WORDS = {
    c: "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool _Atomic _Noreturn _Static_assert NULL true false bool",
    boogie: "assert assume async axiom break call complete const else ensures exists finite forall free function goto havoc if implementation int bool real invariant lambda modifies old par procedure pure rec requires return returns then true false type unique var where while yield",
    fsp: "const range set property process when else if then END STOP ERROR forall minimal deterministic",
    toml: "true false",
  };
  const words = {};
  for (const name in WORDS) words[name] = new Set(WORDS[name].split(" "));
  const TOKEN = /\/\/.*|\/\*|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|#\s*[a-z_]+|[A-Za-z_$~.`?^][\w$.~`?^']*|0x[0-9a-fA-F]+|\d[\w.]*|\s+|./gy;
  // Appends the tokens of a line; `open` says whether it starts in a comment. Returns whether it ends in one.
  function colour(target, line, language, open) {
    let at = 0;
    const add = (cls, text) => {
      if (target) target.append(cls ? make("span", cls, text) : document.createTextNode(text));
    };
    while (at < line.length) {
      if (open) {
        const end = line.indexOf("*/", at);
        add("com", end < 0 ? line.slice(at) : line.slice(at, end + 2));
        if (end < 0) return true;
        at = end + 2;
        open = false;
        continue;
      }
      TOKEN.lastIndex = at;
      const token = TOKEN.exec(line)[0];
      at += token.length;
      if (token === "/*") {
        at -= 2;
        const end = line.indexOf("*/", at + 2);
        add("com", end < 0 ? line.slice(at) : line.slice(at, end + 2));
        if (end < 0) return true;
        at = end + 2;
      } else if (token.startsWith("//")) add("com", token);
      else if (token[0] === '"' || (token[0] === "'" && language === "c")) add("str", token);
      else if (token[0] === "#" && language === "toml") { add("com", line.slice(at - token.length)); return false; }
      else if (token[0] === "#") add("pre", token);
      else if (/^\d/.test(token)) add("num", token);
      else if (words[language] && words[language].has(token)) add("key", token);
      else add("", token);
    }
    return false;
  }

  // ---- files ----------------------------------------------------------------------------------------------------------
  class File {
    constructor(given) {
      this.name = given.name;
      this.language = given.language;
      // Rows: [number, text], or [0, words] where lines are left out.
      this.rows = [];
      this.rowOf = new Map();
      let next = 1;
      for (const chunk of given.chunks) {
        if (chunk.first > next) this.rows.push([0, `… ${chunk.first - next} lines`]);
        chunk.text.split("\n").forEach((text, index) => {
          this.rowOf.set(chunk.first + index, this.rows.length);
          this.rows.push([chunk.first + index, text]);
        });
        next = chunk.first + chunk.text.split("\n").length;
      }
      if (given.lines >= next) this.rows.push([0, `… ${given.lines - next + 1} lines`]);
      this.comments = [false];
    }
    inComment(row) {
      while (this.comments.length <= row) {
        const at = this.comments.length - 1;
        const text = this.rows[at][1];
        const open = this.comments[at];
        this.comments.push(!open && !text.includes("/*") ? false : colour(null, text, this.language, open));
      }
      return this.comments[row];
    }
  }
  const files = data.files.map((given) => new File(given));

  // ---- executions -----------------------------------------------------------------------------------------------------
  const KINDS = data.kinds;
  class Flow {
    constructor(given) {
      this.title = given.title;
      // The variables of each step are found by repeating the changes from the nearest kept state.
      this.steps = given.steps.map((step) => ({
        indent: step[0],
        kind: KINDS[step[1]],
        file: step[2],
        line: step[3],
        text: data.texts[step[4]],
        changes: step[5] || [],
        outcome: step[6],
        library: step[7] === 1,
        thread: step[8] || 1,
      }));
      this.lanes = this.steps.reduce((most, step) => Math.max(most, step.thread), 1);
      // Calls belong to their threads: where each step's call ends, who called it, and what the thread does next.
      this.ends = new Array(this.steps.length).fill(this.steps.length);
      this.callers = new Array(this.steps.length).fill(-1);
      this.next = new Array(this.steps.length).fill(-1);
      const threads = new Map();
      this.steps.forEach((step, index) => {
        if (!threads.has(step.thread)) threads.set(step.thread, { open: [], last: -1 });
        const thread = threads.get(step.thread);
        const open = thread.open;
        while (open.length && this.steps[open[open.length - 1]].indent >= step.indent) this.ends[open.pop()] = index;
        if (open.length) this.callers[index] = open[open.length - 1];
        open.push(index);
        if (thread.last >= 0) this.next[thread.last] = index;
        thread.last = index;
      });
      this.folded = new Set();
      // Calls into library code are folded, unless it calls back what the user wrote.
      const own = new Array(this.steps.length).fill(false);
      for (let index = this.steps.length - 1; index >= 0; index--) {
        if (this.opens(index) && this.steps[this.next[index]].library && !own[index]) this.folded.add(index);
        const caller = this.callers[index];
        if (caller >= 0 && (own[index] || !this.steps[index].library)) own[caller] = true;
      }
      this.visited = new Map();
      for (const step of this.steps) {
        if (step.file < 0) continue;
        if (!this.visited.has(step.file)) this.visited.set(step.file, new Set());
        this.visited.get(step.file).add(step.line);
      }
      this.kept = [{ threads: new Map(), globals: new Map() }];
      this.unfold();
    }
    opens(index) {
      return this.next[index] >= 0 && this.steps[this.next[index]].indent > this.steps[index].indent;
    }
    unfold() {
      this.shown = [];
      // For each thread where its folded call ends.
      const until = new Map();
      this.steps.forEach((step, index) => {
        if (index < (until.get(step.thread) || 0)) return;
        this.shown.push(index);
        if (this.folded.has(index)) until.set(step.thread, this.ends[index]);
      });
      this.rowOf = new Map(this.shown.map((step, row) => [step, row]));
    }
    // The last step with a place: words and library code have none.
    placed(index) {
      while (index >= 0 && this.steps[index].file < 0) index--;
      return index;
    }
    caller(index) {
      return this.callers[index];
    }
    // The frames of each thread after a step, the innermost last, and the globals. States are kept every 256 steps.
    state(index) {
      const EVERY = 256;
      const from = Math.min(Math.floor(index / EVERY), this.kept.length - 1);
      const state = this.copy(this.kept[from]);
      for (let at = from * EVERY; at <= index; at++) {
        if (at % EVERY === 0 && at / EVERY === this.kept.length) this.kept.push(this.copy(state));
        this.apply(state, at);
      }
      return state;
    }
    copy(state) {
      const frames = (list) => list.map((frame) => ({ title: frame.title, values: new Map(frame.values) }));
      const threads = new Map([...state.threads].map(([thread, list]) => [thread, frames(list)]));
      return { threads, globals: new Map(state.globals) };
    }
    apply(state, at) {
      const step = this.steps[at];
      if (!state.threads.has(step.thread)) state.threads.set(step.thread, [{ title: "start", values: new Map() }]);
      const frames = state.threads.get(step.thread);
      const depth = step.indent + 1;
      while (frames.length > depth) {
        const gone = frames.pop();
        // What a callee wrote through a pointer may be what the caller's name meant.
        for (const name of gone.values.keys()) {
          if (/[[.>*]/.test(name)) for (const frame of frames) frame.values.delete(name);
        }
      }
      while (frames.length < depth) frames.push({ title: "", values: new Map() });
      let values = frames[frames.length - 1].values;
      if (step.kind === "call" && this.opens(at)) {
        frames.push({ title: step.text, values: new Map() });
        values = frames[frames.length - 1].values;
      } else if (step.kind === "start") frames[frames.length - 1].title = step.text.replace(/^entry /, "");
      for (const [name, value, global] of step.changes) {
        // The result of a call is no variable.
        if (name.endsWith(")")) continue;
        const target = global ? state.globals : values;
        for (const other of target.keys()) {
          if (other.startsWith(name) && /^[[.-]/.test(other.slice(name.length))) target.delete(other);
        }
        target.set(name, [value, at]);
      }
    }
  }
  const flows = data.flows.map((given) => new Flow(given));

  // ---- the page -------------------------------------------------------------------------------------------------------
  let file = files.length ? 0 : -1;
  let flow = null;
  let step = 0;
  let timer = 0;

  const bar = make("div", "bar");
  const choice = make("select");
  choice.title = "execution";
  choice.setAttribute("aria-label", "execution");
  flows.forEach((one, index) => {
    const option = make("option", "", one.title);
    option.value = index;
    choice.append(option);
  });
  choice.addEventListener("change", () => openFlow(Number(choice.value)));
  const slider = make("input");
  slider.type = "range";
  slider.min = 1;
  slider.setAttribute("aria-label", "step");
  slider.addEventListener("input", () => go(Number(slider.value) - 1));
  const counter = make("output");
  const play = button("play", "play (space)", () => toggle());
  if (flows.length > 1) bar.append(choice);
  bar.append(
    button("|◀", "first step (Home)", () => go(0)),
    button("◀", "step back (←)", () => back()),
    button("▶", "step (→)", () => forward()),
    button("▶|", "last step (End)", () => go(Infinity)),
    button("over", "step over the call (n)", () => over()),
    button("up", "to the caller (u)", () => up()),
    play,
    slider,
    counter,
  );

  const left = make("div", "pane source-pane");
  const tabs = make("div", "tabs");
  const sourceBox = make("div", "scroll");
  sourceBox.tabIndex = 0;
  left.append(tabs, sourceBox);
  const right = make("div", "pane tree-pane");
  const treeHead = make("div", "tabs");
  const treeBox = make("div", "scroll");
  treeBox.tabIndex = 0;
  treeBox.setAttribute("role", "tree");
  const values = make("div", "values-box");
  treeHead.append(
    make("span", "head", "Execution"),
    button("fold all", "fold all calls", () => foldAll(true)),
    button("unfold all", "unfold all calls", () => foldAll(false)),
  );
  right.append(treeHead, treeBox, values);
  const panes = make("div", "panes");
  panes.append(left, right);
  if (flows.length) root.append(bar);
  else root.classList.add("source-only");
  root.append(panes);
  root.hidden = false;

  const LINE = 20;
  const source = new Rows(sourceBox, LINE, (index) => {
    const [number, text] = files[file].rows[index];
    const row = make("div", number ? "line" : "line gap");
    row.dataset.line = number;
    const gutter = make("i", "", number || "");
    row.append(gutter);
    if (!number) {
      row.append(make("span", "dim", text));
      return row;
    }
    if (flow && flow.visited.get(file)?.has(number)) row.classList.add("visited");
    const mark = data.marks.find((mark) => mark[0] === file && mark[1] === number);
    if (mark) {
      row.classList.add("found");
      gutter.title = mark[2];
    }
    const code = make("code");
    colour(code, text, files[file].language, files[file].inComment(index));
    row.append(code);
    const known = data.notes[file]?.[number];
    if (known) {
      row.classList.add(known[0]);
      row.title = known[1];
      if (known[0] !== "good") row.append(make("span", "known", known[1]));
    }
    const now = flow && flow.steps[flow.placed(step)];
    if (now && now.file === file && now.line === number) {
      row.classList.add("lit");
      row.append(annotation(now));
    }
    return row;
  });
  function annotation(now) {
    const note = make("span", "note");
    if (now.outcome !== null && now.outcome !== undefined) {
      note.append(make("span", now.outcome ? "chip yes" : "chip no", now.outcome ? "true" : "false"));
    }
    for (const [name, value] of now.changes.slice(0, 4)) {
      note.append(make("span", "change", `${name} = ${value}`));
    }
    return note;
  }

  const SYMBOLS = { return: "←", failure: "✗", "loop-iteration": "↻", external: "·", havoc: "?" };
  const tree = new Rows(treeBox, 24, (index) => {
    const at = flow.shown[index];
    const one = flow.steps[at];
    const row = make("div", `step ${one.kind}`);
    row.dataset.step = at;
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", one.indent + 1);
    if (one.library) row.classList.add("library");
    if (at === step) row.classList.add("lit");
    const lanes = flow.lanes;
    const indent = 8 + Math.min(one.indent, lanes > 1 ? 6 : 16) * (lanes > 1 ? 10 : 16);
    if (lanes > 1) {
      // In the column of its thread.
      row.classList.add("lane");
      row.dataset.thread = one.thread;
      row.style.setProperty("--lanes", lanes);
      row.style.paddingLeft = `calc(${(100 * (one.thread - 1)) / lanes}% + ${indent}px)`;
      row.style.paddingRight = `calc(${(100 * (lanes - one.thread)) / lanes}% + 6px)`;
    } else row.style.paddingLeft = `${indent}px`;
    const fold = make("span", "fold", flow.opens(at) ? (flow.folded.has(at) ? "▸" : "▾") : SYMBOLS[one.kind] || "");
    if (flow.opens(at)) {
      row.setAttribute("aria-expanded", !flow.folded.has(at));
      fold.classList.add("can");
      fold.addEventListener("click", (event) => {
        event.stopPropagation();
        toggleFold(at);
      });
    }
    row.append(fold, make("span", "text", one.text));
    if (one.outcome !== null && one.outcome !== undefined) {
      row.append(make("span", one.outcome ? "chip yes" : "chip no", one.outcome ? "true" : "false"));
    }
    const changes = one.changes.map(([name, value]) => `${name} = ${value}`).join("  ");
    if (changes) row.append(make("span", "changes", changes));
    const place = one.file >= 0 ? `${files[one.file].name}:${one.line}` : "";
    row.title = `${lanes > 1 ? `thread ${one.thread}  ` : ""}${place}  ${one.text}  ${changes}`.trim();
    row.addEventListener("click", () => go(at));
    return row;
  });

  function openFile(index) {
    file = index;
    tabs.replaceChildren();
    if (files.length > 6) {
      const list = make("select");
      list.setAttribute("aria-label", "file");
      files.forEach((one, at) => {
        const option = make("option", "", one.name);
        option.value = at;
        option.selected = at === index;
        list.append(option);
      });
      list.addEventListener("change", () => openFile(Number(list.value)));
      tabs.append(list);
    } else {
      files.forEach((one, at) => {
        const tab = button(one.name.split("/").pop(), one.name, () => openFile(at));
        if (at === index) tab.classList.add("on");
        tabs.append(tab);
      });
    }
    sourceBox.scrollTop = 0;
    if (index >= 0) {
      // As wide as its longest line, so that all lines scroll together.
      const widest = files[index].rows.reduce((most, row) => Math.max(most, row[1].length), 0);
      source.inner.style.minWidth = `${Math.min(widest, 400) + 12}ch`;
      const rows = files[index].rows.length;
      // Without an execution beside it, it need not be higher than its text.
      if (!flows.length) panes.style.height = `min(${rows * LINE + 70}px, 70vh)`;
      source.reset(rows);
    }
  }
  function showPlace(at, line) {
    if (at < 0 || at >= files.length) return;
    if (at !== file) openFile(at);
    const row = files[at].rowOf.get(line);
    if (row !== undefined) source.show(row);
  }
  const laneHeads = make("div", "lane-heads");
  treeBox.prepend(laneHeads);
  function openFlow(index, wanted) {
    flow = flows[index];
    const several = flow.lanes > 1;
    laneHeads.replaceChildren();
    for (let thread = 1; several && thread <= flow.lanes; thread++) laneHeads.append(make("span", "", `thread ${thread}`));
    // Each lane is wide enough to read; many scroll sideways.
    laneHeads.style.minWidth = tree.inner.style.minWidth = several ? `${flow.lanes * 220}px` : "";
    choice.value = index;
    slider.max = flow.steps.length;
    const last = flow.steps.length - 1;
    go(wanted === undefined ? last : wanted);
  }
  function go(wanted) {
    if (!flow || !flow.steps.length) return;
    step = Math.max(0, Math.min(wanted, flow.steps.length - 1));
    for (let at = flow.caller(step); at >= 0; at = flow.caller(at)) {
      if (flow.folded.delete(at)) flow.unfold();
    }
    slider.value = step + 1;
    counter.textContent = `${step + 1} / ${flow.steps.length}`;
    // First, since it takes room from the tree.
    showValues();
    tree.reset(flow.shown.length);
    tree.show(flow.rowOf.get(step));
    const now = flow.steps[flow.placed(step)];
    if (now) showPlace(now.file, now.line);
    else source.update(true);
  }
  const forward = () => go(flow.shown[flow.rowOf.get(step) + 1] ?? step);
  const back = () => go(flow.shown[flow.rowOf.get(step) - 1] ?? step);
  const over = () => go(Math.min(flow.ends[step], flow.steps.length - 1));
  const up = () => go(Math.max(0, flow.caller(step)));
  function toggleFold(at) {
    if (!flow.folded.delete(at)) flow.folded.add(at);
    flow.unfold();
    if (flow.rowOf.get(step) === undefined) return go(at);
    tree.reset(flow.shown.length);
  }
  function foldAll(fold) {
    flow.folded.clear();
    if (fold) flow.steps.forEach((_, at) => { if (flow.opens(at)) flow.folded.add(at); });
    flow.unfold();
    // An execution that is one call: its steps are of interest.
    if (fold && flow.shown.length <= 2) {
      for (const at of flow.shown) flow.folded.delete(at);
      flow.unfold();
    }
    let at = step;
    while (flow.rowOf.get(at) === undefined) at = flow.caller(at);
    go(at);
  }
  function toggle() {
    if (timer) {
      clearInterval(timer);
      timer = 0;
    } else {
      if (step === flow.steps.length - 1) go(0);
      timer = setInterval(() => {
        const before = step;
        forward();
        if (step === before) toggle();
      }, 450);
    }
    play.textContent = timer ? "stop" : "play";
  }
  function showValues() {
    const { threads, globals } = flow.state(step);
    const current = flow.steps[step].thread;
    const boxes = [];
    const show = (title, map, open) => {
      if (!map.size) return;
      const box = make("details");
      box.open = open;
      box.append(make("summary", "", title));
      const table = make("table");
      for (const [name, [value, at]] of map) {
        const row = make("tr", at === step ? "new" : "");
        row.append(make("td", "", name), make("td", "", value));
        row.title = `shown by step ${at + 1}`;
        row.addEventListener("click", () => go(at));
        table.append(row);
      }
      box.append(table);
      boxes.push(box);
    };
    const showFrames = (thread) => {
      const frames = threads.get(thread);
      const name = flow.lanes > 1 ? `thread ${thread}: ` : "";
      for (let index = frames.length - 1; index >= 0; index--) {
        const inner = frames[index + 1];
        // The entry and its first call are one to the reader.
        if (inner && inner.title === frames[index].title && [...frames[index].values.keys()].every((name) => inner.values.has(name))) continue;
        show(name + (frames[index].title || "values"), frames[index].values, thread === current);
      }
    };
    showFrames(current);
    show("globals", globals, true);
    // What the other threads have stays as it is until they go on.
    for (const thread of [...threads.keys()].sort((a, b) => a - b)) if (thread !== current) showFrames(thread);
    if (!boxes.length) boxes.push(make("p", "dim", "No step has shown a value yet."));
    values.replaceChildren(make("div", "head", "Values, as the last step that changed them shows"), ...boxes);
  }

  document.addEventListener("keydown", (event) => {
    if (!flow || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target !== slider) return;
    const action = {
      ArrowRight: forward, ArrowDown: event.target === sourceBox ? null : forward, j: forward,
      ArrowLeft: back, ArrowUp: event.target === sourceBox ? null : back, k: back,
      n: over, u: up, Home: () => go(0), End: () => go(Infinity), " ": event.target.tagName === "BUTTON" ? null : toggle,
      f: () => flow.opens(step) && toggleFold(step),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  for (const link of document.querySelectorAll("[data-flow]")) {
    link.hidden = false;
    link.addEventListener("click", () => {
      openFlow(Number(link.dataset.flow));
      root.scrollIntoView({ block: "start" });
    });
  }
  for (const link of document.querySelectorAll("[data-place]")) {
    const [at, line] = link.dataset.place.split(":").map(Number);
    link.classList.add("link");
    link.addEventListener("click", () => {
      showPlace(at, line);
      root.scrollIntoView({ block: "start" });
    });
  }
  if (file >= 0) openFile(file);
  if (flows.length) openFlow(0);
  else if (data.marks.length) showPlace(data.marks[0][0], data.marks[0][1]);
})();
