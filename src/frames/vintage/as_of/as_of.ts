import pl, { type DataFrame } from "nodejs-polars";
import { type Factor, FACTORS, scoreNameOf } from "../../../base/contract/factor.ts";
import {
  checkOptions,
  COLUMN_NAMES,
  type OptionRules,
  TEXT,
} from "../../../base/arguments/check_options.ts";
import { DAY_MS } from "../../../base/calendar/civil_date.ts";
import { durationOf } from "../../../base/arguments/time_input.ts";
import { PROVENANCE_NAMES } from "../../frame/provenance/provenance_schema.ts";
import { lastNotAfter } from "../../../base/contract/scores/last_not_after.ts";
import { assertRows } from "../../frame/assert_frame.ts";
import { sayNotice } from "../../notebook/kernel/say_notice.ts";
import { readInstants } from "../../frame/times/read_instants.ts";

/** Options of joining scores to decisions. */
export interface AsOfOptions {
  /**
   * Column of the decisions with the decision time (Datetime).
   *
   * @default "at"
   */
  readonly decisionColumn?: string;
  /**
   * Columns that are matched exactly, besides the time.
   *
   * @default ["ticker"], and "factor" as well if both frames have it and the score column is `score`
   */
  readonly by?: readonly string[];
  /**
   * Largest age of the set in force at a decision, in milliseconds, counted from its check, or its publication if `scores` has
   * no checks. A decision with an older set gets nulls, and a notice counts them.
   *
   * @default any age, with a notice about sets older than 7 days
   */
  readonly maxAgeMs?: number;
}

const RULES: OptionRules<AsOfOptions> = {
  decisionColumn: TEXT,
  by: COLUMN_NAMES,
  maxAgeMs: durationOf({ least: 60_000, most: 3_660 * DAY_MS, example: "3 * 86_400_000" }),
};

// Time at which a row's score was known: its check or, in a panel without checks, its publication.
const KNOWN_AT = ["last_checked_at", "calculated_at"] as const;
const ROW = "__scoreframe_row";
const SCORE_NAMES: readonly string[] = [...FACTORS.map(scoreNameOf), "score"];

// Scores are checked hourly, and published on most days.
const OLD_MS = 7 * DAY_MS;
const SHOWN = 5;

/** The action, worded to follow "Cannot". */
const ACTION = "join scores to decisions";

/**
 * Joins to each decision the scores known at its time, and refuses look-ahead.
 *
 * For each decision the set in force is selected first: that of the factor's latest check no later than the decision time;
 * without checks in `scores`, the publication counts. The decision gets its row of that set, or nulls if the set lacks its
 * ticker, whatever earlier or later sets have; so `scores` must have whole sets. A decision before the first check in `scores`
 * is an error, not a null, because it would use scores that were not yet known.
 *
 * Two factors can be joined one after the other: provenance columns that the decisions have already are added with the factor
 * as a prefix, `ecqdi_snapshot_id`. A panel's own decision time is omitted.
 *
 * @param scores Scores with provenance columns: of one set, several, or a panel
 * @param decisions Any frame with a decision time and a ticker
 * @returns The decisions, in order, with the columns of `scores`
 * @throws {RangeError} If a row would look ahead; the message shows the first such rows
 * Notices count the decisions whose ticker no set has, and those whose set is old.
 *
 * @throws {TypeError} If a frame is empty, a column is missing or its times have no zone, if the decisions have the score
 *   column already, or if it is not clear which factor a decision means
 * @example
 * ```ts
 * import { asOf, demo } from "scoreframe";
 * import pl from "nodejs-polars";
 *
 * const api = await demo();
 * const scores = await api.panel("ecpnd", { at: ["2026-11-18T21:00:00Z", "2026-11-19T21:00:00Z"] });
 * const decisions = pl.DataFrame([
 *   pl.Series("ticker", ["BARL"], pl.Utf8),
 *   pl.Series("at", [new Date("2026-11-19T15:30:00Z")], pl.Datetime("ms", "UTC")),
 * ]);
 * const joined = asOf(scores, decisions);
 * if (joined.height !== 1) throw new Error("one row for each decision expected");
 * await api.close();
 * ```
 */
