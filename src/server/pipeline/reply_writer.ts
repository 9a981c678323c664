import { CONTRACT_VERSION, PACKAGE_VERSION } from "../../base/contract/limits.ts";
import {
  type ApiReply,
  type HandlerReply,
  type HeaderField,
  type ReplyBody,
  SYNTHETIC,
} from "../message/message.ts";
import type { Refusal } from "../message/refusal.ts";
import type { AdmittedRequest } from "../account/quota_gate.ts";

const CONTRACT: HeaderField = ["X-Scoreframe-Contract", CONTRACT_VERSION];
const VARY: HeaderField = ["Vary", "Authorization"];

// Only injected faults have one of these.
const BODILESS = [204, 205, 304];

/** Marks an answer of a server whose clock stands still, where waiting renews no allowance. */
const STOPPED: HeaderField = ["X-Scoreframe-Clock", "stopped"];

/** Facts that the pipeline collects about a request, for the reply, the journal and the quota. */
export interface Trace {
  /** The service's id of the request. */
  readonly requestId: string;
  /** Its number in order of arrival. */
  readonly arrival: number;
  /** Server time of its arrival, epoch milliseconds. */
  readonly nowMs: number;
  /** Real time of its arrival, epoch milliseconds. */
  readonly realMs: number;
  /** Account, once the key is recognised. */
  account: string | null;
  /** Admission, once granted. */
  admission: AdmittedRequest | null;
  /** True if the answer can never change, because of `at` or `snapshot_id`. */
  immutable: boolean;
  /** Kinds of the applied faults. */
  faults: readonly string[];
  /** Error code of the answer. */
  code: string | null;
  /** Reason of a refusal. */
  note: string | null;
  /** Id of the set, or checksum of the release, of the answer. */
  serves: string | null;
}

/** Status, headers and body of a reply. */
export type ReplyHead = Pick<ApiReply, "status" | "headers" | "body">;

/** Facts in every reply of a server. */
export interface ReplyWriterOptions {
  /** True for synthetic numbers. */
  readonly isSynthetic: () => boolean;
  /** True while the server's clock stands still. @default never */
  readonly isStopped?: () => boolean;
  /** Name in the `Server` header. @default this package's embedded server */
  readonly server?: () => string;
  /** Headers of a reply to a request that was not admitted. @default none */
  readonly unadmitted?: readonly HeaderField[];
}

/** Name of an embedded server for clients. */
export const EMBEDDED_SERVER = `scoreframe/${PACKAGE_VERSION}`;
const DEFAULTS = { isStopped: () => false, server: () => EMBEDDED_SERVER, unadmitted: [] };

/** Creates the replies of a server, with the common headers of section 4.1. */
export class ReplyWriter {
  readonly #options: Required<ReplyWriterOptions>;
  #date = { second: NaN, text: "" };

  /** @param options Facts in every reply */
  constructor(options: ReplyWriterOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Reply of a data handler, or of a page beside the API. */
  handled(reply: ReplyHead | HandlerReply, trace: Trace): ReplyHead {
    const budgets = trace.admission?.headers() ?? [];
    const isSynthetic = this.#options.isSynthetic();
    const own = reply.headers.filter((header) => header !== SYNTHETIC || !isSynthetic);
    const headers = [...this.#common(trace), ...budgets, ...own];
    return { status: reply.status, headers, body: reply.body };
  }

  /** Reply of a refusal: an error object of section 7, or only its headers for HEAD. */
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

  #common({ requestId, nowMs, admission }: Trace): HeaderField[] {
    const { isSynthetic, isStopped, server, unadmitted } = this.#options;
    const common: HeaderField[] = [
      ["X-Request-Id", requestId],
      ["Date", this.#httpDate(nowMs)],
      ["Server", server()],
      CONTRACT,
      VARY,
    ];
    if (isSynthetic()) common.push(SYNTHETIC);
    if (isStopped()) common.push(STOPPED);
    if (admission === null) common.push(...unadmitted);
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

/** Value of a header in a list of fields, by its exact name. */
export function headerOf(headers: readonly HeaderField[], name: string): string | null {
  return headers.find(([candidate]) => candidate === name)?.[1] ?? null;
}
