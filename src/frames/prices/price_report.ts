import { countText } from "../../base/wording/number_text.ts";
import { listText } from "../../base/arguments/list_text.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import type { CalendarDate } from "../../base/contract/instant.ts";
import { DISPLAY, display, type MimeBundle } from "../notebook/display.ts";
import { preHtml } from "../notebook/html.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import { frameOfObjects } from "../frame/typed/frame_of.ts";
import type { ColumnFact } from "./closes/price_columns.ts";
import { VALUE_WORDS, type ValueKind } from "./values/check_values.ts";
import type { TableFrame } from "../frame/typed/table_frame.ts";
/** Columns of the findings, in order. */
const FINDING_COLUMNS = { what: "text", date: "date", ticker: "text", value: "number" } as const;

/** Columns of what the columns of a source are taken for. */
const FACT_COLUMNS = { column: "text", is: "text", because: "text" } as const;

/** A finding in prices. */
export interface PriceFinding {
  /** Its kind. */
  readonly what: PriceFindingKind;
  /** The day, in days since 1970-01-01; `null` if it is not about a single day. */
  readonly day: number | null;
  /** The ticker; `null` for all. */
  readonly ticker: string | null;
  /** The number in {@link PriceReport.findings}; `null` if there is none. */
  readonly value: number | null;
}

/**
 * Counts of the rows that were read.
 *
 * @internal
 */
export interface PriceCounts {
  /** Such as `the prices of closes.csv`. */
  readonly title: string;
  /** Rows. */
  readonly rows: number;
  /** Distinct tickers. */
  readonly tickers: number;
  /** Distinct dates. */
  readonly dates: number;
  /** First date; `null` without rows. */
  readonly first: CalendarDate | null;
  /** Last date; `null` without rows. */
  readonly last: CalendarDate | null;
}

const EXAMPLES = 3;
// Kinds with a `null` have no line in a report without findings.
const KINDS = [
  ["cut", null, "files whose last line has no end, where they may be cut"],
  ["frequency", null, "dates that are not daily"],
  ["start", null, 'dates that begin their periods, which labels: "start" moves to the end'],
  ["shift", null, "dates that are a day off the sessions, which shiftDays moves"],
  ["running", null, "last dates inside a period that is not over"],
  ["same_row", null, "rows that occur again, and are kept once"],
  ["repeated", "one row per date and ticker", "rows that repeat a date and ticker"],
  ["jump", "no jump of the size of a split", "jumps of the size of a split"],
  ["split", null, "splits that the closes do not follow as at the others"],
  ["gap", "no gap within a ticker", "gaps within a ticker"],
  ["no_close", "a close in every row", "rows without a close"],
  ["no_session", "every date is a session", "dates that are not sessions"],
  ["missing_session", "every session of the span", "sessions without any row"],
  ["ticker", "tickers in the form of the API", "tickers that are not in the form of the API"],
] as const satisfies readonly (readonly [kind: string, clean: string | null, found: string])[];

/** Kinds of findings in prices. */
export type PriceFindingKind = ValueKind | typeof KINDS[number][0];

/** Kinds in the order of a report, with the item of each and, for some, that of a report without a finding. */
const ITEMS = [
  ...KINDS.map(([kind, clean, what]) => (
    { kind, clean, words: (count: number) => `${what}: ${groupThousands(count)}` }
  )),
  ...(Object.keys(VALUE_WORDS) as ValueKind[]).map((kind) => (
    { kind, clean: null, words: VALUE_WORDS[kind] }
  )),
];

/** Findings of reading prices, one item per kind of common fault. */
export class PriceReport {
  /** Counts of the rows that were read. */
  readonly counts: PriceCounts;
  readonly #found: readonly PriceFinding[];
  readonly #facts: readonly ColumnFact[];

  /**
   * Creates a report.
   *
   * @param counts Counts of the rows that were read
   * @param found The findings, ordered by date and ticker
   * @param facts What the columns of the source, or of the first of several, are taken for
   * @ignore
   */
  constructor(
    counts: PriceCounts,
    found: readonly PriceFinding[],
    facts: readonly ColumnFact[] = [],
  ) {
    this.counts = counts;
    this.#found = found;
    this.#facts = facts;
  }

