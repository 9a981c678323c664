import { Deadline } from "./deadline.ts";
import type { ExchangeRequest, SendOptions } from "../exchange.ts";
import type { ExchangeSettings } from "./exchange_settings.ts";
import { WaitPatience } from "../call_patience.ts";

/** One request of a verb with all its attempts. */
export interface Call {
  /** The request. */
  readonly request: ExchangeRequest;
  /** Signals of the connection's end and of the caller. */
  readonly cancels: readonly AbortSignal[];
  /** Deadline of all attempts; its signal includes `cancels`. */
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
  const { settings, closed } = context;
  const { defaults } = settings;
  const { patience, signal, waitSignal = null } = options;
  const deadlineMs = options.deadlineMs ?? defaults.deadlineMs;
  const cancels = signal === undefined ? [closed] : [closed, signal];
  return {
    request,
    cancels,
    total: new Deadline(patience?.leftMs ?? deadlineMs, ...cancels),
    waitSignal,
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    deadlineMs: patience?.deadlineMs ?? deadlineMs,
    maxRetries: options.maxRetries ?? defaults.maxRetries,
    waits: patience?.waits ?? new WaitPatience(options.maxWaitMs ?? defaults.maxWaitMs),
    reserve: options.reserve ?? defaults.reserve,
  };
}

/** Signals that end a call's wait for its turn or for another attempt. */
export function waitingSignals({ total, waitSignal }: Call): readonly AbortSignal[] {
  return waitSignal === null ? [total.signal] : [total.signal, waitSignal];
}
