import { describe, expect, test } from "vitest";
import { createScoreServer } from "../../../src/server/mod.ts";
import { KEY, useServers, WAYS } from "../_harness.ts";

describe.each(WAYS)("keys and licences (section 5), %s", (way) => {
  const { start } = useServers();

  // @rule 4 server/account/authenticate.ts: Every endpoint needs a Bearer key
  // @rule 4.1 server/account/authenticate.ts: WWW-Authenticate is sent on 401
  // @rule 5.1 server/account/authenticate.ts: Authorization: Bearer <API_KEY> is required
  // @rule 5.3 server/account/authenticate.ts: Sessions and identity-provider tokens are not accepted as keys
  // @rule 5.6 server/account/authenticate.ts: Missing, invalid, expired or revoked: 401 with a challenge
  test.each([
    ["a missing key", null, {}],
    ["an unknown key", "svc_test_nobody_has_this", {}],
    ["a revoked key", "svc_test_revoked_00003", {}],
    ["a key of the other environment", "svc_live_production_08", {}],
    ["a key that does not begin with svc_live_ or svc_test_", "sk_full_access_0001", {}],
    ["an identity-provider token", "eyJhbGciOiJIUzI1NiJ9.e30.c2ln", {}],
    ["a website session", null, { Cookie: "session=svc_test_full_access_0001" }],
    ["Basic credentials", null, { Authorization: "Basic c3ZjX3Rlc3Q6eA==" }],
    ["a key without the Bearer scheme", null, { Authorization: "svc_test_full_access_0001" }],
    ["an empty Bearer", null, { Authorization: "Bearer " }],
  ])("answers 401 unauthorized with a Bearer challenge to %s", async (_, key, headers) => {
    const { get } = await start(way);
    const response = await get("/v1/factors", { key, headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer /);
    expect(await response.json()).toMatchObject({ error: "unauthorized", retryable: false });
  });

  // @silent 5.8 server/account/authenticate.ts: The protective limits of account management are not imitated: this server has none
  test("gives the same answer for every key that does not work", async () => {
    const { get } = await start(way);
    const messages = [];
    for (const key of ["svc_test_nobody_has_this", "svc_test_revoked_00003"]) {
      messages.push((await (await get("/v1/factors", { key })).json()).message);
    }
    expect(messages[0]).toBe(messages[1]);
  });

  // @rule 5.3 server/account/authenticate.ts: Credentials in the query are not accepted
  test("takes no key from the query string", async () => {
    const { get } = await start(way);
    const response = await get(`/v1/factors?api_key=${KEY}`, { key: null });
    expect(response.status).toBe(401);
  });

  // @rule 5.6 server/account/authenticate.ts: An expired key stops at its instant
  test("accepts a key until the instant at which it expires", async () => {
    const { server, get } = await start(way);
    const key = "svc_test_expiring_0004";
    server.clock.set("2026-11-20T15:29:59.999Z");
    expect((await get("/v1/factors", { key })).status).toBe(200);
    server.clock.set("2026-11-20T15:30:00Z");
    expect((await get("/v1/factors", { key })).status).toBe(401);
  });

  // @rule 5.4 server/account/accounts.ts: A key is stored as a hash
  test("accepts a key that the accounts give by its SHA-256 alone", async () => {
    const { get } = await start(way);
    expect((await get("/v1/factors", { key: "svc_test_known_by_hash" })).status).toBe(200);
  });

  // @silent 5 server/account/authenticate.ts: The scheme Bearer is case-insensitive, as in RFC 9110
  test("reads the scheme in any case, as HTTP says", async () => {
    const { get } = await start(way);
    const headers = { Authorization: `bearer ${KEY}` };
    expect((await get("/v1/factors", { key: null, headers })).status).toBe(200);
  });

  // @rule 5.2 base/contract/key.ts: Production keys begin with svc_live_, sandbox keys with svc_test_
  // @rule 5.2 server/account/authenticate.ts: A key works only with the environment that issued it
  test("works with svc_live_ keys in production, and with no other there", async () => {
    const { get } = await start(way, { environment: "production" });
    expect((await get("/v1/factors", { key: "svc_live_production_08" })).status).toBe(200);
    expect((await get("/v1/factors", { key: KEY })).status).toBe(401);
  });

  // @rule 1 server/account/accounts.ts: Factors are licensed separately per account
  // @rule 5.5 server/pipeline/pipeline.ts: An unlicensed factor: 403 factor_subscription_required
  // @rule 7 server/message/refusal.ts: factor is present on factor_subscription_required
  test("refuses a factor that is not licensed with 403 and names it", async () => {
    const { get } = await start(way);
    for (const path of ["/v1/scores", "/v1/scores/history", "/v1/scores/history.csv.gz"]) {
      const response = await get(`${path}?factor=ecqdi`, { key: "svc_test_licensed_ecpnd" });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        error: "factor_subscription_required",
        factor: "ecqdi",
        retryable: false,
      });
    }
  });

  test("refuses a faulty query before it asks for the licence of the factor that is meant without a name", async () => {
    const { get } = await start(way);
    const key = "svc_test_licensed_ecqdi";
    for (const path of ["/v1/scores", "/v1/scores/history", "/v1/scores/history.csv.gz"]) {
      expect((await get(`${path}?x=1`, { key })).status).toBe(400);
      const response = await get(path, { key });
      expect([response.status, (await response.json()).factor]).toEqual([403, "ecpnd"]);
    }
  });

  // @rule 4.3 server/pipeline/pipeline.ts: A subscription is required for saved sets, too
  test("requires the licence for a saved set as well", async () => {
    const { get } = await start(way);
    const id = "7d1e0b52-6c3f-4e2a-9b77-51c0a2f4e801";
    const key = "svc_test_licensed_ecpnd";
    const response = await get(`/v1/scores?factor=ecqdi&snapshot_id=${id}`, { key });
    expect(response.status).toBe(403);
  });

  // @rule 4.2 server/account/authenticate.ts: 403 subscription_required without an active subscription
  // @rule 5.5 server/account/authenticate.ts: No subscription at all: 403 subscription_required
  test("answers 403 subscription_required to an account without any subscription", async () => {
    const { get } = await start(way);
    for (const path of ["/v1/factors", "/v1/scores", "/v1/scores/history"]) {
      const response = await get(path, { key: "svc_test_no_subscription" });
      expect(response.status).toBe(403);
      expect((await response.json()).error).toBe("subscription_required");
    }
  });

  // @rule 5.5 server/account/accounts.ts: A key inherits the account's active subscriptions
  test("licenses a factor inside its access period only", async () => {
    const { server, get } = await start(way);
    const key = "svc_test_access_period";
    const statusAt = async (instant: string) => {
      server.clock.set(instant);
      return (await get("/v1/scores", { key })).status;
    };
    expect(await statusAt("2026-11-20T13:59:59.999Z")).toBe(403);
    expect(await statusAt("2026-11-20T14:00:00Z")).toBe(200);
    expect(await statusAt("2026-11-20T15:59:59.999Z")).toBe(200);
    expect(await statusAt("2026-11-20T16:00:00Z")).toBe(403);
  });

  // @rule 5.5 server/account/authenticate.ts: A key that may not use an endpoint: 403 insufficient_scope
  test.each([
    ["factors", "svc_test_only_factors_5", [200, 403, 403, 403]],
    ["scores", "svc_test_only_scores_06", [403, 200, 403, 403]],
    ["history", "svc_test_only_history_7", [403, 403, 200, 200]],
  ])("lets a key with the scope %s use that and nothing else", async (_, key, statuses) => {
    const { get } = await start(way);
    const paths = ["/v1/factors", "/v1/scores", "/v1/scores/history", "/v1/scores/history.csv.gz"];
    const answers = [];
    for (const path of paths) {
      const response = await get(path, { key });
      const body = response.status === 403 ? await response.json() : await response.arrayBuffer();
      if (response.status === 403) expect(body.error).toBe("insufficient_scope");
      answers.push(response.status);
    }
    expect(answers).toEqual(statuses);
  });

  // @rule 5.4 server/account/accounts.ts: Up to 10 active keys per account
  // @rule 5.4 server/account/accounts.ts: Revoked and expired keys do not count
  test("serves 10 active keys of an account, and neither a revoked nor an expired one beside them", async () => {
    const active = Array.from({ length: 10 }, (_, i) => `svc_test_many_keys_${i}`);
    const retired = [
      { key: "svc_test_gone_1", revoked: true },
      { key: "svc_test_gone_2", expiresAt: "2026-11-20T15:00:00Z" },
    ];
    const keys = [...active.map((key) => ({ key })), ...retired];
    const { get } = await start(way, {
      accounts: [{ id: "a", factors: ["ecpnd"], keys }],
      clock: { at: "2026-11-20T15:00:00Z" },
    });
    for (const key of active) expect((await get("/v1/factors", { key })).status).toBe(200);
    for (const { key } of retired) expect((await get("/v1/factors", { key })).status).toBe(401);
    const tooMany = [{ id: "a", factors: [], keys: [...keys, { key: "svc_test_eleventh" }] }];
    await expect(start(way, { accounts: tooMany })).rejects.toThrow(
      'Cannot add the account "a": expected at most 10 active keys, got 11; revoke some',
    );
  });

  test("never sends the key back", async () => {
    const { get } = await start(way);
    const paths = ["/v1/scores?ticker=nope", "/v1/none", "/v1/factors", `/v1/factors?${KEY}=1`];
    for (const path of paths) {
      const response = await get(path);
      const all = JSON.stringify([...response.headers]) + await response.text();
      expect(all).not.toContain(KEY);
    }
  });
});

