import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { entryText } from "../../../base/wording/sentences/timing_text.ts";
import { countText, decimalText, intervalText } from "../../../base/wording/number_text.ts";
import { halfLifeNumber, holdsEveryLag } from "../../../analysis/series/half_life.ts";
import { becauseText } from "../../../base/wording/sentences/reason_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { labelsAt, meanTips, quantity, ruleAt, rulesAt, tip } from "../grammar/encodings.ts";
import { pointsOver } from "../grammar/interval_view.ts";
import { mark } from "../mark.ts";
import { apartText } from "../grammar/mean_phrase.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import {
  type Known,
  numberIn,
  type Row,
  type RowOf,
  rowsOf,
  toValue,
  withNumber,
} from "../grammar/values.ts";
import { OTHER_COLOR, QUIET_COLOR } from "../palette.ts";

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
 *   progress: false,
 * });
 * const chart = decayChart(analysis);
 * if (!chart.description.includes("Half-life")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function decayChart(analysis: FactorAnalysis, options: AnalysisChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, { about: "Mean IC by lag" });
  const rows = lagsOf(analysis);
  const known = withNumber(rows, "mean");
  if (known.length === 0) return layOutNothing(subject, "no lag has an IC");
  const [fit] = rowsOf(analysis.halfLife);
  const { entry: taken } = analysis.aligned;
  const other = taken === "next"
    ? 'with entry "same", entry is at lag −1'
    : 'with entry "next", entry is at lag 1 and returns start at lag 2';
  const entry = `Lag 0 is the entry: ${entryText(analysis.aligned.timing)}; ${other}`;
  const layer = decayLayers(rows, { curve: curveOf(rows, fit), entries: entriesOf(taken) });
  return layOutFinding(subject, {
    finding: describeFit(fit, known),
    subtitle: [
      withNumber(known, "low").length === 0
        ? entry
        : `${entry}. Lines: pointwise 95% confidence intervals`,
    ],
    details: `${entry}. ${describe(known)}`,
    views: [{ width: subject.widthPx, height: 220, layer }],
  });
}

type Fit = RowOf<FactorAnalysis["halfLife"]>;
type Lag = ReturnType<typeof lagsOf>[number];
type KnownLag = Known<Lag, "mean">;
type Entry = ReturnType<typeof entriesOf>[number];

/** Mean ICs by lag. */
export function lagsOf({ decayMeans }: FactorAnalysis) {
  return rowsOf(decayMeans).map(({ group, mean, low, high, sessions }) => (
    { lag: Number(group), mean, low, high, sessions }
  ));
}

/** Position of each entry on the axis of lags, which begins at the chosen entry. */
function entriesOf(taken: "same" | "next") {
  const same = taken === "same" ? 0 : -1;
  const text = (entry: string) => `entry "${entry}"${entry === taken ? ", as drawn" : ""}`;
  return [{ lag: same, text: text("same") }, { lag: same + 1, text: text("next") }];
}

/** Mean ICs by lag with their intervals, the fitted curve, and where positions can be entered. */
export function decayLayers(
  rows: readonly Row[],
  { curve = [], entries = [] }: {
    readonly curve?: readonly Row[];
    readonly entries?: readonly Entry[];
  } = {},
): readonly ChartSpec[] {
  const title = "marginal rank IC";
  const x = quantity("lag", {
    title: "lag: sessions from entry to the end of the return",
    fromZero: false,
    axis: { tickMinStep: 1, grid: false, tickCount: 12 },
    scale: { nice: false, padding: 6, domainMin: entries[0]?.lag ?? 0 },
  });
  const tooltip = [tip("lag", "lag", "d"), ...meanTips("mean IC")];
  const line = { color: OTHER_COLOR, strokeWidth: 2 };
  return [
    ruleAt(0),
    ...entries.flatMap((entry, i) => [
      rulesAt([entry], "lag", { strokeDash: [2, 3], color: QUIET_COLOR }),
      // Above the plot, where no interval is; the two stand a session apart.
      labelsAt([entry], { field: "lag", label: "text" }, { align: "left", dx: -2, y: 13 * i - 20 }),
    ]),
    ...pointsOver(rows, { x, title, tooltip }),
    mark("line", { rows: curve, ...line, x, y: quantity("ic", { title }) }),
  ];
}

function curveOf(rows: readonly Lag[], fit: Fit | undefined): readonly Row[] {
  const [level, half] = [numberIn(fit, "level"), numberIn(fit, "half_life")];
  if (Number.isNaN(level) || Number.isNaN(half)) return [];
  const first = Math.min(...rows.map(({ lag }) => lag));
  return rows.map(({ lag }) => ({ lag, ic: toValue(level * 2 ** ((first - lag) / half)) }));
}

function describeFit(fit: Fit | undefined, known: readonly KnownLag[]): string {
  const over = countText(numberIn(fit, "sessions") || 0, "session");
  if (fit === undefined || fit.half_life === null) {
    if (fit?.reason === "shorter_than_grid") {
      return `The half-life of the IC is below ${fit.half_life_high} sessions: the IC is gone after the first lag, ${over}`;
    }
    const reason = fit?.reason ?? "too_few_windows";
    return reason === "too_few_windows"
      ? "No half-life: a fit requires the ICs of 20 sessions at 3 lags"
      : `No half-life: ${becauseText(reason)}, ${over}`;
  }
  const ends = [numberIn(fit, "half_life_low"), numberIn(fit, "half_life_high")] as const;
  if (holdsEveryLag(...ends, known.map(({ lag }) => lag))) {
    return `Half-life not determined: its 95% CI includes every lag of the fit, ${over}`;
  }
  return `Half-life of the IC ${halfLifeNumber(fit.half_life)} sessions ` +
    `(${intervalText(ends, halfLifeNumber)}), ${over}`;
}

function describe(known: readonly KnownLag[]): string {
  const places = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * (known.length - 1)));
  const shown = [...new Set(places)].map((place) => known[place]!)
    .map(({ mean, lag }) => `${decimalText(mean, 3)} at lag ${lag}`);
  return `The mean IC is ${shown.join(", ")}. ${apartText(known, "lag")}.`;
}
