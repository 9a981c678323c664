import {
  checkOptions,
  FILLED,
  needed,
  objectLike,
  oneOf,
  type OptionRules,
  type Rule,
  ruleBy,
  ruleOf,
  TEXT,
  whole,
  wholes,
} from "../../base/arguments/check_options.ts";
import { type DateInput, toCalendarDate } from "../../base/arguments/time_input.ts";
import type { Factor } from "../../base/contract/factor.ts";
import { describe } from "../../base/contract/violation.ts";
import type { RegisteredPlan } from "../lock/entry.ts";

/** Plan of a test that is registered before its hold-out is seen. */
export interface RegisterOptions {
  /**
   * Name of the test.
   *
   * @default "main"
   */
  readonly name?: string;
  /** Question that it answers, as a paper states it. */
  readonly question: string;
  /** Factor that is tested: `ecpnd` or `ecqdi`. */
  readonly factor: Factor;
  /**
   * Source of the scores: `history` for the release, `panel` for the sets in force at the closes of sessions.
   *
   * @default "history"
   */
  readonly scores?: "history" | "panel";
  /** Horizons in sessions. */
  readonly horizons: number | readonly number[];
  /**
   * In-sample periods by name; a panel needs the beginning of each.
   *
   * @default { "in-sample": {} }, everything before the hold-out
   */
  readonly periods?: Readonly<
    Record<string, {
      /**
       * First session.
       *
       * @default the first one of the data
       */
      readonly from?: DateInput;
      /**
       * Last session, before the hold-out.
       *
       * @default the last one before the hold-out
       */
      readonly to?: DateInput;
    }>
  >;
  /**
   * Tickers, or the label of the universe that rows must have.
   *
   * @default all rows
   */
  readonly universe?: string | readonly string[];
  /**
   * Path of the prices in the folder of the study: a CSV or Parquet file with `date`, `ticker` and `close`.
   *
   * @default the one input of the lock when the hold-out is opened
   */
  readonly prices?: string;
  /**
   * Number of stocks with score and return below which a session has no IC.
   *
   * @default 10
   */
  readonly minNames?: number;
  /** Held-out sessions: all from a date on, which may be in the future. */
  readonly holdOut: {
    /** First date that is held out. */
    readonly from: DateInput;
  };
}

const ACTION = "register a test";
const DATE: Rule<DateInput> = ruleBy(
  "a date",
  (action, value: DateInput, name) => toCalendarDate(action, name, value),
);
const RULES: OptionRules<RegisterOptions> = {
  name: FILLED,
  question: needed(FILLED),
  factor: needed(oneOf("ecpnd", "ecqdi")),
  scores: oneOf("history", "panel"),
  horizons: needed(wholes("sessions", "[1, 5, 21]")),
  periods: objectLike(),
  universe: ruleOf(
    "tickers, or the label of a universe",
    (value) => {
      const list = Array.isArray(value) ? value : [value];
      return list.length > 0 && list.every((item) => typeof item === "string" && item !== "");
    },
  ),
  prices: TEXT,
  minNames: whole(3),
  holdOut: needed(
    ruleBy<RegisterOptions["holdOut"]>(
      "an object",
      (_, given) => checkOptions(`${ACTION} with holdOut`, given ?? {}, { from: needed(DATE) }),
    ),
  ),
};
const HOLD_OUT = "hold-out";

/**
 * Reads a plan, with every default stated.
 *
 * @throws {TypeError} If an option is missing, unknown or malformed
 * @throws {RangeError} If a number is out of range, or a period reaches into the hold-out
 */
export function readPlan(options: RegisterOptions): RegisteredPlan {
  checkOptions(ACTION, options, RULES);
  const { name = "main", scores = "history", prices = null, minNames = 10, universe = null } =
    options;
  const holdOutFrom = toCalendarDate(ACTION, "holdOut.from", options.holdOut.from);
  const plan: RegisteredPlan = {
    name,
    question: options.question,
    factor: options.factor,
    scores,
    horizons: [...new Set([options.horizons].flat())].toSorted((a, b) => a - b),
    periods: readPeriods(options.periods ?? { "in-sample": {} }, holdOutFrom),
    universe: universe === null || typeof universe === "string"
      ? universe
      : [...new Set(universe)].sort(),
    prices,
    minNames,
    holdOutFrom,
  };
  const open = Object.entries(plan.periods).find(([, { from }]) => from === null);
  if (scores !== "panel" || open === undefined) return plan;
  throw wrong(`periods.${open[0]}`, "a date from, because a panel has a first session", open[1]);
}

function readPeriods(given: NonNullable<RegisterOptions["periods"]>, holdOutFrom: string) {
  const names = Object.keys(given);
  if (names.length === 0 || names.includes(HOLD_OUT) || names.includes("")) {
    throw wrong("periods", `at least one, none of them named "${HOLD_OUT}"`, names);
  }
  return Object.fromEntries(names.map((name) => {
    const period = given[name]!;
    const what = `periods.${name}`;
    checkOptions(`${ACTION} with ${what}`, period, { from: DATE, to: DATE });
    const date = (end: "from" | "to") =>
      period[end] === undefined ? null : toCalendarDate(ACTION, `${what}.${end}`, period[end]);
    const [from, to] = [date("from"), date("to")];
    if ((to ?? from ?? "") < holdOutFrom && (from ?? "") <= (to ?? from ?? "")) {
      return [name, { from, to }];
    }
    throw new RangeError(
      `Cannot ${ACTION}: expected ${what} to end before the hold-out from ${holdOutFrom} and after its beginning, got ` +
        `${from ?? "the first session"} to ${to ?? "the last one"}; use earlier dates`,
    );
  }));
}

function wrong(name: string, required: string, value: unknown): TypeError {
  return new TypeError(
    `Cannot ${ACTION}: expected ${name} to be ${required}, got ${describe(value)}`,
  );
}
