import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { SYNTHETIC_MARK } from "../../contract/synthetic_mark.ts";

/** The native object of Polars behind a frame, a lazy frame or a group-by. */
type Native = { [SYNTHETIC_MARK]?: true };
type Method = (this: Native, ...values: unknown[]) => unknown;

const NATIVE_CLASS = /^Js(DataFrame|LazyFrame|LazyGroupBy)$/;
const tracked = new WeakSet<object>();

/**
 * Marks a frame of synthetic numbers, and with it every frame that Polars derives from it: columns can be selected away,
 * and a chart or a display shall say all the same that the numbers are made up.
 *
 * Polars derives frames by methods of native objects. Those methods are wrapped when the first synthetic frame is made,
 * and never in a process that has none. A frame that is built anew of
 * values or of Series is marked by {@link inheritSynthetic} alone.
 */
export function markSynthetic<Frame extends DataFrame | LazyDataFrame>(
  frame: Frame,
  sources: readonly string[],
): Frame {
  if (sources.some((source) => source.includes("synthetic"))) carry(nativeOf(frame));
  return frame;
}

/** Marks a frame that was built anew of the numbers of others, if one of them is marked; and returns it. */
export function inheritSynthetic(frame: DataFrame, parents: readonly DataFrame[]): DataFrame {
  if (parents.some(isMarkedSynthetic)) carry(nativeOf(frame));
  return frame;
}

/** True if numbers of the frame, or of one that it was derived from, are synthetic. */
export function isMarkedSynthetic(frame: DataFrame): boolean {
  return isMarked(nativeOf(frame));
}

/** True if a frame is known to have synthetic numbers: by its lineage, or by what a row says of its source. */
export function hasSynthetic(frame: DataFrame): boolean {
  if (isMarkedSynthetic(frame)) return true;
  if (!frame.columns.includes("source")) return false;
  const sources = frame.getColumn("source").unique().dropNulls().toArray() as unknown[];
  return sources.some((source) => String(source).includes("synthetic"));
}

function nativeOf(frame: DataFrame | LazyDataFrame): unknown {
  const { _df, _ldf } = frame as { readonly _df?: unknown; readonly _ldf?: unknown };
  return _df ?? _ldf;
}

/** Marks what a method of a marked frame gave, at once or later. */
function carry(result: unknown): unknown {
  if (result instanceof Promise) return result.then(carry);
  if (typeof result !== "object" || result === null) return result;
  const prototype: object | null = Object.getPrototypeOf(result);
  if (prototype === null || !NATIVE_CLASS.test(prototype.constructor.name)) return result;
  track(prototype);
  (result as Native)[SYNTHETIC_MARK] = true;
  return result;
}

function track(prototype: object): void {
  if (tracked.has(prototype)) return;
  tracked.add(prototype);
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof value !== "function" || name === "constructor") continue;
    const method: Method = value;
    const tracking: Method = function (...values) {
      const result = method.apply(this, values);
      return isMarked(this) || values.some(isMarked) ? carry(result) : result;
    };
    Reflect.set(prototype, name, tracking);
  }
}

function isMarked(value: unknown): boolean {
  return typeof value === "object" && value !== null && (value as Native)[SYNTHETIC_MARK] === true;
}
