import type { DataFrame } from "nodejs-polars";
import { capacityText, limitText } from "../../base/wording/sentences/capacity_text.ts";
import { holdingText } from "../../base/wording/sentences/cost_text.ts";
import type { Reconciled } from "../factor_test/reconcile.ts";
import type { SpecificationCurve } from "../selection/specification_curve.ts";
import type { Estimate } from "../../base/wording/number_text.ts";
import { type Fact, fact } from "./fact.ts";
import { type ReadRow, readRows } from "./read_row.ts";
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

/** The capital at which nothing is left, and the share of the sessions in which the largest capital can trade. */
export function capacityFacts(table: DataFrame | null): readonly Fact[] {
  if (table === null) return [];
  const rows = readRows(table.sort("capital"));
  const [largest, even] = [rows.at(-1)!, evenOf(rows[0]!)];
  const share = largest.number("within_limit");
  const n = largest.number("sessions");
  const about = { n, source: "capacity" };
  return [
    ...even.value === null
      ? []
      : [fact(TOPICS.costs, capacityText(even, n ?? 0), { ...even, ...about })],
    ...share === null ? [] : [
      fact(TOPICS.costs, limitText(largest.number("capital")!, share), {
        value: share,
        ...about,
      }),
    ],
  ];
}

function evenOf(row: ReadRow): Estimate {
  return {
    value: row.number("break_even_capital"),
    low: row.number("break_even_low"),
    high: row.number("break_even_high"),
  };
}

/** The holding period with the highest net return, as the choice that it is. */
export function holdingFacts(table: DataFrame | null): readonly Fact[] {
  const rows = table === null ? [] : readRows(table).filter((row) => row.number("net") !== null);
  if (rows.length === 0) return [];
  const best = rows.reduce((a, b) => b.number("net")! > a.number("net")! ? b : a);
  const n = best.number("sessions") ?? 0;
  const net = {
    value: best.number("net"),
    low: best.number("net_low"),
    high: best.number("net_high"),
  };
  const statement = holdingText({
    ...{ holding: best.number("holding")!, oneWayBps: best.number("one_way_bps")!, net, n },
    ...{ compared: rows.length, p: best.number("p_adjusted") },
  });
  return [fact(TOPICS.costs, statement, { ...net, n, source: "holdingPeriods" })];
}
