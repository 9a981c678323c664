import type { Check } from "../contract/check.ts";
import { type FactorHeaders, parseFactorHeaders } from "../contract/header.ts";
import type { ScoresQuery } from "../contract/query.ts";
import { ContractViolation } from "../contract/violation.ts";
import type { CheckOrigin } from "../frame/origin.ts";

/**
 * Refuses a check that is not what was asked for.
 *
 * @throws {ContractViolation} If factor or set id differ, or the check came after the instant that was asked for
 * @see API document, section 4.3
 */
export function assertAsked(check: CheckOrigin, query: ScoresQuery): void {
  const { factor, view } = query;
  if (check.factor !== factor) throw new ContractViolation("$.factor", `"${factor}"`, check.factor);
  if (view.kind === "snapshot" && check.snapshotId !== view.snapshotId) {
    throw new ContractViolation("$.snapshot_id", `"${view.snapshotId}"`, check.snapshotId);
  }
  if (view.kind === "at" && check.lastCheckedAt > view.at) {
    const required = `no later than ${view.at}`;
    throw new ContractViolation("$.last_checked_at", required, check.lastCheckedAt);
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
