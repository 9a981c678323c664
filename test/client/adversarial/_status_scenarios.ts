import type { Scenario, Tampering } from "./_scenario.ts";

const once = { count: 1 } as const;

/** A rate limit for the first request, with a `Retry-After` of any form. */
function refusingOnce(retryAfter: string): Tampering {
  return ({ status, headers, text, earlier }) => {
    if (earlier > 0) return new Response(text, { status, headers });
    headers.set("Retry-After", retryAfter);
    const body = { error: "rate_limit_exceeded", message: "", request_id: "x", retryable: true };
    return new Response(JSON.stringify(body), { status: 429, headers });
  };
}

/** Refusals by the service, once or always. */
export const STATUS_SCENARIOS: readonly Scenario[] = [
  {
    name: "429 rate_limit_exceeded once, Retry-After 2",
    load: "latest",
    faults: [{ kind: "status", status: 429, retryAfterSeconds: 2, ...once }],
    must: "truth",
    requests: 2,
  },
  {
    name: "429 rate_limit_exceeded always, Retry-After 2",
    load: "latest",
    faults: [{ kind: "status", status: 429, retryAfterSeconds: 2 }],
    must: { error: "WaitError", status: 429, code: "rate_limit_exceeded", says: "tried 3 times" },
    requests: 3,
  },
  {
    name: "429 with Retry-After longer than the client may wait",
    load: "latest",
    faults: [{ kind: "status", status: 429, retryAfterSeconds: 3600 }],
    must: {
      error: "WaitError",
      status: 429,
      says: "the next attempt is allowed at 2026-11-20T16:0",
    },
    requests: 1,
  },
  {
    name: "429 daily_limit_exceeded, even with a short Retry-After",
    load: "latest",
    faults: [{ kind: "status", status: 429, code: "daily_limit_exceeded", retryAfterSeconds: 5 }],
    must: { error: "WaitError", status: 429, code: "daily_limit_exceeded" },
    requests: 1,
  },
  {
    name: "429 concurrent_request_limit once",
    load: "at",
    faults: [{ kind: "status", status: 429, code: "concurrent_request_limit", ...once }],
    must: "truth",
    requests: 2,
  },
  {
    name: "429 without Retry-After once",
    load: "latest",
    faults: [{ kind: "status", status: 429, retryAfterSeconds: 0, ...once }],
    must: "truth",
    requests: 2,
  },
  {
    name: "429 of an abuse protection that says it is not retryable",
    load: "latest",
    faults: [{ kind: "status", status: 429, code: "abuse_protection" }],
    must: { error: "WaitError", status: 429, code: "abuse_protection" },
    requests: 1,
  },
  {
    name: "429 with a Retry-After that is not a number, once",
    load: "latest",
    tampering: refusingOnce("soon"),
    must: "truth",
    requests: 2,
  },
  {
    name: "429 with a Retry-After that is a date, once",
    load: "latest",
    tampering: refusingOnce("Fri, 20 Nov 2026 15:00:25 GMT"),
    must: "truth",
    requests: 2,
  },
  {
    name: "429 with a Retry-After of three thousand years",
    load: "latest",
    faults: [{ kind: "status", status: 429, retryAfterSeconds: 99_999_999_999 }],
    must: { error: "WaitError", status: 429 },
    requests: 1,
    recovers: false,
  },
  {
    name: "503 service_unavailable once",
    load: "latest",
    faults: [{ kind: "status", status: 503, ...once }],
    must: "truth",
    requests: 2,
  },
  {
    name: "503 request_timeout once",
    load: "csv",
    faults: [{ kind: "status", status: 503, code: "request_timeout", ...once }],
    must: "truth",
    requests: 3,
  },
  {
    name: "503 score_snapshot_preparing always, Retry-After 30",
    load: "latest",
    faults: [
      { kind: "status", status: 503, code: "score_snapshot_preparing", retryAfterSeconds: 30 },
    ],
    must: { error: "WaitError", status: 503, code: "score_snapshot_preparing" },
    requests: 3,
  },
  {
    name: "503 without Retry-After once",
    load: "latest",
    faults: [{ kind: "status", status: 503, retryAfterSeconds: 0, ...once }],
    must: "truth",
    requests: 2,
  },
  {
    name: "503 in the middle of a panel",
    load: "panel",
    faults: [{ kind: "status", status: 503, after: 1, ...once }],
    must: "truth",
    requests: 3,
  },
  {
    name: "408 of a proxy, once",
    load: "latest",
    faults: [{ kind: "proxy_page", status: 408, ...once }],
    must: "truth",
    requests: 2,
  },
  {
    name: "500 internal_error",
    load: "latest",
    faults: [{ kind: "status", status: 500 }],
    must: { error: "ApiError", status: 500, code: "internal_error", says: "request " },
    requests: 1,
  },
  {
    name: "401 unauthorized",
    load: "latest",
    faults: [{ kind: "status", status: 401 }],
    must: { error: "AccessError", status: 401, code: "unauthorized", says: "svc_test_…" },
    requests: 1,
    recovers: false,
  },
  {
    name: "403 factor_subscription_required",
    load: "latest",
    faults: [{
      kind: "status",
      status: 403,
      code: "factor_subscription_required",
      factor: "ecpnd",
    }],
    must: {
      error: "AccessError",
      status: 403,
      code: "factor_subscription_required",
      says: "refused: ecpnd",
    },
    requests: 1,
  },
  {
    name: "403 subscription_required",
    load: "factors",
    faults: [{ kind: "status", status: 403, code: "subscription_required" }],
    must: { error: "AccessError", status: 403, code: "subscription_required" },
    requests: 1,
  },
  {
    name: "403 insufficient_scope",
    load: "history",
    faults: [{ kind: "status", status: 403, code: "insufficient_scope" }],
    must: { error: "AccessError", status: 403, code: "insufficient_scope" },
    requests: 1,
    downloads: 0,
  },
  {
    name: "403 research_admin_only",
    load: "factors",
    faults: [{ kind: "status", status: 403, code: "research_admin_only" }],
    must: { error: "AccessError", status: 403, code: "research_admin_only" },
    requests: 1,
  },
  {
    name: "404 score_snapshot_not_available",
    load: "set",
    faults: [{ kind: "status", status: 404, code: "score_snapshot_not_available" }],
    must: { error: "NotFoundError", status: 404, code: "score_snapshot_not_available" },
    requests: 1,
  },
  {
    name: "400 invalid_request",
    load: "latest",
    faults: [{ kind: "status", status: 400 }],
    must: { error: "ApiError", status: 400, code: "invalid_request" },
    requests: 1,
  },
  {
    name: "405 method_not_allowed",
    load: "latest",
    faults: [{ kind: "status", status: 405 }],
    must: { error: "ApiError", status: 405, code: "method_not_allowed" },
    requests: 1,
  },
  ...[413, 414, 415, 431].map((status): Scenario => ({
    name: `${status} of a transport limit`,
    load: "latest",
    faults: [{ kind: "status", status }],
    must: { error: "ApiError", status },
    requests: 1,
  })),
  {
    name: "302 to another host",
    load: "latest",
    faults: [{ kind: "status", status: 302, headers: { Location: "http://127.0.0.1:9/steal" } }],
    must: { error: "TransportError", says: "the redirect 302, which is not followed" },
    requests: 1,
  },
  {
    name: "307 of the release file",
    load: "history",
    faults: [{
      kind: "status",
      status: 307,
      method: "HEAD",
      headers: { Location: "http://127.0.0.1:9/steal" },
    }],
    must: { error: "TransportError", says: "the redirect 307" },
    downloads: 0,
  },
  {
    name: "206 partial content",
    load: "latest",
    faults: [{ kind: "status", status: 206 }],
    must: { error: "TransportError", says: "expected status 200, got 206" },
    requests: 1,
  },
  {
    name: "a proxy's page with 502",
    load: "latest",
    faults: [{ kind: "proxy_page" }],
    must: { error: "TransportError", says: "502" },
    requests: 1,
  },
  {
    name: "a proxy's page with 200",
    load: "latest",
    faults: [{ kind: "proxy_page", status: 200 }],
    must: { error: "TransportError", says: "expected a body of type application/json" },
    requests: 1,
  },
  {
    name: "a proxy's page with 200 in place of the CSV",
    load: "csv",
    faults: [{ kind: "proxy_page", status: 200, contains: "format=csv" }],
    must: { error: "TransportError", says: "expected a body of type text/csv" },
    requests: 1,
  },
  {
    name: "a proxy's page with 503 always",
    load: "latest",
    faults: [{ kind: "proxy_page", status: 503 }],
    must: { error: "WaitError", status: 503, code: null, says: "perhaps from a proxy" },
    requests: 3,
  },
  {
    name: "a proxy's page with 403",
    load: "latest",
    faults: [{ kind: "proxy_page", status: 403 }],
    must: { error: "AccessError", status: 403, code: null },
    requests: 1,
  },
  {
    name: "a proxy's page with 401, which says nothing about the key",
    load: "latest",
    faults: [{ kind: "proxy_page", status: 401 }],
    must: { error: "AccessError", status: 401, code: null },
    requests: 1,
  },
  {
    name: "a proxy's page with 404 in place of the metadata",
    load: "history",
    faults: [{ kind: "proxy_page", status: 404 }],
    must: { error: "NotFoundError", status: 404, code: null },
    requests: 1,
    downloads: 0,
  },
];
