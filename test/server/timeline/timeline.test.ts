import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { TimelineEvent } from "../../../src/server/mod.ts";
import { FIXTURE_SETS, putFixtureRelease } from "../../helpers/fixture_store.ts";
import { KEY, WAYS } from "../_harness.ts";
import { useMovingServer } from "../_moving_server.ts";

describe.each(WAYS)("%s", (way) => {
  const moving = useMovingServer(way);

  describe("a timeline", () => {
    const play = (...timeline: TimelineEvent[]) => moving.start({ timeline });

    // @rule 3.4 server/catalogue/catalogue.ts: During a delay the last set remains available with its metadata
    test("can hold an outage: checks of the span do not exist, and the set becomes stale", async () => {
      play({ kind: "outage", from: "2026-11-20T14:00:00Z", until: "2026-11-20T17:00:00Z" });
      expect((await moving.setAt("2026-11-20T14:10:00Z")).last_checked_at).toBe(
        "2026-11-20T13:00:00.000Z",
      );
      const late = await moving.setAt("2026-11-20T16:30:00Z");
      expect([late.last_checked_at, late.status]).toEqual(["2026-11-20T13:00:00.000Z", "stale"]);
      const over = await moving.setAt("2026-11-20T17:00:00Z");
      expect([over.last_checked_at, over.status]).toEqual(["2026-11-20T17:00:00.000Z", "current"]);
      const at = await moving.setAt("2026-11-20T17:00:00Z", "/v1/scores?at=2026-11-20T15:30:00Z");
      expect([at.last_checked_at, at.status]).toEqual(["2026-11-20T13:00:00.000Z", "current"]);
    });

    // @silent 3 server/catalogue/catalogue.ts: A set whose publication a timeline hides was published by the first check that shows it
    test("lets a set whose publication it hides be published by the first check that shows it", async () => {
      play({ kind: "outage", from: "2026-11-20T13:00:00Z", until: "2026-11-20T14:00:00Z" });
      const latest = await moving.setAt("2026-11-20T15:00:00Z");
      expect([latest.snapshot_id, latest.calculated_at]).toEqual([
        FIXTURE_SETS.ecpnd.second,
        "2026-11-20T14:00:00.000Z",
      ]);
      const path = `/v1/scores?snapshot_id=${latest.snapshot_id}`;
      const saved = await moving.setAt("2026-11-20T15:00:00Z", path);
      expect([saved.calculated_at, saved.last_checked_at, saved.status]).toEqual([
        "2026-11-20T14:00:00.000Z",
        "2026-11-20T14:00:00.000Z",
        "call_source_delayed",
      ]);
    });

    test("can hold back the first set: 503, then the first check there is", async () => {
      play({ kind: "no_first_set", until: "2026-11-20T12:30:00Z", factor: "ecpnd" });
      const preparing = await moving.getAt("2026-11-20T12:29:00Z");
      expect(preparing.status).toBe(503);
      expect((await preparing.json()).error).toBe("score_snapshot_preparing");
      expect((await moving.getAt("2026-11-20T12:29:00Z", "/v1/scores?factor=ecqdi")).status).toBe(
        200,
      );
      expect((await moving.setAt("2026-11-20T13:00:00Z")).last_checked_at).toBe(
        "2026-11-20T13:00:00.000Z",
      );
      const hidden = `/v1/scores?snapshot_id=${FIXTURE_SETS.ecpnd.first}`;
      expect((await moving.getAt("2026-11-20T13:00:00Z", hidden)).status).toBe(404);
    });

    // @rule 2.3 server/timeline/timeline.ts: pending_calls counts the source-update queue
    // @rule 2.3 server/timeline/timeline.ts: failed_calls counts the source-update queue
    // @rule 3 base/store/checks/complete_check.ts: coverage shows additional gaps
    test("can hold a backlog, counted in the coverage", async () => {
      play({
        kind: "backlog",
        from: "2026-11-20T16:00:00Z",
        until: "2026-11-20T17:00:00Z",
        pendingCalls: 3,
        failedCalls: 1,
        pendingFactorCalls: 2,
      });
      const set = await moving.setAt("2026-11-20T16:00:00Z", "/v1/scores?factor=ecqdi");
      expect(set.status).toBe("call_updates_pending");
      expect(set.coverage).toMatchObject({
        pending_calls: 3,
        failed_calls: 1,
        pending_factor_calls: 2,
      });
      expect((await moving.setAt("2026-11-20T17:00:00Z")).status).toBe("current");
    });

    // @silent 3 server/timeline/timeline.ts: A timeline shapes every check of its time, stored or not; published numbers stay as they are
    test("shapes the checks that the store has already, for every view of them", async () => {
      const span = { from: "2026-11-20T13:00:00Z", until: "2026-11-20T15:00:00Z" };
      play(
        { kind: "backlog", ...span, factor: "ecpnd", failedCalls: 2 },
        { kind: "partial_prices", ...span, factor: "ecqdi", priceTickersCurrent: null },
        { kind: "source_delay", from: "2026-11-20T14:30:00Z", until: "2026-11-20T15:30:00Z" },
      );
      const now = "2026-11-20T15:10:00Z";
      const latest = await moving.setAt(now);
      expect([latest.status, latest.data_through, latest.coverage.failed_calls]).toEqual([
        "call_source_delayed",
        "2026-11-20T14:30:00.000Z",
        0,
      ]);
      const at = await moving.setAt(now, "/v1/scores?at=2026-11-20T13:30:00Z");
      expect([at.status, at.coverage.failed_calls]).toEqual(["call_updates_pending", 2]);
      const path = `/v1/scores?snapshot_id=${FIXTURE_SETS.ecpnd.second}`;
      const saved = await moving.setAt(now, path);
      expect([saved.status, saved.coverage.failed_calls]).toEqual(["call_updates_pending", 2]);
      const other = await moving.setAt(now, "/v1/scores?factor=ecqdi&at=2026-11-20T13:30:00Z");
      expect([other.status, other.coverage.price_tickers_current]).toEqual([
        "partial_market_data",
        null,
      ]);
    });

    test("gives an event that is scheduled later to answers that were prepared before", async () => {
      moving.start();
      const now = "2026-11-20T15:00:00Z";
      const before = await moving.getAt(now);
      await before.arrayBuffer();
      const event = { kind: "backlog", from: now, until: "2026-11-20T16:00:00Z" } as const;
      moving.server.schedule({ ...event, pendingCalls: 4 });
      const after = await moving.getAt(now);
      expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
      expect((await after.json()).coverage.pending_calls).toBe(4);
      moving.server.schedule({ ...event, pendingCalls: 5 });
      expect((await moving.setAt(now)).coverage.pending_calls).toBe(5);
    });

    test("can delay the source: the cutoff stands still", async () => {
      play({ kind: "source_delay", from: "2026-11-20T15:30:00Z", until: "2026-11-20T20:00:00Z" });
      const set = await moving.setAt("2026-11-20T16:30:00Z");
      expect([set.status, set.data_through]).toEqual([
        "call_source_delayed",
        "2026-11-20T15:30:00.000Z",
      ]);
      expect((await moving.setAt("2026-11-20T17:30:00Z")).status).toBe("stale");
    });

    // @rule 1 server/timeline/timeline.ts: A correction produces a later publication
    test("can correct numbers: the next check publishes them", async () => {
      play({
        kind: "correction",
        at: "2026-11-20T16:30:00Z",
        factor: "ecpnd",
        scores: { A: 0.31, NA: 0.5, TRUE: null },
      });
      const before = await moving.setAt("2026-11-20T16:59:00Z");
      const after = await moving.setAt("2026-11-20T17:00:00Z");
      expect(before.snapshot_id).toBe(FIXTURE_SETS.ecpnd.second);
      expect(after.snapshot_id).not.toBe(before.snapshot_id);
      const scoreOf = (ticker: string) =>
        after.scores.find((row: { ticker: string }) => row.ticker === ticker).ecpnd_score;
      expect(["A", "NA", "TRUE"].map(scoreOf)).toEqual([0.31, 0.5, null]);
      expect(after.coverage.tickers).toBe(8);
    });

    // @rule 5.4 server/account/accounts.ts: A key can be revoked
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
        (await moving.getAt(instant, "/v1/scores?factor=ecqdi")).status;
      expect(await statusAt("2026-11-20T15:09:59Z")).toBe(200);
      expect(await statusAt("2026-11-20T15:10:00Z")).toBe(403);
      expect(await statusAt("2026-11-20T15:20:00Z")).toBe(200);
      expect(await statusAt("2026-11-20T15:30:00Z")).toBe(401);
      expect(await statusAt("2026-11-20T15:29:59Z")).toBe(200);
    });

    test("can revoke one key by its hash, and others go on", async () => {
      const sha256 = createHash("sha256").update(KEY).digest("hex");
      play({ kind: "key_revoked", at: "2026-11-20T15:00:00Z", account: "main", sha256 });
      expect((await moving.getAt("2026-11-20T15:00:00Z")).status).toBe(401);
      const other = await moving.getAt(
        "2026-11-20T15:00:00Z",
        "/v1/scores",
        "svc_test_second_key_0002",
      );
      expect(other.status).toBe(200);
    });

    test("can replace a release, and take it away", async () => {
      const sha256 = await putFixtureRelease(moving.fixture.store, {
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
        const metadata = await moving.setAt(instant, "/v1/scores/history");
        return metadata.download_sha256 ?? metadata.error;
      };
      expect(await digestAt("2026-11-20T15:00:00Z")).not.toBe(sha256);
      expect(await digestAt("2026-11-20T16:00:00Z")).toBe(sha256);
      expect(await digestAt("2026-11-20T17:00:00Z")).toBe("historical_export_preparing");
    });

    test("can be continued while the server runs", async () => {
      moving.start();
      moving.server.schedule({
        kind: "outage",
        from: "2026-11-20T15:00:00Z",
        until: "2026-11-20T16:00:00Z",
      });
      expect((await moving.setAt("2026-11-20T15:00:00Z")).last_checked_at).toBe(
        "2026-11-20T14:00:00.000Z",
      );
    });

    test("refuses an event of an account that does not exist", () => {
      moving.start();
      const event = { kind: "key_revoked", at: "2026-11-20T15:00:00Z", account: "nobody" } as const;
      expect(() => moving.server.schedule(event)).toThrow(
        'main, pnd, qdi, none, period, got "nobody"',
      );
    });
  });
});
