import { closeSync, openSync, readSync } from "node:fs";
import { type GunzipOptions, gunzipParts, partBuffer } from "./_gunzip_parts.ts";
import type { FromInflater, ToInflater } from "./_inflate_messages.ts";
import { Mailbox } from "./_mailbox.ts";

// Half a megabyte each: the parsing thread also converts a million rows to Polars now and then, for some 10 ms, in which this one
// inflates 4 MB. With 3 buffers it waited, and a load took a fifth longer.
const BUFFERS = 16;
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
  for (let i = 0; i < BUFFERS; i++) free.put(partBuffer());
  const source = path === null ? received() : piecesOf(path);
  const taker = {
    take: () => free.take(),
    give: (buffer: ArrayBuffer, length: number) => post({ kind: "part", buffer, length }, [buffer]),
  };
  post({ kind: "done", facts: await gunzipParts(source, taker, options) });
}

// Nothing else runs in this thread, and a stream takes five times as long; each piece is used up before the next is read.
async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(READ_SIZE);
  const file = openSync(path, "r");
  try {
    for (let size = readSync(file, piece); size > 0; size = readSync(file, piece)) {
      yield piece.subarray(0, size);
    }
  } finally {
    closeSync(file);
  }
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
