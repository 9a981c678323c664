import type { DataFrame } from "nodejs-polars";
import { studentQuantile } from "../inference/distributions.ts";
import { decimalText } from "../../base/wording/number_text.ts";
import { deviationOf, meanOf, UPPER_END } from "../../base/statistics/moments.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import { assertColumns } from "../../frames/frame/assert_frame.ts";
import { readSeries, type SeriesInput } from "./read_series.ts";
import type { SessionSeries } from "../inference/tested_mean.ts";
import type { TableOf } from "../table/columns.ts";

/** The mean IC at a lag, with the inverse of its variance. */
type DecayPoint = Readonly<Record<"lag" | "mean" | "weight", number>>;

/** The shortest half-life that is tried, in sessions. */
export const SHORTEST = 0.25;
const LONGEST_LAGS = 10;
const GRID = 60;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Fits a · 2^(−(lag − lag₁) / L) to points by weighted least squares, lag₁ being the shortest lag: a level that was never
 * observed, at lag 0, would have no bound where a relation is over after one lag. For each L the best a is known, so only
 * L is searched for: on a grid first, since the sum of squares can have several valleys, then by golden section. L is between a quarter of
 * a session and ten times the longest lag.
 */
export function fitDecay(points: readonly DecayPoint[]) {
  const lags = points.map(({ lag }) => lag);
  const [first, longest] = [Math.min(...lags), LONGEST_LAGS * Math.max(...lags)];
  const shifted = points.map((point) => ({ ...point, lag: point.lag - first }));
  const [from, to] = [Math.log(SHORTEST), Math.log(longest)];
  const step = (to - from) / GRID;
  const lossAt = (log: number) => fitLevel(shifted, Math.exp(log)).loss;
  let best = from;
  for (let k = 1; k <= GRID; k++) {
    if (lossAt(from + k * step) < lossAt(best)) best = from + k * step;
  }
  const log = goldenSection(lossAt, Math.max(from, best - step), Math.min(to, best + step));
  const halfLife = Math.exp(log);
  return {
    level: fitLevel(shifted, halfLife).level,
    halfLife,
    isFlat: to - log < 1e-6,
    isShort: log - from < 1e-6,
  };
}

function fitLevel(points: readonly DecayPoint[], halfLife: number) {
  let [xy, xx] = [0, 0];
  for (const { lag, mean, weight } of points) {
    const x = 2 ** (-lag / halfLife);
    xy += weight * x * mean;
    xx += weight * x * x;
  }
  const level = xx === 0 ? 0 : xy / xx;
  const loss = points.reduce(
    (sum, { lag, mean, weight }) => sum + weight * (mean - level * 2 ** (-lag / halfLife)) ** 2,
    0,
  );
  return { level, loss };
}

function goldenSection(lossAt: (x: number) => number, low: number, high: number): number {
  let [a, b] = [low, high];
  for (let round = 0; round < 80; round++) {
    const [x, y] = [b - GOLDEN * (b - a), a + GOLDEN * (b - a)];
    if (lossAt(x) <= lossAt(y)) b = y;
    else a = x;
  }
  return (a + b) / 2;
}

/** Columns of the table, in order. */
export const HALF_LIFE_COLUMNS =
  "half_life half_life_low half_life_high level level_low level_high lags sessions reason";

const ACTION = "fit a half-life";
const BLOCKS = 10;

/**
 * Half-life of the IC: a · 2^(−(lag − lag₁) / L) is fitted to the mean ICs by lag, weighted with their inverse
 * variances; lag₁ is the shortest lag, 1 by default.
 *
 * One row: `half_life` (L, in sessions), `half_life_low`, `half_life_high` (95%), `level` (a, the IC at the shortest lag),
 * `level_low`, `level_high`, `lags`, `sessions` (Int32) and `reason`. The intervals leave out a tenth of the sessions at a
 * time (jackknife, Student's t with 9 degrees of freedom), of L on a logarithmic scale. The half-life is null, reason
 * `no_relation`, if the interval of a holds 0; null, reason `no_decay`, if no decay within ten times the longest lag fits; and
 * null, reason `shorter_than_grid`, if no correlation is left after the shortest lag, with 0.25, the shortest half-life
 * that is tried, as `half_life_high`; with fewer than 20 sessions or 3 lags all is null, reason `too_few_windows`.
 *
 * @param decay ICs by session and lag: `session`, `lag`, `ic`, each with the return of one session that ends
 * so many sessions later
 * @returns A frame of one row: half-life and level with their intervals, or why there are none
 * @throws {TypeError} If a column is missing
 * @see Grinold and Kahn (2000), Active portfolio management, chapter 13, on the decay of information
 *
 * @example Usage
 * ```ts
 * import { halfLife } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const rows = Array.from({ length: 90 }, (_, i) => ({
 *   session: new Date(Date.UTC(2026, 0, 1 + Math.floor(i / 3))).toISOString().slice(0, 10),
 *   lag: [1, 5, 21][i % 3],
 *   ic: 0.1 * 2 ** (-[1, 5, 21][i % 3]! / 10) + 0.01 * Math.sin(i),
 * }));
 * const [row] = halfLife(pl.DataFrame(rows)).toRecords();
 * console.assert(Math.abs(Number(row?.half_life) - 10) < 1);
 * ```
 */
