/**
 * Counts the outputs that the Deno kernel loses where a notebook is executed unattended: with no line of this library
 * loaded, and after a connection was made. Argument: how many notebooks of 100 cells each.
 *
 * @module
 */
import { join } from "node:path";
import process from "node:process";
import { notebookOf, startJupyter } from "../test/helpers/jupyter.ts";

const NOTEBOOKS = Number(process.argv[2] ?? 5);
const ROOT = join(import.meta.dirname!, "..");
const CONNECT = 'import { demo } from "scoreframe";\nconst api = await demo();';
const OUTPUTS: readonly ((cell: number) => string)[] = [
  (cell) => `${cell}`,
  (cell) => `await Promise.resolve(${cell})`,
  (cell) => `console.log(${cell})`,
  () => `({ text: "${"x".repeat(20_000)}" })`,
];

await using jupyter = await startJupyter();
await measure("the kernel alone", "undefined");
process.exitCode = await measure("after demo()", CONNECT) === 0 ? 0 : 1;

async function measure(name: string, first: string): Promise<number> {
  const cells = Array.from({ length: 100 }, (_, i) => OUTPUTS[i % OUTPUTS.length]!(i));
  let lost = 0;
  for (let run = 0; run < NOTEBOOKS; run++) {
    const executed = await jupyter.execute(notebookOf([first, ...cells]), ROOT);
    lost += executed.cells.slice(1).filter(({ outputs }) => (outputs ?? []).length === 0).length;
  }
  process.stdout.write(`${name}: ${NOTEBOOKS * cells.length} outputs, ${lost} lost\n`);
  return lost;
}
