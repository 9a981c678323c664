import type { DataFrame } from "nodejs-polars";
import { meanOf } from "../../inference/moments.ts";
import { countText } from "../../inference/number_text.ts";

/** Says how many names the buckets hold, how far ties moved them, and which sessions have none. */
export function describeSizes(
  { sizes, count }: { readonly sizes: DataFrame; readonly count: number },
): string {
  const rows = sizes.toRecords();
  const firsts = rows.filter((row) => row["quantile"] === 1);
  const filled = rows.filter((row) => row["reason"] === null);
  const without = firsts.filter((row) => row["reason"] !== null).length;
  const head = `${countText(count, "bucket")} in ${countText(firsts.length, "session")}`;
  if (filled.length === 0) return `${head}: no session has names enough.`;
  const held = Array.from(
    { length: count },
    (_, place) =>
      meanOf(
        filled.filter((row) => row["quantile"] === place + 1).map((row) => Number(row["names"])),
      )
        .toFixed(1),
  );
  const moved = firsts.flatMap((row) => typeof row["moved"] === "number" ? [row["moved"]] : []);
  return [
    `${head}; mean number of names from the lowest: ${held.join(", ")}.`,
    ...(moved.length === 0
      ? []
      : [`Ties keep ${(100 * meanOf(moved)).toFixed(1)} % of names out of buckets of equal size.`]),
    ...(without === 0 ? [] : [`${countText(without, "session")} without buckets: too few names.`]),
  ].join(" ");
}
