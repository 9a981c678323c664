import { AccessError, ContractError, ScoreframeError, TransportError } from "../errors.ts";
import { type OpenAttempt, openAttempt } from "./attempt.ts";
import { AttemptProblem, AttemptRefused } from "./attempt_problem.ts";
import { readBody, readChunks } from "./body.ts";
import { beginCall, type Call } from "./call.ts";
import { Deadline } from "./deadline.ts";
import type {
  Answer,
  Exchange,
  ExchangeOptions,
  ExchangeRequest,
  StreamedAnswer,
} from "./exchange.ts";
import type { ExchangeSettings } from "./exchange_settings.ts";
import { Gate, type Ticket } from "./gate.ts";
import { isFileGet } from "./_spending.ts";
import { refusalError } from "./refusal_error.ts";
import { type NoRetryReason, planRetry } from "./retry.ts";

// 10,000 rows are about 400 kB; a body of this size is no score set.
const MAX_BODY_BYTES = 64 * 1024 * 1024;

interface Attempt {
  readonly call: Call;
  readonly ticket: Ticket;
  readonly deadline: Deadline;
  readonly number: number;
  readonly sentAtMs: number;
}

/** Exchanges with one service for one account. */
export class AccountExchange implements Exchange {
  readonly origin: string;
  readonly #settings: ExchangeSettings;
  readonly #gate: Gate;
  #refusedKey: AccessError | null = null;

  /** @param settings What the exchange is made of */
  constructor(settings: ExchangeSettings) {
    this.origin = settings.origin;
    this.#settings = settings;
    this.#gate = new Gate(settings.ledger, settings.clock);
  }

  async send(request: ExchangeRequest, options: ExchangeOptions = {}): Promise<Answer> {
    const call = beginCall(request, options, this.#settings);
    try {
      return await this.#repeat(call, (attempt) => this.#receive(attempt));
    } finally {
      call.total.stop();
    }
  }

  async open(request: ExchangeRequest, options: ExchangeOptions = {}): Promise<StreamedAnswer> {
    const call = beginCall(request, options, this.#settings);
    try {
      return await this.#repeat(call, (attempt) => this.#stream(attempt));
    } catch (error) {
      call.total.stop();
      throw error;
    }
  }

  async #repeat<Result>(call: Call, run: (attempt: Attempt) => Promise<Result>): Promise<Result> {
    for (let number = 1;; number++) {
      this.#assertKeyNotRefused(call);
      const attempt = await this.#admit(call, number);
      try {
        return await run(attempt);
      } catch (error) {
        this.#end(attempt);
        this.#note(attempt, { error });
        await this.#waitOrThrow(attempt, error);
      }
    }
  }

  async #admit(call: Call, number: number): Promise<Attempt> {
    const { signal } = call.total;
    const leaseMs = isFileGet(call.request) ? call.deadlineMs : call.timeoutMs;
    try {
      const { budget, reserve } = call;
      const ticket = await this.#gate.pass(call.request, { signal, budget, reserve, leaseMs });
      const deadline = new Deadline(call.timeoutMs, signal);
      return { call, ticket, deadline, number, sentAtMs: this.#settings.clock.now() };
    } catch (error) {
      throw error instanceof ScoreframeError ? error : this.#explain(call, error);
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
    this.#note(attempt, { head, bodyBytes: null });
    const close = () => {
      call.total.stop();
      this.#end(attempt);
      return Promise.resolve();
    };
    if (head.status === 304) await close();
    return { ...head, attempts: number, chunks: this.#chunks(attempt, response, close), close };
  }

  async *#chunks(
    attempt: Attempt,
    response: OpenAttempt["response"],
    close: () => Promise<void>,
  ): AsyncGenerator<Uint8Array, void, void> {
    const { deadline, call } = attempt;
    try {
      deadline.restart();
      for await (const chunk of readChunks(response, deadline.signal)) {
        yield chunk;
        deadline.restart();
      }
    } catch (error) {
      throw this.#explain(call, error, { deadline });
    } finally {
      await close();
    }
  }

  #open(attempt: Attempt): Promise<OpenAttempt> {
    const { call, ticket, deadline } = attempt;
    return openAttempt(call, ticket, { settings: this.#settings, deadline });
  }

  #end({ deadline, ticket }: Attempt): void {
    deadline.stop();
    ticket.land();
  }

  async #waitOrThrow(attempt: Attempt, error: unknown): Promise<void> {
    const { call, number, deadline } = attempt;
    const { clock } = this.#settings;
    const nowMs = clock.now();
    const plan = planRetry(failedAttempt(error, call), {
      spendsDownload: isFileGet(call.request),
      attempts: number,
      maxRetries: call.maxRetries,
      waitLeftMs: call.budget.leftMs,
      nowMs,
      random: clock.random(),
    });
    if (!plan.retry) {
      if (error instanceof AttemptRefused) throw this.#refusal(attempt, error, plan.because);
      throw this.#explain(call, error, { deadline, attempts: number });
    }
    const waitMs = Math.ceil(plan.atMs - nowMs);
    call.budget.spend(waitMs);
    try {
      await clock.sleep(waitMs, call.total.signal);
    } catch (stopped) {
      throw this.#explain(call, stopped);
    }
  }

  #refusal(attempt: Attempt, { refusal }: AttemptRefused, because: NoRetryReason): Error {
    const { call, number: attempts } = attempt;
    const { credential } = this.#settings;
    const { action } = call.request;
    const maxWaitMs = call.budget.totalMs;
    const error = refusalError(refusal, { action, credential, because, attempts, maxWaitMs });
    const isUnauthorized = error instanceof AccessError && error.code === "unauthorized";
    if (isUnauthorized) this.#refusedKey = error;
    return error;
  }

