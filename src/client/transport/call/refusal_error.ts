import { instantOf } from "../../../base/contract/instant.ts";
import {
  AccessError,
  ApiError,
  NotFoundError,
  TransportError,
  WaitError,
} from "../../../base/errors.ts";
import { STOPPED_ADVICE } from "../allowance/obstacle_error.ts";
import type { Credential } from "../wire/credential.ts";
import { type ReadRefusal, shortLine } from "./refusal.ts";
import type { NoRetryReason } from "./retry.ts";

/** Context of a refusal's message. */
export interface RefusalContext {
  /** Action, worded to follow "Cannot". */
  readonly action: string;
  /** Key of the account, for its hint. */
  readonly credential: Credential;
  /** Reason why it is not tried again. */
  readonly because: NoRetryReason;
  /** Number of attempts. */
  readonly attempts: number;
  /** Waiting that the caller allowed. */
  readonly maxWaitMs: number;
  /** True if this connection has had a good answer from the address. */
  readonly hasAnswered: boolean;
}

// Statuses of section 4, from the service or a limit in front of it.
const DOCUMENTED: readonly number[] = [
  ...[400, 401, 403, 404, 405, 408, 413, 414, 415, 429, 431, 500, 503],
];

const ADVICE: Readonly<Record<string, string>> = {
  invalid_request: "correct the parameter",
  invalid_factor: "use ecpnd or ecqdi",
  use_at_or_snapshot_id: "use one of the two",
  future_observation_requested: "use a time in the past, and check this machine's clock",
  factor_subscription_required: "load a factor that factors() lists, or subscribe to it",
  subscription_required: "subscribe to a factor first",
  insufficient_scope: "use a key that may access this endpoint",
  research_admin_only: "only administrators of the service have access",
  ticker_not_found: "load the set without a ticker to list its tickers",
  score_snapshot_not_available: "use a later time or another set",
  internal_error: "report the request id to the service",
  download_limit_exceeded: "releases in the store can still be loaded",
  daily_limit_exceeded: "scores in the store can still be loaded",
};

const LONGEST_TEXT = 200;

// An address that is not the service's gives the code of a missing set (section 7).
const ADDRESS_ADVICE = "check the base address, to which /v1 is added; if it is right, ";

/** Typed error for an answer with an error status. */
export function refusalError(
  refusal: ReadRefusal,
  context: RefusalContext,
): ApiError | TransportError {
  const { status, body, requestId, retryAtMs } = refusal;
  const parts = [
    [String(status), body?.error].filter((part) => part !== undefined).join(" "),
    serviceWords(refusal),
    waitWords(refusal, context),
    adviceFor(refusal, context),
    requestId === null ? undefined : `request ${requestId}`,
  ];
  const message = `Cannot ${context.action}: ${parts.filter(Boolean).join("; ")}`;
  const details = body?.details;
  const said = body && shortLine(body.message, LONGEST_TEXT);
  const fields = { status, code: body?.error ?? null, requestId, retryAtMs, details, said };
  if (body === null && !DOCUMENTED.includes(status)) return new TransportError(message);
  if (status === 401 || status === 403) return new AccessError(message, fields);
  if (status === 404) return new NotFoundError(message, fields);
  if (status === 408 || status === 429 || status === 503) return new WaitError(message, fields);
  return new ApiError(message, fields);
}

function serviceWords({ body, contentType }: ReadRefusal): string {
  if (body === null) {
    const found = contentType === "" ? "no body of a known type" : contentType.slice(0, 40);
    return `expected an error object, got ${found}, perhaps from a proxy`;
  }
  const text = shortLine(body.message, LONGEST_TEXT);
  const details = saysMore(body.details, body.message)
    ? ` ${shortLine(JSON.stringify(body.details), LONGEST_TEXT)}`
    : "";
  return `the service says "${text}"${details}`;
}

/** True if the details contain anything that the message does not. */
function saysMore(details: unknown, message: string): boolean {
  if (typeof details === "string") return !message.includes(details);
  if (typeof details !== "object" || details === null) return details !== undefined;
  return Object.values(details).some((value) => saysMore(value, message));
}

function waitWords({ retryAtMs }: ReadRefusal, context: RefusalContext): string | undefined {
  const { because, attempts, maxWaitMs } = context;
  if (because === "stopped") return STOPPED_ADVICE;
  const tried = attempts > 1 ? `tried ${attempts} times, ` : "";
  if (retryAtMs === null) return tried === "" ? undefined : tried.slice(0, -2);
  const at = instantOf(Math.ceil(retryAtMs));
  const limit = because === "wait" ? `, which is beyond maxWaitMs ${maxWaitMs}` : "";
  const download = because === "download"
    ? "; a download is not repeated automatically because each start is charged"
    : "";
  return `${tried}the next attempt is allowed at ${at}${limit}${download}`;
}

function adviceFor({ status, body }: ReadRefusal, context: RefusalContext): string | undefined {
  if (status === 401) {
    const environment = context.credential.environment;
    return `the key ${context.credential.masked} is unknown to the service, expired, revoked or for another ` +
      `environment: it is a ${environment} key; connect() with another one`;
  }
  if (body !== null && body.factor !== null) {
    return `${ADVICE[body.error] ?? "subscribe"} (refused: ${body.factor})`;
  }
  const advice = ADVICE[body?.error ?? ""];
  const isAstray = body?.error === "score_snapshot_not_available" && !context.hasAnswered;
  return isAstray ? `${ADDRESS_ADVICE}${advice}` : advice;
}

/** Error for a request after the key was refused, which must not be sent again unchanged (section 5, rule 6). */
export function refusedEarlier(action: string, refusal: AccessError): AccessError {
  return new AccessError(
    `Cannot ${action}: the service refused this key earlier (401 unauthorized; request ` +
      `${refusal.requestId}); nothing was sent; connect() with another key`,
    refusal,
  );
}
