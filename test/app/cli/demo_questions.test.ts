import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { largestMoves, topQuintilePersistence } from "../../../src/app/cli/demo.ts";
import { toChangeFrame } from "../../../src/frames/vintage/compare_frame.ts";

function scoresOf(scores: Readonly<Record<string, number | null>>) {
  return pl.DataFrame([
    pl.Series("ticker", Object.keys(scores), pl.Utf8),
    pl.Series("ecpnd_score", Object.values(scores), pl.Float64),
  ]);
}

test("largestMoves() puts the largest move first, whichever way it went", () => {
  const before = scoresOf({ A: 0.5, B: 0.5, C: 0.5, D: null });
  const after = scoresOf({ A: 0.75, B: 0, C: 0.5, D: 0.5 });
  expect(largestMoves(toChangeFrame(before, after)).select("ticker", "move").rows()).toEqual([
    ["B", -0.5],
    ["A", 0.25],
  ]);
});

describe("topQuintilePersistence()", () => {
  // Ten names on the last two sessions of each month; what stands on the last one counts.
  const names = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"];
  const month = (date: string, tops: readonly string[]) =>
    names.map((name, i) => [date, name, tops.includes(name) ? 0.9 + i / 100 : i / 100] as const);
  const rows = [
    ...month("2026-01-29", ["I", "J"]),
    ...month("2026-01-30", ["A", "B"]),
    ...month("2026-02-27", ["B", "C"]),
    ...month("2026-03-31", ["B", "C"]),
  ];
  const release = pl.DataFrame([
    pl.Series("date", rows.map(([date]) => new Date(date)), pl.Date),
    pl.Series("ticker", rows.map(([, ticker]) => ticker), pl.Utf8),
    pl.Series("ecpnd_score", rows.map(([, , score]) => score), pl.Float64),
  ]);

  test("follows the names on top at a month's last session to the next one's", () => {
    expect(topQuintilePersistence(release, "ecpnd_score").toRecords()).toEqual([
      { month: "2026-01", top_quintile: 2, retained: 0.5 },
      { month: "2026-02", top_quintile: 2, retained: 1 },
      { month: "2026-03", top_quintile: 2, retained: null },
    ]);
  });

  test("keeps saying where its numbers come from", () => {
    const marked = release.withColumns(pl.lit("embedded, synthetic").alias("source"));
    const sources = topQuintilePersistence(marked, "ecpnd_score").getColumn("source").toArray();
    expect(sources).toEqual(Array.from({ length: 3 }, () => "embedded, synthetic"));
  });

  test("leaves names without a score out, on whichever side of a month they stand", () => {
    const gaps = release.withColumns(
      pl.when(pl.col("ticker").eq(pl.lit("J"))).then(pl.lit(null)).otherwise(pl.col("ecpnd_score"))
        .alias("ecpnd_score"),
    );
    expect(topQuintilePersistence(gaps, "ecpnd_score").toRecords()[0]).toEqual(
      { month: "2026-01", top_quintile: 2, retained: 0.5 },
    );
  });
});
