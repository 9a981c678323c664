import pl, { type DataFrame } from "nodejs-polars";
import { type Factor, scoreNameOf } from "../../base/contract/factor.ts";
import type { CalendarDate, Instant } from "../../base/contract/instant.ts";
import { IntegrityError } from "../../base/errors.ts";
import {
  chooseProvenance,
  type ChosenNames,
  type ProvenanceChoice,
  type ProvenanceOf,
  type ProvenanceTypes,
  SCORE_PROVENANCE,
} from "./provenance/provenance_schema.ts";
import type { Receipt, ScoreFrameInput } from "./provenance/origin.ts";
import { provenanceColumns, provenanceRows } from "./provenance/provenance_columns.ts";
import { scoreProvenance } from "./score_frame.ts";
import { markSynthetic } from "./provenance/synthetic_lineage.ts";
import type { AllOf, ColumnsOf } from "./typed/columns.ts";
import { type ScoreRows, scoreValues } from "../../base/contract/scores/score_rows.ts";

/**
 * Scores of one factor at one decision time.
 *
 * @internal
 */
export interface PanelEntry {
  /** The decision time. */
  readonly at: Instant;
  /** Set in force, or latest check, at that time. */
  readonly set: ScoreFrameInput;
  /** Origin on this machine. */
  readonly receipt: Receipt;
}

/** Rows of a panel. */
export interface PanelFrameOptions {
  /**
   * `long`: one row per decision time, factor and ticker; `wide`: one per decision time and ticker, with a column per factor.
   */
  readonly layout: PanelLayout;
  /** True if each entry has its own check; otherwise the columns of a check are omitted. */
  readonly hasChecks: boolean;
  /** Provenance columns of the frame. */
  readonly provenance: ProvenanceChoice;
  /**
   * The session of each decision time, for a column `date`.
   *
   * @default null, no such column
   */
  readonly dates?: ReadonlyMap<Instant, CalendarDate> | null;
}

/** Layout of a panel. */
export type PanelLayout = "long" | "wide";

/**
 * Parts of a request for a panel that determine its columns.
 *
 * @internal
 */
export interface PanelShape {
  /** Layout. */
  readonly layout: PanelLayout;
  /** Origin of a row: the set in force, or the check at the time. */
  readonly every: "set" | "check";
  /** Provenance columns. */
  readonly provenance: ProvenanceChoice;
  /** True if the times are those of sessions, whose dates are a column. */
  readonly dated: boolean;
}

/** Columns before the scores, in order; `date` only if the times are those of sessions. */
const KEYS = { date: "date", at: "instant", ticker: "text" } as const;

/** Columns of a panel of factors; all possible columns where only the call determines the shape. */
export type PanelColumns<
  Factors extends Factor | readonly Factor[] = Factor,
  Shape extends PanelShape = PanelShape,
> =
  & ColumnsOf<Omit<typeof KEYS, Shape["dated"] extends false ? "date" : never>>
  & AllOf<
    Shape["layout"] extends infer Layout
      ? Layout extends "wide" ? WideColumns<FactorOf<Factors>> : LongColumns<Factors, Shape>
      : never
  >;

/**
 * Factors of a panel.
 *
 * @internal
 */
export type FactorOf<Factors> = Factors extends readonly (infer Name extends Factor)[] ? Name
  : Extract<Factors, Factor>;

/**
 * Columns of a wide panel that depend on its factors.
 *
 * @internal
 */
export type WideColumns<Name extends Factor> =
  & ColumnsOf<{ readonly [Score in `${Name}_score`]: "number" }>
  & ColumnsOf<{ readonly [Origin in `${Name}_snapshot_id` | `${Name}_source`]: "text" }>;

/**
 * Columns of a long panel that depend on its factors and provenance.
 *
 * @internal
 */
export type LongColumns<Factors, Shape extends PanelShape> =
  & ColumnsOf<{ readonly [Score in LongScore<Factors>]: "number" }>
  & ProvenanceTypes<
    ChosenNames<
      Shape["provenance"],
      Exclude<
        ProvenanceOf<"scores">,
        Shape["every"] extends "set" ? (typeof CHECK_COLUMNS)[number] : never
      >
    >
  >;

