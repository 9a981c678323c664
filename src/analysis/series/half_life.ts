import type { DataFrame } from "nodejs-polars";
import { studentQuantile } from "../inference/distribution/distributions.ts";
import { deviationOf, meanOf } from "../inference/moments.ts";
import type { Reason } from "../reason.ts";
import { frameOfRows } from "../table/frame_of_rows.ts";
import { type DecayFit, fitDecay } from "./fit_decay.ts";
import { readSeries, type SeriesInput } from "./read_series.ts";
import type { SessionSeries } from "./session_series.ts";

const BLOCKS = 10;

/**
 * How fast a relation fades: a · 2^(−lag / L) is fitted to the mean ICs by lag, weighted with their inverse variances.
 *
 * One row: `half_life` (L, in sessions), `half_life_low`, `half_life_high` (95 %), `level` (a, the IC at lag 0),
 * `level_low`, `level_high`, `lags`, `sessions` (Int32) and `reason`. The intervals leave out a tenth of the sessions at a
 * time (jackknife, Student's t with 9 degrees of freedom), of L on a logarithmic scale. The half-life is null, reason
 * `no_relation`, if the interval of a holds 0, and null, reason `no_decay`, if no fading within ten times the longest lag
 * fits; with fewer than 20 sessions or 3 lags all is null, reason `too_few_windows`.
 *
 * @param decay ICs by session and lag: `session`, `lag`, `ic`, each with the return of one session that ends
 * so many sessions later
 * @throws {TypeError} If a column is missing
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
export function halfLife(decay: SeriesInput): DataFrame {
  const series = readLags(decay);
  return frameOfRows([measure(series)], [
    { name: "half_life", type: "number", read: (row) => row.halfLife },
    { name: "half_life_low", type: "number", read: (row) => row.halfLifeLow },
    { name: "half_life_high", type: "number", read: (row) => row.halfLifeHigh },
    { name: "level", type: "number", read: (row) => row.level },
    { name: "level_low", type: "number", read: (row) => row.levelLow },
    { name: "level_high", type: "number", read: (row) => row.levelHigh },
    { name: "lags", type: "count", read: (row) => row.lags },
    { name: "sessions", type: "count", read: (row) => row.sessions },
    { name: "reason", type: "text", read: (row) => row.reason },
  ]);
}

// The lag of a value is kept as its horizon, as if it were one.
function readLags(decay: SeriesInput): readonly SessionSeries[] {
  const series = readSeries("fit a half-life", decay);
  // A frame is a proxy that does not tell what is in it.
  const { columns } = decay as Partial<DataFrame>;
  const isByLag = Array.isArray(columns) && columns.includes("lag");
  return isByLag ? series.map((one) => ({ ...one, horizon: Number(one.group) })) : series;
}

interface Row {
  readonly halfLife: number | null;
  readonly halfLifeLow: number | null;
  readonly halfLifeHigh: number | null;
  readonly level: number | null;
  readonly levelLow: number | null;
  readonly levelHigh: number | null;
  readonly lags: number;
  readonly sessions: number;
  readonly reason: Reason | null;
}

const NOTHING = {
  halfLife: null,
  halfLifeLow: null,
  halfLifeHigh: null,
  level: null,
  levelLow: null,
  levelHigh: null,
};

function measure(series: readonly SessionSeries[]): Row {
  const days = [...new Set(series.flatMap(({ days }) => [...days]))].sort((a, b) => a - b);
  const size = { lags: series.length, sessions: days.length };
  const all = fitWithout(series, () => false);
  if (days.length < 2 * BLOCKS || series.length < 3 || all === null) {
    return { ...NOTHING, ...size, reason: "too_few_windows" };
  }
  const blockOf = new Map(days.map((day, i) => [day, Math.floor(BLOCKS * i / days.length)]));
  const parts = Array.from(
    { length: BLOCKS },
    (_, block) => fitWithout(series, (day) => blockOf.get(day) === block),
  );
  const fits = parts.filter((part) => part !== null);
  if (fits.length < BLOCKS) return { ...NOTHING, ...size, reason: "too_few_windows" };
  const [levelLow, levelHigh] = jackknife(all.level, fits.map((fit) => fit.level));
  const level = { level: all.level, levelLow, levelHigh };
  if (levelLow <= 0 && levelHigh >= 0) {
    return { ...NOTHING, ...level, ...size, reason: "no_relation" };
  }
  if (all.isFlat) return { ...NOTHING, ...level, ...size, reason: "no_decay" };
  const logs = jackknife(Math.log(all.halfLife), fits.map((fit) => Math.log(fit.halfLife)));
  const [halfLifeLow, halfLifeHigh] = [Math.exp(logs[0]), Math.exp(logs[1])];
  return { halfLife: all.halfLife, halfLifeLow, halfLifeHigh, ...level, ...size, reason: null };
}

function fitWithout(
  series: readonly SessionSeries[],
  isLeftOut: (day: number) => boolean,
): DecayFit | null {
  const points = series.flatMap(({ horizon: lag, days, values }) => {
    const kept = values.filter((value, i) => !Number.isNaN(value) && !isLeftOut(days[i]!));
    const deviation = deviationOf(kept);
    if (deviation === null || deviation === 0) return [];
    return [{ lag, mean: meanOf(kept), weight: kept.length / deviation ** 2 }];
  });
  return points.length < 3 ? null : fitDecay(points);
}

// The deletion of one block moves an estimate by a ninth of what the block says otherwise.
function jackknife(whole: number, parts: readonly number[]): readonly [number, number] {
  const pseudo = parts.map((part) => BLOCKS * whole - (BLOCKS - 1) * part);
  const error = deviationOf(pseudo)! / Math.sqrt(BLOCKS);
  const half = studentQuantile(0.975, BLOCKS - 1) * error;
  return [whole - half, whole + half];
}
