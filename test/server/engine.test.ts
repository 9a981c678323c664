import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CheckInput, CheckSource } from "../../src/store/complete_check.ts";
import {
  createScoreServer,
  publishScores,
  repeatLastCheck,
  type ScoreServer,
  type ScoreServerOptions,
  type TimelineEvent,
} from "../../src/server/mod.ts";
import {
  FIXTURE_SETS,
  type FixtureStore,
  makeFixtureStore,
  putFixtureRelease,
} from "../helpers/fixture_store.ts";
import { ACCOUNTS, KEY, type Way, WAYS } from "./_harness.ts";

let fixture: FixtureStore;
let server: ScoreServer;
let way: Way;
beforeEach(async () => {
  fixture = await makeFixtureStore();
});
afterEach(async () => {
  await server.close();
  await fixture.remove();
});

function start(options: Partial<ScoreServerOptions> = {}): void {
  server = createScoreServer({
    store: fixture.store,
    accounts: ACCOUNTS,
    checks: repeatLastCheck(fixture.store),
    ...options,
  });
}

async function getAt(instant: string, path = "/v1/scores", key = KEY): Promise<Response> {
  server.clock.set(instant);
  const headers = { Authorization: `Bearer ${key}` };
  if (way === "in process") return await server.fetch(new Request(`http://x${path}`, { headers }));
  const listener = await server.listen();
  const response = await fetch(listener.url + path, { headers });
  const body = await response.text();
  await listener.close();
  return new Response(body, response);
}

async function setAt(instant: string, path = "/v1/scores") {
  return await (await getAt(instant, path)).json();
}

