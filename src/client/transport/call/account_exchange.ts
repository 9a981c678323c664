import { AccessError, ScoreframeError, TransportError } from "../../../base/errors.ts";
import {
  type Answer,
  type Exchange,
  type ExchangeRequest,
  type IfNeededOptions,
  isFileGet,
  type SendOptions,
  type StreamedAnswer,
} from "../exchange.ts";
import type { PlaceObstacle } from "../allowance/admission.ts";
import { type OpenAttempt, openAttempt } from "./attempt.ts";
import { AttemptRefused } from "./attempt_problem.ts";
import { type Attempt, attemptEvent, type Outcome } from "./attempt_event.ts";
import { readBody, readChunks } from "./body.ts";
import { beginCall, type Call, waitingSignals } from "./call.ts";
import {
  callFailure,
  failedAttempt,
  type FailureContext,
  failureWords,
  wasNeverSent,
} from "./call_failure.ts";
import { Deadline } from "./deadline.ts";
import type { ExchangeSettings } from "./exchange_settings.ts";
import type { Credential } from "../wire/credential.ts";
import { Gate } from "../allowance/gate.ts";
import { waitAloud } from "../long_wait.ts";
import { refusalError, refusedEarlier } from "./refusal_error.ts";
import { type NoRetryReason, planRetry } from "./retry.ts";

// 10,000 rows are about 400 kB; a body of this size is not a score set.
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const LEFT_EARLY = Object.assign(new Error("the reader left"), { code: "left_early" });

/** Exchange with one service for one account. */
export class AccountExchange implements Exchange {
  readonly origin: string;
  #settings: ExchangeSettings;
  readonly #gate: Gate;
  readonly #closed = new AbortController();
  readonly #flying = new Set<Attempt>();
  #refused: AccessError | null = null;
  #ofEarlierKey: ReadonlySet<Attempt> = new Set();
  #hasAnswered = false;

  /** @param settings Parts of the exchange */
  constructor(settings: ExchangeSettings) {
    this.origin = settings.origin;
    this.#settings = settings;
    this.#gate = new Gate(settings.ledger, settings.clock, settings.onWait);
  }

  async send(request: ExchangeRequest, options: SendOptions = {}): Promise<Answer> {
    return (await this.sendIfNeeded(request, options))!;
  }

  async sendIfNeeded(request: ExchangeRequest, options: IfNeededOptions): Promise<Answer | null> {
    const call = this.#begin(request, options);
    try {
      return await this.#repeat(call, options, (attempt) => this.#receive(attempt));
    } finally {
      call.total.stop();
    }
  }

  async open(
    request: ExchangeRequest,
    options: IfNeededOptions = {},
  ): Promise<StreamedAnswer | null> {
    const call = this.#begin(request, options);
    let answer: StreamedAnswer | null = null;
    try {
      answer = await this.#repeat(call, options, (attempt) => this.#stream(attempt));
      return answer;
    } finally {
      if (answer === null) call.total.stop();
    }
  }

  async close(): Promise<void> {
    this.#closed.abort(
      new TransportError(
        "Cannot use the connection: expected an open one, got a closed one; connect() again",
      ),
    );
    // Requests in flight are settled now, while the ledger is open.
    for (const attempt of this.#flying) this.#end(attempt);
    await this.#settings.sender.close();
  }

  /** Sends with a key from now on, which may be one that was refused before; the ledger stays that of the account. */
  renew(credential: Credential): void {
    this.#settings = { ...this.#settings, credential };
    this.#ofEarlierKey = new Set(this.#flying);
    this.#refused = null;
  }

  #begin(request: ExchangeRequest, options: SendOptions): Call {
    const closed = this.#closed.signal;
    if (!closed.aborted) return beginCall(request, options, { settings: this.#settings, closed });
    throw new TransportError(
      `Cannot ${request.action}: expected an open connection, got a closed one; nothing was sent; ` +
        `connect() again`,
    );
  }

  #assertKey({ action }: ExchangeRequest): void {
    if (this.#refused !== null) throw refusedEarlier(action, this.#refused);
  }

  async #repeat<Result>(
    call: Call,
    { isNeeded = () => Promise.resolve(true), onUnsent }: IfNeededOptions,
    run: (attempt: Attempt) => Promise<Result>,
  ): Promise<Result | null> {
    for (let number = 1;; number++) {
      this.#assertKey(call.request);
      const attempt = await this.#admit(call, number);
      try {
        const isWanted = await isNeeded();
        if (isWanted && this.#refused === null) return await run(attempt);
        attempt.ticket.cancel();
        this.#end(attempt);
        if (!isWanted) return null;
      } catch (error) {
        this.#note(attempt, { error });
        if (wasNeverSent(error)) {
          attempt.ticket.cancel();
          onUnsent?.();
        }
        this.#end(attempt);
        await this.#waitOrThrow(attempt, error);
      }
    }
  }

  async #admit(call: Call, number: number): Promise<Attempt> {
    const { total, request, waits, reserve } = call;
    const signals = waitingSignals(call);
    const isFile = isFileGet(request);
    const leaseMs = isFile ? call.deadlineMs : call.timeoutMs;
    let full: PlaceObstacle | null = null;
    const onFull = (obstacle: PlaceObstacle) => void (full = obstacle);
    try {
      const ticket = await this.#gate.pass(request, { signals, waits, reserve, leaseMs, onFull });
      // The key may have been refused while this request waited for its turn.
      if (this.#refused !== null) ticket.cancel();
      this.#assertKey(request);
      // Ending a transfer early costs a download, so its time starts with its turn, not with the wait for it.
      if (isFile) total.restart(call.deadlineMs);
      const deadline = new Deadline(call.timeoutMs, total.signal);
      const attempt = { call, ticket, deadline, number, sentAtMs: this.#settings.clock.now() };
      this.#flying.add(attempt);
      return attempt;
    } catch (error) {
      throw error instanceof ScoreframeError ? error : this.#explainWait(call, error, { full });
    }
  }

  async #receive(attempt: Attempt): Promise<Answer> {
    const { call, deadline, number } = attempt;
    const { head, response } = await this.#open(attempt);
    const { signal } = deadline;
    const hasBody = head.status === 200 && call.request.method === "GET";
    const body = hasBody
      ? await readBody(response, { maxBytes: MAX_BODY_BYTES, signal })
      : new Uint8Array();
    this.#end(attempt);
    this.#note(attempt, { head, bodyBytes: body.length });
    return { ...head, attempts: number, body };
  }

  async #stream(attempt: Attempt): Promise<StreamedAnswer> {
    const { number, call } = attempt;
    const { head, response } = await this.#open(attempt);
    const progress = { bodyBytes: 0, error: undefined as unknown };
    let isNoted = false;
    const note = () => {
      if (!isNoted) this.#note(attempt, { head, ...progress });
      isNoted = true;
    };
    const close = () => {
      note();
      call.total.stop();
      this.#end(attempt);
      return Promise.resolve();
    };
    if (head.status === 304) await close();
    const chunks = this.#chunks(attempt, response, { progress, note, close });
    return { ...head, attempts: number, chunks, close };
  }

