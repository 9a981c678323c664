import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { provenance, provenanceNames } from "../../../src/frames/vintage/provenance.ts";
import { shownType } from "../frame/_dtype.ts";
import { frameOf, textColumn } from "../frame/_score_frames.ts";

describe("provenance()", () => {
  test("gives the distinct origins of a concatenated frame, in order, with their rows", () => {
    const both = pl.concat([frameOf({ snapshotId: "b" }), frameOf().head(1)]);
    const origins = provenance(both).toRecords();
    expect(origins.map((origin) => [origin.snapshot_id, origin.row_count])).toEqual([
      ["b", 3],
      ["a", 1],
    ]);
    expect(origins[0]).toMatchObject({ factor: "ecpnd", status: "current", source: "live" });
  });

  test("gives one row for one origin and none for an empty frame", () => {
    expect(provenance(frameOf()).height).toBe(1);
    expect(provenance(frameOf().head(0)).height).toBe(0);
  });

  test("counts rows in whole numbers, of one origin and of several", () => {
    const both = pl.concat([frameOf({ snapshotId: "b" }), frameOf()]);
    const types = [frameOf(), both].map((frame) => shownType(provenance(frame), "row_count"));
    expect(types).toEqual(["i32", "i32"]);
  });

  test("reads what is left after a selection", () => {
    expect(provenance(frameOf().select("ticker", "snapshot_id")).columns).toEqual([
      "snapshot_id",
      "row_count",
    ]);
  });

  test("tells null from a value", () => {
    const frame = pl.DataFrame([
      textColumn("factor", ["ecpnd", "ecpnd"]),
      textColumn("universe", [null, "U"]),
    ]);
    expect(provenance(frame).rows()).toEqual([["ecpnd", null, 1], ["ecpnd", "U", 1]]);
  });

  test("reads a frame on which a column hides a property", () => {
    const frame = pl.DataFrame([textColumn("height", ["x"]), textColumn("factor", ["ecpnd"])]);
    expect(provenance(frame).rows()).toEqual([["ecpnd", 1]]);
  });

  test("counts the columns that a join brought in", () => {
    const joined = frameOf().join(frameOf({ snapshotId: "b" }), { on: "ticker", suffix: "_old" });
    const [origin] = provenance(joined).toRecords();
    expect(origin).toMatchObject({ snapshot_id: "a", snapshot_id_old: "b", row_count: 3 });
    expect(provenanceNames(joined).length).toBe(22);
  });

  test("refuses a frame without provenance columns, and what is no frame", () => {
    const foreign = pl.DataFrame([textColumn("ticker", ["x"])]);
    expect(() => provenance(foreign)).toThrow(
      /^Cannot find the origin of rows: expected one of .*, got ticker$/,
    );
    expect(() => provenance(pl.DataFrame({}))).toThrow("got none");
    const load = Promise.resolve(frameOf()) as never;
    expect(() => provenance(load)).toThrow("got a promise; await it first");
  });
});
