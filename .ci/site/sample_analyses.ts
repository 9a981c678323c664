import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyzeFactor, type FactorAnalysis, trialLog } from "../../src/analysis/mod.ts";
import { demo, type Factor, readPrices } from "../../mod.ts";

// The synthetic world ends here; the clock of a trial log would give every picture another date.
const NOW = Date.UTC(2026, 10, 20, 15);

/** Analyses of factors of the synthetic world, the same on every day and every machine. */
export async function sampleAnalyses(
  factors: readonly Factor[],
): Promise<readonly FactorAnalysis[]> {
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-sample-"));
  const api = await demo({ folder });
  try {
    const prices = await readPrices(join(folder, "closes.csv"));
    const analyses: FactorAnalysis[] = [];
    for (const factor of factors) {
      const options = {
        progress: false,
        trialLog: trialLog(undefined, { now: () => NOW }),
      } as const;
      analyses.push(await analyzeFactor(await api.history(factor), prices, options));
    }
    return analyses;
  } finally {
    await api.close();
    await rm(folder, { recursive: true });
  }
}
