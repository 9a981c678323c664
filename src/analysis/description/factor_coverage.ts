import type { DataFrame } from "nodejs-polars";
import { displayParts, tableOfRows } from "../table/frame_of_rows.ts";
import { meanOf, medianOf } from "../../base/statistics/moments.ts";
import { countText, decimalText } from "../../base/wording/number_text.ts";
import { periodText } from "../../base/wording/period_text.ts";
import { readDayColumn } from "../table/read_columns.ts";
import { testMean } from "../inference/test_mean.ts";
import { type DenseScores, type HasDense, returnsOf, toDense } from "../dense/dense_frames.ts";
import { laidOut, periodUnit, tableSeries } from "../inference/table_series.ts";
import type { TableOf } from "../table/columns.ts";
import { testedCells } from "../inference/tested_mean.ts";

/** Columns of the table, in order. */
const GAP_COLUMNS = "ticker first_session last_session sessions";

const SESSION_COLUMNS =
  "session rows scored outside zeros halves ones entered left expired median_age";
const DIFFERENCE_COLUMNS = "session horizon difference";
const UNSCORED_COLUMNS = "horizon ...tested";

/** Share of stocks with scores, and the returns of stocks without. */
export interface FactorCoverage {
  /**
   * One row per session: `session`, `rows`, `scored`, `outside` (with a score and no price at their entry: outside of the universe), `zeros`, `halves`, `ones` (scores of exactly 0, 0.5 and 1), `entered` and `left`
   * (stocks with a row that had none in the session before, and the other way round), `expired` (stocks whose score became
   * null), `median_age` (sessions; null if it is not known).
   */
  readonly bySession: TableOf<typeof SESSION_COLUMNS>;
  /** One row a run of sessions in which a stock has a row and no score: `ticker`, `first_session`, `last_session`, `sessions`. */
  readonly gaps: TableOf<typeof GAP_COLUMNS>;
  /**
   * One row per horizon: the mean return of unscored stocks minus that of scored ones, by session and then over sessions:
   * `horizon`, `mean`, `standard_error`, `t`, `df`, `p`, `low`, `high`, `sessions`, `reason`.
   */
  readonly unscored: TableOf<typeof UNSCORED_COLUMNS>;
}

const ACTION = "describe the coverage";

/**
 * Describes the scored stocks of each session, the gaps without a score, and the later returns of unscored stocks.
 *
 * @param data The result of {@link align}, or a frame of its rows
 * @returns Coverage by session (`bySession`), spells without a score (`gaps`), and the
 *   returns of unscored stocks (`unscored`)
 * @see Little and Rubin (2002), Statistical analysis with missing data, chapter 1, on values that are not missing at
 *   random
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { factorCoverage } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-30", "2026-10-30"],
 *   ticker: ["A", "A", "B"],
 *   score: [0.5, null, 1],
 * });
 * const { bySession } = factorCoverage(data);
 * if (bySession.getColumn("expired").toArray().join() !== "0,1") throw new Error("A lost its score");
 * ```
 */
export function factorCoverage(data: HasDense | DataFrame): FactorCoverage {
  const dense = toDense(ACTION, data);
  return tableCoverage(coverageTables(dense), dense);
}

/** Tables by session that {@link factorCoverage} is made of. */
export interface CoverageTables {
  /** The same as in the result. */
  readonly bySession: FactorCoverage["bySession"];
  /** The same as in the result. */
  readonly gaps: TableOf<typeof GAP_COLUMNS>;
  /** The mean return of unscored stocks minus that of scored ones: `session`, `horizon`, `difference`. */
  readonly unscored: DataFrame;
}

/** Describes the coverage of each session. */
export function coverageTables(dense: DenseScores): CoverageTables {
  return { bySession: toSessions(dense), gaps: gapTable(dense), unscored: toDifferences(dense) };
}

/** The coverage of a sample from its tables by session. */
export function tableCoverage(
  { unscored, ...tables }: CoverageTables,
  of: Pick<DenseScores, "days" | "periods">,
): FactorCoverage {
  const name = "difference";
  const series = tableSeries(unscored, of.days, { value: name });
  const tested = tableOfRows(
    laidOut(series, { name, ...of }).map((one) => [one.horizon, ...testedCells(testMean(one))]),
    UNSCORED_COLUMNS,
  );
  const frames = { ...tables, unscored: tested };
  return { ...displayParts(() => describeCoverage(frames), () => ({ ...frames })), ...frames };
}

