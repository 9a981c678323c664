/** Type of a column: a text, a 64-bit number, a date, or an instant in UTC milliseconds. */
export type ColumnType = "text" | "number" | "date" | "instant";

/** A column of a table. */
export interface TableColumn {
  /** Its name. */
  readonly name: string;
  /** Its type. */
  readonly type: ColumnType;
  /** Its description. */
  readonly what: string;
  /**
   * Its name in a frame.
   *
   * @default the same name
   */
  readonly given?: string;
  /**
   * `true` for a text that counts as a value: rows that differ in it are different rows.
   *
   * @default false
   */
  readonly isValue?: boolean;
}

/** A table of a dataset: one folder of files with equal columns. */
export interface Table {
  /** Description of one row. */
  readonly row: string;
  /** Its columns, in the order of the files. */
  readonly columns: readonly TableColumn[];
  /** Key columns, by which rows are sorted. */
  readonly key: readonly string[];
}

/** The tables that a dataset can have. */
export type TableName =
  | "scores"
  | "releases"
  | "panel"
  | "sets"
  | "publications"
  | "checks"
  | "views"
  | "prices";

const text = (name: string, what: string): TableColumn => ({ name, what, type: "text" });
const number = (name: string, what: string): TableColumn => ({ name, what, type: "number" });
const date = (name: string, what: string): TableColumn => ({ name, what, type: "date" });
const instant = (name: string, what: string): TableColumn => ({ name, what, type: "instant" });

const SESSION = date("date", "the session");
const FACTOR = text("factor", "the factor, as in the name of the file");
// `at` is a reserved word of SQL in DuckDB 2.0.
const DECIDED = { ...instant("decided_at", "the decision time: `at` of a panel"), given: "at" };
const TICKER = text("ticker", "the ticker");
const SCORE = number("score", "null: no score; 0 is a score");
const ORIGIN = [
  text("factor_version", "the version of the calculation"),
  text("universe", "the universe of the stocks"),
];
const RECEIPT = [
  text("source", "its origin; says so if synthetic"),
  instant("retrieved_at", "the time of loading"),
];
const SNAPSHOT = text("snapshot_id", "the score set");
const CALCULATED = instant("calculated_at", "the publication time of the set");
const CHECKED = instant("last_checked_at", "the completion time of the check");
const THROUGH = instant("data_through", "the observation cutoff of that check");
const STATUS = text("status", "the status of that check");
const PRICES = date("prices_through", "the last session with closes that it used");
const RECORDED = "the status that it recorded; null: known only from a request that found it stale";
const SCORES: Table = {
  row: "one factor, session and ticker of a release, or of scores of your own",
  columns: [
    ...[SESSION, FACTOR, TICKER, SCORE, ...ORIGIN],
    text("download_sha256", "the release"),
    text("availability", "the reconstruction convention of the release"),
    ...RECEIPT,
  ],
  key: ["date", "ticker"],
};

/** Every table by its name, which is that of its folder. */
export const TABLES: Readonly<Record<TableName, Table>> = {
  scores: SCORES,
  releases: {
    ...SCORES,
    row: "one release, factor, session and ticker; `release` is `download_sha256`",
  },
  panel: {
    row: "one factor, decision time and ticker",
    columns: [
      date("date", "the session of the decision time; null: none was named"),
      ...[DECIDED, FACTOR, TICKER, SCORE, ...ORIGIN, SNAPSHOT, CALCULATED],
      ...[CHECKED, THROUGH, STATUS, PRICES, ...RECEIPT],
    ],
    key: ["decided_at", "ticker"],
  },
  sets: {
    row: "one ticker of a published score set",
    columns: [SNAPSHOT, CALCULATED, FACTOR, TICKER, SCORE, ...ORIGIN, ...RECEIPT],
    key: ["calculated_at", "snapshot_id", "ticker"],
  },
  publications: {
    row: "one published score set, in force from `calculated_at` to that of the next one",
    columns: [CALCULATED, SNAPSHOT, FACTOR, ...ORIGIN, ...RECEIPT],
    key: ["calculated_at", "snapshot_id"],
  },
  checks: {
    row: "one hourly check that was loaded, with the set that it refers to",
    columns: [
      ...[CHECKED, FACTOR, SNAPSHOT, THROUGH],
      { ...STATUS, what: RECORDED, isValue: true },
      ...[PRICES, ...RECEIPT],
    ],
    key: ["last_checked_at", "snapshot_id"],
  },
  views: {
    row: "one decision time, with the set and the check that were in force; its scores are in sets",
    columns: [DECIDED, FACTOR, SNAPSHOT, CHECKED, THROUGH, STATUS],
    key: ["decided_at", "snapshot_id"],
  },
  prices: {
    row: "one session and ticker",
    columns: [
      ...[SESSION, TICKER],
      number("close", "the adjusted close; null: no trade"),
      number("open", "the adjusted open; null: not given"),
    ],
    key: ["date", "ticker"],
  },
};
