import { describe, expect, test } from "vitest";
import { CallBudget } from "../../src/transport/call_budget.ts";
import { AccountExchange } from "../../src/transport/account_exchange.ts";
import { createCredential } from "../../src/transport/credential.ts";
import { EventLog, type Logger } from "../../src/transport/event_log.ts";
import type { ExchangeRequest } from "../../src/transport/exchange.ts";
import { EXCHANGE_DEFAULTS } from "../../src/transport/exchange_settings.ts";
import { createFetchSender } from "../../src/transport/fetch_sender.ts";
import { guardLogger } from "../../src/transport/guard_logger.ts";
import { openMemoryLedger } from "../../src/transport/ledger.ts";

const KEY = "svc_test_exchange0123456789";
const NOW = Date.parse("2026-11-20T15:00:05.000Z");
const FACTORS: ExchangeRequest = {
  method: "GET",
  endpoint: "factors",
  path: "/v1/factors",
  accept: "application/json",
  action: "list the factors",
};
const FILE: ExchangeRequest = {
  method: "GET",
  endpoint: "historyFile",
  path: "/v1/scores/history.csv.gz?factor=ecpnd",
  accept: "application/gzip",
  action: "download the ecpnd history",
};
const ok = () => Response.json({});
const refusal = (status: number, error: string, headers: Record<string, string> = {}) =>
  Response.json(
    { error, message: "no", retryable: true, request_id: "r" },
    { status, headers },
  );
const file = (body: BodyInit | null = "bytes") =>
  new Response(body, { headers: { "Content-Type": "application/gzip" } });

/** An exchange whose requests are answered by a function, with a clock that only sleeping moves. */
function start(answer: (request: Request) => Response | Promise<Response>, logger?: Logger) {
  const clock = { ms: NOW };
  const credential = createCredential(KEY);
  const log = new EventLog(credential.redact, logger);
  const ledger = openMemoryLedger();
  const exchange = new AccountExchange({
    origin: "http://service.localhost",
    credential,
    sender: createFetchSender((request) => Promise.resolve(answer(request))),
    ledger,
    clock: {
      now: () => clock.ms,
      sleep: (waitMs) => {
        clock.ms += waitMs;
        return Promise.resolve();
      },
      random: () => 0,
    },
    log,
    userAgent: "test",
    defaults: EXCHANGE_DEFAULTS,
  });
  return { exchange, ledger, log, clock };
}

/** A body that never ends, and whether its reader let go of it. */
function endlessBody() {
  const seen = { isCancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1024)),
    cancel: () => void (seen.isCancelled = true),
  }, { highWaterMark: 1 });
  return { body, seen };
}

async function failureOf(promise: Promise<unknown>): Promise<Error & { cause?: unknown }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("a failure is expected");
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

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

describe("the budget of a verb", () => {
  test("bounds the waiting of all its requests together", async () => {
    const { exchange } = start(() => refusal(503, "request_timeout", { "Retry-After": "30" }));
    const options = { budget: new CallBudget({ maxWaitMs: 40_000 }), maxRetries: 1 };
    await expect(exchange.send(FACTORS, options)).rejects.toThrow("tried 2 times");
    await expect(exchange.send(FACTORS, options))
      .rejects.toThrow("or allow a longer wait than maxWaitMs 40000");
  });

  test("bounds the time of all its requests together", async () => {
    const { exchange } = start(async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return ok();
    });
    const options = { budget: new CallBudget({ deadlineMs: 150 }), maxRetries: 0 };
    const sendMany = async () => {
      for (let i = 0; i < 5; i++) await exchange.send(FACTORS, options);
    };
    await expect(sendMany()).rejects.toThrow("the whole call must end within deadlineMs 150");
  });

  test("leaves what its caller did not bound to each request", async () => {
    let requests = 0;
    const { exchange } = start(() =>
      ++requests % 2 === 1 ? refusal(503, "request_timeout", { "Retry-After": "40" }) : ok()
    );
    const options = { budget: new CallBudget({}) };
    for (let i = 0; i < 3; i++) await exchange.send(FACTORS, options);
    expect(requests).toBe(6);
  });

  test("gives a transfer its whole time from its start, not from when it began to wait", async () => {
    const { exchange } = start(async () => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      return file();
    });
    const first = await exchange.open(FILE);
    const second = exchange.open(FILE, { deadlineMs: 250 });
    await new Promise((resolve) => setTimeout(resolve, 180));
    await first!.close();
    await (await second)!.close();
  });
});

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

