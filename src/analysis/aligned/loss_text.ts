import type { CalendarDate } from "../../contract/instant.ts";
import { groupThousands } from "../../notebook/group_thousands.ts";
import type { CountedLine } from "./count_rows.ts";

const LARGE = 0.35;

/** How losses are told. */
export interface LossTextContext {
  /** How many rows the input has. */
  readonly rows: number;
  /** The sessions of the prices. */
  readonly sessions: readonly CalendarDate[];
  /** How many sessions after the last one the latest window of a horizon ends. */
  moreSessions(line: CountedLine): number;
}

// Of several rows, and of one.
const MEANING: Readonly<Record<string, readonly [string, string]>> = {
  refused_status: [
    "have a status that was not asked for",
    "has a status that was not asked for",
  ],
  not_a_session: [
    "bear a date that is no session of the prices",
    "bears a date that is no session of the prices",
  ],
  superseded: [
    "were superseded before they could be used",
    "was superseded before it could be used",
  ],
  expired: ["were older than maxAgeSessions allows", "was older than maxAgeSessions allows"],
  no_score: ["have no score", "has no score"],
  no_entry_price: ["have no price at entry", "has no price at entry"],
  beyond_prices: ["need later prices", "needs later prices"],
  no_exit_price: ["have no price at exit", "has no price at exit"],
};

/** The losses in sentences: first the largest one if much is lost, then each. */
export function lossText(lines: readonly CountedLine[], context: LossTextContext): string {
  const share = (rows: number) => `${(100 * rows / context.rows).toFixed(1)} %`;
  const lost = lines.filter(({ reason }) => reason in MEANING);
  const told = lost.map(({ reason, horizon, rows }) => {
    const at = horizon === null ? "" : `at ${sessions(horizon)} `;
    return `${at}${fateOf(reason, rows)} (${share(rows)})`;
  });
  const text = `${groupThousands(context.rows)} rows: ${told.join("; ") || "all are used"}.`;
  const worst = largestLoss(lines, context);
  return worst === null ? text : `${worst}\n${text}`;
}

function largestLoss(lines: readonly CountedLine[], context: LossTextContext): string | null {
  const { rows } = context;
  const lost = lines.filter(({ reason }) => reason in MEANING);
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
  const at = most.horizon === null ? "" : ` at ${sessions(most.horizon)}`;
  return `${
    (100 * most.sum / rows).toFixed(1)
  } % of the rows are lost${at}, most of them because ` +
    `${fateOf(first.reason, first.rows)}; ${cureOf(first, context)}.`;
}

/** `1 has no score`, `1,206 have no score`. */
function fateOf(reason: string, rows: number): string {
  const [several, one] = MEANING[reason]!;
  return `${groupThousands(rows)} ${rows === 1 ? one : several}`;
}

function cureOf(line: CountedLine, { sessions: all, moreSessions }: LossTextContext): string {
  const { reason } = line;
  if (reason === "beyond_prices") {
    return `add the prices of ${sessions(moreSessions(line))} after ${all.at(-1)}, where yours end`;
  }
  if (reason === "no_entry_price" || reason === "no_exit_price") {
    return "look at loss.byTicker() for tickers that are spelled otherwise in the prices";
  }
  if (reason === "no_score") return "look at loss.bySession() for sessions without scores";
  if (reason === "not_a_session") {
    return "name the sessions, or bring the dates to those of the prices";
  }
  return "look at loss.bySession()";
}

function sessions(count: number): string {
  return count === 1 ? "1 session" : `${count} sessions`;
}
