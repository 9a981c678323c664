/**
 * Thirty colleagues in three processes, each with a quickstart, both releases and a panel of 250 sessions of both factors:
 * the requests that the service sees through a relay, and without one, and whether all frames are the same; and what a
 * request costs. Arguments: `--quick` for six colleagues and 20 sessions, `--costs` for the costs alone.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createScoreServer, type ScoreServer, type StoreReader } from "../src/server/mod.ts";
import { UserFile } from "../src/desk/relay/user/user_file.ts";
import { measureCosts } from "./_relay_costs.ts";
import { buildWorld } from "../src/server/world/build_world.ts";

const QUICK = process.argv.includes("--quick");
const PROCESSES = 3;
const EACH = QUICK ? 2 : 10;
const [FROM, TO, HOURS] = QUICK
  ? ["2026-10-22", "2026-11-18", 720]
  : ["2025-11-20", "2026-11-18", 8_760];
const KEY = "svc_test_benchmark";
const CLIENTS = new URL("./_relay_clients.ts", import.meta.url).pathname;
const MAIN = new URL("../src/app/cli/main.ts", import.meta.url).pathname;

const folder = await mkdtemp(join(tmpdir(), "scoreframe-bench-relay-"));
try {
  say(`building a world of ${HOURS} hours`);
  const { store } = await buildWorld(join(folder, "world"), {
    tickers: 60,
    years: 1,
    hours: HOURS,
  });
  const costs = await measureCosts({
    service: startService(store, [KEY]),
    key: KEY,
    folder: join(folder, "costs"),
  });
  costs.lines.forEach(say);
  process.exitCode = costs.isGood ? 0 : 1;
  if (!process.argv.includes("--costs")) await compareLoads(store);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function compareLoads(store: StoreReader): Promise<void> {
  const [reference, distinct] = await loadDirectly(store, 1);
  const without = QUICK ? null : await loadDirectly(store, PROCESSES * EACH);
  const isGood = await loadThroughRelay(store, { frames: reference.frames[0]!, distinct });
  if (without !== null) {
    const [{ requests, downloads, seconds }] = without;
    say(`without a relay: ${requests} requests, ${downloads} downloads in ${seconds} s`);
  }
  if (!isGood) process.exitCode = 1;
}

interface Load {
  readonly requests: number;
  readonly downloads: number;
  readonly refused: number;
  readonly seconds: number;
  readonly frames: readonly (readonly string[])[];
}

/** The service, whose clock stands still; its minute is as large as its day, because no minute of it ever ends. */
function startService(store: StoreReader, accounts: readonly string[]): ScoreServer {
  const server = createScoreServer({
    store,
    journal: { capacity: 1e6 },
    accounts: accounts.map((key) => ({
      id: key,
      factors: ["ecpnd", "ecqdi"],
      keys: [{ key }],
      limits: { requestsPerMinute: 1e5 },
    })),
  });
  server.clock.set("2026-11-20T15:00:00Z");
  return server;
}

// Each colleague with an account alone: what the desk's one account would have to bear.
async function loadDirectly(store: StoreReader, colleagues: number): Promise<[Load, number]> {
  const keys = Array.from({ length: colleagues }, (_, i) => `${KEY}_${i}`);
  const server = startService(store, keys);
  const { url } = await server.listen();
  const load = await loadAll(server, url, keys, `direct-${colleagues}`);
  const paths = server.journal.entries.filter(({ target }) => target.includes("at="))
    .map(({ target }) => target);
  await server.close();
  return [load, new Set(paths).size];
}

async function loadThroughRelay(
  store: StoreReader,
  expected: { readonly frames: readonly string[]; readonly distinct: number },
): Promise<boolean> {
  const server = startService(store, [KEY]);
  const { url } = await server.listen();
  const state = join(folder, "state");
  const users = new UserFile(state);
  const names = Array.from({ length: PROCESSES * EACH }, (_, i) => `user-${i}`);
  const keys = [];
  for (const name of names) {
    const user = { name, requests: null, downloads: null, admin: false };
    keys.push(await users.add(user, { environment: "sandbox", now: new Date().toISOString() }));
  }
  const { child, address } = await startRelay(url, state);
  try {
    const load = await loadAll(server, address, keys, "relayed");
    const limit = expected.distinct + 10;
    const isSame = load.frames.every((frames) => `${frames}` === `${expected.frames}`);
    say(
      `through the relay: ${load.requests} requests (at most ${limit}), ${load.downloads} downloads (2), ` +
        `${load.refused} refused (0), frames ${
          isSame ? "equal" : "DIFFERENT"
        }, in ${load.seconds} s`,
    );
    say(`beside the instants: ${countsOf(server).join(", ")}`);
    return load.requests <= limit && load.downloads === 2 && load.refused === 0 && isSame;
  } finally {
    process.kill(child.pid!, "SIGTERM");
    await once(child, "exit");
    await server.close();
  }
}

async function startRelay(
  url: string,
  state: string,
): Promise<{ child: ChildProcess; address: string }> {
  const args = [
    "run",
    "-A",
    MAIN,
    "relay",
    "--store",
    join(folder, "relay"),
    "--listen",
    "127.0.0.1:0",
  ];
  const env = {
    ...process.env,
    ...{ SCOREFRAME_URL: url, SCOREFRAME_API_KEY: KEY, SCOREFRAME_RELAY_STATE: state },
    XDG_CACHE_HOME: join(folder, "relay-cache"),
  };
  const child = spawn(Deno.execPath(), args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const begunMs = performance.now();
  const [line] = await once(child.stdout, "data");
  say(`the relay started in ${Math.round(performance.now() - begunMs)} ms, with its process`);
  return { child, address: /listening on (\S+)/.exec(String(line))![1]! };
}

async function loadAll(
  server: ScoreServer,
  url: string,
  keys: readonly string[],
  name: string,
): Promise<Load> {
  const begunMs = performance.now();
  const size = Math.ceil(keys.length / PROCESSES);
  const parts = Array.from(
    { length: Math.ceil(keys.length / size) },
    (_, i) => keys.slice(i * size, (i + 1) * size),
  );
  const frames = await Promise.all(
    parts.map((part, i) => loadIn(url, part, join(folder, `${name}-${i}`))),
  );
  const { entries } = server.journal;
  return {
    requests: entries.reduce((sum, entry) => sum + entry.spentRequests, 0),
    downloads: entries.reduce((sum, entry) => sum + entry.spentDownloads, 0),
    refused: entries.filter(({ status }) => status === 429).length,
    seconds: Math.round((performance.now() - begunMs) / 1000),
    frames: frames.flat(),
  };
}

async function loadIn(
  url: string,
  keys: readonly string[],
  place: string,
): Promise<readonly (readonly string[])[]> {
  const args = ["run", "-A", CLIENTS, url, place, FROM, TO, ...keys];
  const child = spawn(Deno.execPath(), args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (part) => text += String(part));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`a process of colleagues ended with ${code}`);
  return JSON.parse(text);
}

function countsOf(server: ScoreServer): readonly string[] {
  const counts = new Map<string, number>();
  for (const { method, target } of server.journal.entries) {
    if (target.includes("at=")) continue;
    const name = `${method} ${target}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
