import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KEY, type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

describe("allowance()", () => {
  test("is what section 8 grants until the service has told", async () => {
    const api = await service.connect();
    const { minute, day, download } = api.allowance();
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
    expect(api.allowance().minute.remaining).toBe(119);
    await api.factors();
    expect(api.allowance().minute.remaining).toBe(116);
    expect(api.allowance().day.remaining).toBe(9_996);
    expect(api.allowance().minute.isTold).toBe(true);
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
    expect(mine.allowance().minute.remaining).toBe(5);
    await mine.factors();
    expect(mine.allowance().minute).toMatchObject({ limit: 6, remaining: 0, isTold: true });
    const spent = service.requests.length;
    await expect(mine.factors({ maxWaitMs: 0 })).rejects.toThrow(
      "6 requests of the minute are spent",
    );
    expect(service.requests).toHaveLength(spent);
    // The other key believes one to be left: the service refuses it once, and from then on it waits.
    expect(theirs.allowance().minute.remaining).toBe(1);
    await expect(theirs.factors({ maxWaitMs: 0 })).rejects.toThrow("rate_limit_exceeded");
    expect(theirs.allowance().minute.remaining).toBe(0);
    await expect(theirs.factors({ maxWaitMs: 0 })).rejects.toThrow("nothing was sent");
    expect(service.requests).toHaveLength(spent + 1);
    expect(service.server.journal.entries.flatMap(({ complaints }) => complaints)).toEqual([]);
  });
});
