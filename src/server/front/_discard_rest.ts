import type { Readable } from "node:stream";

/**
 * Reads and drops what a client still sends to a connection that ends, until it stops or a time has passed.
 *
 * A connection that is closed with bytes unread is reset, and the client may lose the answer (RFC 9112, section 9.6).
 */
export function discardRest(source: Readable, lingerMs: number): Promise<void> {
  if (source.readableEnded || source.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(settle, lingerMs);
    source.once("end", settle);
    source.once("close", settle);
    source.resume();
  });
}
