import { describe, expect, test } from "vitest";
import { FACTORS, failureOf, FILE, file, NOW, ok, refusal, soon, start } from "../_exchange.ts";

describe("a refused download", () => {
  const running = {
    "Retry-After": "1",
    "X-DownloadLimit-Limit": "10",
    "X-DownloadLimit-Reset": "1795219200",
  };

  test("is waited for while another one runs, beyond maxRetries, because that spends nothing", async () => {
    let refusals = 4;
    const { exchange, clock } = start(() =>
      refusals-- > 0
        ? refusal(429, "download_limit_exceeded", { ...running, "X-DownloadLimit-Remaining": "8" })
        : file()
    );
    const answer = await exchange.open(FILE);
    expect(answer!.attempts).toBe(5);
    expect(clock.ms - NOW).toBe(1_000 + 1_000 + 2_000 + 4_000);
    await answer!.close();
  });

  test("is not waited for when none is left today", async () => {
    let requests = 0;
    const { exchange } = start(() => {
      requests++;
      return refusal(429, "download_limit_exceeded", {
        ...running,
        "X-DownloadLimit-Remaining": "0",
      });
    });
    await expect(exchange.open(FILE)).rejects.toMatchObject({ name: "WaitError" });
    expect(requests).toBe(1);
  });
});

describe("a closed exchange", () => {
  test("says so, and sends nothing", async () => {
    let requests = 0;
    const { exchange } = start(() => {
      requests++;
      return ok();
    });
    await exchange.close();
    await expect(exchange.send(FACTORS)).rejects.toThrow(
      "Cannot list the factors: expected an open connection, got a closed one; nothing was sent; connect() again",
    );
    expect(requests).toBe(0);
  });
});

describe("an answer without a body", () => {
  test.each(["GET", "HEAD"] as const)(
    "to a %s may announce the length of the one it stands for",
    async (method) => {
      const headers = { "Content-Length": "4711", "Content-Type": "application/json", ETag: '"e"' };
      const status = method === "GET" ? 304 : 200;
      const { exchange } = start(() => new Response(null, { status, headers }));
      const answer = await exchange.send({ ...FACTORS, method, ifNoneMatch: '"e"' });
      expect([answer.status, answer.body.length, answer.headers.get("Content-Length")])
        .toEqual([status, 0, "4711"]);
    },
  );
});

describe("the reserve of the day", () => {
  test("is in the error of a request that would touch it, with what to do", async () => {
    const { exchange } = start(ok);
    const error = await failureOf(exchange.send(FACTORS, { reserve: 10_000 }));
    expect(error).toMatchObject({ name: "WaitError", code: "daily_limit_exceeded" });
    expect(error.message).toBe(
      "Cannot list the factors: 10000 of the day's 10000 requests are left, and 10000 are reserved for " +
        "others until 2026-11-21T00:00:00.000Z; nothing was sent; try again then, or lower reserve",
    );
  });
});

describe("a refused key", () => {
  test("is not tried again: the next request goes nowhere and says why", async () => {
    let requests = 0;
    const { exchange } = start(() => {
      requests++;
      return refusal(401, "unauthorized");
    });
    await expect(exchange.send(FACTORS)).rejects.toMatchObject({
      name: "AccessError",
      status: 401,
    });
    await expect(exchange.send(FACTORS)).rejects.toThrow(
      "Cannot list the factors: the service refused this key earlier (401 unauthorized; request",
    );
    expect(requests).toBe(1);
  });

  test("is not sent by those that waited for their turn while it was refused", async () => {
    const refused = Promise.withResolvers<void>();
    let requests = 0;
    const { exchange, ledger } = start(async () => {
      requests++;
      await refused.promise;
      return refusal(401, "unauthorized");
    });
    const sending = Promise.allSettled(
      Array.from({ length: 20 }, () => exchange.send(FACTORS, { maxWaitMs: 60_000 })),
    );
    await soon();
    refused.resolve();
    const outcomes = await sending;
    expect(outcomes.map(({ status }) => status)).toEqual(Array(20).fill("rejected"));
    expect(requests).toBe(5);
    const unsent = outcomes.filter((outcome) =>
      outcome.status === "rejected" && outcome.reason.message.includes("nothing was sent")
    );
    expect(unsent.length).toBe(15);
    // What was not sent is not spent.
    expect(ledger.read().windows.day!.remaining).toBe(10_000 - 5);
    expect(ledger.read().flights).toEqual([]);
  });

  test("does not start a download that looked into the store while it was refused", async () => {
    let requests = 0;
    const { exchange, ledger } = start(() => {
      requests++;
      return refusal(401, "unauthorized");
    });
    const isNeeded = async () => {
      await exchange.send(FACTORS).catch(() => {});
      return true;
    };
    await expect(exchange.open(FILE, { isNeeded })).rejects.toThrow(
      "this key earlier (401 unauthorized",
    );
    expect(requests).toBe(1);
    expect(ledger.read().windows.download!.remaining).toBe(10);
  });
});

describe("the waiting of a call", () => {
  test("counts over its attempts", async () => {
    const { exchange } = start(() => refusal(503, "service_unavailable", { "Retry-After": "4" }));
    await expect(exchange.send(FACTORS, { maxRetries: 5, maxWaitMs: 10_000 })).rejects.toThrow(
      "tried 3 times, the next attempt is allowed at 2026-11-20T15:00:17.000Z, which is beyond " +
        "maxWaitMs 10000",
    );
  });
});

describe("a download", () => {
  test("that turns out not to be needed spends nothing and leaves its place", async () => {
    let requests = 0;
    const { exchange, ledger, log } = start(() => {
      requests++;
      return file();
    });
    expect(await exchange.open(FILE, { isNeeded: () => Promise.resolve(false) })).toBeNull();
    expect([requests, ledger.read().flights, log.list()]).toEqual([0, [], []]);
  });

  test("that its reader leaves is noted once, and leaves its place", async () => {
    const { exchange, ledger, log } = start(() => file());
    const answer = await exchange.open(FILE);
    await answer!.close();
    await answer!.close();
    expect(ledger.read().flights).toEqual([]);
    expect(log.list()).toMatchObject([{ status: 200, attempt: 1 }]);
  });

  test("of what has not changed leaves its place at once", async () => {
    const { exchange, ledger, log } = start(() => new Response(null, { status: 304 }));
    const answer = await exchange.open({ ...FILE, ifNoneMatch: '"e"' });
    expect([answer!.status, ledger.read().flights]).toEqual([304, []]);
    expect(log.list()).toMatchObject([{ status: 304 }]);
  });
});

describe("attempts", () => {
  test("are noted one by one, the refused ones with their code", async () => {
    const answers = [refusal(503, "service_unavailable", { "Retry-After": "1" }), ok()];
    const { exchange, log } = start(() => answers.shift()!);
    await exchange.send(FACTORS);
    expect(log.list()).toMatchObject([
      { attempt: 1, status: 503, problem: "service_unavailable", bodyBytes: null },
      { attempt: 2, status: 200, problem: null, bodyBytes: 2 },
    ]);
  });
});

test("closing settles what is in flight", async () => {
  const { exchange, ledger } = start(() => file());
  await exchange.open(FILE);
  expect(ledger.read().flights.length).toBe(1);
  await exchange.close();
  expect(ledger.read().flights).toEqual([]);
});
