import type { DataFrame } from "nodejs-polars";
import type { NeutralizeOptions } from "./neutralize.ts";
import { checkOptions } from "../../base/arguments/check_options.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import { meanOf } from "../../base/statistics/moments.ts";
import { countText, percentText } from "../../base/wording/number_text.ts";
import {
  type AlignedColumns,
  type DenseScores,
  type HasDense,
  toDataFrame,
  toDense,
} from "../dense/dense_frames.ts";
import { cellsOfRows } from "../dense/column_grids.ts";
import { displayParts, tableOfRows } from "../table/frame_of_rows.ts";
import { readNumbers, readTexts } from "../table/read_columns.ts";
import {
  assertExposures,
  EXPOSURE_RULES,
  type Exposures,
  regressOnExposures,
  type SectionFit,
} from "./fit_within.ts";
import type { TableOf } from "../table/columns.ts";

/** Columns of the table, in order. */
const REMOVED_COLUMNS = "session horizon n left_out r_squared reason";

/** Scores with residual returns: input of every statistic, in the place of an alignment. */
export interface NeutralReturns extends HasDense {
  /** The rows of the alignment, with the returns replaced by their residuals; without `known_at`. */
  readonly data: TypedFrame<AlignedColumns>;
  /**
   * One row per session and horizon: `session`, `horizon`, `n` (stocks in the regression), `left_out` (scored stocks with a return and
   * without a group or an exposure, whose residual is null), `r_squared` (share of the variance of the returns that was removed), `reason`
   * (`too_few_names`, `rank_deficient`, `constant_returns` where there is no residual).
   */
  readonly removed: TableOf<typeof REMOVED_COLUMNS>;
  /** The report in a sentence. */
  toString(): string;
}

const ACTION = "neutralize returns";

/**
 * Forward returns neutral to groups, to exposures, or to both at once: in each session and horizon the residuals of a regression of the returns on
 * dummies of the groups and on the columns.
 *
 * The regression is over the stocks with a score. The residual is null where the score, the return, the group or an exposure is null, in sessions with fewer than two stocks more than groups and
 * columns, and where these are collinear. Rounded to 12 digits of the session's largest return, so that ties stay ties. The result takes the place of the
 * alignment: `informationCoefficient(neutralReturns(aligned, known, { on: ["beta"] }))`. Returns of portfolios are then specific returns,
 * which are earned only by hedging every exposure in every session.
 *
 * @param data The result of {@link align}, or a frame of its rows
 * @param exposures A frame with `session` or `date`, `ticker` and the columns: what was known at each session
 * @param options The columns
 * @returns The scores with residual returns, and what was removed in each session
 * @throws {TypeError} If a column is missing, an option is unknown, neither groups nor columns are given, or a stock
 *   occurs twice in a session
 * @see Grinold and Kahn (2000), Active portfolio management, chapter 3
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { neutralReturns } from "scoreframe/analysis";
 *
 * const session = Array(6).fill("2026-10-30");
 * const ticker = ["A", "B", "C", "D", "E", "F"];
 * const data = pl.DataFrame({ session, ticker, score: [1, 2, 3, 4, 5, 6], return_1: [0.01, 0.02, 0.03, -0.02, 0, 0.02] });
 * const known = pl.DataFrame({ session, ticker, sector: ["x", "x", "x", "y", "y", "y"] });
 * const neutral = neutralReturns(data, known, { group: "sector" });
 * console.assert(neutral.data.getColumn("return_1").toArray().join() === "-0.01,0,0.01,-0.02,0,0.02");
 * ```
 */
export function neutralReturns(
  data: HasDense | DataFrame,
  exposures: DataFrame,
  options: Pick<NeutralizeOptions, "on" | "group">,
): NeutralReturns {
  checkOptions("call neutralReturns()", options, EXPOSURE_RULES);
  const { on = [], group } = options ?? {};
  assertExposures(ACTION, options ?? {}, exposures);
  const given = toDense(ACTION, data);
  const { dense, removed } = specificReturns(given, layOut(exposures, given, { on, group }));
  const cells = removed.map((row) => [
    ...[row.session, row.horizon, row.n, row.leftOut, row.rSquared, row.reason],
  ]);
  const table = tableOfRows(cells, REMOVED_COLUMNS);
  let rows: NeutralReturns["data"] | null = null;
  return {
    ...displayParts(() => sentence(removed), () => ({ removed: table })),
    dense,
    get data() {
      return rows ??= toDataFrame(dense);
    },
    removed: table,
    toString: () => sentence(removed),
  };
}

/** The exposures on the sessions and tickers of the returns; rows of others do not count. */
function layOut(
  exposures: DataFrame,
  { days, tickers }: DenseScores,
  { on, group }: { readonly on: readonly string[]; readonly group: string | undefined },
): Exposures {
  const cells = cellsOfRows(ACTION, exposures, {
    ...{ on: { days, tickers }, expected: "one row", advice: "keep the row known first" },
  });
  const rowOf = new Int32Array(days.length * tickers.length).fill(-1);
  for (const [row, cell] of cells.entries()) if (cell !== -1) rowOf[cell] = row;
  const groups = group === undefined ? null : readTexts(ACTION, exposures, group).codes;
  return {
    columns: on.map((name) => {
      const values = readNumbers(ACTION, exposures, name);
      return Float64Array.from(rowOf, (row) => values[row] ?? NaN);
    }),
    groups: groups && rowOf.map((row) => groups[row] ?? -1),
  };
}

function sentence(removed: readonly RemovedReturns[]): string {
  const horizons = [...new Set(removed.map(({ horizon }) => horizon))];
  const sentences = horizons.map((horizon) => {
    const own = removed.filter((row) => row.horizon === horizon);
    const shares = own.flatMap(({ rSquared }) => rSquared === null ? [] : [rSquared]);
    const without = own.length - shares.length;
    const none = without === 0 ? "" : `; ${countText(without, "session")} without residuals`;
    const explained = shares.length === 0
      ? "no session has residual returns"
      : `groups and exposures explain ${percentText(meanOf(shares))} of the variance of the ` +
        `returns, on average over ${countText(shares.length, "session")}`;
    return `At ${countText(horizon, "session")}, ${explained}${none}.`;
  });
  return sentences.join(" ");
}

/** Regression of the returns of one session and horizon. */
interface RemovedReturns extends SectionFit {
  readonly session: number;
  readonly horizon: number;
}

/** Residuals of the returns of the scored stocks of each session and horizon on the exposures; NaN where there is none. */
export function specificReturns(
  dense: DenseScores,
  exposures: Exposures,
): { readonly dense: DenseScores; readonly removed: readonly RemovedReturns[] } {
  const { scores, days, tickers: { length: width } } = dense;
  const removed: RemovedReturns[] = [];
  const returns = new Map<number, Float64Array>();
  for (const [horizon, values] of dense.returns) {
    const residuals = new Float64Array(values.length).fill(NaN);
    for (let d = dense.from; d < dense.to; d++) {
      const known: number[] = [];
      for (let cell = d * width; cell < (d + 1) * width; cell++) {
        if (!Number.isNaN(values[cell]!) && !Number.isNaN(scores[cell]!)) known.push(cell);
      }
      const fit = regressOnExposures({ values, residuals }, known, exposures, "constant_returns");
      removed.push({ session: days[d]!, horizon, ...fit });
    }
    returns.set(horizon, residuals);
  }
  // Residuals have no closes that an account could be marked at.
  return { dense: { ...dense, returns, marks: null }, removed };
}
