import type { HandlerReply } from "./handler.ts";
import type { ApiReply, HeaderField, ReplyBody } from "./message.ts";
import type { Admission } from "./quota_gate.ts";
import type { Refusal } from "./refusal.ts";
import { VERSION } from "./version.ts";

const SERVER: HeaderField = ["Server", `scoreframe/${VERSION}`];
const VARY: HeaderField = ["Vary", "Authorization"];
const SYNTHETIC: HeaderField = ["X-Scoreframe-Synthetic", "true"];

/** What every reply of a request needs. */
export interface ReplyContext {
  /** Server time, epoch milliseconds. */
  readonly nowMs: number;
  /** Method of the request. */
  readonly method: string;
  /** Whether the numbers are made up. */
  readonly synthetic: boolean;
}

/** Makes the reply of one request, with the common headers of section 4.1. */
export class ReplyWriter {
  /** The service's id of this request. */
  readonly requestId: string = crypto.randomUUID();
  readonly #context: ReplyContext;

  /** @param context What every reply of the request needs */
  constructor(context: ReplyContext) {
    this.#context = context;
  }

  /** The reply of a data handler. */
  handled(reply: HandlerReply, admission: Admission): ApiReply {
    const headers = [...this.#common(), ...admission.headers(), ...reply.headers];
    return this.#reply({ status: reply.status, headers, body: reply.body }, admission);
  }

  /** The reply of a refusal: an error object of section 7, or its headers alone for HEAD. */
  refused(refusal: Refusal, admission: Admission | null): ApiReply {
    const { retryAfterSeconds, headers: own = [] } = refusal.options;
    const headers: HeaderField[] = [
      ...this.#common(),
      ...admission?.headers() ?? [],
      ...own,
      ["Cache-Control", "private, no-store"],
      ["Content-Type", "application/json"],
    ];
    if (retryAfterSeconds !== undefined) headers.push(["Retry-After", String(retryAfterSeconds)]);
    const body = this.#context.method === "HEAD"
      ? null
      : new TextEncoder().encode(refusal.toJson(this.requestId));
    return this.#reply({ status: refusal.status, headers, body }, admission);
  }

  #common(): HeaderField[] {
    const { nowMs, synthetic } = this.#context;
    const common: HeaderField[] = [
      ["X-Request-Id", this.requestId],
      ["Date", httpDate(nowMs)],
      SERVER,
      VARY,
    ];
    if (synthetic) common.push(SYNTHETIC);
    return common;
  }

  #reply(
    parts: { status: number; headers: readonly HeaderField[]; body: ReplyBody },
    admission: Admission | null,
  ): ApiReply {
    return { ...parts, finish: () => admission?.release() };
  }
}

let lastDate = { second: NaN, text: "" };

function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (lastDate.second !== second) {
    lastDate = { second, text: new Date(second * 1000).toUTCString() };
  }
  return lastDate.text;
}
