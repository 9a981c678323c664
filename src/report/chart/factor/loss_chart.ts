import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { quantity, tip } from "../grammar/encodings.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { nothingView } from "../grammar/subject/nothing_view.ts";
import { OTHER_COLOR, QUIET_COLOR } from "../palette.ts";
import { numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";
import { reasonText } from "../../../base/wording/sentences/reason_text.ts";
import { countText, percentText } from "../../../base/wording/number_text.ts";

const USED = ["used", "ended", "no_group"];

/**
 * Draws the score rows that were lost, by reason and horizon, with their number and share. The title states the share lost.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { lossChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   placebo: false,
 *   progress: false,
 * });
 * const chart = lossChart(analysis);
 * if (!chart.description.includes("are used")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function lossChart(analysis: FactorAnalysis, options: AnalysisChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, { about: "Rows lost, by reason" });
  const { loss, periods } = analysis.aligned;
  const rows = fateRows(rowsOf(loss.table), periods);
  if (loss.rows === 0) return layOutNothing(subject, "the scores have no rows");
  const lost = rows.filter((row) => row["isUsed"] === false);
  const views = lost.length === 0
    ? [nothingView("no row of the scores is lost", subject.widthPx)]
    : [lostView(lost, { width: subject.widthPx, periods, total: loss.rows })];
  return layOutFinding(subject, {
    finding: findingOf(rows, periods, loss.rows),
    subtitle: ["Each row counts once per horizon, under the first reason that applies"],
    details: describe(rows, periods),
    views,
  });
}

/** Shares lost at the first and the last horizon, and the most frequent reason. */
function findingOf(rows: readonly Row[], periods: readonly number[], total: number): string {
  const shareAt = (horizon: number) =>
    lostAt(rows, horizon).reduce((sum, row) => sum + numberIn(row, "rows"), 0) / total;
  const [first, last] = [periods[0]!, periods.at(-1)!];
  const [most] = lostAt(rows, last).toSorted((a, b) => numberIn(b, "rows") - numberIn(a, "rows"));
  const further = last === first
    ? ""
    : `, ${percentText(shareAt(last))} at ${countText(last, "session")}`;
  return `${percentText(shareAt(first))} of ${countText(total, "score row")} are lost at ${
    countText(first, "session")
  }${further}${most === undefined ? "" : `; main reason: ${most["reason"]}`}`;
}

function lostAt(rows: readonly Row[], horizon: number): readonly Row[] {
  const name = countText(horizon, "session");
  return rows.filter((row) => row["horizon"] === name && row["isUsed"] === false);
}

function fateRows(rows: readonly Row[], periods: readonly number[]): readonly Row[] {
  return periods.flatMap((horizon) =>
    rows.filter((row) => row["horizon"] === null || row["horizon"] === horizon)
      .map((row): Row => ({
        horizon: countText(horizon, "session"),
        reason: reasonText(String(row["reason"])),
        isUsed: USED.includes(String(row["reason"])),
        rows: row["rows"]!,
        share: toValue(row["share"]),
      }))
  );
}

interface LostPlan {
  readonly width: number;
  readonly periods: readonly number[];
  readonly total: number;
}

function lostView(lost: readonly Row[], { width, periods, total }: LostPlan): ChartSpec {
  const reasons = new Set(lost.map((row) => row["reason"])).size;
  const horizons = periods.map((horizon) => countText(horizon, "session"));
  const label = {
    calculate:
      `format(datum.rows, ',d') + ' (' + format(datum.rows / ${total}, '.1%') + ') at ' + datum.horizon`,
    as: "label",
  };
  // The colour of rows without a score in charts of coverage.
  const color = {
    condition: { test: `datum.reason === '${reasonText("no_score")}'`, value: OTHER_COLOR },
    value: QUIET_COLOR,
  };
  return {
    width: width - 120,
    height: Math.max(40, 15 * reasons * horizons.length),
    data: { values: lost },
    encoding: {
      y: { field: "reason", type: "nominal", sort: null, title: null, axis: { labelLimit: 220 } },
      yOffset: { field: "horizon", sort: horizons, scale: { paddingInner: 0.25 } },
    },
    layer: [
      {
        mark: { type: "bar" },
        encoding: {
          x: quantity("rows", { title: "lost rows, one bar per horizon", format: ",d" }),
          color,
          tooltip: rowTips(),
        },
      },
      {
        transform: [label],
        mark: { type: "text", align: "left", dx: 4, fontSize: 10 },
        encoding: { x: { field: "rows", type: "quantitative" }, text: { field: "label" } },
      },
    ],
  };
}

function rowTips(): readonly ChartSpec[] {
  return [
    tip("horizon", "horizon"),
    tip("reason", "reason"),
    tip("rows", "rows", ",d"),
    tip("share", "share", ".2%"),
  ];
}

function describe(rows: readonly Row[], periods: readonly number[]): string {
  return periods.map((horizon) => {
    const own = rows.filter((row) => row["horizon"] === countText(horizon, "session"));
    const used = own.filter((row) => row["isUsed"] === true)
      .reduce((sum, row) => sum + numberIn(row, "share"), 0);
    const lost = own.filter((row) => row["isUsed"] === false)
      .map((row) => `${groupThousands(numberIn(row, "rows"))} ${row["reason"]}`);
    const said = lost.length === 0 ? "nothing is lost" : `lost: ${lost.join(", ")}`;
    return `At ${countText(horizon, "session")} ${percentText(used)} are used; ${said}.`;
  }).join(" ");
}
