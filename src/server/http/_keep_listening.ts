import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** A server that is kept listening, and who is told. */
export interface KeptServer {
  /** The server, which listens. */
  readonly server: Server;
  /** Its address. */
  readonly hostname: string;
  /** Time between two looks. */
  readonly everyMs: number;
  /** Told in one line that it did not listen, and does again. */
  readonly onTrouble: (line: string) => void;
}

// An address to listen on that stands for all of a machine, and one of them to connect to.
const ANY: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

// One look may fall into a moment in which the process stood still.
const UNHEARD_LOOKS = 2;

/**
 * Lets a server listen again that has become deaf: once no file could be opened, the runtime stops taking connections for
 * ever, without an event. Where nobody connects, the server does so itself.
 *
 * @returns Stops looking
 */
export function keepListening({ server, hostname, everyMs, onTrouble }: KeptServer): () => void {
  const { port } = server.address() as AddressInfo;
  let hasHeard = false;
  let unheard = 0;
  let probe: Socket | null = null;
  const hear = (socket: Socket) => {
    hasHeard = true;
    if (probe !== null && socket.remotePort === probe.localPort) socket.destroy();
  };
  const look = () => {
    probe?.destroy();
    unheard = hasHeard ? 0 : unheard + 1;
    hasHeard = false;
    if (unheard > UNHEARD_LOOKS) {
      unheard = 0;
      listenAgain(server, { port, hostname });
      onTrouble(
        `The server on port ${port} took no connections, as happens when its process has no more files to open; ` +
          "it listens again",
      );
    }
    probe = connect({ port, host: ANY[hostname] ?? hostname });
    // No file for this one either: the next look tries again.
    probe.on("error", () => {});
    probe.unref();
  };
  server.on("connection", hear);
  const timer = setInterval(look, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    server.off("connection", hear);
    probe?.destroy();
  };
}

// What is connected stays so.
function listenAgain(
  server: Server,
  { port, hostname }: { readonly port: number; readonly hostname: string },
): void {
  server.close();
  server.once("error", () => {});
  server.listen(port, hostname);
}
