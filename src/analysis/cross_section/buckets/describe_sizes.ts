import type { DataFrame } from "nodejs-polars";
import { meanOf } from "../../../base/statistics/moments.ts";
import { periodUnit } from "../../inference/period_unit.ts";
import { periodText } from "../../../base/wording/period_text.ts";
import { andText } from "../../../base/wording/and_text.ts";
import { countText, decimalText, percentText } from "../../../base/wording/number_text.ts";

/** Sizes of the quantiles in sentences: stocks, the effect of ties, sessions without quantiles. */
export function describeSizes(
  { sizes, count, dense }: {
    readonly sizes: DataFrame;
    readonly count: number;
    readonly dense: { readonly days: Int32Array };
  },
): string {
  const rows = sizes.toRecords();
  const firsts = rows.filter((row) => row["quantile"] === 1);
  const filled = rows.filter((row) => row["reason"] === null);
  const without = firsts.filter((row) => row["reason"] !== null).length;
  const head = `${countText(count, "quantile")} in ${countText(firsts.length, "session")}`;
  if (filled.length === 0) return `${head}: no session has enough stocks.`;
  const held = Array.from({ length: count }, (_, place) => {
    const own = filled.filter((row) => row["quantile"] === place + 1);
    return decimalText(meanOf(own.map((row) => Number(row["names"]))), 1);
  });
  const moved = firsts.flatMap((row) => typeof row["moved"] === "number" ? [row["moved"]] : []);
  const text = [
    `${head}, with ${andText(held)} stocks on average from the lowest to the highest.`,
    ...(moved.length === 0
      ? []
      : [`Ties keep ${percentText(meanOf(moved))} of stocks out of quantiles of equal size.`]),
    ...(without === 0 ? [] : [
      `${countText(without, "session")} ${
        without === 1 ? "has" : "have"
      } no quantiles, because of too few stocks.`,
    ]),
  ].join(" ");
  return periodText(text, periodUnit(dense.days, true));
}
