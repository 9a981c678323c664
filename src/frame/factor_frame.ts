import { FACTOR_MEANING } from "../contract/factor.ts";
import type { FactorEntry } from "../contract/factor_list.ts";
import type { ColumnsOf } from "./typed/column_kind.ts";
import { frameOf } from "./typed/frame_of.ts";
import type { TypedFrame } from "./typed/typed_frame.ts";

const COLUMNS = {
  factor: "text",
  score_name: "text",
  factor_version: "text",
  meaning: "text",
  scores: "text",
  history: "text",
} as const;

/** Columns of the list of factors. */
export type FactorListColumns = ColumnsOf<typeof COLUMNS>;

/**
 * The frame of a factor list: one row per factor that the account may load.
 *
 * Columns, all Utf8: `factor`, `score_name`, `factor_version` (calculation definition), `meaning` (of the factor, from the API
 * document), `scores` and `history` (relative paths).
 */
export function toFactorFrame(entries: readonly FactorEntry[]): TypedFrame<FactorListColumns> {
  return frameOf(COLUMNS, {
    factor: entries.map(({ factor }) => factor),
    score_name: entries.map(({ scoreName }) => scoreName),
    factor_version: entries.map(({ factorVersion }) => factorVersion),
    meaning: entries.map(({ factor }) => FACTOR_MEANING[factor]),
    scores: entries.map(({ scores }) => scores),
    history: entries.map(({ history }) => history),
  });
}
