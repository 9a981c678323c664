import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KEY, type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

function sentAt(): readonly string[] {
  return service.server.journal.entries.map(({ at }) => at.slice(11, 19));
}

describe("a Retry-After", () => {
  test("holds every other request of the account, also from another notebook", async () => {
    const cacheDir = await service.makeFolder();
    const [a, b] = [await service.connect({ cacheDir }), await service.connect({ cacheDir })];
    service.server.faults.add({ kind: "status", status: 429, retryAfterSeconds: 30, count: 1 });
    await expect(a.factors({ maxRetries: 0 })).rejects.toMatchObject({ name: "WaitError" });
    await b.scores("ecqdi");
    expect(sentAt()).toEqual(["15:00:05", "15:00:35"]);
  });

  test("that is too long for the caller fails at once, with the time, and sends nothing", async () => {
    const api = await service.connect();
    service.server.faults.add({ kind: "status", status: 429, retryAfterSeconds: 3600, count: 1 });
    await api.factors().catch(() => {});
    await expect(api.scores("ecpnd")).rejects.toThrow(
      "Cannot load the latest ecpnd scores: the service answered 429 rate_limit_exceeded " +
        "and asked to wait until 2026-11-20T16:00:05.000Z; nothing was sent; try again then, or raise " +
        "maxWaitMs above 65000",
    );
    expect(service.requests).toHaveLength(1);
  });

  test("of one endpoint does not hold another", async () => {
    const api = await service.connect();
    service.server.faults.add({
      kind: "status",
      status: 503,
      code: "historical_export_preparing",
      endpoint: "history",
      retryAfterSeconds: 3600,
      count: 1,
    });
    await api.history("ecpnd").catch(() => {});
    await api.scores("ecpnd");
    expect(sentAt()).toEqual(["15:00:05", "15:00:05"]);
  });
});

describe("a wait of three seconds or more", () => {
  const listen = () => {
    const heard: string[] = [];
    return { heard, logger: { debug: () => {}, warn: (text: string) => void heard.push(text) } };
  };

  test("is told once, with its end and its reason", async () => {
    const { heard, logger } = listen();
    const api = await service.connect({ logger });
    service.server.faults.add({ kind: "status", status: 429, retryAfterSeconds: 30, count: 1 });
    await Promise.all([api.factors(), api.factors()]);
    expect(heard).toEqual([
      "Waiting until 2026-11-20T15:00:35Z: the service answered 429 rate_limit_exceeded; maxWaitMs " +
      "bounds such waits",
    ]);
    service.server.faults.add({ kind: "status", status: 503, retryAfterSeconds: 2, count: 1 });
    await api.factors();
    expect(heard).toHaveLength(1);
  });

  test("of another load that the service held up is told with what it said", async () => {
    const { heard, logger } = listen();
    const api = await service.connect({ logger });
    service.server.faults.add({ kind: "status", status: 429, retryAfterSeconds: 30, count: 1 });
    await api.factors({ maxRetries: 0 }).catch(() => {});
    await api.scores("ecpnd");
    expect(heard).toEqual([
      "Waiting until 2026-11-20T15:00:35Z: the service answered 429 rate_limit_exceeded and " +
      "asked to wait; maxWaitMs bounds such waits",
    ]);
  });
});

describe("the minute's budget", () => {
  test("is waited for, and the next request goes out when the next minute has begun", async () => {
    await service.close();
    service = await startService({
      accounts: [{
        id: "slow",
        factors: ["ecpnd"],
        keys: [{ key: KEY }],
        limits: { requestsPerMinute: 3 },
      }],
    });
    const api = await service.connect();
    for (let i = 0; i < 7; i++) await api.factors();
    expect(sentAt()).toEqual([
      "15:00:05",
      "15:00:05",
      "15:00:05",
      "15:01:00",
      "15:01:00",
      "15:01:00",
      "15:02:00",
    ]);
    expect(service.server.journal.entries.every(({ status }) => status === 200)).toBe(true);
  });

  test("that lies beyond maxWaitMs is an error that says when", async () => {
    await service.close();
    service = await startService({
      accounts: [{
        id: "slow",
        factors: ["ecpnd"],
        keys: [{ key: KEY }],
        limits: { requestsPerMinute: 1 },
      }],
    });
    const api = await service.connect();
    await api.factors();
    await expect(api.factors({ maxWaitMs: 1_000 })).rejects.toMatchObject({
      name: "WaitError",
      code: "rate_limit_exceeded",
      retryAtMs: Date.parse("2026-11-20T15:01:00Z"),
    });
    expect(service.requests).toHaveLength(1);
  });
});

