/**
 * The error for a row without a value.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @param what Value that each row needs: `a ticker`
 */
export function missingValue(action: string, what: string, row: number): TypeError {
  return new TypeError(
    `Cannot ${action}: expected ${what} in every row, got null in row ${row}; drop the row`,
  );
}
