import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const HOURS = ["10", "11", "12", "13", "14", "15"].map((hour) => `2026-11-20T${hour}:00:00Z`);

describe("plan()", () => {
  test("tells a panel's cost before and after it is loaded, and sends nothing", async () => {
    const api = await service.connect();
    const load = { verb: "panel", factors: ["ecpnd"], options: { at: HOURS } } as const;
    const before = await api.plan(load);
    expect([before.requestsAtLeast, before.requestsAtMost, before.downloadsAtMost])
      .toEqual([1, 6, 0]);
    expect(before.fitsToday).toBe(true);
    expect(service.requests).toHaveLength(0);
    await api.panel("ecpnd", { at: HOURS });
    const after = await api.plan(load);
    expect([after.requestsAtLeast, after.requestsAtMost]).toEqual([0, 0]);
  });

  test("does not count on what is reserved for others", async () => {
    const api = await service.connect({ reserve: 9_995 });
    const load = { verb: "panel", factors: "ecpnd", options: { at: HOURS } } as const;
    const plan = await api.plan(load);
    expect(plan.fitsToday).toBe(false);
    expect(String(plan)).toContain("may not suffice");
    const options = { at: HOURS, reserve: 0 };
    expect((await api.plan({ ...load, options })).fitsToday).toBe(true);
  });

  test("tells that a history may start a download", async () => {
    const api = await service.connect();
    const plan = await api.plan({ verb: "history", factor: "ecpnd" });
    expect(plan.requestsAtLeast).toBe(3);
    expect(plan.downloadsAtMost).toBeGreaterThanOrEqual(1);
    expect(String(plan)).toContain("history of ecpnd");
  });

  test("knows a kept release by its checksum in either case, as history() does", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd").withResponse();
    const downloadSha256 = raw.release.downloadSha256.toUpperCase();
    const plan = await api.plan({ verb: "history", factor: "ecpnd", options: { downloadSha256 } });
    expect([plan.requestsAtMost, plan.downloadsAtMost]).toEqual([0, 0]);
  });

  test.each([
    [undefined, 'expected an object such as { verb: "scores", factor: "ecpnd" }, got nothing'],
    [{}, "expected verb to be one of scores, panel, publications, history, got nothing"],
    [{ verb: "toString" }, 'got "toString"'],
    [{ verb: "history", factor: "ecpn" }, 'expected factor to be "ecpnd" or "ecqdi", got "ecpn"'],
    [
      { verb: "publications", factor: "ecpn", options: { from: "2026-11-20T00:00:00Z" } },
      'expected factor to be "ecpnd" or "ecqdi", got "ecpn"',
    ],
  ])("refuses what is no load: %j", async (load, message) => {
    const api = await service.connect();
    const planning = api.plan(load as Parameters<typeof api.plan>[0]);
    await expect(planning).rejects.toThrow(TypeError);
    await expect(planning).rejects.toThrow(message);
  });

  test("says why it is a range, and nothing of the kind where it is none", async () => {
    const api = await service.connect();
    const scores = { verb: "scores", factor: "ecpnd" } as const;
    const panel = (at: readonly string[], every: "set" | "check" = "set") =>
      ({ verb: "panel", factors: "ecpnd", options: { at, every } }) as const;
    const interval = { from: "2026-11-20T10:00:00Z" };
    const history = { verb: "history", factor: "ecpnd" } as const;
    const reasons: readonly [Parameters<typeof api.plan>[0], RegExp | null][] = [
      [scores, null],
      [{ ...scores, options: { format: "csv" } }, /^A CSV answer has no version and no universe/],
      [panel(HOURS), /^The number of distinct sets is known only after loading/],
      [panel(HOURS, "check"), /^The number of distinct checks is known only after loading/],
      [panel(HOURS.slice(0, 1)), null],
      [{ verb: "publications", factor: "ecpnd", options: interval }, /^One request for each set/],
      [history, /^One request if the store has the offered release; else three/],
      [{ ...history, options: { offline: true } }, null],
    ];
    for (const [load, reason] of reasons) {
      const plan = await api.plan(load);
      if (reason === null) expect(plan.rangeReason).toBeNull();
      else expect(plan.rangeReason).toMatch(reason);
      if (plan.rangeReason !== null) expect(String(plan)).toContain(plan.rangeReason);
    }
  });

  test("refuses an interval that publications() refuses", async () => {
    const api = await service.connect();
    const options = { from: "2026-11-20T14:00:00Z", to: "2026-11-20T13:00:00Z" };
    await expect(api.plan({ verb: "publications", factor: "ecpnd", options })).rejects.toThrow(
      RangeError,
    );
  });

  test("tells the bounds of each verb", async () => {
    const api = await service.connect();
    const bounds = async (load: Parameters<typeof api.plan>[0]) => {
      const { requestsAtLeast, requestsAtMost, downloadsAtMost } = await api.plan(load);
      return [requestsAtLeast, requestsAtMost, downloadsAtMost];
    };
    expect(await bounds({ verb: "scores", factor: "ecpnd" })).toEqual([1, 1, 0]);
    expect(await bounds({ verb: "scores", factor: "ecpnd", options: { format: "csv" } }))
      .toEqual([1, 2, 0]);
    // A publication an hour at most, the set before them, and the question that finds no earlier one.
    const interval = { from: "2026-11-20T10:00:00Z", to: "2026-11-20T14:30:00Z" };
    expect(await bounds({ verb: "publications", factor: "ecpnd", options: interval }))
      .toEqual([0, 7, 0]);
    // Metadata; then for each of two downloads a HEAD, the file, and the metadata it is compared with.
    expect(await bounds({ verb: "history", factor: "ecpnd" })).toEqual([3, 7, 2]);
    expect(await bounds({ verb: "history", factor: "ecpnd", options: { maxDownloads: 1 } }))
      .toEqual([3, 4, 1]);
    expect(await bounds({ verb: "history", factor: "ecpnd", options: { maxDownloads: 0 } }))
      .toEqual([1, 1, 0]);
    await api.history("ecpnd");
    expect(await bounds({ verb: "history", factor: "ecpnd" })).toEqual([1, 7, 2]);
    expect(await bounds({ verb: "history", factor: "ecpnd", options: { offline: true } }))
      .toEqual([0, 0, 0]);
  });
});
