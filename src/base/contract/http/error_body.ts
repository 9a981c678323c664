import * as z from "zod/mini";
import {
  aCount,
  aFlag,
  anyText,
  aText,
  object,
  orAbsent,
  read,
  theRest,
  type Wire,
  write,
} from "../schema.ts";

/** The error object of a response (section 7). */
export interface ErrorBody {
  /** Machine-readable code of the API document or a later edition. */
  readonly error: string;
  /** Readable text, not for branching. */
  readonly message: string;
  /** Same value as the `X-Request-Id` header. */
  readonly requestId: string;
  /** True if the same request can succeed later. */
  readonly retryable: boolean;
  /** The refused factor, on `factor_subscription_required`. */
  readonly factor: string | null;
  /** On rate-limit errors. */
  readonly retryAfterSeconds: number | null;
  /** Details of validation errors, whose structure is not shown. */
  readonly details: unknown;
  /** Fields that the API document does not define, as received. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const BODY = object<ErrorBody>({
  error: aText,
  message: anyText,
  requestId: anyText,
  retryable: aFlag,
  factor: orAbsent(anyText),
  retryAfterSeconds: orAbsent(aCount),
  details: z.optional(z.unknown()),
  extra: theRest,
});

/** The error codes of section 7. The document does not say if 500 is retryable; it asks to keep the request id. */
export const ERROR_CODES = {
  invalid_request: { status: 400, retryable: false },
  invalid_factor: { status: 400, retryable: false },
  use_at_or_snapshot_id: { status: 400, retryable: false },
  future_observation_requested: { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  factor_subscription_required: { status: 403, retryable: false },
  subscription_required: { status: 403, retryable: false },
  insufficient_scope: { status: 403, retryable: false },
  research_admin_only: { status: 403, retryable: false },
  ticker_not_found: { status: 404, retryable: false },
  score_snapshot_not_available: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  rate_limit_exceeded: { status: 429, retryable: true },
  daily_limit_exceeded: { status: 429, retryable: true },
  download_limit_exceeded: { status: 429, retryable: true },
  concurrent_request_limit: { status: 429, retryable: true },
  internal_error: { status: 500, retryable: false },
  service_unavailable: { status: 503, retryable: true },
  request_timeout: { status: 503, retryable: true },
  score_snapshot_preparing: { status: 503, retryable: true },
  historical_export_preparing: { status: 503, retryable: true },
} as const satisfies Readonly<
  Record<
    string,
    { readonly status: 400 | 401 | 403 | 404 | 405 | 429 | 500 | 503; readonly retryable: boolean }
  >
>;

/** A machine-readable error code of the API. */
export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * Reads an error object.
 *
 * @throws {ContractViolation} If a required field is missing or malformed
 * @see API document, section 7
 */
export function parseErrorBody(value: unknown): ErrorBody {
  return read(BODY, value, "$");
}

/** Wire form of an error object, without fields that do not apply. */
export function encodeErrorBody(body: ErrorBody): Wire {
  return write(BODY, body);
}

/** True if the text is an error code that the API document defines. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERROR_CODES, value);
}
