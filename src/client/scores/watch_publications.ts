import type { Factor } from "../../base/contract/factor.ts";
import { epochMsOf } from "../../base/contract/instant.ts";
import { CHECK_INTERVAL_MS } from "../../base/contract/limits.ts";
import { ApiError, TransportError, WaitError } from "../../base/errors.ts";
import {
  PROVENANCE,
  type ProvenanceChoice,
} from "../../frames/frame/provenance/provenance_schema.ts";
import { toScoreFrame } from "../../frames/frame/score_frame.ts";
import { framed } from "../../frames/frame/typed/frame_of.ts";
import type { Schema } from "../../frames/frame/typed/columns.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import { CallPatience } from "../transport/call_patience.ts";
import { EXCHANGE_RULES, type ExchangeOptions } from "../transport/exchange.ts";
import {
  AMOUNT,
  checkOptions,
  FLAG,
  type OptionRules,
} from "../../base/arguments/check_options.ts";
import { type AnsweredScores, receiveScores } from "./request_json.ts";
import { toScoresQuery } from "./scores_options.ts";
import { beginVerb, type ConnectionContext, serviceNowMs } from "../verb/connection_context.ts";

/** Options of a watch. */
export interface WatchOptions<Choice extends ProvenanceChoice = ProvenanceChoice>
  extends ExchangeOptions {
  /**
   * Yields the set that is current at the start first.
   *
   * @default false
   */
  readonly current?: boolean;
  /**
   * Delay between the due time of a check and the first request for it.
   *
   * @default 60000
   */
  readonly settleMs?: number;
  /**
   * Wait before the next request for a check that is overdue.
   *
   * @default 300000
   */
  readonly overdueMs?: number;
  /**
   * Requests of the UTC day left for others.
   *
   * @default 500
   */
  readonly reserve?: number;
  /**
   * Provenance columns of the frames.
   *
   * @default true
   */
  readonly provenance?: Choice;
}

const WATCH_RULES: OptionRules<WatchOptions> = {
  current: FLAG,
  settleMs: AMOUNT,
  overdueMs: AMOUNT,
  provenance: PROVENANCE,
  ...EXCHANGE_RULES,
};

const DEFAULT_RESERVE = 500;
const MAX_FAILURES = 3;

/**
 * Yields each new publication of a factor, sending requests only when a check is due.
 *
 * Waits after temporary failures; a daily limit, a refused key and a third failure in a row end it with the error.
 */
export async function* watchPublications<Columns extends Schema>(
  context: ConnectionContext,
  factor: Factor,
  options: WatchOptions,
): AsyncGenerator<TypedFrame<Columns>, void, void> {
  checkOptions("call watch()", options, WATCH_RULES);
  const { current = false, settleMs = 60_000, overdueMs = 300_000, provenance = true } = options;
  const query = toScoresQuery(factor, {});
  const verb = beginVerb(context, { ...options, reserve: options.reserve ?? DEFAULT_RESERVE });
  const { clock } = context;
  let known: AnsweredScores | null = null;
  let failures = 0;
  try {
    for (;;) {
      let nextMs: number;
      try {
        // Each request has its own deadlines, because a watch may run forever.
        const own = { ...verb, patience: new CallPatience(verb) };
        const latest = (await receiveScores(context, query, own))!;
        failures = 0;
        const isNew = known === null
          ? current
          : known.set.check.snapshotId !== latest.set.check.snapshotId;
        known = latest;
        nextMs = nextQuestionMs(context, latest, settleMs, overdueMs);
        if (isNew) yield framed(toScoreFrame(latest.set, latest.receipt, { provenance }));
      } catch (error) {
        if (context.isOffline) throw error;
        failures++;
        const waitMs = Math.max(overdueMs, retryTimeMs(error, failures) - clock.now());
        nextMs = serviceNowMs(context) + waitMs;
      }
      await clock.sleep(Math.max(0, nextMs - serviceNowMs(context)), verb.signal);
    }
  } catch (error) {
    // The caller's signal ends the watch normally.
    if (options.signal?.aborted) return;
    throw error;
  }
}

// By the service's clock, which determines the times of checks.
function nextQuestionMs(
  context: ConnectionContext,
  { set: { check } }: AnsweredScores,
  settleMs: number,
  overdueMs: number,
): number {
  const nowMs = serviceNowMs(context);
  const dueMs = epochMsOf(check.lastCheckedAt) + CHECK_INTERVAL_MS + settleMs;
  return dueMs > nowMs ? dueMs : nowMs + overdueMs;
}

// Time of the next attempt after a temporary failure; throws any other error.
function retryTimeMs(error: unknown, failures: number): number {
  const isTemporary = error instanceof WaitError || error instanceof TransportError;
  const isDaily = error instanceof ApiError && error.code === "daily_limit_exceeded";
  if (!isTemporary || isDaily || failures >= MAX_FAILURES) throw error;
  return error instanceof WaitError ? error.retryAtMs ?? 0 : 0;
}
