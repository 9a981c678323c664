import { describe, expect, test } from "vitest";
import { holdAfter, scopesOf } from "../../../../src/client/transport/allowance/hold.ts";
import { FACTORS, FILE } from "../_exchange.ts";

const scores = (factor: string | null) => ({
  ...FACTORS,
  endpoint: "scores" as const,
  path: factor === null ? "/v1/scores" : `/v1/scores?factor=${factor}&ticker=A`,
});
const head = { ...FILE, method: "HEAD" as const };
const AT = 1_795_186_810_000;
const after = (
  request: Parameters<typeof holdAfter>[0],
  status: number,
  code: string | null = null,
) => holdAfter(request, { status, code, retryAtMs: AT });
const holds = (hold: ReturnType<typeof holdAfter>, request: Parameters<typeof holdAfter>[0]) =>
  scopesOf(request).includes(hold!.scope);

describe("a Retry-After", () => {
  test("that was not sent holds nothing", () => {
    expect(holdAfter(FACTORS, { status: 503, code: "service_unavailable", retryAtMs: null }))
      .toBeNull();
  });

  test.each([
    [429, "rate_limit_exceeded"],
    [429, "daily_limit_exceeded"],
    [429, "concurrent_request_limit"],
    [429, null],
    [503, "service_unavailable"],
  ])("with %i %s holds the whole account", (status, code) => {
    const hold = after(scores("ecpnd"), status, code);
    expect(hold).toEqual({ scope: "*", status, code, untilMs: AT });
    for (const request of [FACTORS, scores("ecqdi"), head, FILE]) {
      expect(holds(hold, request)).toBe(true);
    }
  });

  test("with download_limit_exceeded holds file GETs of both factors, and no HEAD", () => {
    const hold = after(FILE, 429, "download_limit_exceeded");
    expect(holds(hold, FILE)).toBe(true);
    expect(holds(hold, { ...FILE, path: FILE.path.replace("ecpnd", "ecqdi") })).toBe(true);
    expect(holds(hold, head)).toBe(false);
    expect(holds(hold, scores("ecpnd"))).toBe(false);
  });

  test("with score_snapshot_preparing holds the scores of that factor, whatever the view", () => {
    const hold = after(scores("ecqdi"), 503, "score_snapshot_preparing");
    expect(holds(hold, scores("ecqdi"))).toBe(true);
    expect(holds(hold, scores("ecpnd"))).toBe(false);
    expect(holds(hold, FACTORS)).toBe(false);
    // A request without the parameter selects ecpnd (section 4.3).
    const plain = after(scores(null), 503, "score_snapshot_preparing");
    expect(holds(plain, scores("ecpnd"))).toBe(true);
  });

  test("with historical_export_preparing holds that endpoint of that factor", () => {
    const metadata = {
      ...FILE,
      endpoint: "history" as const,
      path: "/v1/scores/history?factor=ecpnd",
    };
    const hold = after(metadata, 503, "historical_export_preparing");
    expect(holds(hold, metadata)).toBe(true);
    expect(holds(hold, { ...metadata, path: "/v1/scores/history?factor=ecqdi" })).toBe(false);
    expect(holds(hold, FILE)).toBe(false);
  });

  test("with anything else holds its endpoint", () => {
    const hold = after(scores("ecpnd"), 503, "request_timeout");
    expect(holds(hold, scores("ecqdi"))).toBe(true);
    expect(holds(hold, FACTORS)).toBe(false);
  });
});
