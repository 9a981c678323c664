import { parseBudgets, parseRelayMark } from "../../../base/contract/http/header.ts";
import { ContractError } from "../../../base/errors.ts";
import { AttemptProblem, AttemptRefused } from "./attempt_problem.ts";
import { readBody, untilAborted } from "./body.ts";
import type { Call } from "./call.ts";
import type { Deadline } from "./deadline.ts";
import type { AnswerHead } from "../exchange.ts";
import type { ExchangeSettings } from "./exchange_settings.ts";
import { serviceTimeAt } from "../allowance/account_state.ts";
import type { Ticket } from "../allowance/gate.ts";
import { holdAfter } from "../allowance/hold.ts";
import { redactHeaders } from "../wire/credential.ts";
import {
  type Arrival,
  dateMsOf,
  mediaTypeOf,
  type ReadRefusal,
  readRefusal,
  retryTimeOf,
} from "./refusal.ts";
import type { IncomingResponse } from "../wire/sender.ts";

/** An attempt with good headers. */
export interface OpenAttempt {
  /** Facts in the headers. */
  readonly head: Omit<AnswerHead, "attempts">;
  /** The answer, with its body unread. */
  readonly response: IncomingResponse;
}

/** Larger error objects are not read: status and headers are enough. */
const MAX_ERROR_BYTES = 65_536;

/**
 * Sends a request once and checks the headers of the answer.
 *
 * The ledger is updated with every answer, good or bad, before anything else. Keys are removed here from the answer's headers
 * and error object.
 *
 * @throws {AttemptRefused} If the service refuses
 * @throws {AttemptProblem} If the answer is not from the API
 */
export async function openAttempt(
  call: Call,
  ticket: Ticket,
  context: { readonly settings: ExchangeSettings; readonly deadline: Deadline },
): Promise<OpenAttempt> {
  const { settings, deadline } = context;
  const { request } = call;
  const sentAtMs = settings.clock.now();
  const sending = settings.sender.send({
    method: request.method,
    url: `${settings.origin}${request.path}`,
    headers: headersOf(call, settings),
    signal: deadline.signal,
  });
  const raw = await untilAborted(sending, deadline.signal);
  const response = { ...raw, headers: redactHeaders(raw.headers, settings.credential) };
  const dateMs = dateMsOf(response.headers);
  const receivedAtMs = settings.clock.now();
  const serviceMs = dateMs ?? serviceTimeAt(settings.ledger.read(), receivedAtMs);
  const arrival = { receivedAtMs, serviceMs };
  const { redact } = settings.credential;
  const refusal = response.status >= 400
    ? readRefusal(response, await errorBytes(response, deadline), { ...arrival, redact })
    : null;
  const relay = parseRelayMark(response.headers);
  ticket.learn({
    budgets: parseBudgets(response.headers),
    dateMs,
    receivedAtMs,
    hold: holdAfter(request, { ...waitOf(response, refusal, arrival), isOfRelay: relay !== null }),
    isClockStopped: response.headers.get("X-Scoreframe-Clock") === "stopped",
    relay,
  }, { isLast: response.isWhole?.() });
  if (refusal !== null) throw new AttemptRefused(refusal);
  assertUsable(response, call);
  return { head: headOf(response, { sentAtMs, receivedAtMs }), response };
}

function errorBytes(response: IncomingResponse, { signal }: Deadline): Promise<Uint8Array | null> {
  return readBody(response, { maxBytes: MAX_ERROR_BYTES, signal }).catch(() => null);
}

// Any answer may require a wait, even a successful one.
function waitOf(response: IncomingResponse, refusal: ReadRefusal | null, arrival: Arrival) {
  const { status, headers } = response;
  if (refusal === null) return { status, code: null, retryAtMs: retryTimeOf(headers, arrival) };
  return { status, code: refusal.body?.error ?? null, retryAtMs: refusal.retryAtMs };
}

function headersOf(call: Call, settings: ExchangeSettings): Record<string, string> {
  const { accept, ifNoneMatch } = call.request;
  return {
    authorization: settings.credential.authorization(),
    accept: accept === "application/json" ? accept : `${accept}, application/json`,
    // A decoded body would differ in checksum and length from the one that was sent.
    "accept-encoding": "identity",
    "user-agent": settings.userAgent,
    ...(ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch }),
  };
}

function assertUsable(response: IncomingResponse, { request }: Call): void {
  const { status, headers } = response;
  const requestId = headers.get("X-Request-Id");
  const refuse = (problem: string): never => {
    throw new AttemptProblem(requestId === null ? problem : `${problem}; request ${requestId}`);
  };
  if (status === 304) {
    if (request.ifNoneMatch !== undefined) return;
    throw new ContractError(
      `Cannot ${request.action}: expected a body, got 304 not modified ` +
        "although no validator was sent; report it to the service",
    );
  }
  if (status >= 300 && status < 400) {
    refuse(
      `expected an answer of the service itself, got the redirect ${status}, which is not ` +
        "followed, because the key is sent to the configured address only; check the base address",
    );
  }
  if (status !== 200) refuse(`expected status 200, got ${status}`);
  const encoding = headers.get("Content-Encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    const found = JSON.stringify(encoding).slice(0, 40);
    refuse(`expected a body without Content-Encoding, got ${found}`);
  }
  const mediaType = mediaTypeOf(headers);
  // A HEAD answer has ETag, Content-Disposition and Content-Length; a type is not guaranteed (section 4.6).
  if (request.method === "GET" && mediaType !== request.accept) {
    const found = mediaType === "" ? "no media type" : mediaType.slice(0, 40);
    refuse(
      `expected a body of type ${request.accept}, got ${found}, perhaps from a proxy or a login page`,
    );
  }
}

function headOf(
  response: IncomingResponse,
  times: { readonly sentAtMs: number; readonly receivedAtMs: number },
): OpenAttempt["head"] {
  const { headers } = response;
  return {
    status: response.status === 304 ? 304 : 200,
    headers,
    requestId: headers.get("X-Request-Id"),
    ...times,
    source: /^scoreframe\//.test(headers.get("Server") ?? "") ? "embedded" : "live",
    synthetic: headers.get("X-Scoreframe-Synthetic") === "true",
  };
}
