import type { DataFrame } from "nodejs-polars";
import { assertColumns, assertFrame } from "../../frames/frame/assert_frame.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { columnsOf, placesOfDays } from "./days.ts";
import { type DenseScores, type HasDense, presentCells, scatter, toDense } from "./dense_frames.ts";
import { readDayColumn, readNumbers, readTexts, takeDays } from "../table/read_columns.ts";
import { givenList } from "../../base/arguments/list_text.ts";
import { describe } from "../../base/contract/violation.ts";
import { COMPUTED_MARK } from "../../base/contract/frame_marks.ts";
import { setMark } from "../../frames/frame/provenance/lineage.ts";
import { numberColumn } from "../../frames/frame/typed/make_columns.ts";
import { closeMsOfDay } from "../../base/calendar/list_sessions.ts";
import { countText } from "../../base/wording/number_text.ts";
import { sayNotice } from "../../frames/notebook/kernel/say_notice.ts";

/**
 * Index of each row of a frame in sessions × tickers; −1 for rows outside them.
 *
 * @param rows A frame with `session` or `date`, and `ticker`
 * @param expected One of them, such as "one volume"
 * @param advice What to do with a second one
 * @throws {TypeError} If a stock appears twice in a session
 */
export function cellsOfRows(
  action: string,
  rows: DataFrame,
  { days, tickers }: Pick<DenseScores, "days" | "tickers">,
  expected = "one row",
  advice = "keep the row known first",
): Int32Array {
  assertFrame(action, rows);
  const time = rows.columns.includes("session") ? "session" : "date";
  const sessions = readDayColumn(action, rows, time);
  const { names, codes } = readTexts(action, rows, "ticker");
  const placeOf = placesOfDays(days);
  const columnOf = columnsOf(tickers, names);
  const seen = new Uint8Array(days.length * tickers.length);
  return sessions.map((session, row) => {
    const [place, column] = [placeOf(session), columnOf[codes[row]!] ?? -1];
    if (place === -1 || column === -1) return -1;
    const cell = place * tickers.length + column;
    if (seen[cell] === 1) {
      throw new TypeError(
        `Cannot ${action}: expected ${expected} per session and ticker, got ` +
          `${fromEpochDay(session)} ${tickers[column]} again in row ${row}; ${advice}`,
      );
    }
    seen[cell] = 1;
    return cell;
  });
}

const LONGEST = 260;

const FEWEST = 20;

const MOST = 200;

const SHARE = 0.9;

const SAME = 1e-9;

const CARRIED = "columns of the scores come with them: align(scores, returns, { columns })";

/** Several columns of the same rows as sessions × tickers. */
export interface ColumnGrids {
  /** Scores and returns of the rows. */
  readonly dense: DenseScores;
  /** The values of each column; NaN for null. */
  readonly grids: readonly Float64Array[];
}

/**
 * Lays out columns of the data as sessions × tickers.
 *
 * @param data The result of `align()`, with the columns that it carries, or a frame of its rows with more columns joined to it
 * @throws {TypeError} If a column is missing, or its name is not text
 */
export function columnGrids(
  action: string,
  data: HasDense | DataFrame,
  names: readonly string[],
): ColumnGrids {
  const wrong = Array.isArray(names) ? names.find((name) => typeof name !== "string") : names;
  if (!Array.isArray(names) || names.length === 0 || wrong !== undefined) {
    throw new TypeError(
      `Cannot ${action}: expected an array of column names, got ` +
        `${wrong === undefined ? givenList(names) : describe(wrong)}`,
    );
  }
  const dense = toDense(action, data);
  if (names.every((name) => name === "score")) {
    return { dense, grids: names.map(() => dense.scores) };
  }
  const carried = names.map((name) => name === "score" ? dense.scores : dense.columns?.get(name));
  if (carried.every((grid) => grid !== undefined)) return { dense, grids: carried };
  const rows = rowsOfData(data);
  assertColumns(action, rows, names, CARRIED);
  const sorted = rows.sort(["session", "ticker"]);
  const cells = presentCells(dense.present);
  const size = dense.scores.length;
  const grids = names.map((name) =>
    scatter(readNumbers(action, sorted, name), cells, new Float64Array(size).fill(NaN))
  );
  for (const [i, name] of names.entries()) sayKnownLate(name, grids[i]!, dense, sorted);
  return { dense, grids };
}

/** The rows of the data by session and ticker, with scores from sessions × tickers in place of their own. */
export function withScores(
  data: HasDense | DataFrame,
  { present }: DenseScores,
  scores: Float64Array,
): DataFrame {
  const rows = Float64Array.from(presentCells(present), (cell) => scores[cell]!);
  const frame = rowsOfData(data).sort(["session", "ticker"]).withColumns(
    numberColumn("score", rows),
  );
  return setMark(frame, COMPUTED_MARK, true);
}

function rowsOfData(data: HasDense | DataFrame): DataFrame {
  return ((data as { readonly data?: DataFrame }).data ?? data) as DataFrame;
}

/**
 * Gives a notice where a column that was joined to aligned rows is the return into the session of its row, over one session or more: it is known at the close
 * at which the row is entered, and its score was known before.
 *
 * @param rows The rows, with the time at which their scores were known
 */
function sayKnownLate(name: string, grid: Float64Array, dense: DenseScores, rows: DataFrame): void {
  const { returns, tickers, days } = dense;
  const one = returns.get(1);
  if (one === undefined || areKnownAtEntry(rows)) return;
  const width = tickers.length;
  const counts = new Int32Array(LONGEST + 1);
  let seen = 0;
  const step = Math.max(1, Math.floor(grid.length / (10 * MOST)));
  for (let cell = grid.length - 1; cell >= 0 && seen < MOST; cell -= step) {
    const value = grid[cell]!;
    if (value !== value || value === 0) continue;
    const before = Math.min(LONGEST, Math.floor(cell / width));
    let [growth, isFound] = [1, false];
    for (let back = 1; back <= before && growth === growth; back++) {
      growth *= 1 + one[cell - back * width]!;
      if (!(Math.abs(Math.abs(value) - Math.abs(growth - 1)) <= SAME)) continue;
      counts[back]!++;
      isFound = true;
    }
    // What no return of a short or broken past explains may be one of a longer past.
    if (isFound || (growth === growth && before >= Math.min(LONGEST, days.length / 2))) seen++;
  }
  const length = counts.indexOf(Math.max(...counts));
  if (counts[length]! < FEWEST || counts[length]! < SHARE * seen) return;
  sayNotice(
    `Column ${name} is the return over the ${
      countText(length, "session")
    } that end at the close of its row's session, ` +
      "at which the row is entered: it was not known when the score was. Carry it with the scores instead: " +
      `align(scores, returns, { columns: ["${name}"] })`,
  );
}

/** True if scores were known in the session of their row itself, as with entry: "same". */
function areKnownAtEntry(rows: DataFrame): boolean {
  if (!rows.columns.includes("known_at")) return false;
  const known = rows.getColumn("known_at").toArray() as unknown as readonly (Date | null)[];
  const days = takeDays(rows.getColumn("session"));
  const row = known.findIndex((at) => at !== null);
  return row !== -1 && known[row]!.getTime() >= closeMsOfDay(days[row]!);
}
