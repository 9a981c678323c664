import type { Socket } from "node:net";
import { queuedBytes } from "./_queued_bytes.ts";

const LOOKS = 30;

/**
 * Interrupts once a client has taken nothing for the idle time.
 *
 * @param connection The connection, and how long its client may leave what is queued for it unread
 * @param interrupt Called once, if that time has passed
 * @returns What stops watching
 */
export function watchIdle(
  connection: { readonly socket: Socket; readonly idleTimeoutMs: number },
  interrupt: () => void,
): () => void {
  const { socket, idleTimeoutMs } = connection;
  let looksWithout = 0;
  let queued = Infinity;
  let timer: ReturnType<typeof setTimeout>;
  const look = () => {
    // The kernel need not say anything for minutes although the client reads: it is asked.
    const now = queuedBytes(socket);
    looksWithout = now !== null && now < queued && queued !== Infinity ? 0 : looksWithout + 1;
    queued = now ?? queued;
    if (looksWithout < LOOKS) timer = setTimeout(look, idleTimeoutMs / LOOKS);
    else interrupt();
  };
  timer = setTimeout(look, idleTimeoutMs / LOOKS);
  return () => clearTimeout(timer);
}
