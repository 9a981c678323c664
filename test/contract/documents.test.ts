import { describe, expect, test } from "vitest";
import { encodeErrorBody, parseErrorBody } from "../../src/contract/error_body.ts";
import { encodeFactorList, parseFactorList } from "../../src/contract/factor_list.ts";
import { encodeRelease, parseRelease } from "../../src/contract/release.ts";
import { encodeScoreCsv, parseScoreCsv } from "../../src/contract/score_csv.ts";

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

test("a factor list comes back from parse and encode as it was", () => {
  const wire = {
    factors: [{
      factor: "ecqdi",
      score_name: "ecqdi_score",
      factor_version: "ecqdi-v1",
      scores: "/v1/scores?factor=ecqdi",
      history: "/v1/scores/history?factor=ecqdi",
      label: "kept",
    }],
  };
  expect(encodeFactorList(parseFactorList(wire))).toEqual(wire);
  expect(parseFactorList({ factors: [] })).toEqual([]);
});

test("parseFactorList() refuses a path that selects the other factor, and a factor that repeats", () => {
  const entry = {
    factor: "ecpnd",
    score_name: "ecpnd_score",
    factor_version: "ecpnd-v1",
    scores: "/v1/scores?factor=ecpnd",
    history: "/v1/scores/history?factor=ecpnd",
  };
  expect(() => parseFactorList({ factors: [{ ...entry, scores: "/v1/scores?factor=ecqdi" }] }))
    .toThrow("$.factors[0].scores: a relative path under /v1 with factor=ecpnd is required");
  expect(() => parseFactorList({ factors: [entry, entry] }))
    .toThrow("$.factors[1].factor: a factor that does not repeat is required");
});

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
      .toThrow('$.download_sha256: 64 hexadecimal digits is required, got "ab"');
  });

  test.each([
    ["https://elsewhere.example/v1/scores/x"],
    ["//elsewhere.example/v1/scores/x"],
    ["/v2/scores/x"],
    ["/v1/scores/../../v2/x"],
    ["/v1/scores/%2e%2e/%2e%2e/x"],
    ["/v1/scores/..\\..\\x"],
  ])("refuses the download address %s", (download) => {
    expect(() => parseRelease({ ...RELEASE, download }, "ecpnd"))
      .toThrow("$.download: a relative URL under /v1/scores/ is required");
  });

  test("refuses the other factor's release and malformed fields", () => {
    expect(() => parseRelease(RELEASE, "ecqdi")).toThrow(
      '$.factor: "ecqdi" is required, got "ecpnd"',
    );
    expect(() => parseRelease({ ...RELEASE, rows: "many" }, "ecpnd")).toThrow(
      "$.rows: a whole number",
    );
    expect(() => parseRelease({ ...RELEASE, first_session: "2016-11-31" }, "ecpnd"))
      .toThrow("$.first_session: a date of the form YYYY-MM-DD");
  });
});

test("an error object comes back from parse and encode as it was", () => {
  const wire = {
    error: "factor_subscription_required",
    message: "The account has no licence for ecqdi",
    request_id: "7b0c9d9e-3f55-4e0c-9a6e-0c0d6f3f1a11",
    retryable: false,
    factor: "ecqdi",
    details: { field: "factor" },
    hint: "kept",
  };
  expect(encodeErrorBody(parseErrorBody(wire))).toEqual(wire);
  expect(() => parseErrorBody("<html>")).toThrow("Cannot read $");
});

describe("score CSV", () => {
  const rows = { tickers: ["1E5", "A", "NA", "TRUE"], scores: [0, 0.1 + 0.2, null, 1e-7] };

  test("has the header of its factor, one line per ticker and an empty missing score", () => {
    expect(encodeScoreCsv(rows, "ecqdi"))
      .toBe("ticker,ecqdi_score\n1E5,0\nA,0.30000000000000004\nNA,\nTRUE,1e-7\n");
  });

  test("comes back from parse as it was, with either line end", () => {
    const csv = encodeScoreCsv(rows, "ecpnd");
    expect(parseScoreCsv(csv, "ecpnd")).toEqual(rows);
    expect(parseScoreCsv(csv.replaceAll("\n", "\r\n"), "ecpnd")).toEqual(rows);
  });

  test.each([
    [
      "the other factor's header",
      "ticker,ecqdi_score\nA,1\n",
      'line 1: "ticker,ecpnd_score" is required',
    ],
    ["nothing", "", "line 1"],
    [
      "a cut last line",
      "ticker,ecpnd_score\nA,0.1\nMSF",
      "line 3: a line end after the last row is required",
    ],
    ["a line without a comma", "ticker,ecpnd_score\nMSF\n", "line 2: a ticker and a score"],
    ["a third field", "ticker,ecpnd_score\nA,0.1,X\n", "line 2: a ticker and a score"],
    ["an empty line", "ticker,ecpnd_score\n\nA,0.1\n", "line 2: a ticker and a score"],
    ["a quoted ticker", 'ticker,ecpnd_score\n"A",0.1\n', "line 2: a ticker and a score"],
    ["NaN", "ticker,ecpnd_score\nA,NaN\n", "line 2: a number from 0 to 1, or nothing"],
    ["inf", "ticker,ecpnd_score\nA,inf\n", "line 2: a number"],
    ["a plus sign", "ticker,ecpnd_score\nA,+0.5\n", "line 2: a number"],
    ["a minus sign", "ticker,ecpnd_score\nA,-0\n", "line 2: a number"],
    ["a leading dot", "ticker,ecpnd_score\nA,.5\n", "line 2: a number"],
    ["a blank", "ticker,ecpnd_score\nA, 0.5\n", "line 2: a number"],
    ["hexadecimal", "ticker,ecpnd_score\nA,0x1\n", "line 2: a number"],
    ["more than 1", "ticker,ecpnd_score\nA,1.01\n", "line 2: a number"],
    [
      "a repeated ticker",
      "ticker,ecpnd_score\nA,1\nA,1\n",
      "line 3: a ticker that does not repeat",
    ],
    ["unsorted tickers", "ticker,ecpnd_score\nB,1\nA,1\n", 'line 3: a ticker after "B"'],
  ])("with %s is refused with its line", (_, csv, message) => {
    expect(() => parseScoreCsv(csv, "ecpnd")).toThrow(message);
  });
});
