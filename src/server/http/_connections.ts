import type { Socket } from "node:net";
import type { Readable } from "node:stream";

/** State of one connection in the front end. */
export interface ConnectionState {
  /** Number of running exchanges. */
  active: number;
  /** Method of the request whose body is read, or `null`. */
  reading: string | null;
  /** Bytes of parsed heads, as exposed by the parser. */
  parsedBytes: number;
  /** True if the connection ends with the running exchanges. */
  ending: boolean;
}

/** Open connections of a front end. */
export class Connections {
  readonly #states = new Map<Socket, ConnectionState>();

  /** Tracks a connection until it closes. */
  add(socket: Socket): void {
    // Pipelined requests listen to one socket; quotas limit their number.
    socket.setMaxListeners(0);
    this.#states.set(socket, { active: 0, reading: null, parsedBytes: 0, ending: false });
    socket.once("close", () => this.#states.delete(socket));
  }

  /** State of a connection. */
  of(socket: Socket): ConnectionState {
    return this.#states.get(socket) ?? { active: 0, reading: null, parsedBytes: 0, ending: true };
  }

  /** Ends every connection without a running answer, even one with an incomplete request. */
  destroyIdle(): void {
    for (const [socket, { active, reading }] of this.#states) {
      if (active === (reading === null ? 0 : 1)) socket.destroy();
    }
  }
}

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
