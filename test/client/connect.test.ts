import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect } from "../../src/client/connect.ts";
import { FIXTURE_SETS } from "../helpers/fixture_store.ts";
import { KEY, type Service, startService } from "./_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

describe("connect()", () => {
  test("without a key says what to do", async () => {
    await expect(connect({ environment: {} })).rejects.toThrow(
      /^Cannot connect: .*SCOREFRAME_API_KEY.*apiKey.*askForKey: true.*demo\(\) needs no key$/,
    );
  });

  test("without an address says what to do", async () => {
    await expect(connect({ apiKey: KEY, environment: {} })).rejects.toThrow("set SCOREFRAME_URL");
  });

  test("with a fetch uses the address of the environment, and takes a production key nowhere else", async () => {
    const SCOREFRAME_URL = "https://scores.example";
    const asked: string[] = [];
    const fetch = (request: Request) => {
      asked.push(`${new URL(request.url).origin} ${request.headers.get("authorization")}`);
      return service.server.fetch(request);
    };
    const live = ["svc", "live", "never_embedded"].join("_");
    for (const environment of [{ SCOREFRAME_URL }, {}]) {
      await using api = await connect({ apiKey: KEY, fetch, environment });
      await api.factors();
    }
    for (
      const given of [{}, { baseUrl: "http://embedded.localhost" }, { baseUrl: "http://a.example" }]
    ) {
      await expect(connect({ apiKey: live, fetch, environment: {}, ...given })).rejects.toThrow(
        TypeError,
      );
    }
    await using api = await connect({ apiKey: live, fetch, environment: { SCOREFRAME_URL } });
    await api.factors().catch(() => {});
    expect(asked).toEqual([
      `https://scores.example Bearer ${KEY}`,
      `http://embedded.localhost Bearer ${KEY}`,
      `https://scores.example Bearer ${live}`,
    ]);
  });

  test("takes the key from the environment, and an argument before it", async () => {
    const environment = { SCOREFRAME_API_KEY: "svc_test_from_environment" };
    const fetch = service.fetch;
    for (const given of [{}, { apiKey: "" }, { apiKey: KEY }]) {
      await using api = await connect({
        fetch,
        environment,
        now: () => service.clock.ms,
        ...given,
      });
      await api.factors().catch(() => {});
    }
    expect(service.requests.map((request) => request.headers.get("Authorization"))).toEqual([
      "Bearer svc_test_from_environment",
      "Bearer svc_test_from_environment",
      `Bearer ${KEY}`,
    ]);
  });

  test("takes blanks off the key, which come with it out of a file or a browser", async () => {
    const api = await service.connect({ apiKey: ` ${KEY}\n` });
    await api.factors();
    expect(service.requests[0]!.headers.get("authorization")).toBe(`Bearer ${KEY}`);
  });

  test("takes a logger that throws: what it says is of no interest to a load", async () => {
    const fail = () => {
      throw new Error("the disk of the log is full");
    };
    const api = await service.connect({ logger: { debug: fail, warn: fail } });
    service.server.faults.add({ kind: "unknown_status" });
    expect((await api.scores("ecpnd")).height).toBe(8);
  });

  test("sends nothing but the headers it needs", async () => {
    const api = await service.connect();
    await api.factors();
    const headers = Object.fromEntries(service.requests[0]!.headers);
    expect(Object.keys(headers).sort())
      .toEqual(["accept", "accept-encoding", "authorization", "user-agent"]);
    expect(headers["accept-encoding"]).toBe("identity");
    expect(headers["user-agent"]).toMatch(/^scoreframe\/0\.2\.0 deno\/\d+\.\d+\.\d+ \(/);
  });

  test("refuses options that no timer can have", async () => {
    await expect(service.connect({ timeoutMs: -1 })).rejects.toThrow("expected timeoutMs");
    await expect(service.connect({ maxRetries: NaN })).rejects.toThrow("expected maxRetries");
  });

  test("keeps its store and its ledger in the cache folder of the user", async () => {
    const home = await service.makeFolder();
    const listener = await service.server.listen();
    const environment = { XDG_CACHE_HOME: home };
    const options = { apiKey: KEY, baseUrl: listener.url, environment };
    await using api = await connect({ ...options, now: () => service.clock.ms });
    await api.factors();
    const ledgers = await readdir(join(home, "scoreframe", "ledgers"));
    expect(ledgers.filter((name) => name.endsWith(".sqlite"))).toHaveLength(1);
    // Behind an address of this machine may stand another world tomorrow.
    expect(api.store).not.toContain(home);
    await listener.close();
  });

  test("counts for all connections of one account in one ledger", async () => {
    const cacheDir = await service.makeFolder();
    const [a, b] = [await service.connect({ cacheDir }), await service.connect({ cacheDir })];
    await a.factors();
    await a.factors();
    expect((await b.allowance()).day.remaining).toBe(9_998);
  });

  test("answers from a store that an earlier connection filled", async () => {
    const store = await service.makeFolder();
    const at = "2026-11-20T12:30:00Z";
    await (await service.connect({ store })).scores("ecpnd", { at });
    const frame = await (await service.connect({ store })).scores("ecpnd", { at });
    expect(service.requests).toHaveLength(1);
    expect(frame.getColumn("source").toArray()[0]).toBe("store, synthetic");
  });
});

describe("a load", () => {
  test("gives status, headers and contract object on request", async () => {
    const api = await service.connect();
    const { data, raw, response } = await api.scores("ecqdi").withResponse();
    expect(data.height).toBe(8);
    expect(raw.check.coverage.scoredTickers).toBe(6);
    expect(response?.status).toBe(200);
    expect(response?.headers.get("X-Factor-Name")).toBe("ecqdi");
    expect(response?.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(response?.attempts).toBe(1);
  });

  test("has no answer when the store gave it", async () => {
    const api = await service.connect();
    const snapshotId = FIXTURE_SETS.ecpnd.first;
    await api.scores("ecpnd", { snapshotId });
    expect((await api.scores("ecpnd", { snapshotId }).withResponse()).response).toBeNull();
  });

  test("displays its frame where await was forgotten, and its error likewise", async () => {
    const api = await service.connect();
    const display = Symbol.for("Jupyter.display") as never;
    const show = (load: unknown) => (load as Record<symbol, () => Promise<object>>)[display]!();
    expect(JSON.stringify(await show(api.scores("ecpnd")))).toContain("ZZZZZZZZZZZZZZZZ");
    expect(JSON.stringify(await show(api.scores("ecpnd", { at: "2027-01-01T00:00:00Z" }))))
      .toContain("future_observation_requested");
    expect(JSON.stringify(await show(await api.allowance()))).toContain("requests a day");
  });

  test("says once what is unusual and allowed", async () => {
    const heard: string[] = [];
    const logger = { debug: () => {}, warn: (message: string) => heard.push(message) };
    const api = await service.connect({ logger });
    service.server.faults.add({ kind: "unknown_status", status: "recalculating" });
    const frame = await api.scores("ecpnd");
    await api.scores("ecpnd");
    expect(frame.getColumn("status").toArray()[0]).toBe("recalculating");
    expect(heard).toEqual([
      'The service sent the status "recalculating", which the API document does not define; it is ' +
      "kept, and counts as not current",
    ]);
  });
});

describe("the key", () => {
  test("is in no file, frame, log, error, display or inspection", async () => {
    const [store, cacheDir] = [await service.makeFolder(), await service.makeFolder()];
    const lines: string[] = [];
    const logger = {
      debug: (text: string) => lines.push(text),
      warn: (text: string) => lines.push(text),
    };
    const api = await service.connect({ store, cacheDir, logger });
    const shown: unknown[] = [api, lines];
    const loads = [
      () => api.scores("ecpnd").withResponse(),
      () => api.scores("ecqdi", { format: "csv" }),
      () => api.scores("ecpnd", { at: "2027-01-01T00:00:00Z" }),
      () => api.panel("ecpnd", { at: ["2026-11-20T12:00:00Z"] }),
      () => api.history("ecpnd"),
      () => api.factors(),
      () => api.plan({ verb: "history", factor: "ecpnd" }),
    ];
    for (const status of [null, 400, 401, 429, 503] as const) {
      service.server.faults.clear();
      if (status !== null) service.server.faults.add({ kind: "status", status });
      for (const load of loads) shown.push(await load().catch((error: unknown) => error));
    }
    shown.push(await api.allowance(), api.log().toRecords(), String(await api.allowance()));
    const texts = shown.flatMap((value) => [
      inspect(value, { depth: 12, showHidden: true, maxArrayLength: null }),
      value instanceof Error ? `${value.stack} ${inspect(value.cause)}` : "",
      safeJson(value),
    ]);
    for (const folder of [store, cacheDir]) texts.push(...await contentsOf(folder));
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter((text) => text.includes(KEY.slice("svc_test_".length)))).toEqual([]);
  });
});

function safeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

async function contentsOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = files.map((file) => readFile(join(file.parentPath, file.name), "latin1"));
  return [...files.map(({ name }) => name), ...await Promise.all(contents)];
}
