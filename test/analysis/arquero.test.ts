import * as aq from "arquero";
import fc from "fast-check";
import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { fromArquero, toArquero } from "../../src/analysis/arquero.ts";

const midnight = new Date("2026-01-05T00:00:00Z");
const instant = new Date("2026-01-05T10:00:00.123Z");

function everyType(): DataFrame {
  return pl.DataFrame([
    pl.Series("day", [midnight, null, new Date("1969-12-31T00:00:00Z")], pl.Date),
    pl.Series("at", [instant, null, midnight], pl.Datetime("ms", "UTC")),
    pl.Series("text", ["NA", null, "1E5"], pl.Utf8),
    pl.Series("category", ["B", null, "A"], pl.Utf8).cast(pl.Categorical),
    pl.Series("number", [1.5, null, 0], pl.Float64),
    pl.Series("count", [1, null, -3], pl.Float64).cast(pl.Int32),
    pl.Series("flag", [true, null, false], pl.Bool),
  ]);
}

describe("toArquero", () => {
  test("keeps dates at midnight UTC, instants, texts, categories, numbers and nulls", async () => {
    const rows = (await toArquero(everyType())).objects();
    expect(rows).toEqual([
      { day: midnight, at: instant, text: "NA", category: "B", number: 1.5, count: 1, flag: true },
      { day: null, at: null, text: null, category: null, number: null, count: null, flag: null },
      {
        day: new Date("1969-12-31T00:00:00Z"),
        at: midnight,
        text: "1E5",
        category: "A",
        number: 0,
        count: -3,
        flag: false,
      },
    ]);
  });

  test("keeps categories that come from several frames", async () => {
    const parts = Array.from({ length: 5 }, (_, k) =>
      pl.DataFrame([
        pl.Series("c", Array.from({ length: 50 }, (_, i) => `T${k * 37 + i}`), pl.Utf8)
          .cast(pl.Categorical),
      ]));
    const frame = pl.concat(parts);
    const texts = frame.getColumn("c").cast(pl.Utf8).toArray();
    expect((await toArquero(frame)).array("c")).toEqual(texts);
  });

  test("refuses whole numbers beyond 2^53, and takes those below", async () => {
    const big = (value: number) =>
      pl.DataFrame([pl.Series("id", [1, value], pl.Float64).cast(pl.Int64)]);
    expect((await toArquero(big(2 ** 53 - 1))).array("id")).toEqual([1, 9007199254740991]);
    await expect(toArquero(big(2 ** 53))).rejects.toThrow(/2\^53 .* id/);
    await expect(toArquero(big(-(2 ** 60)))).rejects.toThrow(RangeError);
  });

  test("takes a frame without rows, and refuses what is no frame", async () => {
    const empty = await toArquero(everyType().head(0));
    expect([empty.numRows(), empty.columnNames().length]).toEqual([0, 7]);
    await expect(toArquero({} as never)).rejects.toThrow(TypeError);
  });
});

describe("fromArquero", () => {
  test("gives back what toArquero took, with the types of the frame it is told to be like", async () => {
    const frame = everyType();
    const back = await fromArquero(await toArquero(frame), { like: frame });
    expect(back.frameEqual(frame, true)).toBe(true);
    expect(back.dtypes.map(String)).toEqual(frame.dtypes.map(String));
  });

  test("makes numbers Float64 and texts Utf8 without being told", async () => {
    const table = aq.table({
      whole: [1, 2, null],
      text: ["a", null, "a"],
      none: [null, null, null],
    });
    const back = await fromArquero(table);
    expect(back.dtypes.map((type) => (type as { variant?: string }).variant)).toEqual([
      "Float64",
      expect.stringMatching(/Utf8|String/),
      "Float64",
    ]);
    expect(back.toRecords()[2]).toEqual({ whole: null, text: "a", none: null });
  });

  test("makes NaN null, and takes the rows that a filter left, in their order", async () => {
    const table = aq.table({ x: [1, NaN, 3, 4], keep: [true, true, false, true] })
      .filter((row: { keep: boolean }) => row.keep).orderby(aq.desc("x"));
    const back = await fromArquero(table.select("x"));
    expect(back.getColumn("x").toArray().filter((value) => value !== null)).toEqual([4, 1]);
    expect(back.getColumn("x").nullCount()).toBe(1);
  });

  test("returns any column of numbers, texts and days unchanged", async () => {
    const row = fc.record({
      x: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      s: fc.option(fc.string()),
      d: fc.option(fc.integer({ min: -20_000, max: 40_000 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const frame = pl.DataFrame([
          pl.Series("x", rows.map(({ x }) => x), pl.Float64),
          pl.Series("s", rows.map(({ s }) => s), pl.Utf8),
          pl.Series(
            "d",
            rows.map(({ d }) => d === null ? null : new Date(d * 86_400_000)),
            pl.Date,
          ),
        ]);
        const back = await fromArquero(await toArquero(frame), { like: frame });
        expect(back.frameEqual(frame, true)).toBe(true);
      }),
      { numRuns: 40, seed: 8 },
    );
  });

  test("refuses what is no table", async () => {
    await expect(fromArquero([{ x: 1 }] as never)).rejects.toThrow(TypeError);
  });
});
