import { describe, expect, test } from "vitest";
import { AccountBook, activeFactors } from "../../../src/server/account/accounts.ts";
import { authenticate, authorize } from "../../../src/server/account/authenticate.ts";
import { Timeline } from "../../../src/server/timeline/timeline.ts";
import type { TimelineEvent } from "../../../src/server/mod.ts";
import { ENDPOINTS } from "../../../src/base/contract/http/endpoint.ts";

const KEY = "svc_test_accounts_0001";
// SHA-256 of svc_test_known_by_hash.
const KNOWN_HASH = "a11ca235e4c216f44b060d4b08e715c1df6897a645dbd08d4242f356cff1b332";
const ms = (time: string) => Date.parse(`2026-11-20T${time}Z`);

type Spec = ConstructorParameters<typeof AccountBook>[0][number];

function bookOf(spec: Partial<Spec>, events: readonly TimelineEvent[] = []): AccountBook {
  const whole: Spec = { id: "desk", factors: ["ecpnd", "ecqdi"], keys: [{ key: KEY }], ...spec };
  return new AccountBook([whole], { nowMs: ms("12:00:00"), timeline: new Timeline(events) });
}

function licence(at: string, factor: "ecpnd" | "ecqdi", active: boolean): TimelineEvent {
  return { kind: "licence", at: `2026-11-20T${at}Z`, account: "desk", factor, active };
}

describe("a licence that ends", () => {
  const factorsAt = (book: AccountBook, time: string) =>
    activeFactors(book.find(KEY)!.account, ms(time));

  test("leaves the licence of the other factor", () => {
    const book = bookOf({}, [licence("13:00:00", "ecqdi", false)]);
    expect(factorsAt(book, "12:59:59.999")).toEqual(["ecpnd", "ecqdi"]);
    expect(factorsAt(book, "13:00:00")).toEqual(["ecpnd"]);
  });

  test("does not begin again a period that had ended before", () => {
    const factors = [{ factor: "ecpnd", until: "2026-11-20T12:30:00Z" }] as const;
    const book = bookOf({ factors }, [licence("13:00:00", "ecpnd", false)]);
    expect(factorsAt(book, "12:45:00")).toEqual([]);
  });

  test("may begin again", () => {
    const events = [licence("14:00:00", "ecpnd", true), licence("13:00:00", "ecpnd", false)];
    const book = bookOf({ factors: ["ecpnd"] }, events);
    expect(["12:59:59", "13:30:00", "14:00:00"].map((time) => factorsAt(book, time)))
      .toEqual([["ecpnd"], [], ["ecpnd"]]);
  });

  test("leaves an account without a subscription, as one that never had any", () => {
    const book = bookOf({ factors: [{ factor: "ecpnd", until: "2026-11-20T12:30:00Z" }] });
    const grant = book.find(KEY)!;
    expect(() => authorize(grant, ENDPOINTS.factors, ms("12:29:59"))).not.toThrow();
    expect(() => authorize(grant, ENDPOINTS.factors, ms("12:30:00")))
      .toThrow("no active factor subscription");
  });
});

describe("a key", () => {
  const revoked = (at: string): TimelineEvent => ({
    kind: "key_revoked",
    at: `2026-11-20T${at}Z`,
    account: "desk",
  });

  test("is refused from the instant of its revocation on, the first of several", () => {
    const book = bookOf({}, [revoked("14:00:00"), revoked("13:00:00")]);
    const presented = { authorization: `Bearer ${KEY}`, environment: "sandbox" } as const;
    expect(() => authenticate(book, { ...presented, nowMs: ms("12:59:59.999") })).not.toThrow();
    expect(() => authenticate(book, { ...presented, nowMs: ms("13:00:00") })).toThrow();
  });

  test("is all that stands behind Bearer", () => {
    const presented = { nowMs: ms("12:00:00"), environment: "sandbox" } as const;
    for (const behind of [" trailing", " ", ",", `, Bearer ${KEY}`]) {
      const authorization = `Bearer ${KEY}${behind}`;
      expect(() => authenticate(bookOf({}), { ...presented, authorization })).toThrow();
    }
  });

  test("may be given by its SHA-256 in upper case", () => {
    const book = bookOf({ keys: [{ sha256: KNOWN_HASH.toUpperCase() }] });
    expect(book.find("svc_test_known_by_hash")?.account.id).toBe("desk");
  });

  test.each([
    ["by nothing", {}],
    ["by itself and by its SHA-256", { key: KEY, sha256: KNOWN_HASH }],
  ])("is not given %s", (_, key) => {
    expect(() => bookOf({ keys: [key] })).toThrow('expected either "key" or "sha256", got ');
  });

  test("counts among the 10 of an account while it is active", () => {
    const keys = Array.from({ length: 10 }, (_, i) => ({ key: `svc_test_many_keys_${i}` }));
    const old = { key: "svc_test_revoked_key", revoked: true };
    expect(() => bookOf({ keys: [...keys, old] })).not.toThrow();
    expect(() => bookOf({ keys: [...keys, { key: KEY }] })).toThrow(
      "expected at most 10 active keys, got 11",
    );
  });
});
