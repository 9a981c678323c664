import pl, { type DataFrame } from "nodejs-polars";
import type { HeldTables, SessionTables } from "../../../analysis/factor/session_tables.ts";
import { frameOfRows } from "../../../analysis/table/frame_of_rows.ts";
import { placesOfDays } from "../../../analysis/dense/days.ts";
import { readDayColumn, readNumbers, readTexts } from "../../../analysis/table/read_columns.ts";
import { type PartTableName, type PartTables, tableOf } from "./part_tables.ts";
import { framed } from "../../../frames/frame/typed/frame_of.ts";

const ACTION = "merge parts";

/**
 * Concatenates the tables of parts, without computing any number.
 *
 * @param parts Parts in order of their sessions
 */
export function mergeTables(
  parts: readonly PartTables[],
): Omit<SessionTables, keyof HeldTables> {
  const merged = (name: PartTableName) => stack(parts, name);
  const needed = (name: PartTableName) => merged(name) ?? refuse(name);
  return {
    ic: framed(needed("ic")),
    oneSession: needed("one_session"),
    decay: framed(needed("decay")),
    icByAge: merged("ic_by_age"),
    icByGroup: merged("ic_by_group"),
    quantiles: needed("quantiles"),
    spread: needed("spread"),
    turnover: framed(needed("turnover")),
    rankAutocorrelation: framed(needed("rank_autocorrelation")),
    edges: needed("edges"),
    coverage: {
      bySession: framed(needed("coverage")),
      gaps: framed(joinGaps(needed("gaps"), sessionsOfParts(parts))),
      unscored: needed("unscored"),
    },
  };
}

/** Rows of one table from all parts; `null` if no part has it. */
export function stack(parts: readonly PartTables[], name: PartTableName): DataFrame | null {
  const tables = parts.map((part) => tableOf(part, name)).filter((table) => table !== null);
  const filled = tables.filter(({ height }) => height > 0);
  if (filled.length < 2) return filled[0] ?? tables[0] ?? null;
  return pl.concat(filled);
}

/** The sessions of all parts, ascending, in days since 1970-01-01. */
export function sessionsOfParts(parts: readonly PartTables[]): Int32Array {
  return readDayColumn(ACTION, stack(parts, "sessions") ?? refuse("sessions"), "session");
}

function refuse(name: PartTableName): never {
  throw new TypeError(
    `Cannot ${ACTION}: expected the table ${name} in every part, got none; analyse the partitions again`,
  );
}

interface Gap {
  readonly ticker: string;
  readonly from: number;
  readonly to: number;
}

/** Joins gaps that end with one part and begin with the next. */
function joinGaps(gaps: DataFrame, days: Int32Array): DataFrame {
  const placeOf = placesOfDays(days);
  const { names, codes } = readTexts(ACTION, gaps, "ticker");
  const [first, last] = ["first_session", "last_session"].map((name) =>
    readDayColumn(ACTION, gaps, name).map(placeOf)
  );
  const rows = Array.from(codes, (code, row): Gap => ({
    ticker: names[code]!,
    from: first![row]!,
    to: last![row]!,
  })).toSorted((a, b) => a.ticker < b.ticker ? -1 : a.ticker > b.ticker ? 1 : a.from - b.from);
  const joined: Gap[] = [];
  for (const gap of rows) {
    const before = joined.at(-1);
    if (before?.ticker === gap.ticker && before.to + 1 === gap.from) {
      joined[joined.length - 1] = { ...before, to: gap.to };
    } else joined.push(gap);
  }
  return frameOfRows(joined, [
    { name: "ticker", type: "text", read: ({ ticker }) => ticker },
    { name: "first_session", type: "day", read: ({ from }) => days[from]! },
    { name: "last_session", type: "day", read: ({ to }) => days[to]! },
    { name: "sessions", type: "count", read: ({ from, to }) => to - from + 1 },
  ]);
}

/** Sum of a column of counts. */
export function sumOf(table: DataFrame | null, name: string): number {
  return table === null ? 0 : readNumbers(ACTION, table, name).reduce((sum, n) => sum + n, 0);
}
