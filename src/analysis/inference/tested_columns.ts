import type { TestedMean } from "./tested_mean.ts";

/** Columns of a test, in order. */
export const TEST_VALUES = {
  standard_error: "number",
  t: "number",
  df: "count",
  p: "number",
  low: "number",
  high: "number",
} as const;

/** Columns of a tested mean, in order. */
export const TESTED_COLUMNS = {
  mean: "number",
  ...TEST_VALUES,
  sessions: "count",
  reason: "text",
} as const;

type Readers<Row, Table> = {
  readonly [Name in keyof Table]: (
    row: Row,
  ) => (Table[Name] extends "text" ? string : number) | null;
};

/** Values of the columns of a test. */
export function testValues<Row>(
  read: (row: Row) => Pick<TestedMean, "standardError" | "t" | "df" | "p" | "low" | "high">,
): Readers<Row, typeof TEST_VALUES> {
  return {
    standard_error: (row) => read(row).standardError,
    t: (row) => read(row).t,
    df: (row) => read(row).df,
    p: (row) => read(row).p,
    low: (row) => read(row).low,
    high: (row) => read(row).high,
  };
}

/** Values of the columns of a tested mean. */
export function testedReaders<Row>(
  read: (row: Row) => TestedMean,
): Readers<Row, typeof TESTED_COLUMNS> {
  return {
    mean: (row) => read(row).mean,
    ...testValues(read),
    sessions: (row) => read(row).n,
    reason: (row) => read(row).reason,
  };
}
