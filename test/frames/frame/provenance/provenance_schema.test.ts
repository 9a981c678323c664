import { RELEASE_COLUMNS, SCORE_SET_COLUMNS } from "../../../helpers/provenance_names.ts";
import { describe, expect, test } from "vitest";
import {
  chooseProvenance,
  RELEASE_PROVENANCE,
  SCORE_PROVENANCE,
} from "../../../../src/frames/frame/provenance/provenance_schema.ts";

describe("chooseProvenance()", () => {
  const names = (choice: Parameters<typeof chooseProvenance>[0]) =>
    chooseProvenance(choice, SCORE_PROVENANCE).map(({ name }) => name);

  test("takes all by default, none for false, and some in the order of frames", () => {
    expect(names(undefined)).toEqual(SCORE_PROVENANCE);
    expect(names(true)).toEqual(SCORE_PROVENANCE);
    expect(names(false)).toEqual([]);
    expect(names([])).toEqual([]);
    expect(names(["source", "factor"])).toEqual(["factor", "source"]);
  });

  test("refuses a column that such frames do not have, and lists those that they have", () => {
    expect(() => names(["download_sha256"])).toThrow(
      `column "download_sha256": expected one of ${SCORE_SET_COLUMNS.join(", ")}`,
    );
  });
});

test("a release has its checksum and its convention where a set has its check", () => {
  expect(RELEASE_PROVENANCE).toEqual(RELEASE_COLUMNS);
});
