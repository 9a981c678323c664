import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { countText, decimalText, intervalText } from "../../../base/wording/number_text.ts";
import { halfLifeNumber } from "../../../base/wording/sentences/half_life_text.ts";
import { holdsEveryLag } from "../../../base/wording/sentences/holds_every_lag.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { labelsAt, meanTips, quantity, ruleAt, rulesAt, tip } from "../grammar/encodings.ts";
import { pointsOver } from "../grammar/interval_view.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { isApart, numberIn, type Row, rowsOf, toValue, withNumber } from "../grammar/values.ts";
import { OTHER_COLOR, QUIET_COLOR } from "../palette.ts";

const AXIS = "marginal rank IC";

/**
 * Draws the decay of the IC: the mean IC with the one-session return that ends a number of sessions after entry, lag by lag,
 * with 95% intervals, and the fitted curve of the half-life where there is one. Lags are marginal; returns of whole
 * horizons are never on this axis.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { decayChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   placebo: false,
 *   progress: false,
 * });
 * const chart = decayChart(analysis);
 * if (!chart.description.includes("Half-life")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function decayChart(analysis: FactorAnalysis, options: AnalysisChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, { about: "Mean IC by lag" });
  const rows = rowsOf(analysis.decayMeans.select("group", "mean", "low", "high", "sessions"))
    .map(({ group, ...row }): Row => ({ lag: Number(group), ...row }));
  const [fit] = rowsOf(analysis.halfLife);
  const found = describeFit(fit, rows);
  const entries = entriesOf(analysis.aligned.entry);
  const entry = analysis.aligned.entry === "next"
    ? 'Entered at lag 0, the first close after the score was known; with entry "same", entry is at lag −1'
    : 'Entered at lag 0, the close of the decision session itself; with entry "next", entry is at lag 1 and returns start at lag 2';
  const known = withNumber(rows, "mean");
  if (known.length === 0) return layOutNothing(subject, "no lag has an IC");
  return layOutFinding(subject, {
    finding: found,
    subtitle: [`${entry}. Lines: pointwise 95% confidence intervals`],
    details: `${entry}. ${describe(known)}`,
    views: [
      decayView(rows, { width: subject.widthPx, height: 220, curve: curveOf(rows, fit), entries }),
    ],
  });
}

interface Entry extends Row {
  readonly lag: number;
}

/** Position of each entry on the axis of lags, which begins at the chosen entry. */
function entriesOf(taken: "same" | "next"): readonly Entry[] {
  const same = taken === "same" ? 0 : -1;
  const text = (entry: string) => `entry "${entry}"${entry === taken ? ", as drawn" : ""}`;
  return [{ lag: same, text: text("same") }, { lag: same + 1, text: text("next") }];
}

/** Mean ICs by lag with their intervals, the fitted curve, and where positions can be entered. */
export function decayView(
  rows: readonly Row[],
  { width, height, curve = [], entries = [] }: {
    readonly width: number;
    readonly height: number;
    readonly curve?: readonly Row[];
    readonly entries?: readonly Entry[];
  },
): ChartSpec {
  const x = lagAxis(entries[0]?.lag ?? 0);
  return {
    width,
    height,
    layer: [
      ruleAt(0),
      ...entries.flatMap(entryLayers),
      ...pointsOver(rows, {
        ...{ x, title: AXIS },
        tooltip: [tip("lag", "lag", "d"), ...meanTips("mean IC")],
      }),
      {
        data: { values: curve },
        mark: { type: "line", color: OTHER_COLOR, strokeWidth: 2 },
        encoding: { x, y: quantity("ic", { title: AXIS }) },
      },
    ],
  };
}

function lagAxis(domainMin: number): ChartSpec {
  return quantity("lag", {
    title: "lag: sessions from entry to the end of the return",
    fromZero: false,
    axis: { tickMinStep: 1, grid: false, tickCount: 12 },
    scale: { nice: false, padding: 6, domainMin },
  });
}

function entryLayers(entry: Entry, i: number): readonly ChartSpec[] {
  // Above the plot, where no interval is; the two stand a session apart.
  const place = { align: "left", dx: -2, y: 13 * i - 20 };
  return [
    rulesAt([entry], "lag", { strokeDash: [2, 3], color: QUIET_COLOR }),
    labelsAt([entry], { field: "lag", label: "text" }, place),
  ];
}

function curveOf(rows: readonly Row[], fit: Row | undefined): readonly Row[] {
  const [level, half] = [numberIn(fit, "level"), numberIn(fit, "half_life")];
  if (Number.isNaN(level) || Number.isNaN(half)) return [];
  const first = Math.min(...rows.map((row) => numberIn(row, "lag")));
  return rows.map((row) => ({
    lag: row["lag"]!,
    ic: toValue(level * 2 ** ((first - numberIn(row, "lag")) / half)),
  }));
}

function describeFit(fit: Row | undefined, rows: readonly Row[]): string {
  const half = numberIn(fit, "half_life");
  const over = countText(numberIn(fit, "sessions") || 0, "session");
  if (Number.isNaN(half)) {
    const reason = fit?.["reason"];
    if (reason === "no_decay") {
      return `No half-life: the IC does not decay over these lags, ${over}`;
    }
    if (reason === "shorter_than_grid") {
      return `The half-life of the IC is below ${
        numberIn(fit, "half_life_high")
      } sessions: the IC is gone after the first lag, ${over}`;
    }
    return reason === "no_relation"
      ? `No half-life: the 95% CI of the fitted IC includes zero, ${over}`
      : "No half-life: a fit requires the ICs of 20 sessions at 3 lags";
  }
  const ends = [numberIn(fit, "half_life_low"), numberIn(fit, "half_life_high")] as const;
  const lags = withNumber(rows, "mean")
    .map((row) => numberIn(row, "lag"));
  if (holdsEveryLag(...ends, lags)) {
    return `Half-life not determined: its 95% CI includes every lag of the fit, ${over}`;
  }
  return `Half-life of the IC ${halfLifeNumber(half)} sessions (${
    intervalText(ends, halfLifeNumber)
  }), ${over}`;
}

function describe(known: readonly Row[]): string {
  const clear = known.filter(isApart).length;
  const at = (row: Row) =>
    `${decimalText(numberIn(row, "mean"), 3)} at lag ${numberIn(row, "lag")}`;
  const places = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * (known.length - 1)));
  const shown = [...new Set(places)].map((place) => at(known[place]!));
  return `The mean IC is ${shown.join(", ")}; the confidence intervals of ${clear} of ${
    countText(known.length, "lag")
  } exclude zero.`;
}
