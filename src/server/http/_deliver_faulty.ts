import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { piecesOf } from "../faults/plan_delivery.ts";
import type { ApiReply, DeliveryFault } from "../message/message.ts";
import { CONNECTION_CLOSE, serializeHead } from "./_serialize_reply.ts";

/** Writes a reply past the HTTP layer, as badly as a fault asks for, and ends the connection. */
export async function deliverFaulty(
  reply: ApiReply,
  fault: DeliveryFault,
  response: ServerResponse,
): Promise<number> {
  const socket = response.socket;
  if (socket === null) return 0;
  if (fault.stopAfterBytes < 0) {
    end(socket, fault);
    return 0;
  }
  const length = ["Content-Length", String(fault.contentLength)] as const;
  socket.write(serializeHead(reply, [length, CONNECTION_CLOSE]));
  let sentBytes = 0;
  for await (const piece of piecesOf(reply.body, fault)) {
    if (socket.destroyed) return sentBytes;
    await write(socket, piece);
    sentBytes += piece.length;
    if (fault.intervalMs > 0) await delay(fault.intervalMs);
  }
  end(socket, fault);
  return sentBytes;
}

function write(socket: Socket, piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => socket.write(piece, () => resolve()));
}

function end(socket: Socket, fault: DeliveryFault): void {
  if (!fault.reset) socket.end(() => socket.destroy());
  else if (typeof socket.resetAndDestroy === "function") socket.resetAndDestroy();
  else socket.destroy();
}
