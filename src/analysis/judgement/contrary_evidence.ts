import type { stability } from "../series/stability.ts";
import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { LEVEL } from "../../base/statistics/moments.ts";
import {
  BASIS_POINTS,
  countText,
  decimalText,
  intervalText,
  percentText,
  pPhrase,
} from "../../base/wording/number_text.ts";
import { ratioText } from "../../base/wording/sentences/test_text.ts";

const MANY_LOST = 0.25;
// Portfolios of published factors stay below 3 before costs; more than three times that is data known too early.
const IMPLAUSIBLE_SHARPE = 10;
// Published factors have mean ICs below 0.1 at a month.
const IMPLAUSIBLE_IC = 0.3;
// Returns after gaps in closes that sum to more of the capital are no rounding.
const MUCH_AFTER_GAPS = 0.05;
// Two looks at one question: halves and years.
const LOOKS = 2;
// A second test of the same null hypothesis contradicts the first where it is far from it, and not where one is at 0.04 and the other at 0.06.
const FAR = 0.2;
const EXAMPLES = 3;

/** A number of the analysis that agrees with its result or contradicts it. */
interface ResultCheck {
  /** Short name, for a list of what was looked at. */
  readonly name: string;
  /** Its finding. */
  readonly text: string;
  readonly isAgainst: boolean;
}

/** The result that is checked: the mean IC at the first horizon that has one, and whether it differs from zero after the correction. */
type Result = Readonly<{ horizon: number; mean: number; isFound: boolean }>;

/** Compares the result at the first horizon with every other number of the analysis; empty without a result. */
export function findContradictions(
  analysis: FactorAnalysis,
  { found, tested }: Relation,
): readonly ResultCheck[] {
  const faults = [lossOfAllCheck, gapsCheck, splitsCheck].flatMap((check) => check(analysis) ?? []);
  const row = found[0] ?? tested[0];
  if (row === undefined) return faults;
  const result = { horizon: row.horizon!, mean: row.mean!, isFound: found.length > 0 };
  const ofFound = [sizeCheck, shapeCheck, halvesCheck, yearsCheck, lossCheck];
  const checks = [secondTestCheck, spreadCheck, ...result.isFound ? ofFound : []];
  return [...faults, ...checks.flatMap((check) => check(analysis, result) ?? [])];
}

/** A fault of the data that the result rests on, whatever it is. */
function lossOfAllCheck({ performance, portfolio }: FactorAnalysis): ResultCheck | null {
  if (performance.toRecords()[0]?.reason !== "total_loss") return null;
  const lost = portfolio.toRecords().find((row) => (row.return ?? 0) <= -1);
  const day = lost?.date?.toISOString().slice(0, 10) ?? "";
  const text = `the portfolio loses all of its capital with the return of ${day}`;
  return { name: "total loss", text, isAgainst: true };
}

function gapsCheck({ portfolio }: FactorAnalysis): ResultCheck {
  const gaps = portfolio.toRecords().map((row) => row.gap_return ?? 0);
  const booked = gaps.reduce((sum, gain) => sum + Math.abs(gain), 0);
  const text = `returns booked after gaps in the closes sum to ${percentText(booked)} of capital`;
  return { name: "gaps in the closes", text, isAgainst: booked > MUCH_AFTER_GAPS };
}

/** Closes of scored stocks that move by the size of a split. */
function splitsCheck({ aligned: { loss, dense } }: FactorAnalysis): ResultCheck {
  const own = new Set(dense.tickers);
  const jumps = loss.priceNotes.toRecords()
    .filter(({ what, ticker }) => what === "jump" && own.has(ticker ?? ""));
  const shown = jumps.slice(0, EXAMPLES).map(({ session, ticker, value }) =>
    `${session!.toISOString().slice(0, 10)} ${ticker} ×${Number(value!.toPrecision(3))}`
  );
  const more = jumps.length > EXAMPLES ? ", …" : "";
  const text = jumps.length === 0
    ? "no close moves by the size of a split"
    : `${countText(jumps.length, "close")} of scored stocks ${
      jumps.length === 1 ? "moves" : "move"
    } by the size of a split that nobody adjusted (${shown.join(", ")}${more})`;
  return { name: "splits", text, isAgainst: jumps.length > 0 };
}

/** Another test of the same hypothesis: the permutation at one session, the one-session form at others. */
function secondTestCheck(
  { permutation, summary }: FactorAnalysis,
  { horizon, isFound }: Result,
): ResultCheck | null {
  const form = summary.tables.checks.toRecords().find((one) =>
    one.check === "one-session form" && one.horizon === horizon
  );
  const p = (horizon === 1 ? permutation?.toRecords()[0] : form)?.p ?? null;
  if (p === null) return null;
  const isAgainst = isFound ? p >= FAR : p < LEVEL;
  return horizon === 1
    ? { name: "permutation test", text: `the permutation test gives ${pPhrase(p)}`, isAgainst }
    : { name: "one-session form", text: `the one-session form has ${ratioText(form!)}`, isAgainst };
}

