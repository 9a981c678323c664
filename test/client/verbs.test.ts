import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compare } from "../../src/client/compare.ts";
import { NotFoundError } from "../../src/errors.ts";
import { asOf } from "../../src/frame/as_of.ts";
import { assertOneVintage } from "../../src/frame/one_vintage.ts";
import { createScoreServer, publishScores } from "../../src/server/mod.ts";
import { Store } from "../../src/store/store.ts";
import { FIXTURE_SETS } from "../helpers/fixture_store.ts";
import { KEY, pathOf, type Service, startService } from "./_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const HOURS = ["10", "11", "12", "13", "14", "15"].map((hour) => `2026-11-20T${hour}:00:00Z`);

describe("publications()", () => {
  test("walks back from one publication to the check before it: one request a set", async () => {
    const api = await service.connect();
    const frame = await api.publications("ecpnd", { from: "2026-11-20T00:00:00Z" });
    expect(frame.getColumn("snapshot_id").toArray())
      .toEqual([FIXTURE_SETS.ecpnd.second, FIXTURE_SETS.ecpnd.first]);
    expect(frame.getColumn("calculated_at").toArray())
      .toEqual([new Date("2026-11-20T13:00:00Z"), new Date("2026-11-20T10:00:00Z")]);
    expect(frame.getColumn("superseded_at").toArray())
      .toEqual([null, new Date("2026-11-20T13:00:00Z")]);
    expect(frame.getColumn("scored").toArray()).toEqual([7, 7]);
    // Two sets, and one request that finds nothing before the first of them.
    expect(service.requests.map(pathOf)).toEqual([
      "GET /v1/scores?factor=ecpnd",
      "GET /v1/scores?factor=ecpnd&at=2026-11-20T12%3A59%3A59.999Z",
      "GET /v1/scores?factor=ecpnd&at=2026-11-20T09%3A59%3A59.999Z",
    ]);
  });

  test("asks nothing beyond a publication at the start of the interval", async () => {
    const api = await service.connect();
    const frame = await api.publications("ecpnd", {
      from: "2026-11-20T13:00:00Z",
      to: "2026-11-20T15:00:00Z",
    });
    expect(frame.getColumn("snapshot_id").toArray()).toEqual([FIXTURE_SETS.ecpnd.second]);
    expect(service.requests).toHaveLength(1);
  });

  test("of an interval without a publication is an empty frame with all columns", async () => {
    const api = await service.connect();
    const frame = await api.publications("ecpnd", {
      from: "2026-11-20T13:00:01Z",
      to: "2026-11-20T14:00:00Z",
    });
    expect(frame.height).toBe(0);
    expect(frame.width).toBe(14);
  });

  test("that the store proves cost nothing", async () => {
    const api = await service.connect();
    const interval = { from: "2026-11-20T10:00:00Z", to: "2026-11-20T14:30:00Z" };
    const first = await api.publications("ecqdi", interval);
    const spent = service.requests.length;
    const again = await api.publications("ecqdi", interval);
    expect(service.requests).toHaveLength(spent);
    expect(again.drop("source").toRecords()).toEqual(first.drop("source").toRecords());
  });

  test("of an address that is not the service's is an error, not an empty frame", async () => {
    const { url, close } = await service.server.listen({ port: 0 });
    const store = await service.makeFolder();
    const known = await service.connect({ store });
    const interval = { from: "2026-11-20T09:00:00Z", to: "2026-11-20T12:00:00Z" };
    const whole = await known.publications("ecpnd", interval);
    expect(whole.height).toBe(1);
    const lost = await service.connectTo(`${url}/wrong`);
    await expect(lost.publications("ecpnd", interval)).rejects.toThrow("check the base address");
    const spent = service.requests.length;
    // Even where the store proves every set, the end is asked of a service that gives scores.
    const again = await known.publications("ecpnd", interval);
    expect(again.drop("source").toRecords()).toEqual(whole.drop("source").toRecords());
    expect(service.requests.slice(spent).map(pathOf)).toEqual([
      "GET /v1/scores?factor=ecpnd&at=2026-11-20T09%3A59%3A59.999Z",
      "GET /v1/scores?factor=ecpnd",
    ]);
    const astray = await service.connect({
      store,
      fetch: () =>
        Promise.resolve(Response.json({
          error: "score_snapshot_not_available",
          message: "There is no such route",
          request_id: "2c6f0a51-7b52-4d27-9f0e-0a9f7f3f1c55",
          retryable: false,
        }, { status: 404 })),
    });
    await expect(astray.publications("ecpnd", interval)).rejects.toThrow("no such route");
    await close();
  });

  test("of a recording that does not prove them all is an error, not a short list", async () => {
    const recorded = await service.connect({ store: await service.makeFolder() });
    await recorded.scores("ecpnd", { at: "2026-11-20T11:30:00Z" });
    await recorded.scores("ecpnd");
    const server = createScoreServer({
      store: await Store.open(recorded.store),
      accounts: [{ id: "client", factors: ["ecpnd", "ecqdi"], keys: [{ key: KEY }] }],
      now: () => service.clock.ms,
    });
    const api = await service.connect({ fetch: server.fetch });
    const error = await api.publications("ecpnd", { from: "2026-11-20T00:00:00Z" })
      .catch((failure: NotFoundError) => failure);
    expect(error).toBeInstanceOf(NotFoundError);
    expect((error as NotFoundError).details).toEqual({ proved: false });
    await server.close();
  });

  test("up to a time before the first publication is an error that says so", async () => {
    const api = await service.connect();
    await expect(
      api.publications("ecpnd", { from: "2026-11-20T08:00:00Z", to: "2026-11-20T09:30:00Z" }),
    ).rejects.toThrow("ask for a later time");
  });

  test("up to a time to come are those up to now", async () => {
    const api = await service.connect();
    const frame = await api.publications("ecpnd", {
      from: "2026-11-20T13:00:00Z",
      to: "2026-12-20T00:00:00Z",
    });
    expect(frame.getColumn("snapshot_id").toArray()).toEqual([FIXTURE_SETS.ecpnd.second]);
    expect(service.requests.map(pathOf)).toEqual(["GET /v1/scores?factor=ecpnd"]);
  });

  test("refuses an interval that ends before it begins", async () => {
    const api = await service.connect();
    await expect(api.publications("ecpnd", { from: HOURS[3]!, to: HOURS[1]! }))
      .rejects.toThrow("to 2026-11-20T11:00:00.000Z must not be before from");
  });
});

