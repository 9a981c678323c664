import type { Check } from "../../base/contract/scores/check.ts";
import { FACTORS } from "../../base/contract/factor.ts";
import { type FactorHeaders, parseFactorHeaders } from "../../base/contract/http/header.ts";
import { epochMsOf } from "../../base/contract/instant.ts";
import type { ScoresQuery } from "../../base/contract/http/query.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import type { CheckOrigin } from "../../frames/frame/provenance/origin.ts";

/**
 * Refuses a check that does not match the request.
 *
 * @throws {ContractViolation} If factor or set id differ, the check is after the requested instant or not the publication of
 * the requested set, or it is stale although the latest view was not requested
 * @see API document, sections 3 and 4.3
 */
export function assertAsked(check: CheckOrigin, query: ScoresQuery): void {
  const { factor, view } = query;
  if (check.factor !== factor) throw new ContractViolation("$.factor", `"${factor}"`, check.factor);
  if (view.kind === "snapshot" && check.snapshotId !== view.snapshotId) {
    throw new ContractViolation("$.snapshot_id", `"${view.snapshotId}"`, check.snapshotId);
  }
  if (view.kind === "snapshot" && check.lastCheckedAt !== check.calculatedAt) {
    const required = `the publication of the set, ${check.calculatedAt}`;
    throw new ContractViolation("$.last_checked_at", required, check.lastCheckedAt);
  }
  if (view.kind !== "latest" && check.status === "stale") {
    throw new ContractViolation("$.status", "the status that the check recorded", check.status);
  }
  if (view.kind === "at" && check.lastCheckedAt > view.at) {
    const required = `no later than ${view.at}`;
    throw new ContractViolation("$.last_checked_at", required, check.lastCheckedAt);
  }
}

// The service and its front end may be different machines, and the Date header has whole seconds.
const CLOCK_SLACK_MS = 60_000;

/**
 * Refuses an impossible check: one in the future, with data from the future, or with the calculation definition of the other
 * factor.
 *
 * @param headers Headers of the answer; without a `Date`, the future is not checked
 * @throws {ContractViolation} With the field
 * @see API document, sections 2.2 and 9
 */
export function assertPossible(check: CheckOrigin, headers: Headers): void {
  const { factor, factorVersion, lastCheckedAt, dataThrough } = check;
  if (dataThrough > lastCheckedAt) {
    const required = `a time not after the check at ${lastCheckedAt}`;
    throw new ContractViolation("$.data_through", required, dataThrough);
  }
  const sentMs = Date.parse(headers.get("Date") ?? "");
  if (epochMsOf(lastCheckedAt) > sentMs + CLOCK_SLACK_MS) {
    const required = `a time not after the answer of ${headers.get("Date")}`;
    throw new ContractViolation("$.last_checked_at", required, lastCheckedAt);
  }
  const other = FACTORS.find((name) => name !== factor && factorVersion?.startsWith(`${name}-`));
  if (other !== undefined) {
    throw new ContractViolation("$.factor_version", `a definition of ${factor}`, factorVersion);
  }
}

/**
 * Refuses headers that contradict the body.
 *
 * @throws {ContractViolation} With the name of the first header that is missing or differs
 * @see API document, section 4.3
 */
export function assertHeadersAgree(headers: Headers, check: Check): FactorHeaders {
  const told = parseFactorHeaders(headers);
  const pairs: readonly [name: string, header: string, body: string][] = [
    ["X-Factor-Name", told.factor, check.factor],
    ["X-Factor-Status", told.status, check.status],
    ["X-Factor-Snapshot", told.snapshotId, check.snapshotId],
    ["X-Factor-Calculated-At", told.calculatedAt, check.calculatedAt],
    ["X-Factor-Last-Checked-At", told.lastCheckedAt, check.lastCheckedAt],
    ["X-Factor-Data-Through", told.dataThrough, check.dataThrough],
  ];
  for (const [name, header, body] of pairs) {
    if (header !== body) throw new ContractViolation(name, `"${body}" as in the body`, header);
  }
  return told;
}
