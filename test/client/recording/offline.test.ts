import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect } from "../../../src/client/connect.ts";
import type { FactorApi } from "../../../src/client/factor_api.ts";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { KEY, type Service, startService } from "../_service.ts";

// Nothing listens there: a request that is sent all the same fails with other words.
const BASE_URL = "http://127.0.0.1:9";

let service: Service;
let store: string;
beforeEach(async () => {
  service = await startService();
  store = await service.makeFolder();
});
afterEach(() => service.close());

describe("an offline connection", () => {
  test("answers what the store proves, and asks the service nothing", async () => {
    const online = await service.connect({ store });
    const kept = await online.scores("ecpnd");
    const release = await online.history("ecpnd");
    const asked = service.requests.length;
    const offline = await service.connect({ store, offline: true });
    const again = await offline.scores("ecpnd", { at: "2026-11-20T15:00:00Z" });
    expect(again.drop("source").toRecords()).toEqual(kept.drop("source").toRecords());
    expect((await offline.history("ecpnd")).height).toBe(release.height);
    expect((await offline.releases("ecpnd")).height).toBe(1);
    expect(service.requests).toHaveLength(asked);
  });

  test("refuses the latest scores, and names the time of the last check in the store", async () => {
    const online = await service.connect({ store });
    await online.scores("ecpnd", { at: "2026-11-20T11:30:00Z" });
    await online.scores("ecpnd");
    const offline = await service.connect({ store, offline: true });
    await expect(offline.scores("ecpnd")).rejects.toMatchObject({
      name: "TransportError",
      message:
        "Cannot load the latest ecpnd scores: expected a connection to the service, got an " +
        `offline one (offline: true); the store ${store} has 2 ecpnd checks, from ` +
        '2026-11-20T11:00:00.000Z to 2026-11-20T15:00:00.000Z; at: "2026-11-20T15:00:00.000Z" ' +
        "returns the last of them",
    });
    await expect(offline.scores("ecqdi")).rejects.toThrow("no ecqdi check");
  });

  test.each<[string, (api: FactorApi) => Promise<unknown>, string]>([
    ["the list of factors", (api) => api.factors(), "Cannot load the list of factors: expected a"],
    [
      "a set that is not in the store",
      (api) => api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.first }),
      "Cannot load the ecpnd set ",
    ],
    ["scores as CSV", (api) => api.scores("ecpnd", { format: "csv" }), "got an offline one"],
    [
      "a watch",
      (api) => api.watch("ecpnd").next(),
      "Cannot load the latest ecpnd scores: expected",
    ],
    [
      "a panel",
      (api) => api.panel("ecpnd", { at: ["2026-11-20T12:00:00Z"] }),
      "got an offline one (offline: true)",
    ],
  ])("refuses %s at once, and sends nothing", async (_, load, message) => {
    const offline = await service.connect({ store, offline: true });
    await expect(load(offline)).rejects.toThrow(message);
    expect(service.requests).toHaveLength(0);
  });

  test("refuses a history that is not in the store as `offline` of history() does", async () => {
    const offline = await service.connect({ store, offline: true });
    await expect(offline.history("ecpnd")).rejects.toMatchObject({ name: "NotFoundError" });
    const { requestsAtMost } = await offline.plan({ verb: "history", factor: "ecpnd" });
    expect(requestsAtMost).toBe(0);
  });

  test("is made by SCOREFRAME_OFFLINE=1, and not where `fetch` or `offline: false` is given", async () => {
    const environment = { SCOREFRAME_OFFLINE: "1" };
    const given = { apiKey: KEY, baseUrl: BASE_URL, store, cacheDir: store, maxRetries: 0 };
    await using offline = await connect({ ...given, environment });
    await expect(offline.scores("ecpnd")).rejects.toThrow("(SCOREFRAME_OFFLINE=1)");
    expect(offline.log().height).toBe(0);
    await using sends = await connect({ ...given, environment, offline: false });
    await expect(sends.scores("ecpnd")).rejects.not.toThrow("offline");
    const embedded = await service.connect({ environment });
    expect((await embedded.scores("ecpnd")).height).toBe(8);
  });

  test.each(["true", "TRUE", " yes ", "on", "1"])(
    "is made by SCOREFRAME_OFFLINE=%s",
    async (value) => {
      const environment = { SCOREFRAME_OFFLINE: value };
      const given = { apiKey: KEY, baseUrl: BASE_URL, store, cacheDir: store, maxRetries: 0 };
      await using offline = await connect({ ...given, environment });
      await expect(offline.scores("ecpnd")).rejects.toThrow(`(SCOREFRAME_OFFLINE=${value.trim()})`);
    },
  );

  test("is not made by a SCOREFRAME_OFFLINE that says no, and one that says neither is refused", async () => {
    const given = { apiKey: KEY, baseUrl: BASE_URL, store, cacheDir: store, maxRetries: 0 };
    for (const value of ["0", "false", "no", "off", ""]) {
      await using sends = await connect({ ...given, environment: { SCOREFRAME_OFFLINE: value } });
      await expect(sends.scores("ecpnd")).rejects.not.toThrow("offline");
    }
    await expect(connect({ ...given, environment: { SCOREFRAME_OFFLINE: "ture" } })).rejects
      .toThrow(
        /expected SCOREFRAME_OFFLINE .*"ture"/,
      );
  });

  test("needs neither key nor address if its store names the service", async () => {
    await (await service.connect({ store })).scores("ecpnd");
    await using offline = await connect({ store, offline: true, environment: {} });
    expect((await offline.scores("ecpnd", { at: "2026-11-20T15:00:00Z" })).height).toBe(8);
    await expect(connect({ offline: true, environment: {} })).rejects.toThrow(
      /^Cannot connect: .*SCOREFRAME_URL/,
    );
  });
});

describe("connect({ account })", () => {
  const other = "svc_test_second0123456789";
  const accounts = [{
    id: "desk",
    factors: ["ecpnd"],
    keys: [{ key: KEY }, { key: other }],
  }] as const;

  async function spent(account?: string): Promise<[number, number]> {
    const desk = await startService({ accounts });
    try {
      const cacheDir = await desk.makeFolder();
      const named = account === undefined ? {} : { account };
      const first = await desk.connect({ cacheDir, apiKey: KEY, ...named });
      const second = await desk.connect({ cacheDir, apiKey: other, ...named });
      await first.scores("ecpnd");
      const ledgers = (await readdir(join(cacheDir, "ledgers"))).filter((n) =>
        n.endsWith(".sqlite")
      );
      const { limit, remaining } = (await second.allowance()).day;
      return [ledgers.length, limit - remaining];
    } finally {
      await desk.close();
    }
  }

  test("lets two keys of one account count in one ledger", async () => {
    expect(await spent("desk")).toEqual([1, 1]);
  });

  test("left out gives each key a ledger of its own", async () => {
    expect(await spent()).toEqual([2, 0]);
  });

  test("refuses an empty name", async () => {
    await expect(service.connect({ account: " " })).rejects.toThrow(
      /connect\(\): expected account .*got " "/,
    );
  });
});
