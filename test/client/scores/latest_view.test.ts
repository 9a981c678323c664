import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keepLatestView } from "../../../src/client/scores/request_json.ts";
import { Store } from "../../../src/base/store/store.ts";
import { pathOf, type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const CHECKED = "2026-11-20T15:00:00.000Z";
const NAME = "2026-11-20T15-00-00.000Z--0123456789ab.json";
const SENT = Date.parse("2026-11-21T00:00:00Z");

interface Told {
  readonly date?: string;
  readonly tookMs?: number;
  readonly name?: string;
}

/** The instants of views that are kept for answers to latest requests, with the checks that they name. */
async function viewsAfter(...answers: readonly Told[]) {
  const store = await Store.create(await service.makeFolder(), service.fixture.store.info);
  for (const { date, tookMs = 0, name = NAME } of answers) {
    const headers = new Headers(date === undefined ? {} : { Date: date });
    const answer = { headers, sentAtMs: SENT, receivedAtMs: SENT + tookMs };
    const check = { factor: "ecpnd", lastCheckedAt: CHECKED } as const;
    await keepLatestView(store, { check, name, answer });
  }
  const views = await store.listViews("ecpnd");
  return await Promise.all(views.map((at) => store.readView("ecpnd", at)));
}

describe("keepLatestView()", () => {
  test("keeps the earliest instant at which the service can have selected the check, by its own clock", async () => {
    expect(await viewsAfter({ date: "Fri, 20 Nov 2026 15:20:00 GMT" }))
      .toEqual([{ at: "2026-11-20T15:20:00.000Z", check: NAME }]);
    expect(await viewsAfter({ date: "Fri, 20 Nov 2026 15:20:00 GMT", tookMs: 1250 }))
      .toEqual([{ at: "2026-11-20T15:19:58.750Z", check: NAME }]);
  });

  test("keeps nothing that the check's own time does not prove already", async () => {
    expect(await viewsAfter({ date: "Fri, 20 Nov 2026 15:00:00 GMT" })).toEqual([]);
    expect(await viewsAfter({ date: "Fri, 20 Nov 2026 15:00:01 GMT", tookMs: 2000 })).toEqual([]);
  });

  test("keeps nothing where the service does not tell its time", async () => {
    expect(await viewsAfter({}, { date: "yesterday" })).toEqual([]);
  });

  test("keeps the first of two answers of one instant", async () => {
    const date = "Fri, 20 Nov 2026 15:20:00 GMT";
    const views = await viewsAfter({ date }, { date, name: NAME.replace("0123", "3210") });
    expect(views).toEqual([{ at: "2026-11-20T15:20:00.000Z", check: NAME }]);
  });
});

describe("a latest request", () => {
  test.each(["json", "csv"] as const)(
    "in %s proves its instant: up to it the check needs no request",
    async (format) => {
      const api = await service.connect();
      await api.scores("ecpnd", { format });
      const spent = service.requests.length;
      const frame = await api.scores("ecpnd", { at: "2026-11-20T15:00:05Z" });
      expect(frame.getColumn("source").toArray()[0]).toBe("store, synthetic");
      expect(service.requests).toHaveLength(spent);
      service.clock.ms += 1000;
      await api.scores("ecpnd", { at: "2026-11-20T15:00:05.001Z" });
      expect(service.requests.slice(spent).map(pathOf)).toEqual([
        "GET /v1/scores?factor=ecpnd&at=2026-11-20T15%3A00%3A05.001Z",
      ]);
    },
  );

  test("that finds a stale check does not stand in the way of the check as it was recorded", async () => {
    const api = await service.connect();
    service.clock.ms = Date.parse("2026-11-20T18:00:00Z");
    const latest = await api.scores("ecpnd");
    expect(latest.getColumn("status").toArray()[0]).toBe("stale");
    const recorded = await api.scores("ecpnd", { at: "2026-11-20T18:00:00Z" });
    expect(recorded.getColumn("status").toArray()[0]).toBe("current");
  });
});
