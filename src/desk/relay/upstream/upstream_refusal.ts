import {
  ERROR_CODES,
  type ErrorCode,
  isErrorCode,
} from "../../../base/contract/http/error_body.ts";
import type { Factor } from "../../../base/contract/factor.ts";
import { instantOf } from "../../../base/contract/instant.ts";
import {
  AccessError,
  ApiError,
  StorageError,
  TransportError,
  WaitError,
} from "../../../base/errors.ts";
import { Refusal } from "../../../server/message/refusal.ts";

/** Context of a failed request. */
export interface FailedQuestion {
  /** Requested factor, if any. */
  readonly factor: Factor | null;
  /** Time of this machine, epoch milliseconds. */
  readonly nowMs: number;
}

/** Wait after a failure without a wait from the service. */
export const OUTAGE_RETRY_SECONDS = 10;
/** Wait after a failed write to the disk. */
export const DISK_RETRY_SECONDS = 60;
const WORST_RETRY_SECONDS = 60;
const REFUSED_RETRY_SECONDS = 30;
// What the licence of the account allows concerns its users as well; they read the service's code.
const LICENCE_CODES: readonly (string | null)[] = [
  "factor_subscription_required",
  "subscription_required",
];
const ACCOUNT_CODES: readonly string[] = [
  "rate_limit_exceeded",
  "daily_limit_exceeded",
  "download_limit_exceeded",
  "concurrent_request_limit",
];

/** Refusal for a user after a failed request to the service, with the service's code if there is one. */
export function upstreamRefusal(error: unknown, question: FailedQuestion): Refusal {
  if (error instanceof Refusal) return error;
  const note = error instanceof Error ? error.message : String(error);
  if (error instanceof WaitError) return waitRefusal(error, question);
  if (error instanceof AccessError && !LICENCE_CODES.includes(error.code)) {
    return accountRefusal(error);
  }
  if (error instanceof ApiError && error.code !== null && isErrorCode(error.code)) {
    return apiRefusal(error, error.code, question);
  }
  if (error instanceof TransportError || error instanceof ApiError) {
    return outageRefusal(OUTAGE_RETRY_SECONDS, note);
  }
  if (isDiskTrouble(error)) {
    const message =
      "The relay cannot write to its disk; meanwhile it answers only what its store proves";
    return new Refusal("service_unavailable", message, {
      retryAfterSeconds: DISK_RETRY_SECONDS,
      note,
    });
  }
  const message = "The service's answer cannot be used, and nothing was kept; note the request id";
  return new Refusal("internal_error", message, { note });
}

/** Refusal while the service gives no usable answer. */
export function outageRefusal(retryAfterSeconds: number, note?: string): Refusal {
  return new Refusal(
    "service_unavailable",
    "The service behind this relay gave no usable answer; meanwhile the relay answers only what its store proves",
    { retryAfterSeconds, ...note !== undefined && { note } },
  );
}

// Not a 401: the user's own key is in order, and her library must neither drop it nor send it less often.
function accountRefusal({ status, code, message }: AccessError): Refusal {
  return new Refusal(
    "service_unavailable",
    "The service refuses the key of this relay's account " +
      `(${status}${code === null ? "" : ` ${code}`}), so the relay serves nothing until that key ` +
      "is replaced; your own key is in order; tell whoever runs the relay",
    {
      retryAfterSeconds: REFUSED_RETRY_SECONDS,
      details: { relay: "account_refused", status },
      note: message,
    },
  );
}

function waitRefusal(error: WaitError, { nowMs }: FailedQuestion): Refusal {
  const { code, retryAtMs, requestId } = error;
  const known: ErrorCode = code !== null && isErrorCode(code) ? code : "service_unavailable";
  const seconds = retryAtMs === null ? WORST_RETRY_SECONDS : (retryAtMs - nowMs) / 1000;
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
  const { status } = ERROR_CODES[known];
  const again = retryAtMs === null ? "" : ` at ${instantOf(retryAtMs)}`;
  const id = requestId === null ? "" : `; the service's request id is ${requestId}`;
  const note = `the service can be asked again${again}${id}`;
  const isOfAccount = ACCOUNT_CODES.includes(known);
  const message = isOfAccount
    ? "The account behind this relay has spent its allowance, which all users of the relay share; " +
      `retry in ${retryAfterSeconds} s; answers from the relay's store cost nothing`
    : error.said ?? "The service behind this relay requires a wait";
  return new Refusal(known, message, { status, retryAfterSeconds, note });
}

function apiRefusal(error: ApiError, code: ErrorCode, { factor }: FailedQuestion): Refusal {
  const isLicence = code === "factor_subscription_required" && factor !== null;
  const details = error.details as Readonly<Record<string, unknown>> | null;
  return new Refusal(code, error.said ?? "The service refuses this request", {
    status: error.status,
    note: error.message,
    ...(details !== null && { details }),
    ...(isLicence && { factor }),
  });
}

/** True if a write to the disk failed, of a store or of a ledger (a SQLite file). */
export function isDiskTrouble(error: unknown): error is Error {
  if (error instanceof StorageError) return true;
  const code = (error as { readonly code?: unknown } | null)?.code;
  return error instanceof Error && String(code).startsWith("ERR_SQLITE");
}
