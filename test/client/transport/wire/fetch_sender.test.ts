import { describe, expect, test } from "vitest";
import { createFetchSender } from "../../../../src/client/transport/wire/sender.ts";

/** An answer whose body knows whether its reader let go of it. */
function answer() {
  const seen = { isCancelled: false };
  const body = new ReadableStream({ cancel: () => void (seen.isCancelled = true) });
  return { response: new Response(body), seen };
}

const request = (signal: AbortSignal) => ({
  method: "GET" as const,
  url: "http://service.localhost/v1/factors",
  headers: { accept: "application/json" },
  signal,
});

describe("a given fetch that does not heed the signal", () => {
  test("answers too late, and its body is let go", async () => {
    const { response, seen } = answer();
    const caller = new AbortController();
    const sender = createFetchSender(() => {
      caller.abort();
      return Promise.resolve(response);
    });
    await sender.send(request(caller.signal));
    expect(seen.isCancelled).toBe(true);
  });

  test("has its body let go when the attempt ends before it was read", async () => {
    const { response, seen } = answer();
    const caller = new AbortController();
    await createFetchSender(() => Promise.resolve(response)).send(request(caller.signal));
    expect(seen.isCancelled).toBe(false);
    caller.abort();
    expect(seen.isCancelled).toBe(true);
  });

  test("is not disturbed where its body is being read: its reader lets go of it", async () => {
    const { response, seen } = answer();
    const caller = new AbortController();
    const sender = createFetchSender(() => Promise.resolve(response));
    const { body } = await sender.send(request(caller.signal));
    const reader = (body as ReadableStream).getReader();
    caller.abort();
    expect(seen.isCancelled).toBe(false);
    await reader.cancel();
  });
});

test("a given fetch gets method, address and headers, and is told to follow no redirect", async () => {
  const asked: Request[] = [];
  const sender = createFetchSender((given) => {
    asked.push(given);
    return Promise.resolve(new Response("x", { status: 404, headers: { "X-Request-Id": "r" } }));
  });
  const { status, headers } = await sender.send(request(new AbortController().signal));
  expect([status, headers.get("X-Request-Id")]).toEqual([404, "r"]);
  expect(asked.map(({ method, url, redirect }) => [method, url, redirect]))
    .toEqual([["GET", "http://service.localhost/v1/factors", "manual"]]);
  expect(asked[0]!.headers.get("accept")).toBe("application/json");
});

test("a given fetch hears when the caller has had enough", async () => {
  const asked: Request[] = [];
  const caller = new AbortController();
  const sender = createFetchSender((given) => {
    asked.push(given);
    return Promise.resolve(new Response("x"));
  });
  await sender.send(request(caller.signal));
  caller.abort();
  expect(asked[0]!.signal.aborted).toBe(true);
});
