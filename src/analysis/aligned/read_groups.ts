import pl, { type DataFrame } from "nodejs-polars";
import { nearTickersText, sayAlike } from "./near_tickers.ts";
import { type Rule, ruleBy } from "../../base/arguments/check_options.ts";
import { assertFrame, assertRows } from "../../frames/frame/assert_frame.ts";
import { lastNotAfter } from "../../base/contract/scores/last_not_after.ts";
import { wrongKind } from "../../base/arguments/list_text.ts";
import { type EpochDay, fromEpochDay } from "../../base/calendar/civil_date.ts";
import type { DenseGroups } from "../dense/dense_frames.ts";
import { readDayColumn, readTexts, type TextCodes } from "../table/read_columns.ts";

const ACTION = "align scores with groups";
const NEVER = 2_932_896;
const DATED =
  /^(date|session|at|since|until|as_?of|(start|end|begin|valid|effective|first|last)(_?(date|day|from|to))?)$/i;
const ENDS = /^(until|end|last)|to$/i;

const USUAL: Readonly<Record<"ticker" | "group", RegExp>> = {
  ticker: /^(symbol|asset|name|stock|security|sid|ric|code|company|instrument|id)$/i,
  group: /sector|industry|gics|class|country|region|segment|bucket|category/i,
};
const EXAMPLE =
  'make one of them: pl.DataFrame({ ticker: ["BARL", "XQA"], group: ["tech", "energy"] })';
