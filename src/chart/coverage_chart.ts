import type { DataFrame } from "nodejs-polars";
import { coverage } from "../vintage/coverage_frame.ts";
import { Chart } from "./chart.ts";
import type { ChartSpec } from "./chart_spec.ts";
import { CHART_FONT } from "./render_chart.ts";

/** How the coverage of a release is drawn. */
export interface CoverageChartOptions {
  /**
   * Title.
   *
   * @default "Coverage by session"; of synthetic rows it says so, also behind a title that is given
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
const COLORS = { scored: "#3b6ea5", missing: "#c77f1a" } as const;
const DAY_MS = 86_400_000;
const LONG_DAYS = 120;
const LABEL_PX = 90;

interface Point {
  readonly date: string;
  readonly rows: number;
  readonly kind: "scored" | "missing";
}

/**
 * Draws how many rows of each session have a score, and below it how many are explicitly missing, each on its own scale.
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
  const { widthPx = 640 } = options;
  const title = markOrigin(options.title ?? "Coverage by session", release);
  const sessions = coverage(release);
  const x = sessionAxis(sessions, widthPx);
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    title: { text: title, anchor: "start" },
    data: { values: pointsOf(sessions) },
    // On one axis from zero the few that are missing would be a sliver above the many that are scored.
    vconcat: [
      panel("scored", { x: withoutText(x), widthPx, height: 150, zero: false }),
      panel("missing", { x, widthPx, height: 70, zero: true }),
    ],
    spacing: 16,
    config: { font: CHART_FONT, view: { stroke: null } },
  };
  return new Chart(spec, { description: describe(sessions, title) });
}

interface PanelOptions {
  readonly x: ChartSpec;
  readonly widthPx: number;
  readonly height: number;
  readonly zero: boolean;
}

function panel(kind: Point["kind"], { x, widthPx, height, zero }: PanelOptions): ChartSpec {
  return {
    width: widthPx,
    height,
    transform: [{ filter: { field: "kind", equal: kind } }],
    // An area without its zero would show a share that is not there.
    mark: {
      type: zero ? "area" : "line",
      interpolate: "step-after",
      strokeWidth: 1.5,
      color: COLORS[kind],
    },
    encoding: {
      x,
      y: {
        field: "rows",
        type: "quantitative",
        title: `${kind} tickers`,
        scale: { zero, nice: true },
        axis: { format: "d", tickMinStep: 1, tickCount: Math.ceil(height / 30) },
      },
    },
  };
}

interface SessionAxis extends ChartSpec {
  readonly axis: ChartSpec;
}

// The panel below says it.
function withoutText(x: SessionAxis): ChartSpec {
  return { ...x, title: null, axis: { ...x.axis, labels: false } };
}

function sessionAxis(sessions: DataFrame, widthPx: number): SessionAxis {
  const dates: readonly unknown[] = sessions.getColumn("date").toArray();
  const [first, last] = [dates[0], dates.at(-1)];
  const days = first instanceof Date && last instanceof Date ? (+last - +first) / DAY_MS : 0;
  const format = days > LONG_DAYS ? "%b %Y" : "%d %b %Y";
  // A date without a time is one of UTC: drawn in the reader's zone it would be the day before in New York.
  return {
    field: "date",
    type: "temporal",
    title: "session",
    axis: { format, grid: false, tickCount: Math.max(1, Math.floor(widthPx / LABEL_PX)) },
    scale: { type: "utc" },
  };
}

// A picture leaves the frame behind: what its `source` says has to stand in it.
function markOrigin(title: string, release: DataFrame): string {
  if (!release.columns.includes("source")) return title;
  const sources: readonly unknown[] = release.getColumn("source").unique().toArray();
  const made = sources.filter((source) => String(source).includes("synthetic")).length;
  if (made === 0) return title;
  return `${title} (${made === sources.length ? "synthetic" : "partly synthetic"})`;
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
