import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import type { Scenario } from "./_scenario.ts";
import { contract, json, rows, text } from "./_tampering.ts";

/** A score set arrives whole and is wrong, odd or hostile. */
export const SCORE_SET_SCENARIOS: readonly Scenario[] = [
  {
    name: "a status that the document does not define",
    load: "latest",
    faults: [{ kind: "unknown_status" }],
    must: "truth",
    requests: 1,
  },
  {
    name: "a status that the document does not define, where current is required",
    load: "latest",
    faults: [{ kind: "unknown_status" }],
    options: { require: "current" },
    must: { error: "ScoreframeError", says: "got recalculating" },
    requests: 1,
  },
  {
    name: "data older than the caller accepts",
    load: "latest",
    options: { maxAgeMs: 60_000 },
    must: { error: "ScoreframeError", says: "expected data no older than 1 min" },
    requests: 1,
  },
  {
    name: "a known set with another number",
    load: "latest",
    before: (api) => api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.second }),
    tampering: rows((row) => row.ticker === "A" ? { ...row, ecpnd_score: 0.31 } : row),
    must: { error: "IntegrityError", says: 'row 2 is "A 0.3" in the store and "A 0.31" now' },
    requests: 1,
  },
  {
    name: "a known set with a missing score turned into 0",
    load: "at",
    before: (api) => api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.first }),
    tampering: rows((row) => row.ticker === "BF-B" ? { ...row, ecpnd_score: 0 } : row),
    must: { error: "IntegrityError", says: '"BF-B null" in the store and "BF-B 0" now' },
    requests: 1,
  },
  {
    name: "the other factor's set",
    load: "latest",
    tampering: json((body) => ({ ...body, factor: "ecqdi", score_name: "ecqdi_score" })),
    must: { error: "ContractError" },
    requests: 1,
  },
  {
    name: "a score_name that does not fit the factor",
    load: "latest",
    tampering: json((body) => ({ ...body, score_name: "ecqdi_score" })),
    must: contract('expected $.score_name to be "ecpnd_score"'),
    requests: 1,
  },
  {
    name: "another set than the one that was asked for",
    load: "set",
    tampering: json((body) => ({ ...body, snapshot_id: FIXTURE_SETS.ecpnd.second })),
    must: contract("expected $.snapshot_id to be"),
    requests: 1,
  },
  {
    name: "a check after the instant that was asked for",
    load: "at",
    tampering: json((body) => ({ ...body, last_checked_at: "2026-11-20T13:00:00.000Z" })),
    must: contract("expected $.last_checked_at to be no later than 2026-11-20T12:30:00.000Z"),
    requests: 1,
  },
  {
    name: "a check before the publication of its set",
    load: "latest",
    tampering: json((body) => ({ ...body, last_checked_at: "2026-11-20T12:00:00.000Z" })),
    must: contract("a time not before calculated_at"),
    requests: 1,
  },
  {
    name: "a check time that no calendar has",
    load: "latest",
    tampering: json((body) => ({ ...body, data_through: "2026-02-30T00:00:00Z" })),
    must: contract("expected $.data_through to be"),
    requests: 1,
  },
  {
    name: "no coverage",
    load: "latest",
    tampering: json(({ coverage: _, ...body }) => body),
    must: contract("$.coverage"),
    requests: 1,
  },
  {
    name: "a coverage of more tickers than rows",
    load: "latest",
    tampering: json((body) => ({ ...body, coverage: { ...body.coverage, tickers: 3000 } })),
    must: contract("expected $.coverage.tickers to be the number of rows, 8, got 3000"),
    requests: 1,
  },
  {
    name: "a negative count",
    load: "latest",
    tampering: json((body) => ({ ...body, coverage: { ...body.coverage, pending_calls: -1 } })),
    must: contract("a whole number of at least 0"),
    requests: 1,
  },
  {
    name: "a row with a third field",
    load: "latest",
    tampering: rows((row) => ({ ...row, rank: 1 })),
    must: contract("exactly the fields ticker and ecpnd_score"),
    requests: 1,
  },
  {
    name: "a row without its score",
    load: "latest",
    tampering: rows((row, i) => i === 3 ? { ticker: row.ticker } : row),
    must: contract("expected $.scores[3] to be"),
    requests: 1,
  },
  {
    name: "a score as text",
    load: "latest",
    tampering: rows((row, i) => i === 4 ? { ...row, ecpnd_score: "0.5" } : row),
    must: contract(
      'expected $.scores[4].ecpnd_score to be a number from 0 to 1, or null, got "0.5"',
    ),
    requests: 1,
  },
  {
    name: "a score of 1e999",
    load: "latest",
    tampering: text((body) => body.replace('"ecpnd_score":0.125', '"ecpnd_score":1e999')),
    must: contract("got Infinity"),
    requests: 1,
  },
  {
    name: "a score below 0",
    load: "latest",
    tampering: rows((row, i) => i === 0 ? { ...row, ecpnd_score: -1e-9 } : row),
    must: contract("got -1e-9"),
    requests: 1,
  },
  {
    name: "a ticker that is a number",
    load: "latest",
    tampering: rows((row) => row.ticker === "1E5" ? { ...row, ticker: 1e5 } : row),
    must: contract("got 100000"),
    requests: 1,
  },
  {
    name: "rows that are not an array",
    load: "latest",
    tampering: json((body) => ({ ...body, scores: {} })),
    must: contract("expected $.scores to be an array of rows"),
    requests: 1,
  },
  {
    name: "no rows at all, and a coverage of 8",
    load: "latest",
    tampering: json((body) => ({ ...body, scores: [] })),
    must: contract("the number of rows, 0, got 8"),
    requests: 1,
  },
  {
    name: "fields that the document does not define",
    load: "latest",
    tampering: json((body) => ({ ...body, curve: "b", coverage: { ...body.coverage, late: 1 } })),
    must: "truth",
    requests: 1,
  },
  {
    name: "the key echoed in a field",
    load: "latest",
    tampering: ({ status, headers, text, request }) =>
      new Response(
        JSON.stringify({ ...JSON.parse(text), echo: request.headers.get("authorization") }),
        { status, headers },
      ),
    must: { error: "IntegrityError", says: "expected a text without an API key" },
    requests: 1,
  },
  {
    name: "the key echoed where it breaks the contract",
    load: "latest",
    tampering: ({ status, headers, text, request }) =>
      new Response(
        JSON.stringify({
          ...JSON.parse(text),
          calculated_at: request.headers.get("authorization"),
        }),
        { status, headers },
      ),
    must: contract("expected $.calculated_at to be"),
    requests: 1,
  },
  {
    name: "the key echoed in an error message",
    load: "latest",
    tampering: ({ headers, request }) => {
      headers.set("Content-Type", "application/json");
      const message = `refused ${request.headers.get("authorization")}`;
      const body = { error: "invalid_request", message, request_id: "x", retryable: false };
      return new Response(JSON.stringify(body), { status: 400, headers });
    },
    must: { error: "ApiError", status: 400 },
    requests: 1,
  },
  {
    name: "a body that is not UTF-8",
    load: "latest",
    tampering: text(() => new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])),
    must: contract("UTF-8"),
    requests: 1,
  },
  {
    name: "an empty body",
    load: "latest",
    tampering: text(() => ""),
    must: contract("expected the body to be JSON"),
    requests: 1,
  },
  {
    name: "a body of null",
    load: "latest",
    tampering: text(() => "null"),
    must: contract("expected $ to be an object, got null"),
    requests: 1,
  },
  {
    name: "half a body, with a length that fits it",
    load: "latest",
    tampering: text((body) => body.slice(0, body.length / 2)),
    must: contract("expected the body to be JSON"),
    requests: 1,
  },
  {
    name: "a body beyond 64 MiB",
    load: "latest",
    tampering: text(() => new Uint8Array(65 * 1024 * 1024)),
    must: { error: "TransportError", says: "at most 67108864 bytes" },
    requests: 1,
  },
  {
    name: "a CSV with the other factor's header",
    load: "csv",
    tampering: text((body) => body.replace("ecpnd_score\n", "ecqdi_score\n")),
    must: contract('expected line 1 to be "ticker,ecpnd_score"'),
    requests: 1,
  },
  {
    name: "a CSV with a score of NaN",
    load: "csv",
    tampering: text((body) => body.replace("1E5,0.125", "1E5,NaN")),
    must: contract("line 3"),
    requests: 1,
  },
  {
    name: "a CSV with a third field",
    load: "csv",
    tampering: text((body) => body.replace("1E5,0.125", "1E5,0.125,1")),
    must: contract("expected line 3 to be a ticker and a score"),
    requests: 1,
  },
  {
    name: "a CSV whose first row contradicts the JSON of the same check",
    load: "csv",
    tampering: text((body) => body.replace("0012,0\n", "0012,1\n")),
    must: contract("as in the CSV answer"),
    requests: 2,
  },
  {
    name: "304 although no validator was sent",
    load: "latest",
    tampering: ({ headers }) => new Response(null, { status: 304, headers }),
    must: contract("304 not modified although no validator was sent"),
    requests: 1,
  },
  {
    name: "304 of another set than the stored one, which is dropped with its validator",
    load: "latest",
    before: (api) => api.scores("ecpnd"),
    tampering: ({ status, headers, text }) => {
      if (status !== 304) return new Response(text, { status, headers });
      headers.set("X-Factor-Snapshot", FIXTURE_SETS.ecpnd.first);
      return new Response(null, { status, headers });
    },
    must: "truth",
    requests: 2,
    complaints: ["polled too often: 2 equal answers; checks are hourly"],
  },
];
