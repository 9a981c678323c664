import { type Factor, scoreNameOf } from "../../base/contract/factor.ts";
import {
  chooseProvenance,
  type ChosenNames,
  type ProvenanceChoice,
  type ProvenanceOf,
  type ProvenanceTypes,
  SCORE_PROVENANCE,
} from "./provenance/provenance_schema.ts";
import type { Receipt, ScoreFrameInput } from "./provenance/origin.ts";
import {
  type ProvenanceColumnsOptions,
  provenanceRows,
  type ProvenanceValues,
} from "./provenance/provenance_columns.ts";
import { markSynthetic } from "./provenance/synthetic_lineage.ts";
import type { ColumnsOf } from "./typed/columns.ts";
import { framed, frameOf } from "./typed/frame_of.ts";
import type { TypedFrame } from "./typed/typed_frame.ts";

/** First column of a frame of scores. */
const TICKER = { ticker: "text" } as const;

/**
 * Ticker and scores of one factor.
 *
 * @internal
 */
export type ScoreRowColumns<Name extends Factor = Factor> =
  & ColumnsOf<typeof TICKER>
  & ColumnsOf<{ readonly [Score in `${Name}_score`]: "number" }>;

/**
 * Columns of a score set: `ticker`, the score, and the requested provenance columns; all possible columns where the factor or
 * the choice is known only at run time.
 */
export type ScoreColumns<
  Name extends Factor = Factor,
  Choice extends ProvenanceChoice = true,
> =
  & ScoreRowColumns<Name>
  & ProvenanceTypes<ChosenNames<Choice, ProvenanceOf<"scores">>>;

/** Options of a score set's frame. */
export interface ScoreFrameOptions extends ProvenanceColumnsOptions {
  /**
   * Provenance columns of the frame.
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
 * @throws {TypeError} If a requested provenance column does not exist in score sets
 */
export function toScoreFrame(
  set: ScoreFrameInput,
  receipt: Receipt,
  options: ScoreFrameOptions = {},
): TypedFrame<ScoreColumns> {
  const { check, rows } = set;
  const columns = chooseProvenance(options.provenance, SCORE_PROVENANCE);
  const score = scoreNameOf(check.factor);
  const frame = frameOf({ ...TICKER, [score]: "number" }, {
    ticker: rows.tickers,
    [score]: rows.scores,
  });
  markSynthetic(frame, [receipt.source]);
  if (columns.length === 0) return framed(frame);
  const origin = provenanceRows(columns, [scoreProvenance(set, receipt)], options);
  return framed(frame.join(origin, { how: "cross" }));
}

/** Origin of the rows of a score set, by column. */
export function scoreProvenance(
  { check }: Pick<ScoreFrameInput, "check">,
  receipt: Receipt,
): ProvenanceValues<ProvenanceOf<"scores">> {
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
