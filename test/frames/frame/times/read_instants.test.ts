import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { readInstants } from "../../../../src/frames/frame/times/read_instants.ts";

const HOUR_MS = 3_600_000;
const read = (frame: DataFrame) => [...readInstants("read", frame.getColumn("at"))];
const frameOf = (texts: readonly (string | null)[], type: pl.DataType) =>
  pl.DataFrame([pl.Series("at", texts.map((text) => text === null ? null : new Date(text)), type)]);

describe("readInstants()", () => {
  test.each(["ms", "us", "ns"] as const)("reads a clock with a zone, in %s", (unit) => {
    const frame = frameOf(["2026-06-10T16:00:00Z", null], pl.Datetime(unit, "UTC"));
    expect(read(frame)).toEqual([Date.UTC(2026, 5, 10, 16), NaN]);
  });

  test("reads the same instants from Parquet files, in whatever zone they were written", async () => {
    const folder = await mkdtemp(join(tmpdir(), "scoreframe-zones-"));
    const written = frameOf(["2026-06-10T20:00:00Z"], pl.Datetime("us", "UTC"))
      .withColumns(pl.col("at").dt.convertTimeZone("America/New_York"));
    written.writeParquet(join(folder, "ny.parquet"));
    const again = pl.readParquet(join(folder, "ny.parquet"));
    expect(String(again.getColumn("at").dtype)).toContain("America/New_York");
    expect(read(again)).toEqual([Date.UTC(2026, 5, 10, 20)]);
    await rm(folder, { recursive: true });
  });

  test("refuses a clock without a zone; the lines of its message repair it", () => {
    const clock = frameOf(["2026-06-10T16:00:00Z", "2026-12-10T16:00:00Z"], pl.Datetime("us"));
    expect(() => read(clock)).toThrow(
      "Cannot read: expected instants with a time zone in the column at, got 2026-06-10T16:00:00 without one " +
        'in row 0; for New York time use frame.withColumns(pl.col("at").dt.replaceTimeZone("America/New_York"))' +
        ', and "UTC" for times from JavaScript Dates',
    );
    // Summer time is four hours behind UTC, winter time five.
    expect(read(clock.withColumns(pl.col("at").dt.replaceTimeZone("America/New_York")))).toEqual([
      Date.UTC(2026, 5, 10, 16) + 4 * HOUR_MS,
      Date.UTC(2026, 11, 10, 16) + 5 * HOUR_MS,
    ]);
    expect(read(clock.withColumns(pl.col("at").dt.replaceTimeZone("UTC")))[0])
      .toBe(Date.UTC(2026, 5, 10, 16));
    expect(() => read(pl.DataFrame({ at: [new Date("2026-06-10T16:00:00Z")] }))).toThrow(
      "got 2026-06-10T16:00:00 without one",
    );
  });

  test.each<[string, unknown[], pl.DataType, string]>([
    ["text without an offset", ["2026-06-10T16:00:00"], pl.Utf8, "add its offset, such as"],
    ["a date as text", ["2026-06-10"], pl.Utf8, 'got the text "2026-06-10" in row 0'],
    ["a date", [new Date("2026-06-10")], pl.Date, "got Date; a date is not an instant"],
    ["a number", [1.7e12], pl.Float64, 'pl.col("at").cast(pl.Datetime("ms", "UTC"))'],
  ])("refuses %s", (_what, values, type, message) => {
    expect(() => read(pl.DataFrame([pl.Series("at", values, type)]))).toThrow(message);
  });

  test("takes texts with Z or an offset, with a T or a blank", () => {
    const at = ["2026-06-10T20:00:00Z", "2026-06-10 16:00:00-04:00", null];
    expect(read(pl.DataFrame([pl.Series("at", at, pl.Utf8)])))
      .toEqual([Date.UTC(2026, 5, 10, 20), Date.UTC(2026, 5, 10, 20), NaN]);
  });

  test("refuses seconds that were taken for milliseconds", () => {
    const seconds = frameOf(["1970-01-21T14:11:00Z"], pl.Datetime("ms", "UTC"));
    expect(() => read(seconds)).toThrow(/from 1980 to 2200 .*"1970-01-21T14:11:00" in row 0/);
  });
});