describe("panel()", () => {
  test("asks once for each distinct set, and not at all when repeated", async () => {
    const api = await service.connect();
    const panel = await api.panel("ecpnd", { at: HOURS });
    expect(service.requests).toHaveLength(2);
    expect(panel.height).toBe(6 * 8);
    expect(panel.columns).toEqual([
      "at",
      "ticker",
      "ecpnd_score",
      "factor",
      "factor_version",
      "universe",
      "snapshot_id",
      "calculated_at",
      "source",
      "retrieved_at",
    ]);
    const again = await api.panel("ecpnd", { at: HOURS.toReversed() });
    expect(service.requests).toHaveLength(2);
    expect(again.drop("source").toRecords()).toEqual(panel.drop("source").toRecords());
  });

  test("gives each time the numbers that a view at that time gives", async () => {
    const [panelApi, viewApi] = [await service.connect(), await service.connect()];
    const panel = await panelApi.panel("ecqdi", { at: HOURS });
    for (const at of HOURS) {
      const view = await viewApi.scores("ecqdi", { at });
      const rows = panel.filter(
        pl.col("at").eq(pl.lit(new Date(at)).cast(pl.Datetime("ms", "UTC"))),
      );
      expect(rows.select("ticker", "ecqdi_score", "snapshot_id").rows())
        .toEqual(view.select("ticker", "ecqdi_score", "snapshot_id").rows());
    }
  });

  test('with every: "check" carries the status of each hour', async () => {
    const api = await service.connect();
    const panel = await api.panel("ecpnd", { at: HOURS, every: "check" });
    const statuses = panel.filter(pl.col("ticker").eq(pl.lit("A"))).getColumn("status").toArray();
    expect(statuses).toEqual([
      "current",
      "partial_market_data",
      "call_updates_pending",
      "current",
      "call_source_delayed",
      "current",
    ]);
    expect(service.requests).toHaveLength(6);
    await api.panel("ecpnd", { at: HOURS, every: "check" });
    expect(service.requests).toHaveLength(6);
  });

  test("is not laid out wide across two calculation definitions", async () => {
    await publishScores(service.fixture.store, {
      factor: "ecpnd",
      at: "2026-11-20T15:30:00Z",
      factorVersion: "ecpnd-v2",
      scores: { A: 0.5 },
    });
    service.clock.ms = Date.parse("2026-11-20T15:40:00Z");
    const api = await service.connect();
    const at = [HOURS[5]!, "2026-11-20T15:35:00Z"];
    await expect(api.panel("ecpnd", { at, layout: "wide" })).rejects
      .toThrow("it is ecpnd-v1 before and ecpnd-v2 at 2026-11-20T15:35:00.000Z");
    const long = await api.panel("ecpnd", { at });
    expect(() => assertOneVintage(long, { per: "at" })).toThrow("several calculation definitions");
  });

  test("laid out wide tells its vintage by the ids of its sets", async () => {
    const api = await service.connect();
    const options = { at: [HOURS[2]!, HOURS[3]!], layout: "wide" } as const;
    const panel = await api.panel(["ecpnd", "ecqdi"], options);
    expect(assertOneVintage(panel, { per: "at" }).height).toBe(16);
    expect(() => assertOneVintage(panel)).toThrow("ecpnd comes from several score sets");
    const mixed = panel.withColumns(pl.lit(new Date(HOURS[2]!)).alias("at"));
    expect(() => assertOneVintage(mixed, { per: "at" })).toThrow("ecpnd comes from several publ");
  });

  test("aligns two factors by time and ticker in the wide layout", async () => {
    const api = await service.connect();
    const panel = await api.panel(["ecpnd", "ecqdi"], {
      at: [HOURS[2]!, HOURS[3]!],
      layout: "wide",
    });
    expect(panel.columns)
      .toEqual([
        "at",
        "ticker",
        "ecpnd_score",
        "ecqdi_score",
        "ecpnd_snapshot_id",
        "ecqdi_snapshot_id",
      ]);
    expect(panel.filter(pl.col("ticker").eq(pl.lit("BF-B"))).rows()).toEqual([
      [
        new Date("2026-11-20T12:00:00Z"),
        "BF-B",
        null,
        null,
        FIXTURE_SETS.ecpnd.first,
        FIXTURE_SETS.ecqdi.first,
      ],
      [
        new Date("2026-11-20T13:00:00Z"),
        "BF-B",
        0.875,
        0.2,
        FIXTURE_SETS.ecpnd.second,
        FIXTURE_SETS.ecqdi.second,
      ],
    ]);
  });

  test("stacks two factors in the long layout", async () => {
    const api = await service.connect();
    const panel = await api.panel(["ecpnd", "ecqdi"], { at: [HOURS[5]!], provenance: ["factor"] });
    expect(panel.columns).toEqual(["at", "ticker", "score", "factor"]);
    expect(panel.filter(pl.col("ticker").eq(pl.lit("BRK.B"))).getColumn("score").toArray())
      .toEqual([0.5, 1]);
  });

  test("with a time before the first publication is an error, and keeps what had arrived", async () => {
    const api = await service.connect();
    await expect(api.panel("ecpnd", { at: ["2026-11-20T09:00:00Z", ...HOURS] })).rejects
      .toMatchObject({ name: "NotFoundError" });
    const spent = service.requests.length;
    await api.panel("ecpnd", { at: HOURS });
    expect(service.requests).toHaveLength(spent);
  });

  test("does not carry columns of a check that it did not ask for", async () => {
    const api = await service.connect();
    await expect(api.panel("ecpnd", { at: HOURS, provenance: ["status"] }))
      .rejects.toThrow('Cannot choose the provenance column "status"');
    expect(service.requests).toHaveLength(0);
  });
});

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
    expect(plan.requestsAtLeast).toBe(1);
    expect(plan.downloadsAtMost).toBeGreaterThanOrEqual(1);
    expect(String(plan)).toContain("Cost of the history of ecpnd");
  });
});

