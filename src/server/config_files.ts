import { type EndpointId, SCOPES } from "../base/contract/http/endpoint.ts";
import * as z from "zod/mini";
import {
  aFactor,
  aFlag,
  aNumber,
  aText,
  type Form,
  type FormsOf,
  object,
  type ObjectForm,
  read,
  readBy,
  variants,
} from "../base/contract/schema.ts";
import type { FaultRule, FaultTarget } from "./faults/fault_plan.ts";
import type { TimelineEvent } from "./timeline/timeline.ts";
import { nearestHint } from "../base/arguments/nearest_name.ts";
import { ContractViolation, describe } from "../base/contract/violation.ts";
import type { AccountLimits, AccountSpec, KeySpec, LicenceSpec } from "./account/accounts.ts";

/** Contents of a faults file. */
export interface Scenario {
  /** Seed of the pseudo-random decisions. */
  readonly seed?: number;
  /** Injected faults. */
  readonly faults: readonly FaultRule[];
  /** Events of the service. */
  readonly timeline: readonly TimelineEvent[];
}

/** Source of a configuration. */
export interface ConfigOptions {
  /**
   * Path of the file, for messages.
   *
   * @default none
   */
  readonly file?: string;
}

const ENDPOINT = z.codec(
  z.enum(["factors", "scores", "history", "history_file"]),
  z.custom<EndpointId>(),
  {
    decode: (name) => name === "history_file" ? "historyFile" : name,
    encode: (id) => id === "historyFile" ? "history_file" : id,
  },
);
const TARGET: FormsOf<FaultTarget> = {
  endpoint: z.optional(ENDPOINT),
  method: z.optional(z.enum(["GET", "HEAD"])),
  contains: z.optional(aText),
  after: z.optional(aNumber),
  count: z.optional(aNumber),
  probability: z.optional(aNumber),
};
const FAULT = variants<FaultRule>({
  status: {
    ...TARGET,
    status: aNumber,
    code: z.optional(aText),
    retryAfterSeconds: z.optional(aNumber),
    factor: z.optional(aFactor),
    headers: z.optional(z.record(z.string(), aText)),
  },
  proxy_page: { ...TARGET, status: z.optional(aNumber), html: z.optional(aText) },
  latency: { ...TARGET, ms: aNumber },
  dribble: { ...TARGET, chunkBytes: z.optional(aNumber), intervalMs: z.optional(aNumber) },
  reset: { ...TARGET, afterBytes: z.optional(aNumber) },
  cut: { ...TARGET, afterBytes: z.optional(aNumber) },
  content_length: { ...TARGET, by: aNumber },
  corrupt: { ...TARGET, offset: z.optional(aNumber) },
  release_swapped: { ...TARGET },
  duplicate_row: TARGET,
  unsorted_rows: TARGET,
  missing_row: TARGET,
  score_out_of_range: TARGET,
  unknown_status: { ...TARGET, status: z.optional(aText) },
  headers: { ...TARGET, set: z.record(z.string(), z.nullable(aText)) },
}, { strict: nearestHint });

const SPAN = { from: aText, until: aText };
const factor = z.optional(aFactor);
const EVENT = variants<TimelineEvent>({
  outage: { ...SPAN, factor },
  no_first_set: { until: aText, factor },
  source_delay: { ...SPAN, factor },
  backlog: {
    ...SPAN,
    factor,
    pendingCalls: z.optional(aNumber),
    failedCalls: z.optional(aNumber),
    pendingFactorCalls: z.optional(aNumber),
  },
  partial_prices: { ...SPAN, factor, priceTickersCurrent: z.nullable(aNumber) },
  correction: { at: aText, factor: aFactor, scores: z.record(z.string(), z.nullable(aNumber)) },
  licence: { at: aText, account: aText, factor: aFactor, active: aFlag },
  key_revoked: { at: aText, account: aText, sha256: z.optional(aText) },
  release_replaced: { at: aText, factor: aFactor, downloadSha256: z.nullable(aText) },
}, { strict: nearestHint });
const SCENARIO_FILE = strict<Scenario>({
  seed: z.optional(aNumber),
  faults: z._default(z.array(FAULT), []),
  timeline: z._default(z.array(EVENT), []),
});

const LICENCE = strict<LicenceSpec>({
  factor: aFactor,
  from: z.optional(aText),
  until: z.optional(aText),
});
const LICENSED: Form<AccountSpec["factors"][number]> = readBy((value, path) =>
  typeof value === "string" ? read(aFactor, value, path) : read(LICENCE, value, path)
);
// A key in the wrong place is not shown.
const SECRET: Form<string> = readBy((value, path) => {
  if (typeof value === "string") return value;
  throw new ContractViolation(path, "the text of a key", typeof value);
});
const ACCOUNT = strict<AccountSpec>({
  id: aText,
  factors: z.array(LICENSED),
  keys: z.array(strict<KeySpec>({
    key: z.optional(SECRET),
    sha256: z.optional(aText),
    revoked: z.optional(aFlag),
    expiresAt: z.optional(aText),
    scopes: z.optional(z.array(z.enum(SCOPES))),
  })),
  limits: z.optional(strict<Partial<AccountLimits>>({
    requestsPerMinute: z.optional(aNumber),
    requestsPerDay: z.optional(aNumber),
    concurrentRequests: z.optional(aNumber),
    downloadsPerDay: z.optional(aNumber),
    concurrentDownloads: z.optional(aNumber),
  })),
});
const ACCOUNTS_FILE = strict<{ readonly accounts: readonly AccountSpec[] }>({
  accounts: z.array(ACCOUNT),
});

/**
 * Reads a faults file: `{"seed": 7, "faults": [{"kind": …}], "timeline": [{"kind": …}]}`, every part optional.
 *
 * @param json Text of the file
 * @param options Path of the file, for messages
 * @throws {TypeError} With the path of the first wrong field
 */
export function parseScenario(json: string, options: ConfigOptions = {}): Scenario {
  return readConfig(SCENARIO_FILE, json, { ...options, what: "the faults file" });
}

/**
 * Reads an accounts file: `{"accounts":[{"id","factors","keys","limits"}]}`.
 *
 * `factors` has names, or objects with `factor`, `from` and `until` for an access period. A key has `key` or `sha256`, and may
 * have `revoked`, `expires_at` and `scopes`.
 *
 * @param json Text of the file
 * @param options Path of the file, for messages
 * @throws {TypeError} With the path of the first wrong field; a key is never shown
 */
export function parseAccounts(json: string, options: ConfigOptions = {}): readonly AccountSpec[] {
  return readConfig(ACCOUNTS_FILE, json, { ...options, what: "the accounts file" }).accounts;
}

/** The form of an object whose other fields are refused. */
function strict<T>(forms: FormsOf<T>): ObjectForm<T> {
  return object<T>(forms, { strict: nearestHint });
}

/**
 * Reads the JSON text of a configuration.
 *
 * @throws {TypeError} With the place, the expectation and the value; a key is never shown
 */
function readConfig<T>(
  form: Form<T>,
  json: string,
  { what, file }: ConfigOptions & { readonly what: string },
): T {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    const place = file === undefined ? what : `${what} "${file}"`;
    throw new TypeError(`Cannot read ${place}: expected JSON, got ${describe(json.slice(0, 40))}`);
  }
  try {
    return read(form, value, file === undefined ? "$" : `"${file}", $`);
  } catch (error) {
    throw error instanceof ContractViolation ? new TypeError(error.message) : error;
  }
}
