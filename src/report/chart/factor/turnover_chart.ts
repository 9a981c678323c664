import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import {
  labelsAt,
  looksBy,
  quantity,
  ruleAt,
  rulesAt,
  sessionAxis,
  sessionTip,
  tip,
} from "../grammar/encodings.ts";
import { describeTurnover, freshOf } from "./_turnover_text.ts";
import { readBreakEven } from "../grammar/read_break_even.ts";
import { BUCKET_AXIS } from "../grammar/bucket_axis.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { MAIN_COLOR, OTHER_COLOR, SERIES_COLORS, SHAPES } from "../palette.ts";
import { inBlocks, meanOfKnown, numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";
import {
  BASIS_POINTS,
  countText,
  decimalText,
  percentText,
} from "../../../base/wording/number_text.ts";

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
 *   placebo: false,
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
  const ranks = rowsOf(analysis.rankAutocorrelation, ["session", "autocorrelation"]);
  const size = inBlocks(ranks, MOST_BLOCKS)[0]?.length ?? 1;
  const costs = rowsOf(analysis.costs);
  const step = stepOf(ranks);
  const shares = sharesOf(analysis, step);
  const hasShares = shares.some((row) => !Number.isNaN(numberIn(row, "mean")));
  const hasRanks = ranks.some((row) => !Number.isNaN(numberIn(row, "autocorrelation")));
  const hasCosts = numberIn(costs[0], "traded") > 0;
  if (!hasShares && !hasCosts) {
    return layOutNothing(subject, "nothing is traded");
  }
  const said = describeTurnover({ fresh: freshOf(analysis), ranks, step });
  const ranges = size === 1 ? "" : ", bars: lowest to highest";
  const lines = `means of ${size} sessions${step === "signal" ? ", between signals" : ""}${ranges}`;
  return layOutFinding(subject, {
    finding: findingOf(shares, costs[0], step),
    subtitle: [
      `Above: mean share of new stocks, lines: middle 90% of sessions. Middle: ${lines}. Below: mean net return with its 95% confidence interval`,
    ],
    details: `${said} ${costText(costs[0])}.`,
    views: [
      ...hasShares ? [sharesView(shares, subject.widthPx)] : [],
      ...hasRanks ? [rankView(blocksOf(ranks), subject.widthPx)] : [],
      ...hasCosts ? [costView(costs, subject.widthPx)] : [],
    ],
  });
}

/** Mean share of new stocks by horizon and quantile. */
function sharesOf({ detail }: FactorAnalysis, step: string): readonly Row[] {
  return rowsOf(detail.turnoverByPeriod).map((row): Row => ({
    ...row,
    over: row["period"] === 1 ? `1 ${step}` : countText(numberIn(row, "period"), "session"),
  }));
}

function findingOf(shares: readonly Row[], free: Row | undefined, step: string): string {
  const first = shares.filter((row) => row["period"] === shares[0]!["period"]);
  const mean = meanOfKnown(first.map((row) => numberIn(row, "mean")));
  const fresh = mean === null ? [] : [
    `${percentText(mean, 0)} of a quantile's stocks are new each ${step}`,
  ];
  const traded = numberIn(free, "traded");
  const { rate, interval } = readBreakEven(free);
  const even = rate === null || Number.isNaN(traded) || traded === 0 ? [] : [
    `break-even cost ${rate === "no break-even" ? "none" : `${rate} one way`}${
      interval === "" ? "" : ` (${interval})`
    }, ${countText(numberIn(free, "sessions"), "session")}`,
  ];
  const [head, ...rest] = [...fresh, ...even];
  return head === undefined ? "" : [head.replace(/^b/, "B"), ...rest].join("; ");
}

/** Mean, lowest and highest rank autocorrelation of neighbouring sessions. */
function blocksOf(ranks: readonly Row[]): readonly Row[] {
  return inBlocks(ranks, MOST_BLOCKS).map((block) => {
    const values = block.map((row) => numberIn(row, "autocorrelation"));
    const known = values.filter((value) => !Number.isNaN(value));
    const ends = known.length > 1 ? { low: Math.min(...known), high: Math.max(...known) } : {};
    return { session: block[0]!["session"]!, autocorrelation: meanOfKnown(values), ...ends };
  });
}

function sharesView(rows: readonly Row[], width: number): ChartSpec {
  const overs = [...new Set(rows.map((row) => String(row["over"])))];
  const place = {
    x: BUCKET_AXIS,
    xOffset: { field: "over", type: "nominal", sort: overs },
  };
  const [color, shape] = [SERIES_COLORS, SHAPES]
    .map((looks) => looksBy("over", overs, looks, { title: "new since" }));
  const scale = shareScale(rows);
  const y = (field: string) =>
    quantity(field, { title: "new stocks", format: "%", axis: { tickCount: 4 }, scale });
  return {
    width,
    height: 130,
    data: { values: rows },
    layer: [
      {
        transform: [{ filter: "isValid(datum.low)" }],
        mark: { type: "rule", strokeWidth: 1.5, opacity: 0.6 },
        encoding: { ...place, y: y("low"), y2: { field: "high" }, color },
      },
      {
        mark: { type: "point", filled: true, size: 60 },
        encoding: {
          ...place,
          y: y("mean"),
          color,
          shape,
          tooltip: SHARE_TIPS,
        },
      },
    ],
  };
}

/** Scale of the shares of new stocks; if none is new, an axis from 0 to 0 would have a single tick of six decimals. */
function shareScale(rows: readonly Row[]): ChartSpec {
  return rows.some((row) => numberIn(row, "mean") > 0) ? {} : { domain: [0, 1] };
}

