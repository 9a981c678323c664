import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText, percentText } from "../../../base/wording/number_text.ts";
import { reasonText } from "../../../base/wording/sentences/reason_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { quantity, tip } from "../grammar/encodings.ts";
import { mark } from "../mark.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing, nothingView } from "../grammar/subject/lay_out_finding.ts";
import { columnSum, rowsOf } from "../grammar/values.ts";
import { OTHER_COLOR, QUIET_COLOR } from "../palette.ts";

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
 *   progress: false,
 * });
 * const chart = lossChart(analysis);
 * if (!chart.description.includes("are used")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function lossChart(analysis: FactorAnalysis, options: ChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, "Rows lost, by reason");
  const { loss, periods } = analysis.aligned;
  // What a condition of the caller leaves out is no loss.
  const left = rowsOf(loss.table).filter(({ reason }) => reason === EXCLUDED);
  const total = loss.rows - columnSum(left, "rows");
  if (total === 0) return layOutNothing(subject, "the scores have no rows");
  const fates = periods.map((horizon) => fateOf(analysis, horizon));
  return layOutFinding(subject, {
    finding: findingOf(fates, total),
    subtitle: ["Each row counts once per horizon, under the first reason that applies"],
    details: fates.map(describe).join(" "),
    views: [
      fates.every(({ lost }) => lost.length === 0)
        ? nothingView("no row of the scores is lost", subject.widthPx)
        : lostView(fates, subject.widthPx - 120, total),
    ],
  });
}

const EXCLUDED = "excluded";

type Fate = ReturnType<typeof fateOf>;

/** Share of the rows that are used at a horizon, and the rows that are lost, by reason. */
function fateOf({ aligned: { loss } }: FactorAnalysis, ahead: number) {
  const horizon = countText(ahead, "session");
  const rows = rowsOf(loss.table)
    .filter((row) => row.reason !== EXCLUDED && (row.horizon === null || row.horizon === ahead))
    .map(({ reason, rows, share }) => ({ horizon, reason: reason!, rows: rows!, share: share! }));
  return {
    horizon,
    used: columnSum(rows.filter(({ reason }) => USED.includes(reason)), "share"),
    lost: rows.filter(({ reason }) => !USED.includes(reason))
      .map((row) => ({ ...row, reason: reasonText(row.reason) })),
  };
}

/** Shares lost at the first and the last horizon, and the most frequent reason at the last. */
function findingOf(fates: readonly Fate[], total: number): string {
  const [first, last] = [fates[0]!, fates.at(-1)!];
  const share = ({ lost }: Fate) => percentText(columnSum(lost, "rows") / total);
  const [most] = last.lost.toSorted((a, b) => b.rows - a.rows);
  const further = last === first ? "" : `, ${share(last)} at ${last.horizon}`;
  const rows = countText(total, "score row");
  const reason = most && `; main reason${further && " there"}: ${most.reason}`;
  return `${share(first)} of ${rows} are lost at ${first.horizon}${further}${reason ?? ""}`;
}

function lostView(fates: readonly Fate[], width: number, total: number): ChartSpec {
  const rows = fates.flatMap(({ lost }) => lost);
  const reasons = new Set(rows.map(({ reason }) => reason));
  const horizons = fates.map(({ horizon }) => horizon);
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
  const x = quantity("rows", { title: "lost rows, one bar per horizon", format: ",d" });
  const tooltip = [
    tip("horizon", "horizon"),
    tip("reason", "reason"),
    tip("rows", "rows", ",d"),
    tip("share", "share", ".2%"),
  ];
  const place = { x: { field: "rows", type: "quantitative" }, text: { field: "label" } };
  return {
    width,
    height: Math.max(40, 15 * reasons.size * horizons.length),
    data: { values: rows },
    encoding: {
      y: { field: "reason", type: "nominal", sort: null, title: null, axis: { labelLimit: 220 } },
      yOffset: { field: "horizon", sort: horizons, scale: { paddingInner: 0.25 } },
    },
    layer: [
      mark("bar", { x, color, tooltip }),
      mark("text", { transform: [label], align: "left", dx: 4, fontSize: 10, ...place }),
    ],
  };
}

function describe({ horizon, used, lost }: Fate): string {
  const reasons = lost.map(({ rows, reason }) => `${groupThousands(rows)} ${reason}`);
  const said = lost.length === 0 ? "nothing is lost" : `lost: ${reasons.join(", ")}`;
  return `At ${horizon} ${percentText(used)} are used; ${said}.`;
}
