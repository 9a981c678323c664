import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckInput, CheckSource } from "../../../src/base/store/checks/complete_check.ts";
import { publishScores, repeatLastCheck } from "../../../src/server/engine/made_checks.ts";
import { FIXTURE_SETS, makeFixtureStore } from "../../helpers/fixture_store.ts";
import { WAYS } from "../_harness.ts";
import { useMovingServer } from "../_moving_server.ts";

describe.each(WAYS)("%s", (way) => {
  const moving = useMovingServer(way);

  describe("the check engine", () => {
    // @rule 1 server/engine/check_engine.ts: The service checks hourly
    test("completes a check on each full hour that the clock has passed", async () => {
      moving.start();
      expect((await moving.setAt("2026-11-20T15:59:59Z")).last_checked_at).toBe(
        "2026-11-20T15:00:00.000Z",
      );
      expect((await moving.setAt("2026-11-20T16:00:00Z")).last_checked_at).toBe(
        "2026-11-20T16:00:00.000Z",
      );
      expect((await moving.setAt("2026-11-20T19:30:00Z")).last_checked_at).toBe(
        "2026-11-20T19:00:00.000Z",
      );
      await moving.server.completeChecks();
      const names = (await moving.fixture.store.listChecks("ecqdi")).map((entry) =>
        entry.lastCheckedAt
      );
      expect(names.slice(-4)).toEqual([
        "2026-11-20T16:00:00.000Z",
        "2026-11-20T17:00:00.000Z",
        "2026-11-20T18:00:00.000Z",
        "2026-11-20T19:00:00.000Z",
      ]);
    });

    // @rule 1 base/store/checks/complete_check.ts: Unchanged inputs reuse the set and record another check
    // @rule 2.2 base/store/checks/complete_check.ts: calculated_at is unchanged when a check reuses the set
    // @rule 3.6 base/store/checks/complete_check.ts: A reusing check keeps snapshot_id and calculated_at, and advances last_checked_at
    test("reuses the set while numbers are unchanged: the id stays, the check advances", async () => {
      moving.start();
      const set = await moving.setAt("2026-11-20T17:00:00Z");
      expect(set.snapshot_id).toBe(FIXTURE_SETS.ecpnd.second);
      expect(set.calculated_at).toBe("2026-11-20T13:00:00.000Z");
      expect(set.last_checked_at).toBe("2026-11-20T17:00:00.000Z");
    });

    // @rule 1 base/store/checks/complete_check.ts: Changed inputs publish a new set
    // @rule 1 base/store/store.ts: A published set is immutable
    // @rule 9 server/catalogue/catalogue_contents.ts: snapshot_id retrieval gives the original values, not the later check time
    test("publishes a new set when a number changes, and keeps the old one as it was", async () => {
      const repeat = repeatLastCheck(moving.fixture.store);
      const checks: CheckSource = async (factor, hour) => {
        const input = await repeat(factor, hour) as CheckInput;
        if (hour !== "2026-11-20T17:00:00.000Z") return input;
        const scores = input.rows.scores.with(2, 0.9);
        return { ...input, rows: { ...input.rows, scores } };
      };
      moving.start({ checks });
      const before = await moving.setAt("2026-11-20T16:00:00Z");
      const after = await moving.setAt("2026-11-20T17:00:00Z");
      expect(after.snapshot_id).not.toBe(before.snapshot_id);
      expect(after.calculated_at).toBe("2026-11-20T17:00:00.000Z");
      expect(after.scores[2]).toEqual({ ticker: "A", ecpnd_score: 0.9 });
      const saved = await moving.setAt(
        "2026-11-20T18:00:00Z",
        `/v1/scores?snapshot_id=${before.snapshot_id}`,
      );
      expect(saved.scores).toEqual(before.scores);
      expect(saved.last_checked_at).toBe("2026-11-20T13:00:00.000Z");
    });

    // @rule 9 server/catalogue/score_representations.ts: A saved set keeps the factor_version with which it was calculated
    test("keeps the definition of a saved set when later ones have another", async () => {
      moving.start();
      const before = await moving.setAt("2026-11-20T15:00:00Z");
      await publishScores(moving.fixture.store, {
        factor: "ecpnd",
        at: "2026-11-20T15:30:00Z",
        scores: { A: 0.5 },
        factorVersion: "ecpnd-v2",
      });
      const now = "2026-11-20T15:30:00Z";
      expect((await moving.setAt(now)).factor_version).toBe("ecpnd-v2");
      expect((await moving.setAt(now, "/v1/factors")).factors[0].factor_version).toBe("ecpnd-v2");
      const saved = await moving.setAt(now, `/v1/scores?snapshot_id=${before.snapshot_id}`);
      expect([saved.factor_version, saved.scores]).toEqual(["ecpnd-v1", before.scores]);
    });

    test("skips an hour without a completed check", async () => {
      const repeat = repeatLastCheck(moving.fixture.store);
      moving.start({
        checks: (factor, hour) => hour.startsWith("2026-11-20T16") ? null : repeat(factor, hour),
      });
      expect((await moving.setAt("2026-11-20T16:30:00Z")).last_checked_at).toBe(
        "2026-11-20T15:00:00.000Z",
      );
      expect((await moving.setAt("2026-11-20T17:00:00Z")).last_checked_at).toBe(
        "2026-11-20T17:00:00.000Z",
      );
    });

    // @silent 3 server/engine/check_engine.ts: Checks are completed at the first request after their hour; a client sees no difference from the full hour
    test("completes each check once, however many requests ask at the same time", async () => {
      let asked = 0;
      const repeat = repeatLastCheck(moving.fixture.store);
      moving.start({
        checks: (factor, hour) => {
          asked++;
          return repeat(factor, hour);
        },
      });
      await Promise.all(Array.from({ length: 5 }, () => moving.getAt("2026-11-20T18:00:00Z")));
      expect(asked).toBe(3);
    });

    describe("with a source that fails for ecqdi from 16:00 on", () => {
      const FILE = "/v1/scores/history.csv.gz";
      const now = "2026-11-20T17:30:00Z";
      const startBroken = () => {
        const repeat = repeatLastCheck(moving.fixture.store);
        moving.start({
          checks: (factor, hour) => {
            if (factor === "ecqdi") throw new Error("the source is down");
            return repeat(factor, hour);
          },
        });
      };

      test.each([
        ["/v1/scores"],
        ["/v1/factors"],
        ["/v1/scores/history?factor=ecqdi"],
        [`${FILE}?factor=ecqdi`],
        ["/v1/scores?factor=ecqdi&at=2026-11-20T15:59:59Z"],
        [`/v1/scores?factor=ecqdi&snapshot_id=${FIXTURE_SETS.ecqdi.first}`],
      ])("answers %s", async (path) => {
        startBroken();
        const response = await moving.getAt(now, path);
        expect([path, response.status]).toEqual([path, 200]);
      });

      test.each([
        ["/v1/scores?factor=ecqdi"],
        ["/v1/scores?factor=ecqdi&at=2026-11-20T16:00:00Z"],
        [`/v1/scores?factor=ecqdi&snapshot_id=${FIXTURE_SETS.ecpnd.first}`],
      ])("answers %s, which depends on it, with 500", async (path) => {
        startBroken();
        expect((await moving.getAt(now, path)).status).toBe(500);
        expect(moving.server.journal.entries.at(-1)?.note).toContain("the source is down");
      });

      test("completes the checks of ecpnd and says what failed", async () => {
        startBroken();
        moving.server.clock.set(now);
        await expect(moving.server.completeChecks()).rejects.toThrow("the source is down");
        const last = (await moving.fixture.store.listChecks("ecpnd")).at(-1)?.lastCheckedAt;
        expect(last).toBe("2026-11-20T17:00:00.000Z");
        moving.server.clock.set("2026-11-20T15:00:00Z");
      });
    });

    // @silent 3 server/engine/check_engine.ts: A check that fails, or whose file is damaged, is 500 for what depends on it and for nothing else
    test("contains a damaged check file: only what needs its content is 500", async () => {
      moving.start();
      const { store } = moving.fixture;
      const { name = "" } = (await store.listChecks("ecqdi")).at(-1) ?? {};
      await writeFile(join(store.path, "ecqdi", "checks", name), "{}");
      const statuses: [string, number][] = [];
      for (
        const path of [
          "/v1/scores",
          "/v1/factors",
          "/v1/scores/history?factor=ecqdi",
          "/v1/scores?factor=ecqdi&at=2026-11-20T14:59:59Z",
          "/v1/scores?factor=ecqdi&at=2026-11-20T15:00:00Z",
          "/v1/scores?factor=ecqdi",
        ]
      ) statuses.push([path, (await moving.getAt("2026-11-20T17:30:00Z", path)).status]);
      expect(statuses.map(([, status]) => status)).toEqual([200, 200, 200, 200, 500, 500]);
    });

    // @rule 2.3 base/contract/scores/check.ts: price_tickers_current may be null: unavailable
    // @rule 2.3 base/contract/scores/check.ts: price_tickers_tracked may be null: unavailable
    test("passes price counts that are unavailable through as null", async () => {
      const repeat = repeatLastCheck(moving.fixture.store);
      moving.start({
        checks: async (factor, hour) => ({
          ...await repeat(factor, hour) as CheckInput,
          priceTickersCurrent: null,
          priceTickersTracked: null,
        }),
      });
      const set = await moving.setAt("2026-11-20T16:00:00Z");
      expect(set.coverage.price_tickers_current).toBeNull();
      expect(set.coverage.price_tickers_tracked).toBeNull();
    });

    // @rule 2.3 base/contract/scores/check.ts: price_tickers_tracked can differ from the universe
    test("lets the price panel differ from the universe in size", async () => {
      const repeat = repeatLastCheck(moving.fixture.store);
      moving.start({
        checks: async (factor, hour) => ({
          ...await repeat(factor, hour) as CheckInput,
          priceTickersCurrent: 11,
          priceTickersTracked: 11,
        }),
      });
      const { coverage } = await moving.setAt("2026-11-20T16:00:00Z");
      expect([coverage.tickers, coverage.price_tickers_tracked]).toEqual([8, 11]);
    });

    test("shows the past as it was when the clock is moved back", async () => {
      moving.start();
      await moving.setAt("2026-11-20T19:00:00Z");
      expect((await moving.setAt("2026-11-20T14:30:00Z")).last_checked_at).toBe(
        "2026-11-20T14:00:00.000Z",
      );
      expect(
        (await moving.getAt("2026-11-20T14:30:00Z", "/v1/scores?at=2026-11-20T16:00:00Z")).status,
      )
        .toBe(400);
    });
  });

  describe("the clock", () => {
    test("stands still, moves and runs at a rate", () => {
      let now = Date.UTC(2026, 0, 1);
      moving.start({ now: () => now });
      const { clock } = moving.server;
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
      expect(() => clock.run(-1)).toThrow(RangeError);
    });
  });

  describe("publishScores()", () => {
    // @rule 1 server/engine/made_checks.ts: Rows are sorted alphabetically, by character codes
    test("publishes numbers of one's own, sorted, as the next check", async () => {
      await publishScores(moving.fixture.store, {
        factor: "ecpnd",
        at: "2026-11-20T15:30:00Z",
        scores: { ZM: 1, AAPL: 0, NA: null },
      });
      moving.start();
      const set = await moving.setAt("2026-11-20T15:30:00Z");
      expect(set.calculated_at).toBe("2026-11-20T15:30:00.000Z");
      expect(set.scores).toEqual([
        { ticker: "AAPL", ecpnd_score: 0 },
        { ticker: "NA", ecpnd_score: null },
        { ticker: "ZM", ecpnd_score: 1 },
      ]);
    });

    test("lets the next check reuse its set while nothing changes", async () => {
      moving.start();
      await moving.setAt("2026-11-20T15:00:00Z");
      const { set } = await publishScores(moving.fixture.store, {
        factor: "ecpnd",
        at: "2026-11-20T15:30:00Z",
        scores: { A: 0.5 },
      });
      const next = await moving.setAt("2026-11-20T16:00:00Z");
      expect([next.snapshot_id, next.last_checked_at]).toEqual([
        set.snapshotId,
        "2026-11-20T16:00:00.000Z",
      ]);
    });

    // @rule 1 base/contract/scores/score_rows.ts: Scores are from 0 to 1 inclusive
    test("refuses a score beyond 1 and a ticker that the API could not be asked for", async () => {
      moving.start();
      const publish = (scores: Record<string, number>) =>
        publishScores(moving.fixture.store, {
          factor: "ecpnd",
          at: "2026-11-20T15:30:00Z",
          scores,
        });
      await expect(publish({ A: 1.5 })).rejects.toThrow("a number from 0 to 1, or null");
      await expect(publish({ "a b": 0.5 })).rejects.toThrow(/ticker.*"a b"/);
    });
  });

  describe("a partial recording", () => {
    // @silent 4.3 server/catalogue/catalogue_contents.ts: A partial recording that does not prove an at answers 404 and says so
    test("answers 404 for an `at` that it cannot prove, and says so", async () => {
      const recording = await makeFixtureStore({ partial: true });
      moving.start({ store: recording.store });
      const unproved = await moving.getAt(
        "2026-11-20T15:00:00Z",
        "/v1/scores?at=2026-11-20T14:30:00Z",
      );
      expect(unproved.status).toBe(404);
      expect(await unproved.json()).toMatchObject({
        error: "score_snapshot_not_available",
        message: expect.stringContaining("recording that does not prove"),
        details: { proved: false },
      });
      const proved = await moving.getAt(
        "2026-11-20T15:00:00Z",
        "/v1/scores?at=2026-11-20T14:00:00Z",
      );
      expect(proved.status).toBe(200);
      const span = { from: "2026-11-20T14:00:00Z", until: "2026-11-20T14:01:00Z" };
      moving.server.schedule({ kind: "outage", ...span });
      const hidden = await moving.getAt(
        "2026-11-20T15:00:00Z",
        "/v1/scores?at=2026-11-20T14:00:00Z",
      );
      expect([hidden.status, (await hidden.json()).details]).toEqual([404, { proved: false }]);
      await recording.remove();
    });

    // @silent 4.3 server/catalogue/catalogue_contents.ts: A recording does not deny a set that it lacks, unless the set is the other factor's or is published after its time
    test("does not deny a set that it may not have seen", async () => {
      const recording = await makeFixtureStore({ partial: true });
      moving.start({ store: recording.store });
      const ask = async (factor: string, id: string, at = "2026-11-20T15:00:00Z") => {
        const path = `/v1/scores?factor=${factor}&snapshot_id=${id}`;
        const answer = await moving.getAt(at, path);
        const { message, details } = await answer.json();
        return [answer.status, message, details];
      };
      const unknown = "00000000-0000-4000-8000-000000000000";
      expect(await ask("ecpnd", unknown)).toEqual([
        404,
        `This server serves a recording without a ecpnd score set with the id ${unknown}`,
        { proved: false },
      ]);
      const { first, second } = FIXTURE_SETS.ecqdi;
      const denied = (factor: string, id: string) => [
        404,
        `No published ${factor} score set has the id ${id}`,
        undefined,
      ];
      expect(await ask("ecpnd", first)).toEqual(denied("ecpnd", first));
      expect(await ask("ecqdi", second, "2026-11-20T12:30:00Z")).toEqual(denied("ecqdi", second));
      await recording.remove();
    });

    test("does not take the check before a hidden one for the latest", async () => {
      const recording = await makeFixtureStore({ partial: true });
      moving.start({ store: recording.store });
      expect((await moving.getAt("2026-11-20T14:00:00Z")).status).toBe(200);
      const span = { from: "2026-11-20T13:00:00Z", until: "2026-11-20T14:01:00Z" };
      moving.server.schedule({ kind: "outage", ...span });
      const hidden = await moving.getAt("2026-11-20T14:00:00Z");
      expect([hidden.status, (await hidden.json()).details]).toEqual([404, { proved: false }]);
      const path = `/v1/scores?snapshot_id=${FIXTURE_SETS.ecpnd.second}`;
      const published = await moving.getAt("2026-11-20T15:00:00Z", path);
      expect([published.status, (await published.json()).details])
        .toEqual([404, { proved: false }]);
      await recording.remove();
    });

    test("that goes on is the service from its last recorded check on, and proves nothing more before it", async () => {
      const recording = await makeFixtureStore({ partial: true });
      const { store } = recording;
      moving.start({ store, checks: repeatLastCheck(store) });
      const checkOf = async (query: string) => {
        const answer = await moving.getAt("2026-11-20T16:45:00Z", `/v1/scores${query}`);
        return answer.status === 200 ? (await answer.json()).last_checked_at : answer.status;
      };
      expect(await checkOf("")).toBe("2026-11-20T16:00:00.000Z");
      await publishScores(store, { factor: "ecpnd", at: "2026-11-20T16:30:00Z", scores: { A: 1 } });
      expect(await checkOf("")).toBe("2026-11-20T16:30:00.000Z");
      expect(await checkOf("?at=2026-11-20T16:20:00Z")).toBe("2026-11-20T16:00:00.000Z");
      expect(await checkOf("?at=2026-11-20T15:30:00Z")).toBe("2026-11-20T15:00:00.000Z");
      expect(await checkOf("?at=2026-11-20T14:30:00Z")).toBe(404);
      await recording.remove();
    });

    // @silent 4.4 server/pipeline/serve_history.ts: A recorded release is available from its receipt until that of the next one; a 404 before it names the time
    test("tells from when on it has a release that was received later", async () => {
      const recording = await makeFixtureStore({ partial: true });
      moving.start({ store: recording.store });
      for (const path of ["/v1/scores/history", "/v1/scores/history.csv.gz"]) {
        const answer = await moving.getAt("2026-08-31T23:59:59Z", path);
        expect([answer.status, (await answer.json()).message]).toEqual([
          404,
          "This server serves a recording without a release of ecpnd up to its time " +
          "2026-08-31T23:59:59.000Z; it has one from 2026-09-01T00:00:00.000Z on, the time of its receipt",
        ]);
        expect((await moving.getAt("2026-09-01T00:00:00Z", path)).status).toBe(200);
      }
      await recording.remove();
    });

    // @silent 4.4 server/pipeline/serve_history.ts: A partial recording without a release, or without a check up to now, answers 404 and says so: waiting does not help
    test("answers 404 for a release or a latest set that it does not hold, which no waiting brings", async () => {
      const recording = await makeFixtureStore({ partial: true, withoutReleases: true });
      moving.start({ store: recording.store });
      for (const path of ["/v1/scores/history", "/v1/scores/history.csv.gz?factor=ecqdi"]) {
        const answer = await moving.getAt("2026-11-20T15:00:00Z", path);
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([404, null]);
        expect(await answer.json()).toMatchObject({
          error: "score_snapshot_not_available",
          message: expect.stringMatching(/serves a recording without a release of ec(pnd|qdi)/),
          retryable: false,
          details: { proved: false },
        });
      }
      const latest = await moving.getAt("2026-11-20T09:59:59Z");
      expect([latest.status, await latest.json()]).toMatchObject([404, {
        error: "score_snapshot_not_available",
        message: "This server serves a recording without a ecpnd check up to its time " +
          "2026-11-20T09:59:59.000Z; the store has ecpnd checks from 2026-11-20T10:00:00.000Z to " +
          "2026-11-20T15:00:00.000Z",
        details: { proved: false },
      }]);
      await recording.remove();
    });

    test("answers 503 where a timeline says that something is being prepared", async () => {
      const recording = await makeFixtureStore({ partial: true });
      moving.start({ store: recording.store });
      const at = "2026-11-20T10:00:00Z";
      const until = "2026-11-21T00:00:00Z";
      moving.server.schedule({ kind: "no_first_set", until });
      moving.server.schedule({
        kind: "release_replaced",
        at,
        factor: "ecpnd",
        downloadSha256: null,
      });
      for (const path of ["/v1/scores", "/v1/scores/history"]) {
        const answer = await moving.getAt("2026-11-20T15:00:00Z", path);
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "60"]);
      }
      await recording.remove();
    });

    test("never gives a set by its id the label stale, which belongs to a latest request", async () => {
      const recording = await makeFixtureStore({ partial: true });
      const { store } = recording;
      const [publication] = await store.listChecks("ecpnd");
      const stored = (await store.readCheck("ecpnd", publication!.name))!;
      await rm(join(recording.path, "ecpnd", "checks", publication!.name));
      await store.putCheck({ ...stored, check: { ...stored.check, status: "stale" } });
      moving.start({ store });
      const answer = await moving.getAt(
        "2026-11-20T15:00:00Z",
        `/v1/scores?snapshot_id=${stored.check.snapshotId}`,
      );
      expect([answer.status, (await answer.json()).details]).toEqual([404, { proved: false }]);
      await recording.remove();
    });
  });
});
