import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  PROVENANCE_COLUMNS,
  type ProvenanceOf,
} from "../../../../src/frames/frame/provenance/provenance_schema.ts";
import {
  provenanceColumns,
  provenanceRows,
  type ProvenanceValues,
} from "../../../../src/frames/frame/provenance/provenance_columns.ts";
import { shownType } from "../_dtype.ts";

const values = {
  factor: "ecpnd",
  factor_version: null,
  universe: null,
  snapshot_id: null,
  calculated_at: "2026-11-20T12:00:00.001Z",
  last_checked_at: null,
  data_through: null,
  status: null,
  prices_through: "2026-11-19",
  download_sha256: null,
  availability: null,
  source: null,
  retrieved_at: null,
};
const { status: _, ...without } = values;
// @ts-expect-error a column of score sets without a value, which `deno check` requires here
const _WITHOUT_STATUS: ProvenanceValues<ProvenanceOf<"scores">> = without;
const rows = pl.DataFrame([pl.Series("ticker", ["A", "B"], pl.Utf8)]);

describe.each([
  [
    "provenanceColumns()",
    (categorical: boolean) =>
      rows.withColumns(...provenanceColumns(PROVENANCE_COLUMNS, values, { categorical })),
  ],
  [
    "provenanceRows()",
    (categorical: boolean) =>
      rows.join(provenanceRows(PROVENANCE_COLUMNS, [values], { categorical }), { how: "cross" }),
  ],
])("%s", (_, make) => {
  test("gives every row the same values, with a type that a null has as well", () => {
    const frame = make(false);
    expect(frame.height).toBe(2);
    const shownColumns = ["factor", "calculated_at", "prices_through", "status", "data_through"];
    expect(frame.select(...shownColumns).rows()).toEqual(
      [1, 2].map(() => [
        "ecpnd",
        new Date("2026-11-20T12:00:00.001Z"),
        new Date("2026-11-19T00:00:00Z"),
        null,
        null,
      ]),
    );
    const shown = (name: string) => shownType(frame, name);
    const [text, instant] = ["str", "datetime[ms, UTC]"];
    expect(frame.columns.slice(1).map(shown)).toEqual([
      ...[text, text, text, text],
      ...[instant, instant, instant],
      ...[text, "date", text, text, text],
      instant,
    ]);
  });

  test("encodes text as a dictionary on request", () => {
    expect(shownType(make(true), "factor")).toBe("cat");
    expect(shownType(make(false), "factor")).toBe("str");
  });
});
