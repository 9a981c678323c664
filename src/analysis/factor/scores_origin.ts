import type { DataFrame } from "nodejs-polars";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { type HeldOut, heldOutOf } from "../../frames/frame/provenance/held_out.ts";
import { hasSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import { readsClose } from "../table/refuse_adjusted_level.ts";
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
  /** True if a condition or an exposure reads closes of which nothing says whether they are raw. */
  readonly readsUntoldLevel?: boolean;
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
  const isOfSource = isColumnOf(factor, score, scores.columns);
  const source = whatOfScores(factor ?? "", { releases, sets }).replace(/^, /, "");
  return {
    score,
    what: isOfSource
      ? whatOfScores(factor ?? score, { releases, sets })
      : [score, ...source === "" ? [] : [`joined to ${source}`]].join(", "),
    isReconstructed: isOfSource && releases.length > 0,
    ...(releases.length + sets.length === 0 &&
        FACTORS.map(scoreNameOf).some((name) => name === score)
      ? { isUntraced: true }
      : {}),
    isSynthetic: hasSynthetic(scores),
    ...(heldOut === null ? {} : { heldOut }),
  };
}

/**
 * True if the provenance columns of a frame are those of a column: that of their factor, or one named `score` in its place. Any
 * other column was computed from it or joined to it.
 */
function isColumnOf(
  factor: string | undefined,
  score: string,
  columns: readonly string[],
): boolean {
  if (factor === undefined) return [...FACTORS.map(scoreNameOf), "score"].includes(score);
  const own = FACTORS.filter((one) => one === factor).map(scoreNameOf);
  return own.includes(score as typeof own[number]) ||
    score === "score" && !own.some((name) => columns.includes(name));
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
  { what, where, neutral: { on = [] } = {} }: Pick<
    AnalyzeFactorOptions,
    "what" | "where" | "neutral"
  >,
  { to, removed, scores }: NeutralScores,
): ScoresOrigin {
  const condition = where === undefined ? [] : [`where ${String(where).slice(0, MOST_CONDITION)}`];
  const named = what === undefined ? [origin.what] : [what, origin.what];
  const neutral = to === null ? [] : [`neutral to ${to}`];
  const readsLevel = !scores.columns.includes("adjusted") &&
    (readsClose(scores, [...on, origin.score]) ||
      (where !== undefined && readsClose(scores, where)));
  return {
    ...origin,
    ...readsLevel ? { readsUntoldLevel: true } : {},
    what: [...named, ...neutral, ...condition].join(", "),
    ...removed === null ? {} : { removed: `The scores are made neutral to ${to}. ${removed}` },
  };
}

const MOST_CONDITION = 120;
