import type { DataFrame } from "nodejs-polars";
import { assertKnownOptions } from "../../arguments/check_options.ts";
import { studentCdf } from "../inference/distribution/distributions.ts";
import type { BootstrapOptions } from "../inference/method/test_by_bootstrap.ts";
import { pPhrase } from "../../notebook/p_text.ts";
import { assertInference, testMean } from "../inference/test_mean.ts";
import type { TestedMean } from "../inference/tested_mean.ts";
import { frameOfRows, type RowColumn } from "../table/frame_of_rows.ts";
import { Parts } from "../table/parts.ts";
import { onCommonSessions } from "./common_sessions.ts";
import { smallestStepP } from "./smallest_step.ts";
import { readSeries, SERIES_OPTIONS, type SeriesInput, type SeriesOptions } from "./read_series.ts";
import type { SessionSeries } from "./session_series.ts";

/** Options of {@link monotonicity}. */
export interface MonotonicityOptions extends SeriesOptions {
  /**
   * Draws, seed and block length of the bootstrap.
   *
   * @default 999 draws with seed 1 in blocks that suit the autocorrelation, of at least twice the overlap
   */
  readonly bootstrap?: BootstrapOptions;
}

/** Whether mean returns rise from bucket to bucket. */
export class Monotonicity extends Parts {
  /** What the tests say, and which is which. */
  readonly text: string;
  /** One row a step: `horizon`, `step`, `mean`, `standard_error`, `t`, `df`, `p`, `p_rising`, `low`, `high`, `n`, `reason`. */
  readonly steps: DataFrame;
  /** One row a horizon: `horizon`, `buckets`, `rank_correlation`, `smallest_step`, `mr_p`, `union_p`, `n`, `reason`. */
  readonly table: DataFrame;

  /**
   * Puts the tests of several horizons together.
   *
   * @param ladders The buckets of each horizon, lowest first, with what was found
   */
  constructor(ladders: readonly Ladder[]) {
    super();
    this.text = ladders.map(describeLadder).join("\n");
    this.steps = frameOfRows(ladders.flatMap((ladder) => ladder.steps), STEP_COLUMNS);
    this.table = frameOfRows(ladders, LADDER_COLUMNS);
  }

  /** The frames to show. */
  protected parts(): Readonly<Record<string, DataFrame>> {
    return { table: this.table, steps: this.steps };
  }
}

