import { type ErrorBody, parseErrorBody } from "../../../base/contract/http/error_body.ts";
import { describe } from "../../../base/contract/violation.ts";
import {
  parseBudgets,
  parseHttpDate,
  parseRetryAfter,
} from "../../../base/contract/http/header.ts";
import { isUuid } from "../../../base/contract/identifier.ts";

/** An answer with an error status. */
export interface ReadRefusal {
  /** HTTP status. */
  readonly status: number;
  /** The error object; `null` if the answer has none. */
  readonly body: ErrorBody | null;
  /** The service's id of the request. */
  readonly requestId: string | null;
  /** Earliest time for another attempt by this machine's clock; `null` if the answer has none. */
  readonly retryAtMs: number | null;
  /** Media type of the answer. */
  readonly contentType: string;
  /** Downloads left today; `null` if the answer does not report them. */
  readonly downloadsLeft: number | null;
}

/** Arrival of an answer. */
export interface Arrival {
  /** By this machine's clock, epoch milliseconds. */
  readonly receivedAtMs: number;
  /** Estimate by the service's clock. */
  readonly serviceMs: number;
}

// A wait of more than a year is a mistake, such as a time in seconds since 1970, and would lock the account out; no budget is
// longer than a day (section 8).
const LONGEST_MEANT_MS = 366 * 86_400_000;
const INSTEAD_OF_A_SLIP_MS = 86_400_000;
const LONGEST_MINUTE_MS = 60_000;
const SHORTEST_WAIT_MS = 1_000;
// Codes and factors appear in messages, in notices and in the log.
const LONGEST_NAME = 64;

// Control characters, marks of direction and other invisible ones, ends of lines and of paragraphs.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * Reads an error answer. Status and media type are checked before the body, which may come from a proxy.
 *
 * @param bytes The body, or `null` if it could not be received
 * @param context Time of arrival, and a function that removes keys, because an answer may echo the request
 * @see API document, section 7
 */
export function readRefusal(
  response: { readonly status: number; readonly headers: Headers },
  bytes: Uint8Array | null,
  context: Arrival & { readonly redact: (text: string) => string },
): ReadRefusal {
  const { status, headers } = response;
  const { receivedAtMs, redact } = context;
  const contentType = mediaTypeOf(headers);
  const isJson = contentType === "application/json" && bytes !== null;
  const body = isJson ? parseBody(bytes, redact) : null;
  const requestId = headers.get("X-Request-Id") ?? body?.requestId ?? null;
  const seconds = body?.retryAfterSeconds;
  const told = [
    retryTimeOf(headers, context),
    typeof seconds === "number" ? waitUntil(receivedAtMs + seconds * 1000, receivedAtMs) : null,
    minuteResetMs(headers, context, body?.error ?? null),
  ].filter((time) => time !== null);
  return {
    status,
    body,
    requestId: requestId !== null && isUuid(requestId)
      ? requestId
      : requestId && describe(requestId),
    retryAtMs: told.length === 0 ? null : Math.max(...told),
    contentType,
    downloadsLeft: parseBudgets(headers).download?.remaining ?? null,
  };
}

/** Media type of an answer, without parameters, in lower case. */
export function mediaTypeOf(headers: Headers): string {
  return (headers.get("Content-Type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/** Time of the `Date` header, epoch milliseconds; `null` without a readable one. */
export function dateMsOf(headers: Headers): number | null {
  return parseHttpDate(headers.get("Date") ?? "");
}

/**
 * Earliest time for another attempt according to `Retry-After`, by this machine's clock; `null` without one. More than a year
 * counts as a day.
 *
 * An HTTP date is a time of the service's clock. If a proxy joined several headers, the largest number of seconds counts. Any
 * text that is neither digits nor a date counts as one second, the shortest wait (section 4.1), and so do 0 and past dates.
 */
export function retryTimeOf(headers: Headers, arrival: Arrival): number | null {
  const { receivedAtMs, serviceMs } = arrival;
  const value = headers.get("Retry-After")?.trim() ?? "";
  if (value === "") return null;
  const time = parseRetryAfter(headers, receivedAtMs);
  if (time === null) return waitUntil(receivedAtMs + longestOf(value), receivedAtMs);
  const isDate = /\D/.test(value);
  return waitUntil(isDate ? receivedAtMs + (time - serviceMs) : time, receivedAtMs);
}

function longestOf(value: string): number {
  const numbers = value.split(",").map((part) => part.trim()).filter((part) => /^\d+$/.test(part));
  return Math.max(0, ...numbers.map((seconds) => Number(seconds) * 1000));
}

// Without Retry-After, a spent minute ends at its reset time.
function minuteResetMs(headers: Headers, arrival: Arrival, code: string | null): number | null {
  const { receivedAtMs, serviceMs } = arrival;
  const { minute } = parseBudgets(headers);
  if (code !== "rate_limit_exceeded" || headers.has("Retry-After") || minute === undefined) {
    return null;
  }
  return Math.min(
    receivedAtMs + (minute.reset * 1000 - serviceMs),
    receivedAtMs + LONGEST_MINUTE_MS,
  );
}

function waitUntil(timeMs: number, receivedAtMs: number): number {
  const waitMs = Math.max(timeMs - receivedAtMs, SHORTEST_WAIT_MS);
  return receivedAtMs + (waitMs <= LONGEST_MEANT_MS ? waitMs : INSTEAD_OF_A_SLIP_MS);
}

function parseBody(bytes: Uint8Array, redact: (text: string) => string): ErrorBody | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const body = parseErrorBody(JSON.parse(text, (_name, value) => withoutKeys(value, redact)));
    const { error, factor } = body;
    return {
      ...body,
      error: shortLine(error, LONGEST_NAME),
      factor: factor && shortLine(factor, LONGEST_NAME),
    };
  } catch {
    // Not an error object of the API; status and media type remain.
    return null;
  }
}

// After parsing, because JSON can write a key with escapes; field names may contain one, too.
function withoutKeys(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [redact(name), part]));
}

/** Foreign text as one line of limited length, with blanks for invisible characters. */
export function shortLine(text: string, maxLength: number): string {
  return text.replace(UNSEEN, " ").trim().slice(0, maxLength);
}
