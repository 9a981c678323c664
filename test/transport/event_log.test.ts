import { describe, expect, test } from "vitest";
import { guardLogger } from "../../src/transport/guard_logger.ts";
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
    await expect(read()).rejects.toThrow("10 bytes were announced and 5 arrived");
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
      guardLogger({
        debug: () => {
          throw new Error("disk full");
        },
        warn: () => Promise.reject(new Error("disk full")) as unknown as void,
      }),
    );
    expect((await exchange.send(FACTORS)).status).toBe(200);
    guardLogger({ debug: () => {}, warn: () => Promise.reject(new Error("no")) as unknown as void })
      .warn("heard by nobody");
    await soon();
  });
});
