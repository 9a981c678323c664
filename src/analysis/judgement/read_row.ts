import type { DataFrame } from "nodejs-polars";

/** A row of a frame whose values are read by type. */
export interface ReadRow {
  /** A number; `null` if there is none. */
  number(name: string): number | null;
  /** `true` if a mark is set. */
  flag(name: string): boolean;
  /** A text; `null` if there is none. */
  text(name: string): string | null;
  /** A date as YYYY-MM-DD; `null` if there is none. */
  date(name: string): string | null;
}

/** The rows of a small frame. */
export function readRows(frame: DataFrame): readonly ReadRow[] {
  return frame.toRecords().map((row: Record<string, unknown>) => ({
    number: (name) => typeof row[name] === "number" ? row[name] : null,
    flag: (name) => row[name] === true,
    text: (name) => typeof row[name] === "string" ? row[name] : null,
    date: (name) => row[name] instanceof Date ? row[name].toISOString().slice(0, 10) : null,
  }));
}
