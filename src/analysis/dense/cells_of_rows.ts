import { assertFrame } from "../../frames/frame/assert_frame.ts";
import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { placesOfDays } from "./days.ts";
import type { DenseScores } from "./dense_scores.ts";
import { readDayColumn, readTexts } from "../table/read_columns.ts";

/**
 * Index of each row of a frame in sessions × tickers; −1 for rows outside them.
 *
 * @param rows A frame with `session` or `date`, and `ticker`
 * @param on Sessions and tickers
 * @param each Description of a row, and advice about a duplicate
 * @throws {TypeError} If a stock appears twice in a session
 */
export function cellsOfRows(
  action: string,
  rows: DataFrame,
  { on: { days, tickers }, expected, advice }: {
    readonly on: Pick<DenseScores, "days" | "tickers">;
    /** One of them, such as "one volume". */
    readonly expected: string;
    readonly advice: string;
  },
): Int32Array {
  assertFrame(action, rows);
  const time = rows.columns.includes("session") ? "session" : "date";
  const sessions = readDayColumn(action, rows, time);
  const { names, codes } = readTexts(action, rows, "ticker");
  const placeOf = placesOfDays(days);
  const columns = new Map(tickers.map((ticker, column) => [ticker, column]));
  const columnOf = names.map((name) => columns.get(name) ?? -1);
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
