import { spawnSync } from "node:child_process";
import { hostname } from "node:os";
import process from "node:process";
import { describe, expect, test, vi } from "vitest";
import type { WaitError } from "../../../../src/base/errors.ts";
import type { AccountState } from "../../../../src/client/transport/allowance/account_state.ts";
import type { Ledger } from "../../../../src/client/transport/allowance/ledger.ts";
import type { LongWait } from "../../../../src/client/transport/long_wait.ts";
import { FACTORS, failureOf, FILE, file, NOW, ok, refusal, soon, start } from "../_exchange.ts";

function deadPid(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

describe("a place among the concurrent requests", () => {
  const hang = () => new Promise<Response>(() => {});

  test("is not waited for longer than maxWaitMs", async () => {
    const { exchange } = start(hang);
    const hanging = Array.from({ length: 5 }, () => exchange.send(FACTORS).catch(() => {}));
    const error = await failureOf(exchange.send(FACTORS, { maxWaitMs: 0 }));
    expect(error).toMatchObject({ name: "WaitError", code: "concurrent_request_limit" });
    expect(error.message).toBe(
      "Cannot list the factors: all 5 concurrent requests of the account are in flight, here or in other " +
        "notebooks; nothing was sent; try again when one has ended, or raise maxWaitMs " +
        "above 0",
    );
    await exchange.close();
    await Promise.all(hanging);
  });

  test("is waited for as long as maxWaitMs, by the clock of the connection", async () => {
    const { exchange, clock } = start(hang);
    const hanging = Array.from({ length: 5 }, () => exchange.send(FACTORS).catch(() => {}));
    const waiting = failureOf(exchange.send(FACTORS, { maxWaitMs: 15_000 }));
    const seen = { ended: false };
    waiting.then(() => void (seen.ended = true));
    await soon();
    clock.ms += 14_999;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(seen.ended).toBe(false);
    clock.ms += 1;
    expect(await waiting).toMatchObject({ name: "WaitError", code: "concurrent_request_limit" });
    await exchange.close();
    await Promise.all(hanging);
  });

  test("is waited for as long as maxWaitMs by the platform's clock, where that of the connection stands still", async () => {
    const { exchange } = start(hang);
    const hanging = Array.from({ length: 5 }, () => exchange.send(FACTORS).catch(() => {}));
    const waiting = failureOf(exchange.send(FACTORS, { maxWaitMs: 50 }));
    expect(await waiting).toMatchObject({ name: "WaitError", code: "concurrent_request_limit" });
    await exchange.close();
    await Promise.all(hanging);
  });

  test("is waited for no longer by a request that stands in line behind a more patient one", async () => {
    const { exchange } = start(hang);
    const patient = Array.from({ length: 6 }, () => exchange.send(FACTORS).catch(() => {}));
    const waiting = failureOf(exchange.send(FACTORS, { maxWaitMs: 50 }));
    expect(await waiting).toMatchObject({ name: "WaitError", code: "concurrent_request_limit" });
    await exchange.close();
    await Promise.all(patient);
  });

  test("is announced once it was waited for three seconds, with the time since when none is free", async () => {
    const heard: LongWait[] = [];
    const { exchange, clock } = start(hang, { onWait: (wait) => void heard.push(wait) });
    const hanging = Array.from({ length: 5 }, () => exchange.send(FACTORS).catch(() => {}));
    const waiting = exchange.send(FACTORS, { maxWaitMs: 1e9 }).catch(() => {});
    await soon();
    clock.ms += 3_000;
    while (heard.length === 0) await soon();
    expect(heard[0]).toEqual({
      untilMs: null,
      sinceMs: NOW,
      because: "all 5 concurrent requests of the account are in flight, here or in other notebooks",
    });
    await exchange.close();
    await Promise.all([...hanging, waiting]);
  });

  test("goes to the next in line when the one before it does not want it any more", async () => {
    const answers: (() => void)[] = [];
    const { exchange } = start(() => {
      const { promise, resolve } = Promise.withResolvers<Response>();
      answers.push(() => resolve(ok()));
      return promise;
    });
    const five = Array.from({ length: 5 }, () => exchange.send(FACTORS));
    const sixth = exchange.send(FACTORS);
    const caller = new AbortController();
    const seventh = failureOf(exchange.send(FACTORS, { signal: caller.signal }));
    const eighth = exchange.send(FACTORS);
    await soon();
    caller.abort(new Error("not any more"));
    expect((await seventh).message).toBe("not any more");
    while (answers.length < 7) {
      for (const answer of answers) answer();
      await soon();
    }
    for (const answer of answers) answer();
    const statuses = (await Promise.all([...five, sixth, eighth])).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200]);
  });

  test.each([
    ["is free again after the process that held it died", () => `${hostname()}:${deadPid()}`, true],
    [
      "is not free while the process that holds it lives",
      () => `${hostname()}:${process.ppid}`,
      false,
    ],
    [
      "is not free while a process of another machine may hold it",
      () => `elsewhere:${deadPid()}`,
      false,
    ],
  ])("%s", async (_what, owner, isFreed) => {
    const { exchange, ledger } = start(ok);
    const flights = Array.from({ length: 5 }, (_, i) => ({
      id: `f${i}`,
      owner: owner(),
      download: false,
      leaseUntilMs: NOW + 60_000,
    }));
    ledger.update((state) => ({ state: { ...state, flights }, result: null }));
    const outcome = await exchange.send(FACTORS, { maxWaitMs: 0 })
      .then(({ status }) => status, (error: Error) => error.name);
    expect(outcome).toBe(isFreed ? 200 : "WaitError");
  });

  test("is named by the error of a call whose deadline passes while it waits for one", async () => {
    const { exchange } = start(hang);
    const hanging = exchange.open(FILE).catch(() => {});
    await soon();
    await expect(exchange.open(FILE, { deadlineMs: 80 })).rejects.toThrow(
      "within deadlineMs 80, got no end by then; nothing was sent, because the account's only " +
        "concurrent download is running",
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

describe("the end of a hold", () => {
  const held = (untilMs: number) => (state: AccountState) => ({
    state: { ...state, holds: [{ scope: "*", status: 503, code: null, untilMs }] },
    result: null,
  });

  /** An exchange whose answers wait until they are let go. */
  function startHeld() {
    const answers: ((response: Response) => void)[] = [];
    const started = start(() => {
      const { promise, resolve } = Promise.withResolvers<Response>();
      answers.push(resolve);
      return promise;
    });
    started.ledger.update(held(NOW + 1_000));
    return { ...started, answers };
  }

  test("lets one request go first, and the others after its answer", async () => {
    const { exchange, answers } = startHeld();
    const five = Array.from({ length: 5 }, () => exchange.send(FACTORS));
    await soon();
    await soon();
    expect(answers).toHaveLength(1);
    answers[0]!(ok());
    while (answers.length < 5) await soon();
    for (const answer of answers) answer(ok());
    expect((await Promise.all(five)).map(({ status }) => status)).toEqual([
      200,
      200,
      200,
      200,
      200,
    ]);
  });

  test("that turns out to be none holds the others as long as the new one", async () => {
    const { exchange, answers, ledger } = startHeld();
    const five = Array.from({ length: 5 }, () => failureOf(exchange.send(FACTORS)));
    while (answers.length === 0) await soon();
    answers[0]!(refusal(503, "service_unavailable", { "Retry-After": "3600" }));
    const errors = await Promise.all(five);
    expect(errors.map(({ name }) => name)).toEqual(Array(5).fill("WaitError"));
    expect(answers).toHaveLength(1);
    expect(ledger.read().holds).toHaveLength(1);
  });

  test("lets the next go first when the first had no answer", async () => {
    let requests = 0;
    const { exchange, ledger } = start(() => {
      if (++requests > 1) return ok();
      throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
    });
    ledger.update(held(NOW + 1_000));
    const loads = [1, 2].map(() => exchange.send(FACTORS, { maxRetries: 0 }));
    const outcomes = await Promise.allSettled(loads);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(requests).toBe(2);
  });

  test("does not make a request wait that the hold did not concern", async () => {
    const { exchange, answers, ledger } = startHeld();
    ledger.update((state) => ({
      state: { ...state, holds: [{ ...state.holds[0]!, scope: "history" }] },
      result: null,
    }));
    const metadata = { ...FACTORS, endpoint: "history", path: "/v1/scores/history" } as const;
    const held = [exchange.send(metadata), exchange.send(metadata)];
    while (answers.length === 0) await soon();
    const free = exchange.send(FACTORS);
    while (answers.length === 1) await soon();
    answers[1]!(ok());
    expect((await free).status).toBe(200);
    answers[0]!(ok());
    while (answers.length < 3) await soon();
    answers[2]!(ok());
    await Promise.all(held);
  });

  test("is said to a request that does not wait for the one that goes first", async () => {
    const { exchange, answers, clock } = startHeld();
    clock.ms += 1_000;
    const first = exchange.send(FACTORS);
    while (answers.length === 0) await soon();
    const error = await failureOf(exchange.send(FACTORS, { maxWaitMs: 0 }));
    expect(error).toMatchObject({ name: "WaitError", status: 503, retryAtMs: null });
    expect(error.message).toContain(
      "another request is retried first after 503, and has no answer yet; nothing was sent;",
    );
    answers[0]!(ok());
    await first;
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

  test("counts what was lost while another request was in flight, whose answer may not know of it", async () => {
    const tear = Promise.withResolvers<Response>();
    const answer = Promise.withResolvers<Response>();
    const pending = [tear.promise, answer.promise];
    const { exchange, ledger } = start(() => pending.shift()!);
    const lost = failureOf(exchange.send(FACTORS, { maxRetries: 0 }));
    const heard = exchange.send(FACTORS);
    await soon();
    tear.reject(Object.assign(new Error("reset"), { code: "ECONNRESET" }));
    await lost;
    const reset = String((NOW + 55_000) / 1000);
    answer.resolve(Response.json({}, {
      headers: {
        "X-RateLimit-Limit": "120",
        "X-RateLimit-Remaining": "119",
        "X-RateLimit-Reset": reset,
      },
    }));
    await heard;
    expect(ledger.read().windows.minute?.remaining).toBe(118);
  });

  test("counts what was sent and lost on the way", async () => {
    const { exchange, ledger } = start(() => {
      throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
    });
    await expect(exchange.send(FACTORS, { maxRetries: 0 })).rejects.toThrow("ECONNRESET");
    expect(ledger.read().windows.minute?.remaining).toBe(119);
  });
});

describe("the disk", () => {
  const headers = (remaining: number) => ({
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String((NOW + 55_000) / 1000),
  });
  // What each change of the ledger did to what is in flight, and whether it waited for the disk.
  const watch = (ledger: Ledger, seen: string[] = []) => {
    const update = ledger.update;
    ledger.update = (change, options) => {
      const before = ledger.read().flights.length;
      const result = update(change, options);
      const step = Math.sign(ledger.read().flights.length - before);
      const name = step > 0 ? "leases" : step < 0 ? "settles" : "learns";
      seen.push(`${name} ${options?.durable === false ? "at once" : "durably"}`);
      return result;
    };
    return seen;
  };

  test("has to confirm a count before the request is sent, and not again for the answer", async () => {
    let left = 120;
    const stepsWhenSent: string[] = [];
    const { exchange, ledger } = start(() => {
      stepsWhenSent.push(...steps);
      return Response.json({}, { headers: headers(--left) });
    });
    const steps: string[] = [];
    await exchange.send(FACTORS);
    watch(ledger, steps);
    await exchange.send(FACTORS);
    expect(stepsWhenSent).toEqual(["leases durably"]);
    expect(steps).toEqual(["leases durably", "learns at once", "settles at once"]);
  });

  test("is waited for when an answer tells that others spent some of it", async () => {
    const { exchange, ledger } = start(() => Response.json({}, { headers: headers(50) }));
    const steps = watch(ledger);
    await exchange.send(FACTORS);
    expect(steps).toEqual([
      "leases durably",
      "learns at once",
      "learns durably",
      "settles at once",
    ]);
  });

  test("is waited for when a download ends, whose place is the only one", async () => {
    const { exchange, ledger } = start(() => file());
    const steps = watch(ledger);
    const answer = await exchange.open(FILE);
    await answer!.close();
    expect(steps).toEqual(["leases durably", "learns at once", "settles durably"]);
  });
});

describe("waiting at the gate", () => {
  test.each([[54_999, "rate_limit_exceeded", 40_000], [55_000, 200, 55_000]])(
    "for one thing after another counts as one: within maxWaitMs %i",
    async (maxWaitMs, end, waitedMs) => {
      const { exchange, ledger, clock } = start(ok);
      const hold = { scope: "*", status: 503, code: null, untilMs: NOW + 40_000 };
      const minute = {
        limit: 120,
        remaining: 0,
        resetMs: NOW + 55_000,
        lowestTold: 0,
        isTold: true,
      };
      ledger.update((state) => ({
        state: { ...state, holds: [hold], windows: { minute } },
        result: null,
      }));
      const outcome = await exchange.send(FACTORS, { maxWaitMs })
        .then(({ status }) => status, (error: WaitError) => error.code);
      expect(outcome).toBe(end);
      expect(clock.ms - NOW).toBe(waitedMs);
    },
  );
});

describe("an answer that has arrived whole", () => {
  const whole = (isWhole: boolean) => ({
    send: () =>
      Promise.resolve({
        status: 200,
        headers: new Headers({ "Content-Type": "application/json" }),
        body: (async function* () {
          await Promise.resolve();
          yield new TextEncoder().encode("{}");
        })(),
        isWhole: () => isWhole,
      }),
    close: () => Promise.resolve(),
  });

  test.each([[true, 2], [false, 3]])(
    "ends its request in the transaction that learns from it (%s: %d in all)",
    async (isWhole, transactions) => {
      const { exchange, ledger } = start(ok, { sender: whole(isWhole) });
      const update = vi.spyOn(ledger, "update");
      await exchange.send(FACTORS);
      expect(update).toHaveBeenCalledTimes(transactions);
      expect(ledger.read().flights).toEqual([]);
      await exchange.send(FACTORS);
      expect(ledger.read().flights).toEqual([]);
    },
  );
});
