import fc from "fast-check";
import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { align, forwardReturns } from "../../../../src/analysis/mod.ts";

const DAYS = ["02", "03", "04", "05", "08", "09", "10", "11", "12"].map((day) => `2024-01-${day}`);
const TICKERS = ["A", "B", "C"];
const returns = forwardReturns(
  pl.DataFrame(
    DAYS.flatMap((date, d) => TICKERS.map((ticker, i) => ({ date, ticker, close: 100 + d + i }))),
  ),
  { periods: [1] },
);

interface Version {
  readonly ticker: string;
  /** The date that the score is of, as a month of 2023. */
  readonly month: number;
  /** The session on whose noon it was known. */
  readonly known: number;
  readonly score: number;
}

function alignedOf(versions: readonly Version[]) {
  return align(
    pl.DataFrame([
      pl.Series("date", versions.map(({ month }) => `2023-${String(month).padStart(2, "0")}-28`)),
      pl.Series(
        "at",
        versions.map(({ known }) => new Date(`${DAYS[known]}T17:00:00Z`)),
        pl.Datetime("ms", "UTC"),
      ),
      pl.Series("ticker", versions.map(({ ticker }) => ticker)),
      pl.Series("score", versions.map(({ score }) => score), pl.Float64),
    ]),
    returns,
  );
}

/** At a session: of each date the version known latest, and of these the greatest date. */
function inForce(versions: readonly Version[], ticker: string, session: number) {
  return versions.filter((one) => one.ticker === ticker && one.known <= session)
    .toSorted((a, b) => b.month - a.month || b.known - a.known)[0];
}

describe("scores that have a date and the time at which they were known", () => {
  test("are in force by stock: the latest date known, in its latest version, with its age", () => {
    const version = fc.record({
      ticker: fc.constantFrom(...TICKERS),
      month: fc.integer({ min: 1, max: 4 }),
      known: fc.integer({ min: 0, max: DAYS.length - 1 }),
      score: fc.integer({ min: 1, max: 9 }),
    });
    const unique = (one: Version) => `${one.ticker} ${one.month} ${one.known}`;
    fc.assert(fc.property(
      fc.uniqueArray(version, { minLength: 1, maxLength: 20, selector: unique }),
      (versions) => {
        const rows = alignedOf(versions).data.toRecords();
        const expected = DAYS.flatMap((day, d) =>
          TICKERS.flatMap((ticker) => {
            const one = inForce(versions, ticker, d);
            return one === undefined ? [] : [[day, ticker, one.score, d - one.known]];
          })
        );
        expect(rows.map((row) => [
          row.session!.toISOString().slice(0, 10),
          row.ticker,
          row.score,
          row.age,
        ])).toEqual(expected);
      },
    ));
  });

  test("count a restated older date as superseded, and refuse two versions of one instant", () => {
    const first = { ticker: "A", month: 2, known: 1, score: 1 };
    const late = { ticker: "A", month: 1, known: 3, score: 9 };
    expect(
      alignedOf([first, late]).loss.table.filter(pl.col("reason").eq(pl.lit("superseded")))
        .getColumn("rows").toArray(),
    ).toEqual([1]);
    expect(() => alignedOf([first, { ...first, score: 2 }])).toThrow(
      "expected one version of A for 2023-02-28 known at 2024-01-03T17:00:00",
    );
  });
});
