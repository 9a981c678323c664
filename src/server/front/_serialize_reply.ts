import { STATUS_CODES } from "node:http";
import type { ApiReply, HeaderField } from "../message.ts";

/** Tells the client that the connection ends with this answer. */
export const CONNECTION_CLOSE: HeaderField = ["Connection", "close"];

/** The bytes of a whole small reply, for a connection whose parser has given up. */
export function serializeReply(
  reply: ApiReply,
  extra: readonly HeaderField[],
): Uint8Array<ArrayBuffer> {
  const body = reply.body instanceof Uint8Array ? reply.body : new Uint8Array();
  const headers = [...reply.headers, ["Content-Length", String(body.length)], ...extra];
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? "Unknown"}\r\n`;
  const bytes = new TextEncoder().encode(`${head}${lines.join("")}\r\n`);
  const whole = new Uint8Array(bytes.length + body.length);
  whole.set(bytes);
  whole.set(body, bytes.length);
  return whole;
}
