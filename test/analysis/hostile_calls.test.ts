// @heavy: thousands of worlds
import fc from "fast-check";
import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { ScoreframeError } from "../../src/base/errors.ts";
import { collectGarbage } from "../helpers/collect_garbage.ts";
import { ANSWERED, FUNCTIONS, HOSTILE, OPTIONS, SPOILT } from "./_hostile_calls.ts";

const CALLS = 10_000;
const MOST_CHARACTERS = 2_500;
// Deno frees each of Polars' objects in a time that grows with their number: 80,000 at once take 10 s.
const COLLECTED_EVERY = 250;
// What JavaScript says of a value that it cannot use.
const RAW =
  /is not (a function|iterable|a constructor)|Cannot (read propert|set propert|destructure|use 'in'|convert (undefined|an object|a Symbol|a BigInt))|Invalid array length/;

/** A call, by which of the values above stands where. */
interface HostileCall {
  readonly name: string;
  readonly kind: "argument" | "option" | "frame";
  readonly at: number;
  readonly of: number;
  readonly column: number;
}

// A whole analysis is tried less often, as it takes a hundred times as long.
const names = Object.keys(ANSWERED).filter((name) =>
  name !== "analyzeFactor" && name !== "trialLog"
);
const call: fc.Arbitrary<HostileCall> = fc.record({
  name: fc.oneof(
    { arbitrary: fc.constantFrom(...names), weight: 199 },
    { arbitrary: fc.constant("analyzeFactor"), weight: 1 },
  ),
  kind: fc.constantFrom("argument", "option", "frame"),
  at: fc.nat({ max: 2 }),
  of: fc.nat({ max: HOSTILE.length * OPTIONS.length - 1 }),
  column: fc.nat({ max: 7 }),
});

function argumentsOf({ name, kind, at, of, column }: HostileCall): readonly unknown[] {
  const given = [...ANSWERED[name]!];
  const place = at % Math.max(1, given.length);
  const hostile = HOSTILE[of % HOSTILE.length];
  if (kind === "argument") return given.with(place, hostile);
  if (kind === "option") return withOption(given, OPTIONS[of % OPTIONS.length]!, hostile);
  const frame = given[place] as DataFrame;
  if (!(frame instanceof pl.DataFrame)) return given;
  const spoil = SPOILT[of % SPOILT.length]!;
  return given.with(place, spoil(frame, frame.columns[column % frame.columns.length]!));
}

function withOption(given: readonly unknown[], name: string, value: unknown): readonly unknown[] {
  const last = given.at(-1);
  const isOptions = Object.getPrototypeOf(last ?? 0) === Object.prototype;
  return isOptions
    ? given.with(-1, { ...last as object, [name]: value })
    : [...given, { [name]: value }];
}

async function errorOf({ name }: HostileCall, given: readonly unknown[]): Promise<unknown> {
  try {
    await FUNCTIONS[name]!(...given);
    return null;
  } catch (error) {
    return error;
  }
}

describe("functions of the analysis", () => {
  test("stand all in the table of calls that answer", async () => {
    expect(Object.keys(ANSWERED).toSorted()).toEqual(
      Object.keys(FUNCTIONS).filter((name) => !name.endsWith("Arquero")).toSorted(),
    );
    for (const [name, given] of Object.entries(ANSWERED)) {
      await expect(Promise.resolve(FUNCTIONS[name]!(...given)), name).resolves.toBeDefined();
    }
  });

  test(`answer ${CALLS} hostile calls, or say in a typed error what was expected`, async () => {
    let calls = 0;
    const property = fc.asyncProperty(call, async (hostile) => {
      if (++calls % COLLECTED_EVERY === 0) collectGarbage();
      const error = await errorOf(hostile, argumentsOf(hostile));
      if (error === null) return;
      expect(
        error instanceof TypeError || error instanceof RangeError ||
          error instanceof ScoreframeError,
      ).toBe(true);
      const { message } = error as Error;
      expect(message).toMatch(/^Cannot /);
      expect(message).not.toMatch(RAW);
      expect(message.length).toBeLessThan(MOST_CHARACTERS);
    });
    await fc.assert(property, { numRuns: CALLS, seed: 20261122 });
  }, 240_000);
});
