import type { ColumnTable } from "arquero";
import pl, { type DataFrame } from "nodejs-polars";
import { assertFrame } from "../../frames/frame/assert_frame.ts";
import { loadArquero } from "./load_arquero.ts";

/**
 * A frame as an Arquero table, through Arrow: for rolling means, pivots and bins of small results. Arquero is loaded
 * on the first call.
 *
 * Text stays text, categories too; dates become JavaScript dates at midnight UTC, instants JavaScript dates; null stays
 * null.
 *
 * @param frame Any frame
 * @returns A table with the same rows and columns
 * @throws {TypeError} If the argument is not a frame
 * @throws {RangeError} If a whole number is beyond 2^53, which a JavaScript number cannot hold exactly
 *
 * @example Usage
 * ```ts
 * import { toArquero } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const frame = pl.DataFrame({ ticker: ["NA", "BRK.B"], score: [0.5, null] });
 * const table = await toArquero(frame);
 * console.assert(table.get("ticker", 0) === "NA" && table.get("score", 1) === null);
 * ```
 */
export async function toArquero(frame: DataFrame): Promise<ColumnTable> {
  assertFrame("make an Arquero table", frame);
  for (const name of frame.columns) refuseHugeNumbers(frame, name);
  const { fromArrow } = await loadArquero();
  // A category column in several chunks, each with a dictionary, would lose most of its texts.
  const bytes = frame.rechunk().writeIPCStream();
  return fromArrow(new Uint8Array(bytes), { useDate: true });
}

function refuseHugeNumbers(frame: DataFrame, name: string): void {
  const column = frame.getColumn(name);
  if (!/^U?Int64$/.test(String((column.dtype as { variant?: string }).variant))) return;
  const numbers = column.cast(pl.Float64);
  const [low, high] = [numbers.min(), numbers.max()];
  const huge = [low, high].find((value) => Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER);
  if (huge === undefined) return;
  throw new RangeError(
    `Cannot make an Arquero table: expected whole numbers up to 2^53 in the column ${name}, ` +
      `got ${huge}; cast it to text`,
  );
}