/**
 * Name of a long panel's score; a list of unknown length may have one factor, or two.
 *
 * @internal
 */
export type LongScore<Factors> = Factors extends readonly [infer Name extends Factor]
  ? `${Name}_score`
  : Factors extends readonly Factor[]
    ? number extends Factors["length"] ? `${Factors[number]}_score` | "score"
    : Factor extends Factors[number] ? "score"
    : `${Factors[number]}_score`
  : `${Extract<Factors, Factor>}_score`;

/** Provenance columns of a check, rather than of its set. */
const CHECK_COLUMNS = ["last_checked_at", "data_through", "status", "prices_through"] as const;

/**
 * The frame of a panel, ordered by decision time, factor and ticker.
 *
 * Columns of the long layout: `at` (Datetime in milliseconds, UTC), `ticker`, the score (`ecpnd_score` or `ecqdi_score` for one
 * factor, `score` for several), and the provenance columns. Columns of the wide layout: `at`, `ticker`, the score of each
 * factor, and then per factor `<factor>_snapshot_id` and `<factor>_source`; the score is null for a ticker that is not in a
 * factor's set. For decision times of sessions, `date` (Date) is the first column.
 *
 * @param entries In the order of decision times
 * @throws {IntegrityError} If a wide panel, which has no column for it, has two calculation definitions
 */
export function toPanelFrame(
  entries: readonly PanelEntry[],
  factors: readonly Factor[],
  options: PanelFrameOptions,
): DataFrame {
  if (options.layout === "wide") refuseSeveralVersions(entries);
  const groups = Map.groupBy(entries, ({ at }) => at);
  const frame = options.layout === "wide"
    ? pl.concat([...groups.values()].map((group) => toWideFrame(group, factors, options)))
    : toLongFrame(entries, factors, options);
  return markSynthetic(frame, entries.map(({ receipt }) => receipt.source));
}

function refuseSeveralVersions(entries: readonly PanelEntry[]): void {
  const known = new Map<Factor, string | null>();
  for (const { at, set: { check: { factor, factorVersion } } } of entries) {
    const first = known.get(factor) ?? factorVersion;
    known.set(factor, first);
    if (first === factorVersion) continue;
    throw new IntegrityError(
      `Cannot lay out the panel wide: expected one calculation definition of ${factor}, got ` +
        `${first} before and ${factorVersion} at ${at}; load the two spans separately, or use layout: ` +
        '"long", whose rows carry factor_version',
    );
  }
}

/** The provenance columns of a long panel. */
export function panelProvenance(options: Omit<PanelFrameOptions, "layout">) {
  const available = options.hasChecks
    ? SCORE_PROVENANCE
    : SCORE_PROVENANCE.filter((name) => !(CHECK_COLUMNS as readonly string[]).includes(name));
  return chooseProvenance(options.provenance, available).map(({ name }) => name);
}

// All rows at once, joined with one row per entry: a frame for each entry would take milliseconds. A value that all entries
// share is a literal: Polars keeps it once, and makes rows of it when somebody reads them.
function toLongFrame(
  entries: readonly PanelEntry[],
  factors: readonly Factor[],
  options: PanelFrameOptions,
): DataFrame {
  const { dates } = options;
  const columns = chooseProvenance(panelProvenance(options), SCORE_PROVENANCE);
  const score = factors.length === 1 ? scoreNameOf(factors[0]!) : "score";
  const values = entries.map(({ set, receipt }) => scoreProvenance(set, receipt));
  const [first] = values;
  const shared = new Set(
    first === undefined
      ? []
      : columns.filter(({ name }) => values.every((own) => own[name] === first[name])),
  );
  const origins = provenanceRows(columns.filter((column) => !shared.has(column)), values);
  const times = entries.map(({ at }) => new Date(at));
  const { rows, tickers } = toPanelRows(entries.map(({ set }) => set.rows), score);
  const places = pl.DataFrame([
    pl.Series("entry", Int32Array.from(entries.keys()), pl.Int32),
    ...(dates
      ? [pl.Series("date", entries.map(({ at }) => new Date(dates.get(at)!)), pl.Date)]
      : []),
    pl.Series("at", times, pl.Datetime("ms", "UTC")),
    ...origins.getColumns(),
  ]);
  // One query: a frame between the joins would have every column of both. Every entry has its row of places, and both are
  // sorted by it: a join by order then gives the same as one by value, without a hash of each row.
  return rows.lazy().join(tickers.lazy(), { on: "ticker_code", how: "left" })
    .joinAsof(places.lazy(), { on: "entry", strategy: "backward" })
    .select(
      ...[...(dates ? ["date"] : []), "at", "ticker", score].map((name) => pl.col(name)),
      ...columns.flatMap((column) =>
        shared.has(column) ? provenanceColumns([column], first!) : pl.col(column.name)
      ),
    )
    .collectSync();
}

