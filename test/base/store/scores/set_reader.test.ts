import fc from "fast-check";
import { expect, test } from "vitest";
import {
  encodeStoredSet,
  parseStoredSet,
  type StoredSet,
} from "../../../../src/base/store/scores/set_file.ts";
import { SetReader } from "../../../../src/base/store/scores/set_reader.ts";
import { OTHER_ID, SET } from "../_stored.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A reader that has read a set, and so expects its tickers. */
function expecting(set: StoredSet): SetReader {
  const reader = new SetReader();
  reader.read(bytesOf(encodeStoredSet(set)));
  return reader;
}

/** What reading gives, or the message of the error. */
function outcome(read: () => StoredSet): StoredSet | string {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
}

const score = fc.oneof(
  fc.constant(null),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => millionths / 1_000_000),
);
const tickers = fc.uniqueArray(fc.stringMatching(/^[A-Z0-9.-]{1,16}$/)).map((names) =>
  names.toSorted()
);

test("SetReader gives what parseStoredSet() gives, whatever set it has read before", () => {
  fc.assert(fc.property(tickers, tickers, fc.infiniteStream(score), (names, others, scores) => {
    const setOf = (tickers: readonly string[]) => ({
      ...SET,
      rows: { tickers, scores: tickers.map(() => scores.next().value) },
    });
    const [first, second] = [setOf(names), { ...setOf(names), snapshotId: OTHER_ID }];
    for (const reader of [expecting(first), expecting(setOf(others)), new SetReader()]) {
      const text = encodeStoredSet(second);
      expect(reader.read(bytesOf(text))).toEqual(parseStoredSet(text));
    }
  }));
});

test("SetReader reads a set whose universe lost and gained some tickers", () => {
  const names = Array.from({ length: 200 }, (_, i) => `T${String(i).padStart(3, "0")}`);
  const kept = fc.subarray(names, { minLength: 150 });
  const fresh = fc.uniqueArray(fc.stringMatching(/^[A-Z0-9]{1,4}$/), { maxLength: 20 });
  fc.assert(fc.property(kept, fresh, fc.infiniteStream(score), (kept, fresh, scores) => {
    const setOf = (tickers: readonly string[]) => ({
      ...SET,
      rows: { tickers, scores: tickers.map(() => scores.next().value) },
    });
    const next = setOf([...new Set([...kept, ...fresh])].toSorted());
    const reader = expecting(setOf(names));
    expect(reader.read(bytesOf(encodeStoredSet(next)))).toEqual(next);
    const again = setOf(names);
    expect(reader.read(bytesOf(encodeStoredSet(again)))).toEqual(again);
  }));
});

test("SetReader refuses any damage to a file in the words of parseStoredSet()", () => {
  const text = encodeStoredSet(SET);
  const damage = fc.record({
    at: fc.nat({ max: text.length }),
    cut: fc.nat({ max: 3 }),
    put: fc.stringMatching(/^[ -~\n]{0,3}$/),
  });
  fc.assert(
    fc.property(damage, ({ at, cut, put }) => {
      const damaged = text.slice(0, at) + put + text.slice(at + cut);
      expect(outcome(() => expecting(SET).read(bytesOf(damaged)))).toEqual(
        outcome(() => parseStoredSet(damaged)),
      );
    }),
    { numRuns: 2_000 },
  );
});

test("SetReader tells the numbers of a score from what only begins as one", () => {
  const reader = expecting(SET);
  for (const wrong of ["2", "-0.5", "00.5", "0.", ".5", "1e1", "nul", "0.5x", "1e-400x", '"0"']) {
    const text = encodeStoredSet(SET).replace(
      '"1E5","ecpnd_score":0',
      `"1E5","ecpnd_score":${wrong}`,
    );
    expect(() => reader.read(bytesOf(text)), wrong).toThrow();
  }
  const small = { ...SET, rows: { ...SET.rows, scores: [5e-324, 1e-7, 0.123456789012345, 1] } };
  expect(reader.read(bytesOf(encodeStoredSet(small))).rows).toEqual(small.rows);
});
