import type { Series } from "nodejs-polars";
import { type Rule, ruleBy } from "../../base/arguments/check_options.ts";
import { type DateInput, durationOf } from "../../base/arguments/time_input.ts";
import { type CalendarDate, type Instant, instantOf } from "../../base/contract/instant.ts";
import { describe } from "../../base/contract/violation.ts";
import { readInstants } from "../../frames/frame/times/read_instants.ts";
import { readSessions } from "../../frames/frame/sessions/sessions.ts";
import { type ConnectionContext, serviceNowMs } from "../verb/connection_context.ts";
import { type InstantInput, toInstant } from "../verb/instant_input.ts";

/** First and last session of a panel. */
export interface SessionRange {
  /** Date of the first session, or a day before it on which the market was closed. */
  readonly from: DateInput;
  /** Date of the last session, or a day after it on which the market was closed. */
  readonly to: DateInput;
}

/** Decision times of a panel: given times, or the closes of sessions. */
export interface DecisionOptions<
  Range extends SessionRange | undefined = SessionRange | undefined,
> {
  /** Decision times in any order, without duplicates counted. Excludes {@link DecisionOptions.sessions}. */
  readonly at?: readonly InstantInput[] | Series;
  /** Sessions whose closes are the decision times; the panel then has a column `date`, as prices have. */
  readonly sessions?: Range;
  /**
   * Milliseconds from each close to the decision; negative for a decision before the close.
   *
   * @default 0
   */
  readonly delayMs?: number;
}

/** The decision times of a panel. */
export interface DecisionTimes {
  /** Times, ascending and distinct. */
  readonly times: readonly Instant[];
  /** Session of each time; `null` if times were given. */
  readonly dates: ReadonlyMap<Instant, CalendarDate> | null;
}

const ACTION = "load a panel";

/** A delay after the close of a session, or before it: less than a day. */
export const DECISION_DELAY: Rule<number> = durationOf({
  least: 60_000,
  most: 86_400_000 - 1,
  example: "15 * 60_000",
  isSigned: true,
});

/**
 * Decision times of the options.
 *
 * @throws {TypeError} If neither or both of `at` and `sessions` are given, or one is malformed
 * @throws {RangeError} If there is no session, a session has not closed yet, or `delayMs` is a day or more
 */
export function toDecisionTimes(
  context: Pick<ConnectionContext, "clock" | "ledger">,
  { at, sessions, delayMs }: DecisionOptions,
): DecisionTimes {
  if (sessions !== undefined && at === undefined) {
    return timesOfSessions(context, sessions, delayMs ?? 0);
  }
  if (sessions !== undefined) {
    throw new TypeError(
      `Cannot ${ACTION}: expected either at or sessions, got both; leave one out`,
    );
  }
  if (delayMs !== undefined) {
    throw new TypeError(
      `Cannot ${ACTION}: expected delayMs only with sessions, got it with at; leave delayMs out`,
    );
  }
  const list = (isSeries(at) ? instantsOfSeries(at) : at ?? []) as readonly InstantInput[];
  if (Array.isArray(list) && list.length > 0) {
    return { times: [...new Set(list.map((instant) => toInstant(instant)))].sort(), dates: null };
  }
  throw new TypeError(
    `Cannot ${ACTION}: expected at to be an array or a Series of at least one instant, got ` +
      `${describe(at)}; or give sessions: { from: "2026-11-02", to: "2026-11-19" }`,
  );
}

function timesOfSessions(
  context: Pick<ConnectionContext, "clock" | "ledger">,
  range: SessionRange,
  delayMs: number,
): DecisionTimes {
  const found = readSessions(ACTION, range.from, range.to);
  if (found.length === 0) {
    throw new RangeError(
      `Cannot ${ACTION}: expected a session of the US market from ${range.from} to ${range.to}, ` +
        "got none; sessions(from, to) lists the sessions",
    );
  }
  const nowMs = serviceNowMs(context);
  const open = found.findIndex(({ closeMs }) => closeMs + delayMs > nowMs);
  if (open !== -1) {
    const { date, closeMs } = found[open]!;
    const last = found[open - 1]?.date;
    throw new RangeError(
      `Cannot ${ACTION}: expected sessions that have closed, got ${date}, which ` +
        `${delayMs === 0 ? "closes" : "has its decision time"} at ${
          instantOf(closeMs + delayMs)
        }, and it is ` +
        `${instantOf(nowMs)} by the service's clock${
          last === undefined ? "" : `; end with ${last}`
        }`,
    );
  }
  const dates = new Map(
    found.map(({ date, closeMs }) => [instantOf(closeMs + delayMs), date] as const),
  );
  return { times: [...dates.keys()], dates };
}

/** The rule for the sessions of a panel. */
export const SESSION_RANGE: Rule<SessionRange> = ruleBy(
  "sessions",
  (_, range) => {
    const names = typeof range === "object" && range !== null ? Object.keys(range) : null;
    if (names?.toSorted().join() === "from,to") return;
    throw new TypeError(
      `Cannot ${ACTION}: expected sessions such as { from: "2026-11-02", to: "2026-11-19" }, got ` +
        describe(range),
    );
  },
  '{ from: "2026-11-02", to: "2026-11-19" }',
);

// Times without a time zone are refused, as in every frame.
function instantsOfSeries(at: Series): readonly Date[] {
  const instants = readInstants(ACTION, at.rename("at"));
  const missing = instants.findIndex(Number.isNaN);
  if (missing === -1) return Array.from(instants, (ms) => new Date(ms));
  throw new TypeError(
    `Cannot ${ACTION}: expected an instant in every row of at, got none in row ${missing}; drop it`,
  );
}

function isSeries(value: unknown): value is Series {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    typeof (value as { toArray?: unknown }).toArray === "function";
}
