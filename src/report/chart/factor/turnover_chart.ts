import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { capital } from "../../../base/wording/words.ts";
import {
  BASIS_POINTS,
  countText,
  decimalText,
  percentText,
} from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import {
  BUCKET_AXIS,
  intervalTips,
  labelsAt,
  looksBy,
  quantity,
  ruleAt,
  rulesAt,
  sessionAxis,
  sessionTip,
  tip,
} from "../grammar/encodings.ts";
import { has, mark } from "../mark.ts";
import { readBreakEven } from "../grammar/mean_phrase.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { inBlocks } from "../grammar/thin_rows.ts";
import {
  ascending,
  meanOfKnown,
  numberIn,
  type Row,
  type RowOf,
  rowsOf,
  toValue,
  withNumber,
} from "../grammar/values.ts";
import { MAIN_COLOR, OTHER_COLOR, SERIES_COLORS, SHAPES } from "../palette.ts";

const MOST_BLOCKS = 120;

/**
 * Draws turnover and costs: the mean share of new stocks of each quantile over the sessions of each horizon, with its middle 90% over
 * sessions; the rank autocorrelation of the scores, as means of several sessions with their lowest and highest value; and the mean net
 * return per session by cost, with its 95% confidence interval and the break-even cost.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { turnoverChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   progress: false,
 * });
 * const chart = turnoverChart(analysis);
 * if (!chart.description.includes("break-even cost is")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function turnoverChart(analysis: FactorAnalysis, options: AnalysisChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, {
    about: "Turnover, rank autocorrelation and costs",
  });
  const ranks = rowsOf(analysis.rankAutocorrelation);
  const costs = rowsOf(analysis.costs);
  const step = stepOf(ranks);
  const shares = rowsOf(analysis.detail.turnoverByPeriod).map((row) => ({
    ...row,
    over: row.period === 1 ? `1 ${step}` : countText(row.period!, "session"),
  }));
  const hasShares = withNumber(shares, "mean").length > 0;
  const hasCosts = numberIn(costs[0], "traded") > 0;
  if (!hasShares && !hasCosts) return layOutNothing(subject, "nothing is traded");
  const blocks = inBlocks(ranks, MOST_BLOCKS);
  const size = blocks[0]?.length ?? 1;
  const between = step === "signal" ? ", between signals" : "";
  const lines = size === 1
    ? `rank autocorrelation by session${between}`
    : `means of ${size} sessions${between}, bars: lowest to highest`;
  const width = subject.widthPx;
  return layOutFinding(subject, {
    finding: findingOf(shares, costs[0], step),
    subtitle: [
      `Above: mean share of new stocks, lines: middle 90% of sessions. Middle: ${lines}. Below: mean net return with its 95% confidence interval`,
    ],
    details: `${describe(analysis, { shares, ranks, step })} ${costText(costs[0])}.`,
    views: [
      ...hasShares ? [{ width, height: 130, ...sharesView(shares) }] : [],
      ...withNumber(ranks, "autocorrelation").length > 0
        ? [{ width, height: 110, ...rankView(blocks.map(rangeOf)) }]
        : [],
      ...hasCosts ? [{ width, height: 110, layer: costLayers(costs) }] : [],
    ],
  });
}

type Costs = RowOf<FactorAnalysis["costs"]>;
type Ranks = readonly RowOf<FactorAnalysis["rankAutocorrelation"]>[];
/** Mean share of new stocks by horizon and quantile. */
type Shares = readonly (Row & RowOf<FactorAnalysis["detail"]["turnoverByPeriod"]>)[];
type Step = "session" | "signal";

/** Scores are compared between neighbouring signals where the sessions with a comparison usually skip some. */
function stepOf(ranks: Ranks): Step {
  const places = [...ranks.keys()].filter((place) => ranks[place]!.autocorrelation !== null);
  const neighbours = places.filter((place, i) => i > 0 && place === places[i - 1]! + 1).length;
  return places.length > 1 && neighbours <= (places.length - 1) >> 1 ? "signal" : "session";
}

