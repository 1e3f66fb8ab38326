"use strict";
(() => {
  const tip = document.getElementById("tip");
  document.addEventListener("pointermove", (event) => {
    const target = event.target.closest("[data-tip]");
    tip.hidden = !target;
    if (!target) return;
    tip.textContent = target.dataset.tip;
    const room = { x: innerWidth - tip.offsetWidth - 12, y: innerHeight - tip.offsetHeight - 12 };
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, room.x)) + "px";
    tip.style.top = Math.max(4, Math.min(event.clientY + 14, room.y)) + "px";
  });

  const table = document.getElementById("rows");
  const body = table.tBodies[0];
  const filter = document.getElementById("filter");
  const boxes = [...document.querySelectorAll("input[data-kind]")];
  const showMatching = () => {
    const wanted = filter.value.toLowerCase();
    const kinds = new Set(boxes.filter((box) => box.checked).map((box) => box.dataset.kind));
    for (const row of body.rows) {
      row.hidden = !kinds.has(row.dataset.kind) || !row.textContent.toLowerCase().includes(wanted);
    }
  };
  filter.addEventListener("input", showMatching);
  for (const box of boxes) box.addEventListener("change", showMatching);

  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    heading.firstElementChild.addEventListener("click", () => {
      const ascending = heading.getAttribute("aria-sort") !== "ascending";
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const isNumber = heading.classList.contains("number");
      const key = (row) => row.cells[column].textContent;
      const compare = isNumber
        ? (a, b) => (parseFloat(key(a)) || 0) - (parseFloat(key(b)) || 0)
        : (a, b) => key(a).localeCompare(key(b));
      body.append(...[...body.rows].sort((a, b) => (ascending ? compare(a, b) : compare(b, a))));
    });
  });
})();
