import type { DataFrame } from "nodejs-polars";
import type { Factor } from "../contract/factor.ts";
import { epochMsOf, type Instant, instantOf } from "../contract/instant.ts";
import type { View } from "../contract/query.ts";
import { countScored } from "../contract/score_rows.ts";
import type { ScoreSet } from "../contract/score_set.ts";
import { ContractError, NotFoundError } from "../errors.ts";
import { toPublicationsFrame } from "../frame/publications_frame.ts";
import type { ExchangeOptions } from "../transport/exchange.ts";
import { type InstantInput, toInstant } from "./instant_input.ts";
import type { Loaded } from "./load_promise.ts";
import { findScores, type FoundScores } from "./load_scores.ts";
import { toScoresQuery } from "./scores_options.ts";
import { beginVerb, responseInfo, type Session } from "./session.ts";

/** Which publications are loaded. */
export interface PublicationsOptions extends ExchangeOptions {
  /** Start of the interval, inclusive. */
  readonly from: InstantInput;
  /**
   * End of the interval, inclusive.
   *
   * @default the latest check
   */
  readonly to?: InstantInput;
}

/**
 * Loads every set published in an interval, newest first.
 *
 * A set's publication time is where the walk goes on: the check just before it belongs to the set before.
 */
export async function loadPublications(
  session: Session,
  factor: Factor,
  options: PublicationsOptions,
): Promise<Loaded<DataFrame, readonly ScoreSet[]>> {
  const from = toInstant(options.from, "from");
  const to = options.to === undefined ? null : toInstant(options.to, "to");
  if (to !== null && to < from) {
    throw new ContractError(`Cannot load publications: to ${to} must not be before from ${from}`);
  }
  const exchange = beginVerb(session, options);
  const published: FoundScores[] = [];
  let last: FoundScores | null = null;
  let view: View | null = to === null ? { kind: "latest" } : { kind: "at", at: to };
  while (view !== null) {
    const found = await findAt(session, { factor, view }, exchange);
    if (found?.answer) last = found;
    if (found === null || found.set.check.calculatedAt < from) break;
    published.push(found);
    view = viewBefore(found.set.check.calculatedAt, from);
  }
  return {
    data: toPublicationsFrame(published.map((found, i) => toRow(found, published[i - 1]))),
    raw: published.map(({ set }) => set),
    response: last?.answer ? responseInfo(last.answer) : null,
  };
}

async function findAt(
  session: Session,
  query: { readonly factor: Factor; readonly view: View },
  options: ExchangeOptions,
): Promise<FoundScores | null> {
  const { factor, view } = query;
  try {
    return await findScores(session, { ...toScoresQuery(factor, {}), view }, options);
  } catch (error) {
    // Before the first publication there is none: that is the end of the walk.
    const isEnd = view.kind === "at" && error instanceof NotFoundError &&
      error.code === "score_snapshot_not_available";
    if (isEnd) return null;
    throw error;
  }
}

function viewBefore(calculatedAt: Instant, from: Instant): View | null {
  const at = instantOf(epochMsOf(calculatedAt) - 1);
  return at < from ? null : { kind: "at", at };
}

function toRow(found: FoundScores, newer: FoundScores | undefined) {
  const { set, receipt } = found;
  const supersededAt = newer?.set.check.calculatedAt ?? null;
  return { check: set.check, scored: countScored(set.rows.scores), supersededAt, receipt };
}
