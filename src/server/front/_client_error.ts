import type { Socket } from "node:net";
import { LIMITS } from "../../contract/limits.ts";
import { Refusal } from "../refusal.ts";
import { headersTooLarge, requestTooSlow } from "../transport_limits.ts";
import type { ConnectionState } from "./_connections.ts";

interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Uint8Array;
}

const REQUEST_LINE = /^(?!HEAD )[A-Z]+ \S+ HTTP\//;

/** Whether the request that the parser gave up on may be a HEAD, whose answer has no body (section 4.6). */
export function mayBeHead(error: ClientError, socket: Socket, state: ConnectionState): boolean {
  if (state.reading !== null) return state.reading === "HEAD";
  const packet = error.rawPacket;
  // Of a head that stopped in the middle the parser shows nothing.
  if (packet === undefined) return error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const start = new TextDecoder("latin1").decode(packet.subarray(0, 4096));
  const isFirst = socket.bytesRead === packet.length;
  return isFirst ? start.startsWith("HEAD ") : !REQUEST_LINE.test(start);
}

/** What is answered when the parser gives up on a connection; `null` if nobody is there to read it. */
export function refusalOfClientError(error: ClientError): Refusal | null {
  switch (error.code) {
    case "ECONNRESET":
    case "EPIPE":
    case "ECONNABORTED":
      return null;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return requestTooSlow();
    case "HPE_HEADER_OVERFLOW":
      return isUrlTooLong(error.rawPacket) ? urlTooLong() : headersTooLarge();
    default:
      return new Refusal("invalid_request", "The request is not well-formed HTTP/1.1", {
        note: `the parser said ${error.code ?? "nothing"}: ${error.message}`,
      });
  }
}

function isUrlTooLong(packet: Uint8Array | undefined): boolean {
  if (packet === undefined) return false;
  // Beyond the first packet a URL cannot be told from a header; both are too large then.
  const start = new TextDecoder("latin1").decode(packet.subarray(0, 16));
  if (!/^[A-Z]+ /.test(start)) return false;
  const lineEnd = packet.indexOf(0x0a);
  return lineEnd === -1 || lineEnd > LIMITS.urlBytes + 64;
}

function urlTooLong(): Refusal {
  return new Refusal("invalid_request", "The URL may have 2048 bytes", { status: 414 });
}