function rankView(rows: readonly Row[], width: number): ChartSpec {
  const known = ["autocorrelation", "low", "high"]
    .flatMap((name) => rows.map((row) => numberIn(row, name))).filter((r) => !isNaN(r));
  const isCut = known.length > 0 && (known.every((r) => r > 0) || known.every((r) => r < 0));
  const x = sessionAxis();
  const y = (field: string) =>
    quantity(field, {
      title: isCut ? "rank corr., axis truncated" : "rank corr.",
      fromZero: false,
      axis: { tickCount: 3 },
    });
  return {
    width,
    height: 110,
    data: { values: rows },
    layer: [
      {
        transform: [{ filter: "isValid(datum.low)" }],
        mark: { type: "rule", strokeWidth: 2, opacity: 0.35, color: MAIN_COLOR },
        encoding: { x, y: y("low"), y2: { field: "high" } },
      },
      {
        // A session between two gaps is a dot.
        mark: { type: "line", strokeWidth: 1.4, strokeCap: "round", color: MAIN_COLOR },
        encoding: { x, y: y("autocorrelation"), tooltip: RANK_TIPS },
      },
    ],
  };
}

function costView(costs: readonly Row[], width: number): ChartSpec {
  const rows = costs.map(costRow);
  const even = numberIn(costs[0], "break_even_one_way_bps");
  const last = rows.reduce((a, b) => numberIn(a, "rate") > numberIn(b, "rate") ? a : b);
  // Net return falls in a straight line with the rate: its end is where nothing is left.
  const beyond = even > numberIn(last, "rate") ? [last, { rate: even, net: 0 }] : [];
  const x = quantity("rate", {
    title: "one-way cost, bps",
    axis: { grid: false },
    scale: { nice: false, padding: 6 },
  });
  const y = (field: string) =>
    quantity(field, { title: "net, bps per session", axis: { tickCount: 4 } });
  return {
    width,
    height: 110,
    layer: [
      ruleAt(0),
      {
        data: { values: rows },
        transform: [{ filter: "isValid(datum.low)" }],
        mark: { type: "area", opacity: 0.2, color: MAIN_COLOR },
        encoding: { x, y: y("low"), y2: { field: "high" } },
      },
      {
        data: { values: beyond },
        mark: { type: "line", color: MAIN_COLOR, strokeDash: [4, 3] },
        encoding: { x, y: y("net") },
      },
      {
        data: { values: rows },
        mark: { type: "line", point: { filled: true, color: MAIN_COLOR }, color: MAIN_COLOR },
        encoding: { x, y: y("net"), tooltip: COST_TIPS },
      },
      ...evenLayers(even, Math.max(numberIn(last, "rate"), even || 0)),
    ],
  };
}

function costRow(row: Row): Row {
  const bps = (name: string) => toValue(BASIS_POINTS * numberIn(row, name));
  return {
    rate: row["one_way_bps"]!,
    net: bps("net"),
    low: bps("net_low"),
    high: bps("net_high"),
    annual: row["net_annual"]!,
    drawdown: row["net_drawdown"]!,
    sessions: row["sessions"]!,
  };
}

/** The break-even cost, named above the picture, where no curve and no axis is. */
function evenLayers(even: number, end: number): readonly ChartSpec[] {
  const marks: readonly Row[] = even > 0
    ? [{ at: even, text: `break-even ${decimalText(even, 1)} bps` }]
    : [];
  const align = even > 0.7 * end ? "right" : even < 0.3 * end ? "left" : "center";
  return [
    rulesAt(marks, "at", { color: OTHER_COLOR, strokeDash: [5, 3], strokeWidth: 1.5 }),
    labelsAt(marks, { field: "at", label: "text" }, { y: -6, align }),
  ];
}

const SHARE_TIPS = [
  tip("quantile", "quantile"),
  tip("over", "new since"),
  tip("mean", "mean", ".1%"),
  tip("low", "middle 90% from", ".1%"),
  tip("high", "to", ".1%"),
  tip("sessions", "sessions", ",d"),
];

const RANK_TIPS = [
  sessionTip(),
  tip("autocorrelation", "rank autocorrelation", ".4f"),
  tip("low", "lowest", ".4f"),
  tip("high", "highest", ".4f"),
];

const COST_TIPS = [
  tip("rate", "one way, bps", ".0f"),
  tip("net", "net, bps per session", ".2f"),
  tip("low", "95% CI from", ".2f"),
  tip("high", "to", ".2f"),
  tip("annual", "net annual return", ".2%"),
  tip("drawdown", "maximum drawdown", ".2%"),
  tip("sessions", "sessions", ",d"),
];

/** Scores are compared between neighbouring signals where the sessions with a comparison usually skip some. */
function stepOf(ranks: readonly Row[]): "session" | "signal" {
  const places = [...ranks.keys()].filter((place) =>
    !Number.isNaN(numberIn(ranks[place], "autocorrelation"))
  );
  const neighbours = places.filter((place, i) => i > 0 && place === places[i - 1]! + 1).length;
  return places.length > 1 && neighbours <= (places.length - 1) >> 1 ? "signal" : "session";
}

function costText(free: Row | undefined): string {
  const traded = numberIn(free, "traded");
  if (Number.isNaN(traded)) return "No costs are stated";
  const { rate, interval } = readBreakEven(free);
  const even = numberIn(free, "break_even_one_way_bps") > 0
    ? `the break-even cost is ${rate} one way`
    : "it has no break-even cost, because its mean return before costs is not above zero";
  const ends = interval === "" ? "" : ` (${interval})`;
  return `${percentText(traded)} of the portfolio is traded per session; ${even}${ends}`;
}
