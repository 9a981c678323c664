import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type CheckSource,
  createScoreServer,
  type ScoreServer,
  type ServerTimes,
} from "../../../src/server/mod.ts";
import { Store } from "../../../src/base/store/store.ts";
import {
  type FixtureStore,
  makeFixtureStore,
  putFixtureRelease,
} from "../../helpers/fixture_store.ts";
import { type ConnectionPorts, queuedBytes } from "../../../src/server/http/_watch_idle.ts";
import { ACCOUNTS, KEY, useServers, WAYS } from "../_harness.ts";
import { until } from "../_until.ts";

const FILE = "/v1/scores/history.csv.gz";
const HEAD = `Host: localhost\r\nAuthorization: Bearer ${KEY}\r\n`;

describe.each(WAYS)("concurrency and deadlines (section 8), %s", (way) => {
  const { start } = useServers();

  // @rule 7 server/account/quota_gate.ts: 429 concurrent_request_limit beyond 5 requests
  // @rule 8 server/account/quota_gate.ts: 5 concurrent requests
  // @silent 8 server/account/quota_gate.ts: A refusal for concurrency asks the client to wait 1 second
  test("lets 5 requests of an account run at once and refuses the sixth with 429", async () => {
    const { server, get } = await start(way, {
      faults: [{ kind: "latency", ms: 1000, endpoint: "factors" }],
    });
    const running = Array.from({ length: 5 }, () => get("/v1/factors"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const sixth = await get("/v1/scores");
    expect(sixth.status).toBe(429);
    expect(sixth.headers.get("retry-after")).toBe("1");
    expect(await sixth.json()).toMatchObject({
      error: "concurrent_request_limit",
      retryable: true,
      retry_after_seconds: 1,
    });
    const stranger = await get("/v1/scores", { key: "svc_test_licensed_ecpnd" });
    expect(stranger.status).toBe(200);
    for (const response of await Promise.all(running)) expect(response.status).toBe(200);
    server.faults.clear();
    const after = await get("/v1/scores");
    expect(after.status).toBe(200);
    // Five and this one; the refused one spent nothing.
    expect(after.headers.get("x-ratelimit-remaining")).toBe("114");
  });

  // @rule 7 server/account/quota_gate.ts: 429 download_limit_exceeded for the one concurrent download
  // @rule 8 server/account/quota_gate.ts: 1 concurrent download
  test("lets one download of an account run at once", async () => {
    const { get } = await start(way, {
      faults: [{
        kind: "dribble",
        chunkBytes: 10,
        intervalMs: 60,
        endpoint: "historyFile",
        count: 1,
      }],
    });
    const first = await get(FILE);
    const second = await get(`${FILE}?factor=ecqdi`);
    expect(second.status).toBe(429);
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await second.json()).error).toBe("download_limit_exceeded");
    expect((await get(FILE, { method: "HEAD" })).status).toBe(200);
    await first.arrayBuffer();
    await until(async () => (await get(`${FILE}?factor=ecqdi`)).status === 200);
  });

  // @rule 7 server/pipeline/pipeline.ts: 503 request_timeout at the deadline
  test("answers 503 request_timeout when processing takes longer than the deadline", async () => {
    const { get } = await start(way, {
      faults: [{ kind: "latency", ms: 400 }],
      times: { requestDeadlineMs: 60 },
    });
    const response = await get("/v1/scores");
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await response.json()).toMatchObject({ error: "request_timeout", retryable: true });
  });
});

describe("the deadlines", () => {
  test("let a half head behind an answer run out before its connection counts as idle", async () => {
    const { DEFAULT_TIMES } = await import("../../../src/server/server_times.ts");
    expect(DEFAULT_TIMES.headTimeoutMs).toBeLessThan(DEFAULT_TIMES.keepAliveMs);
  });
});

// A clock that jumps makes the runtime take an answered request for one whose head is late.
const NO_HEAD_DEADLINE = { headTimeoutMs: 1e9, requestTimeoutMs: 1e9 };

