/**
 * A server over a store for `bench/history.ts`, at full speed and with its file paced like a link of 50 MB/s. Prints
 * both addresses.
 *
 * @module
 */
import process from "node:process";
import { createScoreServer } from "../src/server/mod.ts";
import { Store } from "../src/base/store/store.ts";

const LINK_BYTES_PER_MS = 50_000;
const KEY = "svc_test_bench0123456789";

const store = await Store.open(process.argv[2]!);
const accounts = [{
  id: "bench",
  factors: ["ecpnd", "ecqdi"],
  keys: [{ key: KEY }],
  limits: { downloadsPerDay: 1000 },
}] as const;
const server = createScoreServer({ store, accounts });
const { url } = await server.listen({ port: 0 });
const paced = Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen: () => {} },
  async (request) => {
    const response = await server.fetch(new Request(request.url.replace(/:\d+/, ""), request));
    if (response.body === null || !request.url.includes(".csv.gz")) return response;
    return new Response(response.body.pipeThrough(pace()), response);
  },
);
process.stdout.write(
  `${JSON.stringify({ url, pacedUrl: `http://127.0.0.1:${paced.addr.port}` })}\n`,
);

function pace(): TransformStream<Uint8Array, Uint8Array> {
  let startMs: number | null = null;
  let sent = 0;
  return new TransformStream({
    async transform(chunk, controller) {
      startMs ??= performance.now();
      sent += chunk.length;
      const dueMs = startMs + sent / LINK_BYTES_PER_MS;
      const waitMs = dueMs - performance.now();
      if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
      controller.enqueue(chunk);
    },
  });
}
