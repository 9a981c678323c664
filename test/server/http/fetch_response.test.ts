import { describe, expect, test } from "vitest";
import { toFetchResponse, unlessAborted } from "../../../src/server/http/fetch_response.ts";
import type { ApiReply } from "../../../src/server/message/message.ts";
import { unhandledRejections } from "../../helpers/unhandled_rejections.ts";

/** A reply with a file of three bytes in three pieces, and what was told of its delivery. */
function reply(change: Partial<ApiReply> = {}) {
  const told: unknown[] = [];
  const seen = { isClosed: false };
  async function* pieces() {
    try {
      for (const byte of [1, 2, 3]) yield await Promise.resolve(Uint8Array.of(byte));
    } finally {
      seen.isClosed = true;
    }
  }
  const whole = {
    status: 200,
    headers: [["Content-Type", "application/gzip"]],
    body: { sizeBytes: 3, open: pieces },
    delivery: null,
    free: () => {},
    finish: (outcome: unknown) => void told.push(outcome),
    ...change,
  } as unknown as ApiReply;
  return { whole, told, seen };
}

const deliver = (whole: ApiReply, signal = new AbortController().signal) =>
  toFetchResponse(whole, { signals: [signal], transferDeadlineMs: 60_000 });

describe("a file in process", () => {
  test("is finished once, with its bytes, when the last of them was read", async () => {
    const caller = new AbortController();
    const { whole, told } = reply();
    const response = deliver(whole, caller.signal);
    expect(response.headers.get("Content-Length")).toBe("3");
    expect(told).toEqual([]);
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([1, 2, 3]);
    caller.abort();
    expect(told).toEqual([{ sentBytes: 3, complete: true }]);
  });

  test("frees its place before its last byte can be read, and not sooner", async () => {
    let isFree = false;
    const { whole } = reply({ free: () => void (isFree = true) });
    const reader = deliver(whole).body!.getReader();
    const free: boolean[] = [];
    for (let i = 0; i < 3; i++) {
      await reader.read();
      free.push(isFree);
    }
    expect(free).toEqual([false, false, true]);
  });

  test("is closed when its reader stops, and recorded with the bytes that arrived", async () => {
    const { whole, told, seen } = reply();
    const reader = deliver(whole).body!.getReader();
    await reader.read();
    await reader.cancel();
    expect([told, seen.isClosed]).toEqual([[{ sentBytes: 1, complete: false }], true]);
  });
});

describe("an injected fault", () => {
  const fault = { reset: true, contentLength: 9, stopAfterBytes: -1, chunkBytes: 1, intervalMs: 0 };

  test("that resets before the head fails the fetch, and is told as nothing sent", () => {
    const { whole, told } = reply({ delivery: fault as never });
    expect(() => deliver(whole)).toThrow("an injected fault resets the connection");
    expect(told).toEqual([{ sentBytes: 0, complete: false }]);
  });

  test("announces the length that it was given", () => {
    const { whole } = reply({ delivery: { ...fault, stopAfterBytes: 1 } as never });
    expect(deliver(whole).headers.get("Content-Length")).toBe("9");
  });
});

describe("a caller", () => {
  test("that has given up before does not wait, and the reply that comes later is given up", async () => {
    const { whole, told } = reply();
    const late = Promise.withResolvers<ApiReply>();
    const waiting = unlessAborted(late.promise, AbortSignal.abort(new Error("never mind")));
    await expect(waiting).rejects.toThrow("never mind");
    late.resolve(whole);
    await late.promise;
    expect(told).toEqual([{ sentBytes: 0, complete: false }]);
  });

  test("that has given up does not hear of a reply that fails later, and nobody else does", async () => {
    const late = Promise.withResolvers<ApiReply>();
    const unhandled = await unhandledRejections(async () => {
      const waiting = unlessAborted(late.promise, AbortSignal.abort(new Error("never mind")));
      await expect(waiting).rejects.toThrow("never mind");
      late.reject(new Error("too late"));
    });
    expect(unhandled).toEqual([]);
  });

  test("that gives up after the reply came changes nothing", async () => {
    const caller = new AbortController();
    const { whole, told } = reply();
    expect(await unlessAborted(Promise.resolve(whole), caller.signal)).toBe(whole);
    caller.abort();
    await Promise.resolve();
    expect(told).toEqual([]);
  });
});
