import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { isObject } from "../../../base/contract/json_text.ts";
import {
  COMPUTED_MARK,
  HELD_OUT_MARK,
  SYNTHETIC_MARK,
} from "../../../base/contract/frame_marks.ts";

type Mark = typeof COMPUTED_MARK | typeof HELD_OUT_MARK | typeof SYNTHETIC_MARK;

/** Native Polars object of a frame, a lazy frame or a group-by. */
type Native = { [Name in Mark]?: unknown };
type Method = (this: Native, ...values: unknown[]) => unknown;

const MARKS: readonly Mark[] = [COMPUTED_MARK, HELD_OUT_MARK, SYNTHETIC_MARK];
const NATIVE_CLASS = /^Js(DataFrame|LazyFrame|LazyGroupBy)$/;
const tracked = new WeakSet<object>();

/**
 * Marks a frame and every frame that Polars derives from it, so that charts and displays show the mark even if columns are
 * dropped.
 *
 * Polars derives frames by methods of native objects. Those methods are wrapped when the first frame is marked, and never in a
 * process that marks none. A frame built from values or Series has no mark.
 */
export function setMark<Frame extends DataFrame | LazyDataFrame>(
  frame: Frame,
  mark: Mark,
  value: unknown,
): Frame {
  carry(nativeOf(frame), [[mark, value]]);
  return frame;
}

/** Value of a mark of a frame or its ancestors; `undefined` without one. */
export function markOf(frame: DataFrame | LazyDataFrame, mark: Mark): unknown {
  return isObject(nativeOf(frame)) ? (nativeOf(frame) as Native)[mark] : undefined;
}

function nativeOf(frame: DataFrame | LazyDataFrame): unknown {
  const { _df, _ldf } = frame as { readonly _df?: unknown; readonly _ldf?: unknown };
  return _df ?? _ldf;
}

/** Marks the result of a method of a marked frame, or of its promise. */
function carry(result: unknown, marks: readonly (readonly [Mark, unknown])[]): unknown {
  if (result instanceof Promise) return result.then((value) => carry(value, marks));
  if (!isObject(result)) return result;
  const prototype: object | null = Object.getPrototypeOf(result);
  if (prototype === null || !NATIVE_CLASS.test(prototype.constructor.name)) return result;
  track(prototype);
  for (const [mark, value] of marks) (result as Native)[mark] = value;
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
      const marks = marksOf([...values, this]);
      return marks.length === 0 ? result : carry(result, marks);
    };
    Reflect.set(prototype, name, tracking);
  }
}

// If two frames have different marks, that of the frame whose method was called comes last and counts.
function marksOf(values: readonly unknown[]): readonly (readonly [Mark, unknown])[] {
  return values.filter(isObject).flatMap((value) =>
    MARKS.flatMap((mark) => {
      const said = (value as Native)[mark];
      return said === undefined ? [] : [[mark, said] as const];
    })
  );
}
