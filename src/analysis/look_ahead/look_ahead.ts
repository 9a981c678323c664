import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { instantOf } from "../../base/contract/instant.ts";
import { displayAs } from "../../frames/notebook/display_as.ts";
import { displayParts, tableOfRows } from "../table/frame_of_rows.ts";
import type { ChangedRow, OutputDifference } from "./compare_up_to.ts";
import type { ComparedRun, Leak, LeakKind } from "./name_leak.ts";
import type { TimeUnit } from "./signal_output.ts";
import { andText } from "../../base/wording/words.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import { countText, valueText } from "../../base/wording/number_text.ts";
import type { TableOf } from "../table/columns.ts";

/** Outputs of all runs of a signal. */
export interface Probed {
  readonly unit: TimeUnit;
  /** Sessions of the whole history that a signal has values for. */
  readonly last: number;
  /** Number of rows that differ in a second run on the same inputs. */
  readonly repeated: OutputDifference;
  readonly runs: readonly ComparedRun[];
  readonly leak: Leak | null;
  readonly mutated: readonly string[];
  readonly uncut: readonly string[];
}

interface Line {
  readonly change: string;
  readonly cut: string;
  readonly difference: OutputDifference | null;
  readonly error: string | null;
}

const RUN_COLUMNS = "change cut compared changed rounded later error";
const COLUMN_COLUMNS = "column changed first_time first_ticker whole other change cut";
const LOOKS: Readonly<Record<Exclude<LeakKind, "sessions_ahead">, string>> = {
  whole_sample: "a statistic of the whole sample, such as a mean or a rank over all sessions",
  back_fill: "back-fill: a gap that is filled with a later value",
  survivors: "survivorship: stocks selected by later events",
  future_calendar: "a future calendar: it depends on which rows follow, and not on their values " +
    "(random numbers drawn in the order of rows look the same; draw them by session)",
  restated: "restated values, which were known only after the time to which they refer",
  unknown: "none of the known kinds",
};

/** StatedResult of a probe of a signal for look-ahead. */
export class LookAhead {
  static {
    displayAs(
      LookAhead,
      (shown) =>
        displayParts(() => shown.text, () => ({ runs: shown.runs, columns: shown.columns })),
    );
  }

  /** The conclusion in words, with what it cannot prove. */
  readonly text: string;
  /**
   * `look_ahead`: rows changed with what follows them; `none_found`: none did; `random`: they changed without any change of the inputs;
   * `not_tested`: no run could be compared.
   */
  readonly verdict: "none_found" | "look_ahead" | "random" | "not_tested";
  /** Kind that the leak looks like; `null` if none was found. */
  readonly kind: LeakKind | null;
  /** Sessions that the signal reads ahead; `null` if there is no fixed number. */
  readonly sessions: number | null;
  /** The first value that changed, by time and ticker; `null` if none did. */
  readonly first: {
    /** Date or instant of the row. */
    readonly time: string;
    /** Ticker of the row; `null` if the signal has none. */
    readonly ticker: string | null;
    /** The column. */
    readonly column: string;
    /** Its value with the whole history. */
    readonly whole: string;
    /** Its value with the other future. */
    readonly other: string;
    /** Change of the future. */
    readonly change: string;
    /** The last unchanged date or instant. */
    readonly cut: string;
  } | null;
  /** Names of the inputs that the signal changed itself. */
  readonly mutated: readonly string[];
  /** One row a run after the first. */
  readonly runs: TableOf<typeof RUN_COLUMNS>;
  /** One row per column that changed. */
  readonly columns: TableOf<typeof COLUMN_COLUMNS>;

  /**
   * Builds the result from the runs of a signal.
   *
   * @ignore
   */
  constructor(probed: Probed) {
    const lines = linesOf(probed);
    const said = sumUp(probed, lines);
    this.verdict = said.verdict;
    this.kind = said.kind;
    this.sessions = said.sessions;
    this.first = said.first;
    this.mutated = said.mutated;
    this.runs = tableOfRows(lines.map(runCells), RUN_COLUMNS);
    this.columns = columnTable(lines, probed.unit);
    this.text = [conclusion(said), ...remarks(said)].join("\n");
  }
}

/** The first value that another future changed. */
type FirstChange = NonNullable<LookAhead["first"]>;

