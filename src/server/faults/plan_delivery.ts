import { bodySize, type DeliveryFault, type ReplyBody, streamBody } from "../message/message.ts";
import type { FaultRule } from "./fault_rule.ts";

/** Delivery fault of several rules, or `null` for a normal delivery. */
export function planDelivery(rules: readonly FaultRule[], body: ReplyBody): DeliveryFault | null {
  const sizeBytes = bodySize(body);
  let fault: DeliveryFault | null = null;
  const orderly = {
    contentLength: sizeBytes,
    stopAfterBytes: sizeBytes,
    reset: false,
    chunkBytes: Infinity,
    intervalMs: 0,
  };
  for (const rule of rules) {
    const change = changeOf(rule, sizeBytes);
    if (change !== null) fault = { ...(fault ?? orderly), ...change };
  }
  return fault;
}

function changeOf(rule: FaultRule, sizeBytes: number): Partial<DeliveryFault> | null {
  switch (rule.kind) {
    case "dribble":
      return { chunkBytes: rule.chunkBytes ?? 16, intervalMs: rule.intervalMs ?? 50 };
    case "reset":
      return { stopAfterBytes: rule.afterBytes ?? -1, reset: true };
    case "cut":
      return { stopAfterBytes: rule.afterBytes ?? Math.floor(sizeBytes / 2) };
    case "content_length":
      return { contentLength: sizeBytes + rule.by };
    default:
      return null;
  }
}

/** Pieces of a body that a fault delivers. */
export async function* piecesOf(
  body: ReplyBody,
  fault: Pick<DeliveryFault, "stopAfterBytes" | "chunkBytes">,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  let left = fault.stopAfterBytes;
  for await (const chunk of streamBody(body)) {
    let start = 0;
    while (start < chunk.length && left > 0) {
      const piece = chunk.subarray(start, start + Math.min(fault.chunkBytes, left));
      yield piece;
      start += piece.length;
      left -= piece.length;
    }
    if (left <= 0) return;
  }
}
