import pl, { type DataFrame, type Series } from "nodejs-polars";
import { columnType } from "./column_type.ts";

const MISSING = 0xFFFFFFFF;

/** Reads the texts of a column by its categories: a string is made of each distinct text, and of no row. */
export function distinctTexts(column: Series) {
  if (column.len() === 0) return { texts: [], firstRows: [], codes: new Int32Array() };
  // Categories that come from several frames lie in several chunks, each with a dictionary of its own.
  const texts = columnType(column).name === "Categorical" ? column.cast(pl.Utf8) : column;
  const categories = categoriesOf(texts);
  let most = -1;
  for (let row = 0; row < categories.length; row++) {
    const category = categories[row]!;
    if (category !== MISSING && category > most) most = category;
  }
  // Categories are few, and numbered across all frames that are alive.
  const placeOf = new Int32Array(most + 1).fill(-1);
  const firstRows: number[] = [];
  const codes = new Int32Array(categories.length);
  for (let row = 0; row < codes.length; row++) {
    const category = categories[row]!;
    if (category === MISSING) codes[row] = -1;
    else {
      let place = placeOf[category]!;
      if (place === -1) place = placeOf[category] = firstRows.push(row) - 1;
      codes[row] = place;
    }
  }
  return { texts: texts.gather(firstRows).toArray() as string[], firstRows, codes };
}

/** The number of each row's category. */
function categoriesOf(texts: Series): ArrayLike<number> {
  const numbers = texts.cast(pl.Categorical).cast(pl.UInt32);
  if (texts.nullCount() === 0) return numbers.toTypedArray() as unknown as Uint32Array;
  const { name } = texts;
  const filled = pl.DataFrame([numbers.rename(name)])
    .select(pl.col(name).fillNull(pl.lit(MISSING).cast(pl.UInt32)));
  return filled.getColumn(name).toTypedArray() as unknown as Uint32Array;
}

/** The distinct texts of a column, sorted and without null; none without the column. */
export function sortedTexts(frame: DataFrame, name: string): readonly string[] {
  if (!frame.columns.includes(name)) return [];
  return (frame.getColumn(name).unique().cast(pl.Utf8).dropNulls().toArray() as string[])
    .toSorted();
}
