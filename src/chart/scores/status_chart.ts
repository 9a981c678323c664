import type { DataFrame } from "nodejs-polars";
import { groupThousands } from "../../notebook/group_thousands.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { sessionTip, tip } from "../grammar/encodings.ts";
import { assertHas, originText } from "../grammar/frame_subject.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { SERIES_COLORS } from "../grammar/palette.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import { type Row, rowsOf, textIn } from "../grammar/values.ts";

const MOST_CHECKS = 900;
// From the best to the worst; a status that a later edition of the contract adds comes last.
const KNOWN = [
  "current",
  "partial_market_data",
  "call_updates_pending",
  "call_source_delayed",
  "stale",
];

/**
 * Draws the statuses of checks over time: a stroke a check at the time at which it was completed, a row a status.
 *
 * @param checks A frame with `last_checked_at` and `status`: a publications frame, or score sets one below the other
 * @param options Title, width and footnote
 * @throws {TypeError} If a column is missing, or an option unknown
 *
 * @example Usage
 * ```ts
 * import { demo } from "scoreframe";
 * import { statusChart } from "scoreframe/chart";
 *
 * const api = await demo();
 * const from = "2026-10-01T00:00:00Z";
 * const checks = await api.publications("ecpnd", { from, to: "2026-11-18T00:00:00Z" });
 * const chart = statusChart(checks);
 * if (!chart.description.includes("82 checks")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function statusChart(checks: DataFrame, options: ResultChartOptions = {}): Chart {
  const action = "draw statuses of checks";
  const { title = "Status of the checks", widthPx = 640 } = readResultOptions(action, options);
  assertHas(action, checks, ["last_checked_at", "status"]);
  const rows = distinctChecks(checks);
  const shown = rows.slice(-MOST_CHECKS);
  const statuses = [...new Set(rows.map((row) => String(row["status"])))]
    .toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
  const counts = statuses.map((status) =>
    `${groupThousands(rows.filter((row) => row["status"] === status).length)} ${status}`
  );
  const span = rows.length === 0
    ? "no check"
    : `${minuteText(rows[0])} to ${minuteText(rows.at(-1))} UTC`;
  const sample = `${groupThousands(rows.length)} checks, ${span}`;
  const cut = rows.length > MOST_CHECKS ? [`Drawn are the last ${MOST_CHECKS}`] : [];
  return layOutChart({
    title,
    subtitle: [sample, [counts.join(", "), ...cut].join(". ")],
    footnote: originText(checks, options.footnote),
    widthPx,
    description: `${title}: ${sample}; ${counts.join(", ")}.`,
    views: [view(shown, statuses, widthPx)],
  });
}

// An instant at midnight is embedded as its date.
function minuteText(row: Row | undefined): string {
  return new Date(textIn(row, "at")).toISOString().slice(0, 16).replace("T", " ");
}

function place(status: string): number {
  const at = KNOWN.indexOf(status);
  return at === -1 ? KNOWN.length : at;
}

function view(rows: readonly Row[], statuses: readonly string[], width: number): ChartSpec {
  return {
    width,
    height: Math.max(40, 26 * statuses.length),
    data: { values: rows },
    mark: { type: "tick", thickness: 2, height: 16 },
    encoding: {
      x: {
        field: "at",
        type: "temporal",
        title: "completed, UTC",
        scale: { type: "utc" },
        axis: { format: "%d %b %H:%M", tickCount: 6, grid: false },
      },
      y: { field: "status", type: "nominal", sort: statuses, title: null },
      color: {
        field: "status",
        type: "nominal",
        legend: null,
        scale: { domain: statuses, range: statuses.map((_, i) => SERIES_COLORS[i % 6]) },
      },
      tooltip: [
        {
          ...sessionTip("completed, UTC", "at"),
          timeUnit: "utcyearmonthdatehoursminutes",
          format: "%Y-%m-%d %H:%M",
        },
        tip("status", "status"),
        tip("factor", "factor"),
      ],
    },
  };
}

function distinctChecks(checks: DataFrame): readonly Row[] {
  const names = ["last_checked_at", "status", "factor"].filter((name) =>
    checks.columns.includes(name)
  );
  return rowsOf(checks.select(...names).unique()).map((row): Row => ({
    at: row["last_checked_at"]!,
    status: row["status"]!,
    factor: row["factor"] ?? "",
  })).filter((row) => row["at"] !== null)
    .toSorted((a, b) => textIn(a, "at") < textIn(b, "at") ? -1 : 1);
}
