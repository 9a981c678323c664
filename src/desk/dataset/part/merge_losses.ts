import type { DataFrame } from "nodejs-polars";
import {
  type CountedLine,
  FATES,
  type LossCounts,
  type LossShare,
  type LossSplit,
  MAX_EXAMPLES,
} from "../../../analysis/aligned/count_losses.ts";
import type { Reason } from "../../../analysis/reason.ts";
import { readDayColumn, readNumbers, readTexts } from "../../../analysis/table/read_columns.ts";
import { stack, sumOf } from "./merge_tables.ts";
import type { PartTables } from "./part_tables.ts";

/** Facts about the whole sample, for its losses. */
export interface MergedSample extends
  Pick<
    LossCounts,
    "sessions" | "unit" | "entryLag" | "neverPriced" | "nearTickers" | "priceNotes"
  > {
  /** The tickers of the scores, in the order of their code units. */
  readonly tickers: readonly string[];
}

type Fate = Reason | "used";
interface Key {
  readonly reason: Fate;
  readonly horizon: number | null;
}

const ACTION = "merge the losses of parts";

/** Sums the losses of parts, which share no row and no session. */
export function mergeLosses(
  parts: readonly PartTables[],
  { tickers, ...sample }: MergedSample,
): LossCounts {
  const splits = {
    session: () => ({ names: [], shares: sharesOf(stack(parts, "losses_by_session"), "session") }),
    ticker: () => addUp(stack(parts, "losses_by_ticker"), "ticker", tickers),
    status: () => addUp(stack(parts, "losses_by_status"), "status", null),
  };
  const counts = stack(parts, "counts");
  return {
    ...sample,
    lines: mergeLines(parts, splits.ticker().shares),
    rows: sumOf(counts, "rows"),
    // A row of a live set counts in its first session, and again in each session until the next set.
    carriedRows: sumOf(stack(parts, "coverage"), "rows") - sumOf(counts, "placed_rows"),
    split: (by) => splits[by](),
  };
}

function mergeLines(
  parts: readonly PartTables[],
  byTicker: readonly LossShare[],
): readonly CountedLine[] {
  const table = stack(parts, "losses")!;
  const keys = keysOf(table);
  const [rows, sessions, late] = ["rows", "sessions", "is_late"]
    .map((name) => readNumbers(ACTION, table, name));
  const [first, last] = ["first_session", "last_session"]
    .map((name) => readDayColumn(ACTION, table, name));
  const examples = examplesOf(stack(parts, "loss_examples")!);
  return grouped(keys).map(({ key, places }) => ({
    ...key,
    rows: sum(places, rows!),
    sessions: sum(places, sessions!),
    isLate: sum(places, late!) > 0,
    tickers: byTicker.filter((share) => textOf(share) === textOf(key)).length,
    first: Math.min(...places.map((row) => first![row]!)),
    last: Math.max(...places.map((row) => last![row]!)),
    examples: (examples.get(textOf(key)) ?? []).slice(0, MAX_EXAMPLES),
  }));
}

function examplesOf(table: DataFrame): ReadonlyMap<string, readonly string[]> {
  const { names, codes } = readTexts(ACTION, table, "example");
  return new Map(
    grouped(keysOf(table)).map(({ key, places }) => [
      textOf(key),
      places.map((row) => names[codes[row]!]!),
    ]),
  );
}

function sharesOf(table: DataFrame | null, name: "session"): readonly LossShare[] {
  if (table === null) return [];
  const days = readDayColumn(ACTION, table, name);
  const rows = readNumbers(ACTION, table, "rows");
  return keysOf(table).map((key, row) => ({ ...key, key: days[row]!, rows: rows[row]! }));
}

/** Sums counts by ticker or status over all parts, sorted by text; rows without a text come first. */
function addUp(
  table: DataFrame | null,
  name: "ticker" | "status",
  known: readonly string[] | null,
): LossSplit {
  if (table === null) return { names: [], shares: [] };
  const read = readTexts(ACTION, table, name);
  const rows = readNumbers(ACTION, table, "rows");
  const names = known ?? read.names;
  const places = new Map(names.map((text, place) => [text, place]));
  const placeOf = Array.from(read.codes, (code) => places.get(read.names[code] ?? "") ?? -1);
  const keys = keysOf(table);
  const byPlace = Map.groupBy(keys.keys(), (row) => placeOf[row]!);
  const shares = [...byPlace].toSorted(([a], [b]) => a - b).flatMap(([key, own]) =>
    grouped(keys, own).map((group) => ({ ...group.key, key, rows: sum(group.places, rows) }))
  );
  return { names, shares };
}

function keysOf(table: DataFrame): readonly Key[] {
  const { names, codes } = readTexts(ACTION, table, "reason");
  const horizons = readNumbers(ACTION, table, "horizon");
  return Array.from(codes, (code, row) => ({
    reason: names[code]! as Fate,
    horizon: Number.isNaN(horizons[row]!) ? null : horizons[row]!,
  }));
}

/** One row per loss reason and horizon, in the order in which reasons are tested. */
function grouped(
  keys: readonly Key[],
  rows: readonly number[] = [...keys.keys()],
): readonly { readonly key: Key; readonly places: readonly number[] }[] {
  const groups = Map.groupBy(rows, (row) => textOf(keys[row]!));
  return [...groups.values()].map((places) => ({ key: keys[places[0]!]!, places }))
    .toSorted((a, b) =>
      FATES.indexOf(a.key.reason) - FATES.indexOf(b.key.reason) ||
      (a.key.horizon ?? 0) - (b.key.horizon ?? 0)
    );
}

function textOf({ reason, horizon }: Key): string {
  return `${reason} ${horizon ?? ""}`;
}

function sum(places: readonly number[], values: Float64Array): number {
  return places.reduce((total, row) => total + values[row]!, 0);
}
