import { STATUS_CODES } from "node:http";
import type { ApiReply, HeaderField } from "../message/message.ts";

/** Header for an answer after which the connection ends. */
export const CONNECTION_CLOSE: HeaderField = ["Connection", "close"];

/** Bytes of a reply's status line and headers, for writing directly to a connection. */
export function serializeHead(
  reply: ApiReply,
  extra: readonly HeaderField[],
): Uint8Array<ArrayBuffer> {
  const named = new Set(extra.map(([name]) => name.toLowerCase()));
  const own = reply.headers.filter(([name]) => !named.has(name.toLowerCase()));
  const lines = [...own, ...extra].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? "Unknown"}\r\n`;
  return new TextEncoder().encode(`${head}${lines.join("")}\r\n`);
}
