import { describe } from "../../../base/contract/violation.ts";
import { AdjustedCloses } from "./adjusted_closes.ts";
import { chooseClose } from "./choose_close.ts";
import { STATE_WORDS } from "./close_state.ts";
import { tryFactor } from "./factor_readings.ts";
import { compareAll, JudgedColumn } from "./judged_column.ts";
import type { CloseQuestion, ColumnFact } from "./price_columns.ts";
import { habitOf } from "../vendor_names.ts";
import type { SortedRows } from "./sorted_rows.ts";

/**
 * Decides by the numbers of a source what its columns of closes, factors and dividends mean.
 *
 * @throws {TypeError} If they leave several readings, with the call and the result of each; or contradict an option
 */
export function judgeCloses(rows: SortedRows, question: CloseQuestion) {
  const facts: ColumnFact[] = [];
  const closes = question.columns.closes.map((column) => new JudgedColumn(rows, column));
  compareAll(rows, closes);
  for (const close of closes) {
    for (const { name, isNamed } of question.columns.factors) {
      const trial = tryFactor(rows, close.values, rows.numbers(name));
      // That closes do not move with a column of another meaning says nothing.
      if (isNamed || trial.best !== "none") close.take(name, trial);
    }
  }
  const chosen = chooseClose(closes, question);
  const plan = new AdjustedCloses(rows, closes, { chosen, question });
  plan.apply();
  const raw = rawOf(closes, chosen, plan, question);
  const habit = habitOf(question.columns.all);
  for (const close of closes) {
    const isRaw = close.name === raw;
    const state = close === chosen ? plan.ownState : close.state;
    const use = close === chosen ? "the closes, " : isRaw ? "raw, closes " : "not read, closes ";
    const isHabit = state === "unknown" && habit !== null && close.claim === "plain";
    const usual = isHabit &&
      `; by default those of ${habit.vendor} are ${STATE_WORDS[habit.close]}`;
    facts.push({
      column: close.name,
      is: use + STATE_WORDS[state],
      because: `${close.because}${usual || ""}`,
    });
  }
  facts.push(...plan.facts);
  return {
    close: chosen.name,
    state: plan.state,
    values: plan.values,
    raw,
    facts,
    factor: plan.factor,
    odd: chosen.odd,
  };
}

/** The column of closes as traded: one that jumps where the chosen one does not, or that says so and is not contradicted. */
function rawOf(
  closes: readonly JudgedColumn[],
  chosen: JudgedColumn,
  plan: AdjustedCloses,
  { action, options }: CloseQuestion,
): string | null {
  const given = closes.find(({ name }) => name === options.raw);
  if (given !== undefined) {
    if (given.jumps !== false || !given.isSure) return given.name;
    throw new TypeError(
      `Cannot ${action}: expected closes as traded in ${describe(given.name)}, got closes that ` +
        `are adjusted for splits (${given.because}); omit raw`,
    );
  }
  if (chosen.jumps === true || (plan.isTraded && plan.hasSplits)) return chosen.name;
  const proven = closes.find((column) => column !== chosen && column.jumps === true);
  return plan.state === "none" ? null : proven?.name ?? null;
}
