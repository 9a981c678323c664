import type { DataFrame } from "nodejs-polars";
import { coverage } from "../frame/coverage_frame.ts";
import { Chart } from "./chart.ts";
import { CHART_FONT } from "./render_chart.ts";

/** How the coverage of a release is drawn. */
export interface CoverageChartOptions {
  /**
   * Title.
   *
   * @default "Coverage by session"
   */
  readonly title?: string;
  /**
   * Width of the plot in pixels.
   *
   * @default 640
   */
  readonly widthPx?: number;
}

// Above this many sessions neighbours share a pixel anyway; the bundle stays below 300 kB.
const MAX_POINTS = 520;
const SCORED = "#3b6ea5";
const MISSING = "#d9a441";

interface Point {
  readonly date: string;
  readonly rows: number;
  readonly kind: "scored" | "missing";
}

/**
 * Draws how many rows of each session have a score and how many are explicitly missing.
 *
 * @param release A release of one factor, as `history()` gives it
 * @param options Title and size
 * @returns The chart; a notebook shows it
 * @throws {TypeError} If the frame has no date or no score
 * @example
 * ```ts
 * import { coverageChart, demo } from "scoreframe";
 *
 * const api = await demo();
 * const chart = coverageChart(await api.history("ecpnd"));
 * if (!(await chart.toSvg()).startsWith("<svg")) throw new Error("a picture expected");
 * await api.close();
 * ```
 */
export function coverageChart(release: DataFrame, options: CoverageChartOptions = {}): Chart {
  const { title = "Coverage by session", widthPx = 640 } = options;
  const sessions = coverage(release);
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    title,
    width: widthPx,
    height: 220,
    data: { values: pointsOf(sessions) },
    mark: { type: "area", interpolate: "step-after" },
    encoding: {
      // A date without a time is one of UTC: drawn in the reader's zone it would be the day before in New York.
      x: {
        field: "date",
        type: "temporal",
        title: "session",
        axis: { format: "%b %Y" },
        scale: { type: "utc" },
      },
      y: { field: "rows", type: "quantitative", stack: "zero", title: "tickers" },
      order: { field: "kind", sort: "descending" },
      color: {
        field: "kind",
        type: "nominal",
        title: null,
        scale: { domain: ["scored", "missing"], range: [SCORED, MISSING] },
      },
    },
    config: { font: CHART_FONT, view: { stroke: null } },
  };
  return new Chart(spec, { description: describe(sessions, title) });
}

function pointsOf(sessions: DataFrame): readonly Point[] {
  const step = Math.ceil(sessions.height / MAX_POINTS);
  const last = sessions.height - 1;
  const rows: readonly Record<string, unknown>[] = sessions.toRecords();
  return rows.filter((_, i) => i % step === 0 || i === last).flatMap((row) => {
    const date = (row.date as Date).toISOString().slice(0, 10);
    return (["scored", "missing"] as const).map((kind) => ({
      date,
      rows: Number(row[kind]),
      kind,
    }));
  });
}

function describe(sessions: DataFrame, title: string): string {
  const rows: readonly Record<string, unknown>[] = sessions.toRecords();
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return `${title}: no sessions`;
  const date = (row: Record<string, unknown>) => (row.date as Date).toISOString().slice(0, 10);
  const total = (name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0);
  const percent = (100 * total("scored") / total("row_count")).toFixed(1);
  return `${title}: ${rows.length} sessions from ${date(first)} to ${date(last)}, ` +
    `${total("row_count")} rows, ${percent} % with a score`;
}
