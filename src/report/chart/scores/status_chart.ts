import type { DataFrame } from "nodejs-polars";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText, percentText } from "../../../base/wording/number_text.ts";
import { assertColumns } from "../../../frames/frame/assert_frame.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { INSTANT_LABEL, looksBy, sessionTip, tip } from "../grammar/encodings.ts";
import { mark } from "../mark.ts";
import {
  readResultOptions,
  type ResultChartOptions,
  rowOrigin,
} from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { rowsOf, textIn } from "../grammar/values.ts";
import { QUIET_COLOR, SERIES_COLORS } from "../palette.ts";

const MOST_CHECKS = 900;
// From the best to the worst; a status that a later edition of the contract adds comes last.
const KNOWN = [
  "current",
  "partial market data",
  "call updates pending",
  "call source delayed",
  "stale",
];

/**
 * Draws the statuses of checks over time: one stroke per check at its completion time, one row per status. Statuses are
 * written in words: `call_updates_pending` as "call updates pending".
 *
 * @param checks A frame with `last_checked_at` and `status`: a publications frame, or score sets one below the other
 * @param options Title, width and footnote
 * @throws {TypeError} If a column is missing, or an option is unknown
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
  const { title, widthPx = 640 } = readResultOptions(action, options, {});
  assertColumns(action, checks, ["last_checked_at", "status"]);
  const rows = distinctChecks(checks);
  const counts = [...Map.groupBy(rows, ({ status }) => status)]
    .map(([status, { length: count }]) => ({ status, count }))
    .toSorted((a, b) => place(a.status) - place(b.status) || (a.status < b.status ? -1 : 1));
  const subject = {
    title,
    about: "Status of the checks",
    sample: rows.length === 0
      ? "no check"
      : `${countText(rows.length, "check")}, ${minuteText(rows[0]!)} to ` +
        `${minuteText(rows.at(-1)!)} UTC`,
    ...rowOrigin(checks, options.footnote),
    widthPx,
  };
  if (rows.length === 0) return layOutNothing(subject, "no row has a check that was completed");
  const said = counts.map(({ status, count }) => `${groupThousands(count)} ${status}`).join(", ");
  return layOutFinding(subject, {
    finding: findingOf(counts, rows.length),
    subtitle: rows.length > MOST_CHECKS
      ? [`${said}. Shown: the last ${groupThousands(MOST_CHECKS)}`]
      : [said],
    details: said,
    views: [view(rows.slice(-MOST_CHECKS), counts.map(({ status }) => status), widthPx)],
  });
}

/** The share of checks that are current, and the most frequent other status. */
function findingOf(
  counts: readonly { readonly status: string; readonly count: number }[],
  checks: number,
): string {
  const current = counts.find(({ status }) => status === KNOWN[0])?.count ?? 0;
  const others = counts.filter(({ status }) => status !== KNOWN[0])
    .toSorted((a, b) => b.count - a.count);
  const [most] = others;
  return `${percentText(current / checks)} of ${countText(checks, "check")} ${
    checks === 1 ? "is" : "are"
  } current${most === undefined ? "" : `, ${groupThousands(most.count)} ${most.status}`}`;
}

// An instant at midnight is embedded as its date.
function minuteText({ at }: Check): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

function place(status: string): number {
  const at = KNOWN.indexOf(status);
  return at === -1 ? KNOWN.length : at;
}

function view(rows: readonly Check[], statuses: readonly string[], width: number): ChartSpec {
  const axis = { labelExpr: INSTANT_LABEL, tickCount: 6, grid: false, labelOverlap: true };
  const time = { timeUnit: "utcyearmonthdatehoursminutes", format: "%Y-%m-%d %H:%M" };
  return {
    width,
    height: Math.max(40, 26 * statuses.length),
    ...mark("tick", {
      ...{ rows, thickness: 2, height: 16 },
      x: {
        field: "at",
        type: "temporal",
        title: "completed, UTC",
        // The first and the last stroke are as wide as the others.
        scale: { type: "utc", padding: 4 },
        axis: { ...axis, labelSeparation: 8 },
      },
      y: { field: "status", type: "nominal", sort: statuses, title: null },
      color: looksBy(
        "status",
        statuses,
        statuses.map((status) => SERIES_COLORS[KNOWN.indexOf(status)] ?? QUIET_COLOR),
        { legend: null },
      ),
      tooltip: [
        { ...sessionTip("completed, UTC", "at"), ...time },
        tip("status", "status"),
        tip("factor", "factor"),
      ],
    }),
  };
}

type Check = ReturnType<typeof distinctChecks>[number];

function distinctChecks(checks: DataFrame) {
  const names = ["last_checked_at", "status", "factor"]
    .filter((name) => checks.columns.includes(name));
  return rowsOf(checks.select(...names).unique())
    .filter((row) => row["last_checked_at"] !== null)
    .map((row) => ({
      at: textIn(row, "last_checked_at"),
      status: textIn(row, "status").replaceAll("_", " "),
      factor: row["factor"] ?? "",
    }))
    .toSorted((a, b) => a.at < b.at ? -1 : 1);
}
