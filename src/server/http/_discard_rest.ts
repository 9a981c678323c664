import type { Socket } from "node:net";
import type { Readable } from "node:stream";

/**
 * Reads and drops what a client still sends to a connection that ends, until it stops or a time has passed.
 *
 * A connection that is closed with bytes unread is reset, and the client may lose the answer (RFC 9112, section 9.6).
 *
 * @param source Bytes to read: the rest of a request, or all of the connection
 * @param options The connection, and how long a client may go on
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
