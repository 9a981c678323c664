import { setImmediate } from "node:timers/promises";
import pl, { type DataFrame, type Expr, type LazyDataFrame, type Series } from "nodejs-polars";
import { type Factor, scoreNameOf } from "../../contract/factor.ts";
import type { Release } from "../../contract/release.ts";
import { assertPlaced, placesOf } from "./_category_places.ts";
import type { HistoryColumns } from "../release_file/history_columns.ts";
import { markSynthetic } from "../provenance/synthetic_lineage.ts";
import { markWholeRelease } from "./whole_release.ts";
import {
  chooseProvenance,
  type ProvenanceChoice,
  RELEASE_PROVENANCE,
} from "../provenance/provenance_schema.ts";
import type { Receipt } from "../provenance/origin.ts";
import type {
  ChosenNames,
  ProvenanceOf,
  ReleaseProvenanceTypes,
} from "../provenance/provenance_types.ts";
import type { ColumnsOf } from "../typed/column_kind.ts";
import { provenanceColumns } from "../provenance/provenance_columns.ts";

/** Layout of the tickers of a release: text with 16 bytes per row, or Categorical with 4. */
export type TickerLayout = "categorical" | "text";

/** First columns of a release, in order, with tickers as read. */
const KEYS = { date: "date", ticker: "category" } as const;

/** Columns of a release's frame: `date`, `ticker` as text or category, the score, and the provenance columns. */
export type ReleaseFrameColumns<
  Name extends Factor = Factor,
  Choice extends ProvenanceChoice = true,
  Layout extends TickerLayout = "text",
> =
  & {
    [Key in keyof typeof KEYS]: Key extends "ticker"
      ? ColumnsOf<{ ticker: Layout extends "text" ? "text" : "category" }>["ticker"]
      : ColumnsOf<typeof KEYS>[Key];
  }
  & ColumnsOf<{ readonly [Score in `${Name}_score`]: "number" }>
  & ReleaseProvenanceTypes<ChosenNames<Choice, ProvenanceOf<"release">>>;

/** Options of a release's frame. */
export interface ReleaseFrameOptions<
  Choice extends ProvenanceChoice = ProvenanceChoice,
  Layout extends TickerLayout = TickerLayout,
> {
  /**
   * Provenance columns of the frame.
   *
   * @default true
   */
  readonly provenance?: Choice;
  /**
   * Layout of the tickers. Text can be joined with the tickers of prices and score sets; Polars joins a Categorical column only
   * with another one. For 7.5 million rows Categorical saves 90 MB, and a third of the time of a join.
   *
   * @default "text"
   */
  readonly tickers?: Layout;
}

/** Origin of the rows of a release. */
export interface ReleaseOrigin {
  /** Factor of the release. */
  readonly factor: Factor;
  /** Metadata of the release. */
  readonly release: Release;
  /** Arrival on this machine. */
  readonly receipt: Receipt;
}

/**
 * Turns the columns of a verified file into a frame: `date` (Date), `ticker`, the score (Float64), in the order of the file.
 *
 * The columns are moved one by one and are empty afterwards, so that the rows are never in memory twice; the event loop gets a
 * turn after each.
 */
export async function takeReleaseRows(columns: HistoryColumns, factor: Factor): Promise<DataFrame> {
  const score = scoreNameOf(factor);
  // Polars works on one column while the next one is passed on. NaN, which no line of the file can contain, stood for a missing
  // score.
  const scores = await taken(columns.scores, (values) => pl.Series(score, values));
  const filling = mapped(scores, pl.col(score).fillNan(pl.lit(null)));
  const dictionary = await encodeTickers(columns);
  const places = await taken(columns.numbers, (values) => pl.Series("ticker", values));
  const encoding = mapped(places, pl.col("ticker").cast(pl.Categorical));
  const days = await taken(columns.days, (values) => pl.Series("date", values));
  const dating = mapped(days, pl.col("date").cast(pl.Date));
  const rows = pl.DataFrame(await Promise.all([dating, encoding, filling]));
  assertPlaced(rows.getColumn("ticker"), dictionary);
  return rows;
}

async function mapped(series: Series, expression: Expr): Promise<Series> {
  const frame = await pl.DataFrame([series]).lazy().select(expression).collect();
  return frame.getColumn(series.name);
}

/** Adds the requested provenance columns to the rows of a release. */
export async function withReleaseProvenance(
  rows: DataFrame,
  origin: ReleaseOrigin,
  options: ReleaseFrameOptions = {},
): Promise<DataFrame> {
  const { provenance, tickers = "text" } = options;
  const columns = releaseProvenance(origin, provenance);
  if (tickers === "text") columns.unshift(pl.col("ticker").cast(pl.Utf8));
  // Collected asynchronously: text for millions of tickers would block the event loop for too long.
  const frame = columns.length === 0 ? rows : await rows.lazy().withColumns(...columns).collect();
  markSynthetic(frame, [origin.receipt.source]);
  return markWholeRelease(frame);
}

/** Adds the requested provenance columns to a lazy frame of release rows. */
export function withLazyProvenance(
  rows: LazyDataFrame,
  origin: ReleaseOrigin,
  choice?: ProvenanceChoice,
): LazyDataFrame {
  const columns = releaseProvenance(origin, choice);
  markSynthetic(rows, [origin.receipt.source]);
  return columns.length === 0 ? rows : rows.withColumns(...columns);
}

function releaseProvenance(origin: ReleaseOrigin, choice?: ProvenanceChoice): pl.Expr[] {
  const { factor, release, receipt } = origin;
  const values = {
    factor,
    factor_version: release.factorVersion,
    universe: release.universe,
    download_sha256: release.downloadSha256,
    availability: release.availability,
    source: receipt.source,
    retrieved_at: receipt.retrievedAt,
  };
  const columns = chooseProvenance(choice, RELEASE_PROVENANCE);
  return provenanceColumns(columns, values, { categorical: true });
}

// The numbers of the tickers become their positions among the categories of Polars.
async function encodeTickers(columns: HistoryColumns): Promise<Series> {
  const { places, dictionary } = placesOf(columns.tickers.names);
  // In a process without earlier categories, the numbers are the positions.
  if (places.every((place, number) => place === number)) return dictionary;
  await setImmediate();
  const { numbers } = columns;
  for (let row = 0; row < numbers.length; row++) numbers[row] = places[numbers[row]!]!;
  return dictionary;
}

// Yields to the event loop, passes the values on, and frees their memory.
async function taken<Values extends Int32Array | Uint32Array | Float64Array>(
  values: Values,
  toSeries: (values: Values) => Series,
): Promise<Series> {
  await setImmediate();
  const series = toSeries(values);
  (values.buffer as ArrayBuffer).transfer(0);
  return series;
}
