import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../../../src/base/contract/json_text.ts";
import {
  parseScoreSet,
  parseScoreSetText,
} from "../../../../src/base/contract/scores/score_set.ts";
import { ContractViolation } from "../../../../src/base/contract/violation.ts";

type Row = readonly [ticker: string, score: string];

const HEAD = '"factor":"ecpnd","score_name":"ecpnd_score","universe":"US research universe",' +
  '"factor_version":"ecpnd-v1","snapshot_id":"3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01",' +
  '"calculated_at":"2026-11-19T14:00:00.000Z","last_checked_at":"2026-11-19T15:00:00.000Z",' +
  '"data_through":"2026-11-19T14:55:00.000Z","status":"current","prices_through":"2026-11-18"';
const ROWS: readonly Row[] = [["1E5", "0"], ["A", "0.25"], ["NA", "null"], ["TRUE", "1"]];

/** A response of the service, with its scores spelled as given. */
function textOf(
  rows: readonly Row[],
  change: { head?: string; tail?: string; comma?: string; colon?: string } = {},
) {
  const { head = "", tail = "", comma = ",", colon = ":" } = change;
  const scores = rows.map(([ticker, score]) =>
    `{"ticker"${colon}"${ticker}"${comma}"ecpnd_score"${colon}${score}}`
  );
  const coverage = `"coverage":{"tickers":${rows.length},"price_tickers_current":4,` +
    '"price_tickers_tracked":null,"pending_calls":0,"failed_calls":0}';
  return `{${head}${HEAD},${coverage},"scores"${colon}[${scores.join(comma)}]${tail}}`;
}

/** What reading comes to: the set, or what is wrong where. */
function outcome(read: () => unknown) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ContractViolation)) throw error;
    return [error.path, error.required];
  }
}

function expectAgreement(text: string): void {
  const expected = outcome(() => parseScoreSet(parseJson(text)));
  expect(outcome(() => parseScoreSetText(text))).toEqual(expected);
}

