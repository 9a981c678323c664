import type { Socket } from "node:net";
import { Refusal } from "../message/refusal.ts";
import { headersTooLarge, requestTooSlow } from "../pipeline/transport_limits.ts";
import type { ConnectionState } from "./_connections.ts";

interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Uint8Array;
}

const REQUEST_LINE = /^(?!HEAD )[A-Z]+ \S+ HTTP\//;

/** True if the request that the parser rejected may be a HEAD, whose answer has no body (section 4.6). */
export function mayBeHead(error: ClientError, socket: Socket, state: ConnectionState): boolean {
  if (state.reading !== null) return state.reading === "HEAD";
  const packet = error.rawPacket;
  // The parser exposes nothing of an incomplete head.
  if (packet === undefined) return error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const start = new TextDecoder("latin1").decode(packet.subarray(0, 4096));
  const isFirst = socket.bytesRead === packet.length;
  return isFirst ? start.startsWith("HEAD ") : !REQUEST_LINE.test(start);
}

/** Answer for a connection that the parser rejected; `null` if there is no client to read it. */
export function refusalOfClientError(error: ClientError): Refusal | null {
  switch (error.code) {
    case "ECONNRESET":
    case "EPIPE":
    case "ECONNABORTED":
      return null;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return requestTooSlow();
    case "HPE_HEADER_OVERFLOW":
      // The parser exposes nothing of a head of 256 KiB: its URL and headers cannot be distinguished.
      return headersTooLarge();
    default:
      return new Refusal("invalid_request", "The request is not well-formed HTTP/1.1", {
        note: `the parser reported ${error.code ?? "no code"}: ${error.message}`,
      });
  }
}
