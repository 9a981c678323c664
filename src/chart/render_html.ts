import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StorageError } from "../errors.ts";
import { escapeHtml } from "../notebook/escape_html.ts";
import { packageFile } from "./package_file.ts";
import { type Drawn, renderSvg } from "./render_chart.ts";

const SCRIPTS = ["vega", "vega-lite"];

// The picture is there before any script, and stays if there is none. Its grey is one that is read anywhere; here the ground is
// known. On a telephone it scrolls, because its words would be too small to read.
const START = `
const { $schema, ...spec } = JSON.parse(document.getElementById("spec").textContent);
const place = document.getElementById("chart");
const drawn = document.createElement("div");
new vega.View(vega.parse(vegaLite.compile(spec).spec), { renderer: "svg", container: drawn, hover: true })
  .runAsync().then(() => place.replaceChildren(drawn));
`;

/**
 * Draws a specification as one HTML file, which loads nothing. With scripts, Vega itself stands in the file (one megabyte),
 * and the chart zooms and shows its numbers; without, the file is the picture and its description.
 */
export async function renderHtml(drawn: Drawn, isInteractive: boolean): Promise<string> {
  const svg = await renderSvg(drawn);
  const scripts = isInteractive ? await readScripts(drawn) : "";
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(titleOf(drawn))}</title>
<style>
:root { color-scheme: light dark; }
body { margin: 1rem; font-family: system-ui, "DejaVu Sans", sans-serif; background: #fff; color: #222; }
figure { margin: 0; overflow-x: auto; }
svg { display: block; max-width: max(100%, 32rem); height: auto; }
svg text[fill="#777777"] { fill: currentColor; fill-opacity: .85; }
p { max-width: 48rem; line-height: 1.45; font-size: .9rem; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } }
</style>
</head>
<body>
<figure id="chart">${svg}</figure>
<p>${escapeHtml(drawn.description)}</p>
${scripts}</body>
</html>
`;
}

function titleOf({ spec, description }: Drawn): string {
  const { title } = spec as { readonly title?: string | { readonly text?: unknown } };
  const text = typeof title === "object" && title !== null ? title.text : title;
  return typeof text === "string" ? text : description;
}

async function readScripts({ spec }: Drawn): Promise<string> {
  const texts = await Promise.all(SCRIPTS.map((name) => readFile(fileOf(name), "utf8")));
  const code = [...texts, START].map((text) =>
    `<script>${text.replaceAll("</script", "<\\/script")}</script>`
  );
  // JSON in a script ends at the first "</".
  const data = JSON.stringify(spec).replaceAll("<", "\\u003c");
  return `<script type="application/json" id="spec">${data}</script>\n${code.join("\n")}\n`;
}

// The packages export their entry alone; the build for browsers stands beside it.
function fileOf(name: string): string {
  const entry = packageFile(name);
  if (entry !== null) return join(dirname(entry), `${name}.min.js`);
  throw new StorageError(
    `Cannot draw a page that zooms: expected the package ${name}, got none; ` +
      "run deno install in the folder of the project, or ask for { interactive: false }",
  );
}
