import type { Scenario } from "./_scenario.ts";
import { contract } from "./_tampering.ts";

/** The rows of an answer are wrong. */
export const ROW_SCENARIOS: readonly Scenario[] = (["latest", "csv"] as const).flatMap((
  load,
): Scenario[] => [
  {
    name: `a row twice in ${load === "csv" ? "CSV" : "JSON"}`,
    load,
    faults: [{ kind: "duplicate_row" }],
    must: contract("a ticker that does not repeat"),
    requests: 1,
  },
  {
    name: `rows out of order in ${load === "csv" ? "CSV" : "JSON"}`,
    load,
    faults: [{ kind: "unsorted_rows" }],
    must: contract("a ticker after"),
    requests: 1,
  },
  {
    name: `a row missing in ${load === "csv" ? "CSV" : "JSON"}`,
    load,
    faults: [{ kind: "missing_row", contains: load === "csv" ? "format=csv" : "factor" }],
    must: contract("$.coverage.tickers to be the number of rows, 7, got 8"),
  },
  {
    name: `a score beyond 1 in ${load === "csv" ? "CSV" : "JSON"}`,
    load,
    faults: [{ kind: "score_out_of_range" }],
    must: contract("a number from 0 to 1"),
    requests: 1,
  },
]);