function describeCoverage({ bySession, gaps }: Pick<FactorCoverage, "bySession" | "gaps">): string {
  const sessions = countText(bySession.height, "session");
  if (bySession.height === 0) return `${sessions}.`;
  const mean = (name: string) =>
    decimalText(meanOf(bySession.getColumn(name).toArray() as number[]), 1);
  const text = `${sessions} with ${mean("rows")} rows and ${mean("scored")} scores on average; ` +
    `${countText(gaps.height, "gap")} in which a stock has rows but no score.`;
  return periodText(text, periodUnit(readDayColumn(ACTION, bySession, "session"), true));
}

function toSessions(dense: DenseScores): TableOf<typeof SESSION_COLUMNS> {
  const { days, from, to, tickers } = dense;
  const ages = dense.ages?.() ?? null;
  const rows = Array.from({ length: to - from }, (_, session) => {
    const d = from + session;
    const cells = ages?.subarray(d * tickers.length, (d + 1) * tickers.length) ?? new Int32Array();
    const known = cells.filter((age) => age >= 0);
    const medianAge = known.length === 0 ? null : medianOf(known);
    return [days[d]!, ...countNames(dense, d), medianAge];
  });
  return tableOfRows(rows, SESSION_COLUMNS);
}

function countNames({ present, scores, outside, tickers, from }: DenseScores, d: number) {
  const width = tickers.length;
  // In the order of the columns.
  const counts = {
    rows: 0,
    scored: 0,
    outside: 0,
    zeros: 0,
    halves: 0,
    ones: 0,
    entered: 0,
    left: 0,
    expired: 0,
  };
  for (let cell = d * width; cell < (d + 1) * width; cell++) {
    const score = scores[cell]!;
    const [has, had] = [present[cell] === 1, d > from && present[cell - width] === 1];
    if (!has && had) counts.left++;
    if (!has) continue;
    counts.rows++;
    const isScored = score === score || outside?.[cell] === 1;
    if (outside?.[cell] === 1) counts.outside++;
    else if (isScored) counts.scored++;
    if (score === 0) counts.zeros++;
    if (score === 0.5) counts.halves++;
    if (score === 1) counts.ones++;
    if (d > from && !had) counts.entered++;
    const wasScored = !Number.isNaN(scores[cell - width]!) || outside?.[cell - width] === 1;
    if (had && !isScored && wasScored) counts.expired++;
  }
  return Object.values(counts);
}

/** The runs of sessions in which a stock has a row and no score. */
function gapTable(
  { days, from, to, tickers, present, scores, outside }: DenseScores,
): TableOf<typeof GAP_COLUMNS> {
  const width = tickers.length;
  const gaps: (readonly (string | number)[])[] = [];
  for (let name = 0; name < width; name++) {
    let first = -1;
    for (let d = from; d <= to; d++) {
      const cell = d * width + name;
      const isGap = d < to && present[cell] === 1 && scores[cell] !== scores[cell] &&
        outside?.[cell] !== 1;
      if (isGap && first === -1) first = d;
      if (isGap || first === -1) continue;
      gaps.push([tickers[name]!, days[first]!, days[d - 1]!, d - first]);
      first = -1;
    }
  }
  return tableOfRows(gaps, GAP_COLUMNS);
}

function toDifferences(dense: DenseScores): DataFrame {
  const { from, to, periods, days } = dense;
  const all = periods.map((horizon) => ({ horizon, returns: returnsOf(ACTION, dense, horizon) }));
  const rows = Array.from({ length: to - from }, (_, i) => from + i).flatMap((d) =>
    all.map(({ horizon, returns }) => {
      const difference = unscoredLessScored(dense, returns, d);
      return [days[d]!, horizon, Number.isNaN(difference) ? null : difference];
    })
  );
  return tableOfRows(rows, DIFFERENCE_COLUMNS);
}

function unscoredLessScored(dense: DenseScores, returns: Float64Array, d: number): number {
  const { scores, present, tickers } = dense;
  const [sums, counts] = [[0, 0], [0, 0]];
  for (let cell = d * tickers.length; cell < (d + 1) * tickers.length; cell++) {
    if (present[cell] !== 1 || returns[cell] !== returns[cell]) continue;
    const side = scores[cell] === scores[cell] ? 1 : 0;
    sums[side]! += returns[cell]!;
    counts[side]!++;
  }
  return sums[0]! / counts[0]! - sums[1]! / counts[1]!;
}
