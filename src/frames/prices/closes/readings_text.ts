import { countText } from "../../../base/wording/number_text.ts";
import { andText } from "../../../base/wording/words.ts";
import { type FactorTrial, moveText, type Reading, READINGS } from "./factor_readings.ts";
import type { SortedRows } from "./sorted_rows.ts";

/** The largest of the moves at which a factor changes, without and with it. */
export function trialText(rows: SortedRows, { moves, best }: FactorTrial): string {
  const shown = largest(moves);
  const without = `${countText(moves.length, "move")} beside its changes: ${
    rows.place(shown.row)
  } ${moveText(shown.move)}`;
  return best === "none"
    ? `${without} as it is`
    : `${without} as it is, ${moveText(shown.move + shown.added[best])} with it`;
}

/** The results of readings on one date, that of the largest step. */
export function resultsText(
  rows: SortedRows,
  closes: Float64Array,
  { moves, readings, isDividend }: {
    readonly moves: FactorTrial["moves"];
    readonly readings: readonly Reading[];
    readonly isDividend: boolean;
  },
): string {
  const { row, from, move, added } = largest(moves);
  const words = (reading: Reading) =>
    isDividend
      ? reading === "none" ? "if the closes have it" : "if they lack it"
      : reading === "none"
      ? "without it"
      : `if it ${READINGS[reading].words}`;
  const results = readings.map((reading) => `${moveText(move + added[reading])} ${words(reading)}`);
  return `${rows.place(row)}, ${closes[from]} to ${closes[row]}: ${andText(results)}`;
}

function largest(moves: FactorTrial["moves"]): FactorTrial["moves"][number] {
  const sizeOf = ({ added }: FactorTrial["moves"][number]) =>
    Math.max(...Object.values(added).map(Math.abs));
  return moves.reduce((some, other) => sizeOf(other) > sizeOf(some) ? other : some);
}