describe("a service that echoes the key", () => {
  // As a JSON escape, which only parsing turns into the key.
  const spelled = KEY.replace("s", "\\u0073");
  const echo = `{"error":"${spelled}","message":"${spelled}","retryable":false,` +
    `"request_id":"${spelled}","details":{"${spelled}":"${spelled}"}}`;

  test.each([
    [
      "in an error object",
      'the service says "svc_test_…6789"',
      () => new Response(echo, { status: 400, headers: { "Content-Type": "application/json" } }),
    ],
    [
      "in its request id",
      "svc_test_…",
      () => new Response("{}", { status: 404, headers: { "X-Request-Id": KEY } }),
    ],
    [
      "in its media type",
      "text/svc_test_...6789",
      () => new Response("x", { headers: { "Content-Type": `text/${KEY}` } }),
    ],
    [
      "in its encoding",
      "svc_test_...6789",
      () => new Response("x", { headers: { "Content-Encoding": KEY, "X-Request-Id": KEY } }),
    ],
    [
      "in a redirect",
      "svc_test_...6789",
      () => new Response(null, { status: 302, headers: { "X-Request-Id": KEY } }),
    ],
  ])("%s gets it into no error, event or log", async (_where, seen, answer) => {
    const heard: string[] = [];
    const { exchange, log, ledger } = start(answer, {
      debug: (message) => heard.push(message),
      warn: (message) => heard.push(message),
    });
    const error = await failureOf(exchange.send(FACTORS));
    const shown = [String(error), JSON.stringify(error), log.list(), heard, ledger.read()];
    expect(JSON.stringify(shown)).not.toMatch(/exchange0123/i);
    expect(error.message).toContain("Cannot list the factors");
    expect(String(error)).toContain(seen);
  });

  test("in the validator of a good answer gets it neither to the caller nor into the ledger", async () => {
    const { exchange, ledger } = start(() => Response.json({}, { headers: { ETag: `"${KEY}"` } }));
    const { headers } = await exchange.send(FACTORS);
    expect(headers.get("ETag")).toBe('"svc_test_...6789"');
    ledger.writeValidator("u", { etag: `"${KEY}"`, check: "c", snapshotId: "s" });
    expect(ledger.readValidator("u")).toBeNull();
  });
});

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

describe("a Retry-After", () => {
  test("as an HTTP date counts by the service's clock, also without a Date header", async () => {
    // The machine is ten minutes fast: what is 15:00:05 here is 14:50:05 there.
    const answers = [
      Response.json({}, { headers: { Date: "Fri, 20 Nov 2026 14:50:05 GMT" } }),
      refusal(503, "service_unavailable", { "Retry-After": "Fri, 20 Nov 2026 14:50:35 GMT" }),
      ok(),
    ];
    const { exchange, clock } = start(() => answers.shift()!);
    await exchange.send(FACTORS);
    await exchange.send(FACTORS);
    expect(clock.ms - NOW).toBe(30_000);
  });

  test("of centuries holds the account for a day at most", async () => {
    const { exchange, ledger } = start(() =>
      refusal(503, "service_unavailable", { "Retry-After": "99999999999999" })
    );
    await expect(exchange.send(FACTORS)).rejects.toMatchObject({
      name: "WaitError",
      retryAtMs: NOW + 86_400_000,
    });
    expect(ledger.read().holds[0]!.untilMs).toBe(NOW + 86_400_000);
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
      "Cannot list the factors: the connection was closed, nothing was sent; connect() again",
    );
    expect(requests).toBe(0);
  });
});
