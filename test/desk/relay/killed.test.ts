// @heavy: many kills
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createScoreServer, type ScoreServer } from "../../../src/server/mod.ts";
import { UserFile } from "../../../src/desk/relay/user/user_file.ts";
import { Store } from "../../../src/base/store/store.ts";
import { verifyStore } from "../../../src/base/store/verify_store.ts";
import { FIXTURE_SETS, type FixtureStore, makeFixtureStore } from "../../helpers/fixture_store.ts";
import { ACCOUNT_KEY } from "./_relay.ts";

const KILLS = Number(process.env["SCOREFRAME_KILLS"] ?? 100);
const SEED = Number(process.env["SCOREFRAME_KILL_SEED"] ?? 7);
const PROGRAM = join(import.meta.dirname!, "_relay_process.ts");

/** Moments of a request at the service at which the relay is killed; else it is killed some milliseconds after a start. */
const MOMENTS = [
  "when it arrives",
  "before its answer",
  "within its body",
  "after its answer",
  "at any time",
];

const FILE = "/v1/scores/history.csv.gz";
const QUESTIONS: readonly string[] = [
  "/v1/factors",
  ...(["ecpnd", "ecqdi"] as const).flatMap((factor) => [
    `/v1/scores?factor=${factor}`,
    `/v1/scores?factor=${factor}&snapshot_id=${FIXTURE_SETS[factor].first}`,
    `/v1/scores?factor=${factor}&snapshot_id=${FIXTURE_SETS[factor].second}`,
    ...["10:20", "11:40", "12:00", "13:59", "14:30"].map((time) =>
      `/v1/scores?factor=${factor}&at=2026-11-20T${time}:00Z`
    ),
    `/v1/scores/history?factor=${factor}`,
    `${FILE}?factor=${factor}`,
  ]),
];

let fixture: FixtureStore;
let service: ScoreServer;
let folder: string;
let front: Deno.HttpServer<Deno.NetAddr>;
let onMoment: (moment: string) => void = () => {};
beforeEach(async () => {
  fixture = await makeFixtureStore();
  service = createScoreServer({
    store: fixture.store,
    accounts: [{
      id: "desk",
      factors: ["ecpnd", "ecqdi"],
      keys: [{ key: ACCOUNT_KEY }],
      limits: {
        requestsPerMinute: 1e6,
        requestsPerDay: 1e6,
        downloadsPerDay: 1e6,
        concurrentRequests: 100,
        concurrentDownloads: 100,
      },
    }],
    journal: { capacity: 1e6 },
  });
  service.clock.set("2026-11-20T15:00:00Z", { rate: 1e-6 });
  folder = await mkdtemp(join(tmpdir(), "scoreframe-killed-"));
  front = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, answer);
});
afterEach(async () => {
  onMoment = () => {};
  next?.child.kill("SIGKILL");
  await next?.ended;
  await front.shutdown();
  await service.close();
  await fixture.remove();
  await rm(folder, { recursive: true, force: true });
});

// The service over a socket, which tells how far it has come with an answer.
async function answer(request: Request): Promise<Response> {
  onMoment("when it arrives");
  const response = await service.fetch(request);
  onMoment("before its answer");
  if (response.body === null) return response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const half = bytes.length >> 1;
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.subarray(0, half));
      onMoment("within its body");
      await new Promise((resolve) => setTimeout(resolve, 2));
      controller.enqueue(bytes.subarray(half));
      controller.close();
      onMoment("after its answer");
    },
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}

/** A process that has loaded what a relay needs, and opens it when it is told to. */
interface Loaded {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
}

function load(): Loaded {
  const address = `http://127.0.0.1:${front.addr.port}`;
  const args = ["run", "-A", PROGRAM, folder, address, ACCOUNT_KEY];
  const child = spawn(Deno.execPath(), args, { stdio: ["pipe", "pipe", "inherit"] });
  return { child, ended: once(child, "exit") };
}

let next: Loaded | null = null;

/** Starts the relay, while the next process loads; its process, and the address once it listens. */
async function startRelay(): Promise<Loaded & { readonly url: string }> {
  const { child, ended } = next ?? load();
  const printed = once(child.stdout!, "data");
  child.stdin!.write("open\n");
  next = load();
  const [line] = await Promise.race([printed, ended.then(() => [""])]);
  return { child, url: String(line).trim(), ended };
}