export function asOf(
  scores: DataFrame,
  decisions: DataFrame,
  options: AsOfOptions = {},
): DataFrame {
  assertRows(ACTION, scores, "scores");
  assertRows(ACTION, decisions, "decisions");
  checkOptions("call asOf()", options, RULES);
  const { decisionColumn = "at", maxAgeMs } = options;
  const factor = namedFactor(scores);
  const by = options.by ?? defaultKeys(scores, decisions, factor);
  const sets = readSets(scores, by);
  const left = scores.columns.filter((name) => !by.includes(name) && name !== decisionColumn);
  const names = addedNames(left, decisions, factor);
  const decided = readTimes(decisions, decisionColumn, "decisions");
  const keys = readKeys(decisions, by, "decisions");
  refuseLookAhead(keys, decided, sets);
  const knownMs = keys.map(({ factor }, i) => {
    const times = sets.timesOf.get(factor)!;
    return times[lastNotAfter(times, decided[i]!, (timeMs) => timeMs)]!;
  });
  const ages = knownMs.map((timeMs, i) => decided[i]! - timeMs);
  const matches = keys.map(({ key }, i) =>
    ages[i]! <= (maxAgeMs ?? Infinity) ? sets.rowOf.get(`${knownMs[i]} ${key}`) ?? null : null
  );
  const unknown = keys.filter(({ key }) => !sets.keys.has(key)).map(({ row }) => row);
  for (const note of decisionNotes(ages, unknown, maxAgeMs)) sayNotice(note);
  const rows = pl.Series(ROW, Float64Array.from({ length: scores.height }, (_, i) => i));
  const right = scores.select(...names).withColumns(rows);
  return decisions.withColumns(pl.Series(ROW, matches, pl.Float64))
    .join(right, { on: ROW, how: "left" }).drop(ROW);
}

/** Rows of sets by the time at which they became known, and the times of each factor, ascending. */
function readSets(scores: DataFrame, by: readonly string[]) {
  const knownColumn = KNOWN_AT.find((name) => scores.columns.includes(name));
  if (knownColumn === undefined) {
    throw new TypeError(
      `${PREFIX}: expected scores with the column ${KNOWN_AT.join(" or ")}, ` +
        `got the columns ${scores.columns.join(", ")}; a reconstructed release has neither`,
    );
  }
  refuseMixedFactors(scores, by);
  const keys = readKeys(scores, by, "scores");
  const times = readTimes(scores, knownColumn, "scores");
  const factors = [...Map.groupBy(keys.keys(), (i) => keys[i]!.factor)];
  const timesOf = new Map(factors.map(([factor, rows]) => {
    const own = [...new Set(rows.map((i) => times[i]!))];
    return [factor, own.sort((a, b) => a - b)];
  }));
  const rowOf = rowsOfSets(scores, keys, times);
  return { knownColumn, timesOf, rowOf, keys: new Set(keys.map(({ key }) => key)) };
}

const PREFIX = `Cannot ${ACTION}`;

// Factor in the name of the score column, for a frame of one factor.
function namedFactor(scores: DataFrame): Factor | null {
  const named = FACTORS.filter((factor) => scores.columns.includes(scoreNameOf(factor)));
  return named.length === 1 ? named[0]! : null;
}

// A column "score" needs a column for the factor; "ecpnd_score" does not, and a factor in the decisions is then their own, or
// that of an earlier join.
function defaultKeys(
  scores: DataFrame,
  decisions: DataFrame,
  factor: Factor | null,
): readonly string[] {
  const both = scores.columns.includes("factor") && decisions.columns.includes("factor");
  return both && factor === null ? ["ticker", "factor"] : ["ticker"];
}

// Without the factor as a key, a decision would get the score of the factor with the latest check.
function refuseMixedFactors(scores: DataFrame, by: readonly string[]): void {
  if (by.includes("factor") || !scores.columns.includes("factor")) return;
  const factors = [...new Set(scores.getColumn("factor").toArray())];
  if (factors.length < 2) return;
  throw new TypeError(
    `${PREFIX}: expected scores of one factor where the decisions have ` +
      `no factor column, got ${factors.join(" and ")}; filter them, or add the column`,
  );
}

/** The columns that are added; names that the decisions have must remain unambiguous. */
function addedNames(left: readonly string[], decisions: DataFrame, factor: Factor | null) {
  const taken = new Set(decisions.columns);
  const known = new Set<string>(PROVENANCE_NAMES);
  const names = left.map((name) => {
    const isRenamed = taken.has(name) && known.has(name) && factor !== null;
    return [name, isRenamed ? `${factor}_${name}` : name] as const;
  });
  const repeated = names.find(([, name]) => taken.has(name))?.[1];
  if (repeated === undefined) return names.map(([name, as]) => pl.col(name).alias(as));
  throw new TypeError(
    `${PREFIX}: expected decisions without the column ${repeated} of the scores, got one; ` +
      "drop or rename it in one of the frames",
  );
}

function refuseLookAhead(
  keys: readonly RowKey[],
  decided: Float64Array,
  { timesOf, knownColumn }: ReturnType<typeof readSets>,
): void {
  const iso = (timeMs: number) => new Date(timeMs).toISOString();
  const ahead = keys.flatMap(({ factor, row }, i) => {
    const [firstMs] = timesOf.get(factor) ?? [];
    if (firstMs === undefined) {
      const what = factor === "" ? "scores of any set" : `scores of the factor ${factor}`;
      throw new TypeError(`${PREFIX}: expected ${what} for row ${i}, got none`);
    }
    const at = decided[i]!;
    if (firstMs <= at) return [];
    return [`row ${i}: ${row} decided ${iso(at)}, ${knownColumn} ${iso(firstMs)}`];
  });
  if (ahead.length === 0) return;
  const more = ahead.length > SHOWN ? `; and ${ahead.length - SHOWN} more` : "";
  throw new RangeError(
    `${PREFIX}: expected a check no later than the decision, got ${ahead.length} of ` +
      `${keys.length} rows that look ahead: ${ahead.slice(0, SHOWN).join("; ")}${more}; ` +
      "load the scores as of the decisions, for instance with panel()",
  );
}

