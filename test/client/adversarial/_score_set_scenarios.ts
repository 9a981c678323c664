import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { at, csv, latest, named, set } from "./_scenario.ts";
import {
  contract,
  fails,
  fault,
  fields,
  integrity,
  json,
  replacing,
  rows,
  text,
  transport,
} from "./_tampering.ts";

/** A score set arrives whole and is wrong, odd or hostile. */
export const SCORE_SET_SCENARIOS = named({
  "a status that the document does not define": latest(fault("unknown_status"), "truth"),
  "a status that the document does not define, where current is required": latest(
    fault("unknown_status"),
    { error: "ScoreframeError", says: "got recalculating" },
    { requests: 1, options: { require: "current" } },
  ),
  "data older than the caller accepts": latest(null, {
    error: "ScoreframeError",
    says: "expected data no older than 1 min",
  }, { requests: 1, options: { maxAgeMs: 60_000 } }),
  "a known set with another number": latest(
    rows((row) => row.ticker === "A" ? { ...row, ecpnd_score: 0.31 } : row),
    integrity('row 2 is "A 0.3" in the store and "A 0.31" now'),
    {
      requests: 1,
      before: (api) => api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.second }),
    },
  ),
  "a known set with a missing score turned into 0": at(
    rows((row) => row.ticker === "BF-B" ? { ...row, ecpnd_score: 0 } : row),
    integrity('"BF-B null" in the store and "BF-B 0" now'),
    {
      requests: 1,
      before: (api) => api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.first }),
    },
  ),
  "the other factor's set": latest(
    fields({ factor: "ecqdi", score_name: "ecqdi_score" }),
    contract(),
  ),
  "a score_name that does not fit the factor": latest(
    fields({ score_name: "ecqdi_score" }),
    contract('expected $.score_name to be "ecpnd_score"'),
  ),
  "another set than the one that was asked for": set(
    fields({ snapshot_id: FIXTURE_SETS.ecpnd.second }),
    contract("expected $.snapshot_id to be"),
  ),
  "a check after the instant that was asked for": at(
    fields({ last_checked_at: "2026-11-20T13:00:00.000Z" }),
    contract("expected $.last_checked_at to be no later than 2026-11-20T12:30:00.000Z"),
  ),
  "a check before the publication of its set": latest(
    fields({ last_checked_at: "2026-11-20T12:00:00.000Z" }),
    contract("a time not before calculated_at"),
  ),
  "a check time that no calendar has": latest(
    fields({ data_through: "2026-02-30T00:00:00Z" }),
    contract("expected $.data_through to be"),
  ),
  "no coverage": latest(json(({ coverage: _, ...body }) => body), contract("$.coverage")),
  "a coverage of more tickers than rows": latest(
    json((body) => ({ ...body, coverage: { ...body.coverage, tickers: 3000 } })),
    contract("expected $.coverage.tickers to be the number of rows, 8, got 3000"),
  ),
  "a negative count": latest(
    json((body) => ({ ...body, coverage: { ...body.coverage, pending_calls: -1 } })),
    contract("a whole number of at least 0"),
  ),
  "a row with a third field": latest(
    rows((row) => ({ ...row, rank: 1 })),
    contract("exactly the fields ticker and ecpnd_score"),
  ),
  "a row without its score": latest(
    rows((row, i) => i === 3 ? { ticker: row.ticker } : row),
    contract("expected $.scores[3] to be"),
  ),
  "a score as text": latest(
    rows((row, i) => i === 4 ? { ...row, ecpnd_score: "0.5" } : row),
    contract('expected $.scores[4].ecpnd_score to be a number from 0 to 1, or null, got "0.5"'),
  ),
  "a score of 1e999": latest(
    replacing('"ecpnd_score":0.125', '"ecpnd_score":1e999'),
    contract("got Infinity"),
  ),
  "a score below 0": latest(
    rows((row, i) => i === 0 ? { ...row, ecpnd_score: -1e-9 } : row),
    contract("got -1e-9"),
  ),
  "a ticker that is a number": latest(
    rows((row) => row.ticker === "1E5" ? { ...row, ticker: 1e5 } : row),
    contract("got 100000"),
  ),
  "rows that are not an array": latest(
    fields({ scores: {} }),
    contract("expected $.scores to be an array of rows"),
  ),
  "no rows at all, and a coverage of 8": latest(
    fields({ scores: [] }),
    contract("the number of rows, 0, got 8"),
  ),
  "fields that the document does not define": latest(
    json((body) => ({ ...body, curve: "b", coverage: { ...body.coverage, late: 1 } })),
    "truth",
  ),
  "the key echoed in a field": latest(
    ({ status, headers, text, request }) =>
      new Response(
        JSON.stringify({ ...JSON.parse(text), echo: request.headers.get("authorization") }),
        { status, headers },
      ),
    integrity("expected a text without an API key"),
  ),
  "the key echoed where it breaks the contract": latest(
    ({ status, headers, text, request }) =>
      new Response(
        JSON.stringify({
          ...JSON.parse(text),
          calculated_at: request.headers.get("authorization"),
        }),
        { status, headers },
      ),
    contract("expected $.calculated_at to be"),
  ),
  "the key echoed in an error message": latest(
    ({ headers, request }) => {
      headers.set("Content-Type", "application/json");
      const message = `refused ${request.headers.get("authorization")}`;
      const body = { error: "invalid_request", message, request_id: "x", retryable: false };
      return new Response(JSON.stringify(body), { status: 400, headers });
    },
    fails("ApiError", 400),
  ),
  "a body that is not UTF-8": latest(
    text(() => new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])),
    contract("UTF-8"),
  ),
  "an empty body": latest(text(() => ""), contract("expected the body to be JSON")),
  "a body of null": latest(text(() => "null"), contract("expected $ to be an object, got null")),
  "half a body, with a length that fits it": latest(
    text((body) => body.slice(0, body.length / 2)),
    contract("expected the body to be JSON"),
  ),
  "a body beyond 64 MiB": latest(
    text(() => new Uint8Array(65 * 1024 * 1024)),
    transport("at most 67108864 bytes"),
  ),
  "a CSV with the other factor's header": csv(
    replacing("ecpnd_score\n", "ecqdi_score\n"),
    contract('expected line 1 to be "ticker,ecpnd_score"'),
  ),
  "a CSV with a score of NaN": csv(
    replacing("1E5,0.125", "1E5,NaN"),
    contract("line 3"),
  ),
  "a CSV with a third field": csv(
    replacing("1E5,0.125", "1E5,0.125,1"),
    contract("expected line 3 to be a ticker and a score"),
  ),
  "a CSV whose first row contradicts the JSON of the same check": csv(
    replacing("0012,0\n", "0012,1\n"),
    contract("as in the CSV answer"),
    2,
  ),
  "304 although no validator was sent": latest(
    ({ headers }) => new Response(null, { status: 304, headers }),
    contract("304 not modified although no validator was sent"),
  ),
  "304 of another set than the stored one, which is dropped with its validator": latest(
    ({ status, headers, text }) => {
      if (status !== 304) return new Response(text, { status, headers });
      headers.set("X-Factor-Snapshot", FIXTURE_SETS.ecpnd.first);
      return new Response(null, { status, headers });
    },
    "truth",
    {
      requests: 2,
      before: (api) => api.scores("ecpnd"),
      complaints: ["polled too often: 2 equal answers; checks are hourly"],
    },
  ),
});
