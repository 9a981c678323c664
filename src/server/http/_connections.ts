import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** State of one connection in the front end. */
export interface ConnectionState {
  /** Exchanges that have begun and not ended. */
  active: number;
  /** Method of the request whose body is being read, or `null`. */
  reading: string | null;
  /** Bytes of the heads that were parsed, as far as the parser shows them. */
  parsedBytes: number;
  /** True if the connection ends with the exchanges that have begun: nothing behind them is served. */
  ending: boolean;
}

/** The open connections of a front end. */
export class Connections {
  readonly #states = new Map<Socket, ConnectionState>();

  /** Begins to know a connection, until it closes. */
  add(socket: Socket): void {
    // Pipelined requests listen to one socket; the quotas decide how many there may be.
    socket.setMaxListeners(0);
    this.#states.set(socket, { active: 0, reading: null, parsedBytes: 0, ending: false });
    socket.once("close", () => this.#states.delete(socket));
  }

  /** State of a connection. */
  of(socket: Socket): ConnectionState {
    return this.#states.get(socket) ?? { active: 0, reading: null, parsedBytes: 0, ending: true };
  }

  /** Ends every connection on which nothing is being answered, even one with half a request. */
  destroyIdle(): void {
    for (const [socket, { active, reading }] of this.#states) {
      if (active === (reading === null ? 0 : 1)) socket.destroy();
    }
  }
}

/**
 * Bytes of a request's connection that no parsed head accounts for: the parser drops blanks around values.
 *
 * Ask once the parser has seen all that arrived together: pipelined requests are accounted for then, except for a head
 * that has not arrived whole.
 */
export function unaccountedBytes(incoming: IncomingMessage, state: ConnectionState): number {
  return Math.max(0, incoming.socket.bytesRead - state.parsedBytes);
}
