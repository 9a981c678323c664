// Plain JavaScript, kept small because each output has its own copy, so that a saved or moved output still works. It reads data
// as JSON, writes only text, and changes only tables of this library.
const SOURCE = String.raw`
for (const root of document.querySelectorAll(".scoreframe-frame:not([data-lm-suppress-shortcuts])")) {
  // JupyterLab reads single letters as commands otherwise, and classic notebooks listen to the document.
  root.setAttribute("data-lm-suppress-shortcuts", "true");
  root.addEventListener("keydown", (event) => event.stopPropagation());
  const { height, held, head, edge, gap, columns } = JSON.parse(root.querySelector("script[type='application/json']").textContent);
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const count = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
  const table = root.querySelector("table.dataframe");
  const body = table.tBodies[0];
  const first = [...body.children];
  const size = Math.max(20, first.length);
  const hasGap = height > 2 * edge;
  let [page, sorted, direction, query, rows, words] = [-1, -1, 1, "", null, null];

  const rowName = (row) => row < head ? row : height - held + row;
  const valueAt = ({ values, at }, row) => at ? values[at[row]] : values[row];
  const power = (value, digits) => value.toExponential(digits).replace(/\.?0*e/, "e").replace("e+", "e");
  const numberText = (value, { decimals, isGrouped }) => {
    const group = (text) => isGrouped ? text.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ",")) : text;
    if (typeof value === "string") return group(value);
    if (value === 0) return (0).toFixed(decimals ?? 0);
    if (decimals === null) return power(value, 3);
    return Number(value.toFixed(decimals)) === 0 ? power(value, 1) : group(value.toFixed(decimals));
  };
  const cellOf = (column, row) => {
    const value = valueAt(column, row);
    if (value === null) return [null];
    return column.isNumber ? [numberText(value, column.style.number), String(value)] : Array.isArray(value) ? value : [value, value];
  };
  // Missing values stand last in both directions, and NaN before them.
  const keyOf = (column, row) => {
    const value = valueAt(column, row);
    if (value === null) return [2];
    if (!column.isNumber) return [0, Array.isArray(value) ? value[1] : value];
    return value === "NaN" ? [1] : [0, /^-?\d+$/.test(value) ? BigInt(value) : Number(value)];
  };
  const order = () => {
    rows = Array.from({ length: held }, (_, row) => row);
    if (query !== "") {
      words ??= rows.map((row) => columns.map((column) => cellOf(column, row).join("\n") || "null").join("\n").toLowerCase());
      rows = rows.filter((row) => words[row].includes(query));
    }
    if (sorted < 0) return;
    const keys = new Map(rows.map((row) => [row, keyOf(columns[sorted], row)]));
    rows.sort((a, b) => {
      const [[x, v], [y, w]] = [keys.get(a), keys.get(b)];
      return x - y || (v < w ? -direction : v > w ? direction : 0);
    });
  };
  const isWhole = () => sorted < 0 && query === "";
  const cell = (column, row) => {
    const [text, full] = cellOf(column, row);
    const inner = text === null ? make("em", { style: "opacity:.65" }, "null") : text === "NaN" ? make("b", {}, text) : text;
    const space = text !== null && text.length > 60 ? "" : ";white-space:nowrap";
    return make("td", { style: "text-align:" + column.style.align + space, title: text === null || full === text ? "" : full }, inner);
  };
  const wide = (text) => make("tr", {}, make("td", { colSpan: columns.length + (gap < 0 ? 0 : 1), style: "text-align:left" }, text));
  const line = (row) => {
    const cells = columns.map((column) => cell(column, row));
    if (gap >= 0) cells.splice(gap, 0, make("td", {}, "…"));
    return make("tr", {}, ...cells);
  };
  const from = () => page * size;
  const statusText = () => {
    const [start, end] = [from(), Math.min(from() + size, rows.length)];
    if (page < 0) return hasGap ? "rows 1–" + count(edge) + " and " + count(height - edge + 1) + "–" + count(height) + " of " + count(height) : "";
    if (rows.length === 0) return "no row found";
    const [a, b] = isWhole() ? [rowName(rows[start]), rowName(rows[end - 1])] : [start, end - 1];
    const of = query !== "" ? count(rows.length) + " found" : isWhole() ? count(height) : count(held) + (held < height ? " held" : "");
    return "rows " + count(a + 1) + "–" + count(b + 1) + " of " + of;
  };
  const draw = () => {
    const last = Math.ceil(rows.length / size) - 1;
    const least = isWhole() ? -1 : 0;
    page = Math.max(least, Math.min(page, last));
    if (page < 0) body.replaceChildren(...first);
    else {
      const shown = rows.slice(from(), from() + size);
      body.replaceChildren(...shown.flatMap((row, i) =>
        isWhole() && row === head && held < height && (i > 0 || page > 0)
          ? [wide("… " + count(height - held) + " rows not held"), line(row)] : [line(row)]));
    }
    status.textContent = statusText();
    for (const [button, target] of moves) {
      button.setAttribute("aria-disabled", String(Math.max(least, Math.min(target(last), last)) === page || rows.length === 0));
    }
    for (const [index, th] of heads.entries()) {
      const way = index === sorted ? direction : 0;
      if (way === 0) th.removeAttribute("aria-sort");
      else th.setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
      th.querySelector("span").textContent = way === 0 ? "" : way > 0 ? " ▲" : " ▼";
    }
  };
  const change = () => {
    page = isWhole() ? -1 : 0;
    order();
    draw();
  };
  const sort = (index) => {
    if (sorted !== index) [sorted, direction] = [index, 1];
    else if (direction > 0) direction = -1;
    else sorted = -1;
    change();
  };
  const heads = [...table.tHead.rows[0].cells].filter((_, index) => index !== gap);
  for (const [index, th] of heads.entries()) {
    const button = make("button", { type: "button", title: "Sort by this column" }, th.firstChild.nodeType === 3 ? th.firstChild : "(no name)", make("span", { ariaHidden: "true" }));
    button.addEventListener("click", () => sort(index));
    th.prepend(button);
  }
  const moves = (hasGap ? [
    ["First", () => -1], ["Previous", () => page - 1], ["Next", () => page + 1], ["Last", (last) => last],
  ] : []).map(([text, target]) => {
    const button = make("button", { type: "button" }, text);
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") === "true") return;
      page = target(Math.ceil(rows.length / size) - 1);
      draw();
    });
    return [button, target];
  });
  const search = make("input", { type: "search", size: 12 });
  search.addEventListener("input", () => {
    query = search.value.toLowerCase();
    change();
  });
  const status = make("span", { role: "status" });
  const note = held === height ? [] : [count(held) + " of " + count(height) +
    " rows (the first and last ones) can be sorted, searched and paged; show(frame, { heldRows: " + height + " }) holds all"];
  const style = ".scoreframe-frame :is(button,input){font:inherit;color:inherit;background:none;border:1px solid;border-radius:3px;padding:0 .4em;margin:0 .4em 0 0;cursor:pointer}" +
    ".scoreframe-frame input{cursor:auto}.scoreframe-frame th button{border:0;padding:0;margin:0;font-weight:inherit;text-decoration:underline dotted}" +
    ".scoreframe-frame [aria-disabled=true]{opacity:.5;cursor:default}.scoreframe-frame :focus-visible{outline:2px solid currentColor!important;outline-offset:1px}" +
    "@media print{.scoreframe-tools{display:none}}";
  table.parentElement.before(make("div", { role: "group", ariaLabel: "Rows of the table", className: "scoreframe-tools", style: "font-size:85%;margin:.3em 0" },
    make("style", {}, style), make("label", {}, "Search ", search), ...moves.map(([button]) => button), status,
    ...note.map((text) => make("div", {}, text))));
  order();
  draw();
}
`;

const TAG = `<script>(() => {\n${SOURCE.trim().replaceAll(/^ *(\/\/.*\n)?/gm, "")}\n})()</script>`;

/** Rows of a frame for a page, and the script that sorts, searches and pages its table. */
export function tableScript(json: string): string {
  return `<script type="application/json">${json}</script>${TAG}`;
}

/** Keeps one script in an output of several tables. */
export function withOneScript(html: string): string {
  const parts = html.split(TAG);
  return parts.length <= 2 ? html : `${parts.join("")}${TAG}`;
}