describe("parseScoreSetText()", () => {
  test("keeps null as null, 0 as 0 and odd tickers as text", () => {
    const { rows, check } = parseScoreSetText(textOf(ROWS));
    expect(rows.tickers).toEqual(["1E5", "A", "NA", "TRUE"]);
    expect(rows.scores).toEqual([0, 0.25, null, 1]);
    expect(check.snapshotId).toBe("3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01");
  });

  test("reads every score to the last bit, however it is spelled", () => {
    const spelled = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }).map(String),
      fc.double({ min: 0, max: 1, noNaN: true }).map((score) => score.toFixed(20)),
      fc.tuple(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 1, max: 17 }))
        .map(([digits, places]) => `0.${String(digits).padStart(places, "0")}`),
      fc.constantFrom(
        "0",
        "1",
        "0.0",
        "1.0",
        "-0",
        "-0.0",
        "0e5",
        "1e0",
        "1E-7",
        "0.5e-300",
        "null",
      ),
    );
    fc.assert(
      fc.property(fc.array(spelled, { minLength: 1, maxLength: 30 }), (scores) => {
        const rows = scores.map((score, i): Row => [`T${String(i).padStart(2, "0")}`, score]);
        const read = parseScoreSetText(textOf(rows)).rows.scores;
        expect(read).toEqual(scores.map((score) => {
          const value = JSON.parse(score) as number | null;
          return value === null ? null : value + 0;
        }));
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test.each([
    ["blanks as Python writes them", { comma: ", ", colon: ": " }],
    ["lines of its own for each value", { comma: ",\n  ", colon: " :\t" }],
    ["unknown fields behind the rows", { tail: ',"edition":{"n":[1,2]}' }],
    ["an escape in an unknown field", { tail: String.raw`,"note":"\u0041\"scores\":[]"` }],
    ["a nested field named scores before the rows", { head: '"extra":{"scores":[1]},' }],
    ["a text that reads scores before the rows", { head: '"extra":"scores",' }],
  ])("reads a response with %s", (_what, change) => {
    const text = textOf(ROWS, change);
    expect(parseScoreSetText(text).rows.scores).toEqual([0, 0.25, null, 1]);
    expectAgreement(text);
  });

  const nested = textOf(ROWS).replace('"scores":', '"extra":{"scores":').replace(/\]\}$/, "]}}");
  test.each(
    [
      ["a score twice in a row", [["A", '0.25,"ecpnd_score":0.75']], "repeated name"],
      ["a ticker twice in a row", [["A", '0.25,"ticker":"B"']], "repeated name"],
      ["a third field in a row", [["A", '0.25,"rank":1']], "exactly the fields"],
      ["a score as text", [["A", '"0.25"']], "a number from 0 to 1"],
      ["a score beyond 1", [["A", "1.0000000000000002"]], "a number from 0 to 1"],
      ["a score below 0", [["A", "-1e-9"]], "a number from 0 to 1"],
      ["a score that is no JSON number", [["A", ".5"]], "JSON"],
      ["a score without its decimals", [["A", "0."]], "JSON"],
      ["a score with a leading zero", [["A", "00.5"]], "JSON"],
      ["a ticker in lower case", [["a", "0.5"]], "1 to 16 of the characters"],
      ["a ticker of 17 characters", [["ABCDEFGHIJKLMNOPQ", "0.5"]], "1 to 16 of the characters"],
      ["an empty ticker", [["", "0.5"]], "1 to 16 of the characters"],
      ["tickers out of order", [["B", "0.5"], ["A", "0.5"]], 'a ticker after "B"'],
      ["a ticker that repeats", [["A", "0.5"], ["A", "0.5"]], "a ticker that does not repeat"],
    ] as const,
  )("refuses %s", (_what, rows, required) => {
    const text = textOf(rows);
    expect(() => parseScoreSetText(text)).toThrow(required);
    expectAgreement(text);
  });

  const inner = textOf(ROWS).slice(textOf(ROWS).indexOf('"scores":'), -1);
  const emptied = (name: string) =>
    textOf([], { head: `"extra":{${inner}},` }).replace(/"scores":\[\]\}$/, `${name}:[]}`)
      .replace('"tickers":0', '"tickers":4');
  test.each([
    [
      "rows in a nested field, and none where they belong",
      emptied('"scores"'),
      "number of rows, 0",
    ],
    [
      "rows in a nested field, and none where they belong, spelled in escapes",
      emptied(String.raw`"score\u0073"`),
      "number of rows, 0",
    ],
    [
      "fewer rows than its coverage says",
      textOf(ROWS).replace('"tickers":4', '"tickers":5'),
      "$.coverage.tickers",
    ],
    ["two arrays of rows", textOf(ROWS, { tail: ',"scores":[]' }), "repeated name"],
    [
      "a second array spelled in escapes",
      textOf(ROWS, { tail: String.raw`,"score\u0073":[]` }),
      "rep",
    ],
    ["a field twice", textOf(ROWS, { head: '"status":"stale",' }), "repeated name"],
    ["rows in a field of a field", nested, "an array of rows"],
    [
      "rows of the other factor",
      textOf(ROWS).replaceAll('ecpnd_score":', 'ecqdi_score":'),
      "exactly",
    ],
    ["a text that ends in the rows", textOf(ROWS).slice(0, -30), "JSON"],
    ["a text that goes on", `${textOf(ROWS)}{}`, "JSON"],
    ["no rows at all", `{${HEAD}}`, "coverage"],
    ["an array", "[]", "an object"],
  ])("refuses %s", (_what, text, required) => {
    expect(() => parseScoreSetText(text)).toThrow(required);
    expectAgreement(text);
  });

  test("agrees with the long way about any damage to a response", () => {
    const text = textOf(ROWS);
    const marks = ['"', ":", ",", "{", "}", "[", "]", "0", "9", ".", "-", "e", "A", "\\", " ", ""];
    fc.assert(
      fc.property(
        fc.nat(text.length - 1),
        fc.nat(3),
        fc.constantFrom(...marks),
        (at, removed, put) => expectAgreement(text.slice(0, at) + put + text.slice(at + removed)),
      ),
      { seed: 7, numRuns: 3_000 },
    );
  });
});
