import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

/** A connection whose requests wait at a door until it is opened. */
async function connectBehindDoor() {
  const { promise, resolve: open } = Promise.withResolvers<void>();
  const signals: AbortSignal[] = [];
  const arrived = Promise.withResolvers<void>();
  const api = await service.connect({
    fetch: async (request) => {
      signals.push(request.signal);
      arrived.resolve();
      await promise;
      return await service.fetch(request);
    },
  });
  return { api, open, signals, arrived: arrived.promise };
}

describe("equal loads in flight", () => {
  test("share one request, and only the first one says that it made it", async () => {
    const { api, open, arrived } = await connectBehindDoor();
    const loads = Array.from({ length: 4 }, () => api.scores("ecpnd").withResponse());
    await arrived;
    open();
    const loaded = await Promise.all(loads);
    expect(service.requests).toHaveLength(1);
    expect(loaded.map(({ data }) => data.height)).toEqual([8, 8, 8, 8]);
    expect(loaded.map(({ response }) => response!.attempts)).toEqual([1, 0, 0, 0]);
    expect(new Set(loaded.map(({ response }) => response!.requestId)).size).toBe(1);
    expect(api.log().height).toBe(1);
    expect((await api.allowance()).minute.remaining).toBe(119);
  });

  test("of the factor list, of a CSV, of one instant and of panels share theirs", async () => {
    const { api, open, arrived } = await connectBehindDoor();
    const at = "2026-11-20T12:30:00Z";
    const pairs = [0, 1].flatMap(() => [
      api.factors(),
      api.scores("ecqdi", { at }),
      api.panel("ecpnd", { at: [at], progress: false }),
    ]);
    await arrived;
    open();
    await Promise.all(pairs);
    expect(service.requests).toHaveLength(3);
  });

  test("go on for the others when one is cancelled, also the first", async () => {
    const { api, open, signals, arrived } = await connectBehindDoor();
    const first = new AbortController();
    const cancelled = api.scores("ecpnd", { signal: first.signal });
    const other = api.scores("ecpnd");
    await arrived;
    first.abort(new Error("not any more"));
    await expect(cancelled).rejects.toThrow("not any more");
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    open();
    expect((await other).height).toBe(8);
    expect(service.requests).toHaveLength(1);
  });

  test("end when all are cancelled, and the next one asks anew", async () => {
    const { api, open, signals, arrived } = await connectBehindDoor();
    const controller = new AbortController();
    const loads = [0, 1].map(() => api.factors({ signal: controller.signal }));
    await arrived;
    controller.abort(new Error("not any more"));
    const next = api.factors();
    for (const load of loads) await expect(load).rejects.toThrow("not any more");
    expect(signals[0]!.aborted).toBe(true);
    open();
    expect((await next).height).toBe(2);
    expect(signals).toHaveLength(2);
  });

  test("that fail, fail together, with one request", async () => {
    const { api, open, arrived } = await connectBehindDoor();
    service.server.faults.add({ kind: "status", status: 500, count: 1 });
    const loads = [0, 1].map(() => api.factors());
    await arrived;
    open();
    for (const load of loads) await expect(load).rejects.toMatchObject({ status: 500 });
    expect(service.requests).toHaveLength(1);
  });

  test.each(
    [
      ["of another view", { at: "2026-11-20T12:30:00Z" }],
      ["of another representation", { format: "csv" }],
      ["with other patience", { maxRetries: 0 }],
      ["with a bound of its own time", { deadlineMs: 1_000_000 }],
      ["with a bound of its own waiting", { maxWaitMs: 1_000_000 }],
    ] as const,
  )("%s are not equal", async (_what, options) => {
    const { api, open, signals } = await connectBehindDoor();
    const loads = [api.scores("ecpnd"), api.scores("ecpnd", options)];
    while (signals.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    open();
    for (const load of loads) expect((await load).height).toBe(8);
  });
});

test("a load after another one has ended makes its own request", async () => {
  const api = await service.connect();
  await api.factors();
  await api.factors();
  expect(service.requests).toHaveLength(2);
});
