import { Buffer } from "node:buffer";
import { connect } from "node:net";

/** What came back over a raw socket. */
export interface RawAnswer {
  /** Status of the first answer; 0 if the connection ended without one. */
  readonly status: number;
  /** Its headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Everything behind its head, later answers included. */
  readonly body: string;
  /** All bytes as text. */
  readonly text: string;
}

const TICK_MS = 10;
const FIRST_ANSWER_MS = 5_000;

/** Sends text over a new connection and reads until the server closes it, or until `idleMs` without a byte. */
export function sendRaw(
  port: number,
  text: string | Uint8Array,
  options: { readonly idleMs?: number; readonly end?: boolean } = {},
): Promise<RawAnswer> {
  const { idleMs = 300 } = options;
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Uint8Array[] = [];
    const settle = () => {
      clearInterval(ticking);
      socket.destroy();
      resolve(parseAnswer(Buffer.concat(chunks).toString("latin1")));
    };
    // Counted in ticks, between which the server has its turns: on a machine that stands still for a while, none passes.
    let ticksLeft = Math.ceil(Math.max(idleMs, FIRST_ANSWER_MS) / TICK_MS);
    const ticking = setInterval(() => {
      if (ticksLeft-- <= 0) settle();
    }, TICK_MS);
    socket.on("data", (chunk) => {
      chunks.push(chunk as Uint8Array);
      ticksLeft = Math.ceil(idleMs / TICK_MS);
    });
    socket.on("close", settle);
    socket.on("error", () => {});
    if (options.end) socket.end(text);
    else socket.write(text);
  });
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, Math.max(end, 0)).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0),
    headers,
    body: end === -1 ? "" : text.slice(end + 4),
    text,
  };
}
