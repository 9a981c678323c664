import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startJupyter, type TestJupyter } from "../../helpers/jupyter/jupyter.ts";
import { describeWithJupyter } from "../../helpers/jupyter/needs_jupyter.ts";
import { runAndStop } from "../../helpers/jupyter/press_stop.ts";

const ROOT = join(import.meta.dirname!, "..", "..", "..");
const LONG_MS = 900_000;

// Analyses one after the other, so that the button is pressed within one however fast the machine is. Turns of the
// event loop are counted, because how long one takes depends on what else the machine does.
const SETUP = `
import { analyzeFactor } from "${ROOT}/src/analysis/mod.ts";
import { makeMarket } from "${ROOT}/test/helpers/market.ts";
const market = makeMarket(300, (next, noise) => next + 0.04 * (noise - 0.5), { names: 60 });
let [turns, pressed, ended] = [0, -1, -1];
const count = () => { turns++; timer = setTimeout(count, 0); };
let timer = 0;
Deno.addSignalListener("SIGINT", () => pressed = turns);
`;
const ANALYSE = `
count();
setTimeout(() => console.log("waiting"), 500);
try {
  while (true) await analyzeFactor(market.scores, market.prices);
} finally {
  ended = turns;
}
`;
const LOOK = `
clearTimeout(timer);
if (pressed === -1) throw new Error("the button was not pressed");
if (ended - pressed > 20) throw new Error(\`\${ended - pressed} turns after the button\`);
const { summary } = await analyzeFactor(market.scores, market.prices, {
});
if (summary.table.height !== 3) throw new Error("no analysis after a stop");
`;

await describeWithJupyter("in a real Deno kernel", () => {
  let jupyter: TestJupyter;
  beforeAll(async () => {
    jupyter = await startJupyter();
  }, LONG_MS);
  afterAll(() => jupyter[Symbol.asyncDispose]());

  test(
    "the stop button ends analyzeFactor() within a few steps, and the next one works",
    async () => {
      const ends = await runAndStop(jupyter, ROOT, [
        { code: SETUP },
        { code: ANALYSE, stop: true },
        { code: LOOK },
      ]);
      expect(
        ends.map(({ status, ename, evalue }) => ename === undefined ? status : [ename, evalue]),
      )
        .toEqual(["ok", ["AbortError", "Stopped by the notebook's stop button"], "ok"]);
    },
    LONG_MS,
  );
});
