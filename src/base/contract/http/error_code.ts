/** One error code of the API document. */
export interface ErrorCodeEntry {
  /** HTTP status of the code. */
  readonly status: 400 | 401 | 403 | 404 | 405 | 429 | 500 | 503;
  /** True if the same request can succeed later. */
  readonly retryable: boolean;
}

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
} as const satisfies Readonly<Record<string, ErrorCodeEntry>>;

/** A machine-readable error code of the API. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** True if the text is an error code that the API document defines. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERROR_CODES, value);
}
