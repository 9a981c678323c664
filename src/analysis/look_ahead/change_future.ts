import pl, { type DataFrame, type Series } from "nodejs-polars";
import { columnType } from "../../frames/frame/times/column_type.ts";
import type { RandomSource } from "../inference/method/stationary_bootstrap.ts";
import { inDays, type ProbedInput } from "./probed_input.ts";

/** Change of the rows behind a cut; `restated`: of the values of those that are about the time before it. */
export type FutureChange = "removed" | "shuffled" | "perturbed" | "restated";

/** A cut of the history, and the change made after it. */
export interface Cut {
  /** The last unchanged time. */
  readonly time: number;
  readonly change: FutureChange;
  /** Tickers without rows after the cut in the run with perturbed values. */
  readonly ended: ReadonlySet<string>;
}

/** An input whose rows up to the cut are unchanged, in their order. */
export function changeFuture(input: ProbedInput, cut: Cut, random: RandomSource): DataFrame {
  const { frame, times } = input;
  if (times === null) return frame.clone();
  const isLater = times.values.map((time) => time > cut.time ? 1 : 0);
  const day = inDays({ ...times, values: Float64Array.of(cut.time) }).values[0]!;
  const { about } = input;
  if (cut.change === "removed") return keep(frame, (row) => isLater[row] === 0);
  // Later knowledge about the past is left to the change "restated".
  const isFuture = isLater.map((later, row) =>
    later === 1 && (about === null || about[row]! > day) !== (cut.change === "restated") ? 1 : 0
  );
  const shuffled = shuffle(input, isFuture, random);
  if (cut.change === "shuffled") return shuffled;
  const moved = perturb(shuffled, { input, isFuture }, random);
  if (cut.change === "restated") return moved;
  const { tickers } = input;
  return keep(moved, (row) => isFuture[row] === 0 || !cut.ended.has(tickers?.[row] ?? ""));
}

/** True if the input has rows that were known after a cut and are about what lies before it. */
export function hasRestated({ times, about }: ProbedInput, time: number): boolean {
  if (times === null || about === null) return false;
  const day = inDays({ ...times, values: Float64Array.of(time) }).values[0]!;
  return about.some((of, row) => of <= day && times.values[row]! > time);
}

function keep(frame: DataFrame, isKept: (row: number) => boolean): DataFrame {
  const mask = pl.Series(
    "kept",
    Array.from({ length: frame.height }, (_, i) => isKept(i)),
    pl.Bool,
  );
  return pl.DataFrame(frame.getColumns().map((column) => column.filter(mask)));
}

/** Values of the future in other rows of it, those of a row together; times and tickers stay. */
function shuffle(input: ProbedInput, isFuture: Float64Array, random: RandomSource): DataFrame {
  const { frame } = input;
  const future = [...isFuture.keys()].filter((row) => isFuture[row] === 1);
  const from = Int32Array.from(isFuture.keys());
  const others = [...future];
  for (let i = others.length - 1; i > 0; i--) {
    // Each row moves (Sattolo), so that no value stays where it was by chance.
    const j = random.below(i);
    [others[i], others[j]] = [others[j]!, others[i]!];
  }
  for (const [i, row] of future.entries()) from[row] = others[i]!;
  const rows = Array.from(from);
  return pl.DataFrame(
    frame.getColumns().map((column) =>
      isFixed(column, input) || rows.length === 0 ? column : column.gather(rows)
    ),
  );
}

function perturb(
  frame: DataFrame,
  { input, isFuture }: { readonly input: ProbedInput; readonly isFuture: Float64Array },
  random: RandomSource,
): DataFrame {
  const factors = isFuture.map((future) => future === 1 ? Math.exp(random.uniform() - 0.3) : 1);
  const factor = pl.Series("scoreframe_factor", factors, pl.Float64);
  const columns = frame.getColumns().map((column) => {
    const { name } = columnType(column);
    if (!name.startsWith("Float") || isFixed(column, input)) return column;
    return column.mul(factor).cast(column.dtype).rename(column.name);
  });
  return pl.DataFrame(columns);
}

function isFixed(column: Series, { times }: ProbedInput): boolean {
  const { name } = columnType(column);
  return column.name === "ticker" || column.name === times?.column || /^Date/.test(name) ||
    ["session", "date", "period"].includes(column.name);
}