/** Counts of a probe. */
type ProbeSaid = ReturnType<typeof sumUp>;

function sumUp({ unit, repeated, runs, leak, mutated, uncut }: Probed, lines: readonly Line[]) {
  const compared = runs.flatMap(({ difference }) => difference ?? []);
  const removed = runs.filter(({ cut }) => cut.change === "removed");
  const failed = runs.filter(({ error }) => error !== null);
  const rows = sum(compared, (difference) => difference.rows);
  const isBlind = uncut.length === 0 && removed.every(({ difference }) => difference?.later);
  const verdict: LookAhead["verdict"] = repeated.changed.length > 0
    ? "random"
    : leak !== null
    ? "look_ahead"
    : rows === 0 || isBlind
    ? "not_tested"
    : "none_found";
  return {
    verdict,
    kind: leak?.kind ?? null,
    sessions: leak?.sessions ?? null,
    mutated,
    uncut,
    first: firstChange(lines, unit),
    // Rows compared with the whole history, changed ones, and those that differ by rounding.
    rows,
    changed: sum(compared, ({ changed }) => changed.length),
    rounded: sum(compared, ({ rounded }) => rounded),
    cuts: new Set(runs.map(({ cut }) => cut.time)).size,
    runs: 2 + runs.length,
    // Runs without a result to compare.
    failed: failed.length,
    error: failed[0]?.error ?? null,
    // Output rows after a cut, where no input had rows.
    later: sum(removed, ({ difference }) => difference?.later ?? 0),
  };
}

function linesOf({ unit, last, repeated, runs }: Probed): readonly Line[] {
  return [
    { change: "repeated", cut: timeText(last, unit), difference: repeated, error: null },
    ...runs.map(({ cut: { change, time }, ...run }) => {
      return { change, cut: timeText(time, unit), ...run };
    }),
  ];
}

function runCells({ change, cut, difference, error }: Line) {
  if (difference === null) return [change, cut, null, null, null, null, error];
  const { rows, changed, rounded, later } = difference;
  return [change, cut, rows, changed.length, rounded, later, error];
}

function columnTable(lines: readonly Line[], unit: TimeUnit): TableOf<typeof COLUMN_COLUMNS> {
  const names = new Set(
    lines.flatMap(({ difference }) => difference?.changed.flatMap(({ columns }) => columns) ?? []),
  );
  const rows = [...names].map((column) => {
    const of = lines.map(({ difference, ...line }) => {
      const changed = difference?.changed.filter(({ columns }) => columns.includes(column)) ?? [];
      return { ...line, difference: difference && { ...difference, changed } };
    });
    const { time, ticker, whole, other, change, cut } = firstChange(of, unit, column)!;
    const changed = sum(of, ({ difference }) => difference?.changed.length ?? 0);
    return [column, changed, time, ticker, whole, other, change, cut];
  });
  return tableOfRows(rows, COLUMN_COLUMNS);
}

/** The earliest row that changed in any run. */
function firstChange(lines: readonly Line[], unit: TimeUnit, column?: string): FirstChange | null {
  let found: { readonly line: Line; readonly row: ChangedRow } | null = null;
  for (const line of lines) {
    const row = line.difference?.changed[0];
    if (row !== undefined && (found === null || row.time < found.row.time)) found = { line, row };
  }
  if (found === null) return null;
  const { line: { change, cut }, row: { columns, values, ticker, ...row } } = found;
  const place = Math.max(0, column === undefined ? 0 : columns.indexOf(column));
  const [whole, other] = values[place]!.map(cellText) as [string, string];
  const time = timeText(row.time, unit);
  return { time, ticker, column: columns[place]!, whole, other, change, cut };
}

function timeText(time: number, unit: TimeUnit): string {
  return unit === "day" ? fromEpochDay(time) : instantOf(time);
}

function cellText(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString();
  return typeof cell === "object" && cell !== null ? JSON.stringify(cell) : String(cell);
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
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
      `history, and ${other} when the data after ${first.cut} are ${
        first.change === "restated" ? "restated in another way" : first.change
      }. It ` +
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
  return LOOKS[kind === null || kind === "sessions_ahead" ? "unknown" : kind];
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

function placeText({ time, ticker }: FirstChange): string {
  return ticker === null ? time : `${ticker} on ${time}`;
}
