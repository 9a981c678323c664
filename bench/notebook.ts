/**
 * Counts the outputs that are lost when a notebook is executed without a person looking: 20 runs of the quickstart.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type Notebook, outputText, startJupyter } from "../test/helpers/jupyter.ts";

const RUNS = Number(process.argv[2] ?? 20);
const FOLDER = join(import.meta.dirname!, "..", "notebooks");
const committed: Notebook = JSON.parse(
  await readFile(join(FOLDER, "00_quickstart.ipynb"), "utf8"),
);

await using jupyter = await startJupyter();
const expected = shown(committed);
let outputs = 0;
let lost = 0;
const times: number[] = [];
for (let run = 1; run <= RUNS; run++) {
  const from = performance.now();
  const seen = shown(await jupyter.execute(committed, FOLDER));
  times.push((performance.now() - from) / 1000);
  outputs += expected.filter(Boolean).length;
  const missing = expected.flatMap((shows, cell) => shows && !seen[cell] ? [cell] : []);
  lost += missing.length;
  if (missing.length > 0) {
    process.stdout.write(`run ${run}: nothing from cells ${missing.join(", ")}\n`);
  }
}
const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
process.stdout.write(
  `${RUNS} runs, ${outputs} outputs, ${lost} lost; ${median.toFixed(1)} s a run (median)\n`,
);
process.exitCode = lost === 0 ? 0 : 1;

/** Which cells of a notebook show something. */
function shown(notebook: Notebook): boolean[] {
  return notebook.cells.map((cell) => outputText(cell, "text/plain").trim() !== "");
}
