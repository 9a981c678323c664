import { LIMITS } from "../../base/contract/limits.ts";
import type { ApiRequest } from "../message/message.ts";
import { Refusal } from "../message/refusal.ts";

/**
 * Checks the transport limits that apply to a request's head (section 8): URL, headers, body.
 *
 * @throws {Refusal} 414, 431, 413, or 400 for a body on GET or HEAD
 */
export function assertTransportLimits(request: ApiRequest): void {
  const urlBytes = byteLength(request.target);
  if (urlBytes > LIMITS.urlBytes) {
    const message = `The URL may have at most 2048 bytes, and it has ${urlBytes}`;
    throw new Refusal("invalid_request", message, { status: 414 });
  }
  if (request.headerBytes > LIMITS.headerBytes) throw headersTooLarge();
  if (request.body === "too_large") {
    const message = "The request body may have at most 65536 bytes";
    throw new Refusal("invalid_request", message, { status: 413 });
  }
  if (request.body === "present" && (request.method === "GET" || request.method === "HEAD")) {
    throw new Refusal("invalid_request", "A GET or HEAD request must not carry a body", {
      details: { field: "body", rule: "must be absent" },
    });
  }
}

/** Refusal 431: the header section exceeds 16 KiB. */
export function headersTooLarge(): Refusal {
  const message = "The request headers may have at most 16384 bytes in total";
  return new Refusal("invalid_request", message, { status: 431 });
}

/** Refusal 408: the request did not arrive in time. */
export function requestTooSlow(): Refusal {
  return new Refusal("request_timeout", "The request did not arrive in time", { status: 408 });
}

function byteLength(text: string): number {
  return text.length > LIMITS.urlBytes ? text.length : new TextEncoder().encode(text).length;
}