const MAX_SHOWN = 12;
const NO_GROUP = /^(|-|nan|na|n\/a|#n\/a|null|none|unknown)$/i;

/** Groups of stocks. */
export const GROUPS: Rule<DataFrame> = ruleBy(
  "a DataFrame",
  (_, groups: DataFrame) => assertGroupColumns(ACTION, groups),
);

/** Groups of stocks, and the days to which each row applies, both ends included. */
export type GroupRows = ReturnType<typeof readGroups>;

/**
 * Reads groups.
 *
 * @param groups `ticker`, `group`, and if groups change `from` and `to` (dates, both included; null is open). Without `to`, a row holds
 * until the next one of its ticker
 * @throws {TypeError} If a column is missing
 * @throws {RangeError} If there is no row, or one ends before it begins
 */
export function readGroups(groups: DataFrame) {
  assertGroupColumns(ACTION, groups);
  assertRows(ACTION, groups, "the groups");
  assertDatesNamed(groups);
  const tickers = readTexts(ACTION, groups, "ticker");
  const missing = tickers.codes.indexOf(-1);
  if (missing !== -1) {
    throw new TypeError(
      `Cannot ${ACTION}: expected a ticker in every row, got row ${missing} without; drop it`,
    );
  }
  const parts = withoutBlanks(readTexts(ACTION, withTexts(groups), "group"));
  const from = bounds(groups, "from", -NEVER);
  const to = groups.columns.includes("to")
    ? bounds(groups, "to", NEVER)
    : endsBeforeNext(tickers.codes, from);
  const wrong = from.findIndex((day, row) => day > to[row]!);
  const areUndated = !groups.columns.includes("from") && !groups.columns.includes("to");
  if (wrong === -1) return { tickers, parts, from, to, areUndated };
  throw new RangeError(
    `Cannot ${ACTION}: expected each group to end on or after the day it begins, got ` +
      `${fromEpochDay(from[wrong]!)} to ${fromEpochDay(to[wrong]!)} in row ${wrong}; swap them`,
  );
}

/**
 * Lays groups out as sessions × tickers.
 *
 * @throws {TypeError} If a ticker has two groups in one session
 */
export function layOutGroups(
  { tickers, parts, from, to, areUndated }: GroupRows,
  of: { days: Int32Array; tickers: readonly string[] },
): DenseGroups {
  const { names, codes: groupOf } = parts;
  const places = new Map(of.tickers.map((ticker, place) => [ticker, place]));
  const [days, width] = [[...of.days], of.tickers.length];
  const codes = new Int32Array(of.days.length * width).fill(-1);
  for (let row = 0; row < groupOf.length; row++) {
    const ticker = places.get(tickers.names[tickers.codes[row]!]!);
    if (ticker === undefined || groupOf[row] === -1) continue;
    const last = lastNotAfter(days, to[row]!, Number);
    for (let d = lastNotAfter(days, from[row]! - 1, Number) + 1; d <= last; d++) {
      const known = codes[d * width + ticker]!;
      if (known !== -1 && known !== groupOf[row]) {
        throw new TypeError(
          `Cannot ${ACTION}: expected one group a ticker and session, got ${names[known]} and ` +
            `${names[groupOf[row]!]} for ${of.tickers[ticker]}; ` +
            "give from and to dates that do not overlap",
        );
      }
      codes[d * width + ticker] = groupOf[row]!;
    }
  }
  return { names, codes, areUndated };
}

/**
 * Refuses groups without any ticker of the scores.
 *
 * @throws {RangeError} If no ticker of the scores has a group
 */
export function assertGroups(
  { tickers: { names }, parts }: GroupRows,
  tickers: readonly string[],
): void {
  const grouped = new Set(names);
  if (parts.names.length > 0 && tickers.some((ticker) => grouped.has(ticker))) return;
  const near = nearTickersText(tickers, "groups", names);
  throw new RangeError(
    `Cannot ${ACTION}: expected groups of tickers that the scores have, got none; compare both: the groups have ` +
      `${names.slice(0, 3).join(", ")}, the scores ${tickers.slice(0, 3).join(", ")}` +
      (near === null ? "" : `; ${near}`),
  );
}

/** Groups with trimmed names; blanks and texts for a missing value are no group. */
function withoutBlanks({ names, codes }: TextCodes): TextCodes {
  const trimmed = names.map((name) => name.trim());
  const kept = [...new Set(trimmed.filter((name) => !NO_GROUP.test(name)))].toSorted();
  sayAlike("Groups", kept);
  const placeOf = trimmed.map((name) => kept.indexOf(name));
  return { names: kept, codes: codes.map((code) => code === -1 ? -1 : placeOf[code]!) };
}

// Ignoring the dates would apply the groups of one day to all.
function assertDatesNamed(groups: DataFrame): void {
  const dated = groups.columns.find((name) => DATED.test(name));
  if (dated === undefined) return;
  const name = ENDS.test(dated) ? "to" : "from";
  const until = name === "from" && !groups.columns.some((column) => ENDS.test(column))
    ? " if each row holds until the next one of its ticker"
    : "";
  const renamed = groups.columns.includes(name)
    ? ""
    : `groups.rename({ ${dated}: "${name}" })${until}, or `;
  throw new TypeError(
    `Cannot ${ACTION}: expected dates of groups in the columns from and to, got ${dated}, which is not read; ` +
      `${renamed}groups.drop("${dated}") if it says nothing of when they apply`,
  );
}

/** The last day of each row where none is given: the one before the next row of its ticker begins. */
function endsBeforeNext(tickers: Int32Array, from: Int32Array): Int32Array {
  const to = new Int32Array(from.length).fill(NEVER);
  const latestFirst = [...from.keys()].toSorted((a, b) =>
    tickers[a]! - tickers[b]! || from[b]! - from[a]!
  );
  for (const [place, row] of latestFirst.entries()) {
    const later = latestFirst[place - 1];
    if (later === undefined || tickers[later] !== tickers[row]) continue;
    to[row] = from[later] === from[row] ? to[later]! : from[later]! - 1;
  }
  return to;
}

// Industries are often codes, such as 45 and 4510.
function withTexts(groups: DataFrame): DataFrame {
  const column = groups.getColumn("group");
  const { variant = "" } = column.dtype as { variant?: string };
  const isWhole = /^U?Int/.test(variant) ||
    (variant === "Float64" && column.dropNulls().toArray().every(Number.isInteger));
  if (!isWhole) return groups;
  return groups.withColumns(pl.col("group").cast(pl.Int32).cast(pl.Utf8));
}

function bounds(groups: DataFrame, name: string, open: EpochDay): Int32Array {
  if (!groups.columns.includes(name)) return new Int32Array(groups.height).fill(open);
  return readDayColumn(ACTION, groups, name, { open });
}

/**
 * Refuses a frame of groups without `ticker` or `group`, and suggests a column to rename.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @throws {TypeError} If a column is missing
 */
function assertGroupColumns(action: string, groups: DataFrame): void {
  const { [Symbol.toStringTag]: tag, then } = Object(groups);
  if (tag !== "DataFrame" && tag !== "LazyDataFrame" && then === undefined) {
    throw wrongKind(action, groups, { expected: "a DataFrame", advice: EXAMPLE });
  }
  assertFrame(action, groups);
  const { columns } = groups;
  const missing = (["ticker", "group"] as const).filter((name) => !columns.includes(name));
  if (missing.length === 0) return;
  const renamed = missing.flatMap((name) => {
    const found = columns.filter((column) => USUAL[name].test(column));
    return found.length === 1 ? [`${quoteKey(found[0]!)}: "${name}"`] : [];
  });
  const advice = renamed.length === missing.length
    ? `rename ${renamed.length === 1 ? "it" : "them"}: groups.rename({ ${renamed.join(", ")} })`
    : 'rename yours, such as groups.rename({ sector: "group" })';
  throw new TypeError(
    `Cannot ${action}: expected the columns ticker and group, got ` +
      `${columns.slice(0, MAX_SHOWN).join(", ") || "none"}; ${advice}`,
  );
}

function quoteKey(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}
