/** A message of the Language Server Protocol. */
export interface ProtocolMessage {
  readonly jsonrpc: "2.0";
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const HEAD_LENGTH = 200;

/** Reads the messages of a stream, and passes each on as soon as it is complete. */
export function messageReader(
  take: (message: ProtocolMessage) => void,
): (chunk: Uint8Array) => void {
  let rest: Uint8Array = new Uint8Array();
  return (chunk) => {
    const joined = new Uint8Array(rest.length + chunk.length);
    joined.set(rest);
    joined.set(chunk, rest.length);
    rest = joined;
    for (let found = firstMessage(rest); found !== null; found = firstMessage(rest)) {
      rest = rest.slice(found.end);
      take(found.message);
    }
  };
}

function firstMessage(
  bytes: Uint8Array,
): { readonly message: ProtocolMessage; readonly end: number } | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_LENGTH));
  const match = /^Content-Length: (\d+)\r\n(?:.*\r\n)*?\r\n/.exec(head);
  if (match === null) return null;
  const end = match[0].length + Number(match[1]);
  if (bytes.length < end) return null;
  const text = new TextDecoder().decode(bytes.subarray(match[0].length, end));
  return { message: JSON.parse(text), end };
}

/** Bytes of a message, with its header. */
export function messageBytes(message: ProtocolMessage): Uint8Array {
  const body = new TextEncoder().encode(JSON.stringify(message));
  const head = new TextEncoder().encode(`Content-Length: ${body.length}\r\n\r\n`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}
