import { describe, expect, test } from "vitest";
import { readChunks, untilAborted } from "../../../../src/client/transport/call/body.ts";
import { unhandledRejections } from "../../../helpers/unhandled_rejections.ts";
import { endlessBody, FACTORS, FILE, file, soon, start } from "../_exchange.ts";

describe("a body that nobody reads", () => {
  test("is let go when the answer is not the API's", async () => {
    const { body, seen } = endlessBody();
    const page = new Response(body, { headers: { "Content-Type": "text/html" } });
    const { exchange } = start(() => page);
    await expect(exchange.send(FACTORS)).rejects.toThrow("got text/html");
    await soon();
    expect(seen.isCancelled).toBe(true);
  });

  test("is let go when a stream is closed before it is read", async () => {
    const { body, seen } = endlessBody();
    const { exchange } = start(() => file(body));
    const answer = await exchange.open(FILE);
    await answer!.close();
    await soon();
    expect(seen.isCancelled).toBe(true);
  });

  test("is let go when the connection is closed", async () => {
    const { body, seen } = endlessBody();
    const { exchange, ledger } = start(() => file(body));
    await exchange.open(FILE);
    await exchange.close();
    await soon();
    expect(seen.isCancelled).toBe(true);
    expect(ledger.read().flights).toEqual([]);
  });
});

describe("a body whose request is cancelled between two parts", () => {
  // A network ends the body with the request: whatever is asked of it from then on fails.
  async function* brokenBy(signal: AbortSignal) {
    while (!signal.aborted) yield new Uint8Array(8);
    await Promise.resolve();
    throw signal.reason;
  }

  test("leaves no rejection behind that nobody handles", async () => {
    const cancel = new AbortController();
    const response = { status: 200, headers: new Headers(), body: brokenBy(cancel.signal) };
    const read = async () => {
      for await (const _ of readChunks(response, cancel.signal)) cancel.abort(new Error("enough"));
    };
    const unhandled = await unhandledRejections(() => expect(read()).rejects.toThrow("enough"));
    expect(unhandled).toEqual([]);
  });
});

test("a promise that is not waited for any more may fail later", async () => {
  const over = AbortSignal.abort(new Error("enough"));
  const { promise, reject } = Promise.withResolvers<never>();
  const unhandled = await unhandledRejections(async () => {
    await expect(untilAborted(promise, over)).rejects.toThrow("enough");
    reject(new Error("too late"));
  });
  expect(unhandled).toEqual([]);
});
