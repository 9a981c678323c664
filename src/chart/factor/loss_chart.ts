import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { groupThousands } from "../../notebook/group_thousands.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import {
  type AnalysisChartOptions,
  readSubject,
  sessionsText,
} from "../grammar/analysis_subject.ts";
import { quantity, tip } from "../grammar/encodings.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { percent } from "../grammar/number_text.ts";
import { MAIN_COLOR, QUIET_COLOR, SERIES_COLORS } from "../grammar/palette.ts";
import { numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";

const USED = ["used", "ended"];
const WORDS: Readonly<Record<string, string>> = {
  used: "used",
  ended: "used, with the last close of a name",
  refused_status: "status not asked for",
  not_a_session: "no session of the prices",
  superseded: "a later set was in force",
  no_score: "no score",
  no_entry_price: "no price at entry",
  beyond_prices: "return ends after the prices",
  no_exit_price: "no price at exit",
};

/**
 * Draws what became of every row of the scores, by horizon: all rows stacked to 100 % with the used ones on top, and below it
 * the rows that were lost, by reason.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options Title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
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
 *   noise: false,
 *   progress: false,
 * });
 * const chart = lossChart(analysis);
 * if (!chart.description.includes("are used")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function lossChart(analysis: FactorAnalysis, options: AnalysisChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, { title: "What was lost" });
  const { loss, periods } = analysis.aligned;
  const rows = fateRows(rowsOf(loss.table), periods);
  const all = `${groupThousands(loss.rows)} rows of scores`;
  return layOutChart({
    title: subject.title,
    subtitle: [
      subject.sample,
      `${all}; each row counts once a horizon, with the first reason that applies`,
    ],
    footnote: subject.footnote,
    widthPx: subject.widthPx,
    description: `${subject.title}: ${subject.sample}. ${all}. ${describe(rows, periods)}`,
    views: [shareView(rows, subject.widthPx), lostView(rows, subject.widthPx)],
  });
}

function fateRows(rows: readonly Row[], periods: readonly number[]): readonly Row[] {
  const order = Object.keys(WORDS);
  return periods.flatMap((horizon) =>
    rows.filter((row) => row["horizon"] === null || row["horizon"] === horizon)
      .map((row): Row => ({
        horizon: sessionsText(horizon),
        reason: WORDS[String(row["reason"])] ?? row["reason"]!,
        isUsed: USED.includes(String(row["reason"])),
        order: order.indexOf(String(row["reason"])),
        rows: row["rows"]!,
        share: toValue(row["share"]),
      }))
  );
}

function shareView(rows: readonly Row[], width: number): ChartSpec {
  return {
    width,
    height: 150,
    data: { values: rows },
    mark: { type: "bar" },
    encoding: {
      x: { field: "horizon", type: "ordinal", sort: null, title: null, axis: { labelAngle: 0 } },
      y: quantity("share", {
        title: "share of rows",
        format: ".0%",
        scale: { domain: [0, 1], nice: false },
      }),
      // The last of the order lies at the bottom: the used rows are on top.
      order: { field: "order", type: "quantitative", sort: "descending" },
      color: colorOfReason(rows),
      tooltip: rowTips(),
    },
  };
}

function lostView(rows: readonly Row[], width: number): ChartSpec {
  const lost = rows.filter((row) => row["isUsed"] === false);
  const reasons = new Set(lost.map((row) => row["reason"])).size;
  const horizons = new Set(rows.map((row) => row["horizon"])).size;
  const y = {
    field: "reason",
    type: "nominal",
    sort: null,
    title: null,
    axis: { labelLimit: 220 },
  };
  const yOffset = { field: "horizon", sort: null, scale: { paddingInner: 0.25 } };
  return {
    width: width - 120,
    height: Math.max(30, 14 * reasons * horizons),
    data: { values: lost },
    encoding: { y, yOffset },
    layer: [
      {
        mark: { type: "bar", color: QUIET_COLOR },
        encoding: {
          x: quantity("rows", {
            title: "lost rows, a bar a horizon",
            format: ",d",
            axis: { tickMinStep: 1 },
          }),
          tooltip: rowTips(),
        },
      },
      {
        transform: [{
          calculate: "format(datum.rows, ',d') + ' at ' + datum.horizon",
          as: "label",
        }],
        mark: { type: "text", align: "left", dx: 4, fontSize: 9 },
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
    const own = rows.filter((row) => row["horizon"] === sessionsText(horizon));
    const used = own.filter((row) => row["isUsed"] === true)
      .reduce((sum, row) => sum + numberIn(row, "share"), 0);
    const lost = own.filter((row) => row["isUsed"] === false)
      .map((row) => `${groupThousands(numberIn(row, "rows"))} ${row["reason"]}`);
    const said = lost.length === 0 ? "nothing is lost" : `lost: ${lost.join(", ")}`;
    return `At ${sessionsText(horizon)} ${percent(used)} are used; ${said}.`;
  }).join(" ");
}

function colorOfReason(rows: readonly Row[]): ChartSpec {
  const shown = [...new Set(rows.map((row) => String(row["reason"])))]
    .toSorted((a, b) => Object.values(WORDS).indexOf(a) - Object.values(WORDS).indexOf(b));
  const lost = [
    SERIES_COLORS[4],
    SERIES_COLORS[3],
    SERIES_COLORS[1],
    SERIES_COLORS[5],
    QUIET_COLOR,
  ];
  const colorOf = (reason: string, i: number) =>
    reason === WORDS["used"]
      ? MAIN_COLOR
      : reason === WORDS["ended"]
      ? SERIES_COLORS[2]
      : lost[i % 5];
  return {
    field: "reason",
    type: "nominal",
    title: null,
    scale: { domain: shown, range: shown.map(colorOf) },
    legend: { columns: 3 },
  };
}
