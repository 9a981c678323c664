import type { Check } from "../scores/check.ts";
import { type Factor, parseFactor } from "../factor.ts";
import { isUuid } from "../identifier.ts";
import { isPlainObject } from "../json_text.ts";
import { type Instant, parseInstant } from "../instant.ts";
import { ContractViolation } from "../violation.ts";

/** Contents of the `X-Factor-*` headers of a score response (section 4.3). */
export interface FactorHeaders {
  /** Selected factor. */
  readonly factor: Factor;
  /** Data status. */
  readonly status: string;
  /** Score-set id. */
  readonly snapshotId: string;
  /** Publication time of the set. */
  readonly calculatedAt: Instant;
  /** Completion time of the selected check. */
  readonly lastCheckedAt: Instant;
  /** Observation cutoff of the selected check. */
  readonly dataThrough: Instant;
}

/** One budget window of the account, from response headers (section 4.1). */
export interface Budget {
  /** Size of the budget. */
  readonly limit: number;
  /** Remainder. */
  readonly remaining: number;
  /** End of the window, Unix seconds. */
  readonly reset: number;
}

/** Budgets of a response; each is absent if its quota was not checked. */
export interface Budgets {
  /** Requests in the current UTC clock minute. */
  readonly minute?: Budget;
  /** Requests on the current UTC day. */
  readonly day?: Budget;
  /** File downloads on the current UTC day. */
  readonly download?: Budget;
}

const BUDGET_PREFIX = {
  minute: "X-RateLimit",
  day: "X-DailyLimit",
  download: "X-DownloadLimit",
} as const;

const CHECK_HEADERS = ["Status", "Snapshot", "Calculated-At", "Last-Checked-At", "Data-Through"];

// The three forms of RFC 9110, section 5.6.7: the fixed one, that of RFC 850, and that of C's asctime().
const WITH_ZONE =
  /^[A-Z][a-z]{2,8}, (\d{2})[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} ([ \d]\d) \d{2}:\d{2}:\d{2} \d{4}$/;

/** Name of the header that marks an answer of a relay. */
export const RELAY_HEADER = "X-Scoreframe-Relay";

/** The `X-Factor-*` headers and their compatibility aliases for a selected check, as name and value. */
export function encodeFactorHeaders(check: Check): [name: string, value: string][] {
  const values = [
    ["Status", check.status],
    ["Snapshot", check.snapshotId],
    ["Calculated-At", check.calculatedAt],
    ["Last-Checked-At", check.lastCheckedAt],
    ["Data-Through", check.dataThrough],
  ] as const;
  const alias = check.factor.toUpperCase();
  return [
    ["X-Factor-Name", check.factor],
    ...values.map(([name, value]): [string, string] => [`X-Factor-${name}`, value]),
    ...values.map(([name, value]): [string, string] => [`X-${alias}-${name}`, value]),
  ];
}

/**
 * Reads the `X-Factor-*` headers.
 *
 * @throws {ContractViolation} If one is missing or malformed
 */
export function parseFactorHeaders(headers: Headers): FactorHeaders {
  const snapshotId = required(headers, "X-Factor-Snapshot");
  if (!isUuid(snapshotId)) throw new ContractViolation("X-Factor-Snapshot", "a UUID", snapshotId);
  const factor = parseFactor(required(headers, "X-Factor-Name"), "X-Factor-Name");
  return {
    factor,
    status: required(headers, "X-Factor-Status"),
    snapshotId: snapshotId.toLowerCase(),
    calculatedAt: instantHeader(headers, "X-Factor-Calculated-At"),
    lastCheckedAt: instantHeader(headers, "X-Factor-Last-Checked-At"),
    dataThrough: instantHeader(headers, "X-Factor-Data-Through"),
  };
}

/**
 * Refuses a compatibility alias whose value differs from its header: without a body it is unknown which one is right.
 *
 * @throws {ContractViolation} With the alias
 * @see API document, section 4.3
 */
export function assertAliases(headers: Headers, factor: Factor): void {
  for (const name of CHECK_HEADERS) {
    const alias = `X-${factor.toUpperCase()}-${name}`;
    const [told, other] = [headers.get(`X-Factor-${name}`), headers.get(alias)];
    if (told === null || other === null || other === told) continue;
    throw new ContractViolation(alias, `"${told}" as in X-Factor-${name}`, other);
  }
}