function spreadCheck(
  { spread }: FactorAnalysis,
  { horizon, mean, isFound }: Result,
): ResultCheck | null {
  const row = spread.summary.toRecords().find((one) => one.horizon === horizon);
  if (row === undefined || row.mean === null || row.low === null || row.high === null) return null;
  const isClear = row.low > 0 || row.high < 0;
  const isSame = Math.sign(row.mean) === Math.sign(mean);
  const bps = (value: number) => decimalText(BASIS_POINTS * value, 1);
  const text = `the quantile spread is ${bps(row.mean)} bps ` +
    `(${intervalText([row.low, row.high], bps)})`;
  return { name: "quantile spread", text, isAgainst: isClear && (!isFound || !isSame) };
}

/** Steps between quantiles that go against the IC, beyond the error of as many tests. */
function shapeCheck({ monotonicity }: FactorAnalysis, { horizon, mean }: Result) {
  const steps = monotonicity.tables.steps.toRecords()
    .filter((row) => row.horizon === horizon && row.p !== null);
  if (steps.length === 0) return null;
  const against = steps.filter((row) =>
    Math.sign(row.mean!) === -Math.sign(mean) && row.p! * steps.length < LEVEL
  );
  const text = `${against.length} of ${countText(steps.length, "step")} between quantiles ` +
    `${against.length === 1 ? "goes" : "go"} significantly against the IC`;
  return { name: "shape", text, isAgainst: against.length > 0 };
}

/** A result that is too good: of plausible ones nothing is said. */
function sizeCheck({ performance }: FactorAnalysis, { mean }: Result): ResultCheck | null {
  const sharpe = performance.toRecords()[0]?.sharpe ?? null;
  const found = [
    ...Math.abs(mean) < IMPLAUSIBLE_IC ? [] : [`a mean IC of ${decimalText(mean, 2)}`],
    ...sharpe === null || Math.abs(sharpe) < IMPLAUSIBLE_SHARPE
      ? []
      : [`a Sharpe ratio of ${decimalText(sharpe, 1)} a year`],
  ];
  if (found.length === 0) return null;
  const text =
    `${found.join(" and ")} ${found.length === 1 ? "is" : "are"} implausible, and look-ahead ` +
    "is the usual cause; probeLookAhead() tests the signal";
  return { name: "plausibility", text, isAgainst: true };
}

function halvesCheck({ detail: { halves } }: FactorAnalysis, { horizon }: Result) {
  const means = halves.table.toRecords().filter((one) => one.horizon === horizon)
    .flatMap((one) => one.mean ?? []);
  const equal = equality(halves, horizon);
  if (means.length < 2 || equal === null) return null;
  const numbers = means.map((one) => decimalText(one, 3)).join(" and ");
  return { ...equal, name: "halves", text: `the halves (IC ${numbers}) ${equal.text}` };
}

function yearsCheck({ stability }: FactorAnalysis, { horizon }: Result): ResultCheck | null {
  const equal = equality(stability, horizon);
  return equal === null ? null : { ...equal, name: "years", text: `years ${equal.text}` };
}

function equality({ tables: { joint } }: ReturnType<typeof stability>, horizon: number) {
  const p = joint.toRecords().find((one) => one.horizon === horizon)?.p ?? null;
  if (p === null) return null;
  const isAgainst = p < LEVEL / LOOKS;
  return { text: `${p < LEVEL ? "" : "do not "}differ significantly (${pPhrase(p)})`, isAgainst };
}

/** Rows that were asked for and could not be used. */
function lossCheck({ aligned: { loss } }: FactorAnalysis, { horizon }: Result): ResultCheck {
  const rows = loss.table.toRecords();
  const count = (of: readonly string[]) =>
    rows.filter((row) =>
      of.includes(row.reason!) && (row.horizon === null || row.horizon === horizon)
    ).reduce((sum, row) => sum + row.rows!, 0);
  const asked = loss.rows - count(["excluded"]);
  const lost = asked === 0 ? 0 : 1 - count(["used", "ended", "no_group"]) / asked;
  return {
    name: "rows",
    text: `${percentText(lost)} of the rows of the scores could not be used`,
    isAgainst: lost > MANY_LOST,
  };
}

/** Mean ICs by horizon with p values after the correction: all, those with a test, and those that differ from zero; and the number of tests corrected for. */
export type Relation = ReturnType<typeof findRelation>;

/** Finds the horizons at which the mean IC differs from zero, after Holm's correction for every test of the trial log. */
export function findRelation({ summary, trialLog, origin }: FactorAnalysis) {
  const log = trialLog.table().toRecords();
  const own = log.filter((row) => row.what === "mean IC" && row.of === origin.what);
  const rows = summary.table.toRecords().map((row) => {
    const logged = own.find((one) => {
      const { horizon } = JSON.parse(one.options ?? "{}") as { horizon?: number };
      return horizon === row.horizon && one.p === row.p;
    });
    return { ...row, p_adjusted: logged?.p_adjusted ?? row.p };
  });
  const tested = rows.filter(({ p }) => p !== null);
  const tests = log.filter(({ p }) => p !== null).length;
  return {
    rows,
    tested,
    found: tested.filter(({ p_adjusted: p }) => p! < LEVEL),
    tests: Math.max(tests, tested.length),
  };
}
