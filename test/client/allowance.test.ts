import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Service, startService } from "./_service.ts";

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
});
