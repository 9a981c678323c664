import { describe, expect, test } from "vitest";
import { encodeRelease, parseRelease } from "../../../src/base/contract/release.ts";

const DIGEST = "0f343b0931126a20f133d67c2b018a3b8e9c5d1d2b1a4f3c6e7d8c9b0a1f2e3d";
const RELEASE = {
  factor: "ecpnd",
  factor_version: "ecpnd-v1",
  first_session: "2016-11-01",
  last_session: "2026-10-30",
  window_years: 10,
  window_start: "2016-11-01",
  window_end: "2026-10-31",
  sessions: 2514,
  tickers: 3000,
  rows: 7542000,
  scored_rows: 7000000,
  missing_rows: 542000,
  availability: "next session after the call",
  universe: "US research universe",
  download: "/v1/scores/history.csv.gz?factor=ecpnd&release=7",
  download_sha256: DIGEST,
  source_sha256: "ab".repeat(32),
};

describe("parseRelease()", () => {
  test("gives back what came, unknown fields included", () => {
    const wire = { ...RELEASE, built_by: "batch 7" };
    expect(encodeRelease(parseRelease(wire, "ecpnd"))).toEqual(wire);
  });

  test("takes a number for its text, because the document shows no JSON types", () => {
    const release = parseRelease({ ...RELEASE, rows: "7542000", window_years: "10" }, "ecpnd");
    expect(release.rows).toBe(7542000);
    expect(release.windowYears).toBe(10);
  });

  test("takes an absent or null field for unknown, but not the download and its checksum", () => {
    const release = parseRelease({
      download: RELEASE.download,
      download_sha256: DIGEST,
      rows: null,
    }, "ecpnd");
    expect(release.rows).toBeNull();
    expect(release.firstSession).toBeNull();
    expect(() => parseRelease({ ...RELEASE, download: undefined }, "ecpnd")).toThrow("$.download");
    expect(() => parseRelease({ ...RELEASE, download_sha256: "ab" }, "ecpnd"))
      .toThrow('$.download_sha256: expected 64 hexadecimal digits, got "ab"');
  });

  test.each([
    ["https://elsewhere.example/v1/scores/x"],
    ["//elsewhere.example/v1/scores/x"],
    ["/v2/scores/x"],
    ["v1/scores/x"],
    ["/v1/scores"],
    [""],
    ["/v1/scores/../../v2/x"],
    ["/v1/scores/%2e%2e/%2e%2e/x"],
    ["/v1/scores/..\\..\\x"],
  ])("refuses the download address %s", (download) => {
    expect(() => parseRelease({ ...RELEASE, download }, "ecpnd"))
      .toThrow(
        /\$\.download: expected (a relative URL under \/v1\/scores\/|text that is not empty)/,
      );
  });

  test.each([
    ["1e3"],
    ["0x10"],
    [" 5"],
    ["5 "],
    ["-1"],
    [-1],
    [1.5],
    [""],
    [9007199254740992],
    [true],
  ])("does not take %j for a count", (rows) => {
    expect(() => parseRelease({ ...RELEASE, rows }, "ecpnd"))
      .toThrow("$.rows: expected a whole number of at least 0, or its text");
  });

  test("takes a checksum in either case, as one, and no other number of digits", () => {
    const upper = parseRelease({ ...RELEASE, download_sha256: DIGEST.toUpperCase() }, "ecpnd");
    expect(upper.downloadSha256).toBe(DIGEST);
    for (const digest of [DIGEST.slice(1), `${DIGEST}0`, `g${DIGEST.slice(1)}`, ""]) {
      expect(() => parseRelease({ ...RELEASE, download_sha256: digest }, "ecpnd"))
        .toThrow("$.download_sha256: expected 64 hexadecimal digits");
    }
  });

  test("takes a date with the time of midnight, and no other time", () => {
    const release = parseRelease({ ...RELEASE, first_session: "2016-11-01T00:00:00Z" }, "ecpnd");
    expect(release.firstSession).toBe("2016-11-01");
    expect(() => parseRelease({ ...RELEASE, last_session: "2026-10-30T21:00:00Z" }, "ecpnd"))
      .toThrow(/\$\.last_session: .*"2026-10-30T21:00:00Z"/);
  });

  test.each([
    ["tickers", ["A", "NA"], "tickers"],
    ["sessions", { count: 2 }, "sessions"],
    ["first_session", ["2016-11-01"], "firstSession"],
    ["window_years", "10 years", "windowYears"],
    ["window_start", "November 2016", "windowStart"],
  ])("keeps a field %s that it cannot read as it came", (name, value, property) => {
    const wire = { ...RELEASE, [name]: value };
    const release = parseRelease(wire, "ecpnd");
    expect(release[property as "tickers"]).toBeNull();
    expect(release.extra).toEqual({ [name]: value });
    expect(encodeRelease(release)).toEqual(wire);
  });

  test("takes a description that is no text as its JSON", () => {
    const wire = { ...RELEASE, universe: { name: "US", size: 3000 }, source_sha256: ["a"] };
    const release = parseRelease(wire, "ecpnd");
    expect(release.universe).toBe('{"name":"US","size":3000}');
    expect(release.sourceSha256).toBe('["a"]');
    expect(release.extra).toEqual({});
  });

  test.each([["universe", 3000], ["availability", true], ["factor_version", 1]])(
    "refuses the description %s that is %j",
    (name, value) => {
      expect(() => parseRelease({ ...RELEASE, [name]: value }, "ecpnd"))
        .toThrow(`$.${name}: expected text, or an object that describes it, got ${value}`);
    },
  );

  test("refuses the other factor's release and malformed fields", () => {
    expect(() => parseRelease(RELEASE, "ecqdi")).toThrow('$.factor: expected "ecqdi", got "ecpnd"');
    expect(() => parseRelease({ ...RELEASE, rows: "many" }, "ecpnd"))
      .toThrow(/\$\.rows: .* a whole number .*"many"/);
    expect(() => parseRelease({ ...RELEASE, first_session: "2016-11-31" }, "ecpnd"))
      .toThrow("$.first_session: expected a date of the form YYYY-MM-DD");
  });
});
