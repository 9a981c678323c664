import type { Socket } from "node:net";
import { queuedBytes } from "./_queued_bytes.ts";

const LOOKS = 30;
// A suspended process misses the client's activity, so no more than this counts between two checks.
const LONGEST_GAP = 1 / 3;

/**
 * Interrupts once a client has read nothing for the idle time.
 *
 * @param connection The connection, and the longest time for which its client may leave queued bytes unread
 * @param interrupt Called once, if that time has passed
 * @returns Stops watching
 */
export function watchIdle(
  connection: { readonly socket: Socket; readonly idleTimeoutMs: number },
  interrupt: () => void,
): () => void {
  const { socket, idleTimeoutMs } = connection;
  let idleMs = 0;
  let lookedMs = performance.now();
  let queued = Infinity;
  let timer: ReturnType<typeof setTimeout>;
  const look = () => {
    const nowMs = performance.now();
    const gapMs = Math.min(nowMs - lookedMs, idleTimeoutMs * LONGEST_GAP);
    lookedMs = nowMs;
    // The kernel may report nothing for minutes although the client reads, so its queue is checked.
    const now = queuedBytes(socket);
    const hasTaken = now !== null && now < queued && queued !== Infinity;
    idleMs = hasTaken ? 0 : idleMs + gapMs;
    queued = now ?? queued;
    if (idleMs < idleTimeoutMs) timer = setTimeout(look, idleTimeoutMs / LOOKS);
    else interrupt();
  };
  timer = setTimeout(look, idleTimeoutMs / LOOKS);
  return () => clearTimeout(timer);
}