function findingOf(shares: Shares, free: Costs | undefined, step: Step): string {
  const first = shares.filter(({ period }) => period === shares[0]!.period);
  const mean = meanOfKnown(first.map((row) => numberIn(row, "mean")));
  const fresh = mean === null ? [] : [
    `${percentText(mean, 0)} of a quantile's stocks are new each ${step}`,
  ];
  const { rate, interval } = readBreakEven(free);
  const even = rate === null || !(numberIn(free, "traded") > 0) ? [] : [
    `break-even cost ${rate === "no break-even" ? "none" : `${rate} one way`}${
      interval === "" ? "" : ` (${interval})`
    }, ${countText(numberIn(free, "sessions"), "session")}`,
  ];
  return capital([...fresh, ...even].join("; "));
}

function sharesView(rows: Shares): ChartSpec {
  const overs = [...new Set(rows.map((row) => row["over"]))];
  const place = { x: BUCKET_AXIS, xOffset: { field: "over", type: "nominal", sort: overs } };
  const [color, shape] = [SERIES_COLORS, SHAPES]
    .map((looks) => looksBy("over", overs, looks, { title: "new since" }));
  // If no stock is new, an axis from 0 to 0 would have a single tick of six decimals.
  const scale = withNumber(rows, "mean").some(({ mean }) => mean > 0) ? {} : { domain: [0, 1] };
  const axis = { title: "new stocks", format: "%", axis: { tickCount: 4 }, scale };
  const y = (field: string) => quantity(field, axis);
  const tooltip = [
    tip("quantile", "quantile"),
    tip("over", "new since"),
    tip("mean", "mean", ".1%"),
    tip("low", "middle 90% from", ".1%"),
    tip("high", "to", ".1%"),
    tip("sessions", "sessions", ",d"),
  ];
  const line = { where: has("low"), strokeWidth: 1.5, opacity: 0.6 };
  return {
    data: { values: rows },
    layer: [
      mark("rule", { ...line, ...place, y: y("low"), y2: "high", color }),
      mark("point", { filled: true, size: 60, ...place, y: y("mean"), color, shape, tooltip }),
    ],
  };
}

/** Mean, lowest and highest rank autocorrelation of neighbouring sessions. */
function rangeOf(block: Ranks): Row {
  const values = ascending(block, "autocorrelation").map((row) => row.autocorrelation);
  const ends = values.length > 1 ? { low: values[0]!, high: values.at(-1)! } : {};
  return { session: block[0]!.session, autocorrelation: meanOfKnown(values), ...ends };
}

function rankView(rows: readonly Row[]): ChartSpec {
  const values = ["autocorrelation", "low", "high"]
    .flatMap((name) => withNumber(rows, name).map((row) => row[name]!));
  // One value alone would have a single tick of six decimals.
  const isOne = new Set(values).size === 1;
  const isCut = !isOne && (values.every((r) => r > 0) || values.every((r) => r < 0));
  const title = isCut ? "rank corr., axis truncated" : "rank corr.";
  const x = sessionAxis();
  const y = (field: string) => quantity(field, { title, fromZero: isOne, axis: { tickCount: 3 } });
  const range = { where: has("low"), strokeWidth: 2, opacity: 0.35, color: MAIN_COLOR };
  // A session between two gaps is a dot.
  const line = { strokeWidth: 1.4, strokeCap: "round", color: MAIN_COLOR };
  const tooltip = [
    sessionTip(),
    tip("autocorrelation", "rank autocorrelation", ".4f"),
    tip("low", "lowest", ".4f"),
    tip("high", "highest", ".4f"),
  ];
  return {
    data: { values: rows },
    layer: [
      mark("rule", { ...range, x, y: y("low"), y2: "high" }),
      mark("line", { ...line, x, y: y("autocorrelation"), tooltip }),
    ],
  };
}

