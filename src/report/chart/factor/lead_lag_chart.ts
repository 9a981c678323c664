import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import { crosshair, intervalTips, quantity, ruleAt, tip } from "../grammar/encodings.ts";
import { mark } from "../mark.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { type Known, type RowOf, rowsOf, withNumber } from "../grammar/values.ts";
import { MAIN_COLOR, QUIET_COLOR } from "../palette.ts";

const PANELS = [
  { fields: ["mean", "low", "high"], title: "mean rank IC" },
  { fields: ["sharpe", "sharpe_low", "sharpe_high"], title: "Sharpe ratio, net" },
] as const;

/**
 * Draws the mean IC with the return of the session after entry, and the Sharpe ratio of the portfolio after costs, for entry five
 * sessions before the usual one to ten after it, with 95% intervals. What is earned before the usual entry was known to nobody:
 * a peak there says by how much a wrong date of the scores, a look-ahead, would flatter them.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { leadLagChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   progress: false,
 * });
 * const chart = leadLagChart(analysis);
 * if (!chart.description.includes("at the usual entry")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function leadLagChart(analysis: FactorAnalysis, options: ChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, "IC by entry around the usual one", { of: "ICs" });
  const { leadLag } = analysis.detail;
  const rows = rowsOf(leadLag);
  const known = withNumber(rows, "mean");
  if (known.length === 0) return layOutNothing(subject, "no entry has an IC");
  return layOutFinding(subject, {
    ...textsOf(known),
    subtitle: [
      [
        ...withNumber(rows, "low").length === 0
          ? []
          : ["Lines: pointwise 95% confidence intervals"],
        withNumber(rows, "sharpe").length === 0
          ? "No Sharpe ratio"
          : `Sharpe ratio after ${rows[0]!.one_way_bps} bps of costs one way`,
      ].join(". "),
    ],
    views: PANELS.filter(({ fields: [field] }) => rows.some((row) => row[field] !== null))
      .map((panel) => ({ width: subject.widthPx, height: 100, layer: layersOf(rows, panel) })),
  });
}

type Entry = RowOf<NonNullable<FactorAnalysis["detail"]["leadLag"]>>;
type Panel = typeof PANELS[number];

function layersOf(rows: readonly Entry[], { fields: [value, low, high], title }: Panel) {
  const x = quantity("lag", {
    title: "sessions from the usual entry; grey: before it",
    fromZero: false,
    axis: { tickMinStep: 1, grid: false, tickCount: 16 },
    scale: { nice: false, padding: 8 },
  });
  const y = (field: string) => quantity(field, { title });
  const before = [{ from: rows[0]!.lag! - 0.5, to: -0.5 }];
  const lag = tip("lag", "sessions from the usual entry", "d");
  const tooltip = [lag, tip(value, title, ".3f"), ...intervalTips(".3f", [low, high])];
  const grey = { color: QUIET_COLOR, opacity: 0.2 };
  const look = { rows, color: MAIN_COLOR };
  return [
    mark("rect", { rows: before, ...grey, x: { ...x, field: "from" }, x2: "to" }),
    ruleAt(0),
    mark("rule", { ...look, opacity: 0.55, x, y: y(low), y2: high }),
    mark("point", { ...look, filled: true, size: 30, x, y: y(value) }),
    crosshair(`hover_${value}`, { rows, x, tooltip }),
  ];
}

/**
 * The entry whose stronger IC differs most clearly from the usual one, else the strongest: a paired difference is one of as many
 * tests as there are other entries (Bonferroni).
 */
function textsOf(known: readonly Known<Entry, "mean">[]) {
  const usual = known.find((row) => row.lag === 0);
  const size = Math.abs(usual?.mean ?? 0);
  const [clear] = withNumber(known, "difference_p").filter(({ mean }) => Math.abs(mean) > size)
    .toSorted((a, b) => a.difference_p - b.difference_p);
  // Half of p, since a weaker IC never stands out.
  const stands = clear !== undefined && clear.difference_p / 2 * (known.length - 1) < 0.05;
  const largest = known.reduce((a, b) => Math.abs(b.mean) > Math.abs(a.mean) ? b : a);
  const best = stands ? clear : largest;
  const lag = best.lag!;
  const p = best.difference_p;
  const of = `${best === largest ? "the largest " : ""}of ${known.length}`;
  const side = `${countText(Math.abs(lag), "session")} ${lag < 0 ? "before" : "after"} it`;
  const { difference: mean, difference_low: low, difference_high: high } = best;
  const apart = meanPhrase({ mean, low, high }, 3);
  const others = lag === 0
    ? `, ${of}`
    : stands
    ? `; ${decimalText(best.mean, 3)} ${side}, ${of}, differs by ${apart}`
    : p === null
    ? `; too few sessions to compare, ${of} is ${decimalText(best.mean, 3)} ${side}`
    : `; no other stands out, ${of} (${decimalText(best.mean, 3)}) is ${side}`;
  const ratios = withNumber(known, "sharpe")
    .map(({ sharpe, lag }) => `${decimalText(sharpe, 2)} at ${decimalText(lag!, 0)}`);
  return {
    finding: `Mean IC ${usual === undefined ? "unknown" : meanPhrase(usual, 3)} at the usual ` +
      `entry${others}`,
    details: ratios.length === 0 ? "No Sharpe ratio" : `Sharpe ratio, net: ${ratios.join(", ")}`,
    ...stands && lag < 0 && {
      caution: "The peak lies before the entry: scores that follow prices, or dated too late. " +
        "No order could earn it, and with earlier dates it would be a look-ahead",
    },
  };
}
