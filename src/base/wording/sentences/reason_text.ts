import { groupThousands } from "../group_thousands.ts";
import { percentText } from "../number_text.ts";

interface ReasonWords {
  /** In a legend or a table. */
  readonly label: string;
  /** Of one row of the scores, behind its number. */
  readonly one: string;
  /** Of several. */
  readonly several: string;
  /** Behind "because", of a value that is missing for it. */
  readonly because: string;
}

/** Fates of rows of scores, and reasons why a value is missing: the closed list of every `reason` column. */
export type ReasonCode =
  | "used"
  | "refused_status"
  | "excluded"
  | "not_a_session"
  | "superseded"
  | "expired"
  | "no_score"
  | "no_entry_price"
  | "beyond_prices"
  | "no_exit_price"
  | "no_group"
  | "ended"
  | "too_few_names"
  | "constant_scores"
  | "constant_returns"
  | "rank_deficient"
  | "too_few_windows"
  | "no_variance"
  | "total_loss"
  | "no_relation"
  | "no_decay"
  | "shorter_than_grid";

const PLURAL: Readonly<Record<string, string>> = {
  is: "are",
  has: "have",
  was: "were",
  needs: "need",
};

/** The same in words. */
const REASONS: Readonly<Record<ReasonCode, ReasonWords>> = {
  used: ofRows("used", "is used"),
  refused_status: ofRows("set status not requested", "has a set status that was not requested"),
  excluded: ofRows("excluded by where", "is excluded by where"),
  not_a_session: ofRows(
    "date is not a session of the prices",
    "has a date that is not a session of the prices",
  ),
  superseded: ofRows(
    "superseded before use",
    "was superseded before it could be used",
    "were superseded before they could be used",
  ),
  expired: ofRows("older than maxAgeSessions", "was older than maxAgeSessions allows"),
  no_score: ofRows("no score", "has no score"),
  no_entry_price: ofRows("no price at entry", "has no price at entry"),
  beyond_prices: ofRows("return ends after the prices", "needs later prices"),
  no_exit_price: ofRows("no price at exit", "has no price at exit"),
  no_group: ofRows(
    "used, but in no group",
    "has no group and counts in statistics over all stocks only",
    "have no group and count in statistics over all stocks only",
  ),
  ended: ofRows(
    "used, up to the stock's last close",
    "return ends early, at its stock's last close",
    "returns end early, at their stock's last close",
  ),
  too_few_names: ofValues("too few stocks", "too few stocks have both a score and a return"),
  constant_scores: ofValues("all scores equal", "all scores are equal"),
  constant_returns: ofValues("all returns equal", "all returns are equal"),
  rank_deficient: ofValues("columns linearly dependent", "its columns are linearly dependent"),
  too_few_windows: ofValues(
    "too few windows",
    "a test requires 20 values and 10 non-overlapping windows",
  ),
  no_variance: ofValues("no variance", "the values do not vary"),
  total_loss: ofValues("all capital lost", "all capital is lost"),
  no_relation: ofValues("fitted IC includes zero", "the 95% CI of the fitted IC includes zero"),
  no_decay: ofValues("no decay over these lags", "the IC does not decay over these lags"),
  shorter_than_grid: ofValues(
    "half-life below the shortest fitted",
    "it is below the shortest half-life that is fitted",
  ),
};

/** A code of a `reason` column as a label; any other text stays as it is. */
export function reasonText(code: string): string {
  return isKnown(code) ? REASONS[code].label : code;
}

/** The clause behind "because" of a value that is missing for a reason. */
export function becauseText(code: string): string {
  return isKnown(code) ? REASONS[code].because : code;
}

/** Fate of so many rows of scores: `1 has no score`, `1,206 have no score (3.5%)` of a number of rows. */
export function lossText(reason: string, rows: number, of?: number): string {
  const text = reason.replaceAll("_", " ");
  const words = isKnown(reason) ? REASONS[reason] : ofRows(text, text, text);
  const share = of === undefined ? "" : ` (${percentText(rows / of)})`;
  return `${groupThousands(rows)} ${rows === 1 ? words.one : words.several}${share}`;
}

function isKnown(code: string): code is ReasonCode {
  return Object.hasOwn(REASONS, code);
}

function ofRows(
  label: string,
  one: string,
  several = one.replace(/^\w+/, (verb) => PLURAL[verb] ?? verb),
): ReasonWords {
  return { label, one, several, because: `a row ${one}` };
}

function ofValues(label: string, because: string): ReasonWords {
  return { label, one: label, several: label, because };
}
