import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  changes,
  forwardReturns,
  informationCoefficient,
} from "../../../src/analysis/mod.ts";

const values = (frame: pl.DataFrame, name = "score") => frame.getColumn(name).toArray();

describe("changes()", () => {
  test("are over sessions of the market and not over rows: 26 November 2026 is a holiday", () => {
    const scores = pl.DataFrame({
      date: ["2026-11-24", "2026-11-25", "2026-11-27", "2026-11-30", "2026-12-02"],
      ticker: Array(5).fill("A"),
      score: [0.1, 0.2, 0.4, 0.8, 0.9],
    });
    // Sessions: 24, 25, 27, 30 November, 1, 2 December.
    expect(values(changes(scores, { sessions: 1 }))).toEqual([null, 0.1, 0.2, 0.4, null]);
    expect(values(changes(scores, { sessions: 2 }))).toEqual([null, null, 0.3, 0.6, 0.1]);
    expect(values(changes(scores, { sessions: 1, calendar: "own" })))
      .toEqual([null, 0.1, 0.2, 0.4, 0.1]);
  });

  test("are of each ticker, null where one is missing, in the order of the rows, with all columns", () => {
    const scores = pl.DataFrame({
      ticker: ["B", "A", "A", "B", "C"],
      date: ["2026-10-27", "2026-10-27", "2026-10-26", "2026-10-26", "2026-10-27"],
      ecpnd_score: [0.5, null, 0.3, 0.75, 0.1],
      factor_version: Array(5).fill("v1"),
    });
    const changed = changes(scores, { sessions: 1 });
    expect(changed.columns).toEqual(scores.columns);
    expect(values(changed, "ecpnd_score")).toEqual([-0.25, null, null, null, null]);
    expect(values(changed, "ticker")).toEqual(["B", "A", "A", "B", "C"]);
  });

  test("of instants belong to the first session that closes after them", () => {
    const scores = pl.DataFrame({
      // Friday after the close of 16:00 in New York (21:00 UTC), and Monday before it: one session; Tuesday: the next one.
      at: ["2026-11-13T20:00:00Z", "2026-11-16T20:00:00Z", "2026-11-17T20:59:00Z"],
      ticker: ["A", "A", "A"],
      score: [0.1, 0.4, 0.8],
    });
    expect(values(changes(scores, { sessions: 1 }))).toEqual([null, 0.3, 0.4]);
    const twice = pl.DataFrame({
      at: ["2026-11-13T22:00:00Z", "2026-11-16T20:00:00Z"],
      ticker: ["A", "A"],
      score: [0.1, 0.4],
    });
    expect(() => changes(twice, { sessions: 1 })).toThrow(
      "expected one time per session, got 2026-11-13T22:00:00.000Z and 2026-11-16T20:00:00.000Z; give the result of align()",
    );
  });

  test("of aligned scores count the sessions of the prices, and every statistic takes them", () => {
    const dates = ["2026-10-26", "2026-10-27", "2026-10-28", "2026-10-29", "2026-10-30"];
    const tickers = ["A", "B", "C"];
    const rows = dates.flatMap((date, d) => tickers.map((ticker, i) => ({ date, ticker, d, i })));
    const prices = pl.DataFrame(
      rows.map(({ date, ticker, d, i }) => ({ date, ticker, close: 100 + d * i })),
    );
    const scores = pl.DataFrame(
      rows.map(({ date, ticker, d, i }) => ({ date, ticker, score: d * d * i / 100 })),
    );
    const changed = changes(align(scores, forwardReturns(prices, { periods: [1] })), {
      sessions: 2,
    });
    // (d² − (d − 2)²) i / 100
    expect(values(changed).slice(6, 9)).toEqual([0, 0.04, 0.08]);
    const ic = informationCoefficient(changed, { minNames: 3 });
    expect(values(ic.drop("reason"), "ic").filter((value) => value !== null)).toEqual([1]);
  });

  test("refuse what they cannot count", () => {
    const frame = (date: string) => pl.DataFrame({ date: [date], ticker: ["A"], score: [1] });
    expect(() => changes(frame("2026-10-31"), { sessions: 1 })).toThrow(
      'expected dates that are sessions, got 2026-10-31; drop the rows, or count the dates of the frame with calendar: "own"',
    );
    expect(() => changes(frame("2026-10-30"), {} as never)).toThrow(TypeError);
    expect(() => changes(frame("2026-10-30"), { sessions: 0 })).toThrow(RangeError);
    const twice = pl.DataFrame({
      date: Array(2).fill("2026-10-30"),
      ticker: ["A", "A"],
      score: [1, 2],
    });
    expect(() => changes(twice, { sessions: 1 })).toThrow(
      "expected one row a time and ticker, got several for 2026-10-30 A",
    );
  });
});
