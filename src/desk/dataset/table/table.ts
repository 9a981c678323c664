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
  /** Its name, and that of its folder. */
  readonly name: TableName;
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
  | "prices"
  | "sessions"
  | "listings";

const FACTOR: TableColumn = {
  name: "factor",
  type: "text",
  what: "the factor, as in the name of the file",
};
// `at` is a reserved word of SQL in DuckDB 2.0.
const DECIDED: TableColumn = {
  name: "decided_at",
  type: "instant",
  what: "the decision time: `at` of a panel",
  given: "at",
};
const TICKER: TableColumn = { name: "ticker", type: "text", what: "the ticker" };
const SCORE: TableColumn = { name: "score", type: "number", what: "null: no score; 0 is a score" };
const ORIGIN: readonly TableColumn[] = [
  { name: "factor_version", type: "text", what: "the version of the calculation" },
  { name: "universe", type: "text", what: "the universe of the stocks" },
];
const RECEIPT: readonly TableColumn[] = [
  { name: "source", type: "text", what: "its origin; says so if synthetic" },
  { name: "retrieved_at", type: "instant", what: "the time of loading" },
];
const SET: readonly TableColumn[] = [
  { name: "snapshot_id", type: "text", what: "the score set" },
  { name: "calculated_at", type: "instant", what: "the publication time of the set" },
];
const CHECK: readonly TableColumn[] = [
  { name: "last_checked_at", type: "instant", what: "the completion time of the check" },
  { name: "data_through", type: "instant", what: "the observation cutoff of that check" },
  { name: "status", type: "text", what: "the status of that check" },
  { name: "prices_through", type: "date", what: "the last session with closes that it used" },
];
const SCORES: Table = {
  name: "scores",
  row: "one factor, session and ticker of a release, or of scores of your own",
  columns: [
    { name: "date", type: "date", what: "the session" },
    ...[FACTOR, TICKER, SCORE, ...ORIGIN],
    { name: "download_sha256", type: "text", what: "the release" },
    { name: "availability", type: "text", what: "the reconstruction convention of the release" },
    ...RECEIPT,
  ],
  key: ["date", "ticker"],
};

/** Every table by its name. */
export const TABLES: Readonly<Record<TableName, Table>> = {
  scores: SCORES,
  releases: {
    ...SCORES,
    name: "releases",
    row: "one release, factor, session and ticker; `release` is `download_sha256`",
  },
  panel: {
    name: "panel",
    row: "one factor, decision time and ticker",
    columns: [
      {
        name: "date",
        type: "date",
        what: "the session of the decision time; null: none was named",
      },
      ...[DECIDED, FACTOR, TICKER, SCORE, ...ORIGIN, ...SET, ...CHECK, ...RECEIPT],
    ],
    key: ["decided_at", "ticker"],
  },
  sets: {
    name: "sets",
    row: "one ticker of a published score set",
    columns: [...SET, FACTOR, TICKER, SCORE, ...ORIGIN, ...RECEIPT],
    key: ["calculated_at", "snapshot_id", "ticker"],
  },
  publications: {
    name: "publications",
    row: "one published score set, in force from `calculated_at` to that of the next one",
    columns: [SET[1]!, SET[0]!, FACTOR, ...ORIGIN, ...RECEIPT],
    key: ["calculated_at", "snapshot_id"],
  },
  checks: {
    name: "checks",
    row: "one hourly check that was loaded, with the set that it refers to",
    columns: [
      CHECK[0]!,
      FACTOR,
      SET[0]!,
      CHECK[1]!,
      {
        name: "status",
        type: "text",
        what: "the status that it recorded; null: known only from a request that found it stale",
        isValue: true,
      },
      CHECK[3]!,
      ...RECEIPT,
    ],
    key: ["last_checked_at", "snapshot_id"],
  },
  views: {
    name: "views",
    row: "one decision time, with the set and the check that were in force; its scores are in sets",
    columns: [
      DECIDED,
      FACTOR,
      SET[0]!,
      ...CHECK.filter(({ name }) => name !== "prices_through"),
    ],
    key: ["decided_at", "snapshot_id"],
  },
  prices: {
    name: "prices",
    row: "one session and ticker",
    columns: [
      { name: "date", type: "date", what: "the session" },
      TICKER,
      { name: "close", type: "number", what: "the adjusted close; null: no trade" },
      { name: "open", type: "number", what: "the adjusted open; null: not given" },
    ],
    key: ["date", "ticker"],
  },
  sessions: {
    name: "sessions",
    row: "one session: a date of the prices",
    columns: [{ name: "date", type: "date", what: "the session" }],
    key: ["date"],
  },
  listings: {
    name: "listings",
    row: "one ticker of the prices of a year",
    columns: [
      TICKER,
      { name: "last_close", type: "date", what: "the last session with a close; null: none" },
      { name: "last_open", type: "date", what: "the last session with an open; null: none" },
    ],
    key: ["ticker"],
  },
};
