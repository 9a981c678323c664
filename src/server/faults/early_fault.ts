import { ERROR_CODES, isErrorCode } from "../../base/contract/http/error_code.ts";
import type { HeaderField } from "../message/message.ts";
import { Refusal } from "../message/refusal.ts";
import type { FaultRule, StatusFault } from "./fault_rule.ts";

// Statuses of the real service before it counts a request: transport, access and quota.
const BEFORE_ADMISSION = [401, 408, 413, 414, 415, 429, 431];

/** True if a fault answers before a request allowance is spent, like the status that it imitates. */
export function isBeforeAdmission(rule: FaultRule): boolean {
  return rule.kind === "status" && BEFORE_ADMISSION.includes(rule.status);
}

/** Refusal of a status fault. */
export function faultRefusal(rule: StatusFault): Refusal {
  const { status } = rule;
  const waits = status === 429 || status === 503;
  const seconds = rule.retryAfterSeconds ?? (waits ? 1 : 0);
  const headers: HeaderField[] = Object.entries(rule.headers ?? {});
  if (status === 401) headers.push(["WWW-Authenticate", "Bearer"]);
  if (status === 405) headers.push(["Allow", "GET"]);
  return new Refusal(codeOf(rule), `An injected fault answers with ${status}`, {
    status,
    headers,
    ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
    ...(rule.factor === undefined ? {} : { factor: rule.factor }),
    note: "an injected fault",
  });
}

// Undefined codes are allowed: clients must tolerate later editions of the document.
function codeOf(rule: StatusFault): keyof typeof ERROR_CODES {
  if (rule.code !== undefined) return rule.code as keyof typeof ERROR_CODES;
  const first = Object.keys(ERROR_CODES).find((code) =>
    isErrorCode(code) && ERROR_CODES[code].status === rule.status
  );
  if (rule.status === 408) return "request_timeout";
  if (isErrorCode(first)) return first;
  return rule.status < 500 ? "invalid_request" : "internal_error";
}
