import { describe, expect, test } from "vitest";
import { EventLog, guardLogger } from "../../../src/client/transport/event_log.ts";
import { FACTORS, FILE, file, ok, soon, start } from "./_exchange.ts";

describe("the log", () => {
  test("names what broke a transfer, with the bytes that arrived", async () => {
    const { exchange, log } = start(() => {
      const response = file("12345");
      response.headers.set("Content-Length", "10");
      return response;
    });
    const answer = await exchange.open(FILE);
    const read = async () => {
      for await (const _chunk of answer!.chunks);
    };
    await expect(read()).rejects.toThrow("of 10 bytes, got 5");
    expect(log.list()).toMatchObject([{ status: 200, problem: "unusable_answer", bodyBytes: 5 }]);
  });

  test("has no problem after a whole transfer", async () => {
    const { exchange, log } = start(() => file("12345"));
    const answer = await exchange.open(FILE);
    for await (const _chunk of answer!.chunks);
    expect(log.list()).toMatchObject([{ status: 200, problem: null, bodyBytes: 5 }]);
  });

  test("of a caller may fail, now or later, without failing the load", async () => {
    const { exchange } = start(
      ok,
      {
        logger: guardLogger({
          debug: () => {
            throw new Error("disk full");
          },
          warn: () => Promise.reject(new Error("disk full")) as unknown as void,
        }),
      },
    );
    expect((await exchange.send(FACTORS)).status).toBe(200);
    guardLogger({ debug: () => {}, warn: () => Promise.reject(new Error("no")) as unknown as void })
      .warn("heard by nobody");
    await soon();
  });

  test("holds the last thousand attempts", () => {
    const log = new EventLog((text) => text);
    for (let i = 1; i <= 1_002; i++) {
      log.add({
        atMs: i,
        method: "GET",
        path: "/v1/factors",
        attempt: 1,
        status: 200,
        problem: null,
        requestId: null,
        durationMs: 1,
        bodyBytes: 2,
      });
    }
    const kept = log.list();
    expect([kept.length, kept[0]!.atMs, kept.at(-1)!.atMs]).toEqual([1_000, 3, 1_002]);
  });

  test("shows no key, wherever a hostile service puts it, and whole milliseconds", () => {
    const heard: string[] = [];
    const log = new EventLog((text) => text.replaceAll("secret", "…"), {
      debug: (message) => void heard.push(message),
      warn: () => {},
    });
    log.add({
      atMs: 1,
      method: "GET",
      path: "/v1/secret",
      attempt: 1,
      status: 500,
      problem: "a secret",
      requestId: "secret",
      durationMs: 12.6,
      bodyBytes: null,
    });
    expect(log.list()).toMatchObject([{ path: "/v1/…", problem: "a …", requestId: "…" }]);
    expect(heard).toEqual(["GET /v1/… 500 a … in 13 ms"]);
  });

  test("that was listed does not grow with what comes after", async () => {
    const { exchange, log } = start(ok);
    await exchange.send(FACTORS);
    const listed = log.list();
    await exchange.send(FACTORS);
    expect([listed.length, log.list().length]).toEqual([1, 2]);
  });
});
