import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeCheck } from "../../../../src/base/contract/scores/check.ts";
import { encodeScoreRows } from "../../../../src/base/contract/scores/score_rows.ts";
import { parseScoreSet } from "../../../../src/base/contract/scores/score_set.ts";

type Wire = Record<string, unknown> & { coverage: Record<string, unknown>; scores: unknown[] };

function ecpnd(change: Record<string, unknown> = {}): Wire {
  return {
    factor: "ecpnd",
    score_name: "ecpnd_score",
    universe: "US research universe",
    factor_version: "ecpnd-v1",
    snapshot_id: "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01",
    calculated_at: "2026-11-19T14:00:00.000Z",
    last_checked_at: "2026-11-19T15:00:00.000Z",
    data_through: "2026-11-19T14:55:00.000Z",
    status: "current",
    prices_through: "2026-11-18",
    coverage: {
      tickers: 4,
      price_tickers_current: 4,
      price_tickers_tracked: null,
      pending_calls: 0,
      failed_calls: 0,
    },
    scores: [
      { ticker: "1E5", ecpnd_score: 0 },
      { ticker: "A", ecpnd_score: 0.25 },
      { ticker: "NA", ecpnd_score: null },
      { ticker: "TRUE", ecpnd_score: 1 },
    ],
    ...change,
  };
}

function ecqdi(coverage: Record<string, unknown> = {}): Wire {
  return {
    ...ecpnd(),
    factor: "ecqdi",
    score_name: "ecqdi_score",
    factor_version: "ecqdi-v1",
    coverage: { ...ecpnd().coverage, scored_tickers: 3, pending_factor_calls: 2, ...coverage },
    scores: ecpnd().scores.map((row) => {
      const { ticker, ecpnd_score } = row as { ticker: string; ecpnd_score: number | null };
      return { ticker, ecqdi_score: ecpnd_score };
    }),
  };
}

test("parseScoreSet() keeps null as null, 0 as 0 and odd tickers as text", () => {
  const { rows } = parseScoreSet(ecpnd());
  expect(rows.tickers).toEqual(["1E5", "A", "NA", "TRUE"]);
  expect(rows.scores).toEqual([0, 0.25, null, 1]);
});

test("parseScoreSet() reads -0 as the valid score 0", () => {
  const scores = JSON.parse('[{"ticker":"A","ecpnd_score":-0}]');
  const { rows } = parseScoreSet(ecpnd({ scores, coverage: { ...ecpnd().coverage, tickers: 1 } }));
  expect(Object.is(rows.scores[0], 0)).toBe(true);
});

test.each(["universe", "factor_version", "status"])(
  "parseScoreSet() refuses an empty %s",
  (field) => {
    expect(() => parseScoreSet(ecpnd({ [field]: "" })))
      .toThrow(`$.${field}: expected text that is not empty, got ""`);
  },
);

test.each(["tickers", "pending_calls", "failed_calls", "price_tickers_current"])(
  "parseScoreSet() refuses a negative %s, and one beyond what a number holds",
  (field) => {
    for (const value of [-1, 2 ** 53]) {
      expect(() => parseScoreSet(ecpnd({ coverage: { ...ecpnd().coverage, [field]: value } })))
        .toThrow(new RegExp(`coverage\\.${field}: .*, got ${value}$`));
    }
  },
);

test("a score set comes back from parse and encode as it was, unknown fields included", () => {
  for (const wire of [ecpnd({ synthetic: true, edition: { n: 1 } }), ecqdi({ queue: 7 })]) {
    const { check, rows } = parseScoreSet(wire);
    const scores = encodeScoreRows(rows, check.scoreName);
    expect({ ...encodeCheck(check), scores }).toEqual(wire);
  }
});

test("parseScoreSet() keeps a status that it does not know", () => {
  expect(parseScoreSet(ecpnd({ status: "paused" })).check.status).toBe("paused");
});

test("parseScoreSet() writes instants with milliseconds and ids in lower case", () => {
  const { check } = parseScoreSet(ecpnd({
    last_checked_at: "2026-11-19T16:00:00+01:00",
    snapshot_id: "3F2B7C1E-9A4D-4C8B-8F10-2D6E5A7B9C01",
  }));
  expect(check.lastCheckedAt).toBe("2026-11-19T15:00:00.000Z");
  expect(check.snapshotId).toBe("3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01");
});

