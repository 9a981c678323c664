import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import {
  BASIS_POINTS,
  countText,
  decimalText,
  percentText,
} from "../../../base/wording/number_text.ts";
import { type AllHorizonsChartOptions, readHorizons } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import {
  marksText,
  type SessionValues,
  sessionValuesView,
  windowsText,
} from "../grammar/session_values_view.ts";
import { numberIn, rowsOf } from "../grammar/values.ts";

/**
 * Draws the return of the top quantile minus that of the bottom one, session by session as points, the mean of the last sessions as a
 * line, that of all sessions as a dashed line, both with their 95% confidence intervals, and zero. The line averages 21 sessions at a horizon of one session, and at longer horizons, whose windows
 * overlap, as many sessions as hold 12 non-overlapping windows. Several horizons have a panel each, one below the other.
 *
 * A session without both quantiles leaves a gap, and so does a window of which less than half has values. Above 600 sessions, for
 * all pictures together, ranges from the lowest to the highest of several sessions replace the points, and the subtitle states how many.
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
 * import { spreadChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   progress: false,
 * });
 * const chart = spreadChart(analysis, { horizon: "all" });
 * if (!chart.description.includes("at 21 sessions")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function spreadChart(
  analysis: FactorAnalysis,
  options: AllHorizonsChartOptions = {},
): Chart {
  const subject = readHorizons(analysis, options, { about: "Quantile spread by session" });
  const { horizons, widthPx } = subject;
  const panels = horizons.map((horizon) => readPanel(analysis, horizon));
  const known = panels.filter(hasMean);
  if (known.length === 0) {
    return layOutNothing(subject, "no session has both the top and the bottom quantile");
  }
  return layOutFinding(subject, {
    finding: findingOf(known[0]!),
    subtitle: [
      `Basis points over the horizon, ${analysis.spread.exposure}`,
      marksText(known, known.map(({ window }) => window)),
      ...panels.filter((panel) => !hasMean(panel)).map(noneText),
    ],
    details: panels.map(describe).join(" "),
    sharesTime: true,
    views: known.map((panel) =>
      sessionValuesView(panel, {
        ...{ horizon: panel.horizon, width: widthPx, count: known.length, window: panel.window },
        ...{ title: "bps", value: "quantile spread, bps", format: ".2f" },
      })
    ),
  });
}

interface Panel extends SessionValues {
  readonly horizon: number;
  /** Number of sessions of a rolling mean. */
  readonly window: number;
}

function readPanel(analysis: FactorAnalysis, horizon: number): Panel {
  const of = pl.col("horizon").eq(pl.lit(horizon));
  const bps = (name: string) => pl.col(name).mul(pl.lit(BASIS_POINTS));
  const interval = ["mean", "low", "high"].map(bps);
  const { spread, detail } = analysis;
  const sessions = spread.data.filter(of).select(
    "session",
    bps("spread").alias("value"),
    pl.col("n_top").add(pl.col("n_bottom")).alias("n"),
  );
  const rolling = detail.rollingSpread.filter(of);
  return {
    horizon,
    window: numberIn(rowsOf(rolling.head(1), ["window"])[0], "window"),
    sessions: rowsOf(sessions),
    means: rowsOf(rolling.select("session", ...interval)),
    whole: rowsOf(spread.summary.filter(of).select(...interval))[0],
  };
}

function noneText({ horizon }: Panel): string {
  return `At ${countText(horizon, "session")} no session has both quantiles`;
}

function hasMean({ whole }: Panel): boolean {
  return !Number.isNaN(numberIn(whole, "mean"));
}

function findingOf({ horizon, whole, sessions }: Panel): string {
  const values = sessions.map((row) => numberIn(row, "value"))
    .filter((value) => !Number.isNaN(value));
  const above = values.filter((value) => value > 0).length / values.length;
  return `Quantile spread ${meanPhrase(whole, 1, " bps")} at ${countText(horizon, "session")}, ` +
    `above zero in ${percentText(above, 0)} of ${countText(values.length, "session")}`;
}

function describe(panel: Panel): string {
  if (!hasMean(panel)) return `${noneText(panel)}.`;
  const { means, window } = panel;
  const range = windowsText(means, {
    field: "mean",
    named: `${window}-session mean`,
    textOf: (mean) => decimalText(mean, 1),
  });
  return `${findingOf(panel)}; ${range ?? `no window of ${window} sessions is complete`}.`;
}
