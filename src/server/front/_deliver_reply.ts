import type { ServerResponse } from "node:http";
import { type ApiReply, isReplyStream, type ReplyStream } from "../message.ts";
import type { FrontTimes } from "./front_times.ts";
import { deliverFaulty } from "./_deliver_faulty.ts";
import { CONNECTION_CLOSE } from "./_serialize_reply.ts";

/** Where and how a reply goes. */
export interface Delivery {
  /** The response to write. */
  readonly response: ServerResponse;
  /** Deadlines. */
  readonly times: FrontTimes;
  /** Whether the connection ends with this reply. */
  readonly last: boolean;
}

/** Writes a reply to its socket and says how that ended. */
export async function deliverReply(reply: ApiReply, delivery: Delivery): Promise<void> {
  const { response, last } = delivery;
  const { body } = reply;
  if (reply.delivery !== null) {
    const sentBytes = await deliverFaulty(reply, reply.delivery, response);
    reply.finish({ sentBytes, complete: sentBytes === sizeOf(body) });
    return;
  }
  response.sendDate = false;
  const headers: [string, string][] = reply.headers.map(([name, value]) => [name, value]);
  if (body instanceof Uint8Array) headers.push(["Content-Length", String(body.length)]);
  if (last) headers.push([...CONNECTION_CLOSE]);
  try {
    response.writeHead(reply.status, headers.flat());
    const sentBytes = isReplyStream(body)
      ? await sendStream(body, delivery)
      : await sendBytes(body, delivery);
    reply.finish({ sentBytes, complete: sentBytes === sizeOf(body) });
  } catch {
    // The client is gone or the file broke off: a short answer must not look like a whole one.
    response.destroy();
    reply.finish({ sentBytes: 0, complete: false });
  }
}

function sizeOf(body: ApiReply["body"]): number {
  if (body === null) return 0;
  return isReplyStream(body) ? body.sizeBytes : body.length;
}

function sendBytes(body: Uint8Array | null, delivery: Delivery): Promise<number> {
  const { response, times } = delivery;
  return new Promise((resolve) => {
    const settle = (sentBytes: number) => {
      clearTimeout(timer);
      resolve(sentBytes);
    };
    const timer = setTimeout(() => response.destroy(), times.idleTimeoutMs);
    response.once("finish", () => settle(body?.length ?? 0));
    response.once("close", () => settle(-1));
    if (body === null) response.end();
    else response.end(body);
  });
}

async function sendStream(body: ReplyStream, delivery: Delivery): Promise<number> {
  const { response, times } = delivery;
  const deadline = setTimeout(() => response.destroy(), times.transferDeadlineMs);
  let sentBytes = 0;
  try {
    for await (const chunk of body.open()) {
      if (response.destroyed) return sentBytes;
      if (!response.write(chunk)) await drained(response, times.idleTimeoutMs);
      sentBytes += chunk.length;
    }
    if (sentBytes !== body.sizeBytes) response.destroy();
    else await new Promise<void>((resolve) => response.end(resolve));
    return sentBytes;
  } finally {
    clearTimeout(deadline);
  }
}

function drained(response: ServerResponse, idleTimeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      response.off("drain", settle);
      response.off("close", settle);
      resolve();
    };
    const timer = setTimeout(() => response.destroy(), idleTimeoutMs);
    response.once("drain", settle);
    response.once("close", settle);
  });
}
