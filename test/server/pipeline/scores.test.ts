import { describe, expect, test } from "vitest";
import { useServers, WAYS } from "../_harness.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const FIRST = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01";
const SECOND = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02";
const SECOND_ECQDI = "7d1e0b52-6c3f-4e2a-9b77-51c0a2f4e802";

describe.each(WAYS)("GET /v1/scores, %s", (way) => {
  const { start } = useServers();

  // @rule 1 server/catalogue/score_representations.ts: One row per ticker of the complete universe, without pagination
  // @rule 1 base/contract/factor.ts: The score field is ecpnd_score
  // @rule 1 server/catalogue/score_representations.ts: null means no eligible value; 0 is a score and stays 0
  // @rule 2.2 base/contract/scores/check.ts: factor names the factor
  // @rule 2.2 base/contract/scores/check.ts: score_name names the score field of the rows
  // @rule 2.2 base/contract/scores/check.ts: universe is the universe label
  // @rule 2.2 base/contract/scores/check.ts: factor_version is the calculation definition
  // @rule 2.2 base/contract/scores/check.ts: snapshot_id is the UUID of the set
  // @rule 2.2 base/contract/scores/check.ts: calculated_at is the publication time, with milliseconds
  // @rule 2.2 base/contract/scores/check.ts: last_checked_at is the completion time of the selected check
  // @rule 2.2 base/contract/scores/check.ts: data_through is the cutoff that the check examined
  // @rule 2.2 base/contract/scores/check.ts: status is one condition of section 3
  // @rule 2.2 base/contract/scores/check.ts: prices_through is a date YYYY-MM-DD
  // @rule 2.2 base/contract/scores/check.ts: coverage is an object
  // @rule 2.2 base/contract/scores/check.ts: scores is the array of rows
  // @rule 2.2 base/contract/scores/score_rows.ts: A row has exactly ticker and the score field
  // @rule 2.3 base/contract/scores/check.ts: coverage.tickers counts the rows of the complete set
  // @rule 4.3 base/contract/http/query.ts: factor is ecpnd or ecqdi, ecpnd if omitted
  // @rule 4.3 server/catalogue/catalogue_contents.ts: Without at and snapshot_id, the most recent completed check is selected
  // @rule 9 base/contract/scores/check.ts: factor_version identifies the calculation definition
  test("gives the latest set with every field of section 2.2", async () => {
    const { get } = await start(way);
    const response = await get("/v1/scores");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      factor: "ecpnd",
      score_name: "ecpnd_score",
      universe: "US research universe (synthetic)",
      factor_version: "ecpnd-v1",
      snapshot_id: SECOND,
      calculated_at: "2026-11-20T13:00:00.000Z",
      last_checked_at: "2026-11-20T15:00:00.000Z",
      data_through: "2026-11-20T14:55:00.000Z",
      status: "current",
      prices_through: "2026-11-19",
      coverage: {
        tickers: 8,
        price_tickers_current: 8,
        price_tickers_tracked: 8,
        pending_calls: 0,
        failed_calls: 0,
      },
      synthetic: true,
      scores: [
        { ticker: "0012", ecpnd_score: 0 },
        { ticker: "1E5", ecpnd_score: 0.125 },
        { ticker: "A", ecpnd_score: 0.3 },
        { ticker: "BF-B", ecpnd_score: 0.875 },
        { ticker: "BRK.B", ecpnd_score: 0.5 },
        { ticker: "NA", ecpnd_score: null },
        { ticker: "TRUE", ecpnd_score: 1 },
        { ticker: "ZZZZZZZZZZZZZZZZ", ecpnd_score: 0.375 },
      ],
    });
  });

  // @rule 1 base/contract/factor.ts: The score field is ecqdi_score
  // @rule 2.3 base/contract/scores/check.ts: scored_tickers is given for ecqdi only
  // @rule 2.3 base/contract/scores/check.ts: pending_factor_calls is given for ecqdi only
  test("selects ecqdi with the coverage counts that only ecqdi has", async () => {
    const { get } = await start(way);
    const set = await (await get("/v1/scores?factor=ecqdi")).json();
    expect(set.snapshot_id).toBe(SECOND_ECQDI);
    expect(set.score_name).toBe("ecqdi_score");
    expect(set.coverage).toEqual({
      tickers: 8,
      price_tickers_current: 8,
      price_tickers_tracked: 8,
      pending_calls: 0,
      failed_calls: 0,
      scored_tickers: 6,
      pending_factor_calls: 0,
    });
    expect(set.scores[0]).toEqual({ ticker: "0012", ecqdi_score: null });
  });

  // @rule 4.3 base/contract/http/query.ts: Omitting factor selects ecpnd even on an ecqdi account
  test("selects ecpnd without `factor`, even for an account licensed for ecqdi alone", async () => {
    const { get } = await start(way);
    const refused = await get("/v1/scores", { key: "svc_test_licensed_ecqdi" });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      error: "factor_subscription_required",
      factor: "ecpnd",
      retryable: false,
    });
    const given = await get("/v1/scores?factor=ecqdi", { key: "svc_test_licensed_ecqdi" });
    expect(given.status).toBe(200);
  });

  // @rule 2.4 base/contract/scores/score_csv.ts: The CSV header is ticker,ecpnd_score
  // @rule 2.4 base/contract/scores/score_csv.ts: One line per ticker, and no date column
  // @rule 2.4 base/contract/scores/score_csv.ts: A missing score is left empty
  // @rule 2.4 server/catalogue/score_representations.ts: CSV has an attachment filename
  // @rule 4.3 base/contract/http/query.ts: format is json or csv, json by default
  // @silent 4.3 server/catalogue/score_representations.ts: The CSV filename is <factor>_scores_<check time>.csv; the file is <factor>_history.csv.gz
  test("writes CSV with a header, a line per ticker and an empty field for a missing score", async () => {
    const { get } = await start(way);
    const response = await get("/v1/scores?format=csv");
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="ecpnd_scores_20261120T1500Z.csv"',
    );
    expect(await response.text()).toBe(
      "ticker,ecpnd_score\n0012,0\n1E5,0.125\nA,0.3\nBF-B,0.875\nBRK.B,0.5\nNA,\nTRUE,1\n" +
        "ZZZZZZZZZZZZZZZZ,0.375\n",
    );
  });

  // @rule 2.4 base/contract/scores/score_csv.ts: The CSV header is ticker,ecqdi_score
  test("names the ecqdi column in the header of an ecqdi CSV", async () => {
    const { get } = await start(way);
    const csv = await (await get("/v1/scores?factor=ecqdi&format=csv")).text();
    expect(csv.split("\n")[0]).toBe("ticker,ecqdi_score");
  });

  // @rule 4.3 server/pipeline/serve_scores.ts: Accept does not override format
  test("lets `format` alone choose the representation, whatever Accept says", async () => {
    const { get } = await start(way);
    const response = await get("/v1/scores", { headers: { Accept: "text/csv" } });
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  // @rule 2.4 server/catalogue/score_representations.ts: Only CSV score responses have an attachment filename
  test("sends Content-Disposition with CSV only", async () => {
    const { get } = await start(way);
    expect((await get("/v1/scores")).headers.get("content-disposition")).toBeNull();
  });

  // @rule 2.2 server/catalogue/score_representations.ts: A ticker filter does not change snapshot_id
  // @rule 2.3 server/catalogue/score_representations.ts: A ticker filter does not reduce coverage.tickers
  test("filters one ticker and keeps snapshot id and coverage of the full set", async () => {
    const { get } = await start(way);
    const set = await (await get("/v1/scores?ticker=BRK.B")).json();
    expect(set.scores).toEqual([{ ticker: "BRK.B", ecpnd_score: 0.5 }]);
    expect(set.snapshot_id).toBe(SECOND);
    expect(set.coverage.tickers).toBe(8);
    const csv = await (await get("/v1/scores?ticker=NA&format=csv")).text();
    expect(csv).toBe("ticker,ecpnd_score\nNA,\n");
  });

  // @rule 4.3 base/contract/identifier.ts: A ticker of 16 characters is accepted
  // @rule 4.3 server/catalogue/score_representations.ts: ticker returns only that row
  test.each([
    ["0012", 0],
    ["1E5", 0.125],
    ["NA", null],
    ["TRUE", 1],
    ["BF-B", 0.875],
    ["ZZZZZZZZZZZZZZZZ", 0.375],
  ])(
    "gives exactly the row of the ticker %s",
    async (ticker, score) => {
      const { get } = await start(way);
      const set = await (await get(`/v1/scores?ticker=${ticker}`)).json();
      expect(set.scores).toEqual([{ ticker, ecpnd_score: score }]);
      const csv = await (await get(`/v1/scores?ticker=${ticker}&format=csv`)).text();
      expect(csv).toBe(`ticker,ecpnd_score\n${ticker},${score ?? ""}\n`);
    },
  );

  // @rule 4.3 server/pipeline/serve_scores.ts: An unknown ticker is 404 ticker_not_found
  test("answers 404 ticker_not_found for a ticker outside the set", async () => {
    const { get } = await start(way);
    const response = await get("/v1/scores?ticker=NOPE");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: "ticker_not_found",
      retryable: false,
      details: { field: "ticker", rule: "must be in the selected factor's set" },
    });
  });

  // @rule 4.3 base/contract/http/header.ts: X-Factor-Name is sent
  // @rule 4.3 base/contract/http/header.ts: X-Factor-Status is sent
  // @rule 4.3 base/contract/http/header.ts: X-Factor-Snapshot is sent
  // @rule 4.3 base/contract/http/header.ts: X-Factor-Calculated-At is sent
  // @rule 4.3 base/contract/http/header.ts: X-Factor-Last-Checked-At is sent
  // @rule 4.3 base/contract/http/header.ts: X-Factor-Data-Through is sent
  // @rule 4.3 base/contract/http/header.ts: The aliases are sent for the selected factor only
  test("sends every X-Factor header and the selected factor's aliases alone", async () => {
    const { get } = await start(way);
    const { headers } = await get("/v1/scores?factor=ecqdi&at=2026-11-20T14:10:00Z");
    expect(headers.get("x-factor-name")).toBe("ecqdi");
    for (const prefix of ["x-factor", "x-ecqdi"]) {
      expect(headers.get(`${prefix}-status`)).toBe("call_source_delayed");
      expect(headers.get(`${prefix}-snapshot`)).toBe(SECOND_ECQDI);
      expect(headers.get(`${prefix}-calculated-at`)).toBe("2026-11-20T13:00:00.000Z");
      expect(headers.get(`${prefix}-last-checked-at`)).toBe("2026-11-20T14:00:00.000Z");
      expect(headers.get(`${prefix}-data-through`)).toBe("2026-11-20T13:55:00.000Z");
    }
    expect([...headers.keys()].filter((name) => name.startsWith("x-ecpnd"))).toEqual([]);
  });

  // @rule 1 server/catalogue/score_representations.ts: Each check carries its own check time, the set its publication time
  // @rule 4.3 server/catalogue/catalogue.ts: at selects the latest check completed at or before it
  test("selects with `at` the latest check completed at or before the instant", async () => {
    const { get } = await start(way);
    const cases = [
      ["2026-11-20T10:00:00Z", FIRST, "2026-11-20T10:00:00.000Z", "current"],
      ["2026-11-20T10:59:59.999Z", FIRST, "2026-11-20T10:00:00.000Z", "current"],
      ["2026-11-20T11:00:00Z", FIRST, "2026-11-20T11:00:00.000Z", "partial_market_data"],
      ["2026-11-20T12:30:00Z", FIRST, "2026-11-20T12:00:00.000Z", "call_updates_pending"],
      ["2026-11-20T13:00:00Z", SECOND, "2026-11-20T13:00:00.000Z", "current"],
      ["2026-11-20T14:59:59Z", SECOND, "2026-11-20T14:00:00.000Z", "call_source_delayed"],
      ["2026-11-20T15:00:00Z", SECOND, "2026-11-20T15:00:00.000Z", "current"],
    ];
    for (const [at, snapshotId, lastCheckedAt, status] of cases) {
      const set = await (await get(`/v1/scores?at=${at}`)).json();
      expect([set.snapshot_id, set.last_checked_at, set.status]).toEqual([
        snapshotId,
        lastCheckedAt,
        status,
      ]);
    }
  });

  // @rule 1 base/contract/instant.ts: Timestamps are UTC
  // @rule 4.3 base/contract/instant.ts: at is RFC 3339 with Z or an encoded offset
  test("takes `at` with a URL-encoded offset", async () => {
    const { get } = await start(way);
    const set = await (await get("/v1/scores?at=2026-11-20T07:30:00%2B05:30")).json();
    expect(set.error).toBe("score_snapshot_not_available");
    const later = await (await get("/v1/scores?at=2026-11-20T17:30:00%2B05:30")).json();
    expect(later.last_checked_at).toBe("2026-11-20T12:00:00.000Z");
  });

  // @rule 4.3 base/contract/http/query.ts: Any other at is 400 invalid_request
  test.each([
    ["without an offset", "2026-11-20T12:00:00"],
    ["with an unencoded plus", "2026-11-20T12:00:00+00:00"],
    ["with a blank for the T", "2026-11-20%2012:00:00Z"],
    ["on a day that does not exist", "2026-02-30T00:00:00Z"],
    ["as a date alone", "2026-11-20"],
    ["empty", ""],
  ])("refuses `at` %s with 400 invalid_request", async (_, at) => {
    const { get } = await start(way);
    const response = await get(`/v1/scores?at=${at}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "invalid_request", retryable: false });
  });

  // @rule 4.3 server/catalogue/catalogue_contents.ts: at must not be in the future: 400 future_observation_requested
  test("refuses a future `at` with 400 future_observation_requested", async () => {
    const { get } = await start(way);
    const response = await get("/v1/scores?at=2026-11-20T15:00:00.001Z");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: "future_observation_requested" });
  });

  // @rule 4.3 server/catalogue/catalogue_contents.ts: at before the first publication: 404 score_snapshot_not_available
  test("answers 404 for an `at` before the first publication", async () => {
    const { get } = await start(way);
    const response = await get("/v1/scores?at=2026-11-20T09:59:59Z");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: "score_snapshot_not_available" });
  });

  // @rule 2.2 server/catalogue/catalogue_contents.ts: With snapshot_id, last_checked_at is the original publication time
  // @rule 4.3 server/catalogue/catalogue_contents.ts: snapshot_id returns the saved set with its publication metadata
  // @rule 4.3 server/catalogue/catalogue.ts: No later checks are applied to it
  test("retrieves a set by its id with its original publication metadata", async () => {
    const { get } = await start(way);
    const set = await (await get(`/v1/scores?snapshot_id=${FIRST}`)).json();
    expect(set.snapshot_id).toBe(FIRST);
    expect(set.calculated_at).toBe("2026-11-20T10:00:00.000Z");
    expect(set.last_checked_at).toBe("2026-11-20T10:00:00.000Z");
    expect(set.status).toBe("current");
    expect(set.scores[3]).toEqual({ ticker: "BF-B", ecpnd_score: null });
  });

  // @silent 4.3 base/contract/http/query.ts: Snapshot ids are case-insensitive
  test("takes a snapshot id in upper case", async () => {
    const { get } = await start(way);
    const set = await (await get(`/v1/scores?snapshot_id=${FIRST.toUpperCase()}`)).json();
    expect(set.snapshot_id).toBe(FIRST);
  });

  test("gives at the very beginning of its history the first check, and nothing before", async () => {
    const { get } = await start(way);
    const first = await (await get("/v1/scores?at=2026-11-20T10:00:00Z")).json();
    expect(first.last_checked_at).toBe("2026-11-20T10:00:00.000Z");
    expect((await get("/v1/scores?at=2026-11-20T09:59:59.999Z")).status).toBe(404);
  });

  // @rule 4.3 server/catalogue/catalogue_contents.ts: A snapshot id belongs to one factor
  test("never gives one factor's set for the other factor", async () => {
    const { get } = await start(way);
    const response = await get(`/v1/scores?factor=ecqdi&snapshot_id=${FIRST}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: "score_snapshot_not_available" });
  });

  // @rule 4.3 server/catalogue/catalogue_contents.ts: An unknown snapshot id is 404 score_snapshot_not_available
  test("answers 404 for an unknown snapshot id and 400 for one that is no UUID", async () => {
    const { get } = await start(way);
    const unknown = await get("/v1/scores?snapshot_id=00000000-0000-4000-8000-000000000000");
    expect(unknown.status).toBe(404);
    expect((await unknown.json()).error).toBe("score_snapshot_not_available");
    const malformed = await get("/v1/scores?snapshot_id=latest");
    expect(malformed.status).toBe(400);
    expect((await malformed.json()).error).toBe("invalid_request");
  });

  // @silent 4.3 server/catalogue/catalogue_contents.ts: A set that is published later than the clock does not exist yet
  test("does not give a set that is published later than the clock", async () => {
    const { server, get } = await start(way);
    server.clock.set("2026-11-20T12:59:59Z");
    expect((await get(`/v1/scores?snapshot_id=${SECOND}`)).status).toBe(404);
    expect((await (await get("/v1/scores")).json()).snapshot_id).toBe(FIRST);
  });

  // @rule 4.3 base/contract/http/query.ts: at and snapshot_id exclude each other: 400 use_at_or_snapshot_id
  test("refuses both selectors with 400 use_at_or_snapshot_id", async () => {
    const { get } = await start(way);
    const response = await get(`/v1/scores?at=2026-11-20T12:00:00Z&snapshot_id=${FIRST}`);
    expect(response.status).toBe(400);
    expect((await response.json()).error).toBe("use_at_or_snapshot_id");
  });

  // @rule 1 base/contract/http/query.ts: Parameter values are case-sensitive
  // @rule 4.3 base/contract/http/query.ts: An unknown factor is 400 invalid_factor
  test("refuses a factor of another name or case with 400 invalid_factor", async () => {
    const { get } = await start(way);
    for (const factor of ["ECPND", "ecpnd ", "momentum", ""]) {
      const response = await get(`/v1/scores?factor=${encodeURIComponent(factor)}`);
      expect(response.status).toBe(400);
      expect((await response.json()).error).toBe("invalid_factor");
    }
  });

  // @rule 1 base/contract/http/query.ts: Parameter names are case-sensitive
  // @rule 1 base/contract/http/query.ts: Unknown query parameters are rejected
  // @rule 1 base/contract/http/query.ts: Repeated scalar parameters are rejected
  // @rule 4.3 base/contract/identifier.ts: ticker has at most 16 characters
  // @rule 4.3 base/contract/identifier.ts: ticker has upper case, digits, dots and hyphens only
  // @rule 4.3 base/contract/http/query.ts: Other malformed parameters are 400 invalid_request
  // @rule 7 server/pipeline/pipeline.ts: details name the field and the failed rule
  // @silent 7 server/pipeline/pipeline.ts: details is an object with field and rule
  test.each([
    ["an unknown parameter", "limit=10"],
    ["a parameter in another case", "Factor=ecpnd"],
    ["a repeated parameter", "factor=ecpnd&factor=ecpnd"],
    ["a key in the query", "api_key=svc_test_full_access_0001"],
    ["a ticker of 17 characters", "ticker=ZZZZZZZZZZZZZZZZZ"],
    ["a ticker in lower case", "ticker=brk.b"],
    ["a ticker with a slash", "ticker=BRK%2FB"],
    ["an empty ticker", "ticker="],
    ["an unknown format", "format=parquet"],
    ["a format in another case", "format=CSV"],
    ["broken percent-encoding", "ticker=%E0%A4%A"],
  ])("refuses %s with 400 invalid_request and names the field", async (_, query) => {
    const { get } = await start(way);
    const response = await get(`/v1/scores?${query}`);
    expect(response.status).toBe(400);
    const body = await response.json();
    expect(body).toMatchObject({ error: "invalid_request", retryable: false });
    expect(body.details).toHaveProperty("field");
    expect(body.details).toHaveProperty("rule");
    expect(body.request_id).toBe(response.headers.get("x-request-id"));
    expect(body.request_id).toMatch(UUID);
  });
});