/**
 * Tests whether mean returns rise from bucket to bucket, for each horizon.
 *
 * Two tests answer two questions. `mr_p` (Patton and Timmermann, 2010, by a seeded stationary bootstrap of the smallest
 * step) rejects that the pattern is flat or falling everywhere. `union_p`, the largest one-sided p value of a step, needs
 * no bootstrap and is the only one that rejects "not everywhere rising": where it is small, every step rises. Only
 * sessions in which all buckets have a return are used. `rank_correlation` is Spearman's, of means and bucket numbers.
 *
 * @param returns Mean returns by session and bucket: `session`, `horizon`, `quantile` and `return`
 * @param options Columns, and the draws of the bootstrap
 * @throws {TypeError} If a column is missing or an option unknown
 * @throws {RangeError} If a horizon has fewer than two buckets
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
  options: MonotonicityOptions = {},
): Monotonicity {
  const action = "test whether returns rise";
  assertKnownOptions(action, options, [...SERIES_OPTIONS, "bootstrap"]);
  const { bootstrap = {}, ...columns } = options;
  assertInference({ method: "bootstrap", ...bootstrap });
  const series = readSeries(action, returns, columns);
  const horizons = [...new Set(series.map(({ horizon }) => horizon))];
  return new Monotonicity(
    horizons.map((horizon) =>
      toLadder(
        action,
        series.filter((one) => one.horizon === horizon && one.group !== null),
        bootstrap,
      )
    ),
  );
}

interface Step extends TestedMean {
  readonly horizon: number;
  readonly step: string;
  readonly pRising: number | null;
}

interface Ladder {
  readonly horizon: number;
  readonly buckets: number;
  readonly n: number;
  readonly rankCorrelation: number | null;
  readonly smallest: number | null;
  readonly mrP: number | null;
  readonly unionP: number | null;
  readonly reason: TestedMean["reason"];
  readonly steps: readonly Step[];
}

const STEP_COLUMNS: readonly RowColumn<Step>[] = [
  { name: "horizon", type: "count", read: (row) => row.horizon },
  { name: "step", type: "text", read: (row) => row.step },
  { name: "mean", type: "number", read: (row) => row.mean },
  { name: "standard_error", type: "number", read: (row) => row.standardError },
  { name: "t", type: "number", read: (row) => row.t },
  { name: "df", type: "count", read: (row) => row.df },
  { name: "p", type: "number", read: (row) => row.p },
  { name: "p_rising", type: "number", read: (row) => row.pRising },
  { name: "low", type: "number", read: (row) => row.low },
  { name: "high", type: "number", read: (row) => row.high },
  { name: "n", type: "count", read: (row) => row.n },
  { name: "reason", type: "text", read: (row) => row.reason },
];

const LADDER_COLUMNS: readonly RowColumn<Ladder>[] = [
  { name: "horizon", type: "count", read: (row) => row.horizon },
  { name: "buckets", type: "count", read: (row) => row.buckets },
  { name: "rank_correlation", type: "number", read: (row) => row.rankCorrelation },
  { name: "smallest_step", type: "number", read: (row) => row.smallest },
  { name: "mr_p", type: "number", read: (row) => row.mrP },
  { name: "union_p", type: "number", read: (row) => row.unionP },
  { name: "n", type: "count", read: (row) => row.n },
  { name: "reason", type: "text", read: (row) => row.reason },
];

function toLadder(
  action: string,
  buckets: readonly SessionSeries[],
  bootstrap: BootstrapOptions,
): Ladder {
  if (buckets.length < 2) {
    throw new RangeError(
      `Cannot ${action}: two buckets or more are required, got ${buckets.length}; ` +
        "the column quantile or group tells them apart",
    );
  }
  const common = onCommonSessions(buckets);
  const { horizon } = common[0]!;
  const differences = common.slice(1).map((upper, i) => differenceOf(common[i]!, upper));
  const steps = differences.map((series, i) => {
    const tested = testMean(series);
    const pRising = tested.t === null ? null : studentCdf(-tested.t, tested.df!);
    return { ...tested, horizon, step: `${common[i]!.group} to ${common[i + 1]!.group}`, pRising };
  });
  const reason = steps.find((step) => step.reason !== null)?.reason ?? null;
  const means = steps.map((step) => step.mean);
  return {
    horizon,
    buckets: common.length,
    n: steps[0]!.n,
    rankCorrelation: rankCorrelationOf(common),
    smallest: means.some((mean) => mean === null) ? null : Math.min(...means as number[]),
    mrP: reason === null ? smallestStepP(differences, bootstrap) : null,
    unionP: reason === null ? Math.max(...steps.map((step) => step.pRising!)) : null,
    reason,
    steps,
  };
}

function differenceOf(lower: SessionSeries, upper: SessionSeries): SessionSeries {
  return { ...upper, values: upper.values.map((value, i) => value - lower.values[i]!) };
}

// Spearman's correlation of the bucket means with the numbers 1, 2, …; ties share their mean rank.
function rankCorrelationOf(series: readonly SessionSeries[]): number | null {
  const means = series.map((one) => testMean(one).mean);
  if (means.some((mean) => mean === null)) return null;
  const values = means as number[];
  const ranks = values.map((value) =>
    values.filter((other) => other < value).length +
    (values.filter((other) => other === value).length + 1) / 2
  );
  const middle = (values.length + 1) / 2;
  const xy = ranks.reduce((sum, rank, i) => sum + (rank - middle) * (i + 1 - middle), 0);
  const xx = ranks.reduce((sum, rank) => sum + (rank - middle) ** 2, 0);
  const yy = ranks.reduce((sum, _, i) => sum + (i + 1 - middle) ** 2, 0);
  return xx === 0 ? null : xy / Math.sqrt(xx * yy);
}

function describeLadder({ horizon, buckets, n, mrP, unionP, steps }: Ladder): string {
  const head = `${horizon === 1 ? "1 session" : `${horizon} sessions`}: ${buckets} buckets, ` +
    `${n} sessions with all of them. `;
  if (mrP === null || unionP === null) {
    return `${head}No test: the sample is too short or does not vary.`;
  }
  const rising = steps.filter((step) => step.low! > 0).length;
  return `${head}${rising} of ${steps.length} steps rise beyond error. That the pattern is flat or ` +
    `falling: ${pPhrase(mrP)} (Patton and Timmermann). That it is not everywhere rising: ` +
    `${pPhrase(unionP)} (largest p of a step).`;
}
