import type { Factor } from "../../base/contract/factor.ts";
import { epochMsOf, type Instant, instantOf } from "../../base/contract/instant.ts";
import type { View } from "../../base/contract/http/query.ts";
import { countScored } from "../../base/contract/scores/score_rows.ts";
import type { ScoreSet } from "../../base/contract/scores/score_set.ts";
import { NotFoundError, TransportError } from "../../base/errors.ts";
import {
  type PublicationColumns,
  toPublicationsFrame,
} from "../../frames/frame/publications_frame.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import { EXCHANGE_RULES, type ExchangeOptions } from "../transport/exchange.ts";
import { checkOptions, needed, type OptionRules } from "../../base/arguments/check_options.ts";
import { INSTANT, type InstantInput, toInstant } from "../verb/instant_input.ts";
import type { Loaded } from "../verb/load_promise.ts";
import { findScores, type FoundScores } from "./load_scores.ts";
import { toScoresQuery } from "./scores_options.ts";
import {
  beginVerb,
  type ConnectionContext,
  responseInfo,
  serviceNowMs,
} from "../verb/connection_context.ts";

/** Publications to load. */
export interface PublicationsOptions extends ExchangeOptions {
  /** Start of the interval, inclusive. */
  readonly from: InstantInput;
  /**
   * End of the interval, inclusive; a time in the future means the latest check. Offline, give a time that the store proves,
   * such as that of its last check: only the service knows the latest one.
   *
   * @default the latest check
   */
  readonly to?: InstantInput;
}

/** Accepted options of `publications()`. */
export const PUBLICATIONS_RULES: OptionRules<PublicationsOptions> = {
  from: needed(INSTANT, '"2026-11-19T00:00:00Z"'),
  to: INSTANT,
  ...EXCHANGE_RULES,
};

/**
 * Loads every set published in an interval, newest first.
 *
 * The check just before a set's publication belongs to the preceding set, so each answer determines the next request. A 404
 * ends the list only if the service has also returned scores, and never on the first request: otherwise a wrong address, or a
 * partial recording, would give a short list.
 */
export async function loadPublications(
  context: ConnectionContext,
  factor: Factor,
  options: PublicationsOptions,
): Promise<Loaded<TypedFrame<PublicationColumns>, readonly ScoreSet[]>> {
  checkOptions("call publications()", options, PUBLICATIONS_RULES);
  const { from, to } = readInterval(context, options);
  const walk: Walk = { context, factor, exchange: beginVerb(context, options) };
  // The service refuses a future time; the latest check is the last one until then.
  const isLatest = to === null || epochMsOf(to) >= serviceNowMs(context);
  const start: View = isLatest ? { kind: "latest" } : { kind: "at", at: to };
  const found = await walkBack(walk, from, start);
  const published = found.filter(({ set: { check } }) =>
    check.calculatedAt >= from && (to === null || check.calculatedAt <= to)
  );
  const answer = found.findLast((scores) => scores.answer !== null)?.answer ?? null;
  return {
    data: toPublicationsFrame(published.map((scores, i) => toRow(scores, published[i - 1]))),
    raw: published.map(({ set }) => set),
    response: answer && responseInfo(answer),
  };
}

/**
 * Interval of the options.
 *
 * @throws {RangeError} If an instant is malformed, `to` is before `from`, or `from` is in the future
 */
export function readInterval(
  context: Pick<ConnectionContext, "clock" | "ledger">,
  options: Pick<PublicationsOptions, "from" | "to">,
): { readonly from: Instant; readonly to: Instant | null } {
  const from = toInstant(options.from, "from");
  const to = options.to === undefined ? null : toInstant(options.to, "to");
  if (to !== null && to < from) {
    throw new RangeError(
      `Cannot load publications: expected an interval whose end is not before its start, got ${from} to ${to}; swap them`,
    );
  }
  const now = instantOf(serviceNowMs(context));
  if (from <= now) return { from, to };
  throw new RangeError(
    `Cannot load publications: expected from not to be in the future, got ${from}, and it is ${now} by ` +
      "the service's clock; use an earlier time",
  );
}

interface Walk {
  readonly context: ConnectionContext;
  readonly factor: Factor;
  readonly exchange: ExchangeOptions;
}

async function walkBack(walk: Walk, from: Instant, start: View): Promise<readonly FoundScores[]> {
  const found = [await findStart(walk, start)];
  for (;;) {
    const { calculatedAt } = found.at(-1)!.set.check;
    const at = instantOf(epochMsOf(calculatedAt) - 1);
    if (at < from) return found;
    const isReached = found.some(({ answer }) => answer !== null);
    const earlier = await findEarlier(walk, at, isReached);
    if (earlier === null) return found;
    found.push(earlier);
  }
}

// Only the service knows the latest check; offline, the interval needs an end.
async function findStart(walk: Walk, start: View): Promise<FoundScores> {
  try {
    return await findAt(walk, start);
  } catch (error) {
    if (start.kind !== "latest" || !(error instanceof TransportError)) throw error;
    const known = (await walk.context.store.listChecks(walk.factor)).at(-1)?.lastCheckedAt;
    if (known === undefined) throw error;
    throw new TransportError(
      `${error.message}; without \`to\` the list ends with the latest check, which needs a request: with ` +
        `to: "${known}", the last check of the store, views that the store proves need none`,
      { cause: error.cause },
    );
  }
}

async function findEarlier(walk: Walk, at: Instant, isReached: boolean) {
  try {
    return await findAt(walk, { kind: "at", at });
  } catch (error) {
    const isNone = error instanceof NotFoundError && error.code === "score_snapshot_not_available";
    // The server of a partial recording reports that a view which it lacks may exist.
    const isProved = isNone
      ? (error.details as { readonly proved?: unknown } | null)?.proved
      : undefined;
    if (!isNone || isProved === false) throw error;
    // A wrong address answers the same (section 7): only a service that has returned scores proves that there are none.
    if (!isReached && isProved === undefined) await findAt(walk, { kind: "latest" });
    return null;
  }
}

function findAt({ context, factor, exchange }: Walk, view: View): Promise<FoundScores> {
  return findScores(context, { ...toScoresQuery(factor, {}), view }, exchange);
}

function toRow(found: FoundScores, newer: FoundScores | undefined) {
  const { set, receipt } = found;
  const supersededAt = newer?.set.check.calculatedAt ?? null;
  return { check: set.check, scored: countScored(set.rows), supersededAt, receipt };
}
