import { describe, expect, test } from "vitest";
import { FACTORS, failureOf, FILE, NOW, soon, start } from "./_exchange.ts";

describe("a place among the concurrent requests", () => {
  const hang = () => new Promise<Response>(() => {});

  test("is not waited for longer than maxWaitMs", async () => {
    const { exchange } = start(hang);
    const hanging = Array.from({ length: 5 }, () => exchange.send(FACTORS).catch(() => {}));
    const error = await failureOf(exchange.send(FACTORS, { maxWaitMs: 0 }));
    expect(error).toMatchObject({ name: "WaitError", code: "concurrent_request_limit" });
    expect(error.message).toBe(
      "Cannot list the factors: the account's 5 requests at a time are in flight, here or in other " +
        "notebooks, nothing was sent; try again when one has ended, or allow a longer wait than " +
        "maxWaitMs 0",
    );
    await exchange.close();
    await Promise.all(hanging);
  });

  test("is in the error of a call whose deadline passes while it waits for one", async () => {
    const { exchange } = start(hang);
    const hanging = exchange.open(FILE).catch(() => {});
    await soon();
    await expect(exchange.open(FILE, { deadlineMs: 80 })).rejects.toThrow(
      "within deadlineMs 80, it did not; nothing was sent, because the account's one download at a " +
        "time is running",
    );
    await exchange.close();
    await hanging;
  });

  test("is left by a lost machine in the end, also after an endless timeout", async () => {
    const { exchange, ledger } = start(hang);
    const hanging = exchange.send(FACTORS, { timeoutMs: Infinity }).catch(() => {});
    await soon();
    expect(ledger.read().flights[0]!.leaseUntilMs).toBe(NOW + 3_600_000);
    await exchange.close();
    await hanging;
  });
});

describe("what the account has left", () => {
  test("is what it was after connections that were never made", async () => {
    const { exchange, ledger } = start(() => {
      throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    });
    for (let i = 0; i < 45; i++) {
      await expect(exchange.send(FACTORS)).rejects.toThrow("ECONNREFUSED");
    }
    expect(ledger.read().windows.minute?.remaining).toBe(120);
  });

  test("counts what was sent and lost on the way", async () => {
    const { exchange, ledger } = start(() => {
      throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
    });
    await expect(exchange.send(FACTORS, { maxRetries: 0 })).rejects.toThrow("ECONNRESET");
    expect(ledger.read().windows.minute?.remaining).toBe(119);
  });
});
