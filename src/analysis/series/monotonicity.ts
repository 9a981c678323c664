import {
  type MeanSeries,
  type SessionSeries,
  testCells,
  toObservations,
} from "../inference/tested_mean.ts";
import { checkOptions } from "../../base/arguments/check_options.ts";
import { blockLengthOf, type BootstrapOptions, stationaryDraws } from "../inference/bootstrap.ts";
import { BOOTSTRAP, testMean } from "../inference/test_mean.ts";
import { StatedResult, tableOfRows } from "../table/frame_of_rows.ts";
import {
  onCommonSessions,
  readSeries,
  SERIES_RULES,
  type SeriesInput,
  type SeriesOptions,
} from "./read_series.ts";
import { countText, pPhrase } from "../../base/wording/number_text.ts";
import { periodText } from "../../base/wording/period_text.ts";
import { becauseText } from "../../base/wording/sentences/reason_text.ts";
import { stepsText } from "../../base/wording/sentences/quantile_text.ts";
import { rankCorrelation } from "../../base/statistics/mean_ranks.ts";
import { demean, meanOf } from "../../base/statistics/moments.ts";
import type { RecordOf, TableOf } from "../table/columns.ts";

/**
 * Tests whether mean returns rise from quantile to quantile, for each horizon.
 *
 * `mr_p` (Patton and Timmermann, 2010, by a seeded stationary bootstrap of the smallest step) rejects that the pattern is flat or
 * falling everywhere. Only sessions in which all quantiles have a return are used. `rank_correlation` is Spearman's, of means and quantile numbers.
 *
 * @param returns Mean returns by session and quantile: `session`, `horizon`, `quantile` and `return`
 * @param options Columns, and the draws of the bootstrap
 * @returns The tests by horizon (`table`), and each step from quantile to quantile (`tables.steps`)
 * @throws {TypeError} If a column is missing or an option is unknown
 * @throws {RangeError} If a horizon has fewer than two quantiles
 * @see Patton and Timmermann (2010), Monotonicity in asset returns, Journal of Financial Economics 98
 *
 * @example Usage
 * ```ts
 * import { monotonicity } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const rows = Array.from({ length: 120 }, (_, i) => ({
 *   session: new Date(Date.UTC(2026, 0, 1 + Math.floor(i / 3))).toISOString().slice(0, 10),
 *   quantile: 1 + i % 3,
 *   return: 0.01 * (i % 3) + 0.001 * Math.sin(i * i),
 * }));
 * const { table } = monotonicity(pl.DataFrame(rows));
 * console.assert(Number(table.toRecords()[0]?.mr_p) < 0.01);
 * ```
 */
export function monotonicity(
  returns: SeriesInput,
  options: SeriesOptions & {
    /** Draws, seed and block length. @default 999 draws with seed 1 in blocks that suit the autocorrelation, of at least twice the overlap */
    readonly bootstrap?: BootstrapOptions;
  } = {},
): StatedResult<
  TableOf<typeof LADDER_COLUMNS>,
  { readonly steps: TableOf<typeof STEP_COLUMNS> }
> {
  const action = "test whether returns rise";
  checkOptions(action, options, { ...SERIES_RULES, bootstrap: BOOTSTRAP });
  const { bootstrap = {}, ...columns } = options;
  const series = readSeries(action, returns, columns).filter(({ group }) => group !== null);
  const ladders = [...Map.groupBy(series, ({ horizon }) => horizon).values()]
    .map((own) => toLadder(action, own, bootstrap));
  if (ladders.length === 0) toLadder(action, [], bootstrap);
  const steps = ladders.flatMap(({ horizon, steps }) =>
    steps.map((one) => [horizon, one.step, one.mean, ...testCells(one), one.n, one.reason])
  );
  const rows = ladders.map(({ horizon, buckets, rank, smallestStep, mrP, n, reason }) => {
    return [horizon, buckets, rank, smallestStep, mrP, n, reason];
  });
  const text = ladders.map((ladder) => periodText(describeLadder(ladder), ladder.unit)).join("\n");
  return new StatedResult(text, tableOfRows(rows, LADDER_COLUMNS), {
    steps: tableOfRows(steps, STEP_COLUMNS),
  });
}

