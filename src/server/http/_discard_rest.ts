import type { Socket } from "node:net";
import type { Readable } from "node:stream";

/**
 * Reads and discards further bytes of a client on a closing connection, until it stops or a time has passed.
 *
 * Closing a connection with unread bytes resets it, and the client may lose the answer (RFC 9112, section 9.6).
 *
 * @param source Source of the bytes: the rest of a request, or the connection
 * @param options The connection, and the time limit
 */
export function discardRest(
  source: Readable,
  options: { readonly connection: Socket; readonly lingerMs: number },
): Promise<void> {
  const { connection, lingerMs } = options;
  if (source.readableEnded || connection.readableEnded || source.destroyed) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      connection.off("end", settle);
      resolve();
    };
    const timer = setTimeout(settle, lingerMs);
    source.once("end", settle);
    source.once("close", settle);
    connection.once("end", settle);
    source.resume();
  });
}
