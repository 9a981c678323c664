// Such as "Adj Close", "adj_close", "close_adj", "adjusted close", "PRC_ADJ".
const ADJUSTED = /^adj(usted)?_?(close|price|prc|px)?$|^(close|price|prc|px)_?adj(usted)?$/;

/** Names of columns with adjusted closes. */
function adjustedCloses(columns: readonly string[]): readonly string[] {
  return columns.filter((name) => ADJUSTED.test(name.toLowerCase().replaceAll(/[\s.*-]+/g, "_")));
}

/**
 * Refuses closes beside adjusted closes unless an option names one: a split halves the closes, but not the adjusted ones.
 *
 * @param option Text of the option that names the column, with the placeholder NAME
 * @throws {TypeError} If both exist, with their names
 */
export function refuseTwoCloses(action: string, columns: readonly string[], option: string): void {
  const [adjusted] = columns.includes("close") ? adjustedCloses(columns) : [];
  if (adjusted === undefined) return;
  const named = (name: string) => option.replace("NAME", JSON.stringify(name));
  throw new TypeError(
    `Cannot ${action}: expected one column of closes, got "close" and ${
      JSON.stringify(adjusted)
    }; ` +
      `select the adjusted ones, which returns need, with ${named(adjusted)}, or the others with ` +
      `${named("close")}`,
  );
}
