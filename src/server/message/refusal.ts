import {
  encodeErrorBody,
  ERROR_CODES,
  type ErrorCode,
  isErrorCode,
} from "../../base/contract/http/error_body.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { HeaderField } from "./message.ts";

const PREPARING_RETRY_SECONDS = 60;

/** Contents of a refusal besides its code and message. */
export interface RefusalOptions {
  /** HTTP status, if it is not that of the code: 408, 413, 414, 415 and 431 of the transport. */
  readonly status?: number;
  /** Headers of this refusal alone. */
  readonly headers?: readonly HeaderField[];
  /** The refused factor. */
  readonly factor?: Factor;
  /** Seconds to wait, sent as `Retry-After`; at least 1. */
  readonly retryAfterSeconds?: number;
  /** Failed rule, for validation errors. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Suggestion or alternatives, sent with the message. */
  readonly hint?: string;
  /** Reason for the journal; never sent. */
  readonly note?: string;
}

/** Error of a stage of the pipeline; it becomes an error object of section 7. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** Machine-readable code. */
  readonly code: ErrorCode;
  /** HTTP status. */
  readonly status: number;
  /** The rest. */
  readonly options: RefusalOptions;

  /**
   * @param code Error code of section 7
   * @param message Readable text; it is sent, so it must not contain a key, a path or a stack
   * @param options Further contents of the refusal
   */
  constructor(code: ErrorCode, message: string, options: RefusalOptions = {}) {
    super(options.hint === undefined ? message : `${message}; ${options.hint}`);
    this.code = code;
    this.status = options.status ?? ERROR_CODES[code].status;
    this.options = options;
  }

  /** Reason for the journal. */
  get note(): string | null {
    return this.options.note ?? this.options.hint ?? null;
  }

  /** The error object as JSON text. */
  toJson(requestId: string): string {
    const { factor, retryAfterSeconds, details } = this.options;
    return JSON.stringify(encodeErrorBody({
      error: this.code,
      message: this.message,
      requestId,
      retryable: isErrorCode(this.code) ? ERROR_CODES[this.code].retryable : this.status >= 500,
      factor: factor ?? null,
      retryAfterSeconds: this.status === 429 ? retryAfterSeconds ?? null : null,
      details,
      extra: {},
    }));
  }
}

/** Refusal 503 for data that does not exist yet. */
export function preparing(
  code: "score_snapshot_preparing" | "historical_export_preparing",
  message: string,
  options: { readonly note?: string } = {},
): Refusal {
  return new Refusal(code, message, { ...options, retryAfterSeconds: PREPARING_RETRY_SECONDS });
}

/** Refusal of a decision time in the future. */
export function inFuture(note?: string): Refusal {
  return new Refusal("future_observation_requested", "at must not be in the future", {
    details: { field: "at", rule: "must not be in the future" },
    ...(note !== undefined && { note }),
  });
}