  // Section 5: a refused key must not be tried again unchanged.
  #assertKeyNotRefused({ request }: Call): void {
    const refused = this.#refusedKey;
    if (refused === null) return;
    throw new AccessError(
      `Cannot ${request.action}: the service refused this key before (401 unauthorized; request ` +
        `${refused.requestId}), nothing was sent; connect() with another key`,
      refused,
    );
  }

  // What went wrong, in the terms of the caller; the key is in no part of it.
  #explain(
    { request, cancelled, total, ...call }: Call,
    error: unknown,
    attempt: { readonly deadline?: Deadline; readonly attempts?: number } = {},
  ) {
    const { deadline, attempts = 1 } = attempt;
    if (error instanceof ContractError) return error;
    const tried = attempts > 1 ? `; tried ${attempts} times` : "";
    const because = (reason: string, cause?: Error) =>
      new TransportError(`Cannot ${request.action}: ${reason}${tried}`, cause && { cause });
    if (error instanceof AttemptProblem) return because(error.message);
    if (cancelled.aborted) return cancelled.reason;
    if (total.isOver) {
      const { deadlineMs } = call;
      return because(`the whole call must end within deadlineMs ${deadlineMs}, it did not`);
    }
    if (deadline?.isOver) {
      const { timeoutMs } = call;
      return because(`an answer within timeoutMs ${timeoutMs} is required, none was complete`);
    }
    const cause = plainCause(error, (text) => this.#settings.credential.redact(text));
    return because(
      `no whole answer came from ${this.origin}, ${cause.message}; check the address and the network`,
      cause,
    );
  }

  #note(
    { call, number, sentAtMs }: Attempt,
    outcome: {
      readonly error?: unknown;
      readonly head?: OpenAttempt["head"];
      readonly bodyBytes?: number | null;
    },
  ): void {
    const { error, head, bodyBytes = null } = outcome;
    const refusal = error instanceof AttemptRefused ? error.refusal : null;
    this.#settings.log.add({
      atMs: sentAtMs,
      method: call.request.method,
      path: call.request.path,
      attempt: number,
      status: head?.status ?? refusal?.status ?? null,
      problem: error === undefined ? null : refusal?.body?.error ?? problemName(error),
      requestId: head?.requestId ?? refusal?.requestId ?? null,
      durationMs: this.#settings.clock.now() - sentAtMs,
      bodyBytes,
    });
  }
}

function failedAttempt(error: unknown, call: Call) {
  if (error instanceof AttemptRefused) {
    const { status, body, retryAtMs } = error.refusal;
    return { status, code: body?.error ?? null, retryable: body?.retryable ?? null, retryAtMs };
  }
  const isFinal = error instanceof ScoreframeError || call.total.signal.aborted ||
    error instanceof AttemptProblem && !error.isTemporary;
  return { status: null, code: null, retryable: isFinal ? false : null, retryAtMs: null };
}

function problemName(error: unknown): string {
  if (error instanceof AttemptProblem) return "unusable_answer";
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : error instanceof Error ? error.name : "error";
}

// An allow-list: what a runtime attaches to its network errors may hold the request with its headers.
function plainCause(error: unknown, redact: (text: string) => string): Error {
  if (!(error instanceof Error)) return new Error("an unknown failure");
  const code = (error as Error & { code?: unknown }).code;
  const text = [code, error.message].filter((part) => typeof part === "string" && part !== "");
  return new Error(redact([...new Set(text)].join(": ") || error.name).slice(0, 200));
}
