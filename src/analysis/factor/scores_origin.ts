import type { DataFrame } from "nodejs-polars";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { type HeldOut, heldOutOf } from "../../frames/frame/provenance/held_out.ts";
import { hasSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import type { AnalyzeFactorOptions } from "./analysis_options.ts";
import type { NeutralScores } from "./neutral_scores.ts";

/** Origin of the scores, as far as their columns show it. */
export interface ScoresOrigin {
  /** The column that is analysed. */
  readonly score: string;
  /** Factor and release or sets, in words; otherwise the name of the column. */
  readonly what: string;
  /** True if any row is marked as synthetic. */
  readonly isSynthetic: boolean;
  /** True for the scores of a release, which was reconstructed after its sessions. */
  readonly isReconstructed: boolean;
  /** True for scores of the service without the id of their set or release. */
  readonly isUntraced?: boolean;
  /** Columns that the scores are neutral to, and the variance that they explain, in a sentence; absent for scores as given. */
  readonly removed?: string;
  /** Hold-out of the study that the scores come from; left out if it has none. */
  readonly heldOut?: HeldOut;
}

/** Reads the origin of scores from their provenance columns. */
export function originOf(scores: DataFrame, score: string): ScoresOrigin {
  const distinct = (name: string) =>
    scores.columns.includes(name)
      ? (scores.getColumn(name).unique().dropNulls().toArray() as string[]).toSorted()
      : [];
  const [factor] = distinct("factor");
  const releases = distinct("download_sha256");
  const sets = distinct("snapshot_id");
  const heldOut = heldOutOf(scores);
  return {
    score,
    what: whatOfScores(factor ?? score, { releases, sets }),
    isReconstructed: releases.length > 0,
    ...(releases.length + sets.length === 0 &&
        FACTORS.map(scoreNameOf).some((name) => name === score)
      ? { isUntraced: true }
      : {}),
    isSynthetic: hasSynthetic(scores),
    ...(heldOut === null ? {} : { heldOut }),
  };
}

/** Factor, and the release or the number of sets that the scores come from. */
export function whatOfScores(
  factor: string,
  { releases, sets }: { readonly releases: readonly string[]; readonly sets: readonly string[] },
): string {
  if (releases.length === 1) return `${factor}, release ${releases[0]!.slice(0, 8)}…`;
  if (sets.length === 0) return factor;
  return `${factor}, ${sets.length} ${sets.length === 1 ? "score set" : "score sets"}`;
}

/** The origin with the name of the variant, what it is neutral to, and the condition on its rows. */
export function namedOrigin(
  origin: ScoresOrigin,
  { what, where }: Pick<AnalyzeFactorOptions, "what" | "where">,
  { to, removed }: Pick<NeutralScores, "to" | "removed">,
): ScoresOrigin {
  const condition = where === undefined ? [] : [`where ${String(where).slice(0, MOST_CONDITION)}`];
  const named = what === undefined ? [origin.what] : [what, origin.what];
  const neutral = to === null ? [] : [`neutral to ${to}`];
  return {
    ...origin,
    what: [...named, ...neutral, ...condition].join(", "),
    ...removed === null ? {} : { removed: `The scores are made neutral to ${to}. ${removed}` },
  };
}

const MOST_CONDITION = 120;
