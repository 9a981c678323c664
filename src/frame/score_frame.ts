import pl, { type DataFrame } from "nodejs-polars";
import { scoreNameOf } from "../contract/factor.ts";
import {
  chooseProvenance,
  type ProvenanceChoice,
  SCORE_PROVENANCE,
} from "./provenance/provenance_schema.ts";
import type { Receipt, ScoreFrameInput } from "./provenance/origin.ts";
import type {
  ProvenanceColumnsOptions,
  ProvenanceValues,
} from "./provenance/provenance_columns.ts";
import { provenanceRows } from "./provenance/provenance_rows.ts";
import { markSynthetic } from "./provenance/synthetic_lineage.ts";

/** How a score set becomes a frame. */
export interface ScoreFrameOptions extends ProvenanceColumnsOptions {
  /**
   * Which provenance columns the frame carries.
   *
   * @default true
   */
  readonly provenance?: ProvenanceChoice;
}

/**
 * The frame of a score set: one row per ticker, in the order of the set.
 *
 * Columns: `ticker` (Utf8), the factor's score (Float64 in [0, 1]; null means that no eligible value is
 * available, and 0 is a valid score), then the provenance columns, equal in every row. Instants are
 * Datetime in milliseconds, UTC.
 *
 * @throws {TypeError} If a provenance column is asked for that score sets do not have
 */
export function toScoreFrame(
  set: ScoreFrameInput,
  receipt: Receipt,
  options: ScoreFrameOptions = {},
): DataFrame {
  const { check, rows } = set;
  const columns = chooseProvenance(options.provenance, SCORE_PROVENANCE);
  const frame = pl.DataFrame([
    pl.Series("ticker", [...rows.tickers], pl.Utf8),
    pl.Series(scoreNameOf(check.factor), [...rows.scores], pl.Float64),
  ]);
  markSynthetic(frame, [receipt.source]);
  if (columns.length === 0) return frame;
  const origin = provenanceRows(columns, [scoreProvenance(set, receipt)], options);
  return frame.join(origin, { how: "cross" });
}

/** Where the rows of a score set come from, by column. */
export function scoreProvenance(
  { check }: Pick<ScoreFrameInput, "check">,
  receipt: Receipt,
): ProvenanceValues {
  return {
    factor: check.factor,
    factor_version: check.factorVersion,
    universe: check.universe,
    snapshot_id: check.snapshotId,
    calculated_at: check.calculatedAt,
    last_checked_at: check.lastCheckedAt,
    data_through: check.dataThrough,
    status: check.status,
    prices_through: check.pricesThrough,
    source: receipt.source,
    retrieved_at: receipt.retrievedAt,
  };
}
