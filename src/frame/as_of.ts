import pl, { type DataFrame } from "nodejs-polars";
import { ScoreframeError } from "../errors.ts";

/** How scores are joined to decisions. */
export interface AsOfOptions {
  /**
   * Column of the decisions with the decision time (Datetime).
   *
   * @default "at"
   */
  readonly decisionColumn?: string;
  /**
   * Columns that both frames are matched by exactly, beside the time.
   *
   * @default ["ticker"], and "factor" as well if both frames have it
   */
  readonly by?: readonly string[];
}

// When a row's score could be known: its check, or where a panel leaves checks out, its publication.
const KNOWN_AT = ["last_checked_at", "calculated_at"] as const;
const SHOWN_ROWS = 5;

/**
 * Joins to each decision the scores that were known by then, and refuses what would look ahead.
 *
 * Each row of `decisions` gets the row of `scores` with the same ticker and the latest check no later than the decision
 * time; where `scores` carry no check, the publication counts. A decision whose ticker is in `scores` only with later
 * checks is an error, not a null: it would have used what nobody could know. A ticker that is not in `scores` at all
 * gets nulls.
 *
 * @param scores Scores with provenance columns: of one set, several, or a panel
 * @param decisions Any frame with a decision time and a ticker
 * @returns The decisions, in their order, with the columns of `scores` that they do not have themselves
 * @throws {ScoreframeError} If a row would look ahead; the message shows the first such rows
 * @throws {TypeError} If a column is missing or has no time, or scores of several factors meet decisions without a factor
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
 * const joined = asOf(scores.drop("at"), decisions);
 * if (joined.height !== 1) throw new Error("one row for each decision expected");
 * await api.close();
 * ```
 */
export function asOf(
  scores: DataFrame,
  decisions: DataFrame,
  options: AsOfOptions = {},
): DataFrame {
  const { decisionColumn = "at" } = options;
  const by = options.by ?? defaultKeys(scores, decisions);
  const knownColumn = KNOWN_AT.find((name) => scores.columns.includes(name));
  if (knownColumn === undefined) {
    throw new TypeError(
      `Cannot join scores to decisions: the column ${KNOWN_AT.join(" or ")} is required, the ` +
        `scores have ${scores.columns.join(", ")}; a reconstructed release has neither`,
    );
  }
  refuseMixedFactors(scores, by);
  const known = readTimes(scores, knownColumn, "scores");
  const decided = readTimes(decisions, decisionColumn, "decisions");
  const groups = groupByKey(readKeys(scores, by, "scores"), known);
  const keys = readKeys(decisions, by, "decisions");
  const matches = keys.map((key, i) => lastNotAfter(groups.get(key) ?? [], known, decided[i]!));
  const ahead = matches.flatMap((match, i) => match === null && groups.has(keys[i]!) ? [i] : []);
  if (ahead.length > 0) {
    throw lookAhead(ahead, { keys, decided, known, groups, knownColumn });
  }
  return attach(scores, decisions, { matches, known });
}

interface Evidence {
  readonly keys: readonly string[];
  readonly decided: readonly number[];
  readonly known: readonly number[];
  readonly groups: ReadonlyMap<string, readonly number[]>;
  readonly knownColumn: string;
}

function defaultKeys(scores: DataFrame, decisions: DataFrame): readonly string[] {
  const both = scores.columns.includes("factor") && decisions.columns.includes("factor");
  return both ? ["ticker", "factor"] : ["ticker"];
}

// Without the factor as a key, a decision would get the score of whichever factor was checked last.
function refuseMixedFactors(scores: DataFrame, by: readonly string[]): void {
  if (by.includes("factor") || !scores.columns.includes("factor")) return;
  const factors = [...new Set(scores.getColumn("factor").toArray())];
  if (factors.length < 2) return;
  throw new TypeError(
    `Cannot join scores to decisions: scores of one factor are required where the decisions have ` +
      `no factor column, got ${factors.join(" and ")}; filter them, or add the column`,
  );
}

function readTimes(frame: DataFrame, name: string, which: string): readonly number[] {
  const values: unknown[] = frame.columns.includes(name) ? frame.getColumn(name).toArray() : [];
  const bad = values.findIndex((value) => !(value instanceof Date));
  if (!frame.columns.includes(name) || bad >= 0) {
    const found = bad >= 0 ? `row ${bad} has ${String(values[bad])}` : frame.columns.join(", ");
    throw new TypeError(
      `Cannot join scores to decisions: the ${which} need a column ${name} of Datetime without ` +
        `nulls, got ${found}`,
    );
  }
  return values.map((value) => (value as Date).getTime());
}

function readKeys(frame: DataFrame, by: readonly string[], which: string): readonly string[] {
  const missing = by.find((name) => !frame.columns.includes(name));
  if (missing !== undefined) {
    throw new TypeError(
      `Cannot join scores to decisions: the column ${missing} is required, the ${which} have ` +
        frame.columns.join(", "),
    );
  }
  const columns: unknown[][] = by.map((name) => frame.getColumn(name).toArray());
  return Array.from(
    { length: frame.height },
    (_, i) => columns.map((column) => column[i]).join(" "),
  );
}

function groupByKey(
  keys: readonly string[],
  times: readonly number[],
): ReadonlyMap<string, readonly number[]> {
  const groups = Map.groupBy(keys.keys(), (i) => keys[i]!);
  for (const rows of groups.values()) rows.sort((a, b) => times[a]! - times[b]!);
  return groups;
}

// The row with the latest time not after the decision; `null` if there is none.
function lastNotAfter(
  rows: readonly number[],
  times: readonly number[],
  decided: number,
): number | null {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[rows[middle]!]! <= decided) low = middle + 1;
    else high = middle;
  }
  return rows[low - 1] ?? null;
}

function attach(
  scores: DataFrame,
  decisions: DataFrame,
  rows: { readonly matches: readonly (number | null)[]; readonly known: readonly number[] },
): DataFrame {
  const { matches, known } = rows;
  const own = new Set(decisions.columns);
  const added = scores.columns.filter((name) => !own.has(name));
  const row = "__scoreframe_row";
  const right = scores.select(...added).withColumns(
    pl.Series(row, known.map((_, i) => i), pl.Float64),
  );
  const left = decisions.withColumns(pl.Series(row, [...matches], pl.Float64));
  return left.join(right, { on: row, how: "left" }).drop(row);
}

function lookAhead(rows: readonly number[], evidence: Evidence): ScoreframeError {
  const { keys, decided, known, groups, knownColumn } = evidence;
  const iso = (timeMs: number) => new Date(timeMs).toISOString();
  const shown = rows.slice(0, SHOWN_ROWS).map((i) => {
    const earliest = known[groups.get(keys[i]!)![0]!]!;
    return `row ${i}: ${keys[i]} decided ${iso(decided[i]!)}, ${knownColumn} ${iso(earliest)}`;
  });
  const more = rows.length > shown.length ? `; and ${rows.length - shown.length} more` : "";
  return new ScoreframeError(
    `Cannot join scores to decisions: a check no later than the decision is required, ` +
      `${rows.length} of ${keys.length} rows would look ahead: ${shown.join("; ")}${more}; ` +
      "load the scores as of the decisions, for instance with panel()",
  );
}