describe("the file over a socket", () => {
  let fixture: FixtureStore;
  let server: ScoreServer;
  beforeAll(async () => {
    fixture = await makeFixtureStore();
    // Rows that gzip cannot shrink, so that the file is larger than every socket buffer on the way.
    const rows = Array.from({ length: 800_000 }, (_, i) => {
      const score = ((i * 2654435761) % 4294967296) / 4294967296;
      return `2026-08-13,T${String(i).padStart(6, "0")},${score}`;
    });
    const availableFrom = "2026-10-01T00:00:00Z";
    await putFixtureRelease(fixture.store, { factor: "ecpnd", rows, availableFrom });
  });
  afterAll(() => fixture.remove());

  async function startWith(times: Partial<ServerTimes>, checks?: CheckSource) {
    const source = checks === undefined ? {} : { checks };
    server = createScoreServer({ store: fixture.store, accounts: ACCOUNTS, times, ...source });
    server.clock.set("2026-11-20T15:00:00Z");
    return (await server.listen()).port;
  }

  // @rule 4.5 server/pipeline/serve_history.ts: An interrupted transfer has spent a download
  test("spends a download although the transfer is interrupted, and frees the place", async () => {
    const port = await startWith({});
    const socket = await request(port, `GET ${FILE} HTTP/1.1\r\n${HEAD}\r\n`);
    await received(socket, 1000);
    socket.destroy();
    await until(() => Promise.resolve(server.journal.entries.length === 1));
    expect(server.journal.entries[0]).toMatchObject({
      status: 200,
      spentRequests: 1,
      spentDownloads: 1,
      complete: false,
    });
    const again = await server.fetch(
      new Request(`http://x${FILE}?factor=ecqdi`, { headers: { Authorization: `Bearer ${KEY}` } }),
    );
    expect(again.status).toBe(200);
    expect(again.headers.get("x-downloadlimit-remaining")).toBe("8");
    await again.arrayBuffer();
    await server.close();
  });

  test("frees the places of answers that still wait behind it when the client goes away", async () => {
    const port = await startWith({});
    const behind = `GET /v1/factors HTTP/1.1\r\n${HEAD}\r\n`.repeat(2);
    const socket = await request(port, `GET ${FILE} HTTP/1.1\r\n${HEAD}\r\n${behind}`);
    socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(server.journal.entries).toEqual([]);
    socket.destroy();
    await until(() => Promise.resolve(server.journal.entries.length === 3));
    expect(server.journal.entries.map((entry) => entry.complete)).toEqual([false, false, false]);
    await server.close();
  });

  // @rule 4.5 server/http/_deliver_reply.ts: A transfer ends after 30 seconds without socket activity
  // @silent 8 server/http/_deliver_reply.ts: An answer that its client does not read for 30 seconds is abandoned, whatever the endpoint
  test("is cut off when the client does not read for the idle time", async () => {
    const port = await startWith({ idleTimeoutMs: 200 });
    const socket = await request(port, `GET ${FILE} HTTP/1.1\r\n${HEAD}\r\n`);
    socket.pause();
    await until(() => Promise.resolve(server.journal.entries.length === 1));
    expect(server.journal.entries[0]?.complete).toBe(false);
    socket.destroy();
    await server.close();
  });

  // @rule 4.5 server/http/_deliver_reply.ts: A transfer ends after 120 seconds at the latest
  test("is cut off at the transfer deadline even if the client goes on reading slowly", async () => {
    const port = await startWith({ idleTimeoutMs: 5000, transferDeadlineMs: 300 });
    const socket = await request(port, `GET ${FILE} HTTP/1.1\r\n${HEAD}\r\n`);
    socket.pause();
    const reading = setInterval(() => socket.read(100), 20);
    await until(() => Promise.resolve(server.journal.entries.length === 1));
    clearInterval(reading);
    expect(server.journal.entries[0]?.complete).toBe(false);
    socket.destroy();
    await server.close();
  });

  test("finishes while the server closes, and no new client is let in meanwhile", async () => {
    const port = await startWith({});
    const socket = await request(port, `GET ${FILE} HTTP/1.1\r\n${HEAD}\r\n`);
    const whole = received(socket, Infinity);
    await received(socket, 1);
    const closed = server.close();
    await expect(fetch(`http://127.0.0.1:${port}/v1/factors`)).rejects.toThrow();
    const bytes = await whole;
    const length = Number(/content-length: (\d+)/i.exec(bytes.toString("latin1"))?.[1]);
    expect(bytes.length - bytes.indexOf("\r\n\r\n") - 4).toBe(length);
    await closed;
    expect(server.journal.entries[0]?.complete).toBe(true);
  });

  describe("by the deadlines of section 8", () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    // @rule 8 server/server_times.ts: An ordinary request ends after 15 seconds of processing
    test("end a request after 15 seconds of processing, with 503", async () => {
      const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
      const checks = () => {
        ask();
        return new Promise<null>(() => {});
      };
      const port = await startWith({}, checks);
      server.clock.set("2026-11-20T16:00:00Z");
      const socket = await request(port, `GET /v1/scores HTTP/1.1\r\n${HEAD}\r\n`);
      const answer = received(socket, 1);
      await asked;
      await vi.advanceTimersByTimeAsync(14_999);
      expect(socket.bytesRead).toBe(0);
      await vi.advanceTimersByTimeAsync(1);
      expect((await answer).toString("latin1")).toMatch(/^HTTP\/1\.1 503 [^]*"request_timeout"/);
      socket.destroy();
      await server.close();
    });

    // @silent 8 server/http/_watch_idle.ts: On Linux a client counts as reading while the queue of its connection changes, however slowly; elsewhere, while the system accepts more data for it
    test("let a transfer go on whose client takes a little of it now and then", async () => {
      const port = await startWith(NO_HEAD_DEADLINE);
      // Unlike a stream, this reads what it is told to and not a byte ahead.
      const client = await Deno.connect({ port });
      await client.write(new TextEncoder().encode(`GET ${FILE} HTTP/1.1\r\n${HEAD}\r\n`));
      const ports = { localPort: port, remotePort: (client.localAddr as Deno.NetAddr).port };
      await untilFull(ports);
      for (let i = 0; i < 3; i++) {
        await vi.advanceTimersByTimeAsync(20_000);
        const before = queuedBytes(ports) ?? 0;
        while ((queuedBytes(ports) ?? 0) >= before) await client.read(new Uint8Array(20_000));
      }
      await vi.advanceTimersByTimeAsync(29_000);
      expect(server.journal.entries).toEqual([]);
      await vi.advanceTimersByTimeAsync(2_000);
      await vi.waitUntil(() => server.journal.entries.length === 1, { timeout: 60_000 });
      expect(server.journal.entries[0]?.complete).toBe(false);
      client.close();
      await server.close();
    });

    // @silent 8 server/http/_deliver_reply.ts: The deadlines of a transfer also apply when a fault delivers it
    test.each(
      [
        ["dribble", 30, "nobody reads", {}],
        ["dribble", 120, "goes on as long as anybody reads", { idleTimeoutMs: 1e9 }],
        ["cut", 30, "nobody reads", {}],
      ] as const,
    )("end a transfer with a %s after %i seconds that %s", async (kind, seconds, _, times) => {
      const port = await startWith({ ...NO_HEAD_DEADLINE, ...times });
      const dribble = { kind: "dribble", chunkBytes: 1 << 20, intervalMs: 0 } as const;
      server.faults.add(kind === "dribble" ? dribble : { kind, afterBytes: 9_000_000 });
      const socket = await request(port, `GET ${FILE} HTTP/1.1\r\n${HEAD}\r\n`);
      socket.pause();
      await untilFull({ localPort: port, remotePort: socket.localPort });
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
      expect(server.journal.entries).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await vi.waitUntil(() => server.journal.entries.length === 1, { timeout: 60_000 });
      expect(server.journal.entries[0]?.complete).toBe(false);
      server.faults.clear();
      const headers = { Authorization: `Bearer ${KEY}` };
      const next = await server.fetch(new Request(`http://x${FILE}?factor=ecqdi`, { headers }));
      expect(next.status).toBe(200);
      await next.arrayBuffer();
      socket.destroy();
      await server.close();
    });

    test("end the pause of a dribble with its transfer", async () => {
      const port = await startWith(NO_HEAD_DEADLINE);
      server.faults.add({ kind: "dribble", chunkBytes: 10, intervalMs: 1e9 });
      const socket = await request(port, `GET ${FILE} HTTP/1.1\r\n${HEAD}\r\n`);
      const chunks: Buffer[] = [];
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      const hasBody = () => /\r\n\r\n[^]{10}$/.test(Buffer.concat(chunks).toString("latin1"));
      while (!hasBody()) await pause(20);
      // Until the server knows that they are gone.
      await pause(200);
      await vi.advanceTimersByTimeAsync(119_999);
      expect(server.journal.entries).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await vi.waitUntil(() => server.journal.entries.length === 1, { timeout: 60_000 });
      expect(server.journal.entries[0]).toMatchObject({ complete: false, sentBytes: 10 });
      socket.destroy();
      await server.close();
    });

    // @rule 8 server/server_times.ts: A transfer ends after 30 seconds without socket activity, and after 120 seconds in any case
    test.each([
      [30, "that nobody reads", {}],
      [120, "that goes on as long as anybody reads", { idleTimeoutMs: 1e9 }],
    ])("end after %i seconds a transfer %s", async (seconds, _, times) => {
      const port = await startWith({ ...NO_HEAD_DEADLINE, ...times });
      const socket = await request(port, `GET ${FILE} HTTP/1.1\r\n${HEAD}\r\n`);
      socket.pause();
      await untilFull({ localPort: port, remotePort: socket.localPort });
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
      expect(server.journal.entries).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await vi.waitUntil(() => server.journal.entries.length === 1, { timeout: 60_000 });
      expect(server.journal.entries[0]?.complete).toBe(false);
      socket.destroy();
      await server.close();
    });
  });
});

