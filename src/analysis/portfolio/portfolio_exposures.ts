import type { DataFrame } from "nodejs-polars";
import type { NeutralizeOptions } from "../transform/neutralize.ts";
import { checkOptions } from "../../base/arguments/check_options.ts";
import { assertFrame } from "../../frames/frame/assert_frame.ts";
import { assertExposures, EXPOSURE_RULES } from "../transform/fit_within.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import { refuseAdjustedLevel } from "../table/score_columns.ts";
import { readNumbers, readTexts } from "../table/read_columns.ts";
import { cellsOfRows } from "../dense/column_grids.ts";
import { readWeights, type Weights } from "./weights.ts";
import type { TableOf } from "../table/columns.ts";

/** Columns of the table, in order. */
const EXPOSURE_COLUMNS = "session exposure group value gross missing_weight n";

/** The rows of one session of the weights. */
type Section = ReturnType<typeof sectionsOf>[number];

const ACTION = "measure exposures";

/**
 * Exposures of a portfolio over time: to groups, and to characteristics of the stocks such as beta, size and momentum.
 *
 * One row per session, exposure and group, in the order of the sessions, of `on`, and of the names of the groups: `session` (Date), `exposure` (Utf8, the
 * column), `group` (Utf8, null for a column of numbers), `value` (Float64; of a column of numbers Σ w x, in its unit; of a group Σ w, its net
 * weight as a share of the capital), `gross` (Float64, Σ|w| of the stocks that count), `missing_weight` (Float64, Σ|w| of
 * stocks whose group or number is null, or without a row in that session; these do not count), `n` (Int32, stocks that
 * count). Stocks of weight 0 do not count. A group is listed in every session in which the portfolio holds something,
 * with 0 where it holds none of it.
 *
 * @param weights The result of {@link factorWeights} or {@link positions}, or a frame with `session`, `ticker` and `weight`
 * @param exposures A frame with `session` or `date`, `ticker` and the columns: what was known at each session of the weights
 * @param options The columns
 * @returns A frame of one row per session, exposure and group
 * @throws {TypeError} If a column is missing, an option is unknown, neither groups nor columns are given, or a stock
 *   occurs twice in a session
 * @see Grinold and Kahn (2000), Active portfolio management, chapter 3
 *
 * @example Usage
 * ```ts
 * import { portfolioExposures } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const session = Array(3).fill("2026-10-30");
 * const ticker = ["A", "B", "C"];
 * const weights = pl.DataFrame({ session, ticker, weight: [0.5, -0.25, -0.25] });
 * const known = pl.DataFrame({ session, ticker, beta: [1.2, 0.8, null], sector: ["x", "x", "y"] });
 * const [beta, x] = portfolioExposures(weights, known, { on: ["beta"], group: "sector" }).toRecords();
 * console.assert(Math.abs(Number(beta?.value) - 0.4) < 1e-12 && beta?.missing_weight === 0.25);
 * console.assert(x?.group === "x" && x.value === 0.25);
 * ```
 */
export function portfolioExposures(
  weights: Weights | DataFrame,
  exposures: DataFrame,
  options: Pick<NeutralizeOptions, "on" | "group">,
): TableOf<typeof EXPOSURE_COLUMNS> {
  checkOptions("call portfolioExposures()", options, EXPOSURE_RULES);
  const { on = [], group } = options ?? {};
  assertFrame(ACTION, exposures);
  assertExposures(ACTION, options ?? {}, exposures);
  const sections = sectionsOf(readWeights(ACTION, weights, null), exposures);
  refuseAdjustedLevel(ACTION, exposures, on);
  const numbers = on.map((name) => ({ name, values: readNumbers(ACTION, exposures, name) }));
  const groups = group === undefined
    ? []
    : [{ name: group, texts: readTexts(ACTION, exposures, group) }];
  const rows = sections.flatMap((section) => [
    ...numbers.map(({ name, values }) => numberRow(section, name, values)),
    ...groups.flatMap(({ name, texts }) => groupRows(section, name, texts)),
  ]);
  return tableOfRows(rows, EXPOSURE_COLUMNS);
}

/** The stocks held in each session, beside their rows of the exposures. */
function sectionsOf({ days, tickers, span: [from, to], values }: Weights, exposures: DataFrame) {
  const cells = cellsOfRows(ACTION, exposures, { days, tickers });
  const rowOf = new Map(Array.from(cells, (cell, row) => [cell, row]));
  return Array.from({ length: to - from }, (_, i) => {
    const held = Array.from(tickers, (_, t) => (from + i) * tickers.length + t)
      .filter((cell) => !Number.isNaN(values[cell]!) && values[cell] !== 0);
    return {
      day: days[from + i]!,
      weights: held.map((cell) => values[cell]!),
      // Row of the exposures of each weight; −1 for none.
      rows: held.map((cell) => rowOf.get(cell) ?? -1),
    };
  }).filter(({ weights }) => weights.length > 0);
}

function numberRow(section: Section, exposure: string, values: Float64Array) {
  let [value, gross, missing, n] = [0, 0, 0, 0];
  for (const [i, row] of section.rows.entries()) {
    const weight = section.weights[i]!;
    const x = values[row] ?? NaN;
    if (Number.isNaN(x)) {
      missing += Math.abs(weight);
      continue;
    }
    value += weight * x;
    gross += Math.abs(weight);
    n++;
  }
  return [section.day, exposure, null, value, gross, missing, n];
}

function groupRows(
  section: Section,
  exposure: string,
  { names, codes }: ReturnType<typeof readTexts>,
) {
  const own = section.rows.map((row) => codes[row] ?? -1);
  const sumOf = (read: (weight: number) => number, code: number) =>
    section.weights.reduce((sum, weight, i) => own[i] === code ? sum + read(weight) : sum, 0);
  const missing = sumOf(Math.abs, -1);
  return names.map((group, code) => {
    const sums = [sumOf((weight) => weight, code), sumOf(Math.abs, code)];
    const n = own.filter((other) => other === code).length;
    return [section.day, exposure, group, ...sums, missing, n];
  });
}
