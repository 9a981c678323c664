// A process for the server benchmark: `api STORE STATE` serves the API, `bare FILE` returns a file's bytes.
import { readFile } from "node:fs/promises";
import process from "node:process";
import { createScoreServer } from "../src/server/mod.ts";
import { Store } from "../src/base/store/store.ts";

const [kind = "", path = "", state = ""] = process.argv.slice(2);
const MANY = 1e9;

async function startApi(): Promise<string> {
  const server = createScoreServer({
    store: await Store.open(path, { durable: false }),
    accounts: [{
      id: "bench",
      factors: ["ecpnd", "ecqdi"],
      keys: [{ key: "svc_test_benchmark" }],
      limits: { requestsPerMinute: MANY, requestsPerDay: MANY, concurrentRequests: MANY },
    }],
    state,
  });
  server.clock.set("2026-11-20T15:00:00Z");
  return (await server.listen()).url;
}

async function startBare(): Promise<string> {
  const bytes = new Uint8Array(await readFile(path));
  const headers = { "content-type": "application/json" };
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => new Response(bytes, { headers }),
  );
  return `http://127.0.0.1:${server.addr.port}`;
}

process.stdout.write(`${kind === "api" ? await startApi() : await startBare()}\n`);
