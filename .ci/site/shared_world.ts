/**
 * The library as the examples of the gallery see it: one synthetic world, loaded and analysed once. `deno task check` runs
 * each example with a world of its own; 30 of them took 45 s here.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as library from "../../mod.ts";
import * as analysis from "../../src/analysis/mod.ts";

export * from "../../mod.ts";
export * from "../../src/analysis/mod.ts";

// deno-lint-ignore no-explicit-any
type Call = (...args: any[]) => Promise<any>;

const folder = await mkdtemp(join(tmpdir(), "scoreframe-gallery-"));
const world = await library.demo({ folder });
const close = world.close.bind(world);
const shared = Object.assign(world, {
  history: once(world.history.bind(world)),
  close: () => Promise.resolve(),
});

/** The world of all examples, in whatever folder they ask for it. */
export const demo = (): Promise<library.FactorApi> => Promise.resolve(shared);

/** The prices of that world. */
export const readPrices: Call = once(() => library.readPrices(join(folder, "closes.csv")));

/** An analysis, which equal frames and options share. */
export const analyzeFactor: typeof analysis.analyzeFactor = once(analysis.analyzeFactor);

/** Ends the world. */
export async function closeWorld(): Promise<void> {
  await close();
  await rm(folder, { recursive: true });
}

function once<F extends Call>(call: F): F {
  const frames: unknown[] = [];
  const answers = new Map<string, Promise<unknown>>();
  const keyOf = (arg: unknown) => {
    if (typeof arg !== "object" || arg === null || !("columns" in arg)) return arg;
    return frames.includes(arg) ? frames.indexOf(arg) : frames.push(arg) - 1;
  };
  return ((...args) => {
    const key = JSON.stringify(args.map(keyOf));
    const answer = answers.get(key) ?? call(...args);
    answers.set(key, answer);
    return answer;
  }) as F;
}
