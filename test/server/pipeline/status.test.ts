import { describe, expect, test } from "vitest";
import { FIXTURE_TICKERS } from "../../helpers/fixture_store.ts";
import { useServers, WAYS } from "../_harness.ts";
import { useMovingServer } from "../_moving_server.ts";

describe.each(WAYS)("data status (section 3), %s", (way) => {
  const { start } = useServers();
  const statusOf = async (response: Response) => [
    (await response.json()).status,
    response.headers.get("x-factor-status"),
  ];

  // @rule 3 base/contract/scores/status.ts: stale: the cutoff of a latest request is more than 75 minutes old
  test("is stale once the cutoff is more than 75 minutes old, for a latest request", async () => {
    const { server, get } = await start(way);
    // data_through is 14:55:00.
    server.clock.set("2026-11-20T16:10:00Z");
    expect(await statusOf(await get("/v1/scores"))).toEqual(["current", "current"]);
    server.clock.set("2026-11-20T16:10:00.001Z");
    expect(await statusOf(await get("/v1/scores"))).toEqual(["stale", "stale"]);
  });

  // @rule 3 server/catalogue/catalogue_contents.ts: stale comes first
  test("is stale before any other condition", async () => {
    const { server, get } = await start(way, {
      timeline: [{ kind: "outage", from: "2026-11-20T14:30:00Z", until: "2026-11-21T00:00:00Z" }],
    });
    server.clock.set("2026-11-20T15:10:00Z");
    expect((await statusOf(await get("/v1/scores")))[0]).toBe("call_source_delayed");
    server.clock.set("2026-11-20T15:10:00.001Z");
    expect((await statusOf(await get("/v1/scores")))[0]).toBe("stale");
  });

  // @rule 3.1 server/catalogue/catalogue_contents.ts: at keeps the recorded input status
  // @rule 3.1 server/catalogue/catalogue_contents.ts: snapshot_id keeps the recorded input status
  // @rule 3.2 server/catalogue/catalogue_contents.ts: Only latest requests are stale
  test("is the recorded one for `at` and `snapshot_id`, however old", async () => {
    const { server, get } = await start(way);
    server.clock.set("2027-11-20T15:00:00Z");
    expect((await statusOf(await get("/v1/scores?at=2026-11-20T11:30:00Z")))[0])
      .toBe("partial_market_data");
    const id = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01";
    expect((await statusOf(await get(`/v1/scores?snapshot_id=${id}`)))[0]).toBe("current");
  });

  // @rule 3.3 server/catalogue/catalogue_contents.ts: A stale set is a 200
  test("does not change the HTTP status: a stale set is a 200 with its recorded metadata", async () => {
    const { server, get } = await start(way);
    server.clock.set("2026-11-25T00:00:00Z");
    const response = await get("/v1/scores");
    expect(response.status).toBe(200);
    const set = await response.json();
    expect(set.last_checked_at).toBe("2026-11-20T15:00:00.000Z");
    expect(set.data_through).toBe("2026-11-20T14:55:00.000Z");
    expect(set.scores).toHaveLength(8);
  });

  // @rule 3.4 server/catalogue/catalogue_contents.ts: Without a first set: 503 score_snapshot_preparing
  // @silent 8 server/catalogue/catalogue_contents.ts: An answer in preparation asks the client to wait 60 seconds, a missed deadline 5 seconds
  test("answers 503 score_snapshot_preparing while there is no first set", async () => {
    const { server, get } = await start(way);
    server.clock.set("2026-11-20T09:59:59Z");
    const response = await get("/v1/scores");
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await response.json()).toMatchObject({
      error: "score_snapshot_preparing",
      retryable: true,
    });
  });
});

describe.each(WAYS)("a check of the engine, %s", (way) => {
  const moving = useMovingServer(way);

  // @rule 3 base/contract/scores/status.ts: call_source_delayed comes second
  // @rule 3 base/contract/scores/status.ts: call_updates_pending comes third
  // @rule 3 base/contract/scores/status.ts: partial_market_data comes fourth
  // @rule 3 base/contract/scores/status.ts: current otherwise
  test("records the first condition of the priority order that applies", async () => {
    const span = { from: "2026-11-20T16:00:00Z", until: "2026-11-21T00:00:00Z" };
    moving.start({
      timeline: [
        { kind: "partial_prices", ...span, priceTickersCurrent: FIXTURE_TICKERS.length - 1 },
        { kind: "backlog", ...span, from: "2026-11-20T17:00:00Z", failedCalls: 1 },
        { kind: "source_delay", ...span, from: "2026-11-20T18:00:00Z" },
      ],
    });
    const statuses = [];
    for (const hour of [15, 16, 17, 18]) {
      statuses.push((await moving.setAt(`2026-11-20T${hour}:00:00Z`)).status);
    }
    expect(statuses).toEqual([
      "current",
      "partial_market_data",
      "call_updates_pending",
      "call_source_delayed",
    ]);
  });
});
