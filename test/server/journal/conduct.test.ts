import { describe, expect, test } from "vitest";
import { ConductObserver, type ObservedExchange } from "../../../src/server/journal/conduct.ts";

/** A request at some seconds by both clocks, whose answer is delivered at once. */
function at(seconds: number, change: Partial<ObservedExchange> = {}): ObservedExchange {
  const time = { realMs: seconds * 1_000, serverMs: seconds * 1_000 };
  return {
    client: "a",
    target: "/v1/scores",
    method: "GET",
    status: 200,
    retryAfterSeconds: null,
    accountWide: false,
    etag: null,
    immutable: false,
    spentDownloads: 0,
    arrived: time,
    ended: time,
    ...change,
  };
}

/** What is complained about the last of some requests. */
function last(...exchanges: readonly ObservedExchange[]): readonly string[] {
  const observer = new ConductObserver();
  return exchanges.map((exchange) => observer.observe(exchange)).at(-1)!;
}

describe("a Retry-After", () => {
  const refused = at(0, { status: 503, retryAfterSeconds: 10 });
  const early = ["retried 4.0 s too early: Retry-After was 10 s"];

  test("is kept from its last second on, by either clock", () => {
    expect(last(refused, at(6))).toEqual(early);
    expect(last(refused, at(10))).toEqual([]);
    expect(last(refused, at(6, { arrived: { realMs: 0, serverMs: 10_000 } }))).toEqual([]);
    expect(last(refused, at(6, { arrived: { realMs: 10_000, serverMs: 0 } }))).toEqual([]);
  });

  test("counts from when its answer was delivered", () => {
    const slow = at(0, { ...refused, ended: { realMs: 5_000, serverMs: 5_000 } });
    expect(last(slow, at(11))).toEqual(early);
  });

  test("is unknown to a request that was under way when it was delivered", () => {
    const slow = at(0, { ...refused, ended: { realMs: 5_000, serverMs: 5_000 } });
    expect(last(slow, at(3))).toEqual([]);
  });

  test("of one target holds no other, that of an account holds them all, and nobody else", () => {
    const other = { target: "/v1/status" };
    expect(last(refused, at(6, other))).toEqual([]);
    const wide = at(0, { ...refused, accountWide: true });
    expect(last(wide, at(6, other))).toEqual(early);
    expect(last(wide, at(6, { client: "b" }))).toEqual([]);
  });
});

describe("a refused key", () => {
  const refused = at(0, { status: 401 });

  test("must not be repeated, which a key that works now is not", () => {
    expect(last(refused, at(1, { status: 401 }))).toEqual([
      "repeated a refused key, but a 401 must not be retried unchanged",
    ]);
    expect(last(refused, at(1))).toEqual([]);
    expect(last(refused, at(1, { status: 401, client: "b" }))).toEqual([]);
  });
});

describe("what was given before", () => {
  const given = (seconds: number, change: Partial<ObservedExchange> = {}) =>
    at(seconds, { etag: '"1"', ...change });

  test("may be asked for twice more, and from the third time on is polled without need", () => {
    expect(last(given(0), given(1))).toEqual([]);
    expect(last(given(0), given(1), given(2))).toEqual([
      "polled too often: 2 equal answers; checks are hourly",
    ]);
  });

  test("is polled with need while it changes", () => {
    const changing = [1, 2, 3, 4].map((etag) => given(etag, { etag: `"${etag}"` }));
    expect(last(...changing)).toEqual([]);
    expect(last(...changing, given(5, { etag: '"4"' }))).toEqual([]);
  });

  test("is asked for in vain at once where it never changes", () => {
    const immutable = { immutable: true };
    expect(last(given(0, immutable))).toEqual([]);
    expect(last(given(0, immutable), given(1, immutable))).toEqual([
      "requested an immutable set again",
    ]);
  });

  test("and is downloaded again spends a download for nothing", () => {
    const download = { spentDownloads: 1 };
    expect(last(given(0, download), given(1, download))).toEqual([
      "downloaded the same file again; HEAD would have spent no download",
    ]);
    expect(last(given(0, { method: "HEAD" }), given(1, download))).toEqual([]);
  });
});
