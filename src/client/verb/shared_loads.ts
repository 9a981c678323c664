import { untilAborted } from "../transport/call/body.ts";
import type { AnswerHead, SendOptions } from "../transport/exchange.ts";

/** Signals that end a load early. */
export interface LoadSignals {
  /** Ends the load. */
  readonly signal: AbortSignal;
  /** Ends its waiting, but no request in flight. */
  readonly waitSignal: AbortSignal;
}

interface Running {
  readonly key: string;
  readonly ending: Promise<unknown>;
  readonly all: AbortController;
  readonly waiting: AbortController;
  callers: number;
  waiters: number;
}

/** Lets concurrent equal loads of one connection share one request. */
export class SharedLoads {
  readonly #running = new Map<string, Running>();

  /**
   * Runs a load, or joins an equal one in flight.
   *
   * A cancelled caller leaves the load to the others; it ends with the last one.
   *
   * @param key Identity of the load: equal keys mean equal loads
   * @param signals End this caller's part in it
   * @param run Loads, until its signals are aborted
   * @returns The result, and if it came from an equal load in flight
   */
  async share<Result>(
    key: string,
    { signal = new AbortController().signal, waitSignal }: Partial<LoadSignals>,
    run: (signals: LoadSignals) => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly isJoined: boolean }> {
    signal.throwIfAborted();
    waitSignal?.throwIfAborted();
    const known = this.#running.get(key);
    const running = known ?? this.#start(key, run);
    running.callers++;
    running.waiters++;
    let isWaiting = true;
    const standDown = () => {
      if (!isWaiting) return;
      isWaiting = false;
      if (--running.waiters > 0) return;
      this.#forget(running);
      running.waiting.abort(waitSignal?.reason);
    };
    const leave = () => {
      if (--running.callers === 0) running.all.abort(signal.reason);
      standDown();
    };
    signal.addEventListener("abort", leave, { once: true });
    waitSignal?.addEventListener("abort", standDown, { once: true });
    try {
      const result = await untilAborted(running.ending as Promise<Result>, signal);
      return { result, isJoined: known !== undefined };
    } finally {
      signal.removeEventListener("abort", leave);
      waitSignal?.removeEventListener("abort", standDown);
    }
  }

  #start<Result>(key: string, run: (signals: LoadSignals) => Promise<Result>): Running {
    const [all, waiting] = [new AbortController(), new AbortController()];
    const ending = run({ signal: all.signal, waitSignal: waiting.signal });
    const running = { key, ending, all, waiting, callers: 0, waiters: 0 };
    this.#running.set(key, running);
    const end = () => this.#forget(running);
    ending.then(end, end);
    return running;
  }

  // A load that has ended or was cancelled cannot be joined.
  #forget(running: Running): void {
    if (this.#running.get(running.key) === running) this.#running.delete(running.key);
  }
}

/**
 * Loads, or joins an equal load of this connection in flight.
 *
 * Loads of the same data with the same options are equal. A load with its own time limits is never joined, because they count
 * from its own start. A joined load sends no requests: `attempts` of its answer is 0, and progress counts none.
 *
 * @param what Identity of the load, in any form that JSON can represent
 * @param run Loads with the options that all callers share; returns `null` if nothing was needed
 */
export async function shareLoad<Result extends { readonly answer: AnswerHead }>(
  { loads }: { readonly loads: SharedLoads },
  { what, exchange }: { readonly what: unknown; readonly exchange: SendOptions },
  run: (exchange: SendOptions) => Promise<Result | null>,
): Promise<Result | null> {
  const { patience, signal, waitSignal, ...rest } = exchange;
  const isBounded = patience !== undefined &&
    (patience.deadlineMs !== null || patience.waits !== null);
  if (isBounded) return await run(exchange);
  const key = JSON.stringify([what, rest]);
  const own = { ...(signal && { signal }), ...(waitSignal && { waitSignal }) };
  const load = (signals: LoadSignals) => run({ ...exchange, ...signals });
  const { result, isJoined } = await loads.share<Result | null>(key, own, load);
  if (result === null || !isJoined) return result;
  return { ...result, answer: { ...result.answer, attempts: 0 } };
}
