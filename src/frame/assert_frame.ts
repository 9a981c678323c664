import type { DataFrame } from "nodejs-polars";
import { describe } from "../contract/violation.ts";

/**
 * Refuses a value that is no frame: in a notebook a load that was not awaited, or a lazy frame, is easily taken for one.
 *
 * @param action What needs the frame, to stand behind "Cannot"
 * @throws {TypeError} With what was given, and how a frame comes of it
 */
export function assertFrame(action: string, value: unknown): asserts value is DataFrame {
  const kind = tagOf(value);
  if (kind === "DataFrame") return;
  throw new TypeError(`Cannot ${action}: expected a DataFrame, got ${nameOf(kind, value)}`);
}

function tagOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return null;
  return (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
}

function nameOf(kind: unknown, value: unknown): string {
  if (kind === "LazyDataFrame") return "a lazy frame; collect it first, with await frame.collect()";
  return describe(value);
}
