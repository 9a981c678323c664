import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FactorApi } from "../../../src/client/factor_api.ts";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { KEY, type Service, startService } from "../_service.ts";

let service: Service;
let api: FactorApi;
beforeEach(async () => {
  service = await startService();
  service.clock.ms = Date.parse("2026-11-20T10:30:00Z");
  api = await service.connect();
});
afterEach(() => service.close());

/** When each request was sent, by the service's clock. */
function askedAt(): readonly string[] {
  return service.server.journal.entries.map(({ at }) => at.slice(11, 19));
}

describe("watch()", () => {
  test("asks when a check is due and not before, and yields what is newly published", async () => {
    const stop = new AbortController();
    const seen: unknown[] = [];
    for await (const frame of api.watch("ecpnd", { signal: stop.signal })) {
      seen.push(frame.getColumn("snapshot_id").toArray()[0]);
      stop.abort();
    }
    expect(seen).toEqual([FIXTURE_SETS.ecpnd.second]);
    // Checks complete on the full hour; the first question comes a minute later.
    expect(askedAt()).toEqual(["10:30:00", "11:01:00", "12:01:00", "13:01:00"]);
  });

  test("yields the current set first on request", async () => {
    const stop = new AbortController();
    const seen: unknown[] = [];
    for await (const frame of api.watch("ecpnd", { signal: stop.signal, current: true })) {
      seen.push(frame.getColumn("snapshot_id").toArray()[0]);
      if (seen.length === 2) stop.abort();
    }
    expect(seen).toEqual([FIXTURE_SETS.ecpnd.first, FIXTURE_SETS.ecpnd.second]);
  });

  test("asks again every five minutes for a check that is overdue", async () => {
    service.clock.ms = Date.parse("2026-11-20T15:30:00Z");
    const stop = new AbortController();
    const watching = api.watch("ecpnd", { signal: stop.signal });
    service.server.faults.add({ kind: "latency", ms: 1, after: 3, count: 1 });
    const sleeping = (async () => {
      while (service.requests.length < 4) await new Promise((resolve) => setTimeout(resolve, 1));
      stop.abort();
    })();
    expect((await watching.next()).done).toBe(true);
    await sleeping;
    expect(askedAt().slice(0, 3)).toEqual(["15:30:00", "16:01:00", "16:06:00"]);
  });

  test("asks when a check is due by the service's clock, on a machine that is ahead", async () => {
    const ahead = await service.connect({ now: () => service.clock.ms + 25 * 60_000 });
    const stop = new AbortController();
    for await (const _ of ahead.watch("ecpnd", { signal: stop.signal })) stop.abort();
    expect(askedAt()).toEqual(["10:30:00", "11:01:00", "12:01:00", "13:01:00"]);
  });

  test("waits out two failures and ends with the third", async () => {
    service.server.faults.add({ kind: "status", status: 503, retryAfterSeconds: 3600 });
    const watching = api.watch("ecpnd", { signal: AbortSignal.timeout(60_000) });
    await expect(watching.next()).rejects.toMatchObject({ name: "WaitError", status: 503 });
    expect(askedAt()).toEqual(["10:30:00", "11:30:00", "12:30:00"]);
  });

  test("ends at once when the key is refused", async () => {
    service.server.faults.add({ kind: "status", status: 401 });
    await expect(api.watch("ecpnd").next()).rejects.toMatchObject({ name: "AccessError" });
    expect(service.requests).toHaveLength(1);
  });

  test("leaves 500 requests of the day to others", async () => {
    await service.close();
    service = await startService({
      accounts: [{
        id: "small",
        factors: ["ecpnd"],
        keys: [{ key: KEY }],
        limits: { requestsPerDay: 501 },
      }],
    });
    const watching = (await service.connect()).watch("ecpnd");
    await expect(watching.next()).rejects.toMatchObject({ code: "daily_limit_exceeded" });
    expect(service.requests).toHaveLength(1);
  });

  test("counts failures in a row: a good answer between them begins anew", async () => {
    const stop = new AbortController();
    for (const after of [1, 2, 4, 5]) {
      service.server.faults.add({ kind: "status", status: 503, after, count: 1 });
    }
    let asked = 0;
    const counting = await service.connect({
      fetch: (request) => {
        if (++asked === 8) stop.abort();
        return service.fetch(request);
      },
      maxRetries: 0,
    });
    for await (const _ of counting.watch("ecpnd", { signal: stop.signal }));
    const statuses = service.server.journal.entries.map(({ status }) => status);
    expect(statuses.filter((status) => status === 503)).toHaveLength(4);
    expect(asked).toBe(8);
  });

  test("ends with a failure that waiting does not mend", async () => {
    service.server.faults.add({ kind: "score_out_of_range" });
    await expect(api.watch("ecpnd").next()).rejects.toMatchObject({ name: "ContractError" });
    expect(service.requests).toHaveLength(1);
  });
});