/** Net returns by cost, and the break-even cost, named above the picture, where no curve and no axis is. */
function costLayers(costs: readonly Costs[]): readonly ChartSpec[] {
  const bps = (value: number | null) => toValue(BASIS_POINTS * (value ?? NaN));
  const rows = ascending(costs, "one_way_bps").map((row) => ({
    rate: row.one_way_bps,
    ...{ net: bps(row.net), low: bps(row.net_low), high: bps(row.net_high) },
    ...{ annual: row.net_annual, drawdown: row.net_drawdown, sessions: row.sessions },
  }));
  const even = numberIn(costs[0], "break_even_one_way_bps");
  const last = rows.at(-1)!;
  // Net return falls in a straight line with the rate: its end is where nothing is left.
  const beyond = even > last.rate ? [last, { rate: even, net: 0 }] : [];
  const x = quantity("rate", {
    title: "one-way cost, bps",
    axis: { grid: false },
    scale: { nice: false, padding: 6 },
  });
  const axis = { title: "net, bps per session", axis: { tickCount: 4 } };
  const [net, low] = ["net", "low"].map((field) => quantity(field, axis));
  const color = MAIN_COLOR;
  const tooltip = [
    tip("rate", "one way, bps", ".0f"),
    tip("net", "net, bps per session", ".2f"),
    ...intervalTips(".2f"),
    tip("annual", "net annual return", ".2%"),
    tip("drawdown", "maximum drawdown", ".2%"),
    tip("sessions", "sessions", ",d"),
  ];
  const marks = even > 0 ? [{ at: even, text: `break-even ${decimalText(even, 1)} bps` }] : [];
  const end = Math.max(last.rate, even || 0);
  const align = even > 0.7 * end ? "right" : even < 0.3 * end ? "left" : "center";
  const point = { filled: true, color };
  return [
    ruleAt(0),
    mark("area", { rows, where: has("low"), opacity: 0.2, color, x, y: low, y2: "high" }),
    mark("line", { rows: beyond, color, strokeDash: [4, 3], x, y: net }),
    mark("line", { rows, point, color, x, y: net, tooltip }),
    rulesAt(marks, "at", { color: OTHER_COLOR, strokeDash: [5, 3], strokeWidth: 1.5 }),
    labelsAt(marks, { field: "at", label: "text" }, { y: -6, align }),
  ];
}

/** Turnover and rank autocorrelation in sentences. */
function describe(
  { turnover }: FactorAnalysis,
  { shares, ranks, step }: { readonly shares: Shares; readonly ranks: Ranks; readonly step: Step },
): string {
  const newest = turnover.filter(pl.col("turnover").eq(pl.col("turnover").max()));
  const [most] = rowsOf(newest.head(1));
  const first = shares.filter(({ period }) => period === 1);
  const weights = first.map((row) => numberIn(row, "sessions"));
  const [least] = ascending(ranks, "autocorrelation");
  const rank = meanOfKnown(ranks.map((row) => numberIn(row, "autocorrelation")));
  if (most === undefined) return "No two adjacent sessions have new scores to compare.";
  const sessions = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = withNumber(first, "mean")
    .reduce((sum, row) => sum + row.mean * numberIn(row, "sessions") / sessions, 0);
  const each = first.map((row) => row.mean === null ? "none" : percentText(row.mean)).join(", ");
  const changed = `On average ${percentText(mean)} of a quantile's stocks are new each ${step} ` +
    `(${each} from the lowest quantile to the highest), most in quantile ${most.quantile} on ` +
    `${most.session} (${percentText(most.turnover!)}).`;
  return least === undefined
    ? `${changed} Too few stocks have scores for a rank autocorrelation.`
    : `${changed} The rank autocorrelation between adjacent ${step}s averages ${
      decimalText(rank!, 3)
    }, with its lowest on ${least.session} (${decimalText(least.autocorrelation, 3)}).`;
}

function costText(free: Costs | undefined): string {
  const traded = numberIn(free, "traded");
  if (Number.isNaN(traded)) return "No costs are stated";
  const { rate, interval } = readBreakEven(free);
  const even = numberIn(free, "break_even_one_way_bps") > 0
    ? `the break-even cost is ${rate} one way`
    : "it has no break-even cost, because its mean return before costs is not above zero";
  const ends = interval === "" ? "" : ` (${interval})`;
  const share = percentText(traded);
  return `${share} of the portfolio is traded per session, first purchase included; ${even}${ends}`;
}
