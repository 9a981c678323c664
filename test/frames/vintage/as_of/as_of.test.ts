import process from "node:process";
import { setImmediate as settled } from "node:timers/promises";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { asOf } from "../../../../src/frames/vintage/as_of/as_of.ts";
import { type Service, startService } from "../../../client/_service.ts";

async function withNotices<Result>(run: () => Result) {
  const notices: string[] = [];
  const listen = ({ name, message }: Error) => {
    if (name === "ScoreframeNotice") notices.push(message);
  };
  process.on("warning", listen);
  try {
    const result = run();
    await settled();
    return { result, notices };
  } finally {
    process.off("warning", listen);
  }
}

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const HOURS = ["10", "11", "12", "13", "14", "15"].map((hour) => `2026-11-20T${hour}:00:00Z`);

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
      "2 of 3 rows that look ahead: row 1: A decided 2026-11-20T14:59:59.999Z, last_checked_at " +
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
    expect(() => asOf(scores, joined)).toThrow("the column ecpnd_score");
  });

  test("refuses decisions of a factor of which there are no scores", () => {
    const scores = scoresAt("2026-11-20T10:00:00Z", { A: 0.25 }).rename({ ecpnd_score: "score" });
    const decisions = decisionsAt(["A", "2026-11-20T14:00:00Z"])
      .withColumns(pl.lit("ecqdi").alias("factor"));
    expect(() => asOf(scores, decisions)).toThrow("expected scores of the factor ecqdi for row 0");
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
      .toThrow("of one factor");
  });

  test("matches by several columns without taking one pair of texts for another", () => {
    const time = (name: string) =>
      pl.Series(name, [new Date("2026-11-20T10:00:00Z")], pl.Datetime("ms", "UTC"));
    const keys = (ticker: string, desk: string) => [
      pl.Series("ticker", [ticker], pl.Utf8),
      pl.Series("desk", [desk], pl.Utf8),
    ];
    const scores = pl.DataFrame([
      ...keys("A", "B C"),
      pl.Series("ecpnd_score", [0.5], pl.Float64),
      time("last_checked_at"),
    ]);
    const by = ["ticker", "desk"];
    const scoreOf = (ticker: string, desk: string) =>
      asOf(scores, pl.DataFrame([...keys(ticker, desk), time("at")]), { by })
        .getColumn("ecpnd_score").toArray();
    expect(scoreOf("A", "B C")).toEqual([0.5]);
    expect(scoreOf("A B", "C")).toEqual([null]);
  });

  test("refuses what is no frame, an unknown option, and keys that are no array", () => {
    const frame = pl.DataFrame([pl.Series("ticker", ["A"], pl.Utf8)]);
    expect(() => asOf(Promise.resolve(frame) as never, frame)).toThrow("await it first");
    expect(() => asOf(frame, frame.lazy() as never)).toThrow("collect it first");
    expect(() => asOf(frame, frame, { on: "ticker" } as never)).toThrow('maxAgeMs, got "on"');
    expect(() => asOf(frame, frame, { by: "ticker" } as never)).toThrow(TypeError);
  });

  test("refuses a frame that cannot tell when its rows were known", () => {
    const release = pl.DataFrame({ ticker: ["A"], ecpnd_score: [0.5] });
    expect(() => asOf(release, decisionsAt(["A", "2026-11-20T13:00:00Z"])))
      .toThrow("release has neither");
  });

  test("shows the first five rows that would look ahead, and says how many more there are", () => {
    const scores = scoresAt("2026-11-20T10:00:00Z", { A: 0.25 });
    const early = (rows: number) =>
      decisionsAt(
        ...Array.from({ length: rows }, (): [string, string] => ["A", "2026-11-20T09:00:00Z"]),
      );
    expect(() => asOf(scores, early(6))).toThrow(
      /6 of 6 rows .*; row 4: A decided 2026-11-20T09:00:00.000Z, calculated_at 2026-11-20T10:00:00.000Z; and 1 more; load/,
    );
    expect(() => asOf(scores, early(5))).toThrow(
      /; row 4: A decided 2026-11-20T09:00:00.000Z, calculated_at 2026-11-20T10:00:00.000Z; load/,
    );
  });

  test("refuses a decision without a time, and times that are text", () => {
    const scores = scoresAt("2026-11-20T10:00:00Z", { A: 0.25 });
    const ticker = pl.Series("ticker", ["A"], pl.Utf8);
    const missing = pl.DataFrame([ticker, pl.Series("at", [null], pl.Datetime("ms", "UTC"))]);
    expect(() => asOf(scores, missing)).toThrow(
      "expected decisions with a column at of instants without nulls, got a null in row 0",
    );
    const text = pl.DataFrame([ticker, pl.Series("at", ["2026-11-20 12:00:00"], pl.Utf8)]);
    expect(() => asOf(scores, text)).toThrow('"2026-11-20 12:00:00" in row 0');
    expect(() => asOf(scores, text.drop("at"))).toThrow(
      "with a column at of instants, got the columns ticker; decisionColumn selects another one",
    );
  });

  test("takes texts with an offset, as CSV files have them", () => {
    const scores = scoresAt("2026-11-20T10:00:00Z", { A: 0.25 });
    // 09:30 in New York is 14:30 UTC.
    const text = pl.DataFrame({ ticker: ["A"], at: ["2026-11-20 09:30:00-05:00"] });
    expect(asOf(scores, text).getColumn("ecpnd_score").toArray()).toEqual([0.25]);
  });

  test("refuses clocks without a time zone on either side, and the line of the message repairs them", () => {
    const scores = scoresAt("2026-11-20T15:00:00Z", { A: 0.25 });
    const clock = pl.DataFrame([
      pl.Series("ticker", ["A"], pl.Utf8),
      pl.Series("at", [new Date("2026-11-20T10:30:00Z")], pl.Datetime("ms")),
    ]);
    expect(() => asOf(scores, clock)).toThrow(
      /column at, got 2026-11-20T10:30:00 .*pl\.col\("at"\)\.dt\.replaceTimeZone\("America\/New_York"\)/,
    );
    // 10:30 in New York is 15:30 UTC, after the set; 10:30 UTC is before it.
    const repaired = clock.withColumns(pl.col("at").dt.replaceTimeZone("America/New_York"));
    expect(asOf(scores, repaired).getColumn("ecpnd_score").toArray()).toEqual([0.25]);
    const naive = scores.withColumns(pl.col("calculated_at").cast(pl.Datetime("ms")));
    const zoneless = naive.withColumns(
      pl.Series("calculated_at", [new Date("2026-11-20T15:00:00Z")], pl.Datetime("ms")),
    );
    expect(() => asOf(zoneless, repaired)).toThrow("the column calculated_at");
    const day = pl.DataFrame([
      pl.Series("ticker", ["A"], pl.Utf8),
      pl.Series("at", [new Date("2026-11-21")], pl.Date),
    ]);
    expect(() => asOf(scores, day)).toThrow("got Date");
  });

  test("gives nulls where the set is older than maxAgeMs, and counts them", async () => {
    const scores = scoresAt("2026-11-20T10:00:00Z", { A: 0.25 });
    const decisions = decisionsAt(["A", "2026-11-20T11:00:00Z"], ["A", "2026-11-20T11:00:00.001Z"]);
    const { result, notices } = await withNotices(() =>
      asOf(scores, decisions, { maxAgeMs: 3_600_000 })
    );
    expect(result.select("weight", "ecpnd_score", "snapshot_id").rows()).toEqual([
      [0, 0.25, "ecpnd-of-2026-11-20T10:00:00Z"],
      [1, null, null],
    ]);
    expect(notices).toEqual([
      "asOf(): 1 of 2 decisions have no score, because the latest set was older than maxAgeMs allows, 1.0 hours at most",
    ]);
    expect(() => asOf(scores, decisions, { maxAgeMs: 90 })).toThrow(
      "expected maxAgeMs to be 0 or from 60000 to 316224000000 milliseconds, such as 3 * 86_400_000, " +
        "and no number of minutes or days, got 90",
    );
    expect(() => asOf(scores, decisions, { maxAge: 3 } as never)).toThrow("you mean maxAgeMs?");
  });

  test("says how old the sets are, and counts tickers that no set has", async () => {
    const scores = scoresAt("2026-11-20T10:00:00Z", { A: 0.25 });
    const { notices } = await withNotices(() =>
      asOf(
        scores,
        decisionsAt(
          ["A", "2026-11-21T10:00:00Z"],
          ["A", "2026-12-20T10:00:00Z"],
          ["APPL", "2026-11-21T10:00:00Z"],
        ),
      )
    );
    expect(notices).toEqual([
      "asOf(): 1 of 3 decisions have no score, because no set of the scores has their ticker: APPL",
      "asOf(): the latest known set is more than 7 days old at 1 of 3 decisions, 30.0 days at most; " +
      "maxAgeMs omits such scores",
    ]);
  });

  test("refuses frames without rows, tickers that are null, and two scores of one set and ticker", () => {
    const scores = scoresAt("2026-11-20T10:00:00Z", { A: 0.25 });
    const decisions = decisionsAt(["A", "2026-11-20T14:00:00Z"]);
    const none = pl.col("ticker").eq(pl.lit("none"));
    expect(() => asOf(scores.filter(none), decisions)).toThrow("row of scores");
    expect(() => asOf(scores, decisions.filter(none))).toThrow("row of decisions");
    const nameless = decisions.withColumns(pl.lit(null).cast(pl.Utf8).alias("ticker"));
    expect(() => asOf(scores, nameless)).toThrow("a ticker in every row, got row 0 without");
    const other = scores.withColumns(pl.lit(0.5).alias("ecpnd_score"));
    expect(() => asOf(pl.concat([scores, other]), decisions)).toThrow(
      "expected one score per set and ticker, got A with 0.25 in row 0 and 0.5 in row 1",
    );
    expect(asOf(pl.concat([scores, scores]), decisions).height).toBe(1);
  });

  test("refuses provenance twice where the scores are of two factors, rather than give one of them a name", () => {
    const scores = scoresAt("2026-11-20T10:00:00Z", { A: 0.25 }).drop("factor")
      .withColumns(pl.lit(0.5).alias("ecqdi_score"));
    const decisions = decisionsAt(["A", "2026-11-20T14:00:00Z"])
      .withColumns(pl.lit("x").alias("snapshot_id"));
    expect(() => asOf(scores, decisions)).toThrow("without the column snapshot_id of the scores");
  });
});
