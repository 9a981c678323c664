import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeScoresQuery,
  parseFactorsQuery,
  parseHistoryQuery,
  parseScoresQuery,
  type ScoresQuery,
} from "../../../../src/base/contract/http/query.ts";

const ID = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01";

test("parseScoresQuery() selects the latest ecpnd set as JSON when nothing is asked for", () => {
  expect(parseScoresQuery("").query).toEqual({
    factor: "ecpnd",
    view: { kind: "latest" },
    ticker: null,
    format: "json",
  });
});

test("parseScoresQuery() reads an instant with Z and with an encoded offset", () => {
  const at = { kind: "at", at: "2026-11-19T15:00:00.000Z" };
  expect(parseScoresQuery("?at=2026-11-19T15:00:00Z").query?.view).toEqual(at);
  expect(parseScoresQuery("?at=2026-11-19T16:00:00%2B01:00").query?.view).toEqual(at);
});

test("parseScoresQuery() takes tickers of up to 16 characters", () => {
  for (const ticker of ["E", "NA", "BRK.B", "BF-B", "-", "0012", "ABCDEFGHIJKLMNOP"]) {
    expect(parseScoresQuery(`?ticker=${ticker}`).query?.ticker).toBe(ticker);
  }
});

describe("parseScoresQuery() refuses", () => {
  test.each([
    ["an unknown factor", "factor=ecxyz", "invalid_factor", "factor"],
    ["a factor in capitals", "factor=ECPND", "invalid_factor", "factor"],
    ["an empty factor", "factor=", "invalid_factor", "factor"],
    ["an unknown parameter", "limit=5", "invalid_request", "limit"],
    ["a parameter in capitals", "Factor=ecpnd", "invalid_request", "Factor"],
    ["a repeated parameter", "factor=ecpnd&factor=ecpnd", "invalid_request", "factor"],
    ["a ticker of 17 characters", "ticker=ABCDEFGHIJKLMNOPQ", "invalid_request", "ticker"],
    ["a ticker in lower case", "ticker=brk.b", "invalid_request", "ticker"],
    ["an empty ticker", "ticker=", "invalid_request", "ticker"],
    ["a format in capitals", "format=CSV", "invalid_request", "format"],
    ["an instant without an offset", "at=2026-11-19T15:00:00", "invalid_request", "at"],
    [
      "an offset whose plus is not encoded",
      "at=2026-11-19T16:00:00+01:00",
      "invalid_request",
      "at",
    ],
    ["an id that is no UUID", "snapshot_id=latest", "invalid_request", "snapshot_id"],
    ["both selectors", `at=2026-11-19T15:00:00Z&snapshot_id=${ID}`, "use_at_or_snapshot_id", "at"],
    ["a second question mark", "?factor=ecpnd", "invalid_request", "?factor"],
    ["broken percent-encoding", "ticker=%zz", "invalid_request", "query"],
    ["bytes that are not UTF-8", "ticker=%ff", "invalid_request", "query"],
  ])("%s", (_, search, code, parameter) => {
    const { fault } = parseScoresQuery(`?${search}`);
    expect(fault?.code).toBe(code);
    expect(fault?.parameter).toBe(parameter);
  });
});

test("the history endpoints take a factor and nothing else, the factor list takes nothing", () => {
  expect(parseHistoryQuery("").query).toEqual({ factor: "ecpnd" });
  expect(parseHistoryQuery("?factor=ecqdi").query).toEqual({ factor: "ecqdi" });
  expect(parseHistoryQuery("?ticker=A").fault?.code).toBe("invalid_request");
  expect(parseHistoryQuery("?factor=x").fault?.code).toBe("invalid_factor");
  expect(parseFactorsQuery("").fault).toBeUndefined();
  expect(parseFactorsQuery("?factor=ecpnd").fault?.code).toBe("invalid_request");
});

test("encodeScoresQuery() always names the factor, also the default one", () => {
  const query: ScoresQuery = {
    factor: "ecpnd",
    view: { kind: "latest" },
    ticker: null,
    format: "json",
  };
  expect(encodeScoresQuery(query)).toBe("factor=ecpnd");
});

test("what encodeScoresQuery() writes, parseScoresQuery() reads", () => {
  const view = fc.oneof(
    fc.constant({ kind: "latest" } as const),
    fc.constant({ kind: "at", at: "2026-11-19T15:00:00.000Z" } as const),
    fc.uuid().map((snapshotId) => ({ kind: "snapshot", snapshotId }) as const),
  );
  const ticker = fc.option(fc.stringMatching(/^[A-Z0-9.\-]{1,16}$/));
  const factor = fc.constantFrom("ecpnd" as const, "ecqdi" as const);
  const format = fc.constantFrom("json" as const, "csv" as const);
  fc.assert(fc.property(fc.record({ factor, view, ticker, format }), (query) => {
    expect(parseScoresQuery(`?${encodeScoresQuery(query)}`).query).toEqual(query);
  }));
});

test("parseScoresQuery() answers any text with a query or a fault", () => {
  fc.assert(fc.property(fc.string(), (search) => {
    const { query, fault } = parseScoresQuery(search);
    expect(query === undefined).toBe(fault !== undefined);
  }));
});
