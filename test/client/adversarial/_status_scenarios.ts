import type { Tampering } from "./_scenario.ts";
import { at, csv, factors, history, latest, named, panel, set, unspent } from "./_scenario.ts";
import { fails, fault, once, page, status, transport } from "./_tampering.ts";

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
export const STATUS_SCENARIOS = named({
  "429 rate_limit_exceeded once, Retry-After 2": latest(
    status(429, { retryAfterSeconds: 2, ...once }),
    "truth",
    2,
  ),
  "429 rate_limit_exceeded always, Retry-After 2": latest(
    status(429, { retryAfterSeconds: 2 }),
    fails("WaitError", 429, "rate_limit_exceeded", "tried 3 times"),
    3,
  ),
  "429 with Retry-After longer than the client may wait": latest(
    status(429, { retryAfterSeconds: 3600 }),
    { error: "WaitError", status: 429, says: "the next attempt is allowed at 2026-11-20T16:0" },
  ),
  "429 daily_limit_exceeded, even with a short Retry-After": latest(
    status(429, { code: "daily_limit_exceeded", retryAfterSeconds: 5 }),
    fails("WaitError", 429, "daily_limit_exceeded"),
  ),
  "429 concurrent_request_limit once": at(
    status(429, { code: "concurrent_request_limit", ...once }),
    "truth",
    2,
  ),
  "429 without Retry-After once": latest(
    status(429, { retryAfterSeconds: 0, ...once }),
    "truth",
    2,
  ),
  "429 of an abuse protection that says it is not retryable": latest(
    status(429, { code: "abuse_protection" }),
    fails("WaitError", 429, "abuse_protection"),
  ),
  "429 with a Retry-After that is not a number, once": latest(refusingOnce("soon"), "truth", 2),
  "429 with a Retry-After that is a date, once": latest(
    refusingOnce("Fri, 20 Nov 2026 15:00:25 GMT"),
    "truth",
    2,
  ),
  "429 with a Retry-After of three thousand years": latest(
    status(429, { retryAfterSeconds: 99_999_999_999 }),
    fails("WaitError", 429),
    { requests: 1, recovers: false },
  ),
  "503 service_unavailable once": latest(status(503, once), "truth", 2),
  "503 request_timeout once": csv(status(503, { code: "request_timeout", ...once }), "truth", 3),
  "503 score_snapshot_preparing always, Retry-After 30": latest(
    status(503, { code: "score_snapshot_preparing", retryAfterSeconds: 30 }),
    fails("WaitError", 503, "score_snapshot_preparing"),
    3,
  ),
  "503 without Retry-After once": latest(
    status(503, { retryAfterSeconds: 0, ...once }),
    "truth",
    2,
  ),
  "503 in the middle of a panel": panel(status(503, { after: 1, ...once }), "truth", 3),
  "408 of a proxy, once": latest(page(408, once), "truth", 2),
  "500 internal_error": latest(
    status(500),
    fails("ApiError", 500, "internal_error", "request "),
  ),
  "401 unauthorized": latest(status(401), fails("AccessError", 401, "unauthorized", "svc_test_…"), {
    requests: 1,
    recovers: false,
  }),
  "403 factor_subscription_required": latest(
    status(403, { code: "factor_subscription_required", factor: "ecpnd" }),
    fails("AccessError", 403, "factor_subscription_required", "refused: ecpnd"),
  ),
  "403 subscription_required": factors(
    status(403, { code: "subscription_required" }),
    fails("AccessError", 403, "subscription_required"),
  ),
  "403 insufficient_scope": history(
    status(403, { code: "insufficient_scope" }),
    fails("AccessError", 403, "insufficient_scope"),
    unspent,
  ),
  "403 research_admin_only": factors(
    status(403, { code: "research_admin_only" }),
    fails("AccessError", 403, "research_admin_only"),
  ),
  "404 score_snapshot_not_available": set(
    status(404, { code: "score_snapshot_not_available" }),
    fails("NotFoundError", 404, "score_snapshot_not_available"),
  ),
  "400 invalid_request": latest(status(400), fails("ApiError", 400, "invalid_request")),
  "405 method_not_allowed": latest(status(405), fails("ApiError", 405, "method_not_allowed")),
  ...Object.fromEntries(
    [413, 414, 415, 431].map((
      code,
    ) => [`${code} of a transport limit`, latest(status(code), fails("ApiError", code), 1)]),
  ),
  "302 to another host": latest(
    status(302, { headers: { Location: "http://127.0.0.1:9/steal" } }),
    transport("the redirect 302, which is not followed"),
  ),
  "307 of the release file": history(
    status(307, { method: "HEAD", headers: { Location: "http://127.0.0.1:9/steal" } }),
    transport("the redirect 307"),
    { downloads: 0 },
  ),
  "206 partial content": latest(status(206), transport("expected status 200, got 206")),
  "a proxy's page with 502": latest(fault("proxy_page"), transport("502")),
  "a proxy's page with 200": latest(
    page(200),
    transport("expected a body of type application/json"),
  ),
  "a proxy's page with 200 in place of the CSV": csv(
    page(200, { contains: "format=csv" }),
    transport("expected a body of type text/csv"),
  ),
  "a proxy's page with 503 always": latest(
    page(503),
    fails("WaitError", 503, null, "perhaps from a proxy"),
    3,
  ),
  "a proxy's page with 403": latest(page(403), fails("AccessError", 403, null)),
  "a proxy's page with 401, which says nothing about the key": latest(
    page(401),
    fails("AccessError", 401, null),
  ),
  "a proxy's page with 404 in place of the metadata": history(
    page(404),
    fails("NotFoundError", 404, null),
    unspent,
  ),
});
