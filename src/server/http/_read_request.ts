import type { IncomingMessage } from "node:http";
import { LIMITS } from "../../base/contract/limits.ts";
import type { ApiRequest, BodyPresence } from "../message/message.ts";
import { Refusal } from "../message/refusal.ts";
import type { ConnectionState } from "./_connections.ts";

// Headers that must not be repeated; a list of entity tags may be split over several lines (RFC 9110, section 5.3).
const SINGLE = ["host", "authorization", "content-length", "transfer-encoding"];

// RFC 3986, section 3.2.2: a registered name or an address, or an address of version 6 in brackets.
const HOST = /^([\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(:\d*)?$/i;
// A page of the web that has its own name resolved to a loopback address would read answers through the user's browser.
const OWN_NAMES = "must name this machine, such as localhost: the server listens on a loopback " +
  "address, and answers under another name only if it was started with it (--host)";
const VERSIONS = ["1.0", "1.1"];

/**
 * Refusal of an ambiguous head that the parser accepted, or of a host that is not this server's, or `null`.
 *
 * @param isOwnHost Tests if the server answers under a host name, without its port
 */
export function refusedHead(
  incoming: IncomingMessage,
  isOwnHost: (name: string) => boolean,
): Refusal | null {
  for (const name of SINGLE) {
    if (countOf(incoming.rawHeaders, name) > 1) {
      return refuse(name, "must not be repeated");
    }
  }
  const hasHost = countOf(incoming.rawHeaders, "host") === 1;
  // RFC 9112, section 3.2.
  if (!hasHost && incoming.httpVersion !== "1.0") return refuse("host", "is required");
  const { host } = incoming.headers;
  if (host === "") return refuse("host", "must not be empty");
  if (host !== undefined) {
    const [, name] = HOST.exec(host) ?? [];
    if (name === undefined) return refuse("host", "must be a host and a port");
    if (!isOwnHost(name)) return refuse("host", OWN_NAMES);
  }
  if (!VERSIONS.includes(incoming.httpVersion)) {
    return new Refusal("invalid_request", "HTTP/1.1 or HTTP/1.0 is required");
  }
  return null;
}

/** True if a request may have a body; then the connection ends with its answer. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Reads a received request: raw target, size of the headers, presence of a body.
 *
 * @param options `withBody`: reads a body far enough to know its presence, which a refused head does not need
 */
export async function readRequest(
  incoming: IncomingMessage,
  options: { readonly withBody: boolean; readonly state: ConnectionState },
): Promise<ApiRequest> {
  const { headers } = incoming;
  const announced = announcedBody(incoming);
  const { state, withBody } = options;
  const isRead = announced === "chunked" && withBody;
  if (isRead) state.reading = incoming.method ?? "";
  const chunked = isRead ? await countChunked(incoming) : "present";
  state.reading = null;
  // Nothing more is parsed before the next turn of the event loop, when pipelined bytes are known.
  await null;
  // Bytes in no parsed head, in which the parser drops blanks around values: valid once it has seen all bytes that arrived together.
  const unaccounted = Math.max(0, incoming.socket.bytesRead - state.parsedBytes);
  const blanks = announced === "none" ? unaccounted : 0;
  return {
    method: incoming.method ?? "",
    target: incoming.url ?? "",
    headerBytes: headerBytesOf(incoming.rawHeaders) + blanks,
    remote: incoming.socket.remoteAddress ?? null,
    body: announced === "chunked" ? chunked : announced,
    header: (name) => {
      const value = headers[name];
      return value === undefined ? null : String(value);
    },
  };
}

/** Bytes of a request's head as exposed by the parser, without blanks around values. */
export function headBytesOf(incoming: IncomingMessage): number {
  const line = `${incoming.method} ${incoming.url} HTTP/1.1\r\n`;
  return line.length + headerBytesOf(incoming.rawHeaders) + 2;
}

function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const found = rawHeaders[i]!;
    if (found.length === name.length && found.toLowerCase() === name) count++;
  }
  return count;
}

function headerBytesOf(rawHeaders: readonly string[]): number {
  let bytes = 0;
  // Each line: name, colon and blank, value, line end.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    bytes += rawHeaders[i]!.length + rawHeaders[i + 1]!.length + 4;
  }
  return bytes;
}

function announcedBody(incoming: IncomingMessage): BodyPresence | "chunked" {
  const { headers } = incoming;
  if (headers["transfer-encoding"] !== undefined) return "chunked";
  const announced = Number(headers["content-length"] ?? 0);
  if (announced > LIMITS.bodyBytes) return "too_large";
  return announced > 0 ? "present" : "none";
}

// With events, because leaving a loop over the stream would destroy the connection, which the answer still needs.
function countChunked(incoming: IncomingMessage): Promise<BodyPresence> {
  return new Promise((resolve) => {
    let received = 0;
    const onData = (chunk: Uint8Array) => {
      received += chunk.length;
      if (received <= LIMITS.bodyBytes) return;
      incoming.off("data", onData);
      incoming.pause();
      resolve("too_large");
    };
    incoming.on("data", onData);
    incoming.on("end", () => resolve(received > 0 ? "present" : "none"));
    // The client disconnected or sent an invalid chunk; the parser's error answers it.
    incoming.on("close", () => resolve("present"));
    // The client ended its side before sending everything announced.
    incoming.socket.once("end", () => incoming.complete || resolve("present"));
  });
}

function refuse(field: string, rule: string): Refusal {
  return new Refusal("invalid_request", `The header ${field} ${rule}`, {
    details: { field, rule },
  });
}
