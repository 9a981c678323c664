import { createReadStream } from "node:fs";
import { type GunzipOptions, gunzipParts, partBuffer } from "./_gunzip_parts.ts";
import type { FromInflater, ToInflater } from "./_inflate_messages.ts";
import { Mailbox } from "./_mailbox.ts";

// Two buffers are filled while one is parsed.
const BUFFERS = 3;
const READ_SIZE = 1 << 20;

// A reference to the library of workers would change the globals of the package's users.
interface WorkerScope {
  onmessage: ((event: MessageEvent<ToInflater>) => void) | null;
  postMessage(message: FromInflater, transfer: ArrayBuffer[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const free = new Mailbox<ArrayBuffer>();
const chunks = new Mailbox<Uint8Array | null>();

scope.onmessage = (event) => {
  const message = event.data;
  if (message.kind === "free") free.put(message.buffer);
  else if (message.kind === "chunk") chunks.put(message.bytes);
  else if (message.kind === "end") chunks.put(null);
  else inflate(message.path, message.options).catch(fail);
};

async function inflate(path: string | null, options: GunzipOptions): Promise<void> {
  for (let i = 0; i < BUFFERS; i++) free.put(partBuffer(options));
  const source = path === null
    ? received()
    : createReadStream(path, { highWaterMark: READ_SIZE }) as AsyncIterable<Uint8Array>;
  const taker = {
    take: () => free.take(),
    give: (part: { buffer: ArrayBuffer; start: number; end: number }) =>
      post({ kind: "part", part }, [part.buffer]),
  };
  post({ kind: "done", facts: await gunzipParts(source, taker, options) });
}

async function* received(): AsyncGenerator<Uint8Array> {
  for (let chunk = await chunks.take(); chunk !== null; chunk = await chunks.take()) {
    yield chunk;
    post({ kind: "consumed", bytes: chunk.length });
  }
}

function fail(error: unknown): void {
  post({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
}

function post(message: FromInflater, transfer: ArrayBuffer[] = []): void {
  scope.postMessage(message, transfer);
}
