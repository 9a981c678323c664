/**
 * Counts the outputs that the Deno kernel loses or shows under another cell: where a notebook is executed unattended, and
 * where all cells are sent at once ("Run all cells") beside two busy processes; with no line of this library loaded, after
 * its import, and after a connection was made. Arguments: how many notebooks of 100 cells each, and how many bursts of 300
 * and of 800 cells.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { notebookOf, startJupyter } from "../test/helpers/jupyter/jupyter.ts";

const NOTEBOOKS = Number(process.argv[2] ?? 5);
const BURSTS = Number(process.argv[3] ?? 1);
const BURST_CELLS = [300, 800];
const BUSY_PROCESSES = 2;
const ROOT = join(import.meta.dirname!, "..");
const IMPORT = 'import "scoreframe";';
const CONNECT = 'import { demo } from "scoreframe";\nconst api = await demo();';
const LOAD = `${CONNECT}\nconst scores = await api.scores("ecpnd");`;
const OUTPUTS: readonly Output[] = [
  (cell) => `${cell}`,
  (cell) => `await Promise.resolve(${cell})`,
  (cell) => `console.log(${cell})`,
  () => `({ text: "${"x".repeat(20_000)}" })`,
];
const FRAMES: readonly Output[] = [
  () => "scores",
  () => "await Promise.resolve(scores)",
  (cell) => `scores.head(${cell})`,
  () => 'api.scores("ecpnd")',
];

await using jupyter = await startJupyter();
await measure("the kernel alone", "undefined", OUTPUTS);
const lost = await measure("after demo()", CONNECT, OUTPUTS) +
  await measure("frames after demo()", LOAD, FRAMES);
await measureBursts("the kernel alone", "undefined");
const astray = await measureBursts("after the import", IMPORT) +
  await measureBursts("after demo()", CONNECT);
process.exitCode = lost + astray === 0 ? 0 : 1;

type Output = (cell: number) => string;

async function measure(name: string, first: string, outputs: readonly Output[]): Promise<number> {
  const cells = Array.from({ length: 100 }, (_, i) => outputs[i % outputs.length]!(i));
  let lost = 0;
  for (let run = 0; run < NOTEBOOKS; run++) {
    const executed = await jupyter.execute(notebookOf([first, ...cells]), ROOT);
    lost += executed.cells.slice(1).filter(({ outputs }) => (outputs ?? []).length === 0).length;
  }
  process.stdout.write(`${name}: ${NOTEBOOKS * cells.length} outputs, ${lost} lost\n`);
  return lost;
}

interface Burst {
  readonly lost: number;
  readonly late: number;
  readonly misplaced: number;
}

async function measureBursts(name: string, first: string): Promise<number> {
  const script = await readFile(join(ROOT, "test/helpers/jupyter/burst_cells.py"), "utf8");
  const busy = Array.from(
    { length: BUSY_PROCESSES },
    () => new Deno.Command(Deno.execPath(), { args: ["eval", "for (;;);"] }).spawn(),
  );
  const sum = { cells: 0, lost: 0, late: 0, misplaced: 0 };
  try {
    for (const cells of Array.from({ length: BURSTS }, () => BURST_CELLS).flat()) {
      const args = [jupyter.kernel, ROOT, first, String(cells)];
      const burst = JSON.parse(await jupyter.python(script, args)) as Burst;
      sum.cells += cells;
      for (const key of ["lost", "late", "misplaced"] as const) sum[key] += burst[key];
    }
  } finally {
    for (const child of busy) {
      child.kill("SIGKILL");
      await child.status;
    }
  }
  const { cells, lost, late, misplaced } = sum;
  process.stdout.write(
    `${name}, all cells at once: ${cells} outputs, ${lost} lost, ${late} late, ${misplaced} under another cell\n`,
  );
  return lost + misplaced;
}