function toWideFrame(
  group: readonly PanelEntry[],
  factors: readonly Factor[],
  { dates }: Pick<PanelFrameOptions, "dates">,
): DataFrame {
  const { at } = group[0]!;
  const lists = group.map(({ set }) => set.rows.tickers);
  const tickers = lists.length === 1 ? lists[0]! : [...new Set(lists.flat())].sort();
  const parts = factors.map((factor) => {
    const entry = group.find(({ set }) => set.check.factor === factor);
    const rows = entry?.set.rows;
    const known = new Map(rows?.tickers.map((ticker, i) => [ticker, rows.scores[i] ?? null]));
    const values = tickers.map((ticker) => known.get(ticker) ?? null);
    const origins = [["snapshot_id", entry?.set.check.snapshotId], [
      "source",
      entry?.receipt.source,
    ]]
      .map(([name, value]) => pl.lit(value ?? null).cast(pl.Utf8).alias(`${factor}_${name}`));
    return { scores: pl.Series(scoreNameOf(factor), values, pl.Float64), origins };
  });
  const columns = parts.map(({ scores }) => scores);
  return pl.DataFrame([pl.Series("ticker", [...tickers], pl.Utf8), ...columns])
    .select(
      ...(dates ? [pl.lit(new Date(dates.get(at)!)).cast(pl.Date).alias("date")] : []),
      pl.lit(new Date(at)).cast(pl.Datetime("ms", "UTC")).alias("at"),
      ...["ticker", ...columns.map(({ name }) => name)].map((name) => pl.col(name)),
      ...parts.flatMap(({ origins }) => origins),
    );
}

/**
 * Concatenates the rows of sets. Ticker texts for each row would take half of a panel's time; sets of one universe share their
 * tickers, so rows have ticker codes.
 */
function toPanelRows(sets: readonly ScoreRows[], score: string) {
  const height = sets.reduce((sum, { tickers }) => sum + tickers.length, 0);
  const entries = new Int32Array(height);
  const codes = new Int32Array(height);
  const scores = new Float64Array(height);
  const codeOf = new Map<string, number>();
  const known = new Map<readonly string[], Int32Array>();
  const codesOf = (tickers: readonly string[]) => {
    const own = new Int32Array(tickers.length);
    for (const [i, ticker] of tickers.entries()) {
      own[i] = codeOf.get(ticker) ?? codeOf.size;
      codeOf.set(ticker, own[i]);
    }
    known.set(tickers, own);
    return own;
  };
  let row = 0;
  for (const [entry, set] of sets.entries()) {
    codes.set(known.get(set.tickers) ?? codesOf(set.tickers), row);
    entries.fill(entry, row, row + set.tickers.length);
    // A Float64Array has no null: NaN, which is never a score, stands for a missing one.
    scores.set(scoreValues(set), row);
    row += set.tickers.length;
  }
  const rows = pl.DataFrame([
    pl.Series("entry", entries),
    pl.Series("ticker_code", codes),
    pl.Series(score, scores),
  ]).withColumn(pl.col(score).fillNan(pl.lit(null)));
  const tickers = pl.DataFrame([
    pl.Series("ticker_code", Int32Array.from(codeOf.values())),
    pl.Series("ticker", [...codeOf.keys()], pl.Utf8),
  ]);
  return { rows, tickers };
}
