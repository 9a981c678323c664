// One notebook on its own: a process that connects to a service and spends. Its clock runs like the service's.
import process from "node:process";
import { connect } from "../../src/client/connect.ts";

interface Job {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly cacheDir: string;
  readonly clock: { readonly startMs: number; readonly realStartMs: number; readonly rate: number };
  readonly requests?: number;
  readonly panel?: readonly string[];
}

const job: Job = JSON.parse(process.argv[2] ?? "{}");
const { startMs, realStartMs, rate } = job.clock;
const api = await connect({
  apiKey: job.apiKey,
  baseUrl: job.baseUrl,
  cacheDir: job.cacheDir,
  maxWaitMs: 600_000,
  deadlineMs: 600_000,
  now: () => startMs + (Date.now() - realStartMs) * rate,
  sleep: (waitMs) => new Promise((resolve) => setTimeout(resolve, waitMs / rate)),
});
if (job.panel !== undefined) await api.panel("ecpnd", { at: job.panel, every: "check" });
const loads = Array.from({ length: job.requests ?? 0 }, () => api.factors());
await Promise.all(loads);
await api.close();
process.stdout.write(`${loads.length} loads done\n`);