describe("allowance()", () => {
  test("is what section 8 grants until the service has told", async () => {
    const api = await service.connect();
    const { minute, day, download } = api.allowance();
    expect([minute.remaining, day.remaining, download.remaining]).toEqual([120, 10_000, 10]);
    expect([minute.isTold, day.isTold, download.isTold]).toEqual([false, false, false]);
    expect(minute.resetAt).toBe("2026-11-20T15:01:00.000Z");
    expect(day.resetAt).toBe("2026-11-21T00:00:00.000Z");
  });

  test("follows the headers of each answer", async () => {
    const [api, colleague] = [await service.connect(), await service.connect()];
    await api.factors();
    await colleague.factors();
    await colleague.factors();
    expect(api.allowance().minute.remaining).toBe(119);
    await api.factors();
    expect(api.allowance().minute.remaining).toBe(116);
    expect(api.allowance().day.remaining).toBe(9_996);
    expect(api.allowance().minute.isTold).toBe(true);
  });
});

describe("log()", () => {
  test("has one row for each attempt", async () => {
    const api = await service.connect();
    await api.scores("ecpnd");
    await api.scores("ecpnd");
    await api.scores("ecpnd", { at: "2027-01-01T00:00:00Z" }).catch(() => {});
    const log = api.log();
    expect(log.getColumn("status").toArray()).toEqual([200, 304, 400]);
    expect(log.getColumn("problem").toArray())
      .toEqual([null, null, "future_observation_requested"]);
    expect(log.getColumn("request_id").toArray().every((id) => /^[0-9a-f-]{36}$/.test(String(id))))
      .toBe(true);
  });
});