  async *#chunks(
    attempt: Attempt,
    response: OpenAttempt["response"],
    stream: {
      readonly progress: { bodyBytes: number; error: unknown };
      note(): void;
      close(): Promise<void>;
    },
  ): AsyncGenerator<Uint8Array, void, void> {
    const { deadline, call } = attempt;
    const { progress, note, close } = stream;
    progress.error = LEFT_EARLY;
    try {
      deadline.restart();
      for await (const chunk of readChunks(response, deadline.signal)) {
        progress.bodyBytes += chunk.length;
        yield chunk;
        deadline.restart();
      }
      progress.error = undefined;
      // The slot is kept until the caller frees it.
      deadline.stop();
      call.total.stop();
    } catch (error) {
      progress.error = error;
      throw this.#explain(call, error, { deadline });
    } finally {
      note();
      if (progress.error !== undefined) await close();
    }
  }

  #open(attempt: Attempt): Promise<OpenAttempt> {
    const { call, ticket, deadline } = attempt;
    return openAttempt(call, ticket, { settings: this.#settings, deadline });
  }

  #end(attempt: Attempt): void {
    this.#flying.delete(attempt);
    attempt.deadline.stop();
    attempt.ticket.settle();
  }

  #explain(call: Call, error: unknown, state: Omit<FailureContext, "settings">): unknown {
    return callFailure(call, error, { ...state, settings: this.#settings });
  }

  #explainWait(call: Call, error: unknown, state: Omit<FailureContext, "settings">): unknown {
    const { waitSignal, total } = call;
    const isEnded = waitSignal?.aborted === true && !total.signal.aborted;
    return isEnded ? waitSignal.reason : this.#explain(call, error, state);
  }

  async #waitOrThrow(attempt: Attempt, error: unknown): Promise<void> {
    const { call, number, deadline } = attempt;
    const { clock, onWait } = this.#settings;
    const nowMs = clock.now();
    const plan = planRetry(failedAttempt(error, call), {
      spendsDownload: isFileGet(call.request),
      attempts: number,
      maxRetries: call.maxRetries,
      waitLeftMs: call.waits.leftFrom(nowMs),
      nowMs,
      random: clock.random(),
      isClockStopped: this.#settings.ledger.read().isClockStopped === true,
    });
    if (!plan.retry) {
      if (error instanceof AttemptRefused) throw this.#refusal(attempt, error, plan.because);
      throw this.#explain(call, error, { deadline, attempts: number });
    }
    const waitMs = Math.ceil(plan.atMs - nowMs);
    call.waits.spend(nowMs, nowMs + waitMs);
    try {
      const signal = AbortSignal.any([...waitingSignals(call)]);
      await waitAloud(clock, waitMs, { because: failureWords(error), signal, onWait });
    } catch (stopped) {
      throw this.#explainWait(call, stopped, { attempts: number });
    }
  }

  #refusal(attempt: Attempt, { refusal }: AttemptRefused, because: NoRetryReason): Error {
    const { call, number: attempts } = attempt;
    const error = refusalError(refusal, {
      action: call.request.action,
      credential: this.#settings.credential,
      maxWaitMs: call.waits.totalMs,
      hasAnswered: this.#hasAnswered,
      because,
      attempts,
    });
    const isOfKey = error instanceof AccessError && error.code === "unauthorized";
    if (isOfKey && !this.#ofEarlierKey.has(attempt)) this.#refused = error;
    return error;
  }

  #note(attempt: Attempt, outcome: Outcome): void {
    this.#hasAnswered ||= outcome.head !== undefined;
    const endedAtMs = this.#settings.clock.now();
    this.#settings.log.add(attemptEvent(attempt, { ...outcome, endedAtMs }));
  }
}
