import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { pPhrase } from "../../notebook/p_text.ts";
import { countText, decimalText } from "../inference/number_text.ts";
import { type Fact, fact } from "./fact.ts";
import { readRows } from "./read_row.ts";

const BASIS_POINTS = 10_000;

/** Which buckets carry the relation. */
export function carrierFacts({ spread, monotonicity }: FactorAnalysis): readonly Fact[] {
  const topic = "Who carries it";
  const [top] = readRows(spread.summary);
  const [ladder] = readRows(monotonicity.table);
  const mean = top?.number("mean") ?? null;
  if (top === undefined || mean === null) return [];
  const [low, high, n] = [top.number("low"), top.number("high"), top.number("sessions")!];
  const interval = low === null || high === null
    ? "no test"
    : `95 %: ${basisPoints(low)} to ${basisPoints(high)}`;
  const statement =
    `Top minus bottom bucket: ${basisPoints(mean)} bps a session, ${spread.exposure} ` +
    `(${interval}; ${countText(n, "session")}).`;
  const steps = readRows(monotonicity.steps).filter((row) => row.number("horizon") === 1);
  const rising = steps.filter((row) => (row.number("low") ?? -1) > 0).length;
  const union = ladder?.number("union_p") ?? null;
  return [
    ...(union === null ? [] : [fact(
      topic,
      `${rising} of ${steps.length} steps between buckets are rising beyond error over ` +
        `${countText(ladder!.number("n")!, "session")}; that they are not everywhere rising has ${
          pPhrase(union)
        }.`,
      { value: rising, n: ladder!.number("n"), source: "monotonicity" },
    )]),
    fact(topic, statement, { value: mean, low, high, n, source: "spread.summary" }),
  ];
}

/** What trading costs. */
export function costFacts({ costs, performance }: FactorAnalysis): readonly Fact[] {
  const topic = "What it costs";
  const rows = readRows(costs);
  const [free] = rows;
  const [traded, n] = [free?.number("traded") ?? null, free?.number("sessions") ?? 0];
  if (free === undefined || traded === null || n < 20) return [];
  const breakEven = free.number("break_even_one_way_bps");
  const earns = breakEven !== null && breakEven > 0;
  const ten = rows.find((row) => row.number("one_way_bps") === 10);
  const gross = readRows(performance)[0]?.number("annual_return") ?? null;
  const net = ten?.number("net_annual") ?? null;
  const source = "costs";
  return [
    fact(
      topic,
      `${(100 * traded).toFixed(0)} % of the book is traded a session (both sides, ${
        countText(n, "session")
      }).`,
      { value: traded, n, source },
    ),
    earns
      ? fact(topic, `It breaks even at ${breakEven.toFixed(1)} bps one way.`, {
        value: breakEven,
        n,
        source,
      })
      : fact(topic, "Its mean return before costs is not above zero, so no rate breaks even.", {
        n,
        source,
      }),
    ...(gross === null || net === null ? [] : [fact(
      topic,
      `At 10 bps one way a year's ${percent(gross)} becomes ${percent(net)} (${
        countText(n, "session")
      }).`,
      { value: net, n, source },
    )]),
  ];
}

function basisPoints(value: number): string {
  return decimalText(BASIS_POINTS * value, 1);
}

function percent(value: number): string {
  return `${decimalText(100 * value, 1)} %`;
}
