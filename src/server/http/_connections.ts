import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

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
 * Bytes of a connection that are not in a parsed head: the parser drops blanks around values.
 *
 * Valid once the parser has seen all bytes that arrived together: then pipelined requests are counted, except for an incomplete
 * head.
 */
export function unaccountedBytes(incoming: IncomingMessage, state: ConnectionState): number {
  return Math.max(0, incoming.socket.bytesRead - state.parsedBytes);
}
