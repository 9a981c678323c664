/** Readers of the columns of a table by session, whose lines (horizons, quantiles) stand together in each session. */
export interface RowsByLine<Line> {
  /** A column of whole numbers. */
  counts(of: (line: Line, session: number) => number): Int32Array;
  /** A column of numbers; NaN stands for null. */
  numbers(of: (line: Line, session: number) => number): Float64Array;
}

/** The rows of so many sessions, with a row for each line in each of them. */
export function rowsByLine<Line>(sessions: number, lines: readonly Line[]): RowsByLine<Line> {
  const width = lines.length;
  const read = <Column extends Int32Array | Float64Array>(
    column: Column,
    of: (line: Line, session: number) => number,
  ): Column => {
    for (let row = 0; row < column.length; row++) {
      column[row] = of(lines[row % width]!, Math.floor(row / width));
    }
    return column;
  };
  return {
    counts: (of) => read(new Int32Array(sessions * width), of),
    numbers: (of) => read(new Float64Array(sessions * width), of),
  };
}
