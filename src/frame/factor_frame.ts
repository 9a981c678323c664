import pl, { type DataFrame } from "nodejs-polars";
import { FACTOR_MEANING } from "../contract/factor.ts";
import type { FactorEntry } from "../contract/factor_list.ts";

/**
 * The frame of a factor list: one row per factor that the account may load.
 *
 * Columns, all Utf8: `factor`, `score_name`, `factor_version` (calculation definition), `meaning` (what the
 * API document says that the factor measures), `scores` and `history` (relative paths).
 */
export function toFactorFrame(entries: readonly FactorEntry[]): DataFrame {
  const column = (name: string, read: (entry: FactorEntry) => string) =>
    pl.Series(name, entries.map(read), pl.Utf8);
  return pl.DataFrame([
    column("factor", (entry) => entry.factor),
    column("score_name", (entry) => entry.scoreName),
    column("factor_version", (entry) => entry.factorVersion),
    column("meaning", (entry) => FACTOR_MEANING[entry.factor]),
    column("scores", (entry) => entry.scores),
    column("history", (entry) => entry.history),
  ]);
}
