import { Deadline } from "./deadline.ts";
import type { ExchangeOptions, ExchangeRequest, SendOptions } from "../exchange.ts";
import { assertExchangeOptions, type ExchangeSettings } from "./exchange_settings.ts";
import { WaitPatience } from "../call_patience.ts";

/** One request of a verb with all its attempts. */
export interface Call {
  /** The request. */
  readonly request: ExchangeRequest;
  /** Signal of the caller and of the connection's end. */
  readonly cancelled: AbortSignal;
  /** Deadline of all attempts; its signal includes `cancelled`. */
  readonly total: Deadline;
  /** Signal that ends waiting, but no request in flight; `null` if the caller gave none. */
  readonly waitSignal: AbortSignal | null;
  /** Time for one attempt. */
  readonly timeoutMs: number;
  /** Time for all attempts, or for the whole verb if its caller set one. */
  readonly deadlineMs: number;
  /** Attempts after the first. */
  readonly maxRetries: number;
  /** Remaining waiting. */
  readonly waits: WaitPatience;
  /** Requests of the day left for others. */
  readonly reserve: number;
}

/** Begins a call; its deadline starts now, unless its verb has one already. */
export function beginCall(
  request: ExchangeRequest,
  options: SendOptions,
  context: { readonly settings: ExchangeSettings; readonly closed: AbortSignal },
): Call {
  assertExchangeOptions(options);
  const { settings, closed } = context;
  const { timeoutMs, deadlineMs, maxRetries, maxWaitMs, reserve } = {
    ...settings.defaults,
    ...withoutUndefined(options),
  };
  const cancelled = AbortSignal.any([closed, ...(options.signal ? [options.signal] : [])]);
  const { patience, waitSignal = null } = options;
  return {
    request,
    cancelled,
    total: new Deadline(patience?.leftMs ?? deadlineMs, cancelled),
    waitSignal,
    timeoutMs,
    deadlineMs: patience?.deadlineMs ?? deadlineMs,
    maxRetries,
    waits: patience?.waits ?? new WaitPatience(maxWaitMs),
    reserve,
  };
}

/** Signal that ends a call's wait for its turn or for another attempt. */
export function waitingSignal({ total, waitSignal }: Call): AbortSignal {
  return waitSignal === null ? total.signal : AbortSignal.any([total.signal, waitSignal]);
}

function withoutUndefined(options: ExchangeOptions): ExchangeOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
