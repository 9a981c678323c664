import { AccountExchange } from "../../../src/client/transport/call/account_exchange.ts";
import { createCredential } from "../../../src/client/transport/wire/credential.ts";
import { EventLog, type Logger } from "../../../src/client/transport/event_log.ts";
import type { ExchangeRequest } from "../../../src/client/transport/exchange.ts";
import {
  EXCHANGE_DEFAULTS,
  type ExchangeSettings,
} from "../../../src/client/transport/call/exchange_settings.ts";
import { createFetchSender } from "../../../src/client/transport/wire/sender.ts";
import { openMemoryLedger } from "../../../src/client/transport/allowance/ledger.ts";

/** A sandbox key. */
export const KEY = "svc_test_exchange0123456789";
/** When each test begins. */
export const NOW = Date.parse("2026-11-20T15:00:05.000Z");
/** A request of the list. */
export const FACTORS: ExchangeRequest = {
  method: "GET",
  endpoint: "factors",
  path: "/v1/factors",
  accept: "application/json",
  action: "list the factors",
};
/** A request of the release file. */
export const FILE: ExchangeRequest = {
  method: "GET",
  endpoint: "historyFile",
  path: "/v1/scores/history.csv.gz?factor=ecpnd",
  accept: "application/gzip",
  action: "download the ecpnd history",
};
/** A good answer. */
export const ok = () => Response.json({});
/** An error object. */
export const refusal = (status: number, error: string, headers: Record<string, string> = {}) =>
  Response.json({ error, message: "no", retryable: true, request_id: "r" }, { status, headers });
/** A release file. */
export const file = (body: BodyInit | null = "bytes") =>
  new Response(body, { headers: { "Content-Type": "application/gzip" } });

/** An exchange whose requests are answered by a function, with a clock that only sleeping moves. */
export function start(
  answer: (request: Request) => Response | Promise<Response>,
  { logger, ...settings }:
    & Pick<ExchangeSettings, "onWait">
    & Partial<Pick<ExchangeSettings, "sender">>
    & { readonly logger?: Logger } = {},
) {
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
    ...settings,
  });
  return { exchange, ledger, log, clock };
}

/** A body that never ends, and whether its reader let go of it. */
export function endlessBody() {
  const seen = { isCancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1024)),
    cancel: () => void (seen.isCancelled = true),
  }, { highWaterMark: 1 });
  return { body, seen };
}

/** What a promise fails with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { cause?: unknown }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("a failure is expected");
}

/** Time for what was let go to be noticed. */
export const soon = () => new Promise((resolve) => setTimeout(resolve, 5));
