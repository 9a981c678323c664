import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { piecesOf } from "../faults/plan_delivery.ts";
import { type ApiReply, type DeliveryFault, isReplyStream } from "../message/message.ts";
import type { FrontTimes } from "./http_times.ts";
import { CONNECTION_CLOSE, serializeHead } from "./_serialize_reply.ts";
import { watchIdle } from "./_watch_idle.ts";

/**
 * Writes a reply directly to the connection, with a fault, and ends the connection.
 *
 * The deadlines of a normal delivery apply, too.
 *
 * @returns Body bytes handed to the connection
 */
export async function deliverFaulty(
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
