import { SCORE_SET_COLUMNS } from "../../helpers/provenance_names.ts";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ScoresOptions } from "../../../src/client/scores/scores_options.ts";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { pathOf, type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

describe("scores() of the latest check", () => {
  test("gives one row per ticker with null kept null and 0 kept 0", async () => {
    const api = await service.connect();
    const frame = await api.scores("ecpnd");
    expect(frame.getColumn("ticker").toArray()).toEqual([
      "0012",
      "1E5",
      "A",
      "BF-B",
      "BRK.B",
      "NA",
      "TRUE",
      "ZZZZZZZZZZZZZZZZ",
    ]);
    expect(frame.getColumn("ecpnd_score").toArray())
      .toEqual([0, 0.125, 0.3, 0.875, 0.5, null, 1, 0.375]);
  });

  test("carries the provenance of the check in every row", async () => {
    const api = await service.connect();
    const frame = await api.scores("ecpnd");
    expect(frame.columns).toEqual(["ticker", "ecpnd_score", ...SCORE_SET_COLUMNS]);
    const row = frame.toRecords().at(-1)!;
    expect(row).toMatchObject({
      factor: "ecpnd",
      snapshot_id: FIXTURE_SETS.ecpnd.second,
      calculated_at: new Date("2026-11-20T13:00:00Z"),
      last_checked_at: new Date("2026-11-20T15:00:00Z"),
      status: "current",
      source: "embedded, synthetic",
      retrieved_at: new Date("2026-11-20T15:00:05Z"),
    });
  });

  test("is synthetic when the header alone says so, as a CSV answer does", async () => {
    const api = await service.connect({
      fetch: async (request) => {
        const answer = await service.fetch(request);
        const { synthetic: _, ...body } = await answer.json();
        const headers = new Headers(answer.headers);
        headers.delete("Content-Length");
        return Response.json(body, { headers });
      },
    });
    const frame = await api.scores("ecpnd");
    expect(frame.getColumn("source").toArray()[0]).toBe("embedded, synthetic");
  });

  test("is asked for conditionally the second time, and a 304 gives the stored rows", async () => {
    const api = await service.connect();
    const first = await api.scores("ecpnd");
    const { data, response } = await api.scores("ecpnd").withResponse();
    expect(response?.status).toBe(304);
    expect(service.requests[1]!.headers.get("If-None-Match")).toMatch(/^W\/"/);
    expect(data.drop("retrieved_at").toRecords()).toEqual(first.drop("retrieved_at").toRecords());
  });

  test("is asked for without a validator when the stored body is gone", async () => {
    const store = await service.makeFolder();
    const api = await service.connect({ store });
    await api.scores("ecpnd");
    await rm(join(store, "ecpnd", "sets", `${FIXTURE_SETS.ecpnd.second}.json`));
    const { data, response } = await api.scores("ecpnd").withResponse();
    expect(response?.status).toBe(200);
    expect(data.height).toBe(8);
  });

  test("becomes stale after 75 minutes, as its own check", async () => {
    const api = await service.connect();
    await api.scores("ecpnd");
    service.clock.ms += 80 * 60_000;
    const frame = await api.scores("ecpnd", { provenance: ["status"] });
    expect(frame.getColumn("status").unique().toArray()).toEqual(["stale"]);
  });
});

describe("scores() of a view", () => {
  test("at an instant is asked once and then answered by the store", async () => {
    const api = await service.connect();
    const at = "2026-11-20T12:30:00Z";
    const first = await api.scores("ecqdi", { at });
    const again = await api.scores("ecqdi", { at });
    const between = await api.scores("ecqdi", { at: "2026-11-20T13:05:00+01:00" });
    expect(service.requests.map(pathOf))
      .toEqual(["GET /v1/scores?factor=ecqdi&at=2026-11-20T12%3A30%3A00.000Z"]);
    expect(first.getColumn("source").toArray()[0]).toBe("embedded, synthetic");
    expect(again.getColumn("source").toArray()[0]).toBe("store, synthetic");
    expect(again.drop("source").toRecords()).toEqual(first.drop("source").toRecords());
    expect(between.drop("source").toRecords()).toEqual(first.drop("source").toRecords());
  });

  test("at an instant between two checks that nothing proves is asked for", async () => {
    const api = await service.connect();
    await api.scores("ecpnd", { at: "2026-11-20T11:30:00Z" });
    const frame = await api.scores("ecpnd", { at: "2026-11-20T12:30:00Z" });
    expect(service.requests).toHaveLength(2);
    expect(frame.getColumn("last_checked_at").toArray()[0])
      .toEqual(new Date("2026-11-20T12:00:00Z"));
  });

  test("by set id gives the original publication, from the store the second time", async () => {
    const api = await service.connect();
    const snapshotId = FIXTURE_SETS.ecpnd.first;
    const first = await api.scores("ecpnd", { snapshotId });
    const again = await api.scores("ecpnd", { snapshotId: snapshotId.toUpperCase() });
    expect(service.requests.map(pathOf))
      .toEqual([`GET /v1/scores?factor=ecpnd&snapshot_id=${snapshotId}`]);
    expect(first.getColumn("last_checked_at").toArray()[0])
      .toEqual(new Date("2026-11-20T10:00:00Z"));
    expect(again.drop("source").toRecords()).toEqual(first.drop("source").toRecords());
  });

  test("takes a Date, a Temporal.Instant and text with an offset for the same instant", async () => {
    const api = await service.connect();
    const views = [
      "2026-11-20T13:30:00+01:00",
      new Date("2026-11-20T12:30:00Z"),
      Temporal.Instant.from("2026-11-20T12:30:00Z"),
    ];
    for (const at of views) {
      const frame = await api.scores("ecpnd", { at });
      expect(frame.getColumn("last_checked_at").toArray()[0])
        .toEqual(new Date("2026-11-20T12:00:00Z"));
    }
    expect(service.requests).toHaveLength(1);
  });
});

describe("scores() of one ticker", () => {
  test("gives that row, and the next ticker of the set costs nothing", async () => {
    const api = await service.connect();
    const snapshotId = FIXTURE_SETS.ecpnd.second;
    const na = await api.scores("ecpnd", { snapshotId, ticker: "NA" });
    const exponent = await api.scores("ecpnd", { snapshotId, ticker: "1E5" });
    expect(na.select("ticker", "ecpnd_score").rows()).toEqual([["NA", null]]);
    expect(exponent.select("ticker", "ecpnd_score").rows()).toEqual([["1E5", 0.125]]);
    expect(service.requests).toHaveLength(1);
  });

  test("that the set does not have is a 404 ticker_not_found", async () => {
    const api = await service.connect();
    await expect(api.scores("ecpnd", { ticker: "NONE" })).rejects.toMatchObject({
      name: "NotFoundError",
      status: 404,
      code: "ticker_not_found",
    });
  });

  test.each<[unknown, string]>([[null, "null"], [5, "5"], [1e5, "100000"], [true, "true"]])(
    "that is %j and not text is refused before a request",
    async (ticker, got) => {
      const api = await service.connect();
      const error = await api.scores("ecpnd", { ticker: ticker as string }).catch((thrown) =>
        thrown
      );
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(
        `Cannot load scores: expected ticker to be text such as "BRK.B", got ${got}; omit it for all rows`,
      );
      expect(service.requests).toHaveLength(0);
    },
  );
});

describe("scores() of several tickers", () => {
  test("gives their rows in the order asked, for one request", async () => {
    const api = await service.connect();
    const snapshotId = FIXTURE_SETS.ecpnd.second;
    const frame = await api.scores("ecpnd", { snapshotId, tickers: ["NA", "1E5"] });
    expect(frame.select("ticker", "ecpnd_score").rows()).toEqual([["NA", null], ["1E5", 0.125]]);
    const other = await api.scores("ecpnd", { snapshotId, tickers: ["1E5"] });
    expect(other.select("ticker", "ecpnd_score").rows()).toEqual([["1E5", 0.125]]);
    expect(service.requests.map(pathOf))
      .toEqual([`GET /v1/scores?factor=ecpnd&snapshot_id=${snapshotId}`]);
  });

  test("of which the set lacks some is a 404 that names those", async () => {
    const api = await service.connect();
    const snapshotId = FIXTURE_SETS.ecpnd.second;
    await expect(api.scores("ecpnd", { snapshotId, tickers: ["NA", "NONE", "NO.B"] })).rejects
      .toMatchObject({
        name: "NotFoundError",
        status: 404,
        code: "ticker_not_found",
        message: "Cannot load the ecpnd scores of single tickers: expected tickers of the set " +
          `${snapshotId}, got "NONE", "NO.B", not among its 8 rows (ticker_not_found); load the set without tickers to list its tickers`,
      });
  });

  test("of which the set lacks 50,000 are a 404 that names ten", async () => {
    const api = await service.connect();
    const tickers = Array.from({ length: 50_000 }, (_, i) => `X${i}`);
    const error: Error = await api.scores("ecpnd", { tickers }).then(() => null, (error) => error);
    expect(error.message).toContain('"X8", "X9" and 49,990 more');
    expect(error.message.length).toBeLessThan(500);
  });

  const needed = 'expected tickers to be an array of tickers such as ["BRK.B"], got ';
  test.each<[string, unknown, typeof TypeError | typeof RangeError, string]>([
    ["one text", { tickers: "NA" }, TypeError, `${needed}"NA"`],
    ["a number", { tickers: ["NA", 5] }, TypeError, `${needed}5 in it`],
    ["no ticker", { tickers: [] }, RangeError, `${needed}an empty one`],
    ["lower case", { tickers: ["brk.b"] }, RangeError, `${needed}"brk.b" in it`],
    ["a ticker twice", { tickers: ["NA", "NA"] }, RangeError, `${needed}"NA" twice`],
    [
      "ticker beside them",
      { ticker: "NA", tickers: ["NA"] },
      TypeError,
      "expected ticker or tickers, got both; leave one out",
    ],
  ])("refuses %s before anything is sent", async (_, options, errorClass, message) => {
    const api = await service.connect();
    const loading = api.scores("ecpnd", options as ScoresOptions);
    await expect(loading).rejects.toThrow(errorClass);
    await expect(loading).rejects.toThrow(message);
    expect(service.requests).toHaveLength(0);
  });
});

describe("scores() as CSV", () => {
  test("gives the frame of JSON at the price of a second request", async () => {
    const [csvApi, jsonApi] = [await service.connect(), await service.connect()];
    const csv = await csvApi.scores("ecqdi", { format: "csv" });
    expect(service.requests.map(pathOf)).toEqual([
      "GET /v1/scores?factor=ecqdi&format=csv",
      "GET /v1/scores?factor=ecqdi&ticker=0012&at=2026-11-20T15%3A00%3A00.000Z",
    ]);
    const json = await jsonApi.scores("ecqdi");
    expect(csv.toRecords()).toEqual(json.toRecords());
    expect(csv.columns).toEqual(json.columns);
  });

  test("of a check that the store has costs one request", async () => {
    const api = await service.connect();
    await api.scores("ecqdi");
    await api.scores("ecqdi", { format: "csv" });
    expect(service.requests).toHaveLength(2);
  });
});

describe("scores() refuses before anything is sent", () => {
  const cases = [
    ["both at and snapshotId", {
      at: "2026-11-20T12:00:00Z",
      snapshotId: FIXTURE_SETS.ecpnd.first,
    }, TypeError],
    ["an id that is no UUID", { snapshotId: "latest" }, RangeError],
    ["a ticker in lower case", { ticker: "brk.b" }, RangeError],
    ["a ticker of 17 characters", { ticker: "ZZZZZZZZZZZZZZZZZ" }, RangeError],
    ["a format that does not exist", { format: "parquet" as never }, TypeError],
  ] as const;
  test.each(cases)("%s", async (_what, options, errorClass) => {
    const api = await service.connect();
    await expect(api.scores("ecpnd", options)).rejects.toMatchObject({ name: errorClass.name });
    expect(service.requests).toHaveLength(0);
  });

  test.each([
    ["an instant without an offset", "2026-11-20T12:00:00"],
    ["a day that does not exist", "2026-02-30T12:00:00Z"],
    ["a date without a time", "2026-11-19"],
  ])("%s", async (_what, at) => {
    const api = await service.connect();
    await expect(api.scores("ecpnd", { at })).rejects.toThrow(TypeError);
    expect(service.requests).toHaveLength(0);
  });

  test("an unknown factor", async () => {
    const api = await service.connect();
    await expect(api.scores("ECPND" as never)).rejects.toThrow(
      '"ecpnd" or "ecqdi", got "ECPND" (invalid_factor)',
    );
  });
});

describe("scores() passes on what the service refuses", () => {
  test("a future `at` as 400 future_observation_requested", async () => {
    const api = await service.connect();
    await expect(api.scores("ecpnd", { at: "2026-11-20T16:00:00Z" })).rejects.toMatchObject({
      name: "ApiError",
      status: 400,
      code: "future_observation_requested",
    });
  });

  test("an `at` before the first publication as 404 score_snapshot_not_available", async () => {
    const api = await service.connect();
    await expect(api.scores("ecpnd", { at: "2026-11-20T09:30:00Z" })).rejects.toMatchObject({
      name: "NotFoundError",
      status: 404,
      code: "score_snapshot_not_available",
    });
  });

  test("a wrong key as 401, and does not send it again", async () => {
    const api = await service.connect({ apiKey: "svc_test_unknown_0123456789" });
    await expect(api.factors()).rejects.toMatchObject({
      name: "AccessError",
      status: 401,
      code: "unauthorized",
    });
    await expect(api.factors()).rejects.toThrow("this key earlier");
    expect(service.requests).toHaveLength(1);
  });
});

describe("factors()", () => {
  test("lists what the account may load", async () => {
    const api = await service.connect();
    const frame = await api.factors();
    expect(frame.columns)
      .toEqual(["factor", "score_name", "factor_version", "meaning", "scores", "history"]);
    expect(frame.getColumn("factor").toArray()).toEqual(["ecpnd", "ecqdi"]);
  });
});
