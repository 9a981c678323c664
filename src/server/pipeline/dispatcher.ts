import { instantOf } from "../../base/contract/instant.ts";
import { sha256Hex } from "../../base/store/layout.ts";
import { ConductObserver } from "../journal/conduct.ts";
import type { Journal } from "../journal/journal.ts";
import { maskUrlKeys } from "../../base/contract/key.ts";
import type { ApiReply, ApiRequest, DeliveryOutcome } from "../message/message.ts";
import { answer, type PipelineReply } from "./pipeline.ts";
import type { PipelineParts } from "./pipeline_parts.ts";
import type { Refusal } from "../message/refusal.ts";
import { headerOf, type Trace } from "./reply_writer.ts";

const MAX_TARGET = 300;
const ACCOUNT_WIDE = ["rate_limit_exceeded", "daily_limit_exceeded", "concurrent_request_limit"];

/** Passes requests through the pipeline, and records how each one ended. */
export class Dispatcher {
  readonly #parts: PipelineParts;
  readonly #journal: Journal;
  readonly #realNow: () => number;
  readonly #conduct = new ConductObserver();
  #arrivals = 0;

  /** @param options Pipeline, journal, and real time, epoch milliseconds */
  constructor(options: { parts: PipelineParts; journal: Journal; realNow: () => number }) {
    this.#parts = options.parts;
    this.#journal = options.journal;
    this.#realNow = options.realNow;
  }

  /** Answers a request. */
  async answer(request: ApiRequest): Promise<ApiReply> {
    const trace = this.#begin();
    const reply = await answer(this.#parts, request, trace);
    return this.#finishable(reply, trace, request);
  }

  /** Answers bytes that never became a request. */
  refuse(refusal: Refusal, request: ApiRequest | null): ApiReply {
    const trace = this.#begin();
    trace.code = refusal.code;
    trace.note = refusal.note;
    const head = this.#parts.writer.refused(refusal, trace, request?.method ?? "GET");
    return this.#finishable({ ...head, delivery: null }, trace, request);
  }

  #begin(): Trace {
    return {
      requestId: crypto.randomUUID(),
      arrival: this.#arrivals++,
      nowMs: this.#parts.clock.nowMs(),
      realMs: this.#realNow(),
      account: null,
      admission: null,
      immutable: false,
      faults: [],
      code: null,
      note: null,
      serves: null,
    };
  }

  #finishable(reply: PipelineReply, trace: Trace, request: ApiRequest | null): ApiReply {
    let finished = false;
    const free = () => trace.admission?.free();
    const finish = (outcome: DeliveryOutcome) => {
      if (finished) return;
      finished = true;
      free();
      this.#record({ reply, trace, request, outcome });
    };
    return { ...reply, free, finish };
  }

  #record(end: FinishedExchange): void {
    const { reply, trace, request, outcome } = end;
    const target = request?.target ?? "";
    this.#journal.record({
      requestId: trace.requestId,
      at: instantOf(trace.nowMs),
      method: request?.method ?? "",
      target: maskUrlKeys(target.slice(0, MAX_TARGET)),
      account: trace.account,
      status: reply.status,
      code: trace.code,
      serves: trace.serves,
      spentRequests: trace.admission?.requestsSpent ?? 0,
      spentDownloads: trace.admission?.downloadsSpent ?? 0,
      sentBytes: outcome.sentBytes,
      complete: outcome.complete,
      durationMs: this.#realNow() - trace.realMs,
      note: trace.note,
      faults: trace.faults,
      complaints: request === null ? [] : this.#observe(end, request),
    }, trace.arrival);
  }

  #observe(end: FinishedExchange, request: ApiRequest): readonly string[] {
    const { reply, trace, outcome } = end;
    const retryAfter = headerOf(reply.headers, "Retry-After");
    const wasGiven = outcome.complete && trace.faults.length === 0;
    return this.#conduct.observe({
      client: trace.account ?? clientOf(request),
      target: request.target,
      method: request.method,
      status: reply.status,
      retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
      accountWide: ACCOUNT_WIDE.includes(trace.code ?? ""),
      etag: wasGiven ? headerOf(reply.headers, "ETag") : null,
      immutable: trace.immutable,
      spentDownloads: trace.admission?.downloadsSpent ?? 0,
      arrived: { realMs: trace.realMs, serverMs: trace.nowMs },
      ended: { realMs: this.#realNow(), serverMs: this.#parts.clock.nowMs() },
    });
  }
}

interface FinishedExchange {
  readonly reply: PipelineReply;
  readonly trace: Trace;
  readonly request: ApiRequest | null;
  readonly outcome: DeliveryOutcome;
}

function clientOf(request: ApiRequest): string {
  const authorization = request.header("authorization");
  return authorization === null ? "without a key" : `key ${sha256Hex(authorization).slice(0, 12)}`;
}
