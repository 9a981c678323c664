import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import {
  type ApiReply,
  bodySize,
  type DeliveryFault,
  type DeliveryOutcome,
  type HeaderField,
  isReplyStream,
  piecesOf,
  type ReplyStream,
} from "../message/message.ts";
import type { FrontTimes } from "../server_times.ts";
import { discardRest } from "./_connections.ts";
import { watchIdle } from "./_watch_idle.ts";

/** Header for an answer after which the connection ends. */
export const CONNECTION_CLOSE: HeaderField = ["Connection", "close"];

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

/**
 * Writes a reply directly to the connection, with a fault, and ends the connection.
 *
 * The deadlines of a normal delivery apply, too.
 *
 * @returns Body bytes handed to the connection
 */
async function deliverFaulty(
  reply: ApiReply,
  fault: DeliveryFault,
  { response, times }: { readonly response: ServerResponse; readonly times: FrontTimes },
): Promise<number> {
  const { socket } = response;
  if (socket === null) return 0;
  const deadline = isReplyStream(reply.body)
    ? setTimeout(() => socket.destroy(), times.transferDeadlineMs)
    : undefined;
  let sentBytes = 0;
  try {
    if (fault.stopAfterBytes >= 0) {
      const length = ["Content-Length", String(fault.contentLength)] as const;
      socket.write(serializeHead(reply, [length, CONNECTION_CLOSE]));
      for await (const piece of piecesOf(reply.body, fault)) {
        if (socket.destroyed) return sentBytes;
        sentBytes += piece.length;
        // A client that reads nothing for the idle time loses its connection.
        await untilSettled(socket, times, (settle) => socket.write(piece, settle));
        if (fault.intervalMs > 0) await pause(socket, fault.intervalMs);
      }
    }
    await end(socket, fault, times);
  } catch {
    // The file ended early: a truncated answer must not look complete.
    socket.destroy();
  } finally {
    clearTimeout(deadline);
  }
  return sentBytes;
}

function end(socket: Socket, fault: DeliveryFault, times: FrontTimes): Promise<void> {
  if (!fault.reset) {
    return untilSettled(socket, times, (settle) =>
      socket.end(() => {
        socket.destroy();
        settle();
      }));
  }
  if (typeof socket.resetAndDestroy === "function") socket.resetAndDestroy();
  else socket.destroy();
  return Promise.resolve();
}

function untilSettled(
  socket: Socket,
  { idleTimeoutMs }: FrontTimes,
  begin: (settle: () => void) => void,
): Promise<void> {
  return untilClosed(socket, (settle) => {
    const unwatch = watchIdle({ socket, idleTimeoutMs }, () => socket.destroy());
    begin(settle);
    return unwatch;
  });
}

// A pause ends with its connection, so that the deadline need not wait for it.
function pause(socket: Socket, ms: number): Promise<void> {
  return untilClosed(socket, (settle) => {
    const timer = setTimeout(settle, ms);
    return () => clearTimeout(timer);
  });
}

/** Waits until it is settled, or the connection closes; `begin` returns what ends the waiting. */
function untilClosed(socket: Socket, begin: (settle: () => void) => () => void): Promise<void> {
  if (socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      stop();
      socket.off("close", settle);
      resolve();
    };
    socket.once("close", settle);
    const stop = begin(settle);
  });
}

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
