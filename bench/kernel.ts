/**
 * Counts the outputs that the Deno kernel loses where a notebook is executed unattended: with no line of this library
 * loaded, after a connection was made, and of frames. Argument: how many notebooks of 100 cells each.
 *
 * @module
 */
import { join } from "node:path";
import process from "node:process";
import { notebookOf, startJupyter } from "../test/helpers/jupyter/jupyter.ts";

const NOTEBOOKS = Number(process.argv[2] ?? 5);
const ROOT = join(import.meta.dirname!, "..");
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
process.exitCode = lost === 0 ? 0 : 1;

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
