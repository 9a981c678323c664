import type { CalendarDate } from "../../base/contract/instant.ts";
import { lossText } from "../../base/wording/sentences/reason_text.ts";
import { countText, percentText } from "../../base/wording/number_text.ts";
import type { CountedLine } from "./count_rows.ts";

const LARGE = 0.35;

/** Context of a text on losses. */
export interface LossTextContext {
  /** Number of input rows. */
  readonly rows: number;
  /** The sessions of the prices. */
  readonly sessions: readonly CalendarDate[];
  /** Number of sessions after the last one at which the latest window of a horizon ends. */
  moreSessions(line: CountedLine): number;
}

// Rows with one of these reasons are in statistics.
const KEPT = ["used", "ended"];

/** The losses in sentences: first the largest one if much is lost, then each. */
export function describeLosses(lines: readonly CountedLine[], context: LossTextContext): string {
  const told = lines.filter(({ reason }) => !KEPT.includes(reason))
    .map(({ reason, horizon, rows }) => {
      const at = horizon === null ? "" : `at ${countText(horizon, "session")}, `;
      return `${at}${lossText(reason, rows, context.rows)}`;
    });
  const text = `${countText(context.rows, "score row")}: ${told.join("; ") || "all are used"}.`;
  const worst = largestLoss(lines, context);
  return worst === null ? text : `${worst}\n${text}`;
}

function largestLoss(lines: readonly CountedLine[], context: LossTextContext): string | null {
  const { rows } = context;
  // A row without a group is used in statistics over all stocks; excluded rows were not requested.
  const lost = lines.filter(({ reason }) => ![...KEPT, "no_group", "excluded"].includes(reason));
  const always = lost.filter(({ horizon }) => horizon === null);
  const horizons = [...new Set(lines.flatMap(({ horizon }) => horizon ?? []))];
  const sums = (horizons.length === 0 ? [null] : horizons).map((horizon) => {
    const own = lost.filter((line) => horizon !== null && line.horizon === horizon);
    const all = [...always, ...own];
    return { horizon, all, sum: all.reduce((total, line) => total + line.rows, 0) };
  });
  const most = sums.toSorted((a, b) => b.sum - a.sum)[0];
  if (most === undefined || most.sum <= LARGE * rows) return null;
  const first = most.all.toSorted((a, b) => b.rows - a.rows)[0]!;
  const at = most.horizon === null ? "" : ` at ${countText(most.horizon, "session")}`;
  return `${percentText(most.sum / rows)} of the rows are lost${at}, mainly because ${
    lossText(first.reason, first.rows)
  }; ${cureOf(first, context)}.`;
}

function cureOf(line: CountedLine, { sessions: all, moreSessions }: LossTextContext): string {
  const { reason } = line;
  if (reason === "beyond_prices") {
    return `add the prices of ${countText(moreSessions(line), "session")} after ${
      all.at(-1)
    }, where yours end`;
  }
  if (reason === "no_entry_price" || reason === "no_exit_price") {
    return "look at loss.byTicker() for tickers that are spelled differently in the prices";
  }
  if (reason === "no_score") return "look at loss.bySession() for sessions without scores";
  if (reason === "not_a_session") {
    return "name the sessions, or move the dates to those of the prices";
  }
  return "look at loss.bySession()";
}
