import { describe, expect, test } from "vitest";
import { CallPatience, WaitPatience } from "../../../src/client/transport/call_patience.ts";
import { FACTORS, FILE, file, ok, refusal, start } from "./_exchange.ts";

describe("the budget of a verb", () => {
  test("bounds the waiting of all its requests together", async () => {
    const { exchange } = start(() => refusal(503, "request_timeout", { "Retry-After": "30" }));
    const options = { patience: new CallPatience({ maxWaitMs: 40_000 }), maxRetries: 1 };
    await expect(exchange.send(FACTORS, options)).rejects.toThrow("tried 2 times");
    await expect(exchange.send(FACTORS, options))
      .rejects.toThrow("or raise maxWaitMs above 40000");
  });

  test("bounds the time of all its requests together", async () => {
    const { exchange } = start(async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return ok();
    });
    const options = { patience: new CallPatience({ deadlineMs: 150 }), maxRetries: 0 };
    const sendMany = async () => {
      for (let i = 0; i < 5; i++) await exchange.send(FACTORS, options);
    };
    await expect(sendMany()).rejects.toThrow("within deadlineMs 150");
  });

  test("leaves what its caller did not bound to each request", async () => {
    let requests = 0;
    const { exchange } = start(() =>
      ++requests % 2 === 1 ? refusal(503, "request_timeout", { "Retry-After": "40" }) : ok()
    );
    const options = { patience: new CallPatience({}) };
    for (let i = 0; i < 3; i++) await exchange.send(FACTORS, options);
    expect(requests).toBe(6);
  });

  test("gives a transfer its whole time from its start, not from when it began to wait", async () => {
    // Each half fits the time with more than a second to spare, both together do not fit it.
    let waitMs = 0;
    const { exchange } = start(async () => {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      return file();
    });
    const first = await exchange.open(FILE);
    waitMs = 2_000;
    const second = exchange.open(FILE, { deadlineMs: 3_500 });
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await first!.close();
    await (await second)!.close();
  });

  test("has no time that is left where its caller set none", () => {
    expect(new CallPatience({ maxWaitMs: 5 }).leftMs).toBeNull();
    expect(new CallPatience({ deadlineMs: 5 }).waits).toBeNull();
  });
});

test("a wait is counted once, however many requests wait at the same time", () => {
  const waits = new WaitPatience(60);
  waits.spend(0, 40);
  waits.spend(10, 40);
  expect([waits.leftFrom(40), waits.leftFrom(10)]).toEqual([20, 50]);
  waits.spend(30, 50);
  expect(waits.leftFrom(50)).toBe(10);
  waits.spend(60, 70);
  expect(waits.leftFrom(70)).toBe(0);
});

test("a clock that is set back counts nothing twice", () => {
  const waits = new WaitPatience(60);
  waits.spend(100, 120);
  waits.spend(50, 40);
  expect(waits.leftFrom(120)).toBe(40);
});

test("a wait that took longer than it was allowed leaves nothing, and no less", () => {
  const waits = new WaitPatience(60);
  waits.spend(0, 100);
  expect(waits.leftFrom(90)).toBe(10);
});
