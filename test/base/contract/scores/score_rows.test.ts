import { expect, test } from "vitest";
import {
  countScored,
  rowsOfValues,
  scoreValues,
} from "../../../../src/base/contract/scores/score_rows.ts";

const PLAIN = { tickers: ["A", "BRK.B", "C"], scores: [0.25, null, 0] };
const made = () => rowsOfValues(PLAIN.tickers, new Float64Array([0.25, NaN, 0]));

test("rows of values are equal to plain rows, however they are looked at", () => {
  expect(made()).toStrictEqual(PLAIN);
  expect({ ...made() }).toStrictEqual(PLAIN);
  expect(structuredClone(made())).toStrictEqual(PLAIN);
  expect(JSON.stringify(made())).toBe('{"tickers":["A","BRK.B","C"],"scores":[0.25,null,0]}');
  expect(Deno.inspect(made())).toBe(
    '{ tickers: [ "A", "BRK.B", "C" ], scores: [ 0.25, null, 0 ] }',
  );
});

test("the scores of rows of values are one array", () => {
  const rows = made();
  expect(rows.scores).toBe(rows.scores);
});

test("values and their count are the same of plain rows and of rows of values", () => {
  expect([...scoreValues(PLAIN)]).toEqual([0.25, NaN, 0]);
  expect([...scoreValues(made())]).toEqual([0.25, NaN, 0]);
  expect([countScored(PLAIN), countScored(made())]).toEqual([2, 2]);
});
