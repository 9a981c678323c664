import { type Instant, instantOf } from "../../base/contract/instant.ts";
import type { Interrupt } from "../../frames/notebook/kernel/interrupt.ts";
import type { Store } from "../../base/store/store.ts";
import { CallPatience } from "../transport/call_patience.ts";
import type { Clock } from "../transport/clock.ts";
import type { EventLog } from "../transport/event_log.ts";
import type { AnswerHead, Exchange, ExchangeOptions, SendOptions } from "../transport/exchange.ts";
import { serviceTimeAt } from "../transport/allowance/account_state.ts";
import type { Ledger } from "../transport/allowance/ledger.ts";
import type { ResponseInfo } from "./load_promise.ts";
import type { Notices } from "./notices.ts";
import type { SharedLoads } from "./shared_loads.ts";

/** State that the verbs of one connection share. */
export interface ConnectionContext {
  /** Sends requests for the account. */
  readonly exchange: Exchange;
  /** Stores every answer before it becomes a frame. */
  readonly store: Store;
  /** Spending of the account. */
  readonly ledger: Ledger;
  /** Clock and random numbers. */
  readonly clock: Clock;
  /** Log of requests. */
  readonly log: EventLog;
  /** Notices about unusual answers that the API document allows. */
  readonly notices: Notices;
  /** Removes keys from a text. */
  readonly redact: (text: string) => string;
  /** Part of the key that may be shown. */
  readonly keyHint: string;
  /** True if nothing is sent and all answers come from the store. */
  readonly isOffline: boolean;
  /** Requests of the UTC day left for others. */
  readonly reserve: number;
  /**
   * Further facts about the service, as rows of the connection's display.
   *
   * @default nothing
   */
  readonly about?: readonly (readonly [string, string])[];
  /**
   * Shortest time between two stored proofs that one check was the latest; a relay requests it every minute, and a file for
   * each answer would fill a folder.
   *
   * @default 0, so that each is kept
   */
  readonly proofSpacingMs?: number;
  /** Loads in flight, which equal loads can join. */
  readonly loads: SharedLoads;
  /** The stop button of a notebook. */
  readonly interrupt: Interrupt;
}

/**
 * Exchange options of a verb, created when it starts.
 *
 * The stop button's signal is taken once, at the start, so that it ends the whole verb and not only the current request. The
 * caller's `deadlineMs` and `maxWaitMs` bound the verb, not each of its requests.
 */
export function beginVerb(
  context: ConnectionContext,
  options: ExchangeOptions,
): SendOptions & { readonly signal: AbortSignal; readonly patience: CallPatience } {
  const { signal: stop } = context.interrupt;
  return {
    signal: options.signal ? AbortSignal.any([stop, options.signal]) : stop,
    patience: new CallPatience(options),
    ...limitsOf(options),
  };
}

const LIMIT_NAMES = ["timeoutMs", "deadlineMs", "maxRetries", "maxWaitMs", "reserve"] as const;

/** The limits among the options of a verb or a connection, without those that are not given. */
export function limitsOf(options: ExchangeOptions): Omit<ExchangeOptions, "signal"> {
  const given = LIMIT_NAMES.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name]]));
}

/** Part of an answer that a caller may see. */
export function responseInfo(head: AnswerHead): ResponseInfo {
  const { status, headers, requestId, attempts } = head;
  return { status, headers, requestId, receivedAt: receivedAtOf(head), attempts };
}

/** Arrival of an answer. */
export function receivedAtOf(head: Pick<AnswerHead, "receivedAtMs">): Instant {
  return instantOf(head.receivedAtMs);
}

/** Time by the service's clock, as known from its answers; epoch milliseconds. */
export function serviceNowMs(
  { clock, ledger }: Pick<ConnectionContext, "clock" | "ledger">,
): number {
  return serviceTimeAt(ledger.read(), clock.now());
}
