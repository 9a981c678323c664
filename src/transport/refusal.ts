import { type ErrorBody, parseErrorBody } from "../contract/error_body.ts";
import { describe } from "../contract/violation.ts";
import { parseBudgets, parseRetryAfter } from "../contract/header.ts";
import { isUuid } from "../contract/identifier.ts";

/** An answer with an error status, as far as it can be read. */
export interface ReadRefusal {
  /** HTTP status. */
  readonly status: number;
  /** The error object; `null` if the answer carried none. */
  readonly body: ErrorBody | null;
  /** The service's id of the request. */
  readonly requestId: string | null;
  /** The earliest time for another try by this machine's clock; `null` if the answer named none. */
  readonly retryAtMs: number | null;
  /** Media type of the answer. */
  readonly contentType: string;
}

/**
 * Reads an error answer. Status and media type are looked at before the body, which a proxy may have written.
 *
 * @param bytes The body, or `null` if it could not be received
 * @see API document, section 7
 */
export function readRefusal(
  response: { readonly status: number; readonly headers: Headers },
  bytes: Uint8Array | null,
  receivedAtMs: number,
): ReadRefusal {
  const { status, headers } = response;
  const contentType = mediaTypeOf(headers);
  const body = contentType === "application/json" && bytes !== null ? parseBody(bytes) : null;
  const requestId = headers.get("X-Request-Id") ?? body?.requestId ?? null;
  const seconds = body?.retryAfterSeconds;
  const told = [
    retryTimeOf(headers, receivedAtMs),
    typeof seconds === "number" ? receivedAtMs + seconds * 1000 : null,
    minuteResetMs(headers, receivedAtMs, body?.error ?? null),
  ].filter((time) => time !== null);
  return {
    status,
    body,
    requestId: requestId !== null && isUuid(requestId)
      ? requestId
      : requestId && describe(requestId),
    retryAtMs: told.length === 0 ? null : Math.max(...told),
    contentType,
  };
}

/** The media type of an answer, without parameters, in lower case. */
export function mediaTypeOf(headers: Headers): string {
  return (headers.get("Content-Type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/** The `Date` header, epoch milliseconds; `null` without a readable one. */
export function dateMsOf(headers: Headers): number | null {
  const text = headers.get("Date");
  const date = text !== null && text.endsWith("GMT") ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : date;
}

/**
 * When a `Retry-After` header allows the next try by this machine's clock; `null` without a readable one.
 *
 * An HTTP date is a time of the service's clock: its distance from the `Date` header counts.
 */
export function retryTimeOf(headers: Headers, receivedAtMs: number): number | null {
  const time = parseRetryAfter(headers, receivedAtMs);
  const dateMs = dateMsOf(headers);
  const isDate = /\D/.test(headers.get("Retry-After")?.trim() ?? "");
  return time !== null && isDate && dateMs !== null ? receivedAtMs + (time - dateMs) : time;
}

// Without a Retry-After, the end of the minute is the best that is known of a spent minute.
function minuteResetMs(headers: Headers, receivedAtMs: number, code: string | null): number | null {
  const { minute } = parseBudgets(headers);
  if (code !== "rate_limit_exceeded" || headers.has("Retry-After") || minute === undefined) {
    return null;
  }
  return receivedAtMs + (minute.reset * 1000 - (dateMsOf(headers) ?? receivedAtMs));
}

function parseBody(bytes: Uint8Array): ErrorBody | null {
  try {
    return parseErrorBody(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    // Whatever it is, it is not the API's error object; status and media type remain.
    return null;
  }
}
