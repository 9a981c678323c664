import type { DataFrame } from "nodejs-polars";
import { closeMsOfDay } from "../../base/calendar/list_sessions.ts";
import { countText } from "../../base/wording/number_text.ts";
import { sayNotice } from "../../frames/notebook/kernel/say_notice.ts";
import { takeDays } from "../table/read_columns.ts";
import type { DenseScores } from "./dense_scores.ts";

const LONGEST = 260;
const FEWEST = 20;
const MOST = 200;
const SHARE = 0.9;
const SAME = 1e-9;

/**
 * Gives a notice where a column that was joined to aligned rows is the return into the session of its row, over one session or more: it is known at the close
 * at which the row is entered, and its score was known before.
 *
 * @param rows The rows, with the time at which their scores were known
 */
export function sayKnownLate(
  name: string,
  grid: Float64Array,
  dense: DenseScores,
  rows: DataFrame,
): void {
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
