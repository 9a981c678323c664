import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DataFrame } from "nodejs-polars";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { judgement } from "../../analysis/judgement/judgement.ts";
import { markFolder } from "./mark_folder.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { replaceFile } from "../../base/disk/replace_file.ts";
import { refuseAddress } from "../../base/arguments/refuse_address.ts";

/**
 * Writes the tables of an analysis to a folder, one Parquet file each, and its judgement as `judgement.txt`. Equal
 * analyses give the same bytes. While a study is open, `scoreframe-study.json` beside them says which. Each file is written under a temporary name and renamed; existing
 * files are replaced.
 *
 * @param analysis Result of `analyzeFactor`
 * @param folder Folder of the files; created if missing
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
 * // Weekdays from 14 September 2026 on, none of which is a holiday.
 * const weekday = (i: number) => new Date(Date.UTC(2026, 8, 14 + i + 2 * Math.floor(i / 5)));
 * const date = (i: number) => weekday(i).toISOString().slice(0, 10);
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
  refuseAddress("save tables", folder);
  const tables = Object.entries(tablesOf(analysis));
  await onDisk(`write to ${folder}`, async () => {
    await mkdir(folder, { recursive: true });
    for (const [name, frame] of tables) {
      await replaceFile(join(folder, `${name}.parquet`), (path) => {
        // Rechunked, so that the bytes do not depend on the number of parts.
        frame.rechunk().writeParquet(path, { compression: "zstd" });
        return Promise.resolve();
      });
    }
    const text = `${judgement(analysis).text}\n`;
    await replaceFile(join(folder, "judgement.txt"), (path) => writeFile(path, text));
    await markFolder(folder);
  });
  return [...tables.map(([name]) => `${name}.parquet`), "judgement.txt"].toSorted();
}

function tablesOf(analysis: FactorAnalysis): Readonly<Record<string, DataFrame>> {
  const { aligned, summary, spread, monotonicity, stability, detail } = analysis;
  return {
    loss: aligned.loss.table,
    ic: analysis.ic,
    summary: summary.table,
    checks: summary.tables.checks,
    decay: analysis.decay,
    decay_means: analysis.decayMeans,
    half_life: analysis.halfLife,
    stability: stability.table,
    stability_joint: stability.tables.joint,
    quantile_returns: analysis.quantileReturns,
    spread: spread.data,
    spread_summary: spread.summary,
    monotonicity: monotonicity.table,
    monotonicity_steps: monotonicity.tables.steps,
    turnover: analysis.turnover,
    rank_autocorrelation: analysis.rankAutocorrelation,
    portfolio: analysis.portfolio,
    performance: analysis.performance,
    drawdowns: analysis.drawdowns,
    costs: analysis.costs,
    alpha_beta: analysis.alphaBeta,
    cumulative_net_returns: detail.cumulativeNetReturns,
    ic_by_month: detail.icByMonth,
    coverage: detail.coverage.bySession,
    gaps: detail.coverage.gaps,
    unscored: detail.coverage.unscored,
    ...(analysis.residualIc === null ? {} : { residual_ic: analysis.residualIc }),
  };
}
