import { type EndpointId, SCOPES } from "../base/contract/http/endpoint.ts";
import {
  aFactor,
  aFlag,
  aNumber,
  aText,
  type Form,
  type FormsOf,
  listOf,
  object,
  type ObjectForm,
  oneOfTexts,
  optional,
  orNull,
  readBy,
  recordOf,
  since,
  variants,
} from "../base/contract/schema.ts";
import type { FaultRule, FaultTarget } from "./faults/fault_plan.ts";
import type { Span, TimelineEvent } from "./timeline/timeline.ts";
import { ContractViolation, describe } from "../base/contract/violation.ts";
import type { AccountLimits, AccountSpec, KeySpec, LicenceSpec } from "./account/accounts.ts";
import { nearestHint } from "../base/arguments/nearest_name.ts";

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

const endpointName = oneOfTexts("factors", "scores", "history", "history_file");
const ENDPOINT: Form<EndpointId> = readBy((value, path) => {
  const name = endpointName.read(value, path);
  return name === "history_file" ? "historyFile" : name;
});
const TARGET: FormsOf<FaultTarget> = {
  endpoint: optional(ENDPOINT),
  method: optional(oneOfTexts("GET", "HEAD")),
  contains: optional(aText),
  after: optional(aNumber),
  count: optional(aNumber),
  probability: optional(aNumber),
};
const FAULT = variants<FaultRule>({
  status: {
    ...TARGET,
    status: aNumber,
    code: optional(aText),
    retryAfterSeconds: optional(aNumber),
    factor: optional(aFactor),
    headers: optional(recordOf(aText)),
  },
  proxy_page: { ...TARGET, status: optional(aNumber), html: optional(aText) },
  latency: { ...TARGET, ms: aNumber },
  dribble: { ...TARGET, chunkBytes: optional(aNumber), intervalMs: optional(aNumber) },
  reset: { ...TARGET, afterBytes: optional(aNumber) },
  cut: { ...TARGET, afterBytes: optional(aNumber) },
  content_length: { ...TARGET, by: aNumber },
  corrupt: { ...TARGET, offset: optional(aNumber) },
  release_swapped: { ...TARGET },
  duplicate_row: TARGET,
  unsorted_rows: TARGET,
  missing_row: TARGET,
  score_out_of_range: TARGET,
  unknown_status: { ...TARGET, status: optional(aText) },
  headers: { ...TARGET, set: recordOf(orNull(aText)) },
}, unknownField);

const SPAN: FormsOf<Span> = { from: aText, until: aText };
const factor = optional(aFactor);
const EVENT = variants<TimelineEvent>({
  outage: { ...SPAN, factor },
  no_first_set: { until: aText, factor },
  source_delay: { ...SPAN, factor },
  backlog: {
    ...SPAN,
    factor,
    pendingCalls: optional(aNumber),
    failedCalls: optional(aNumber),
    pendingFactorCalls: optional(aNumber),
  },
  partial_prices: { ...SPAN, factor, priceTickersCurrent: orNull(aNumber) },
  correction: { at: aText, factor: aFactor, scores: recordOf(orNull(aNumber)) },
  licence: { at: aText, account: aText, factor: aFactor, active: aFlag },
  key_revoked: { at: aText, account: aText, sha256: optional(aText) },
  release_replaced: { at: aText, factor: aFactor, downloadSha256: orNull(aText) },
}, unknownField);
const SCENARIO_FILE = strict<Scenario>({
  seed: optional(aNumber),
  faults: since([], listOf(FAULT)),
  timeline: since([], listOf(EVENT)),
});

const LICENCE = strict<LicenceSpec>({
  factor: aFactor,
  from: optional(aText),
  until: optional(aText),
});
const LICENSED: Form<AccountSpec["factors"][number]> = readBy((value, path) =>
  (typeof value === "string" ? aFactor : LICENCE).read(value, path)
);
// A key in the wrong place is not shown.
const SECRET: Form<string> = readBy((value, path) => {
  if (typeof value === "string") return value;
  throw new ContractViolation(path, "the text of a key", typeof value);
});
const ACCOUNT = strict<AccountSpec>({
  id: aText,
  factors: listOf(LICENSED),
  keys: listOf(strict<KeySpec>({
    key: optional(SECRET),
    sha256: optional(aText),
    revoked: optional(aFlag),
    expiresAt: optional(aText),
    scopes: optional(listOf(oneOfTexts(...SCOPES))),
  })),
  limits: optional(strict<Partial<AccountLimits>>({
    requestsPerMinute: optional(aNumber),
    requestsPerDay: optional(aNumber),
    concurrentRequests: optional(aNumber),
    downloadsPerDay: optional(aNumber),
    concurrentDownloads: optional(aNumber),
  })),
});
const ACCOUNTS_FILE = strict<{ readonly accounts: readonly AccountSpec[] }>({
  accounts: listOf(ACCOUNT),
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
  return object<T>(forms, unknownField);
}

/** The error for a field that there is not, with the one that was probably meant. */
function unknownField(path: string, name: string, known: readonly string[]): TypeError {
  const { message } = new ContractViolation(path, `one of the fields ${known.join(", ")}`, name);
  return new TypeError(`${message}${nearestHint(name, known)}`);
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
    return form.read(value, file === undefined ? "$" : `"${file}", $`);
  } catch (error) {
    throw error instanceof ContractViolation ? new TypeError(error.message) : error;
  }
}
