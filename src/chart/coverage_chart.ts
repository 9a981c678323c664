import type { DataFrame } from "nodejs-polars";
import { assertFrame } from "../frame/assert_frame.ts";
import { isMarkedSynthetic } from "../frame/synthetic_lineage.ts";
import { isWholeRelease } from "../frame/whole_release.ts";
import { groupThousands } from "../notebook/group_thousands.ts";
import { coverage } from "../vintage/coverage_frame.ts";
import { Chart } from "./chart.ts";
import type { ChartSpec } from "./chart_spec.ts";
import { CHART_CONFIG } from "./chart_config.ts";

/** How the coverage of a release is drawn. */
export interface CoverageChartOptions {
  /**
   * Title.
   *
   * @default "Coverage by session", and that it counts the rows given if they are not all rows of a release; synthetic
   * rows are always marked, behind a title that is given as well
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
const AXIS_TITLES = { scored: "rows with a score", missing: "without" } as const;
const DAY_MS = 86_400_000;
const LONG_DAYS = 120;
const LABEL_PX = 90;

interface Point {
  readonly date: string;
  readonly rows: number;
  readonly kind: "scored" | "missing";
}

/**
 * Draws how many rows of each session have a score, and below it how many are explicitly missing. Both scales begin at
 * zero; each has its own end.
 *
 * It counts the rows that it is given: rows that were filtered out before are in no session.
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
  assertFrame("draw the coverage", release);
  const { widthPx = 640 } = options;
  const title = markOrigin(options.title ?? defaultTitle(release), release);
  const sessions = coverage(release);
  const x = sessionAxis(sessions, widthPx);
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    title: { text: title, anchor: "start" },
    data: { values: pointsOf(sessions) },
    // On one axis from zero the few that are missing would be a sliver above the many that are scored.
    vconcat: [
      panel("scored", { x: withoutText(x), widthPx, height: 150 }),
      panel("missing", { x, widthPx, height: 70 }),
    ],
    spacing: 16,
    config: CHART_CONFIG,
  };
  return new Chart(spec, { description: describe(sessions, title) });
}

interface PanelOptions {
  readonly x: ChartSpec;
  readonly widthPx: number;
  readonly height: number;
}

function panel(kind: Point["kind"], { x, widthPx, height }: PanelOptions): ChartSpec {
  return {
    width: widthPx,
    height,
    transform: [{ filter: { field: "kind", equal: kind } }],
    mark: { type: "area", interpolate: "step-after", color: COLORS[kind], opacity: 0.8 },
    encoding: {
      x,
      y: {
        field: "rows",
        type: "quantitative",
        title: AXIS_TITLES[kind],
        scale: { zero: true, nice: true },
        axis: { format: ",d", tickMinStep: 1, tickCount: Math.ceil(height / 30) },
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

function defaultTitle(release: DataFrame): string {
  return isWholeRelease(release) ? "Coverage by session" : "Coverage by session, of the rows given";
}

// A picture leaves the frame behind: what its `source` says, or said before columns were left out, stands in it.
function markOrigin(title: string, release: DataFrame): string {
  const sources: readonly unknown[] = release.columns.includes("source")
    ? release.getColumn("source").unique().toArray()
    : [];
  const made = sources.filter((source) => String(source).includes("synthetic")).length;
  if (made === 0 && !isMarkedSynthetic(release)) return title;
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
  return `${title}: ${groupThousands(rows.length)} sessions from ${date(first)} to ${
    date(last)
  }, ` +
    `${groupThousands(total("row_count"))} rows, ${percent} % with a score`;
}
