import type { Socket } from "node:net";
import { readFileSync } from "node:fs";

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
  let queued: number | null = null;
  let timer: ReturnType<typeof setTimeout>;
  const look = () => {
    const nowMs = performance.now();
    const gapMs = Math.min(nowMs - lookedMs, idleTimeoutMs * LONGEST_GAP);
    lookedMs = nowMs;
    // The kernel may report nothing for minutes although the client reads, so its queue is checked. It also grows when the
    // client has read: the kernel refills it between two looks. That of a client that reads nothing stays as it is.
    const now = queuedBytes(socket);
    const hasTaken = now !== null && queued !== null && now !== queued;
    idleMs = hasTaken ? 0 : idleMs + gapMs;
    queued = now ?? queued;
    if (idleMs < idleTimeoutMs) timer = setTimeout(look, idleTimeoutMs / LOOKS);
    else interrupt();
  };
  timer = setTimeout(look, idleTimeoutMs / LOOKS);
  return () => clearTimeout(timer);
}

/** Ports of a connection. */
export interface ConnectionPorts {
  /** Port of this side. */
  readonly localPort?: number | undefined;
  /** Port of the other side. */
  readonly remotePort?: number | undefined;
}

/**
 * Bytes in a connection's kernel buffer that its client has not read; `null` if the system does not report them.
 *
 * The kernel buffers megabytes and reports free space only when a third of them is free, so a slow client looks idle for
 * minutes. Linux lists queued bytes by connection; other systems do not.
 */
export function queuedBytes(ports: ConnectionPorts): number | null {
  const found = [...linesOf("/proc/net/tcp"), ...linesOf("/proc/net/tcp6")]
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, remote]) =>
      isPort(local, ports.localPort) && isPort(remote, ports.remotePort)
    );
  const [fields] = found;
  // Two clients at different addresses may have the same port.
  if (found.length !== 1 || fields === undefined) return null;
  return Number.parseInt(fields[4]?.split(":")[0] ?? "", 16);
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}

function isPort(address: string | undefined, port: number | undefined): boolean {
  if (address === undefined || port === undefined) return false;
  return address.endsWith(`:${port.toString(16).toUpperCase().padStart(4, "0")}`);
}
