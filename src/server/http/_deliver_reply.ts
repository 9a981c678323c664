import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import {
  type ApiReply,
  bodySize,
  type DeliveryOutcome,
  isReplyStream,
  type ReplyStream,
} from "../message/message.ts";
import type { FrontTimes } from "./http_times.ts";
import { deliverFaulty } from "./_deliver_faulty.ts";
import { discardRest } from "./_discard_rest.ts";
import { CONNECTION_CLOSE } from "./_serialize_reply.ts";
import { watchIdle } from "./_watch_idle.ts";

/** Target and options of a delivery. */
export interface Delivery {
  /** The response to write. */
  readonly response: ServerResponse;
  /** Its connection; a response that waits for another one does not have it yet. */
  readonly socket: Socket;
  /** Deadlines. */
  readonly times: FrontTimes;
  /** True if the connection ends with this reply. */
  readonly last: boolean;
  /** The request, if its client may still be sending a refused body; else `null`. */
  readonly unread: IncomingMessage | null;
}

/** Writes a reply to its socket and returns the outcome. */
export async function deliverReply(reply: ApiReply, delivery: Delivery): Promise<void> {
  const { response, last } = delivery;
  const { body } = reply;
  response.sendDate = false;
  const headers: [string, string][] = reply.headers.map(([name, value]) => [name, value]);
  if (body instanceof Uint8Array) headers.push(["Content-Length", String(body.length)]);
  if (last) headers.push([...CONNECTION_CLOSE]);
  try {
    if (reply.delivery !== null) {
      const sentBytes = await deliverFaulty(reply, reply.delivery, delivery);
      reply.finish({ sentBytes, complete: sentBytes === bodySize(body) });
      return;
    }
    response.writeHead(reply.status, headers.flat());
    const sending = { ...delivery, free: reply.free };
    const sent = isReplyStream(body) ? sendStream(body, sending) : sendBytes(body, sending);
    reply.finish(await sent);
  } catch {
    // The client has gone: a truncated answer must not look complete.
    response.destroy();
    reply.finish({ sentBytes: 0, complete: false });
  }
}

type Sending = Delivery & Pick<ApiReply, "free">;

async function sendBytes(body: Uint8Array | null, sending: Sending): Promise<DeliveryOutcome> {
  const { response, socket, unread, times, free } = sending;
  if (unread !== null) {
    if (body === null) response.flushHeaders();
    else response.write(body);
    await discardRest(unread, { connection: socket, lingerMs: times.lingerMs });
  }
  const finished = until(sending, "finish");
  free();
  if (body === null || unread !== null) response.end();
  else response.end(body);
  const complete = await finished;
  return { sentBytes: complete ? body?.length ?? 0 : 0, complete };
}

async function sendStream(body: ReplyStream, sending: Sending): Promise<DeliveryOutcome> {
  const { response, times, free } = sending;
  const deadline = setTimeout(() => response.destroy(), times.transferDeadlineMs);
  let sentBytes = 0;
  try {
    for await (const chunk of body.open()) {
      if (response.destroyed) return { sentBytes, complete: false };
      sentBytes += chunk.length;
      if (sentBytes === body.sizeBytes) free();
      const flowing = response.write(chunk);
      if (!flowing && !await until(sending, "drain")) return { sentBytes, complete: false };
    }
    // The file ended early: the connection ends, so that the client notices the missing bytes.
    if (sentBytes !== body.sizeBytes) {
      response.destroy();
      return { sentBytes, complete: false };
    }
    const finished = until(sending, "finish");
    response.end();
    return { sentBytes, complete: await finished };
  } catch {
    // The file cannot be read to its end: a truncated answer must not look complete.
    response.destroy();
    return { sentBytes, complete: false };
  } finally {
    clearTimeout(deadline);
  }
}

/**
 * Waits for an event of a response.
 *
 * @returns True if it came: it does not if the connection closes first, or if its client takes nothing for the idle time,
 *   which closes the connection
 */
function until(delivery: Delivery, event: "drain" | "finish"): Promise<boolean> {
  const { response, socket, times } = delivery;
  if (socket.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (came: boolean) => {
      unwatch();
      response.off(event, onEvent);
      socket.off("close", onClose);
      resolve(came);
    };
    const onEvent = () => settle(true);
    // All bytes may have arrived although the event for it is still pending.
    const onClose = () => settle(event === "finish" && response.writableFinished);
    const unwatch = watchIdle({ socket, idleTimeoutMs: times.idleTimeoutMs }, () => {
      settle(false);
      response.destroy();
    });
    response.once(event, onEvent);
    socket.once("close", onClose);
  });
}
