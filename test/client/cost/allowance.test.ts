import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KEY, type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

describe("allowance()", () => {
  test("says to await it where a budget is read of its promise", async () => {
    const api = await service.connect();
    expect(() => (api.allowance() as unknown as { day: unknown }).day).toThrow(
      /^Cannot read "day" of an allowance: .*await it first/,
    );
  });

  test("is what section 8 grants until the service has told", async () => {
    const api = await service.connect();
    const { minute, day, download } = await api.allowance();
    expect([minute.remaining, day.remaining, download.remaining]).toEqual([120, 10_000, 10]);
    expect([minute.isTold, day.isTold, download.isTold]).toEqual([false, false, false]);
    expect(minute.resetAt).toBe("2026-11-20T15:01:00.000Z");
    expect(day.resetAt).toBe("2026-11-21T00:00:00.000Z");
  });

  test("follows the headers of each answer", async () => {
    const [api, colleague] = [await service.connect(), await service.connect()];
    await api.factors();
    await colleague.factors();
    await colleague.factors();
    expect((await api.allowance()).minute.remaining).toBe(119);
    await api.factors();
    expect((await api.allowance()).minute.remaining).toBe(116);
    expect((await api.allowance()).day.remaining).toBe(9_996);
    expect((await api.allowance()).minute.isTold).toBe(true);
  });

  test.each([37, 1, 400])(
    "is never more than the service's day allows after the local clock was %i days ahead",
    async (days) => {
      const cacheDir = await service.makeFolder();
      const clock = { aheadMs: 0 };
      const now = () => service.clock.ms + clock.aheadMs;
      const api = await service.connect({ cacheDir, now });
      for (let i = 0; i < 5; i++) await api.factors();
      clock.aheadMs = days * 86_400_000;
      for (let i = 0; i < 3; i++) await api.factors();
      clock.aheadMs = 0;
      const { minute, day } = await api.allowance();
      expect([minute.remaining, day.remaining]).toEqual([112, 9_992]);
      expect(day.resetAt).toBe("2026-11-21T00:00:00.000Z");
      await api.factors();
      expect((await api.allowance()).day.remaining).toBe(9_991);
    },
  );

  test("is never more than the service's day allows although nothing came while the clock was ahead", async () => {
    let isDown = false;
    const clock = { aheadMs: 0 };
    const api = await service.connect({
      now: () => service.clock.ms + clock.aheadMs,
      maxRetries: 0,
      fetch: (request) =>
        isDown ? Promise.reject(new TypeError("network down")) : service.fetch(request),
    });
    for (let i = 0; i < 5; i++) await api.factors();
    clock.aheadMs = 37 * 86_400_000;
    isDown = true;
    for (let i = 0; i < 2; i++) await expect(api.factors()).rejects.toThrow("network down");
    clock.aheadMs = 0;
    expect((await api.allowance()).day.remaining).toBe(9_993);
  });

  test("renews the minute after a minute although the local clock was 37 days ahead", async () => {
    await service.close();
    service = await startService({
      accounts: [{
        id: "client",
        factors: ["ecpnd", "ecqdi"],
        keys: [{ key: KEY }],
        limits: { requestsPerMinute: 3 },
      }],
    });
    const clock = { aheadMs: 37 * 86_400_000 };
    const api = await service.connect({ now: () => service.clock.ms + clock.aheadMs });
    for (let i = 0; i < 3; i++) await api.factors();
    clock.aheadMs = 0;
    const beganMs = service.clock.ms;
    await api.factors();
    const waitedMs = service.clock.ms - beganMs;
    expect(waitedMs).toBeGreaterThan(50_000);
    expect(waitedMs).toBeLessThan(61_000);
  });

  test("of one account with two keys is what the service told last, although each has its own ledger", async () => {
    await service.close();
    const other = "svc_test_otherkey0123456789";
    service = await startService({
      accounts: [{
        id: "client",
        factors: ["ecpnd", "ecqdi"],
        keys: [{ key: KEY }, { key: other }],
        limits: { requestsPerMinute: 6 },
      }],
    });
    const cacheDir = await service.makeFolder();
    const mine = await service.connect({ cacheDir });
    const theirs = await service.connect({ cacheDir, apiKey: other });
    await mine.factors();
    for (let i = 0; i < 4; i++) await theirs.factors();
    // Nothing on this machine joins the two; the next answer does.
    expect((await mine.allowance()).minute.remaining).toBe(5);
    await mine.factors();
    expect((await mine.allowance()).minute).toMatchObject({ limit: 6, remaining: 0, isTold: true });
    const spent = service.requests.length;
    await expect(mine.factors({ maxWaitMs: 0 })).rejects.toThrow("6 requests of the");
    expect(service.requests).toHaveLength(spent);
    // The other key believes one to be left: the service refuses it once, and from then on it waits.
    expect((await theirs.allowance()).minute.remaining).toBe(1);
    await expect(theirs.factors({ maxWaitMs: 0 })).rejects.toThrow("rate_limit_exceeded");
    expect((await theirs.allowance()).minute.remaining).toBe(0);
    await expect(theirs.factors({ maxWaitMs: 0 })).rejects.toThrow("nothing was sent");
    expect(service.requests).toHaveLength(spent + 1);
    expect(service.server.journal.entries.flatMap(({ complaints }) => complaints)).toEqual([]);
  });
});
