/**
 * A notebook in each box that holds on this machine, beside the same one without a box: what shutting in, and trying what leads
 * out, takes.
 *
 * What counts is the difference within a round, which other work of the machine meets alike: at most half a second.
 *
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Box, type BoxTier, openBox } from "../src/study/run/box.ts";
import type { NotebookFile } from "../src/study/run/notebook_file.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const MOST_MS = 500;
const TIERS: readonly (BoxTier | "trust")[] = process.platform === "darwin"
  ? ["trust", "sandbox-exec"]
  : ["trust", "bubblewrap", "namespaces"];

const notebook = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { kernelspec: { name: "deno", display_name: "Deno", language: "typescript" } },
  cells: [{
    ...{ cell_type: "code", id: "a", metadata: {}, outputs: [], execution_count: null },
    source: 'import { demo } from "scoreframe"; typeof demo',
  }],
} as unknown as NotebookFile;

const folder = await mkdtemp(join(tmpdir(), "scoreframe-box-"));
await writeFile(join(folder, "study.lock.json"), "{}");
const times = new Map<string, number[]>();
const refused = new Map<string, string>();
const boxes = new Map<string, Box>();
for (let round = 0; round < ROUNDS; round++) {
  for (const tier of TIERS.filter((name) => !refused.has(name))) {
    let startMs = 0;
    try {
      const box = boxes.get(tier) ?? await openBox({ isTrusted: tier === "trust", tiers: [tier] });
      boxes.set(tier, box);
      startMs = performance.now();
      await box.execute(notebook, { folder, path: "a.ipynb", timeoutS: 120 });
      times.set(tier, [...times.get(tier) ?? [], performance.now() - startMs]);
    } catch (error) {
      refused.set(tier, (error as Error).message);
    }
  }
}
await rm(folder, { recursive: true });
/** Median of what a box took more than no box in the same round. */
function moreMs(tier: string): number {
  const plain = times.get("trust") ?? [];
  const differences = times.get(tier)!.map((ms, round) => ms - plain[round]!)
    .toSorted((a, b) => a - b);
  return differences[Math.floor(differences.length / 2)]!;
}

const held = [...times.keys()].filter((tier) => tier !== "trust");
const leastOf = (tier: string) => Math.round(Math.min(...times.get(tier)!));
const lines = [
  `${ROUNDS} rounds in turn, load ${
    loadavg()[0]!.toFixed(1)
  }: least time of a notebook of one cell`,
  `  without a box  ${leastOf("trust")} ms`,
  ...held.map((tier) =>
    `  ${tier.padEnd(13)}  ${leastOf(tier)} ms; in a round ${
      Math.round(moreMs(tier))
    } ms more (expected at most ${MOST_MS})`
  ),
  ...[...refused].map(([tier, why]) => `  ${tier.padEnd(13)}  refused: ${why.slice(0, 200)}`),
];
process.stdout.write(`${lines.join("\n")}\n`);
process.exitCode = held.some((tier) => moreMs(tier) > MOST_MS) ? 1 : 0;
