import type { EndpointId } from "../../base/contract/http/endpoint.ts";
import {
  aFactor,
  aFlag,
  aNumber,
  aText,
  type Form,
  type FormsOf,
  listOf,
  oneOfTexts,
  optional,
  orNull,
  readBy,
  recordOf,
  since,
  variants,
} from "../../base/contract/schema.ts";
import type { FaultRule, FaultTarget } from "../faults/fault_rule.ts";
import type { Span, TimelineEvent } from "../timeline/timeline_event.ts";
import { readConfig, strict, unknownField } from "./_config_forms.ts";
import type { ConfigOptions } from "./config_options.ts";

/** Contents of a faults file. */
export interface Scenario {
  /** Seed of the pseudo-random decisions. */
  readonly seed?: number;
  /** Injected faults. */
  readonly faults: readonly FaultRule[];
  /** Events of the service. */
  readonly timeline: readonly TimelineEvent[];
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
const FILE = strict<Scenario>({
  seed: optional(aNumber),
  faults: since([], listOf(FAULT)),
  timeline: since([], listOf(EVENT)),
});

/**
 * Reads a faults file: `{"seed": 7, "faults": [{"kind": …}], "timeline": [{"kind": …}]}`, every part optional.
 *
 * @param json Text of the file
 * @param options Path of the file, for messages
 * @throws {TypeError} With the path of the first wrong field
 */
export function parseScenario(json: string, options: ConfigOptions = {}): Scenario {
  return readConfig(FILE, json, { ...options, what: "the faults file" });
}
