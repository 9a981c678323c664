import { expect, test } from "vitest";
import { admit } from "../../../../src/client/transport/allowance/admission.ts";
import {
  type AccountState,
  learn,
  type Lease,
  takeLease,
  UNKNOWN_ACCOUNT,
} from "../../../../src/client/transport/allowance/account_state.ts";
import { holdAfter } from "../../../../src/client/transport/allowance/hold.ts";

const NOW = Date.parse("2026-11-20T15:00:00Z");
const budgets = {
  minute: { limit: 120, remaining: 100, reset: NOW / 1000 + 60 },
  day: { limit: 50, remaining: 7, reset: Date.parse("2026-11-21T00:00:00Z") / 1000 },
};

function leaseOf(id: string): Lease {
  return { id, owner: "host:1", download: false, leaseUntilMs: NOW + 20_000 };
}

function answer(state: AccountState, id: string, spent: number): AccountState {
  const relay = { spent, ageSeconds: 0 };
  return learn(state, id, { budgets, dateMs: NOW, receivedAtMs: NOW, hold: null, relay });
}

test("five answers of a relay at once that cost nothing leave what is left as it was", () => {
  const ids = ["a", "b", "c", "d", "e"];
  let state = ids.reduce((known, id) => takeLease(known, leaseOf(id), NOW), UNKNOWN_ACCOUNT);
  state = answer(state, "a", 0);
  expect(state.windows.day!.remaining).toBe(3);
  for (const id of ids.slice(1)) state = answer(state, id, 0);
  expect([state.windows.day!.remaining, state.windows.minute!.remaining]).toEqual([7, 100]);
});

test("a spent budget does not keep a question from a relay, which alone knows what it costs", () => {
  const spent = { ...budgets, day: { ...budgets.day, remaining: 0 } };
  const relay = { spent: 1, ageSeconds: 0 };
  const first = takeLease(UNKNOWN_ACCOUNT, leaseOf("a"), NOW);
  const known = learn(first, "a", {
    budgets: spent,
    dateMs: NOW,
    receivedAtMs: NOW,
    hold: null,
    relay,
  });
  const request = { lease: leaseOf("b"), scopes: ["*"], reserve: 500 };
  expect(admit(known, request, NOW).obstacle).toBeNull();
  // A page of a proxy in front has no mark, and changes nothing of it.
  const later = learn(known, "a", { budgets: {}, dateMs: NOW, receivedAtMs: NOW, hold: null });
  expect(admit(later, request, NOW).obstacle).toBeNull();
  const direct = learn(first, "a", { budgets: spent, dateMs: NOW, receivedAtMs: NOW, hold: null });
  expect(admit(direct, { ...request, reserve: 0 }, NOW).obstacle?.kind).toBe("day");
});

test("a day that is spent at a relay holds one question, and its minute holds all", () => {
  const request = {
    method: "GET",
    endpoint: "scores",
    path: "/v1/scores?factor=ecpnd",
    accept: "application/json",
    action: "load",
  } as const;
  const scopeAfter = (code: string, isOfRelay: boolean) =>
    holdAfter(request, { status: 429, code, retryAtMs: NOW, isOfRelay })!.scope;
  expect(scopeAfter("daily_limit_exceeded", true)).toBe("GET /v1/scores?factor=ecpnd");
  expect(scopeAfter("daily_limit_exceeded", false)).toBe("*");
  expect(scopeAfter("rate_limit_exceeded", true)).toBe("*");
});
