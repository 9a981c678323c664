import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { typed } from "../../../../mod.ts";

const FRAME = pl.DataFrame([
  pl.Series("ticker", ["A", null], pl.Utf8),
  pl.Series("rank", [1, null], pl.Float64),
  pl.Series("at", [new Date("2026-11-19T21:00:00Z"), null], pl.Datetime("ms", "UTC")),
  pl.Series("sector", ["x", "y"], pl.Utf8).cast(pl.Categorical),
]);

describe("typed()", () => {
  test("gives the same frame, with values of the types that are stated", () => {
    const frame = typed(FRAME, {
      ticker: pl.Utf8,
      rank: pl.Float64,
      at: pl.Datetime("ms", "UTC"),
      sector: pl.Categorical,
    });
    expect(frame).toBe(FRAME);
    const ranks: (number | null)[] = frame.getColumn("rank").toArray();
    const times: (Date | null)[] = frame.getColumn("at").toArray();
    expect(ranks).toEqual([1, null]);
    expect(times).toEqual([new Date("2026-11-19T21:00:00Z"), null]);
    expect(frame.toRecords()[0]).toEqual({
      ticker: "A",
      rank: 1,
      at: new Date("2026-11-19T21:00:00Z"),
      sector: "x",
    });
  });

  test("takes Utf8 and String for the same, and leaves columns that are not named", () => {
    expect(typed(FRAME, { ticker: pl.String }).columns).toContain("rank");
  });

  test("refuses a missing column, and names the nearest", () => {
    expect(() => typed(FRAME, { rnak: pl.Float64 })).toThrow(
      "Cannot type a frame: expected the column rnak of Float64, got none (did you mean rank?); " +
        "cast or rename the column, or give its actual type",
    );
  });

  test("refuses columns of other types, all of them in one message", () => {
    expect(() =>
      typed(FRAME, { ticker: pl.Categorical, rank: pl.Int32, at: pl.Datetime("us", "UTC") })
    ).toThrow(
      "Cannot type a frame: expected the column ticker of Categorical, got String, the column rank of " +
        "Int32, got Float64, the column at of Datetime(us,UTC), got Datetime(ms,UTC); cast or " +
        "rename the column, or give its actual type",
    );
  });

  test("names six columns of a wide frame, and counts the others", () => {
    const columns = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`c${i}`, pl.Int32]));
    expect(() => typed(pl.DataFrame({}), columns)).toThrow(/c5 of Int32, .* 34 more; /);
  });

  test("refuses anything but a frame, and columns without types", () => {
    expect(() => typed(FRAME.lazy() as never, {})).toThrow(/^Cannot type .*a DataFrame/);
    expect(() => typed(FRAME, null as never)).toThrow(
      "Cannot type a frame: expected columns with their types, got null; give " +
        "{ ticker: pl.Utf8, rank: pl.Float64 }",
    );
  });
});
