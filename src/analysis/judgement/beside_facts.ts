import { capacityText, holdingText, limitText } from "../../base/wording/sentences/cost_text.ts";
import type { Estimate } from "../../base/wording/number_text.ts";
import { type Fact, fact, TOPICS } from "./fact.ts";
import type { JudgementOptions } from "./judgement_options.ts";

/** Range of the mean IC over all specifications, and their joint test. */
export function curveFacts(curve: NonNullable<JudgementOptions["curve"]> | null): readonly Fact[] {
  const [row] = curve?.tables.summary.toRecords() ?? [];
  if (curve === null || row === undefined) return [];
  const { smallest: low, largest: high, median: value, specifications: n } = row;
  const about = { value, low, high, n };
  return [fact(TOPICS.trials, curve.text, { ...about, source: "curve.tables.summary" })];
}

/** Rows of a release beside those that were known at the time, and by how much its IC differs. */
export function reconciledFacts(
  reconciled: NonNullable<JudgementOptions["reconciled"]> | null,
): readonly Fact[] {
  if (reconciled === null) return [];
  const [rows = "", ...ics] = reconciled.text.split("\n");
  const equal = reconciled.table.toRecords().find(({ change }) => change === "equal");
  const compared = reconciled.tables.ics?.toRecords() ?? [];
  return [
    fact(TOPICS.robustness, `The release is compared with the scores known at the time. ${rows}`, {
      value: equal?.share ?? null,
      n: reconciled.tables.rows.height,
      source: "reconciled.table",
    }),
    ...compared.map((row, i) =>
      fact(TOPICS.robustness, ics[i]!, {
        ...{ value: row.mean, low: row.low, high: row.high, n: row.sessions },
        source: "reconciled.tables.ics",
      })
    ),
  ];
}

/** The capital at which nothing is left, and the share of the sessions in which the largest capital can trade. */
export function capacityFacts(table: JudgementOptions["capacity"] | null): readonly Fact[] {
  const rows = table?.sort("capital").toRecords() ?? [];
  const [first, largest] = [rows[0], rows.at(-1)];
  if (first === undefined || largest === undefined) return [];
  const even: Estimate = {
    value: first.break_even_capital,
    low: first.break_even_low,
    high: first.break_even_high,
  };
  const { within_limit: share, sessions: n } = largest;
  const about = { n, source: "capacity" };
  return [
    ...even.value === null
      ? []
      : [fact(TOPICS.costs, capacityText(even, n ?? 0), { ...even, ...about })],
    ...share === null ? [] : [
      fact(TOPICS.costs, limitText(largest.capital!, share), {
        value: share,
        ...about,
      }),
    ],
  ];
}

/** The holding period with the highest net return, as the choice that it is. */
export function holdingFacts(table: JudgementOptions["holdingPeriods"] | null): readonly Fact[] {
  const rows = table?.toRecords().filter(({ net }) => net !== null) ?? [];
  if (rows.length === 0) return [];
  const best = rows.reduce((a, b) => b.net! > a.net! ? b : a);
  const n = best.sessions ?? 0;
  const net = { value: best.net, low: best.net_low, high: best.net_high };
  const statement = holdingText({
    ...{ holding: best.holding!, oneWayBps: best.one_way_bps!, net, n },
    ...{ compared: rows.length, p: best.p_adjusted },
  });
  return [fact(TOPICS.costs, statement, { ...net, n, source: "holdingPeriods" })];
}
