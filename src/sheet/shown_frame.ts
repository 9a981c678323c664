import pl, { type DataFrame } from "nodejs-polars";
import { pText } from "../notebook/p_text.ts";

/** Whether a column holds p values: `p`, `p_adjusted`, `union_p`. */
export function holdsPValues(name: string): boolean {
  return name.split("_").includes("p");
}

/** A frame as a sheet writes it in words: p values as everywhere else. */
export function shownFrame(frame: DataFrame): DataFrame {
  const names = frame.columns.filter(holdsPValues);
  if (names.length === 0) return frame;
  const columns = frame.columns.map((name) => {
    if (!names.includes(name)) return frame.getColumn(name);
    const values = frame.getColumn(name).toArray() as readonly unknown[];
    const texts = values.map((value) => typeof value === "number" ? pText(value) : value ?? null);
    return pl.Series(name, texts, pl.Utf8);
  });
  return pl.DataFrame(columns);
}
