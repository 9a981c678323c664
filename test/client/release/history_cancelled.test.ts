import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unhandledRejections } from "../../helpers/unhandled_rejections.ts";
import { pathOf, type Service, startService } from "../_service.ts";
import { FILE, offerLargeRelease, releaseFiles } from "./_release_files.ts";

let service: Service;
let body: Uint8Array;
beforeAll(async () => {
  service = await startService();
  await offerLargeRelease(service.fixture.store);
  const api = await service.connect();
  const { raw } = await api.history("ecpnd").withResponse();
  body = await readFile(raw.path);
});
afterAll(() => service.close());

const DAY_MS = 86_400_000;
const PART_BYTES = 1 << 16;

/** A network: parts as they are asked for, and a failure of whatever is asked for once the request has ended. */
function network(signal: AbortSignal, onPart: (part: number) => void): ReadableStream<Uint8Array> {
  let part = 0;
  return new ReadableStream<Uint8Array>({
    start: (controller) =>
      signal.addEventListener("abort", () => controller.error(signal.reason), { once: true }),
    pull: (controller) => {
      const offset = PART_BYTES * part++;
      if (offset >= body.length) return controller.close();
      controller.enqueue(body.subarray(offset, offset + PART_BYTES));
      onPart(part);
    },
  }, { highWaterMark: 0 });
}

/** Waits for as many turns of the queue of microtasks. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

const MOMENTS = [1, 2, 5, 20, 30].flatMap((part) =>
  [0, 1, 2, 3, 5, 8, 13, 21].map((turn) => [part, turn])
);

test("history() that is cancelled at any moment of a large transfer fails once, and with the reason", async () => {
  const outcomes: unknown[] = [];
  const unhandled = await unhandledRejections(async () => {
    for (const [part, turn] of MOMENTS) outcomes.push(await cancelAt(part!, turn!));
  });
  expect(outcomes).toEqual(MOMENTS.map(() => ["enough", []]));
  expect(unhandled).toEqual([]);
});

async function cancelAt(part: number, turn: number): Promise<unknown> {
  // Each download spends one of a day.
  service.clock.ms += DAY_MS;
  const cancel = new AbortController();
  const fetch = async (request: Request) => {
    const response = await service.fetch(request);
    if (pathOf(request) !== FILE) return response;
    await response.body?.cancel();
    const parts = network(request.signal, (sent) => {
      if (sent === part) void turns(turn).then(() => cancel.abort(new Error("enough")));
    });
    return new Response(parts, { headers: response.headers });
  };
  const api = await service.connect({ fetch });
  const failure = await api.history("ecpnd", { signal: cancel.signal, progress: false })
    .then(() => "nothing", (error: Error) => error.message);
  const left = await releaseFiles(api);
  await api.close();
  return [failure, left];
}
