import type { HandlerReply } from "../../message/handler_reply.ts";

/** JSON reply with status 200 that clients must not store: factor access and release metadata (section 4.1). */
export function jsonReply(value: unknown): HandlerReply {
  return {
    status: 200,
    headers: [["Content-Type", "application/json"], ["Cache-Control", "private, no-store"]],
    body: new TextEncoder().encode(JSON.stringify(value)),
  };
}
