import { readFileSync } from "node:fs";

/** One connection, by its two ports. */
export interface ConnectionPorts {
  /** Port of this side. */
  readonly localPort?: number | undefined;
  /** Port of the other side. */
  readonly remotePort?: number | undefined;
}

/**
 * Bytes that a connection's kernel buffer holds and its client has not taken yet; `null` where the system does not tell.
 *
 * The kernel takes megabytes and says that there is room again only when a third of them is free: a client that reads
 * slowly looks like one that does not read, for minutes. Linux lists every connection with what is queued; other
 * systems do not.
 */
export function queuedBytes(ports: ConnectionPorts): number | null {
  const found = [...linesOf("/proc/net/tcp"), ...linesOf("/proc/net/tcp6")]
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, remote]) =>
      isPort(local, ports.localPort) && isPort(remote, ports.remotePort)
    );
  const [fields] = found;
  // Two clients behind two addresses may have one port.
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