/** Columns of the table, in order. */
const STEP_COLUMNS = "horizon step mean standard_error t df p low high n reason";

/** Columns of the table, in order. */
const LADDER_COLUMNS = "horizon buckets rank_correlation smallest_step mr_p n reason";

function toLadder(action: string, buckets: readonly SessionSeries[], bootstrap: BootstrapOptions) {
  if (buckets.length < 2) {
    throw new RangeError(
      `Cannot ${action}: expected two quantiles or more, got ${buckets.length}; give a frame with a ` +
        "column quantile or group, such as that of meanReturnByQuantile()",
    );
  }
  const common = onCommonSessions(buckets);
  const { horizon, unit } = common[0]!;
  const differences = common.slice(1).map((upper, i) => {
    return { ...upper, values: upper.values.map((value, t) => value - common[i]!.values[t]!) };
  });
  const steps = differences.map((series, i) => {
    return { ...testMean(series), horizon, step: `${common[i]!.group} to ${common[i + 1]!.group}` };
  });
  const reason = steps.find((step) => step.reason !== null)?.reason ?? null;
  const smallest = Math.min(...steps.map(({ mean }) => mean ?? NaN));
  // Spearman's correlation of the quantile means with the numbers 1, 2, ….
  const means = common.map((one) => testMean(one).mean ?? NaN);
  const rank = rankCorrelation(means, [...means.keys()]);
  return {
    horizon,
    unit,
    buckets: common.length,
    n: steps[0]!.n,
    rank: Number.isNaN(rank) || means.some(Number.isNaN) ? null : rank,
    smallestStep: Number.isNaN(smallest) ? null : smallest,
    mrP: reason === null ? smallestStepP(differences, bootstrap) : null,
    reason,
    steps,
  };
}

function describeLadder(ladder: ReturnType<typeof toLadder>): string {
  const { horizon, buckets, n, mrP, reason } = ladder;
  if (mrP === null) {
    const sample = n === 0
      ? "no session has a return in each of them"
      : `${countText(n, "session")}; ${becauseText(reason!)}`;
    return `There is no test of the steps between ${buckets} quantiles at ` +
      `${countText(horizon, "session")} (${sample}).`;
  }
  return `${
    describeSteps(ladder.steps)!.statement
  } The null hypothesis that none rises (Patton and ` +
    `Timmermann) has ${pPhrase(mrP)}.`;
}

/** The steps of the first horizon in the direction of their sum, in a sentence, and how many are significant; `null` without a test. */
export function describeSteps(
  rows: readonly Pick<RecordOf<typeof STEP_COLUMNS>, "horizon" | "mean" | "low" | "high" | "n">[],
): { readonly statement: string; readonly clear: number; readonly n: number } | null {
  const [first] = rows;
  const steps = rows.filter(({ horizon }) => horizon === first!.horizon);
  if (first === undefined || steps.some(({ low }) => low === null)) return null;
  const isFalling = steps.reduce((sum, { mean }) => sum + mean!, 0) < 0;
  const clear = steps.filter(({ low, high }) => isFalling ? high! < 0 : low! > 0).length;
  const found = { horizon: first.horizon!, isFalling, steps: steps.length, clear };
  return { statement: stepsText({ ...found, sessions: first.n! }), clear, n: first.n! };
}

/**
 * Patton and Timmermann's (2010) p value of a rising pattern: the share of bootstrap draws, all steps drawn together
 * and about their means, whose smallest step is at least the one found.
 *
 * @param steps The differences between neighbouring buckets, over the same sessions and without nulls
 */
function smallestStepP(steps: readonly MeanSeries[], options: BootstrapOptions): number {
  const block = options.block ??
    Math.max(...steps.map((one) => blockLengthOf(toObservations(one))));
  const { draws = 999, seed = 1 } = options;
  const found = Math.min(...steps.map(({ values }) => meanOf(values)));
  const centred = steps.map(({ values }) => demean(values));
  const n = centred[0]!.length;
  let above = 0;
  for (const places of stationaryDraws({ n, block, draws, seed })) {
    const smallest = Math.min(...centred.map((values) => {
      let sum = 0;
      for (let t = 0; t < n; t++) sum += values[places[t]!]!;
      return sum / n;
    }));
    if (smallest >= found) above++;
  }
  return (1 + above) / (draws + 1);
}
