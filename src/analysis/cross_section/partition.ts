import pl, { type DataFrame, type Expr } from "nodejs-polars";
import type { DenseScores } from "../dense/dense_scores.ts";
import { presentCells, toDataFrame } from "../dense/to_data_frame.ts";
import { areShared, bufferOf } from "../threads/shared_buffer.ts";
import { readTexts } from "../table/read_columns.ts";

/** Parts of the names, session by session. */
export interface Partition {
  /** What the column of the parts is called. */
  readonly column: string;
  /** Names of the parts. */
  readonly names: readonly string[];
  /** Index into the names for each session and ticker; -1 for none. */
  readonly codes: Int32Array;
}

/** Begin of each bin of ages, in sessions. */
const AGE_BINS = [0, 5, 21, 63] as const;
const AGE_NAMES = ["[0, 5)", "[5, 21)", "[21, 63)", "[63, ∞)"] as const;

/**
 * The groups of dense scores as parts.
 *
 * @throws {TypeError} If there are no groups
 */
export function groupPartition(action: string, { groups }: DenseScores): Partition {
  if (groups !== null) return { column: "group", names: groups.names, codes: groups.codes };
  throw new TypeError(
    `Cannot ${action}: groups are required, the data has none; give align() a frame of groups with ` +
      "ticker and group",
  );
}

/**
 * Bins of the age of a score as parts.
 *
 * @throws {TypeError} If the age is not known
 */
export function agePartition(action: string, { ages, scores }: DenseScores): Partition {
  if (ages === null) {
    throw new TypeError(`Cannot ${action}: a column age is required, the data has none`);
  }
  return { column: "age", names: AGE_NAMES, codes: binsOf(ages(), areShared(scores)) };
}

const binned = new WeakMap<Int32Array, Int32Array>();

/** The bin of each age; made once for all batches of an analysis. */
function binsOf(ages: Int32Array, isShared: boolean): Int32Array {
  let codes = binned.get(ages);
  if (codes === undefined) {
    binned.set(ages, codes = new Int32Array(bufferOf(ages.byteLength, isShared)));
    for (let cell = 0; cell < ages.length; cell++) codes[cell] = binOf(ages[cell]!);
  }
  return codes;
}

/** The last bin that begins at an age or before it; -1 for no age. */
function binOf(age: number): number {
  let bin = AGE_BINS.length - 1;
  while (bin >= 0 && AGE_BINS[bin]! > age) bin--;
  return bin;
}

/** The values of an expression over the rows of the data as parts. */
export function expressionPartition(
  action: string,
  dense: DenseScores,
  of: { readonly expression: Expr; readonly data: DataFrame | null },
): Partition {
  const data = of.data ?? toDataFrame(dense);
  const parts = data.select(of.expression.cast(pl.Utf8).alias("part"));
  const { names, codes: partOf } = readTexts(action, parts, "part");
  const codes = new Int32Array(dense.scores.length).fill(-1);
  for (const [row, cell] of presentCells(dense.present).entries()) codes[cell] = partOf[row]!;
  return { column: "part", names, codes };
}