/** Numbers from 0 to 1, the same for the same seed. */
function* chances(seed: number): Generator<number, never, void> {
  for (let state = seed;;) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    yield state / 2 ** 32;
  }
}

/** Requests and downloads that the ledger of the account has counted. */
async function counted(): Promise<{ requests: number; downloads: number }> {
  const ledgers = join(folder, "cache", "ledgers");
  const name = (await readdir(ledgers)).find((entry) => entry.endsWith(".sqlite"))!;
  const database = new DatabaseSync(join(ledgers, name), { readOnly: true });
  const row = database.prepare("SELECT state FROM account").get() as { state: string } | undefined;
  database.close();
  const { day, download } = row === undefined ? {} as never : JSON.parse(row.state).windows;
  const spent = (window?: { limit: number; remaining: number }) =>
    window === undefined ? 0 : window.limit - window.remaining;
  return { requests: spent(day), downloads: spent(download) };
}

function journalled(): { requests: number; downloads: number } {
  const { entries } = service.journal;
  return {
    requests: entries.reduce((total, entry) => total + entry.spentRequests, 0),
    downloads: entries.reduce((total, entry) => total + entry.spentDownloads, 0),
  };
}

const bodyOf = async (
  response: Response,
) => [response.status, new TextDecoder("latin1").decode(await response.arrayBuffer())];

test(`a relay that is killed ${KILLS} times forgets no request, and serves nothing that the service does not`, async () => {
  const users = new UserFile(join(folder, "state"));
  const limits = { requests: null, downloads: null, admin: false };
  const given = { environment: "sandbox", now: "2026-11-20T15:00:00.000Z" } as const;
  const keys = [
    await users.add({ name: "ann", ...limits }, given),
    await users.add({ name: "bob", ...limits }, given),
  ];
  const chance = chances(SEED);
  const pick = <T>(items: readonly T[]) => items[Math.floor(chance.next().value * items.length)]!;
  for (let kill = 0; kill < KILLS; kill++) {
    // A store that has everything asks for little: every tenth kill begins with an empty one.
    if (kill % 10 === 0) await rm(join(folder, "store"), { recursive: true, force: true });
    const moment = MOMENTS[kill % MOMENTS.length]!;
    const { child, url, ended } = await startRelay();
    let left = Math.floor(chance.next().value * 6);
    onMoment = (seen) => {
      if (seen === moment && left-- === 0) child.kill("SIGKILL");
    };
    const timer = setTimeout(
      () => child.kill("SIGKILL"),
      moment === "at any time" ? chance.next().value * 150 : 400,
    );
    const headers = { Authorization: `Bearer ${pick(keys)}` };
    const asked = Array.from({ length: 6 }, async () => {
      for (let i = 0; i < 4; i++) {
        const response = await fetch(`${url}${pick(QUESTIONS)}`, { headers }).catch(() => null);
        await response?.arrayBuffer().catch(() => null);
      }
    });
    await ended;
    clearTimeout(timer);
    onMoment = () => {};
    await Promise.allSettled(asked);
    const [ledger, journal] = [await counted(), journalled()];
    expect([kill, moment, ledger.requests >= journal.requests]).toEqual([kill, moment, true]);
    expect([kill, moment, ledger.downloads >= journal.downloads]).toEqual([kill, moment, true]);
  }
  const { child, url, ended } = await startRelay();
  const direct = { headers: { Authorization: `Bearer ${ACCOUNT_KEY}` } };
  for (const path of QUESTIONS) {
    const relayed = await fetch(`${url}${path}`, {
      headers: { Authorization: `Bearer ${keys[0]}` },
    });
    const asked = await service.fetch(new Request(`http://service${path}`, direct));
    expect([path, ...await bodyOf(relayed)]).toEqual([path, ...await bodyOf(asked)]);
  }
  // What child.kill() sends counts as the end, however the process took it.
  process.kill(child.pid!, "SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect((await verifyStore(await Store.open(join(folder, "store")))).problems).toEqual([]);
});