/** The headers of the budgets that are there. */
export function encodeBudgets(budgets: Budgets): [name: string, value: string][] {
  return Object.entries(BUDGET_PREFIX).flatMap(([kind, prefix]): [string, string][] => {
    const budget = budgets[kind as keyof Budgets];
    return budget === undefined ? [] : [
      [`${prefix}-Limit`, String(budget.limit)],
      [`${prefix}-Remaining`, String(budget.remaining)],
      [`${prefix}-Reset`, String(budget.reset)],
    ];
  });
}

/** Budgets in the headers, without absent or malformed ones. */
export function parseBudgets(headers: Headers): Budgets {
  const minute = parseBudget(headers, "minute");
  const day = parseBudget(headers, "day");
  const download = parseBudget(headers, "download");
  return { ...(minute && { minute }), ...(day && { day }), ...(download && { download }) };
}

/**
 * Earliest time for another attempt according to `Retry-After`, epoch milliseconds; `null` without a readable header.
 *
 * @param headers Headers of the response
 * @param receivedAtMs Time of arrival, from which seconds count
 */
export function parseRetryAfter(headers: Headers, receivedAtMs: number): number | null {
  const value = headers.get("Retry-After")?.trim();
  if (value === undefined || value === "") return null;
  if (/^\d+$/.test(value)) return receivedAtMs + Number(value) * 1000;
  // RFC 9110, section 10.2.3, also allows an HTTP date.
  return parseHttpDate(value);
}

function parseBudget(headers: Headers, kind: keyof Budgets): Budget | undefined {
  const read = (part: string) => {
    const value = headers.get(`${BUDGET_PREFIX[kind]}-${part}`);
    return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  };
  const [limit, remaining, reset] = [read("Limit"), read("Remaining"), read("Reset")];
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  return { limit, remaining, reset };
}

function instantHeader(headers: Headers, name: string): Instant {
  return parseInstant(required(headers, name), name);
}

function required(headers: Headers, name: string): string {
  const value = headers.get(name);
  if (value === null || value === "") throw new ContractViolation(name, "a value", undefined);
  return value;
}

/** Time of an HTTP date, epoch milliseconds; `null` for any other text, even if `Date` accepts it. */
export function parseHttpDate(text: string): number | null {
  const isAsctime = ASCTIME.test(text);
  const day = (WITH_ZONE.exec(text) ?? ASCTIME.exec(text))?.[1];
  if (day === undefined) return null;
  const time = Date.parse(isAsctime ? `${text} GMT` : text);
  // A day that does not exist in its month would become one of the next month.
  return new Date(time).getUTCDate() === Number(day) ? time : null;
}

/** Facts in the header of a relay's answer. */
export interface RelayMark {
  /** Requests that it sent to the service for this answer. */
  readonly spent: number;
  /** Age of the proof behind the answer, whole seconds; `null` without one. */
  readonly ageSeconds: number | null;
}

/** The value of the header. */
export function encodeRelayMark({ spent, ageSeconds }: RelayMark): string {
  return ageSeconds === null ? `spent=${spent}` : `spent=${spent}, age=${ageSeconds}`;
}

/** Reads the header; `null` without one, as every relay sends it. */
export function parseRelayMark(headers: Headers): RelayMark | null {
  const value = headers.get(RELAY_HEADER);
  if (value === null) return null;
  const numberOf = (name: string) => {
    const found = new RegExp(`(?:^|[ ,])${name}=(\\d{1,12})(?:,|$)`).exec(value)?.[1];
    return found === undefined ? null : Number(found);
  };
  // An unreadable mark is still that of a relay, which may have spent a request.
  return { spent: numberOf("spent") ?? 1, ageSeconds: numberOf("age") };
}

/** The world that an embedded server serves, for information only; `null` without the header, or if it describes none. */
export function parseWorld(headers: Headers): Readonly<Record<string, unknown>> | null {
  try {
    const world: unknown = JSON.parse(headers.get("X-Scoreframe-World") ?? "null");
    return isPlainObject(world) ? world : null;
  } catch {
    return null;
  }
}
