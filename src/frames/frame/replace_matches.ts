import pl from "nodejs-polars";

/**
 * Replaces the matches of a pattern in linear time: patterns of Polars have neither look-around nor back-references, so none
 * can hang.
 *
 * @throws {RangeError} If it is not such a pattern
 */
export function replaceMatches(text: string, pattern: string, replacement: string): string {
  try {
    const texts = pl.DataFrame([pl.Series("text", [text], pl.Utf8)]);
    const replaced = texts.select(pl.col("text").str.replaceAll(pattern, replacement));
    return replaced.getColumn("text").get(0) as string;
  } catch (error) {
    const why = (error as Error).message.trim().split("\n").at(-1)!.slice(0, 200);
    throw new RangeError(
      `Cannot use the pattern ${JSON.stringify(pattern.slice(0, 100))}: expected a regular ` +
        `expression without look-around and back-references, got the error "${why}"; rewrite the ` +
        "pattern",
      { cause: error },
    );
  }
}