describe("the day's budget", () => {
  test("is never slept on: the store still answers, the rest fails with the time", async () => {
    await service.close();
    service = await startService({
      accounts: [{
        id: "poor",
        factors: ["ecpnd"],
        keys: [{ key: KEY }],
        limits: { requestsPerDay: 1 },
      }],
    });
    const api = await service.connect({ maxWaitMs: 1e9 });
    const at = "2026-11-20T12:30:00Z";
    await api.scores("ecpnd", { at });
    await expect(api.scores("ecpnd")).rejects.toThrow("until 2026-11-21T00:00:00.000Z");
    expect((await api.scores("ecpnd", { at })).height).toBe(8);
    expect(service.requests).toHaveLength(1);
  });

  test("can be reserved for others, for the connection and for one call", async () => {
    const api = await service.connect({ reserve: 9_999 });
    await api.factors();
    await expect(api.factors()).rejects.toThrow(/9999 .*10000 requests .*9999 are reserved/);
    await api.factors({ reserve: 0 });
    expect(service.requests).toHaveLength(2);
  });
});

describe("five concurrent requests", () => {
  test("are never exceeded, however many loads are begun", async () => {
    let inFlight = 0;
    let most = 0;
    const fetch = async (request: Request) => {
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, 2));
      const response = await service.fetch(request);
      inFlight--;
      return response;
    };
    const api = await service.connect({ fetch });
    // Equal loads would share one request.
    await Promise.all(Array.from({ length: 40 }, (_, i) => api.factors({ timeoutMs: 20_000 + i })));
    expect(most).toBe(5);
  });

  test("do not hold a load that is aborted while it waits for its turn", async () => {
    const api = await service.connect({ fetch: () => new Promise(() => {}) });
    const hanging = Array.from(
      { length: 5 },
      (_, i) => api.factors({ timeoutMs: 300 + i, maxRetries: 0 }),
    );
    const controller = new AbortController();
    const waiting = api.factors({ signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    const results = await Promise.allSettled(hanging);
    expect(results.map(({ status }) => status)).toEqual(Array(5).fill("rejected"));
  });
});

describe("a panel", () => {
  const hours = ["10", "11", "12", "13", "14"].map((hour) => `2026-11-20T${hour}:30:00Z`);

  test("ends within its deadlineMs, however many requests it makes", async () => {
    const fetch = async (request: Request) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return await service.fetch(request);
    };
    const api = await service.connect({ fetch });
    const options = { at: hours, every: "check", progress: false } as const;
    await expect(api.panel("ecpnd", { ...options, deadlineMs: 250 })).rejects.toThrow(
      "within deadlineMs 250",
    );
    expect((await api.panel("ecpnd", options)).height).toBeGreaterThan(0);
  });

  test("waits no longer than its maxWaitMs, however many requests wait", async () => {
    const fault = { kind: "status", status: 503, code: "request_timeout", retryAfterSeconds: 20 };
    let requests = 0;
    const fetch = (request: Request) => {
      if (requests++ % 2 === 0) service.server.faults.add({ ...fault, count: 1 } as never);
      return service.fetch(request);
    };
    const failing = await service.connect({ fetch });
    const options = { at: hours, every: "check", progress: false, maxWaitMs: 50_000 } as const;
    const startMs = service.clock.ms;
    await expect(failing.panel("ecpnd", options)).rejects.toMatchObject({ name: "WaitError" });
    expect(service.clock.ms - startMs).toBe(40_000);
  });
});

describe("a closed connection", () => {
  test("says that it is closed, in every verb, and may be closed again", async () => {
    const api = await service.connect({ cacheDir: await service.makeFolder() });
    await api.close();
    await expect(api.factors()).rejects.toThrow("closed one");
    await expect(api.scores("ecpnd")).rejects.toThrow("closed one");
    await expect(api.allowance()).rejects.toThrow("closed one; connect() again");
    await api.close();
    expect(service.requests).toHaveLength(0);
  });

  test("ends what is in flight, and leaves no slot taken", async () => {
    const cacheDir = await service.makeFolder();
    const api = await service.connect({ cacheDir, fetch: () => new Promise(() => {}) });
    const loading = api.factors();
    const failure = expect(loading).rejects.toThrow("closed one");
    await new Promise((resolve) => setTimeout(resolve, 20));
    await api.close();
    await failure;
    expect((await (await service.connect({ cacheDir })).allowance()).inFlight).toBe(0);
  });
});