describe("accounts", () => {
  const { fixture } = useServers();
  const keys = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ key: `svc_test_many_keys_${i}` }));
  const make = (accounts: Parameters<typeof createScoreServer>[0]["accounts"]) => () =>
    createScoreServer({ store: fixture().store, accounts, now: () => 0 });

  test("are judged by the clock that the server starts with", () => {
    const expired = { key: "svc_test_gone_2", expiresAt: "2026-01-01T00:00:00Z" };
    const accounts = [{ id: "a", factors: [], keys: [...keys(10), expired] }];
    const at = (clock: string) => () =>
      createScoreServer({ store: fixture().store, accounts, clock: { at: clock } });
    expect(at("2026-01-01T00:00:00Z")).not.toThrow();
    expect(at("2025-12-31T23:59:59Z")).toThrow("expected at most 10 active keys, got 11");
  });

  test.each([
    [
      { requestsPerMinute: 1.5 },
      "expected requestsPerMinute to be a whole number of at least 0, got 1.5",
    ],
    [
      { downloadsPerDay: -3 },
      "expected downloadsPerDay to be a whole number of at least 0, got -3",
    ],
    [
      { concurrentRequests: 0 },
      "expected concurrentRequests to be a whole number of at least 1, got 0",
    ],
  ])("must not have the limits %j", (limits, message) => {
    expect(make([{ id: "a", factors: [], keys: [], limits }])).toThrow(message);
  });

  test("must not share an id or a key", () => {
    const account = { id: "a", factors: [], keys: keys(1) };
    expect(make([account, account])).toThrow(
      "expected a unique id, got that of another account; choose another id",
    );
    expect(make([account, { ...account, id: "b" }])).toThrow(
      'expected a unique key, got that of "a"; choose another key',
    );
  });

  test("must have keys of the form that section 5 gives, and the error does not show them", () => {
    const wrong = make([{ id: "a", factors: [], keys: [{ key: "secret_of_mine" }] }]);
    expect(wrong).toThrow("expected svc_test_ or svc_live_ and visible ASCII characters");
    expect(wrong).not.toThrow("secret_of_mine");
  });
});
