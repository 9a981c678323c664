import { describe, expect, test } from "vitest";
import { parseAccounts, parseScenario } from "../../src/server/config_files.ts";

const account = (change: object) =>
  JSON.stringify({ accounts: [{ id: "a", factors: [], keys: [], ...change }] });

describe("parseAccounts()", () => {
  test("reads every field, in the names of the file", () => {
    const accounts = parseAccounts(JSON.stringify({
      accounts: [{
        id: "a",
        factors: ["ecpnd", {
          factor: "ecqdi",
          from: "2026-01-01T00:00:00Z",
          until: "2027-01-01T00:00:00Z",
        }],
        keys: [
          { key: "svc_test_of_the_file", scopes: ["factors", "scores"] },
          { sha256: "ab".repeat(32), revoked: true },
          { key: "svc_test_of_the_file_2", expires_at: "2026-12-01T00:00:00Z" },
        ],
        limits: {
          requests_per_minute: 1,
          requests_per_day: 2,
          concurrent_requests: 3,
          downloads_per_day: 4,
          concurrent_downloads: 5,
        },
      }],
    }));
    expect(accounts).toEqual([{
      id: "a",
      factors: ["ecpnd", {
        factor: "ecqdi",
        from: "2026-01-01T00:00:00Z",
        until: "2027-01-01T00:00:00Z",
      }],
      keys: [
        { key: "svc_test_of_the_file", scopes: ["factors", "scores"] },
        { sha256: "ab".repeat(32), revoked: true },
        { key: "svc_test_of_the_file_2", expiresAt: "2026-12-01T00:00:00Z" },
      ],
      limits: {
        requestsPerMinute: 1,
        requestsPerDay: 2,
        concurrentRequests: 3,
        downloadsPerDay: 4,
        concurrentDownloads: 5,
      },
    }]);
  });

  test.each([
    ["{", "the accounts file: expected JSON"],
    ["{}", "$.accounts: expected a list"],
    ['{"accounts":[{"id":"a"}]}', "$.accounts[0].factors: expected a list"],
    [account({ id: "" }), "$.accounts[0].id: expected text that is not empty"],
    [account({ factors: ["momentum"] }), '$.accounts[0].factors[0]: expected "ecpnd" or "ecqdi"'],
    [account({ keys: [{ scopes: ["admin"] }] }), "$.accounts[0].keys[0].scopes[0]"],
    [
      account({ keys: [{ revoked: "yes" }] }),
      "$.accounts[0].keys[0].revoked: expected true or false",
    ],
    [account({ limits: { per_minute: 1 } }), "$.accounts[0].limits: expected one of the fields"],
    [account({ limits: { requests_per_day: "1" } }), "requests_per_day: expected a number"],
  ])("refuses %s with the place of the error", (json, message) => {
    expect(() => parseAccounts(json)).toThrow(message);
  });

  test("never shows a key", () => {
    const key = "svc_test_secret_0123456789";
    const wrong = [
      account({ keys: [key] }),
      account({ keys: key }),
      `{"${key}`,
      account({ [key]: 1 }),
      account({ keys: [{ key: [key] }] }),
    ];
    for (const json of wrong) {
      expect(() => parseAccounts(json)).toThrow();
      expect(() => parseAccounts(json)).not.toThrow(key);
    }
  });
});

describe("parseScenario()", () => {
  test("reads faults and timeline, in the names of the file", () => {
    expect(parseScenario(JSON.stringify({
      seed: 3,
      faults: [
        { kind: "status", status: 429, retry_after_seconds: 5, endpoint: "history_file" },
        { kind: "dribble", chunk_bytes: 1, interval_ms: 2, probability: 0.5, after: 1, count: 2 },
        { kind: "headers", set: { ETag: null, "X-Factor-Status": "x" } },
      ],
      timeline: [
        { kind: "backlog", from: "a", until: "b", factor: "ecqdi", pending_calls: 1 },
        { kind: "release_replaced", at: "c", factor: "ecpnd", download_sha256: null },
        { kind: "correction", at: "d", factor: "ecpnd", scores: { A: 0, NA: null } },
      ],
    }))).toEqual({
      seed: 3,
      faults: [
        { kind: "status", status: 429, retryAfterSeconds: 5, endpoint: "historyFile" },
        { kind: "dribble", chunkBytes: 1, intervalMs: 2, probability: 0.5, after: 1, count: 2 },
        { kind: "headers", set: { ETag: null, "X-Factor-Status": "x" } },
      ],
      timeline: [
        { kind: "backlog", from: "a", until: "b", factor: "ecqdi", pendingCalls: 1 },
        { kind: "release_replaced", at: "c", factor: "ecpnd", downloadSha256: null },
        { kind: "correction", at: "d", factor: "ecpnd", scores: { A: 0, NA: null } },
      ],
    });
    expect(parseScenario("{}")).toEqual({ faults: [], timeline: [] });
  });

  test.each([
    ['{"faults":[{"kind":"explode"}]}', '$.faults[0].kind: expected "status" or'],
    ['{"faults":[{"kind":"latency"}]}', "$.faults[0].ms: expected a number, got nothing"],
    [
      '{"faults":[{"kind":"latency","ms":1,"status":500}]}',
      "$.faults[0]: expected one of the fields",
    ],
    ['{"faults":[{"kind":"cut","endpoint":"score"}]}', "$.faults[0].endpoint"],
    [
      '{"timeline":[{"kind":"outage","from":"x"}]}',
      "$.timeline[0].until: expected text that is not empty",
    ],
    ['{"fault":[]}', "$: expected one of the fields seed, faults, timeline"],
    ["[]", "$: expected an object"],
  ])("refuses %s with the place of the error", (json, message) => {
    expect(() => parseScenario(json)).toThrow(message);
  });
});

describe("a configuration that cannot be read", () => {
  test("is named, with the field that was probably meant", () => {
    const faults = '{"faults":[{"kind":"status","status":503,"retryAfterSeconds":2}]}';
    expect(() => parseScenario(faults, { file: "faults.json" })).toThrow(
      /^Cannot read "faults\.json", \$\.faults\[0\]: .* retry_after_seconds\?$/,
    );
    expect(() => parseAccounts('{"account":[]}', { file: "desk.json" })).toThrow(
      /"desk\.json", \$: .* accounts, got "account"; did you mean accounts\?$/,
    );
    expect(() => parseAccounts("{}", { file: "desk.json" })).toThrow(
      '"desk.json", $.accounts: expected a list',
    );
    expect(() => parseAccounts('{"accounts":[{"id":"a"}]}', { file: "desk.json" })).toThrow(
      'Cannot read "desk.json", $.accounts[0].factors: expected a list',
    );
    expect(() => parseAccounts("{", { file: "desk.json" })).toThrow(
      'Cannot read the accounts file "desk.json": expected JSON',
    );
    expect(() => parseScenario('{"zebra":1}')).toThrow(/got "zebra"$/);
  });

  test("does not show a key that stands in the wrong place", () => {
    const key = "svc_test_in_the_wrong_place";
    for (
      const wrong of [{ id: "a", factors: [key] }, { id: "a", keys: [{ scopes: [key] }] }, key]
    ) {
      const json = JSON.stringify({ accounts: [wrong] });
      expect(() => parseAccounts(json)).toThrow(/^(?!.*wrong_place)/s);
      expect(() => parseAccounts(json)).toThrow("Cannot read");
    }
  });

  test.each(["toString", "constructor", "__proto__"])("knows no field %s", (name) => {
    expect(() => parseScenario(`{"${name}":1}`)).toThrow(
      `fields seed, faults, timeline, got "${name}"`,
    );
  });
});
