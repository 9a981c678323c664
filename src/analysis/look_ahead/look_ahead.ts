import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { instantOf } from "../../base/contract/instant.ts";
import { displayAs } from "../../frames/notebook/display_as.ts";
import { lookAheadText } from "../../base/wording/sentences/look_ahead_text.ts";
import { displayParts } from "../table/display_parts.ts";
import { type RowReaders, tableOfRows } from "../table/frame_of_rows.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import type { ChangedRow, OutputDifference } from "./compare_up_to.ts";
import type { ComparedRun, Leak, LeakKind } from "./name_leak.ts";
import type { TimeUnit } from "./probed_input.ts";

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

const RUN_COLUMNS = {
  change: "text",
  cut: "text",
  compared: "count",
  changed: "count",
  rounded: "count",
  later: "count",
  error: "text",
} as const;
const RUN_READERS: RowReaders<Line, typeof RUN_COLUMNS> = {
  compared: ({ difference }) => difference?.rows ?? null,
  changed: ({ difference }) => difference?.changed.length ?? null,
  rounded: ({ difference }) => difference?.rounded ?? null,
  later: ({ difference }) => difference?.later ?? null,
};
/** Findings of a probe of a signal for look-ahead. */
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
  readonly runs: TableFrame<typeof RUN_COLUMNS>;
  /** One row per column that changed. */
  readonly columns: TableFrame<typeof COLUMN_COLUMNS>;

  /**
   * Builds the result from the runs of a signal.
   *
   * @ignore
   */
  constructor(probed: Probed) {
    const { repeated, runs, leak, mutated, uncut } = probed;
    const compared = runs.flatMap(({ difference }) => difference === null ? [] : [difference]);
    const rows = compared.reduce((sum, difference) => sum + difference.rows, 0);
    const removed = runs.filter(({ cut }) => cut.change === "removed");
    const isBlind = uncut.length === 0 && removed.every(({ difference }) => difference?.later);
    this.verdict = repeated.changed.length > 0
      ? "random"
      : leak !== null
      ? "look_ahead"
      : rows === 0 || isBlind
      ? "not_tested"
      : "none_found";
    this.kind = leak?.kind ?? null;
    this.sessions = leak?.sessions ?? null;
    this.mutated = mutated;
    const lines = linesOf(probed);
    this.first = firstChange(lines, probed.unit);
    this.runs = tableOfRows(lines, RUN_COLUMNS, RUN_READERS);
    this.columns = columnTable(lines, probed.unit);
    const failed = runs.filter(({ error }) => error !== null);
    this.text = lookAheadText({
      ...{ verdict: this.verdict, kind: this.kind, sessions: this.sessions, first: this.first },
      rows,
      changed: sum(compared, ({ changed }) => changed.length),
      rounded: sum(compared, ({ rounded }) => rounded),
      cuts: new Set(runs.map(({ cut }) => cut.time)).size,
      runs: 2 + runs.length,
      failed: failed.length,
      error: failed[0]?.error ?? null,
      mutated,
      uncut,
      later: sum(
        runs,
        ({ cut, difference }) => cut.change === "removed" ? difference?.later ?? 0 : 0,
      ),
    });
  }
}

/** The first value that another future changed. */
type FirstChange = NonNullable<LookAhead["first"]>;

function linesOf({ unit, last, repeated, runs }: Probed): readonly Line[] {
  return [
    { change: "repeated", cut: timeText(last, unit), difference: repeated, error: null },
    ...runs.map(({ cut, difference, error }) => ({
      change: cut.change,
      cut: timeText(cut.time, unit),
      difference,
      error,
    })),
  ];
}

const COLUMN_COLUMNS = {
  column: "text",
  changed: "count",
  first_time: "text",
  first_ticker: "text",
  whole: "text",
  other: "text",
  change: "text",
  cut: "text",
} as const;
function columnTable(lines: readonly Line[], unit: TimeUnit): TableFrame<typeof COLUMN_COLUMNS> {
  const names = new Set(
    lines.flatMap(({ difference }) => difference?.changed.flatMap(({ columns }) => columns) ?? []),
  );
  const rows = [...names].map((column) => {
    const of = lines.map((line) => ({
      ...line,
      difference: line.difference === null ? null : {
        ...line.difference,
        changed: line.difference.changed.filter(({ columns }) => columns.includes(column)),
      },
    }));
    const first = firstChange(of, unit, column)!;
    const changed = sum(of, ({ difference }) => difference?.changed.length ?? 0);
    return { ...first, column, changed, firstTime: first.time, firstTicker: first.ticker };
  });
  return tableOfRows(rows, COLUMN_COLUMNS, {});
}

/** The earliest row that changed in any run. */
function firstChange(lines: readonly Line[], unit: TimeUnit, column?: string): FirstChange | null {
  let found: { readonly line: Line; readonly row: ChangedRow } | null = null;
  for (const line of lines) {
    const row = line.difference?.changed[0];
    if (row !== undefined && (found === null || row.time < found.row.time)) found = { line, row };
  }
  if (found === null) return null;
  const { line: { change, cut }, row } = found;
  const place = Math.max(0, column === undefined ? 0 : row.columns.indexOf(column));
  const [whole, other] = row.values[place]!;
  return {
    ...{ time: timeText(row.time, unit), ticker: row.ticker, column: row.columns[place]! },
    ...{ whole: cellText(whole), other: cellText(other), change, cut },
  };
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