export function halfLife(decay: SeriesInput): TableOf<typeof HALF_LIFE_COLUMNS> {
  const read = readSeries(ACTION, decay);
  // A frame is a proxy that does not tell what is in it.
  const isFrame = Array.isArray((decay as Partial<DataFrame>).columns);
  if (isFrame) assertColumns(ACTION, decay as DataFrame, ["lag"]);
  // The lag of a value is kept as its horizon, as if it were one.
  const series = isFrame ? read.map((one) => ({ ...one, horizon: Number(one.group) })) : read;
  return tableOfRows([measure(series)], HALF_LIFE_COLUMNS);
}

const NOTHING = [null, null, null] as const;

/** The row of the table. */
function measure(series: readonly SessionSeries[]) {
  const known = series.flatMap(({ days, values }) =>
    [...days].filter((_, i) => !Number.isNaN(values[i]!))
  );
  const days = [...new Set(known)].sort((a, b) => a - b);
  const size = [series.length, days.length];
  const tooFew = [...NOTHING, ...NOTHING, ...size, "too_few_windows"];
  const all = fitWithout(series, () => false);
  if (days.length < 2 * BLOCKS || series.length < 3 || all === null) return tooFew;
  const blockOf = new Map(days.map((day, i) => [day, Math.floor(BLOCKS * i / days.length)]));
  const parts = Array.from(
    { length: BLOCKS },
    (_, block) => fitWithout(series, (day) => blockOf.get(day) === block),
  );
  const fits = parts.filter((part) => part !== null);
  if (fits.length < BLOCKS) return tooFew;
  const [levelLow, levelHigh] = jackknife(all.level, fits.map((fit) => fit.level));
  const rest = [all.level, levelLow, levelHigh, ...size];
  if (levelLow <= 0 && levelHigh >= 0) return [...NOTHING, ...rest, "no_relation"];
  if (all.isFlat) return [...NOTHING, ...rest, "no_decay"];
  if (all.isShort) return [null, null, SHORTEST, ...rest, "shorter_than_grid"];
  const logs = jackknife(Math.log(all.halfLife), fits.map((fit) => Math.log(fit.halfLife)));
  return [all.halfLife, Math.exp(logs[0]), Math.exp(logs[1]), ...rest, null];
}

function fitWithout(series: readonly SessionSeries[], isLeftOut: (day: number) => boolean) {
  const points = series.flatMap(({ horizon: lag, days, values }) => {
    const kept = values.filter((value, i) => !Number.isNaN(value) && !isLeftOut(days[i]!));
    const deviation = deviationOf(kept);
    if (deviation === null || deviation === 0) return [];
    return [{ lag, mean: meanOf(kept), weight: kept.length / deviation ** 2 }];
  });
  return points.length < 3 ? null : fitDecay(points);
}

// The deletion of one block moves an estimate by a ninth of the difference of the block's own.
function jackknife(whole: number, parts: readonly number[]): readonly [number, number] {
  const pseudo = parts.map((part) => BLOCKS * whole - (BLOCKS - 1) * part);
  const error = deviationOf(pseudo)! / Math.sqrt(BLOCKS);
  const half = studentQuantile(UPPER_END, BLOCKS - 1) * error;
  return [whole - half, whole + half];
}

/** A half-life as a number: one decimal below ten, none above. */
export function halfLifeNumber(sessions: number): string {
  return decimalText(sessions, sessions < 10 ? 1 : 0);
}

/**
 * True if the interval of a half-life includes every lag of the fit. Such data cannot distinguish an IC that is gone after
 * the first lag from one that lasts beyond the last, so the half-life is not identified.
 */
export function holdsEveryLag(
  low: number | null,
  high: number | null,
  lags: readonly number[],
): boolean {
  return lags.length > 1 && low !== null && high !== null && low <= Math.min(...lags) &&
    high >= Math.max(...lags);
}
