import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pl, { type DataFrame } from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { judgement } from "../../../src/analysis/judgement/judgement.ts";
import { buildWorld, type ControlScores, type World } from "../../../src/server/world/mod.ts";

const quiet = { progress: false } as const;
let world: World;

beforeAll(async () => {
  world = await buildWorld(await mkdtemp(join(tmpdir(), "scoreframe-analysis-")), { hours: 240 });
});
afterAll(() => rm(world.store.path, { recursive: true }));

async function releaseOf(factor: "ecpnd" | "ecqdi"): Promise<DataFrame> {
  const [stored] = await world.store.listReleases(factor);
  const csv = gunzipSync(await readFile(stored!.path)).toString().trimEnd();
  const rows = csv.split("\n").slice(1).map((line) => line.split(","));
  return pl.DataFrame([
    pl.Series("date", rows.map(([date]) => new Date(date!)), pl.Date),
    pl.Series("ticker", rows.map(([, ticker]) => ticker!), pl.Utf8),
    pl.Series("score", rows.map(([, , score]) => score === "" ? null : Number(score)), pl.Float64),
  ]);
}

function published({ publishedAt, tickers, scores }: ControlScores): DataFrame {
  return pl.DataFrame([
    pl.Series("calculated_at", publishedAt.map((at) => new Date(at)), pl.Datetime("ms", "UTC")),
    pl.Series("ticker", [...tickers], pl.Utf8),
    pl.Series("score", [...scores], pl.Float64),
  ]);
}

function rowOf(analysis: FactorAnalysis, horizon: number) {
  return analysis.summary.table.toRecords().find((row) => row.horizon === horizon)!;
}

describe.each(["ecpnd", "ecqdi"] as const)("the planted relation of %s", (factor) => {
  test("lies within the intervals of the analysis, at every lag that the truth states", async () => {
    const analysis = await analyzeFactor(await releaseOf(factor), world.closes.path, {
      ...quiet,
      entry: "same",
    });
    const means = analysis.decayMeans.toRecords();
    for (const { lagSessions, meanIc } of world.truth.expected[factor]) {
      const row = means.find(({ group }) => group === String(lagSessions))!;
      // The truth states correlations of values; ranks of normal values correlate 3 / π as much.
      const ofRanks = 3 / Math.PI * meanIc;
      expect(row["low"], `lag ${lagSessions}`).toBeLessThan(ofRanks);
      expect(row["high"], `lag ${lagSessions}`).toBeGreaterThan(ofRanks);
    }
    expect(rowOf(analysis, 1)["low"]).toBeGreaterThan(0);
    const [decay] = analysis.halfLife.toRecords();
    const { halfLifeSessions } = world.truth.planted[factor];
    expect(decay!["half_life_low"]).toBeLessThan(halfLifeSessions);
    expect(decay!["half_life_high"]).toBeGreaterThan(halfLifeSessions);
    const judged = judgement(analysis);
    expect(judged.text).toMatch(/half-life .* is \d+ sessions/);
    const factOf = (topic: string) =>
      judged.facts.toRecords().find((row) => row["topic"] === topic)!;
    const [relation, fading] = [factOf("Information coefficient"), factOf("Decay")];
    const { meanIc } = world.truth.expected[factor][0]!;
    expect(relation["low"]).toBeLessThan(3 / Math.PI * meanIc);
    expect(relation["high"]).toBeGreaterThan(3 / Math.PI * meanIc);
    expect(fading["low"]).toBeLessThan(halfLifeSessions);
    expect(fading["high"]).toBeGreaterThan(halfLifeSessions);
  });
});

describe("what must not be found", () => {
  test("is not found in noise: zero lies within every interval", async () => {
    const scores = published(await world.controls.noise());
    const analysis = await analyzeFactor(scores, world.closes.path, quiet);
    for (const horizon of [1, 5, 21]) {
      const { low, high } = rowOf(analysis, horizon);
      expect(low, `horizon ${horizon}`).toBeLessThan(0);
      expect(high, `horizon ${horizon}`).toBeGreaterThan(0);
    }
    expect(analysis.halfLife.toRecords()[0]!["reason"]).toBe("no_relation");
  });

  test.each([1, -1])(
    "is not found in a session's return, published %i s after its close",
    async (s) => {
      const scores = published(await world.controls.foresight(s));
      const analysis = await analyzeFactor(scores, world.closes.path, quiet);
      expect(Math.abs(rowOf(analysis, 1)["mean"]!)).toBeLessThan(0.02);
      const { cutoff } = { cutoff: (await world.controls.foresight(s)).dataThrough };
      const foreseeing = scores.withColumns(
        pl.Series("calculated_at", cutoff.map((at) => new Date(at)), pl.Datetime("ms", "UTC")),
      );
      const cheated = await analyzeFactor(foreseeing, world.closes.path, {
        ...quiet,
        entry: "same",
      });
      expect(rowOf(cheated, 1)["mean"]).toBeGreaterThan(0.95);
    },
  );
});
