import { Deadline } from "./deadline.ts";
import type { ExchangeOptions, ExchangeRequest } from "./exchange.ts";
import { assertExchangeOptions, type ExchangeSettings } from "./exchange_settings.ts";
import { WaitBudget } from "./wait_budget.ts";

/** One call of a verb: a request with all its attempts. */
export interface Call {
  /** The request. */
  readonly request: ExchangeRequest;
  /** What the caller or the stop button aborts. */
  readonly cancelled: AbortSignal;
  /** The time for all attempts; its signal also carries `cancelled`. */
  readonly total: Deadline;
  /** Time for one attempt. */
  readonly timeoutMs: number;
  /** Time for all attempts. */
  readonly deadlineMs: number;
  /** Attempts after the first. */
  readonly maxRetries: number;
  /** Waiting that is left. */
  readonly budget: WaitBudget;
  /** Requests of the day that are left to others. */
  readonly reserve: number;
}

/** Begins a call: its deadline runs from here on. */
export function beginCall(
  request: ExchangeRequest,
  options: ExchangeOptions,
  settings: ExchangeSettings,
): Call {
  assertExchangeOptions(options);
  const { timeoutMs, deadlineMs, maxRetries, maxWaitMs, reserve } = {
    ...settings.defaults,
    ...withoutUndefined(options),
  };
  const sources = [options.signal, settings.interrupt?.()].filter((signal) => signal !== undefined);
  const cancelled = AbortSignal.any(sources);
  return {
    request,
    cancelled,
    total: new Deadline(deadlineMs, cancelled),
    timeoutMs,
    deadlineMs,
    maxRetries,
    budget: new WaitBudget(maxWaitMs),
    reserve,
  };
}

function withoutUndefined(options: ExchangeOptions): ExchangeOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
