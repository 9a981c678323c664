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
