import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { ReleaseBuilder } from "../../../../src/frames/frame/release/release_builder.ts";

type Row = readonly [day: number, ticker: string, score: number | null];

/** Frame of rows that reach the builder in pieces of a size, each with the tickers known by then. */
async function build(
  rows: readonly Row[],
  layout: "categorical" | "text",
  pieceRows = rows.length,
) {
  const builder = new ReleaseBuilder("ecpnd", layout);
  const names: string[] = [];
  const numberOf = (ticker: string) => {
    if (!names.includes(ticker)) names.push(ticker);
    return names.indexOf(ticker);
  };
  for (let from = 0; from < rows.length; from += pieceRows) {
    const piece = rows.slice(from, from + pieceRows);
    builder.add({
      days: Int32Array.from(piece, ([day]) => day),
      numbers: Uint32Array.from(piece, ([, ticker]) => numberOf(ticker)),
      scores: Float64Array.from(piece, ([, , score]) => score ?? NaN),
      names,
    });
  }
  return await builder.finish(names);
}

function recordsOf(rows: readonly Row[]) {
  return rows.map(([day, ticker, score]) => ({
    date: new Date(day * 86_400_000),
    ticker,
    ecpnd_score: score,
  }));
}

const TICKERS = ["-", "0012", "1E5", "ABCDEFGH", "BRK.B", "NA", "ZZZZZZZZZZZZ", "ZZZZZZZZZZZZZZZZ"];
const ROWS: readonly Row[] = [20_678, 20_679, 20_680].flatMap((day) =>
  TICKERS.map((ticker, i): Row => [day, ticker, i === 5 ? null : (day % 3 + i) / 10])
);

describe("ReleaseBuilder", () => {
  for (const layout of ["text", "categorical"] as const) {
    for (const pieceRows of [1, 5, 8, 24]) {
      test(`gives dates, tickers and scores as they are: ${layout}, pieces of ${pieceRows} rows`, async () => {
        const { rows } = await build(ROWS, layout, pieceRows);
        expect(rows.toRecords()).toEqual(recordsOf(ROWS));
        expect(rows.dtypes.map(String)).toEqual([
          "DataType(Date)",
          layout === "text" ? "DataType(String)" : "DataType(Categorical)",
          "DataType(Float64)",
        ]);
      });
    }

    test(`gives a frame of no rows with the same columns: ${layout}`, async () => {
      const { rows } = await build([], layout);
      expect([rows.height, rows.columns]).toEqual([0, ["date", "ticker", "ecpnd_score"]]);
    });

    test(`gives every row of a release with a single stock: ${layout}`, async () => {
      const single: Row[] = [[20_678, "ONE", 0.5], [20_679, "ONE", null], [20_680, "ONE", 1]];
      const { rows } = await build(single, layout, 2);
      expect(rows.toRecords()).toEqual(recordsOf(single));
    });

    test(`keeps releases with other tickers apart, although Polars numbers them in one table: ${layout}`, async () => {
      const frameOf = async (tickers: readonly string[]) =>
        (await build(tickers.map((ticker): Row => [20_678, ticker, 0]), layout, 2)).rows;
      const first = await frameOf(["X1", "X2", "X3"]);
      const second = await frameOf(["X3", "X0", "X1"]);
      expect(first.getColumn("ticker").cast(pl.Utf8).toArray()).toEqual(["X1", "X2", "X3"]);
      expect(second.getColumn("ticker").cast(pl.Utf8).toArray()).toEqual(["X3", "X0", "X1"]);
    });

    test(`gives each row a code, and each ticker the code of its rows: ${layout}`, async () => {
      const { codes, tickers, codeOf } = await build(ROWS, layout, 5);
      expect(tickers).toEqual(TICKERS);
      const tickerOf = new Map(codeOf.map((code, i) => [code, tickers[i]]));
      expect((codes.toArray() as number[]).map((code) => tickerOf.get(code)))
        .toEqual(ROWS.map(([, ticker]) => ticker));
    });
  }

  test("reads sessions and tickers back as they came, also where categories existed before", async () => {
    pl.Series("earlier", ["first", "second"], pl.Utf8).cast(pl.Categorical);
    for (const layout of ["text", "categorical"] as const) {
      const builder = new ReleaseBuilder("ecpnd", layout);
      expect(builder.keys()).toEqual({ days: new Int32Array(0), numbers: new Uint32Array(0) });
      const scores = new Float64Array(2);
      const names = ["X", "Y"];
      const [days, numbers] = [new Int32Array([1, 1]), new Uint32Array([1, 0])];
      builder.add({ days, numbers, scores, names });
      builder.add({ days: new Int32Array([2, 3]), numbers, scores, names });
      expect(builder.keys())
        .toEqual({ days: new Int32Array([1, 1, 2, 3]), numbers: new Uint32Array([1, 0, 1, 0]) });
      await builder.finish(names);
    }
  });

  // Polars adds constant columns value by value to a frame whose first column is in pieces.
  test("has its dates in one piece", async () => {
    for (const layout of ["text", "categorical"] as const) {
      const { rows } = await build(ROWS, layout, 5);
      expect(rows.getColumn("date").nChunks()).toBe(1);
    }
  });
});