describe.each(WAYS)("%s", (each) => {
  beforeEach(() => {
    way = each;
  });

  describe("the check engine", () => {
    test("completes a check on each full hour that the clock has passed", async () => {
      start();
      expect((await setAt("2026-11-20T15:59:59Z")).last_checked_at).toBe(
        "2026-11-20T15:00:00.000Z",
      );
      expect((await setAt("2026-11-20T16:00:00Z")).last_checked_at).toBe(
        "2026-11-20T16:00:00.000Z",
      );
      expect((await setAt("2026-11-20T19:30:00Z")).last_checked_at).toBe(
        "2026-11-20T19:00:00.000Z",
      );
      const names = (await fixture.store.listChecks("ecqdi")).map((entry) => entry.lastCheckedAt);
      expect(names.slice(-4)).toEqual([
        "2026-11-20T16:00:00.000Z",
        "2026-11-20T17:00:00.000Z",
        "2026-11-20T18:00:00.000Z",
        "2026-11-20T19:00:00.000Z",
      ]);
    });

    test("reuses the set while numbers are unchanged: the id stays, the check advances", async () => {
      start();
      const set = await setAt("2026-11-20T17:00:00Z");
      expect(set.snapshot_id).toBe(FIXTURE_SETS.ecpnd.second);
      expect(set.calculated_at).toBe("2026-11-20T13:00:00.000Z");
      expect(set.last_checked_at).toBe("2026-11-20T17:00:00.000Z");
    });

    test("publishes a new set when a number changes, and keeps the old one as it was", async () => {
      const repeat = repeatLastCheck(fixture.store);
      const checks: CheckSource = async (factor, hour) => {
        const input = await repeat(factor, hour) as CheckInput;
        if (hour !== "2026-11-20T17:00:00.000Z") return input;
        const scores = input.rows.scores.with(2, 0.9);
        return { ...input, rows: { ...input.rows, scores } };
      };
      start({ checks });
      const before = await setAt("2026-11-20T16:00:00Z");
      const after = await setAt("2026-11-20T17:00:00Z");
      expect(after.snapshot_id).not.toBe(before.snapshot_id);
      expect(after.calculated_at).toBe("2026-11-20T17:00:00.000Z");
      expect(after.scores[2]).toEqual({ ticker: "A", ecpnd_score: 0.9 });
      const saved = await setAt(
        "2026-11-20T18:00:00Z",
        `/v1/scores?snapshot_id=${before.snapshot_id}`,
      );
      expect(saved.scores).toEqual(before.scores);
      expect(saved.last_checked_at).toBe("2026-11-20T13:00:00.000Z");
    });

    test("skips an hour without a completed check", async () => {
      const repeat = repeatLastCheck(fixture.store);
      start({
        checks: (factor, hour) => hour.startsWith("2026-11-20T16") ? null : repeat(factor, hour),
      });
      expect((await setAt("2026-11-20T16:30:00Z")).last_checked_at).toBe(
        "2026-11-20T15:00:00.000Z",
      );
      expect((await setAt("2026-11-20T17:00:00Z")).last_checked_at).toBe(
        "2026-11-20T17:00:00.000Z",
      );
    });

    test("completes each check once, however many requests ask at the same time", async () => {
      let asked = 0;
      const repeat = repeatLastCheck(fixture.store);
      start({
        checks: (factor, hour) => {
          asked++;
          return repeat(factor, hour);
        },
      });
      await Promise.all(Array.from({ length: 5 }, () => getAt("2026-11-20T18:00:00Z")));
      expect(asked).toBe(2 * 3);
    });

    test("passes price counts that are unavailable through as null", async () => {
      const repeat = repeatLastCheck(fixture.store);
      start({
        checks: async (factor, hour) => ({
          ...await repeat(factor, hour) as CheckInput,
          priceTickersCurrent: null,
          priceTickersTracked: null,
        }),
      });
      const set = await setAt("2026-11-20T16:00:00Z");
      expect(set.coverage.price_tickers_current).toBeNull();
      expect(set.coverage.price_tickers_tracked).toBeNull();
    });

    test("lets the price panel differ from the universe in size", async () => {
      const repeat = repeatLastCheck(fixture.store);
      start({
        checks: async (factor, hour) => ({
          ...await repeat(factor, hour) as CheckInput,
          priceTickersCurrent: 11,
          priceTickersTracked: 11,
        }),
      });
      const { coverage } = await setAt("2026-11-20T16:00:00Z");
      expect([coverage.tickers, coverage.price_tickers_tracked]).toEqual([8, 11]);
    });

    test("shows the past as it was when the clock is moved back", async () => {
      start();
      await setAt("2026-11-20T19:00:00Z");
      expect((await setAt("2026-11-20T14:30:00Z")).last_checked_at).toBe(
        "2026-11-20T14:00:00.000Z",
      );
      expect((await getAt("2026-11-20T14:30:00Z", "/v1/scores?at=2026-11-20T16:00:00Z")).status)
        .toBe(400);
    });
  });

  describe("the clock", () => {
    test("stands still, moves and runs at a rate", () => {
      let now = Date.UTC(2026, 0, 1);
      start({ now: () => now });
      const { clock } = server;
      expect(clock.now()).toBe("2026-01-01T00:00:00.000Z");
      now += 1000;
      expect(clock.now()).toBe("2026-01-01T00:00:01.000Z");
      clock.set("2026-11-20T15:00:00Z");
      now += 5000;
      expect(clock.now()).toBe("2026-11-20T15:00:00.000Z");
      clock.advance(60_000);
      expect(clock.now()).toBe("2026-11-20T15:01:00.000Z");
      clock.run(3600);
      now += 2000;
      expect(clock.now()).toBe("2026-11-20T17:01:00.000Z");
      clock.set("2026-11-20T15:00:00+01:00", { rate: 1 });
      now += 500;
      expect(clock.now()).toBe("2026-11-20T14:00:00.500Z");
      expect(() => clock.run(-1)).toThrow("a number of at least 0 is required");
    });
  });

  describe("a timeline", () => {
    const play = (...timeline: TimelineEvent[]) => start({ timeline });

    test("can hold an outage: checks of the span do not exist, and the set becomes stale", async () => {
      play({ kind: "outage", from: "2026-11-20T14:00:00Z", until: "2026-11-20T17:00:00Z" });
      expect((await setAt("2026-11-20T14:10:00Z")).last_checked_at).toBe(
        "2026-11-20T13:00:00.000Z",
      );
      const late = await setAt("2026-11-20T16:30:00Z");
      expect([late.last_checked_at, late.status]).toEqual(["2026-11-20T13:00:00.000Z", "stale"]);
      const over = await setAt("2026-11-20T17:00:00Z");
      expect([over.last_checked_at, over.status]).toEqual(["2026-11-20T17:00:00.000Z", "current"]);
      const at = await setAt("2026-11-20T17:00:00Z", "/v1/scores?at=2026-11-20T15:30:00Z");
      expect([at.last_checked_at, at.status]).toEqual(["2026-11-20T13:00:00.000Z", "current"]);
    });

    test("can hold back the first set: 503, then the first check there is", async () => {
      play({ kind: "no_first_set", until: "2026-11-20T12:30:00Z", factor: "ecpnd" });
      const preparing = await getAt("2026-11-20T12:29:00Z");
      expect(preparing.status).toBe(503);
      expect((await preparing.json()).error).toBe("score_snapshot_preparing");
      expect((await getAt("2026-11-20T12:29:00Z", "/v1/scores?factor=ecqdi")).status).toBe(200);
      expect((await setAt("2026-11-20T13:00:00Z")).last_checked_at).toBe(
        "2026-11-20T13:00:00.000Z",
      );
      const hidden = `/v1/scores?snapshot_id=${FIXTURE_SETS.ecpnd.first}`;
      expect((await getAt("2026-11-20T13:00:00Z", hidden)).status).toBe(404);
    });

    test("can hold a backlog, counted in the coverage", async () => {
      play({
        kind: "backlog",
        from: "2026-11-20T16:00:00Z",
        until: "2026-11-20T17:00:00Z",
        pendingCalls: 3,
        failedCalls: 1,
        pendingFactorCalls: 2,
      });
      const set = await setAt("2026-11-20T16:00:00Z", "/v1/scores?factor=ecqdi");
      expect(set.status).toBe("call_updates_pending");
      expect(set.coverage).toMatchObject({
        pending_calls: 3,
        failed_calls: 1,
        pending_factor_calls: 2,
      });
      expect((await setAt("2026-11-20T17:00:00Z")).status).toBe("current");
    });

    test("can delay the source: the cutoff stands still", async () => {
      play({
        kind: "source_delay",
        from: "2026-11-20T15:30:00Z",
        until: "2026-11-20T20:00:00Z",
      });
      const set = await setAt("2026-11-20T16:30:00Z");
      expect([set.status, set.data_through]).toEqual([
        "call_source_delayed",
        "2026-11-20T15:30:00.000Z",
      ]);
      expect((await setAt("2026-11-20T17:30:00Z")).status).toBe("stale");
    });

    test("can correct numbers: the next check publishes them", async () => {
      play({
        kind: "correction",
        at: "2026-11-20T16:30:00Z",
        factor: "ecpnd",
        scores: { A: 0.31, NA: 0.5, TRUE: null },
      });
      const before = await setAt("2026-11-20T16:59:00Z");
      const after = await setAt("2026-11-20T17:00:00Z");
      expect(before.snapshot_id).toBe(FIXTURE_SETS.ecpnd.second);
      expect(after.snapshot_id).not.toBe(before.snapshot_id);
      const scoreOf = (ticker: string) =>
        after.scores.find((row: { ticker: string }) => row.ticker === ticker).ecpnd_score;
      expect(["A", "NA", "TRUE"].map(scoreOf)).toEqual([0.31, 0.5, null]);
      expect(after.coverage.tickers).toBe(8);
    });

    test("can change licences and revoke keys, at their times", async () => {
      play(
        {
          kind: "licence",
          at: "2026-11-20T15:10:00Z",
          account: "main",
          factor: "ecqdi",
          active: false,
        },
        {
          kind: "licence",
          at: "2026-11-20T15:20:00Z",
          account: "main",
          factor: "ecqdi",
          active: true,
        },
        { kind: "key_revoked", at: "2026-11-20T15:30:00Z", account: "main" },
      );
      const statusAt = async (instant: string) =>
        (await getAt(instant, "/v1/scores?factor=ecqdi")).status;
      expect(await statusAt("2026-11-20T15:09:59Z")).toBe(200);
      expect(await statusAt("2026-11-20T15:10:00Z")).toBe(403);
      expect(await statusAt("2026-11-20T15:20:00Z")).toBe(200);
      expect(await statusAt("2026-11-20T15:30:00Z")).toBe(401);
      expect(await statusAt("2026-11-20T15:29:59Z")).toBe(200);
    });

    test("can revoke one key by its hash, and others go on", async () => {
      const sha256 = createHash("sha256").update(KEY).digest("hex");
      play({ kind: "key_revoked", at: "2026-11-20T15:00:00Z", account: "main", sha256 });
      expect((await getAt("2026-11-20T15:00:00Z")).status).toBe(401);
      const other = await getAt("2026-11-20T15:00:00Z", "/v1/scores", "svc_test_second_key_0002");
      expect(other.status).toBe(200);
    });

    test("can replace a release, and take it away", async () => {
      const sha256 = await putFixtureRelease(fixture.store, {
        factor: "ecpnd",
        rows: ["2020-01-02,A,0.5"],
        availableFrom: "2026-01-01T00:00:00Z",
      });
      play(
        {
          kind: "release_replaced",
          at: "2026-11-20T16:00:00Z",
          factor: "ecpnd",
          downloadSha256: sha256,
        },
        {
          kind: "release_replaced",
          at: "2026-11-20T17:00:00Z",
          factor: "ecpnd",
          downloadSha256: null,
        },
      );
      const digestAt = async (instant: string) => {
        const metadata = await setAt(instant, "/v1/scores/history");
        return metadata.download_sha256 ?? metadata.error;
      };
      expect(await digestAt("2026-11-20T15:00:00Z")).not.toBe(sha256);
      expect(await digestAt("2026-11-20T16:00:00Z")).toBe(sha256);
      expect(await digestAt("2026-11-20T17:00:00Z")).toBe("historical_export_preparing");
    });

    test("can be continued while the server runs", async () => {
      start();
      server.schedule({
        kind: "outage",
        from: "2026-11-20T15:00:00Z",
        until: "2026-11-20T16:00:00Z",
      });
      expect((await setAt("2026-11-20T15:00:00Z")).last_checked_at).toBe(
        "2026-11-20T14:00:00.000Z",
      );
    });

    test("refuses an event of an account that does not exist", () => {
      start();
      const event = { kind: "key_revoked", at: "2026-11-20T15:00:00Z", account: "nobody" } as const;
      expect(() => server.schedule(event)).toThrow('Cannot find the account "nobody"');
    });
  });

  describe("publishScores()", () => {
    test("publishes numbers of one's own, sorted, as the next check", async () => {
      await publishScores(fixture.store, {
        factor: "ecpnd",
        at: "2026-11-20T15:30:00Z",
        scores: { ZM: 1, AAPL: 0, NA: null },
      });
      start();
      const set = await setAt("2026-11-20T15:30:00Z");
      expect(set.calculated_at).toBe("2026-11-20T15:30:00.000Z");
      expect(set.scores).toEqual([
        { ticker: "AAPL", ecpnd_score: 0 },
        { ticker: "NA", ecpnd_score: null },
        { ticker: "ZM", ecpnd_score: 1 },
      ]);
    });

    test("refuses a score beyond 1 and a ticker that the API could not be asked for", async () => {
      start();
      const publish = (scores: Record<string, number>) =>
        publishScores(fixture.store, { factor: "ecpnd", at: "2026-11-20T15:30:00Z", scores });
      await expect(publish({ A: 1.5 })).rejects.toThrow("a number from 0 to 1, or null");
      await expect(publish({ "a b": 0.5 })).rejects.toThrow("A-Z, 0-9, dot and hyphen");
    });
  });

  describe("a partial recording", () => {
    test("answers 404 for an `at` that it cannot prove, and says so", async () => {
      const recording = await makeFixtureStore({ partial: true });
      start({ store: recording.store });
      const unproved = await getAt("2026-11-20T15:00:00Z", "/v1/scores?at=2026-11-20T14:30:00Z");
      expect(unproved.status).toBe(404);
      expect(await unproved.json()).toMatchObject({
        error: "score_snapshot_not_available",
        message: expect.stringContaining("recording that does not prove"),
      });
      const proved = await getAt("2026-11-20T15:00:00Z", "/v1/scores?at=2026-11-20T14:00:00Z");
      expect(proved.status).toBe(200);
      await recording.remove();
    });
  });
});
