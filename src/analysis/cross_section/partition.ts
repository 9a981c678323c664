import pl, { type DataFrame, type Expr } from "nodejs-polars";
import type { DenseScores } from "../dense/dense_scores.ts";
import { type HasDense, rowCells } from "../dense/from_data_frame.ts";
import { presentCells, scatter, toDataFrame } from "../dense/to_data_frame.ts";
import { usualSpans } from "../dense/days.ts";
import { readTexts } from "../table/read_columns.ts";

/** Parts of the stocks, session by session. */
export interface Grouping {
  /** Name of the column of the parts. */
  readonly column: string;
  /** Names of the parts. */
  readonly names: readonly string[];
  /** Index into the names for each session and ticker; -1 for none. */
  readonly codes: Int32Array;
}

/**
 * The groups of dense scores as parts.
 *
 * @throws {TypeError} If there are no groups
 */
export function groupPartition(action: string, { groups }: DenseScores): Grouping {
  if (groups !== null) return { column: "group", names: groups.names, codes: groups.codes };
  throw new TypeError(
    `Cannot ${action}: expected groups, got data without; give align() a frame of groups with ` +
      "ticker and group",
  );
}

/**
 * Bins of the age of a score as parts.
 *
 * @throws {TypeError} If the age is not known
 */
export function agePartition(action: string, { ages, days }: DenseScores): Grouping {
  if (ages === null) {
    throw new TypeError(
      `Cannot ${action}: expected scores of a known age, got data without a column age; align live sets`,
    );
  }
  const starts = [0, ...usualSpans(days)];
  const names = starts.map((from, i) => `[${from}, ${starts[i + 1] ?? "∞"})`);
  return { column: "age", names, codes: binsOf(ages(), starts) };
}

const binned = new WeakMap<Int32Array, Int32Array>();

/** The bin of each age; made once for all batches of an analysis. */
function binsOf(ages: Int32Array, starts: readonly number[]): Int32Array {
  // The last bin that begins at an age or before it; -1 for no age.
  const codes = binned.get(ages) ?? ages.map((age) => starts.findLastIndex((from) => from <= age));
  binned.set(ages, codes);
  return codes;
}

/** The values of an expression over the rows of the data as parts: over all columns of a frame, also of joined ones. */
export function expressionPartition(
  action: string,
  dense: DenseScores,
  of: { readonly expression: Expr; readonly data: HasDense | DataFrame },
): Grouping {
  const { rows, cells } = rowsOf(action, dense, of.data);
  const parts = partColumn(action, rows, of.expression);
  const { names, codes: partOf } = readTexts(action, parts, "part");
  const codes = scatter(partOf, cells, new Int32Array(dense.scores.length).fill(-1));
  return { column: "part", names, codes };
}

function partColumn(action: string, rows: DataFrame, expression: Expr): DataFrame {
  try {
    return rows.select(expression.cast(pl.Utf8).alias("part"));
  } catch (cause) {
    const [reason] = String((cause as Error).message).split(/\n|; /);
    throw new TypeError(
      `Cannot ${action}: expected one over the columns of the data, got ${reason}; ` +
        "join the column to the .data of align() by session and ticker, and give that frame",
      { cause },
    );
  }
}

function rowsOf(action: string, dense: DenseScores, data: HasDense | DataFrame) {
  if (!("dense" in data)) return { rows: data, cells: rowCells(action, data).cells };
  const { data: own } = data as { readonly data?: DataFrame };
  return { rows: own ?? toDataFrame(dense), cells: presentCells(dense.present) };
}
