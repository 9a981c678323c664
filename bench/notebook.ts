/**
 * Counts the outputs that are lost when notebooks are executed without a person looking: 20 runs of each.
 * Arguments: the number of runs, and a part of the name of the notebooks.
 *
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { type Notebook, outputText, startJupyter } from "../test/helpers/jupyter/jupyter.ts";

const RUNS = Number(process.argv[2] ?? 20);
const FOLDER = join(import.meta.dirname!, "..", "notebooks");
const names = (await readdir(FOLDER))
  .filter((name) => name.endsWith(".ipynb") && name.includes(process.argv[3] ?? ""))
  .toSorted();

await using jupyter = await startJupyter();
let lost = 0;
for (const name of names) lost += await measure(name);
process.exitCode = lost === 0 ? 0 : 1;

async function measure(name: string): Promise<number> {
  const committed: Notebook = JSON.parse(await readFile(join(FOLDER, name), "utf8"));
  const expected = shown(committed);
  const times: number[] = [];
  let missing = 0;
  for (let run = 0; run < RUNS; run++) {
    const from = performance.now();
    const seen = shown(await jupyter.execute(committed, FOLDER));
    times.push((performance.now() - from) / 1000);
    const silent = expected.flatMap((shows, cell) => shows && !seen[cell] ? [cell] : []);
    if (silent.length > 0) {
      process.stdout.write(`${name}: nothing from cells ${silent.join(", ")}\n`);
    }
    missing += silent.length;
  }
  const outputs = RUNS * expected.filter(Boolean).length;
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
  process.stdout.write(
    `${name}: ${RUNS} runs, ${outputs} outputs, ${missing} lost; ${median.toFixed(1)} s a run\n`,
  );
  return missing;
}

/** Which cells of a notebook show something. */
function shown(notebook: Notebook): boolean[] {
  return notebook.cells.map((cell) => outputText(cell, "text/plain").trim() !== "");
}
