import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DataFrame } from "nodejs-polars";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { judgement } from "../../analysis/judgement/judgement.ts";
import { temporaryPath } from "../../store/disk/files.ts";
import { onDisk } from "../../store/disk/on_disk.ts";

/**
 * Writes the tables of an analysis to a folder, one Parquet file each, and its judgement as `judgement.txt`. The same analysis,
 * in memory or merged from parts, gives the same bytes. Each file is written aside and renamed; one that is there is replaced.
 *
 * @param analysis What `analyzeFactor` or {@link mergePartitions} gave
 * @param folder Folder of the files; made if it is not there
 * @returns The names of the files, sorted
 * @throws {StorageError} If the folder cannot be written
 *
 * @example
 * ```ts
 * import { saveTables } from "scoreframe/dataset";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const cells = Array.from({ length: 40 * 12 }, (_, i) => ({ day: Math.floor(i / 12), name: i % 12 }));
 * const date = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
 * const rows = (column: string, value: (day: number, name: number) => number) =>
 *   pl.DataFrame(cells.map(({ day, name }) => ({
 *     date: date(day),
 *     ticker: `T${name}`,
 *     [column]: value(day, name),
 *   })));
 * const scores = rows("score", (day, name) => Math.sin(day * name));
 * const prices = rows("close", (day, name) => 100 + Math.cos(day + 5 * name));
 * const analysis = await analyzeFactor(scores, prices, { periods: [1], progress: false });
 * const names = await saveTables(analysis, await Deno.makeTempDir());
 * console.assert(names.includes("summary.parquet"));
 * ```
 */
export async function saveTables(
  analysis: FactorAnalysis,
  folder: string,
): Promise<readonly string[]> {
  const tables = Object.entries(tablesOf(analysis));
  await onDisk(`write to ${folder}`, async () => {
    await mkdir(folder, { recursive: true });
    for (const [name, frame] of tables) {
      await replace(folder, `${name}.parquet`, (path) => {
        // In one piece, so that the bytes do not tell of how many parts it was put together.
        frame.rechunk().writeParquet(path, { compression: "zstd" });
        return Promise.resolve();
      });
    }
    const text = `${judgement(analysis).text}\n`;
    await replace(folder, "judgement.txt", (path) => writeFile(path, text));
  });
  return [...tables.map(([name]) => `${name}.parquet`), "judgement.txt"].toSorted();
}

function tablesOf(analysis: FactorAnalysis): Readonly<Record<string, DataFrame>> {
  const { aligned, summary, spread, monotonicity, stability, detail } = analysis;
  return {
    loss: aligned.loss.table,
    ic: analysis.ic,
    summary: summary.table,
    checks: summary.checks,
    decay: analysis.decay,
    decay_means: analysis.decayMeans,
    half_life: analysis.halfLife,
    stability: stability.table,
    stability_joint: stability.joint,
    quantile_returns: analysis.quantileReturns,
    spread: spread.data,
    spread_summary: spread.summary,
    monotonicity: monotonicity.table,
    monotonicity_steps: monotonicity.steps,
    turnover: analysis.turnover,
    rank_autocorrelation: analysis.rankAutocorrelation,
    portfolio: analysis.portfolio,
    performance: analysis.performance,
    drawdowns: analysis.drawdowns,
    costs: analysis.costs,
    alpha_beta: analysis.alphaBeta,
    wealth: detail.wealth,
    ic_by_month: detail.icByMonth,
    coverage: detail.coverage.bySession.drop("median_age"),
    gaps: detail.coverage.gaps,
    unscored: detail.coverage.unscored,
  };
}

async function replace(
  folder: string,
  name: string,
  write: (path: string) => Promise<void>,
): Promise<void> {
  const temporary = temporaryPath(folder);
  try {
    await write(temporary);
    await rename(temporary, join(folder, name));
  } finally {
    await rm(temporary, { force: true });
  }
}
