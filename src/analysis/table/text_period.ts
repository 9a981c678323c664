import pl, { type Series } from "nodejs-polars";

// Number of rows that are looked at for the first ticker again: few, unless there are many tickers.
const LOOKED_AT = [4_096, 65_536] as const;

/**
 * Number of rows after which the texts begin anew, as the tickers of a frame do that has every ticker on every date; the number of
 * rows if they do not. To compare texts with those of one period before is five times as fast as to number them.
 */
export function textPeriod(texts: Series): number {
  const height = texts.len();
  const width = firstRepeat(texts);
  if (width === undefined) return height;
  const isPeriodic = (rows: number) => countEqual(texts.head(rows), width) === rows - width;
  return isPeriodic(Math.min(height, Math.max(4 * width, LOOKED_AT[0]!))) && isPeriodic(height)
    ? width
    : height;
}

/** The first row after the first one with the same text. */
function firstRepeat(texts: Series): number | undefined {
  for (const rows of LOOKED_AT) {
    const head = texts.head(rows).toArray() as readonly unknown[];
    const place = head.indexOf(head[0], 1);
    if (place > 0) return place;
  }
  return undefined;
}

/** Number of texts that are those of some rows before. */
function countEqual(texts: Series, before: number): number {
  const [earlier, later] = [
    texts.slice(0, texts.len() - before),
    texts.slice(before, texts.len() - before),
  ];
  const [count] = pl.DataFrame([earlier.rename("earlier"), later.rename("later")])
    .select(pl.col("later").eq(pl.col("earlier")).sum().cast(pl.Float64).alias("count"))
    .getColumn("count").toArray() as number[];
  return count ?? 0;
}
