import { SCORE_SET_COLUMNS } from "../../helpers/provenance_names.ts";
import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { toFactorFrame } from "../../../src/frames/frame/factor_frame.ts";
import {
  type Receipt,
  type ScoreFrameInput,
  sourceOf,
} from "../../../src/frames/frame/provenance/origin.ts";
import { shownType } from "./_dtype.ts";
import { toScoreFrame } from "../../../src/frames/frame/score_frame.ts";

const RECEIPT: Receipt = { source: "live", retrievedAt: "2026-11-20T15:00:00.123Z" };

function setOf(change: Partial<ScoreFrameInput["check"]> = {}): ScoreFrameInput {
  return {
    check: {
      factor: "ecpnd",
      factorVersion: "ecpnd-v1",
      universe: "US research universe",
      snapshotId: "6f1c0c9e-1111-4222-8333-444455556666",
      calculatedAt: "2026-11-20T12:00:00.000Z",
      lastCheckedAt: "2026-11-20T15:00:00.000Z",
      dataThrough: "2026-11-20T14:55:00.500Z",
      status: "current",
      pricesThrough: "2026-11-19",
      ...change,
    },
    rows: {
      tickers: ["-", "0012", "1E5", "BRK.B", "NA", "TRUE"],
      scores: [0, 1, null, 0.1, 1e-7, 0.5],
    },
  };
}

describe("toScoreFrame()", () => {
  test("gives one row per ticker with the columns in the documented order and types", () => {
    const frame = toScoreFrame(setOf(), RECEIPT);
    expect(frame.columns).toEqual(["ticker", "ecpnd_score", ...SCORE_SET_COLUMNS]);
    const types = frame.columns.map((name) => shownType(frame, name));
    expect(types).toEqual([
      "str",
      "f64",
      "str",
      "str",
      "str",
      "str",
      "datetime[ms, UTC]",
      "datetime[ms, UTC]",
      "datetime[ms, UTC]",
      "str",
      "date",
      "str",
      "datetime[ms, UTC]",
    ]);
    expect(frame.height).toBe(6);
  });

  test("keeps tickers as text, null as null, 0 as 0 and every bit of a score", () => {
    const rows = toScoreFrame(setOf(), RECEIPT, { provenance: false }).rows();
    expect(rows).toEqual([
      ["-", 0],
      ["0012", 1],
      ["1E5", null],
      ["BRK.B", 0.1],
      ["NA", 1e-7],
      ["TRUE", 0.5],
    ]);
  });

  test("keeps a column of nothing but nulls a Float64", () => {
    const empty = { ...setOf(), rows: { tickers: ["A", "B"], scores: [null, null] } };
    const frame = toScoreFrame(empty, RECEIPT);
    expect(shownType(frame, "ecpnd_score")).toBe("f64");
    expect(frame.getColumn("ecpnd_score").nullCount()).toBe(2);
  });

  test("names the score for its factor", () => {
    const frame = toScoreFrame(setOf({ factor: "ecqdi" }), RECEIPT);
    expect(frame.columns[1]).toBe("ecqdi_score");
  });

  test("carries instants to the millisecond through filter, join, Parquet and CSV", () => {
    const frame = toScoreFrame(setOf(), RECEIPT);
    const expected = new Date("2026-11-20T14:55:00.500Z");
    const joined = frame.filter(pl.col("ticker").eq(pl.lit("NA")))
      .join(pl.DataFrame([pl.Series("ticker", ["NA"], pl.Utf8)]), { on: "ticker" });
    expect(joined.toRecords()[0]).toMatchObject({ ticker: "NA", data_through: expected });
    const parquet = pl.readParquet(joined.writeParquet({}));
    expect(parquet.toRecords()).toEqual(joined.toRecords());
    expect(joined.writeCSV().toString()).toContain("2026-11-20T14:55:00.500+0000");
  });

  test("leaves null what a CSV response does not tell, with the same column types", () => {
    const csv = setOf({ factorVersion: null, universe: null, pricesThrough: null });
    const frame = toScoreFrame(csv, RECEIPT);
    expect(frame.row(0).slice(3, 5)).toEqual([null, null]);
    expect(frame.getColumn("prices_through").nullCount()).toBe(6);
    expect(shownType(frame, "prices_through")).toBe("date");
    expect(pl.concat([frame, toScoreFrame(setOf(), RECEIPT)]).height).toBe(12);
  });

  test("carries the provenance columns that were asked for, in its own order", () => {
    const frame = toScoreFrame(setOf(), RECEIPT, { provenance: ["source", "factor"] });
    expect(frame.columns).toEqual(["ticker", "ecpnd_score", "factor", "source"]);
  });

  test("refuses a provenance column that score sets do not have", () => {
    expect(() => toScoreFrame(setOf(), RECEIPT, { provenance: ["download_sha256"] }))
      .toThrow('column "download_sha256"');
  });

  test("gives dictionary-encoded text columns on request", () => {
    const frame = toScoreFrame(setOf(), RECEIPT, { categorical: true });
    expect(shownType(frame, "status")).toBe("cat");
    expect(frame.row(0)[9]).toBe("current");
  });

  test("says that synthetic data is synthetic", () => {
    const receipt = { ...RECEIPT, source: sourceOf("embedded", true) };
    expect(toScoreFrame(setOf(), receipt).toRecords()[0]!.source).toBe("embedded, synthetic");
    expect(sourceOf("store", false)).toBe("store");
  });
});

describe("toFactorFrame()", () => {
  test("gives one row per factor that the account may load", () => {
    const frame = toFactorFrame([{
      factor: "ecqdi",
      scoreName: "ecqdi_score",
      factorVersion: "ecqdi-v1",
      scores: "/v1/scores?factor=ecqdi",
      history: "/v1/scores/history?factor=ecqdi",
      extra: {},
    }]);
    expect(frame.toRecords()).toEqual([{
      factor: "ecqdi",
      score_name: "ecqdi_score",
      factor_version: "ecqdi-v1",
      meaning: "earnings call quantitative dynamics and intensity",
      scores: "/v1/scores?factor=ecqdi",
      history: "/v1/scores/history?factor=ecqdi",
    }]);
  });

  test("keeps its columns when no factor is licensed", () => {
    const frame = toFactorFrame([]);
    expect(frame.height).toBe(0);
    expect(frame.columns).toHaveLength(6);
  });
});
