// One notebook on its own: a process that connects to a service and spends. Its clock is the service's, and moves on when it sleeps.
import { join } from "node:path";
import process from "node:process";
import { connect } from "../../../src/client/connect.ts";
import { openSleepClock } from "./_sleep_clock.ts";

interface Job {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly cacheDir: string;
  readonly clockFile: string;
  readonly requests?: number;
  readonly panel?: readonly string[];
  /** Folder for stores of its own: in each of three, a panel and both releases are loaded at once. */
  readonly stores?: string;
}

const job: Job = JSON.parse(process.argv[2] ?? "{}");
const clock = openSleepClock(job.clockFile);
const connection = {
  apiKey: job.apiKey,
  baseUrl: job.baseUrl,
  cacheDir: job.cacheDir,
  maxWaitMs: 600_000,
  deadlineMs: 600_000,
  now: clock.now,
  sleep: (waitMs: number) => Promise.resolve(clock.moveTo(clock.now() + waitMs)),
};
if (job.stores !== undefined) {
  const stores = ["a", "b", "c"].map((name) => join(job.stores!, name));
  const connections = await Promise.all(stores.map((store) => connect({ ...connection, store })));
  await Promise.all(connections.flatMap((api) => [
    api.panel("ecpnd", { at: job.panel ?? [], every: "check" }),
    api.history("ecpnd"),
    api.history("ecqdi"),
  ]));
  await Promise.all(connections.map((api) => api.close()));
  process.exit(0);
}
const api = await connect(connection);
if (job.panel !== undefined) await api.panel("ecpnd", { at: job.panel, every: "check" });
// Equal loads would share one request.
const loads = Array.from(
  { length: job.requests ?? 0 },
  (_, i) => api.factors({ timeoutMs: 600_000 + i }),
);
await Promise.all(loads);
const requests = api.log().height;
await api.close();
process.stdout.write(`${loads.length} loads done, ${requests} requests sent\n`);