describe("compare()", () => {
  test("tells what changed per ticker and as a summary", async () => {
    const api = await service.connect();
    const before = await api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.first });
    const after = await api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.second });
    const { changes, summary } = compare(before, after.filter(pl.col("ticker").neq(pl.lit("1E5"))));
    expect(changes.select("ticker", "change").rows()).toEqual([
      ["0012", "unchanged"],
      ["1E5", "removed"],
      ["A", "moved"],
      ["BF-B", "null_to_value"],
      ["BRK.B", "unchanged"],
      ["NA", "value_to_null"],
      ["TRUE", "unchanged"],
      ["ZZZZZZZZZZZZZZZZ", "unchanged"],
    ]);
    const moved = changes.filter(pl.col("ticker").eq(pl.lit("A"))).toRecords()[0]!;
    expect(moved.move).toBeCloseTo(0.05, 12);
    expect([moved.rank_before, moved.rank_after, moved.rank_shift]).toEqual([5, 5, 0]);
    expect(summary.select("change", "tickers").rows()).toEqual([
      ["added", 0],
      ["removed", 1],
      ["value_to_null", 1],
      ["null_to_value", 1],
      ["moved", 1],
      ["unchanged", 4],
    ]);
  });

  test("refuses frames of two factors", async () => {
    const api = await service.connect();
    const frames = [await api.scores("ecpnd"), await api.scores("ecqdi")] as const;
    expect(() => compare(...frames)).toThrow("two frames of one factor are required");
  });

  test("refuses live sets against a release, and two calculation definitions, unless told", async () => {
    const api = await service.connect();
    const live = await api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.first });
    const release = await api.history("ecpnd", { tickers: "text" });
    const session = release.filter(pl.col("date").eq(pl.col("date").max()));
    expect(() => compare(session, live)).toThrow("got a release and live sets; mixed: true");
    expect(compare(session, live, { mixed: true }).summary.height).toBe(6);
    const redefined = live.withColumns(pl.lit("ecpnd-v2").alias("factor_version"));
    expect(() => compare(live, redefined)).toThrow("got ecpnd-v1 and ecpnd-v2; mixed: true");
    expect(compare(live, redefined, { mixed: true }).summary.height).toBe(6);
    expect(compare(live, live.select("ticker", "ecpnd_score")).summary.height).toBe(6);
  });

  test("refuses a panel, in which tickers repeat", async () => {
    const api = await service.connect();
    const panel = await api.panel("ecpnd", { at: HOURS });
    expect(() => compare(panel, panel)).toThrow('the first frame repeats "0012"');
  });
});

