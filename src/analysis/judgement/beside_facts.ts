import type { Reconciled } from "../factor_test/reconcile.ts";
import type { SpecificationCurve } from "../selection/specification_curve.ts";
import { type Fact, fact } from "./fact.ts";
import { readRows } from "./read_row.ts";
import { TOPICS } from "./topics.ts";

/** Range of the mean IC over all specifications, and their joint test. */
export function curveFacts(curve: SpecificationCurve | null): readonly Fact[] {
  const [row] = curve === null ? [] : readRows(curve.summary);
  if (curve === null || row === undefined) return [];
  const range = { low: row.number("smallest"), high: row.number("largest") };
  const about = { value: row.number("median"), ...range, n: row.number("specifications") };
  return [fact(TOPICS.trials, curve.text, { ...about, source: "curve.summary" })];
}

/** Rows of a release beside those that were known at the time, and by how much its IC differs. */
export function reconciledFacts(reconciled: Reconciled | null): readonly Fact[] {
  if (reconciled === null) return [];
  const [rows = "", ...ics] = reconciled.text.split("\n");
  const equal = readRows(reconciled.table).find((row) => row.text("change") === "equal");
  const compared = readRows(reconciled.ics ?? reconciled.table.head(0));
  return [
    fact(TOPICS.robustness, `The release is compared with the scores known at the time. ${rows}`, {
      value: equal?.number("share") ?? null,
      n: reconciled.rows.height,
      source: "reconciled.table",
    }),
    ...compared.map((row, i) =>
      fact(TOPICS.robustness, ics[i]!, {
        ...{ value: row.number("mean"), low: row.number("low"), high: row.number("high") },
        n: row.number("sessions"),
        source: "reconciled.ics",
      })
    ),
  ];
}
