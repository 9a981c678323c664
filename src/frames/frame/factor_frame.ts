import pl from "nodejs-polars";
import { FACTOR_MEANING } from "../../base/contract/factor.ts";
import type { FactorEntry } from "../../base/contract/factor_list.ts";
import type { ColumnsOf } from "./typed/columns.ts";
import { framed } from "./typed/frame_of.ts";
import type { TypedFrame } from "./typed/typed_frame.ts";

const COLUMNS = {
  factor: "text",
  score_name: "text",
  factor_version: "text",
  meaning: "text",
  scores: "text",
  history: "text",
} as const;

const SCHEMA = Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, pl.Utf8]));

/**
 * Columns of the list of factors.
 *
 * @internal
 */
export type FactorListColumns = ColumnsOf<typeof COLUMNS>;

/**
 * The frame of a factor list: one row per factor that the account may load.
 *
 * Columns, all Utf8: `factor`, `score_name`, `factor_version` (calculation definition), `meaning` (of the factor, from the API
 * document), `scores` and `history` (relative paths).
 */
export function toFactorFrame(entries: readonly FactorEntry[]): TypedFrame<FactorListColumns> {
  // Without rows Polars makes a frame without columns.
  if (entries.length === 0) return framed(pl.DataFrame({}, { schema: SCHEMA }));
  const rows = entries.map((entry) => ({
    factor: entry.factor,
    score_name: entry.scoreName,
    factor_version: entry.factorVersion,
    meaning: FACTOR_MEANING[entry.factor],
    scores: entry.scores,
    history: entry.history,
  }));
  // In one call: a series for each column takes five times as long, an eighth of the whole exchange.
  return framed(pl.readRecords(rows, { schema: SCHEMA }));
}
