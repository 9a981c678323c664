import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { assertOneVintage } from "../../../src/frames/vintage/one_vintage.ts";
import { toPanelFrame } from "../../../src/frames/frame/panel_frame.ts";
import { frameOf, RECEIPT, setOf, textColumn } from "../frame/_score_frames.ts";

describe("assertOneVintage()", () => {
  test("returns the very frame of one score set", () => {
    const frame = frameOf();
    expect(assertOneVintage(frame)).toBe(frame);
  });

  test("refuses two score sets of a factor and names both", () => {
    expect(() => assertOneVintage(pl.concat([frameOf(), frameOf({ snapshotId: "b" })])))
      .toThrow("expected ecpnd of one snapshot_id, got several score sets, a and b");
  });

  test("takes rows without an id, which a left join leaves, beside those of one set", () => {
    const joined = pl.DataFrame([
      textColumn("factor", ["ecpnd", "ecpnd", null]),
      textColumn("snapshot_id", [null, "a", null]),
    ]);
    expect(assertOneVintage(joined).height).toBe(3);
  });

  test("refuses two calculation definitions, even per decision time", () => {
    const mixed = pl.concat([frameOf(), frameOf({ version: "ecpnd-v2" })]);
    const message = "several calculation definitions, ecpnd-v1 and ecpnd-v2";
    expect(() => assertOneVintage(mixed)).toThrow(message);
    expect(() => assertOneVintage(mixed, { per: "ticker" })).toThrow(message);
  });

  test("refuses live score sets mixed with a release", () => {
    const mixed = pl.DataFrame([
      textColumn("factor", ["ecpnd", "ecpnd"]),
      textColumn("snapshot_id", ["a", null]),
      textColumn("download_sha256", [null, "f"]),
    ]);
    expect(() => assertOneVintage(mixed)).toThrow(
      "got live score sets beside the reconstructed release",
    );
  });

  test("refuses two releases, and takes two factors of one each", () => {
    const frame = (factors: string[], digests: string[]) =>
      pl.DataFrame([textColumn("factor", factors), textColumn("download_sha256", digests)]);
    expect(() => assertOneVintage(frame(["ecpnd", "ecpnd"], ["d", "e"]))).toThrow(
      "several releases",
    );
    expect(assertOneVintage(frame(["ecpnd", "ecqdi"], ["d", "e"])).height).toBe(2);
  });

  test("takes a panel that has one score set per decision time, and refuses two at one time", () => {
    const panel = pl.DataFrame([
      textColumn("factor", ["ecpnd", "ecpnd", "ecpnd"]),
      textColumn("snapshot_id", ["a", "b", "b"]),
      textColumn("at", ["2026-11-19", "2026-11-20", "2026-11-20"]),
    ]);
    expect(assertOneVintage(panel, { per: "at" }).height).toBe(3);
    expect(() => assertOneVintage(panel)).toThrow("several score sets");
    const mixed = panel.withColumn(pl.lit("2026-11-20").alias("at"));
    expect(() => assertOneVintage(mixed, { per: "at" })).toThrow(
      "of one snapshot_id at at 2026-11-20, got several score sets, a and b",
    );
  });

  test("sees through the suffix of a join, whichever it is", () => {
    const other = frameOf({ snapshotId: "b" });
    for (const suffix of ["_right", "_old", "2"]) {
      const joined = frameOf().join(other, { on: "ticker", suffix });
      expect(() => assertOneVintage(joined)).toThrow(", a and b");
    }
    const byFactor = frameOf().join(other, { on: ["ticker", "factor"] });
    expect(() => assertOneVintage(byFactor)).toThrow(", a and b");
  });

  test("takes a join of two factors, and of one set with itself", () => {
    const ecqdi = frameOf({ factor: "ecqdi", snapshotId: "b" });
    expect(assertOneVintage(frameOf().join(ecqdi, { on: "ticker" })).height).toBe(3);
    expect(assertOneVintage(frameOf().join(frameOf(), { on: "ticker" })).height).toBe(3);
  });

  test("judges columns that have a factor before their names beside the others", () => {
    const frame = frameOf().withColumns(
      textColumn("ecqdi_snapshot_id", ["x", "x", "y"]),
      textColumn("ecqdi_factor_version", ["ecqdi-v1", "ecqdi-v1", "ecqdi-v1"]),
    );
    expect(() => assertOneVintage(frame)).toThrow(
      "expected ecqdi of one snapshot_id, got several score sets, x and y",
    );
    expect(assertOneVintage(frame.head(2)).height).toBe(2);
    expect(assertOneVintage(frame, { per: "ticker" }).height).toBe(3);
  });

  test("judges a wide panel by its columns of set ids", () => {
    const entries = [["a", "2026-11-19T21:00:00.000Z"], ["b", "2026-11-20T21:00:00.000Z"]].map(
      ([snapshotId, at]) => ({
        at: at!,
        set: setOf({ snapshotId: snapshotId! }),
        receipt: RECEIPT,
      }),
    );
    const options = { layout: "wide", hasChecks: false, provenance: true } as const;
    const panel = toPanelFrame(entries, ["ecpnd"], options);
    expect(assertOneVintage(panel, { per: "at" }).height).toBe(6);
    expect(() => assertOneVintage(panel)).toThrow(", a and b");
    const oneTime = panel.withColumn(pl.lit(new Date(0)).cast(pl.Datetime("ms")).alias("at"));
    expect(() => assertOneVintage(oneTime, { per: "at" })).toThrow(
      "at at 1970-01-01T00:00:00.000Z",
    );
  });

  test("takes a column that only begins like one of provenance for what it is", () => {
    const frame = frameOf().withColumns(textColumn("status_old", ["x", "y", "z"]));
    expect(assertOneVintage(frame).height).toBe(3);
  });

  test("refuses a frame that cannot tell", () => {
    const message =
      "Cannot find the vintage of the frame: expected the columns factor and snapshot_id";
    expect(() => assertOneVintage(frameOf().select("ticker"))).toThrow(message);
    expect(() => assertOneVintage(frameOf().select("factor"))).toThrow(message);
    expect(() => assertOneVintage(frameOf().select("snapshot_id"))).toThrow(message);
  });

  test("refuses a column that is not there, an unknown option, and what is no frame", () => {
    expect(() => assertOneVintage(frameOf(), { per: "when" })).toThrow("of the frame");
    expect(() => assertOneVintage(frameOf(), { by: "at" } as never)).toThrow(
      'per, study, got "by"',
    );
    expect(() => assertOneVintage(undefined as never)).toThrow(TypeError);
  });

  test("takes rows without an id behind those of one set", () => {
    const joined = pl.DataFrame([
      textColumn("factor", ["ecpnd", "ecpnd", "ecpnd"]),
      textColumn("snapshot_id", ["a", null, "a"]),
    ]);
    expect(assertOneVintage(joined).height).toBe(3);
  });

  test("sees through a join of two releases", () => {
    const release = (digest: string) =>
      pl.DataFrame([
        textColumn("ticker", ["A"]),
        textColumn("factor", ["ecpnd"]),
        textColumn("download_sha256", [digest]),
      ]);
    const joined = release("d").join(release("e"), { on: "ticker" });
    expect(() => assertOneVintage(joined)).toThrow(
      "expected ecpnd of one download_sha256, got several releases, d and e",
    );
  });
});
