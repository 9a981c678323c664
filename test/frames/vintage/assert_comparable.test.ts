import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { assertComparable } from "../../../src/frames/vintage/compare_frame.ts";
import { assertOneVintage } from "../../../src/frames/vintage/one_vintage.ts";
import { IntegrityError } from "../../../src/base/errors.ts";
import { frameOf, textColumn } from "../frame/_score_frames.ts";

const release = pl.DataFrame([
  textColumn("factor", ["ecpnd"]),
  textColumn("factor_version", ["ecpnd-v1"]),
  textColumn("download_sha256", ["f"]),
]);

describe("assertComparable()", () => {
  test("takes two live sets, and two releases", () => {
    expect(() => assertComparable(frameOf(), frameOf({ snapshotId: "b" }))).not.toThrow();
    expect(() => assertComparable(release, release)).not.toThrow();
  });

  test("refuses live sets against a release, in either order", () => {
    const message = "two frames of live sets, or two of releases";
    expect(() => assertComparable(frameOf(), release)).toThrow(IntegrityError);
    expect(() => assertComparable(frameOf(), release)).toThrow(
      `${message}, got live sets and a release`,
    );
    expect(() => assertComparable(release, frameOf())).toThrow(
      `${message}, got a release and live sets`,
    );
  });

  test("refuses two calculation definitions of one factor", () => {
    expect(() => assertComparable(frameOf(), frameOf({ version: "ecpnd-v2" }))).toThrow(
      "got ecpnd-v1 and ecpnd-v2; mixed: true allows the comparison",
    );
  });

  test("leaves two factors to the comparison itself", () => {
    expect(() => assertComparable(frameOf(), frameOf({ factor: "ecqdi" }))).not.toThrow();
  });

  test("takes a frame that cannot tell as it is", () => {
    const bare = frameOf().select("ticker", "ecpnd_score");
    expect(() => assertComparable(bare, release)).not.toThrow();
  });

  test("tells a release by its dates where its provenance was dropped", () => {
    const slice = pl.DataFrame({ date: ["2026-11-19"], ticker: ["A"], ecpnd_score: [0.5] });
    expect(() => assertComparable(frameOf(), slice)).toThrow("sets and a");
    const bare = frameOf().select("ticker", "ecpnd_score");
    expect(() => assertComparable(bare, slice)).toThrow(
      "got scores without a date and a release; mixed: true allows the comparison",
    );
    expect(() => assertComparable(slice, slice)).not.toThrow();
  });

  test("refuses rows that lost their provenance below others that have it", () => {
    const half = frameOf().withColumns(textColumn("snapshot_id", ["a", null, "a"]));
    const scored = half.withColumns(pl.lit(0.5).alias("ecpnd_score"));
    expect(() => assertComparable(scored, scored)).toThrow(
      "expected frames of one origin each, got 1 scored rows without the snapshot_id",
    );
    expect(() => assertOneVintage(scored)).toThrow(
      "expected a snapshot_id or download_sha256 in every scored row, got 1 row without one",
    );
    // Where a join found no score there is none whose origin could be asked for.
    const joined = half.withColumns(pl.Series("ecpnd_score", [0.5, null, 0.5], pl.Float64));
    expect(() => assertComparable(joined, joined)).not.toThrow();
  });

  test("takes the definition of a frame for one, although a join left rows without it", () => {
    const gaps = frameOf().withColumns(
      textColumn("factor_version", ["ecpnd-v1", null, "ecpnd-v1"]),
    );
    expect(() => assertComparable(gaps, frameOf())).not.toThrow();
  });

  test("refuses what is no frame", () => {
    expect(() => assertComparable(Promise.resolve(frameOf()) as never, frameOf())).toThrow(
      /^Cannot compare scores: .*a promise/,
    );
    expect(() => assertComparable(frameOf(), undefined as never)).toThrow("got nothing");
  });
});
