import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StorageError } from "../../../base/errors.ts";
import { escapeHtml } from "../../../frames/notebook/html.ts";
import { withPointer } from "../chart_changes.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { groundStyle } from "../ground_style.ts";
import { packageFile } from "./chart_fonts.ts";
import { TEXT_COLOR } from "../palette.ts";
import { type Drawn, renderSvg, titleOf } from "./render_chart.ts";

const SCRIPTS = ["vega", "vega-lite"];
/** Width of a drawing on a telephone, where the text of the wide one would be too small. */
export const TELEPHONE_PX = 358;
// Leaves room for the labels of most charts.
const NARROW_PX = 290;
const LEAST_PX = 160;
const MOST_TRIES = 4;
const NARROW_SCREEN = "(max-width: 40rem)";
// The numbers at the pointer, or at the place that the arrow keys have reached, in a box that is read out.
const START = `
const specs = JSON.parse(document.getElementById("spec").textContent);
const screen = matchMedia("${NARROW_SCREEN}");
const figure = document.getElementById("chart");
const box = document.getElementById("numbers");
function tell(handler, event, item, value) {
  box.hidden = value === null || value === undefined || value === "";
  if (box.hidden) return;
  const entries = (typeof value === "object" ? Object.entries(value) : [["", value]])
    .filter(([, number]) => !["null", "NaN"].includes(String(number)));
  box.replaceChildren(...entries.map(([name, number]) => {
    const line = document.createElement("div");
    line.textContent = name === "" ? String(number) : name + ": " + number;
    return line;
  }));
  box.style.left = Math.min(event.clientX + 12, innerWidth - box.offsetWidth - 8) + "px";
  box.style.top = Math.min(event.clientY + 12, innerHeight - box.offsetHeight - 8) + "px";
}
let place = -1;
figure.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const cells = figure.querySelectorAll("[class*=voronoi] path");
  const marks = [...cells.length > 0 ? cells : figure.querySelectorAll("path")]
    .filter((mark) => mark.getClientRects().length > 0 && mark.__data__?.tooltip);
  if (event.key === "Escape") box.hidden = true;
  if (step === undefined || marks.length === 0) return;
  event.preventDefault();
  place = (place + step + marks.length) % marks.length;
  const { left, top, width, height } = marks[place].getBoundingClientRect();
  const at = { bubbles: true, clientX: left + width / 2, clientY: top + height / 2 };
  for (const type of ["pointerover", "pointermove", "mousemove"]) {
    marks[place].dispatchEvent(new PointerEvent(type, at));
  }
});
function draw() {
  const name = screen.matches && specs.narrow ? "narrow" : "wide";
  const place = document.querySelector("#chart ." + name);
  if (place.dataset.drawn) return;
  place.dataset.drawn = "yes";
  const { $schema, ...spec } = specs[name];
  const drawn = document.createElement("div");
  drawn.className = "vega-embedded";
  const named = place.querySelector("svg");
  new vega.View(vega.parse(vegaLite.compile(spec).spec, { aria: false }), { renderer: "svg", container: drawn, hover: true })
    .tooltip(tell).runAsync().then(() => {
      const svg = drawn.querySelector("svg");
      for (const name of ["role", "aria-label", "aria-describedby"]) svg.setAttribute(name, named.getAttribute(name));
      place.replaceChildren(drawn);
    });
}
draw();
screen.addEventListener("change", draw);
`;
const NARROW_STYLE = `.narrow { display: none; }
@media ${NARROW_SCREEN} { .wide:has(+ .narrow) { display: none; } .narrow { display: block; } }`;

/** Options of a page. */
export interface PagePlan {
  /** True to embed Vega (one megabyte), so that the chart zooms and shows tooltips. */
  readonly isInteractive: boolean;
  /** Specification with plots of the given width in pixels; `null` if the chart is narrow enough. */
  readonly narrow: (widthPx: number) => ChartSpec | null;
}

