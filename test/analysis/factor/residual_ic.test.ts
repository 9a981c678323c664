import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { analyzeFactor, judgement } from "../../../src/analysis/mod.ts";
import { saveTables } from "../../../src/desk/dataset/mod.ts";
import { marketSessions } from "../_frames.ts";

const NAMES = 14;
const DAYS = marketSessions(80);
const noise = (d: number, i: number) => Math.sin(1.7 * d * d + 3.1 * i * i + 0.9 * d * i);
const beta = (i: number) => Math.cos(3 * i);
const cells = DAYS.flatMap((date, d) =>
  Array.from({ length: NAMES }, (_, i) => ({ date, d, i, ticker: `T${10 + i}` }))
);
const closes = new Float64Array(NAMES).fill(100);
const prices = pl.DataFrame(cells.map(({ date, d, i, ticker }) => {
  if (d > 0) {
    closes[i]! *= 1 + 0.01 * beta(i) * Math.sin(d) ** 2 + 0.01 * noise(d, i) +
      0.004 * noise(d - 1, i + 1);
  }
  return { date, ticker, close: closes[i]! };
}));
const scores = pl.DataFrame([
  pl.Series("date", cells.map(({ date }) => date), pl.Utf8),
  pl.Series("ticker", cells.map(({ ticker }) => ticker), pl.Utf8),
  pl.Series("score", cells.map(({ d, i }) => 0.8 * beta(i) + noise(d, i + 1)), pl.Float64),
  pl.Series("sector", cells.map(({ i }) => i % 2 === 0 ? "even" : "odd"), pl.Utf8),
  pl.Series("beta", cells.map(({ d, i }) => i === 3 && d % 2 === 0 ? null : beta(i)), pl.Float64),
]);
const asked = {
  ...{ periods: [1, 5], lags: [1, 2], entry: "same", calendar: "own" } as const,
  ...{ progress: false } as const,
};

describe("residualIc of an analysis", () => {
  // numpy.linalg.lstsq on dummies of the sectors and beta, scipy.stats.spearmanr by session over the stocks that have a beta, and the
  // test by equal-weighted cosines (Lazarus, Lewis, Stock and Watson, 2018) with scipy.stats.t.
  const expected = [
    {
      ...{ raw: 0.4517179023508138, residual: 0.30979273890666287, specific: 0.3715120322715259 },
      ...{ mean: -0.14192516344415082 },
      ...{ standard_error: 0.020957197846429545, p: 0.002480919882181422 },
      ...{ low: -0.20011167282353187, high: -0.08373865406476977 },
    },
    {
      ...{ raw: 0.4987106227106227, residual: 0.09919413919413919, specific: 0.13936996336996338 },
      ...{ mean: -0.3995164835164835 },
      ...{ standard_error: 0.01266152852902126, p: 6.012492747189955e-6 },
      ...{ low: -0.4346705224252068, high: -0.3643624446077602 },
    },
  ];

  test("is that of numpy and scipy, beside the raw IC of the same stocks", async () => {
    const analysis = await analyzeFactor(scores, prices, {
      ...asked,
      neutral: { group: "sector", on: ["beta"] },
    });
    const folder = await mkdtemp(join(tmpdir(), "scoreframe-residual-"));
    expect(await saveTables(analysis, folder)).toContain("residual_ic.parquet");
    const stored = await pl.scanParquet(join(folder, "residual_ic.parquet")).collect();
    expect(stored.frameEqual(analysis.residualIc!)).toBe(true);
    const plain = await analyzeFactor(scores, prices, asked);
    expect(await saveTables(plain, join(folder, "plain"))).not.toContain("residual_ic.parquet");
    await rm(folder, { recursive: true });
    const rows = analysis.residualIc!.toRecords();
    expect(rows.map(({ horizon, sessions, df, reason }) => [horizon, sessions, df, reason]))
      .toEqual([[1, 79, 4, null], [5, 75, 4, null]]);
    for (const [i, row] of expected.entries()) {
      for (const [name, value] of Object.entries(row)) {
        expect(rows[i]![name as "raw"]).toBeCloseTo(value, 10);
      }
    }
    expect(judgement(analysis).text.replaceAll(/\s+/g, " ")).toMatch(
      /(\d+) have no score \([\d.]+%\), \1 of them /,
    );
    const own = analysis.summary.table.toRecords();
    expect(rows.map(({ residual }) => residual)).toEqual(own.map(({ mean }) => mean));
    const said = judgement(analysis).facts.filter(pl.col("source").eq(pl.lit("residualIc")));
    expect(said.getColumn("statement").toArray()).toEqual([
      "At 1 session, the mean rank IC of the same stocks is 0.452 before the scores are made neutral and 0.310 after; they differ " +
      "by −0.142 (95% CI −0.200 to −0.084; 79 sessions). With returns made neutral as well it is 0.372.",
      "At 5 sessions, the mean rank IC of the same stocks is 0.499 before the scores are made neutral and 0.099 after; they " +
      "differ by −0.400 (95% CI −0.435 to −0.364; 75 sessions). With returns made neutral as well it is 0.139.",
    ]);
    expect(said.getColumn("topic").toArray()).toEqual(Array(2).fill("Information coefficient"));
  });

  test("is null where the scores are as given, and nothing is said of it", async () => {
    const analysis = await analyzeFactor(scores, prices, asked);
    expect(analysis.residualIc).toBe(null);
    expect(String(judgement(analysis))).not.toContain("made neutral");
  });
});