describe("parseScoreSet() names the place, what was expected and what came", () => {
  const rows = ecpnd().scores;
  test.each<[string, Wire, string]>([
    ["factor", ecpnd({ factor: "ECPND" }), '$.factor: expected "ecpnd" or "ecqdi", got "ECPND"'],
    ["score name", ecpnd({ score_name: "ecqdi_score" }), '$.score_name: expected "ecpnd_score"'],
    ["id", ecpnd({ snapshot_id: "12" }), '$.snapshot_id: expected a UUID, got "12"'],
    [
      "time",
      ecpnd({ data_through: "yesterday" }),
      "$.data_through: expected an RFC 3339 date-time",
    ],
    [
      "no status",
      ecpnd({ status: undefined }),
      "$.status: expected text that is not empty, got nothing",
    ],
    [
      "date",
      ecpnd({ prices_through: "2026-02-30" }),
      "$.prices_through: expected a date of the form YYYY-MM-DD",
    ],
    [
      "check before publication",
      ecpnd({ last_checked_at: "2026-11-19T13:00:00Z" }),
      "$.last_checked_at: expected a time not before calculated_at 2026-11-19T14:00:00.000Z",
    ],
    [
      "coverage",
      ecpnd({ coverage: { ...ecpnd().coverage, tickers: 1.5 } }),
      "$.coverage.tickers: expected a whole number",
    ],
    [
      "coverage count",
      ecpnd({ coverage: { ...ecpnd().coverage, tickers: 5 } }),
      "expected the number of rows, 4, got 5",
    ],
    [
      "scored",
      ecqdi({ scored_tickers: 4 }),
      "expected the number of scores that are not null, 3, got 4",
    ],
    ["ecqdi count missing", ecqdi({ scored_tickers: undefined }), "$.coverage.scored_tickers"],
    ["not rows", ecpnd({ scores: {} }), "$.scores: expected an array of rows"],
    [
      "a third field",
      ecpnd({ scores: [{ ticker: "A", ecpnd_score: 0, x: 1 }] }),
      "$.scores[0]: expected an object with exactly",
    ],
    [
      "other score",
      ecpnd({ scores: [{ ticker: "A", ecqdi_score: 0 }] }),
      "$.scores[0]: expected an object with exactly",
    ],
    [
      "score as text",
      ecpnd({ scores: [{ ticker: "A", ecpnd_score: "0.5" }] }),
      '$.scores[0].ecpnd_score: expected a number from 0 to 1, or null, got "0.5"',
    ],
    [
      "score too high",
      ecpnd({ scores: [{ ticker: "A", ecpnd_score: 1.0000001 }] }),
      "$.scores[0].ecpnd_score",
    ],
    [
      "infinite",
      ecpnd({ scores: JSON.parse('[{"ticker":"A","ecpnd_score":1e999}]') }),
      "got Infinity",
    ],
    [
      "lower case ticker",
      ecpnd({ scores: [{ ticker: "a", ecpnd_score: 0 }] }),
      "$.scores[0].ticker",
    ],
    [
      "ticker of 17",
      ecpnd({ scores: [{ ticker: "ABCDEFGHIJKLMNOPQ", ecpnd_score: 0 }] }),
      "$.scores[0].ticker",
    ],
    [
      "repeated ticker",
      ecpnd({ scores: [rows[1], rows[1], rows[2], rows[3]] }),
      '$.scores[1].ticker: expected a ticker that does not repeat, got "A"',
    ],
    [
      "unsorted",
      ecpnd({ scores: [rows[3], rows[1], rows[2], rows[0]] }),
      '$.scores[1].ticker: expected a ticker after "TRUE", got "A"',
    ],
  ])("%s", (_, wire, message) => {
    expect(() => parseScoreSet(wire)).toThrow(message);
  });
});

test("parseScoreSet() accepts the alphabet of dictionaries beside that of character codes", () => {
  for (const tickers of [["BFA", "BF-B", "BRK"], ["BF-B", "BFA", "BRK"]]) {
    const scores = tickers.map((ticker) => ({ ticker, ecpnd_score: 0.5 }));
    const coverage = { ...ecpnd().coverage, tickers: 3 };
    expect(parseScoreSet(ecpnd({ scores, coverage })).rows.tickers).toEqual(tickers);
  }
});

test("parseScoreSet() takes one row under a ticker filter, with the coverage of the full set", () => {
  const wire = ecpnd({ scores: [{ ticker: "NA", ecpnd_score: null }] });
  expect(parseScoreSet(wire, { ticker: "NA" }).check.coverage.tickers).toBe(4);
  expect(() => parseScoreSet(wire, { ticker: "A" })).toThrow(
    'expected exactly the row of "A", got "NA"',
  );
  expect(() => parseScoreSet(ecpnd(), { ticker: "A" })).toThrow("an array of 4");
  // The row that was asked for does not excuse the others.
  expect(() => parseScoreSet(ecpnd(), { ticker: "1E5" })).toThrow("an array of 4");
});

test("parseScoreSet() answers any JSON with a set or a ContractViolation, nothing else", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.string(), (value, field) => {
    for (const wire of [value, { ...ecpnd(), [field]: value }, ecpnd({ scores: [value] })]) {
      try {
        parseScoreSet(wire);
      } catch (error) {
        expect((error as Error).name).toBe("ContractViolation");
      }
    }
  }));
});