/** Draws a specification as one HTML file, which loads nothing; without scripts, it is the picture and its description. */
export async function renderHtml(
  drawn: Drawn,
  { isInteractive, narrow }: PagePlan,
): Promise<string> {
  const title = escapeHtml(titleOf(drawn));
  const pictureOf = async (spec: ChartSpec) =>
    (await renderSvg({ ...drawn, spec, description: drawn.description }))
      .replace(/ aria-label="[^"]*"/, ` aria-label="${title}" aria-describedby="words"`);
  const wide = `<div class="wide">${withOwnIds(await pictureOf(drawn.spec), "wide")}</div>`;
  const small = await fitting(narrow, pictureOf);
  const narrowed = small === null
    ? ""
    : `<div class="narrow">${withOwnIds(small.svg, "narrow")}</div>`;
  const scripts = isInteractive ? await readScripts(drawn.spec, small?.spec ?? null) : "";
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
${drawn.mayLoad === true ? "" : contentPolicy(isInteractive)}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
${styleOf(small !== null)}
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<figure id="chart" tabindex="0" aria-label="${title}">${wide}${narrowed}</figure>
<p id="words">${escapeHtml(drawn.description)}</p>
${
    isInteractive
      ? '<div id="numbers" role="status" hidden></div>\n<p>The arrow keys and the pointer show numbers; Ctrl or ⌘ and the wheel zoom, dragging moves, a double click resets.</p>'
      : ""
  }
</main>
${scripts}</body>
</html>
`;
}

function styleOf(hasNarrow: boolean): string {
  return `:root { color-scheme: light dark; }
body { margin: 1rem; font-family: system-ui, "DejaVu Sans", sans-serif; background: #fff; color: #222; }
h1 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
figure { margin: 0; }
svg { display: block; max-width: 100%; height: auto; }
svg text[fill="${TEXT_COLOR}"] { fill: currentColor; fill-opacity: .85; }
p { max-width: 48rem; line-height: 1.45; font-size: .9rem; }
#numbers { position: fixed; z-index: 1; padding: .3rem .5rem; border: 1px solid #8886; border-radius: 3px; background: #fff; color: #111; font-size: .8rem; pointer-events: none; }
#numbers[hidden] { display: none; }
#chart .mark-text, #chart .mark-rule { pointer-events: none; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } }
${hasNarrow ? NARROW_STYLE : ""}
${groundStyle("#chart svg")}`;
}

/** Narrow drawing of a chart for a telephone; `null` if the chart is narrow enough. It is drawn first to measure the room that its labels take. */
export async function fitting(
  narrow: PagePlan["narrow"],
  draw: (spec: ChartSpec) => Promise<string>,
): Promise<{ readonly spec: ChartSpec; readonly svg: string } | null> {
  let [px, drawn]: [number, { readonly spec: ChartSpec; readonly svg: string } | null] = [
    NARROW_PX,
    null,
  ];
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const spec = narrow(px);
    if (spec === null) break;
    drawn = { spec, svg: await draw(spec) };
    const excess = Math.ceil(widthOf(drawn.svg) - TELEPHONE_PX);
    if (excess <= 0 || px === LEAST_PX) break;
    px = Math.max(LEAST_PX, px - excess - 1);
  }
  return drawn;
}

/** Width of a picture in pixels. */
export function widthOf(svg: string): number {
  return Number(/ width="([\d.]+)"/.exec(svg)?.[1] ?? 0);
}

// A reference to an id finds the first of the page, which may be that of the hidden picture; Vega counts its own from one.
function withOwnIds(svg: string, look: "wide" | "narrow"): string {
  return svg.replaceAll(/(?<= id="|url\(#|href="#)/g, `${look}-`);
}

async function readScripts(wide: ChartSpec, narrow: ChartSpec | null): Promise<string> {
  const texts = await Promise.all(SCRIPTS.map((name) => readFile(fileOf(name), "utf8")));
  const code = [...texts, START].map((text) =>
    `<script>${text.replaceAll("</script", "<\\/script")}</script>`
  );
  // JSON in a script ends at the first "</".
  const specs = {
    wide: withPointer(wide),
    ...(narrow !== null && { narrow: withPointer(narrow) }),
  };
  const data = JSON.stringify(specs).replaceAll("<", "\\u003c");
  return `<script type="application/json" id="spec">${data}</script>\n${code.join("\n")}\n`;
}

// The packages export their entry alone; the build for browsers stands beside it.
function fileOf(name: string): string {
  const entry = packageFile(name);
  if (entry !== null) return join(dirname(entry), `${name}.min.js`);
  throw new StorageError(
    `Cannot draw a page that zooms: expected the package ${name}, got none; ` +
      "install the packages of the project again, or ask for { interactive: false }",
  );
}

/**
 * The content security policy of a page as a meta tag: nothing is loaded or sent, and without scripts none runs.
 *
 * @param hasScripts True if the page draws its chart by Vega, which compiles expressions
 */
export function contentPolicy(hasScripts = false): string {
  const scripts = hasScripts ? " script-src 'unsafe-inline' 'unsafe-eval';" : "";
  const policy =
    `default-src 'none';${scripts} style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
}
