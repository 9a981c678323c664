import { CONTRACT_VERSION } from "../../contract/limits.ts";
import type { HandlerReply } from "./handler.ts";
import type { ApiReply, HeaderField, ReplyBody } from "../message/message.ts";
import type { Refusal } from "../message/refusal.ts";
import type { Trace } from "./trace.ts";
import { VERSION } from "../message/version.ts";

const SERVER: HeaderField = ["Server", `scoreframe/${VERSION}`];
const CONTRACT: HeaderField = ["X-Scoreframe-Contract", CONTRACT_VERSION];
const VARY: HeaderField = ["Vary", "Authorization"];

/** Marks an answer whose numbers are made up; in CSV nothing else could say so. */
export const SYNTHETIC: HeaderField = ["X-Scoreframe-Synthetic", "true"];

// Only an injected fault refuses with one of these.
const BODILESS = [204, 205, 304];

/** Marks an answer of a server whose clock stands still: no allowance renews, however long a client waits. */
const STOPPED: HeaderField = ["X-Scoreframe-Clock", "stopped"];

/** A reply without what follows its delivery. */
export type ReplyHead = Pick<ApiReply, "status" | "headers" | "body">;

/** Makes the replies of a server, with the common headers of section 4.1. */
export class ReplyWriter {
  readonly #synthetic: boolean;
  readonly #isStopped: () => boolean;
  #date = { second: NaN, text: "" };

  /** @param options Whether the numbers are made up, and whether the server's clock stands still now */
  constructor(options: { readonly synthetic: boolean; readonly isStopped?: () => boolean }) {
    this.#synthetic = options.synthetic;
    this.#isStopped = options.isStopped ?? (() => false);
  }

  /** The reply of a data handler, or of a page that is not the API's. */
  handled(reply: ReplyHead | HandlerReply, trace: Trace): ReplyHead {
    const budgets = trace.admission?.headers() ?? [];
    const own = reply.headers.filter((header) => header !== SYNTHETIC || !this.#synthetic);
    const headers = [...this.#common(trace), ...budgets, ...own];
    return { status: reply.status, headers, body: reply.body };
  }

  /** The reply of a refusal: an error object of section 7, or its headers alone for HEAD. */
  refused(refusal: Refusal, trace: Trace, method: string): ReplyHead {
    const { retryAfterSeconds, headers: own = [] } = refusal.options;
    const headers: HeaderField[] = [
      ...this.#common(trace),
      ...trace.admission?.headers() ?? [],
      ...own,
      ["Cache-Control", "private, no-store"],
      ["Content-Type", "application/json"],
    ];
    if (retryAfterSeconds !== undefined) headers.push(["Retry-After", String(retryAfterSeconds)]);
    const json = refusal.toJson(trace.requestId);
    const isBare = method === "HEAD" || BODILESS.includes(refusal.status);
    const body: ReplyBody = isBare ? null : new TextEncoder().encode(json);
    return { status: refusal.status, headers, body };
  }

  #common({ requestId, nowMs }: Trace): HeaderField[] {
    const common: HeaderField[] = [
      ["X-Request-Id", requestId],
      ["Date", this.#httpDate(nowMs)],
      SERVER,
      CONTRACT,
      VARY,
    ];
    if (this.#synthetic) common.push(SYNTHETIC);
    if (this.#isStopped()) common.push(STOPPED);
    return common;
  }

  #httpDate(nowMs: number): string {
    const second = Math.floor(nowMs / 1000);
    if (this.#date.second !== second) {
      this.#date = { second, text: new Date(second * 1000).toUTCString() };
    }
    return this.#date.text;
  }
}
