import { andText } from "../words.ts";
import { groupThousands } from "../group_thousands.ts";
import { countText, valueText } from "../number_text.ts";

/** Findings of a probe for look-ahead. */
export interface ProbeSaid {
  readonly verdict: "none_found" | "look_ahead" | "random" | "not_tested";
  readonly kind: string | null;
  readonly sessions: number | null;
  /** First value that changed. */
  readonly first: {
    readonly time: string;
    readonly ticker: string | null;
    readonly column: string;
    readonly whole: string;
    readonly other: string;
    readonly change: string;
    readonly cut: string;
  } | null;
  /** Number of rows compared with the whole history, of changed rows, and of rows that differ by rounding. */
  readonly rows: number;
  readonly changed: number;
  readonly rounded: number;
  readonly cuts: number;
  readonly runs: number;
  /** Number of runs without a result to compare, and the error message of the first. */
  readonly failed: number;
  readonly error: string | null;
  readonly mutated: readonly string[];
  readonly uncut: readonly string[];
  /** Number of output rows after a cut, where no input had rows. */
  readonly later: number;
}

const LOOKS: Readonly<Record<string, string>> = {
  whole_sample: "a statistic of the whole sample, such as a mean or a rank over all sessions",
  back_fill: "back-fill: a gap that is filled with a later value",
  survivors: "survivorship: stocks selected by later events",
  future_calendar: "a future calendar: it depends on which rows follow, and not on their values " +
    "(random numbers drawn in the order of rows look the same; draw them by session)",
  restated: "restated values, which were known only after the time to which they refer",
  unknown: "none of the known kinds",
};

/** The conclusion of a probe, in sentences. */
export function lookAheadText(said: ProbeSaid): string {
  return [conclusion(said), ...remarks(said)].join("\n");
}

function conclusion(said: ProbeSaid): string {
  const { verdict, first, rows, changed, runs, error } = said;
  if (verdict === "random") {
    return "The signal is random: a second run on the same inputs gave other " +
      `values${first === null ? "" : ` (first ${placeText(first)})`}. Look-ahead cannot be ` +
      "tested; seed the signal.";
  }
  if (verdict === "not_tested" || first === null && verdict === "look_ahead") {
    return error === null
      ? "Not tested: no row could show a change."
      : `Not tested: the signal gave nothing to compare on a shorter history; it threw "${error}".`;
  }
  if (first !== null) {
    const [whole, other] = shortened(first.whole, first.other);
    return `Look-ahead: ${first.column} of ${placeText(first)} is ${whole} with the whole ` +
      `history, and ${other} when the data after ${first.cut} are ${wordOf(first.change)}. It ` +
      `looks like ${looksLike(said)}. ${groupThousands(changed)} of ` +
      `${countText(rows, "compared row")} changed, in ${countText(runs, "run")} of the signal.`;
  }
  return `No look-ahead found: ${countText(rows, "row")} stayed the same when the data after ` +
    `${countText(said.cuts, "cutoff")} were removed, shuffled and perturbed ` +
    `(${countText(runs, "run")} of the signal). This does not prove that the inputs were ` +
    "known at their stated times, and it does not cover data that the signal reads elsewhere, " +
    "choices made with hindsight, or other cutoffs.";
}

/** Two values with four digits, or with all digits if these are equal. */
function shortened(first: string, second: string): readonly [string, string] {
  const [a, b] = [first, second].map((text) =>
    /^-?\d/.test(text) && Number.isFinite(Number(text)) ? valueText(Number(text)) : text
  );
  return a === b ? [first, second] : [a!, b!];
}

function looksLike({ kind, sessions }: ProbeSaid): string {
  if (kind === "sessions_ahead" && sessions !== null) {
    return sessions === 1
      ? "a value from one session ahead"
      : `values from up to ${countText(sessions, "session")} ahead`;
  }
  return LOOKS[kind ?? "unknown"] ?? LOOKS["unknown"]!;
}

function remarks(said: ProbeSaid): readonly string[] {
  const { rounded, failed, error, mutated, uncut, later, verdict } = said;
  return [
    rounded !== 0 &&
    `${countText(rounded, "row")} differ by less than one part in a trillion, as sums in a ` +
      "different order do; this is not counted as look-ahead.",
    failed !== 0 && verdict !== "not_tested" &&
    `${countText(failed, "run")} could not be compared: "${error ?? ""}".`,
    mutated.length !== 0 && `The signal changes its inputs (${andText(mutated)}); give it copies.`,
    uncut.length !== 0 && `Not cut, because they have no time column: ${andText(uncut)}.`,
    later !== 0 &&
    `${countText(later, "row")} have times after a cut, where no input had a row: the signal ` +
      "reads something other than its inputs, which was not cut.",
  ].filter((remark) => remark !== false);
}

function wordOf(change: string): string {
  return change === "restated" ? "restated in another way" : change;
}

function placeText(
  { time, ticker }: { readonly time: string; readonly ticker: string | null },
): string {
  return ticker === null ? time : `${ticker} on ${time}`;
}
