import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import type { Scenario } from "./_scenario.ts";
import { contract, header } from "./_tampering.ts";

/** The headers of an answer are missing, odd or wrong. */
export const HEADER_SCENARIOS: readonly Scenario[] = [
  {
    name: "no X-Factor-Snapshot header",
    load: "latest",
    faults: header("X-Factor-Snapshot", null),
    must: contract("expected X-Factor-Snapshot to be a value, got nothing"),
    requests: 1,
  },
  {
    name: "an X-Factor-Snapshot of another set than the body",
    load: "latest",
    faults: header("X-Factor-Snapshot", FIXTURE_SETS.ecpnd.first),
    must: contract("as in the body"),
    requests: 1,
  },
  {
    name: "an X-Factor-Status that contradicts the body",
    load: "latest",
    faults: header("X-Factor-Status", "stale"),
    must: contract('expected X-Factor-Status to be "current" as in the body, got "stale"'),
    requests: 1,
  },
  {
    name: "an X-Factor-Name of the other factor",
    load: "csv",
    faults: header("X-Factor-Name", "ecqdi"),
    must: contract('to be "ecpnd", got "ecqdi"'),
    requests: 1,
  },
  {
    name: "an X-Factor-Last-Checked-At without an offset",
    load: "latest",
    faults: header("X-Factor-Last-Checked-At", "2026-11-20T15:00:00"),
    must: contract("RFC 3339"),
    requests: 1,
  },
  {
    name: "a Content-Encoding on JSON",
    load: "latest",
    faults: header("Content-Encoding", "br"),
    must: { error: "TransportError", says: "a body without Content-Encoding" },
    requests: 1,
  },
  {
    name: "a Content-Encoding on the release file",
    load: "history",
    faults: [{
      kind: "headers",
      set: { "Content-Encoding": "gzip" },
      endpoint: "historyFile",
      method: "GET",
    }],
    must: { error: "TransportError", says: "a body without Content-Encoding" },
  },
  {
    name: "no Content-Type",
    load: "latest",
    faults: header("Content-Type", null),
    must: { error: "TransportError", says: "got no media type" },
    requests: 1,
  },
  {
    name: "JSON where CSV was asked for",
    load: "csv",
    faults: header("Content-Type", "application/json"),
    must: { error: "TransportError", says: "expected a body of type text/csv" },
    requests: 1,
  },
  { name: "no ETag", load: "latest", faults: header("ETag", null), must: "truth", requests: 1 },
  {
    name: "no request id",
    load: "latest",
    faults: header("X-Request-Id", null),
    must: "truth",
    requests: 1,
  },
  {
    name: "budget headers that are not numbers",
    load: "latest",
    faults: [{
      kind: "headers",
      set: { "X-RateLimit-Remaining": "many", "X-DailyLimit-Reset": "-1" },
    }],
    must: "truth",
    requests: 1,
  },
  {
    name: "a spent minute in the headers of a good answer: the next request waits for its end",
    load: "panel",
    faults: [{
      kind: "headers",
      set: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1795186860" },
      count: 1,
    }],
    must: "truth",
    requests: 2,
  },
  {
    name: "a spent day in the headers of a good answer: nothing more is sent",
    load: "panel",
    faults: [{ kind: "headers", set: { "X-DailyLimit-Remaining": "0" }, count: 1 }],
    must: {
      error: "WaitError",
      status: 429,
      code: "daily_limit_exceeded",
      says: "nothing was sent",
    },
    requests: 1,
    recovers: false,
  },
];
