import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { assertOneVintage } from "../../src/frame/one_vintage.ts";
import { provenance } from "../../src/frame/provenance.ts";
import { toScoreFrame } from "../../src/frame/score_frame.ts";

function frameOf(snapshotId: string, factorVersion = "ecpnd-v1") {
  const check = {
    factor: "ecpnd",
    factorVersion,
    universe: "U",
    snapshotId,
    calculatedAt: "2026-11-20T12:00:00.000Z",
    lastCheckedAt: "2026-11-20T15:00:00.000Z",
    dataThrough: "2026-11-20T14:55:00.000Z",
    status: "current",
    pricesThrough: "2026-11-19",
  } as const;
  const rows = { tickers: ["A", "B", "C"], scores: [0.1, null, 0.3] };
  return toScoreFrame({ check, rows }, { source: "live", retrievedAt: "2026-11-20T15:00:01.000Z" });
}

const utf8 = (name: string, values: (string | null)[]) => pl.Series(name, values, pl.Utf8);

describe("provenance()", () => {
  test("gives the distinct origins of a concatenated frame, in order, with their rows", () => {
    const both = pl.concat([frameOf("b"), frameOf("a").head(1)]);
    const origins = provenance(both).toRecords();
    expect(origins.map((origin) => [origin.snapshot_id, origin.row_count])).toEqual([["b", 3], [
      "a",
      1,
    ]]);
    expect(origins[0]).toMatchObject({ factor: "ecpnd", status: "current", source: "live" });
  });

  test("gives one row for one origin and none for an empty frame", () => {
    expect(provenance(frameOf("a")).height).toBe(1);
    expect(provenance(frameOf("a").head(0)).height).toBe(0);
  });

  test("reads what is left after a selection, and nothing from a foreign frame", () => {
    expect(provenance(frameOf("a").select("ticker", "snapshot_id")).columns).toEqual([
      "snapshot_id",
      "row_count",
    ]);
    expect(provenance(pl.DataFrame([utf8("height", ["x"])])).columns).toEqual([]);
  });

  test("tells null from a value", () => {
    const frame = pl.DataFrame([utf8("factor", ["ecpnd", "ecpnd"]), utf8("universe", [null, "U"])]);
    expect(provenance(frame).rows()).toEqual([["ecpnd", null, 1], ["ecpnd", "U", 1]]);
  });
});

describe("assertOneVintage()", () => {
  test("returns a frame of one score set", () => {
    expect(assertOneVintage(frameOf("a")).height).toBe(3);
  });

  test("refuses two score sets of a factor and names both", () => {
    expect(() => assertOneVintage(pl.concat([frameOf("a"), frameOf("b")])))
      .toThrow("ecpnd comes from several score sets, snapshot_id is a and b");
  });

  test("refuses two calculation definitions", () => {
    const mixed = pl.concat([frameOf("a"), frameOf("a", "ecpnd-v2")]);
    expect(() => assertOneVintage(mixed)).toThrow("several calculation definitions");
    expect(() => assertOneVintage(mixed, { per: "ticker" })).toThrow(
      "several calculation definitions",
    );
  });

  test("refuses live score sets mixed with a release", () => {
    const mixed = pl.DataFrame([
      utf8("factor", ["ecpnd", "ecpnd"]),
      utf8("snapshot_id", ["a", null]),
      utf8("download_sha256", [null, "f"]),
    ]);
    expect(() => assertOneVintage(mixed)).toThrow(
      "mixes live score sets with the reconstructed release",
    );
  });

  test("refuses two releases, and takes two factors of one each", () => {
    const frame = (factors: string[], digests: string[]) =>
      pl.DataFrame([utf8("factor", factors), utf8("download_sha256", digests)]);
    expect(() => assertOneVintage(frame(["ecpnd", "ecpnd"], ["d", "e"]))).toThrow(
      "several releases",
    );
    expect(assertOneVintage(frame(["ecpnd", "ecqdi"], ["d", "e"])).height).toBe(2);
  });

  test("takes a panel that has one score set per decision time, and refuses two at one time", () => {
    const panel = pl.DataFrame([
      utf8("factor", ["ecpnd", "ecpnd", "ecpnd"]),
      utf8("snapshot_id", ["a", "b", "b"]),
      utf8("at", ["2026-11-19", "2026-11-20", "2026-11-20"]),
    ]);
    expect(assertOneVintage(panel, { per: "at" }).height).toBe(3);
    const mixed = panel.withColumn(pl.lit("2026-11-20").alias("at"));
    expect(() => assertOneVintage(mixed, { per: "at" })).toThrow(
      "several publications at at 2026-11-20",
    );
  });

  test("refuses a frame that cannot tell", () => {
    expect(() => assertOneVintage(frameOf("a").select("ticker"))).toThrow(
      "Cannot tell the vintage of the frame",
    );
    expect(() => assertOneVintage(frameOf("a"), { per: "when" })).toThrow(
      "must be a column of the frame",
    );
  });
});
