import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";

/** A table of alphalens: an index of one or more levels, columns, and values. */
export interface Table {
  readonly index_names: readonly (string | null)[];
  readonly index: readonly (readonly (string | number)[])[];
  readonly columns: readonly (string | number)[];
  readonly data: readonly (readonly (number | string | null)[])[];
}

const FOLDER = import.meta.dirname!;

/** What alphalens-reloaded 0.4.4 computed, by function and arguments. */
export const EXPECTED = JSON.parse(
  gunzipSync(readFileSync(join(FOLDER, "expected.json.gz"))).toString(),
) as Record<string, Table | Table[]>;

/** The scores, prices and groups that it computed from. */
export function readInputs(): { scores: DataFrame; prices: DataFrame; groups: DataFrame } {
  const scores = lines("factor.csv").slice(1).map(([date, ticker, score]) => ({
    date: date!,
    ticker: ticker!,
    score: score === "" ? null : Number(score),
  }));
  const [header, ...rows] = lines("prices.csv");
  const prices = rows.flatMap(([date, ...closes]) =>
    closes.map((close, i) => ({
      date: date!,
      ticker: header![i + 1]!,
      close: close === "" ? null : Number(close),
    }))
  );
  const groups = lines("groups.csv").slice(1);
  return {
    scores: pl.DataFrame([
      pl.Series("date", scores.map(({ date }) => date), pl.Utf8),
      pl.Series("ticker", scores.map(({ ticker }) => ticker), pl.Utf8),
      pl.Series("score", scores.map(({ score }) => score), pl.Float64),
    ]),
    prices: pl.DataFrame([
      pl.Series("date", prices.map(({ date }) => date), pl.Utf8),
      pl.Series("ticker", prices.map(({ ticker }) => ticker), pl.Utf8),
      pl.Series("close", prices.map(({ close }) => close), pl.Float64),
    ]),
    groups: pl.DataFrame({
      ticker: groups.map(([ticker]) => ticker!),
      group: groups.map(([, group]) => group!),
    }),
  };
}

/** The values of a table, by the texts of its index and the column. */
export function cellsOf(table: Table): Map<string, number | string | null> {
  const cells = new Map<string, number | string | null>();
  for (const [row, key] of table.index.entries()) {
    for (const [column, name] of table.columns.entries()) {
      cells.set([...key.map(keyText), name].join("|"), table.data[row]![column]!);
    }
  }
  return cells;
}

/** The values of a long frame, by the texts of key columns and a name. */
export function cellsOfFrame(
  frame: DataFrame,
  keys: readonly string[],
  columns: Readonly<Record<string, string>>,
): Map<string, number | string | null> {
  const cells = new Map<string, number | string | null>();
  for (const row of frame.toRecords() as Record<string, number | string | Date | null>[]) {
    for (const [column, name] of Object.entries(columns)) {
      const horizon = name.replace(/^HD/, `${row.horizon}D`);
      cells.set(
        [...keys.map((key) => keyText(row[key]!)), horizon].join("|"),
        row[column] as number | string | null,
      );
    }
  }
  return cells;
}

/**
 * How many cells differ by more than 1e-9, relative, and the first of them; a value that rounding alone keeps from zero is
 * compared with zero.
 */
export function differences(
  ours: ReadonlyMap<string, unknown>,
  table: Table,
): { cells: number; wrong: string[] } {
  const theirs = cellsOf(table);
  const wrong = [...theirs].filter(([key, expected]) => {
    const got = ours.get(key) ?? null;
    if (typeof expected !== "number" || typeof got !== "number") return got !== expected;
    return Math.abs(got - expected) > 1e-9 * Math.abs(expected) + 1e-15;
  }).map(([key, expected]) => `${key}: ${expected}, ours ${ours.get(key)}`);
  return { cells: theirs.size, wrong: wrong.slice(0, 5) };
}

function keyText(value: string | number | Date): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return String(value).replace("T00:00:00", "");
}

function lines(name: string): string[][] {
  return readFileSync(join(FOLDER, name), "utf8").trimEnd().split("\n").map((line) =>
    line.split(",")
  );
}