  /** `true` without findings. */
  get isClean(): boolean {
    return this.#found.length === 0;
  }

  /**
   * All findings: one row each, ordered by date and ticker.
   *
   * Columns: `what` (Utf8: `frequency`, `start`, `running`, `shift`, `cut`, `same_row`, `jump`, `gap`, `no_close`, `no_session`,
   * `missing_session`, `ticker`, or a kind of values: `still_share`, `still_session`, `still`, `ends_still`, `interpolated`,
   * `unit`, `hole`, `noise`, `levels`, `adjustment`), `date` (Date;
   * null if it is not about a date), `ticker` (Utf8; null for all), `value` (Float64): for a jump the close divided by the one
   * before, for a frequency the usual days between two dates (`ticker` has its name), for a gap the sessions that are missing
   * before the date, for a date that is not a session its rows; else null.
   */
  get findings(): TableFrame<typeof FINDING_COLUMNS> {
    return frameOfObjects(this.#found, FINDING_COLUMNS, {
      date: ({ day }) => day === null ? null : fromEpochDay(day),
    });
  }

  /**
   * Use of the columns of the source: one row each. Of several files those of the first one.
   *
   * Columns: `column` (Utf8), `is` (Utf8: its use, and for closes their state: as traded, adjusted for splits, adjusted for splits
   * and dividends, or not known), `because` (Utf8: the dates and numbers that show it, or what it was taken by).
   */
  get columns(): TableFrame<typeof FACT_COLUMNS> {
    return frameOfObjects(this.#facts.map((fact) => ({ ...fact })), FACT_COLUMNS, {});
  }

  /** The findings in one line, with the first examples; empty without findings. */
  get summary(): string {
    return ITEMS.map((item) => this.#item(item)).filter(Boolean).join("; ");
  }

  /** Notebook display. */
  [DISPLAY](): Promise<MimeBundle> {
    const text = String(this);
    return display({ "text/html": preHtml(text), "text/plain": text });
  }

  /** The report as text, one line per item. */
  toString(): string {
    const { title, rows, tickers, dates, first, last } = this.counts;
    const span = first === null ? "" : `, ${first} to ${last}`;
    const head = `${title[0]!.toUpperCase()}${title.slice(1)}: ${countText(rows, "row")}, ` +
      `${countText(tickers, "ticker")}, ${countText(dates, "date")}${span}`;
    const items = ITEMS.flatMap((item) => {
      const found = this.#item(item);
      if (found !== "") return [`  ! ${found}`];
      return item.clean === null ? [] : [`  ✓ ${item.clean}`];
    });
    const facts = this.#facts.map(({ column, is, because }) =>
      `  · ${listText([column])}: ${is} (${because})`
    );
    return [head, ...facts, ...items].join("\n");
  }

  #item({ kind, words }: typeof ITEMS[number]): string {
    const found = this.#found.filter((finding) => finding.what === kind);
    if (found.length === 0) return "";
    const examples = found.slice(0, EXAMPLES).map(exampleOf).filter(Boolean).join(", ");
    const more = found.length > EXAMPLES ? ", …" : "";
    const text = words(found.length, found[0]!.value ?? NaN);
    return examples === "" ? text : `${text} (${examples}${more})`;
  }
}

function exampleOf({ what, day, ticker, value }: PriceFinding): string {
  if (what === "frequency") {
    const name = ticker === null ? "no known frequency" : `frequency: "${ticker}"`;
    return `${value} days apart; ${name}`;
  }
  const name = ticker === null ? null : listText([ticker]);
  const place = [day === null ? null : fromEpochDay(day), name].filter((part) => part !== null);
  if (["jump", "unit", "hole", "adjustment"].includes(what)) {
    place.push(`×${Number(value!.toPrecision(3))}`);
  }
  if (what === "gap") place.push(`after ${groupThousands(value!)} missing`);
  return place.join(" ");
}
