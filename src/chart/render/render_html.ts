import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StorageError } from "../../errors.ts";
import { escapeHtml } from "../../notebook/escape_html.ts";
import { withPointer } from "../chart_changes.ts";
import { contentPolicy } from "../content_policy.ts";
import { groundStyle } from "../ground_style.ts";
import { packageFile } from "../package_file.ts";
import { TEXT_COLOR } from "../palette.ts";
import { type Drawn, renderSvg } from "./render_chart.ts";
import { titleOf } from "./title_of.ts";

const SCRIPTS = ["vega", "vega-lite"];

// The picture is there before any script, and stays if there is none. Its grey is one that is read anywhere; here the ground is
// known. On a telephone it scrolls, because its words would be too small to read.
const START = `
const { $schema, ...spec } = JSON.parse(document.getElementById("spec").textContent);
const place = document.getElementById("chart");
const drawn = document.createElement("div");
const named = place.querySelector("svg");
new vega.View(vega.parse(vegaLite.compile(spec).spec, { aria: false }), { renderer: "svg", container: drawn, hover: true })
  .runAsync().then(() => {
    const svg = drawn.querySelector("svg");
    for (const name of ["role", "aria-label", "aria-describedby"]) svg.setAttribute(name, named.getAttribute(name));
    place.replaceChildren(drawn);
  });
`;

/**
 * Draws a specification as one HTML file, which loads nothing. With scripts, Vega itself stands in the file (one megabyte),
 * and the chart zooms and shows its numbers; without, the file is the picture and its description.
 */
export async function renderHtml(drawn: Drawn, isInteractive: boolean): Promise<string> {
  const title = escapeHtml(titleOf(drawn));
  const svg = (await renderSvg(drawn))
    .replace(/ aria-label="[^"]*"/, ` aria-label="${title}" aria-describedby="words"`);
  const scripts = isInteractive ? await readScripts(drawn) : "";
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
${drawn.mayLoad === true ? "" : contentPolicy(isInteractive)}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; }
body { margin: 1rem; font-family: system-ui, "DejaVu Sans", sans-serif; background: #fff; color: #222; }
h1 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
figure { margin: 0; overflow-x: auto; }
svg { display: block; max-width: max(100%, 32rem); height: auto; }
svg text[fill="${TEXT_COLOR}"] { fill: currentColor; fill-opacity: .85; }
p { max-width: 48rem; line-height: 1.45; font-size: .9rem; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } }
${groundStyle("#chart svg")}
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<figure id="chart" tabindex="0" aria-label="${title}">${svg}</figure>
<p id="words">${escapeHtml(drawn.description)}</p>
${
    isInteractive
      ? "<p>Ctrl or ⌘ and the wheel zoom, dragging moves, a double click resets.</p>"
      : ""
  }
</main>
${scripts}</body>
</html>
`;
}

async function readScripts({ spec }: Drawn): Promise<string> {
  const texts = await Promise.all(SCRIPTS.map((name) => readFile(fileOf(name), "utf8")));
  const code = [...texts, START].map((text) =>
    `<script>${text.replaceAll("</script", "<\\/script")}</script>`
  );
  // JSON in a script ends at the first "</".
  const data = JSON.stringify(withPointer(spec)).replaceAll("<", "\\u003c");
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
