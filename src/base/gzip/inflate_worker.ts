import { type GunzipOptions, gunzipParts } from "./gunzip_parts.ts";
import { type FromInflater, Mailbox, type ToInflater } from "./_inflate_messages.ts";

// Half a megabyte each: the parsing thread also converts a million rows to Polars now and then, for some 10 ms, in which this one
// inflates 4 MB. With 3 parts ahead it waited, and a load took a fifth longer.
const MAX_PARTS_AHEAD = 16;

// A reference to the library of workers would change the globals of the package's users.
interface WorkerScope {
  onmessage: ((event: MessageEvent<ToInflater>) => void) | null;
  postMessage(message: FromInflater, transfer: ArrayBuffer[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const parsed = new Mailbox<null>();
const chunks = new Mailbox<Uint8Array<ArrayBuffer> | null>();

scope.onmessage = ({ data: message }) => {
  if (message.kind === "parsed") parsed.put(null);
  else if (message.kind === "chunk") chunks.put(message.bytes);
  else if (message.kind === "end") chunks.put(null);
  else inflate(message.options).catch(fail);
};

async function inflate(options: GunzipOptions): Promise<void> {
  let ahead = 0;
  const taker = {
    async ready() {
      if (ahead === MAX_PARTS_AHEAD) await parsed.take();
      else ahead++;
    },
    give(part: Uint8Array<ArrayBuffer>) {
      const own = part.buffer.byteLength === part.length ? part : new Uint8Array(part);
      post({ kind: "part", part: own }, [own.buffer]);
    },
  };
  post({ kind: "done", facts: await gunzipParts(received(), taker, options) });
}

async function* received(): AsyncGenerator<Uint8Array> {
  for (let chunk = await chunks.take(); chunk !== null; chunk = await chunks.take()) {
    const { length } = chunk;
    yield chunk;
    // Garbage would stay in memory until it is collected.
    chunk.buffer.transfer(0);
    post({ kind: "consumed", bytes: length });
  }
}

function fail(error: unknown): void {
  post({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
}

function post(message: FromInflater, transfer: ArrayBuffer[] = []): void {
  scope.postMessage(message, transfer);
}
