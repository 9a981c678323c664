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
  crosshair,
  intervalTips,
  quantity,
  ruleAt,
  rulesAt,
  sessionAxis,
  sessionTip,
  tip,
} from "../grammar/encodings.ts";
import { has, mark } from "../mark.ts";
import { readBreakEven } from "../grammar/mean_phrase.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
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
import { MAIN_COLOR, OTHER_COLOR } from "../palette.ts";

const MOST_BLOCKS = 120;

/**
 * Draws costs and the rank autocorrelation of the scores: the mean net return per session by cost, with its 95% confidence interval
 * and the break-even cost; and beneath it the correlation of ranks between neighbouring sessions, as means of several sessions with
 * their lowest and highest value. The share of new stocks of a quantile stands in the title.
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
export function turnoverChart(analysis: FactorAnalysis, options: ChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, "Costs and rank autocorrelation");
  const ranks = rowsOf(analysis.rankAutocorrelation);
  const costs = rowsOf(analysis.costs);
  const hasRanks = withNumber(ranks, "autocorrelation").length > 0;
  const hasCosts = numberIn(costs[0], "traded") > 0;
  if (!hasRanks && !hasCosts) return layOutNothing(subject, "nothing is traded");
  const step = stepOf(ranks);
  const blocks = inBlocks(ranks, MOST_BLOCKS);
  const size = blocks[0]?.length ?? 1;
  const between = step === "signal" ? ", between signals" : "";
  const lines = size === 1
    ? `rank autocorrelation by session${between}`
    : `rank autocorrelation, means of ${size} sessions${between}, bars: lowest to highest`;
  const width = subject.widthPx;
  return layOutFinding(subject, {
    finding: findingOf(analysis, costs[0], step),
    subtitle: [
      [
        ...hasCosts ? ["Mean net return with its 95% confidence interval"] : [],
        ...hasRanks ? [`${hasCosts ? "Below" : "Line"}: ${lines}`] : [],
      ].join(". "),
    ],
    details: `${describe(ranks, step)} ${costText(costs[0])}.`,
    views: [
      ...hasCosts ? [{ width, height: 150, layer: costLayers(costs) }] : [],
      ...hasRanks ? [{ width, height: 90, ...rankView(blocks.map(rangeOf)) }] : [],
    ],
  });
}

type Costs = RowOf<FactorAnalysis["costs"]>;
type Ranks = readonly RowOf<FactorAnalysis["rankAutocorrelation"]>[];
type Step = "session" | "signal";

/** Scores are compared between neighbouring signals where the sessions with a comparison usually skip some. */
function stepOf(ranks: Ranks): Step {
  const places = [...ranks.keys()].filter((place) => ranks[place]!.autocorrelation !== null);
  const neighbours = places.filter((place, i) => i > 0 && place === places[i - 1]! + 1).length;
  return places.length > 1 && neighbours <= (places.length - 1) >> 1 ? "signal" : "session";
}

function findingOf({ turnover }: FactorAnalysis, free: Costs | undefined, step: Step): string {
  const mean = meanOfKnown(rowsOf(turnover, ["turnover"]).map((row) => numberIn(row, "turnover")));
  const fresh = mean === null ? [] : [
    `${percentText(mean, 0)} of a quantile's stocks are new each ${step}`,
  ];
  const { rate, interval } = readBreakEven(free);
  const cost = rate === "no break-even" ? "none" : `${rate} one way`;
  const ends = interval === "" ? "" : ` (${interval})`;
  const over = countText(numberIn(free, "sessions"), "session");
  const even = rate === null || !(numberIn(free, "traded") > 0)
    ? []
    : [`break-even cost ${cost}${ends}, ${over}`];
  return capital([...even, ...fresh].join("; "));
}

/** Mean, lowest and highest rank autocorrelation of neighbouring sessions. */
function rangeOf(block: Ranks): Row {
  const values = ascending(block, "autocorrelation").map((row) => row.autocorrelation);
  const ends = values.length > 1 ? { low: values[0]!, high: values.at(-1)! } : {};
  return { session: block[0]!.session, autocorrelation: meanOfKnown(values), ...ends };
}

function rankView(rows: readonly Row[]): ChartSpec {
  const x = sessionAxis();
  const y = (field: string) => quantity(field, { title: "rank corr.", axis: { tickCount: 3 } });
  const range = { where: has("low"), strokeWidth: 2, opacity: 0.35, color: MAIN_COLOR };
  // A session between two gaps is a dot.
  const line = { strokeWidth: 1.4, strokeCap: "round", color: MAIN_COLOR };
  const ends = [tip("low", "lowest", ".4f"), tip("high", "highest", ".4f")];
  const tooltip = [sessionTip(), tip("autocorrelation", "rank autocorrelation", ".4f"), ...ends];
  return {
    data: { values: rows },
    layer: [
      mark("rule", { ...range, x, y: y("low"), y2: "high" }),
      mark("line", { ...line, x, y: y("autocorrelation") }),
      crosshair("hover_rank", { x, tooltip }),
    ],
  };
}

function costRow(row: Costs & { readonly one_way_bps: number }) {
  const bps = (value: number | null) => toValue(BASIS_POINTS * (value ?? NaN));
  return {
    rate: row.one_way_bps,
    net: bps(row.net),
    low: bps(row.net_low),
    high: bps(row.net_high),
    annual: row.net_annual,
    drawdown: row.net_drawdown,
    sessions: row.sessions,
  };
}

/** Net returns by cost, and the break-even cost, named above the picture, where no curve and no axis is. */
function costLayers(costs: readonly Costs[]): readonly ChartSpec[] {
  const rows = ascending(costs, "one_way_bps").map(costRow);
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
  const [color, at] = [MAIN_COLOR, { field: "at", type: "quantitative" }];
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
    mark("text", { rows: marks, fontSize: 10, y: -6, align, x: at, text: { field: "text" } }),
  ];
}

/** Rank autocorrelation in a sentence. */
function describe(ranks: Ranks, step: Step): string {
  const [least] = ascending(ranks, "autocorrelation");
  const rank = meanOfKnown(ranks.map((row) => numberIn(row, "autocorrelation")));
  return least === undefined || rank === null
    ? "Too few stocks have scores in two adjacent sessions for a rank autocorrelation."
    : `The rank autocorrelation between adjacent ${step}s averages ${decimalText(rank, 3)}, with ` +
      `its lowest on ${least.session} (${decimalText(least.autocorrelation, 3)}).`;
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
