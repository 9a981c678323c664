import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** A server to keep listening, and its options. */
export interface KeptServer {
  /** The listening server. */
  readonly server: Server;
  /** Its address. */
  readonly hostname: string;
  /** Time between two checks. */
  readonly everyMs: number;
  /** Called with one line when it had stopped listening and was restarted. */
  readonly onTrouble: (line: string) => void;
}

// Wildcard addresses, and an address of this machine to connect to for each.
const ANY: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

// A single failed check may be due to a suspended process.
const UNHEARD_LOOKS = 2;

/**
 * Restarts listening on a server that no longer accepts connections: after the limit of open files was reached, the runtime
 * stops accepting them forever, without an event. Without clients, the server connects to itself as a test.
 *
 * @returns Stops checking
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
        `The server on port ${port} accepted no connections, as happens when its process reaches the limit of open files; ` +
          "it is listening again",
      );
    }
    probe = connect({ port, host: ANY[hostname] ?? hostname });
    // This connection had no file either; the next check tries again.
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

// Existing connections are kept.
function listenAgain(
  server: Server,
  { port, hostname }: { readonly port: number; readonly hostname: string },
): void {
  server.close();
  server.once("error", () => {});
  server.listen(port, hostname);
}
