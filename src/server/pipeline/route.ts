import { type Endpoint, endpointOf, ENDPOINTS } from "../../base/contract/http/endpoint.ts";
import { maskUrlKeys } from "../../base/contract/key.ts";
import { Refusal } from "../message/refusal.ts";
import { LIMITS } from "../../base/contract/limits.ts";
import { type ApiRequest, type HandlerReply, jsonReply } from "../message/message.ts";

const MAX_ECHO = 100;
const PAGE = { path: "/openapi.json", methods: ["GET"] } as const;
const ROUTES = [...new Set(Object.values(ENDPOINTS).map(({ path }) => path))].join(", ");

let prepared: Promise<HandlerReply> | null = null;

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

/** Path and query of a request target, which may be a whole address (RFC 9112, section 3.2.2). */
export function splitTarget(target: string): { readonly path: string; readonly search: string } {
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0] ?? "";
  const local = target.slice(origin.length);
  const mark = local.indexOf("?");
  return mark === -1
    ? { path: local, search: "" }
    : { path: local.slice(0, mark), search: local.slice(mark) };
}

/**
 * Answers `GET /openapi.json` with the OpenAPI document, an addition to the API document that needs no key and spends nothing.
 *
 * @returns The answer, or `null` for another path
 * @throws {Refusal} 405 for another method than GET
 */
export async function serveOpenApi(path: string, method: string): Promise<HandlerReply | null> {
  if (path !== PAGE.path) return null;
  assertMethod(PAGE, method);
  // Its 126 kB are read for the first who asks, and not when a server starts.
  prepared ??= import("../../base/contract/openapi.json", { with: { type: "json" } })
    .then((file) => jsonReply(file.default));
  return await prepared;
}

/**
 * Endpoint of a path, which must match exactly.
 *
 * @throws {Refusal} 404; the API document has no code of its own for an unknown path (section 7), so that the message
 *   says what the code does not
 */
export function routeOf(path: string): Endpoint {
  const endpoint = endpointOf(path);
  if (endpoint !== undefined) return endpoint;
  const closest = closestPath(path);
  const hint = closest === null
    ? `the paths are ${ROUTES}, and /openapi.json describes them`
    : `paths are exact: ${closest}`;
  // The path is the client's text: it is returned shortened and without keys.
  const shown = JSON.stringify(maskUrlKeys(path.slice(0, MAX_ECHO)));
  throw new Refusal("score_snapshot_not_available", `Unknown path ${shown}`, { hint });
}

/** Path that an unknown one resembles (other case, or additional slashes), or `null`. */
function closestPath(path: string): string | null {
  const plain = path.toLowerCase().replaceAll(/\/{2,}/g, "/").replace(/\/$/, "");
  return Object.values(ENDPOINTS).find((endpoint) => endpoint.path === plain)?.path ?? null;
}

/**
 * Refuses a method that the endpoint does not support; methods are case-sensitive.
 *
 * @throws {Refusal} 405 with `Allow`
 */
export function assertMethod(endpoint: Pick<Endpoint, "path" | "methods">, method: string): void {
  if ((endpoint.methods as readonly string[]).includes(method)) return;
  const allow = endpoint.methods.join(", ");
  throw new Refusal("method_not_allowed", `${endpoint.path} supports ${allow}`, {
    headers: [["Allow", allow]],
  });
}
