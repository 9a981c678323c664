/**
 * Answers of `deno lsp` in a cell: the first one, and medians of a server that is warm, for columns, options and verbs. Fails
 * where a warm answer takes more than 100 ms. Argument: the number of rounds.
 *
 * @module
 */
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { LanguageServer, type Position } from "../test/helpers/editor/language_server.ts";

const ROUNDS = Number(process.argv[2] ?? 50);
const LIMIT_MS = 100;
const ROOT = join(import.meta.dirname!, "..");
const URI = pathToFileURL(join(ROOT, "notebooks/bench.ts")).href;
const TEXT = `import { demo } from "scoreframe";
const api = await demo();
const scores = await api.scores("ecpnd", {  });
scores.getColumn("");
`;

const PLACES: readonly (readonly [string, Position])[] = [
  ["columns", { line: 3, character: 18 }],
  ["options", { line: 2, character: 42 }],
  ["verbs", { line: 2, character: 25 }],
];

await using server = await LanguageServer.start(ROOT);
server.open(URI, TEXT);
const cold = await timed(PLACES[0]![1]);
say(`first answer: ${(cold / 1000).toFixed(1)} s`);
let worst = 0;
for (const [name, place] of PLACES) {
  await timed(place);
  const warm = await middle(() => timed(place));
  const edited = await middle((round) => timed(place, round));
  worst = Math.max(worst, warm);
  say(`${name}: warm ${warm.toFixed(0)} ms, at once after an edit ${edited.toFixed(0)} ms`);
}
process.exitCode = worst <= LIMIT_MS ? 0 : 1;

/** The median of some rounds. */
async function middle(measure: (round: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await measure(round));
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
}

/** The time of an answer; in a round, after an edit, so that TypeScript reads the text again. */
async function timed(place: Position, round?: number): Promise<number> {
  if (round !== undefined) {
    const contentChanges = [{ text: `${TEXT}// ${round}\n` }];
    server.tell("textDocument/didChange", {
      textDocument: { uri: URI, version: performance.now() | 0 },
      contentChanges,
    });
  }
  const from = performance.now();
  const found = await server.completions(URI, place);
  if (found.length < 3) throw new Error(`Expected completions, got ${found.join(", ")}`);
  return performance.now() - from;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
