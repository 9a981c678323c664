import { LIMITS } from "../../contract/limits.ts";
import type { ApiRequest } from "../message/message.ts";
import { Refusal } from "../message/refusal.ts";

/**
 * Holds the transport limits that can be judged from a request's head (section 8): URL, headers, body.
 *
 * @throws {Refusal} 414, 431, 413, or 400 for a body on GET or HEAD
 */
export function assertTransportLimits(request: ApiRequest): void {
  const urlBytes = byteLength(request.target);
  if (urlBytes > LIMITS.urlBytes) {
    throw new Refusal("invalid_request", `The URL may have 2048 bytes, it has ${urlBytes}`, {
      status: 414,
    });
  }
  if (request.headerBytes > LIMITS.headerBytes) throw headersTooLarge();
  if (request.body === "too_large") throw bodyTooLarge();
  if (request.body === "present" && (request.method === "GET" || request.method === "HEAD")) {
    throw new Refusal("invalid_request", "A GET or HEAD request must not carry a body", {
      details: { field: "body", rule: "must be absent" },
    });
  }
}

/** 431: the header section is beyond 16 KiB. */
export function headersTooLarge(): Refusal {
  return new Refusal("invalid_request", "The request headers may have 16384 bytes in total", {
    status: 431,
  });
}

/** 413: the body is beyond 65,536 bytes. */
function bodyTooLarge(): Refusal {
  return new Refusal("invalid_request", "The request body may have 65536 bytes", { status: 413 });
}

/** 408: the request did not arrive in time. */
export function requestTooSlow(): Refusal {
  return new Refusal("request_timeout", "The request did not arrive in time", { status: 408 });
}

function byteLength(text: string): number {
  return text.length > LIMITS.urlBytes ? text.length : new TextEncoder().encode(text).length;
}