describe("a place among the concurrent requests", () => {
  const { start } = useServers();

  // @silent 8 server/pipeline/dispatcher.ts: A request stops counting as concurrent when the last of its answer is handed over, before the client can have read it, or when the answer is abandoned
  test("is free for a client that has read the answer, every time", async () => {
    const limits = { concurrentRequests: 1, requestsPerMinute: 1000, downloadsPerDay: 1000 };
    const accounts = [{ id: "a", factors: ["ecpnd"] as const, keys: [{ key: KEY }], limits }];
    const { get } = await start("over a socket", { accounts });
    const statuses = new Set<number>();
    for (let i = 0; i < 150; i++) {
      for (const path of ["/v1/scores", FILE]) {
        const response = await get(path);
        await response.arrayBuffer();
        statuses.add(response.status);
      }
    }
    expect([...statuses]).toEqual([200]);
  });
});

describe("kill -9", () => {
  // @rule 8.3 server/account/usage_ledger.ts: Limits survive kill -9
  test("neither refunds a counted request nor loses more than those in flight", async () => {
    const fixture = await makeFixtureStore();
    const state = await mkdtemp(join(tmpdir(), "scoreframe-kill-"));
    const answered = await countUntilKilled(fixture.path, state);
    const server = createScoreServer({
      store: await Store.open(fixture.path),
      accounts: [{
        id: "main",
        factors: ["ecpnd"],
        keys: [{ key: KEY }],
        limits: { requestsPerMinute: 1e6, requestsPerDay: 1e6 },
      }],
      state,
    });
    server.clock.set("2026-11-20T15:00:00Z");
    const response = await server.fetch(
      new Request("http://x/v1/factors", { headers: { Authorization: `Bearer ${KEY}` } }),
    );
    const spent = 1e6 - Number(response.headers.get("x-dailylimit-remaining")) - 1;
    expect(answered).toBeGreaterThanOrEqual(40);
    // At most the requests in flight on one connection may be spent without having been answered.
    expect(spent).toBeGreaterThanOrEqual(answered);
    expect(spent).toBeLessThanOrEqual(answered + 1);
    await server.close();
    await rm(state, { recursive: true });
    await fixture.remove();
  });
});

