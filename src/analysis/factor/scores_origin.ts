import { countText } from "../../base/wording/number_text.ts";
import pl, { type DataFrame } from "nodejs-polars";
import { dayLit, type HeldOut, rowsBefore } from "../../frames/frame/provenance/held_out.ts";
import type { RegisteredNumber } from "../../frames/frame/registered_frame.ts";
import { align, type Aligned } from "../aligned/align.ts";
import { forwardReturns } from "../aligned/prices/forward_returns.ts";
import { informationCoefficient } from "../cross_section/correlation/information_coefficient.ts";
import { informationSummary } from "../series/information_summary.ts";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { andText } from "../../base/wording/words.ts";
import type { TimedScores } from "../aligned/score_rows.ts";
import type { AnalyzeFactorOptions } from "./analysis_options.ts";
import { periodText, sampleText } from "../../base/wording/period_text.ts";
import { heldOutText } from "../../base/wording/sentences/held_out_text.ts";

interface Plan {
  readonly horizons: readonly number[];
  readonly universe: string | readonly string[] | null;
  readonly minNames: number;
}

interface Sample {
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly pricesBefore: string | null;
}

/** Mean rank IC of a registered test in one sample, with its test, for each horizon of the plan. */
export function registeredNumbers(
  plan: Plan,
  { scores, prices }: { readonly scores: DataFrame; readonly prices: DataFrame },
  sample: Sample,
): readonly RegisteredNumber[] {
  const { name, from, to, pricesBefore } = sample;
  const seen = (frame: DataFrame) => pricesBefore ? rowsBefore(frame, pricesBefore) : frame;
  const late = from === null ? scores : scores.filter(pl.col("date").gtEq(dayLit(from)));
  const early = to === null ? late : late.filter(pl.col("date").ltEq(dayLit(to)));
  const rows = inUniverse(seen(early), plan.universe);
  const known = seen(prices);
  if (rows.height === 0 || known.height === 0) {
    throw new RangeError(
      `Cannot run the registered test: expected scores and prices in the sample ${name}, got ${rows.height} score rows ` +
        `and ${known.height} of prices; look at the dates and the universe of the plan`,
    );
  }
  const aligned = align(rows, forwardReturns(known, { periods: plan.horizons }));
  const ic = informationCoefficient(aligned, { minNames: plan.minNames });
  const table = informationSummary(ic).table.toRecords();
  return plan.horizons.map((horizon) => {
    const row = table.find((one) => one.horizon === horizon);
    const { sessions = 0, mean = null, low = null, high = null, p = null } = row ?? {};
    return { sample: name, horizon, sessions: sessions ?? 0, meanIc: mean, low, high, p };
  });
}

function inUniverse(scores: DataFrame, universe: Plan["universe"]): DataFrame {
  if (universe === null) return scores;
  return typeof universe === "string"
    ? scores.filter(pl.col("universe").eq(pl.lit(universe)))
    : scores.filter(pl.col("ticker").isIn([...universe]));
}

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

const MOST_CONDITION = 120;

/**
 * Reads the origin of scores from their provenance columns, and names the variant that is analysed.
 *
 * @param removed What was removed from neutral scores, in a sentence; `null` for scores as given
 */
export function originOf(
  scores: DataFrame,
  { score, from, heldOut, isSynthetic }: TimedScores,
  { what, where, direction, neutral: { group, on = [] } = {} }: AnalyzeFactorOptions,
  removed: string | null,
): ScoresOrigin {
  const [factor] = from.factors;
  const isUntraced = from.releases.length + from.sets.length === 0 &&
    FACTORS.map(scoreNameOf).some((name) => name === score);
  const isOfSource = isColumnOf(factor, score, scores.columns);
  const source = [...factor === undefined ? [] : [factor], ...sourceOf(from)].join(", ");
  const column = isOfSource
    ? [factor ?? score, ...sourceOf(from)].join(", ")
    : [score, ...source === "" ? [] : [`joined to ${source}`]].join(", ");
  const to = andText([...group === undefined ? [] : [group], ...on]);
  const condition = where === undefined ? [] : [`where ${String(where).slice(0, MOST_CONDITION)}`];
  return {
    score,
    what: [
      ...what === undefined || what === column ? [] : [what],
      column,
      ...direction === "low" ? ["low values first"] : [],
      ...removed === null ? [] : [`neutral to ${to}`],
      ...condition,
    ].join(", "),
    isReconstructed: isOfSource && from.releases.length > 0,
    ...isUntraced ? { isUntraced } : {},
    isSynthetic,
    ...heldOut === null ? {} : { heldOut },
    ...removed === null ? {} : { removed: `The scores are made neutral to ${to}. ${removed}` },
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

/** The release or the number of sets that scores come from. */
function sourceOf(
  { releases, sets }: { readonly releases: readonly string[]; readonly sets: readonly string[] },
): readonly string[] {
  if (releases.length === 1) return [`release ${releases[0]!.slice(0, 8)}…`];
  return sets.length === 0 ? [] : [countText(sets.length, "score set")];
}

/** Subject of an analysis and its sample: `ecpnd, release 525334a9…, 501 sessions, 2024-05-02 to 2026-05-01, 67 tickers.` */
export function describeSample(
  { origin, aligned }: { readonly origin: ScoresOrigin; readonly aligned: Aligned },
): string {
  const { dense: { from, to }, tickers, sessions, market } = aligned;
  const sample = sampleText(sessions.slice(from, Math.max(from, to)), tickers);
  const synthetic = origin.isSynthetic ? " Synthetic rows." : "";
  const held = origin.heldOut === undefined ? "" : ` ${heldOutText(origin.heldOut)}.`;
  return `${origin.what}, ${periodText(sample, market.unit)}.${held}${synthetic}`;
}
