import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { SESSIONS_OF_QUARTER } from "../../../base/statistics/moments.ts";
import { countText, decimalText, percentText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { marksText, sessionValuesView, windowsText } from "../grammar/session_values_view.ts";
import { type AllHorizonsChartOptions, readHorizons } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { numberIn, rowsOf } from "../grammar/values.ts";

const WINDOW = SESSIONS_OF_QUARTER;

/**
 * Draws the IC of each session as a point, the mean of the last 63 sessions as a line, that of all sessions as a dashed line,
 * both with their 95% intervals, and zero. Above a horizon of six sessions the window of 63 holds fewer than ten returns that do
 * not overlap, and its mean has no interval.
 *
 * A session without an IC leaves a gap, and so does a window with values in less than half of its sessions. Above 600
 * sessions, ranges from the lowest to the highest of several replace the points, and the subtitle says of how
 * many.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options The horizon or "all", title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 * @throws {RangeError} If the analysis has no such horizon
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { icChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   progress: false,
 * });
 * const chart = icChart(analysis, { horizon: 5 });
 * if (!chart.description.includes("5 sessions ahead")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function icChart(analysis: FactorAnalysis, options: AllHorizonsChartOptions = {}): Chart {
  const subject = readHorizons(analysis, options, { about: "IC by session" });
  const { horizons, widthPx } = subject;
  const panels = horizons.map((horizon) => readPanel(analysis, horizon));
  const known = panels.filter(hasMean);
  if (known.length === 0) return layOutNothing(subject, "no session has an IC");
  return layOutFinding(subject, {
    finding: findingOf(known[0]!, horizons.length > 1),
    subtitle: [
      marksText(known, [WINDOW]),
      ...panels.filter((panel) => !hasMean(panel)).map(noneText),
    ],
    details: panels.map(describe).join(" "),
    sharesTime: true,
    views: known.map((panel) =>
      sessionValuesView(panel, {
        ...{ horizon: panel.horizon, width: widthPx, count: known.length, window: WINDOW },
        ...{ title: "rank IC", value: "IC", format: ".4f" },
      })
    ),
  });
}

type Panel = ReturnType<typeof readPanel>;

function readPanel({ ic, detail, summary }: FactorAnalysis, horizon: number) {
  const of = pl.col("horizon").eq(pl.lit(horizon));
  const [whole] = rowsOf(summary.table.filter(of));
  const { mean = null, low = null, high = null } = whole ?? {};
  return {
    horizon,
    summary: whole,
    sessions: rowsOf(ic.filter(of), ["session", "ic", "n"])
      .map(({ session, ic: value, n }) => ({ session, value, n })),
    means: rowsOf(detail.rollingIc.filter(of), ["session", "mean", "low", "high"]),
    whole: { mean, low, high },
  };
}

function noneText({ horizon }: Panel): string {
  return `At ${countText(horizon, "session")} no session has an IC`;
}

function hasMean({ summary }: Panel): boolean {
  return !Number.isNaN(numberIn(summary, "mean"));
}

function findingOf({ horizon, summary }: Panel, isOneOfMany: boolean): string {
  const at = isOneOfMany ? ` at ${countText(horizon, "session")}` : "";
  return `Mean IC ${meanPhrase(summary, 3)}${at}, above zero in ${
    percentText(numberIn(summary, "hit_rate"), 0)
  } of ${countText(numberIn(summary, "sessions"), "session")}`;
}

function describe(panel: Panel): string {
  if (!hasMean(panel)) return `${noneText(panel)}.`;
  const range = windowsText(panel.means, {
    field: "mean",
    named: `${WINDOW}-session mean`,
    textOf: (mean) => decimalText(mean, 3),
  });
  return `At ${countText(panel.horizon, "session")}: ${
    findingOf(panel, false).replace(/^M/, "m")
  }; ${range ?? `no window of ${WINDOW} sessions is complete`}.`;
}