/** Runs a server in another process, sends one request after the other, and kills it amid them. */
async function countUntilKilled(store: string, state: string): Promise<number> {
  const script = new URL("../_killable_server.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["run", "-A", script, store, state], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve) =>
    child.stdout.on("data", (data) => resolve(String(data).trim()))
  );
  let answered = 0;
  try {
    while (true) {
      const response = await fetch(`${url}/v1/factors`, {
        headers: { Authorization: `Bearer ${KEY}` },
      });
      await response.arrayBuffer();
      answered++;
      // Amid the next request, whichever part of it that is.
      if (answered === 40) setTimeout(() => child.kill("SIGKILL"), Math.random() * 10);
    }
  } catch {
    return answered;
  }
}

/** Waits until every buffer on the way of an answer is full, because the queue of its connection grows no more. */
async function untilFull(ports: ConnectionPorts): Promise<void> {
  let last = 0;
  // Looks are counted, and not time, in which a busy machine may do nothing. Where the system tells, they begin with the first
  // data, for which a busy relay may need seconds.
  for (let [looks, same] = [0, 0]; same < 25 || (last === 0 && looks < 75);) {
    await pause(20);
    const queued = queuedBytes(ports);
    if (queued !== 0) looks++;
    same = (queued ?? 0) === last ? same + 1 : 0;
    last = queued ?? 0;
  }
}

function request(port: number, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(text);
      resolve(socket);
    });
    socket.on("error", () => {});
  });
}

function received(socket: Socket, atLeast: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const done = () => resolve(Buffer.concat(chunks));
    socket.on("data", (chunk) => {
      chunks.push(chunk as Uint8Array);
      size += chunk.length;
      if (size >= atLeast) done();
    });
    socket.on("close", done);
  });
}