describe("asOf()", () => {
  const decisionsAt = (...rows: readonly [ticker: string, at: string][]) =>
    pl.DataFrame([
      pl.Series("ticker", rows.map(([ticker]) => ticker), pl.Utf8),
      pl.Series("at", rows.map(([, at]) => new Date(at)), pl.Datetime("ms", "UTC")),
      pl.Series("weight", rows.map((_, i) => i), pl.Float64),
    ]);

  test("gives each decision the latest check no later than it", async () => {
    const api = await service.connect();
    const scores = pl.concat([
      await api.scores("ecpnd", { at: HOURS[1]! }),
      await api.scores("ecpnd", { at: HOURS[4]! }),
    ].map((frame) => frame.drop("source", "retrieved_at")));
    const joined = asOf(
      scores,
      decisionsAt(
        ["A", "2026-11-20T14:00:00Z"],
        ["A", "2026-11-20T13:59:59.999Z"],
        ["NA", "2026-11-20T18:00:00Z"],
        ["UNKNOWN", "2026-11-20T18:00:00Z"],
      ),
    );
    expect(joined.select("ticker", "weight", "ecpnd_score").rows())
      .toEqual([["A", 0, 0.3], ["A", 1, 0.25], ["NA", 2, null], ["UNKNOWN", 3, null]]);
  });

  test("refuses rows whose check came after the decision, and shows the first of them", async () => {
    const api = await service.connect();
    const scores = await api.scores("ecpnd");
    const decisions = decisionsAt(
      ["A", "2026-11-20T15:00:00Z"],
      ["A", "2026-11-20T14:59:59.999Z"],
      ["NA", "2026-11-19T00:00:00Z"],
    );
    expect(() => asOf(scores, decisions)).toThrow(
      "2 of 3 rows would look ahead: row 1: A decided 2026-11-20T14:59:59.999Z, last_checked_at " +
        "2026-11-20T15:00:00.000Z; row 2: NA decided 2026-11-19T00:00:00.000Z",
    );
  });

  const scoresAt = (at: string, rows: Readonly<Record<string, number>>, factor = "ecpnd") =>
    pl.DataFrame([
      pl.Series("ticker", Object.keys(rows), pl.Utf8),
      pl.Series(`${factor}_score`, Object.values(rows), pl.Float64),
    ]).withColumns(
      pl.lit(factor).alias("factor"),
      pl.lit(`${factor}-of-${at}`).alias("snapshot_id"),
      pl.lit(new Date(at)).cast(pl.Datetime("ms", "UTC")).alias("calculated_at"),
    );

  test("chooses the set first: a ticker that it does not have is null, whatever other sets have", () => {
    const scores = pl.concat([
      scoresAt("2026-11-20T10:00:00Z", { A: 0.25, GONE: 0.5 }),
      scoresAt("2026-11-20T13:00:00Z", { A: 0.75, NEW: 1 }),
    ]);
    const decisions = decisionsAt(
      ["A", "2026-11-20T14:00:00Z"],
      ["GONE", "2026-11-20T14:00:00Z"],
      ["NEW", "2026-11-20T12:00:00Z"],
    );
    expect(asOf(scores, decisions).select("ticker", "ecpnd_score", "snapshot_id").rows()).toEqual([
      ["A", 0.75, "ecpnd-of-2026-11-20T13:00:00Z"],
      ["GONE", null, null],
      ["NEW", null, null],
    ]);
  });

  test.each([{}, { by: ["ticker"] }])(
    "joins a second factor after the first, each with its own provenance: %o",
    async (options) => {
      const api = await service.connect();
      const [ecpnd, ecqdi] = [
        await api.panel("ecpnd", { at: HOURS }),
        await api.panel("ecqdi", { at: HOURS }),
      ];
      const decisions = decisionsAt(["A", "2026-11-20T15:00:00Z"]);
      const alone = asOf(ecqdi, decisions).toRecords()[0]!;
      const both = asOf(ecqdi, asOf(ecpnd, decisions), options).toRecords()[0]!;
      expect(alone.ecqdi_score).toEqual(expect.any(Number));
      expect(both).toMatchObject({
        ecqdi_score: alone.ecqdi_score,
        ecqdi_factor: "ecqdi",
        ecqdi_snapshot_id: alone.snapshot_id,
        factor: "ecpnd",
      });
      expect(both.snapshot_id).not.toBe(both.ecqdi_snapshot_id);
    },
  );

  test("refuses decisions that have the score already, rather than keep the old one", () => {
    const scores = scoresAt("2026-11-20T10:00:00Z", { A: 0.25 });
    const joined = asOf(scores, decisionsAt(["A", "2026-11-20T14:00:00Z"]));
    expect(() => asOf(scores, joined)).toThrow("without the column ecpnd_score");
  });

  test("refuses decisions of a factor of which there are no scores", () => {
    const scores = scoresAt("2026-11-20T10:00:00Z", { A: 0.25 }).rename({ ecpnd_score: "score" });
    const decisions = decisionsAt(["A", "2026-11-20T14:00:00Z"])
      .withColumns(pl.lit("ecqdi").alias("factor"));
    expect(() => asOf(scores, decisions)).toThrow("scores of the factor ecqdi are required");
  });

  test("takes the publication where a panel carries no checks", async () => {
    const api = await service.connect();
    const panel = await api.panel("ecpnd", { at: HOURS });
    const joined = asOf(panel.drop("at"), decisionsAt(["BF-B", "2026-11-20T13:00:00Z"]));
    expect(joined.getColumn("ecpnd_score").toArray()).toEqual([0.875]);
  });

  test("refuses two factors where the decisions do not say which they mean", async () => {
    const api = await service.connect();
    const panel = await api.panel(["ecpnd", "ecqdi"], { at: HOURS });
    expect(() => asOf(panel.drop("at"), decisionsAt(["A", "2026-11-20T15:00:00Z"])))
      .toThrow("scores of one factor are required");
  });

  test("refuses a frame that cannot tell when its rows were known", () => {
    const release = pl.DataFrame({ ticker: ["A"], ecpnd_score: [0.5] });
    expect(() => asOf(release, decisionsAt(["A", "2026-11-20T13:00:00Z"])))
      .toThrow("a reconstructed release has neither");
  });
});
