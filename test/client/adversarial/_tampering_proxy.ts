import type { Service } from "../_service.ts";
import type { Tampering } from "./_scenario.ts";

/** A service behind a proxy that is not to be trusted. */
export interface TamperingProxy {
  /** Address for the client. */
  readonly url: string;
  /** Requests that came so far. */
  readonly requests: number;
  /** What happens to each answer; without it the client talks to the service's own socket. */
  tampering: Tampering | null;
  /** Closes the socket. */
  close(): Promise<void>;
}

/**
 * Listens on a socket and passes everything to the service's socket byte by byte, or, while `tampering` is set, answers
 * with what it makes of the service's answers.
 */
export async function startTamperingProxy(service: Service): Promise<TamperingProxy> {
  const direct = await service.server.listen();
  const state: { tampering: Tampering | null; requests: number; earlier: number } = {
    tampering: null,
    requests: 0,
    earlier: 0,
  };
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const connections = new Set<Deno.Conn>();
  const accepting = accept();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    get requests() {
      return state.requests;
    },
    get tampering() {
      return state.tampering;
    },
    set tampering(tampering) {
      state.tampering = tampering;
      state.earlier = 0;
    },
    async close() {
      listener.close();
      for (const connection of connections) close(connection);
      await accepting;
      await direct.close();
    },
  };

  async function accept(): Promise<void> {
    try {
      for await (const connection of listener) {
        connections.add(connection);
        serve(connection).catch(() => {}).finally(() => {
          close(connection);
          connections.delete(connection);
        });
      }
    } catch {
      // The listener was closed.
    }
  }

  // One answer per connection keeps the proxy simple: what follows must open a new one.
  async function serve(connection: Deno.Conn): Promise<void> {
    const head = await readHead(connection);
    if (head === null) return;
    state.requests++;
    if (state.tampering === null) return await relay(connection, head, direct.port);
    const request = toRequest(head);
    const response = await service.server.fetch(request.clone());
    const answer = {
      status: response.status,
      headers: new Headers(response.headers),
      text: await response.text(),
      request,
      earlier: state.earlier++,
    };
    await writeResponse(connection, state.tampering(answer));
  }
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // It was closed from the other side.
  }
}

async function readHead(connection: Deno.Conn): Promise<string | null> {
  const buffer = new Uint8Array(32_768);
  let text = "";
  while (!text.endsWith("\r\n\r\n")) {
    const count = await connection.read(buffer);
    if (count === null) return null;
    text += new TextDecoder().decode(buffer.subarray(0, count));
  }
  return text;
}

async function relay(connection: Deno.Conn, head: string, port: number): Promise<void> {
  const upstream = await Deno.connect({ port, hostname: "127.0.0.1" });
  const closing = head.replace(/^connection:.*\r\n/im, "").replace(
    "\r\n",
    "\r\nConnection: close\r\n",
  );
  await writeAll(upstream, new TextEncoder().encode(closing));
  const buffer = new Uint8Array(65_536);
  try {
    for (;;) {
      const count = await upstream.read(buffer);
      if (count === null) return;
      await writeAll(connection, buffer.subarray(0, count));
    }
  } finally {
    close(upstream);
  }
}

function toRequest(head: string): Request {
  const [first = "", ...lines] = head.trimEnd().split("\r\n");
  const [method = "", target = ""] = first.split(" ");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    if (name !== "host" && name !== "connection") {
      headers.append(name, line.slice(colon + 1).trim());
    }
  }
  return new Request(`http://127.0.0.1${target}`, { method, headers });
}

async function writeResponse(connection: Deno.Conn, response: Response): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  response.headers.delete("content-length");
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const length = response.status === 304 ? "" : `content-length: ${body.length}\r\n`;
  const head = `HTTP/1.1 ${response.status} x\r\n${lines}${length}connection: close\r\n\r\n`;
  await writeAll(connection, new TextEncoder().encode(head));
  await writeAll(connection, body);
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
}