// A set may occur several times in a panel with equal scores; two different scores of one time are an error.
function rowsOfSets(scores: DataFrame, keys: readonly RowKey[], times: Float64Array) {
  const name = scores.columns.find((column) => SCORE_NAMES.includes(column));
  const values = name === undefined ? [] : scores.getColumn(name).toArray() as unknown[];
  const rowOf = new Map<string, number>();
  for (const [i, { key, row }] of keys.entries()) {
    const own = `${times[i]} ${key}`;
    const before = rowOf.get(own);
    if (before !== undefined && !Object.is(values[before], values[i])) {
      throw new TypeError(
        `${PREFIX}: expected one score per set and ticker, got ${row} with ${values[before]} in ` +
          `row ${before} and ${values[i]} in row ${i}, both known at ` +
          `${new Date(times[i]!).toISOString()}; keep one of them`,
      );
    }
    rowOf.set(own, i);
  }
  return rowOf;
}

/** Notices about decisions: tickers without a set, and old sets. */
function decisionNotes(
  ages: readonly number[],
  unknown: readonly string[],
  maxAgeMs: number | undefined,
): readonly string[] {
  const old = ages.filter((age) => age > (maxAgeMs ?? OLD_MS));
  const of = (count: number) => `${count} of ${ages.length} decisions`;
  const names = [...new Set(unknown)];
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  const oldest = inDays(old.reduce((most, age) => Math.max(most, age), 0));
  return [
    ...(unknown.length === 0 ? [] : [
      `asOf(): ${of(unknown.length)} have no score, because no set of the scores has their ` +
      `ticker: ${names.slice(0, SHOWN).join(", ")}${more}`,
    ]),
    ...(old.length === 0 ? [] : [
      maxAgeMs === undefined
        ? `asOf(): the latest known set is more than 7 days old at ${of(old.length)}, ` +
          `${oldest} at most; maxAgeMs omits such scores`
        : `asOf(): ${of(old.length)} have no score, because the latest set was older than ` +
          `maxAgeMs allows, ${oldest} at most`,
    ]),
  ];
}

function inDays(ms: number): string {
  const days = ms / DAY_MS;
  return days < 2 ? `${(24 * days).toFixed(1)} hours` : `${days.toFixed(1)} days`;
}

/**
 * Reads the times of rows, in milliseconds.
 *
 * @throws {TypeError} If the column is missing, is not of instants, or has a null
 */
function readTimes(frame: DataFrame, name: string, which: string): Float64Array {
  if (!frame.columns.includes(name)) {
    throw new TypeError(
      `Cannot ${ACTION}: expected ${which} with a column ${name} of instants, got the columns ` +
        `${frame.columns.join(", ")}; decisionColumn selects another one`,
    );
  }
  const times = readInstants(ACTION, frame.getColumn(name));
  const missing = times.findIndex(Number.isNaN);
  if (missing === -1) return times;
  throw new TypeError(
    `Cannot ${ACTION}: expected ${which} with a column ${name} of instants without nulls, got a null in ` +
      `row ${missing}; drop it`,
  );
}

/** Key of a row. */
interface RowKey {
  /** Factor; empty if there is only one. */
  readonly factor: string;
  /** Ticker and further matched columns. */
  readonly row: string;
  /** Both. */
  readonly key: string;
}

/**
 * Reads the keys of rows.
 *
 * @throws {TypeError} If a column is missing, or has a null
 */
function readKeys(frame: DataFrame, by: readonly string[], which: string): readonly RowKey[] {
  const missing = by.find((name) => !frame.columns.includes(name));
  if (missing !== undefined) {
    throw new TypeError(
      `${PREFIX}: expected ${which} with the column ${missing}, got ${frame.columns.join(", ")}`,
    );
  }
  const columns: unknown[][] = by.map((name) => frame.getColumn(name).toArray());
  for (const [i, column] of columns.entries()) {
    const row = column.indexOf(null);
    if (row === -1) continue;
    throw new TypeError(
      `${PREFIX}: expected ${which} with a ${by[i]} in every row, got row ${row} without; drop it`,
    );
  }
  const factorAt = by.indexOf("factor");
  const others = columns.filter((_, i) => i !== factorAt);
  return Array.from({ length: frame.height }, (_, i) => {
    const factor = factorAt < 0 ? "" : String(columns[factorAt]![i]);
    const values = others.map((column) => column[i]);
    // Joined by a blank, keys that contain blanks would be ambiguous.
    const row = values.length === 1 ? String(values[0]) : JSON.stringify(values);
    return { factor, row, key: `${factor} ${row}` };
  });
}
