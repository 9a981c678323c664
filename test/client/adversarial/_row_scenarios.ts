import { csv, latest, named } from "./_scenario.ts";
import { contract, fault } from "./_tampering.ts";

/** The rows of an answer are wrong. */
export const ROW_SCENARIOS = ([["JSON", latest], ["CSV", csv]] as const).flatMap(([form, load]) =>
  named({
    [`a row twice in ${form}`]: load(
      fault("duplicate_row"),
      contract("a ticker that does not repeat"),
    ),
    [`rows out of order in ${form}`]: load(fault("unsorted_rows"), contract("a ticker after")),
    [`a row missing in ${form}`]: load(
      fault("missing_row", { contains: form === "CSV" ? "format=csv" : "factor" }),
      contract("expected $.coverage.tickers to be the number of rows, 7, got 8"),
      {},
    ),
    [`a score beyond 1 in ${form}`]: load(
      fault("score_out_of_range"),
      contract("a number from 0 to 1"),
    ),
  })
);
