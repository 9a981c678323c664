import { FACTORS } from "../../base/contract/factor.ts";
import type { FaultRule } from "../faults/fault_rule.ts";
import type { TimelineEvent } from "../timeline/timeline_event.ts";
import {
  asObject,
  fail,
  fields,
  filledText,
  flag,
  list,
  nullable,
  number,
  oneOfTexts,
  parseConfigJson,
  type Reader,
  record,
  rootOf,
} from "./_config_reader.ts";
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

type FieldReaders = Readonly<Record<string, Reader<unknown>>>;

const factor = oneOfTexts(FACTORS);
const TARGET: FieldReaders = {
  endpoint: (value, path) =>
    camel(oneOfTexts(["factors", "scores", "history", "history_file"]), value, path),
  method: oneOfTexts(["GET", "HEAD"]),
  contains: filledText,
  after: number,
  count: number,
  probability: number,
};
const FAULTS: Readonly<Record<FaultRule["kind"], FieldReaders>> = {
  status: {
    status: number,
    code: filledText,
    retry_after_seconds: number,
    factor,
    headers: record(filledText),
  },
  proxy_page: { status: number, html: filledText },
  latency: { ms: number },
  dribble: { chunk_bytes: number, interval_ms: number },
  reset: { after_bytes: number },
  cut: { after_bytes: number },
  content_length: { by: number },
  corrupt: { offset: number },
  release_swapped: {},
  duplicate_row: {},
  unsorted_rows: {},
  missing_row: {},
  score_out_of_range: {},
  unknown_status: { status: filledText },
  headers: { set: record(nullable(filledText)) },
};
const SPAN: FieldReaders = { from: filledText, until: filledText, factor };
const EVENTS: Readonly<Record<TimelineEvent["kind"], FieldReaders>> = {
  outage: SPAN,
  no_first_set: { until: filledText, factor },
  source_delay: SPAN,
  backlog: { ...SPAN, pending_calls: number, failed_calls: number, pending_factor_calls: number },
  partial_prices: { ...SPAN, price_tickers_current: nullable(number) },
  correction: { at: filledText, factor, scores: record(nullable(number)) },
  licence: { at: filledText, account: filledText, factor, active: flag },
  key_revoked: { at: filledText, account: filledText, sha256: filledText },
  release_replaced: { at: filledText, factor, download_sha256: nullable(filledText) },
};
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  status: ["status"],
  latency: ["ms"],
  content_length: ["by"],
  headers: ["set"],
  outage: ["from", "until"],
  no_first_set: ["until"],
  source_delay: ["from", "until"],
  backlog: ["from", "until"],
  partial_prices: ["from", "until", "price_tickers_current"],
  correction: ["at", "factor", "scores"],
  licence: ["at", "account", "factor", "active"],
  key_revoked: ["at", "account"],
  release_replaced: ["at", "factor", "download_sha256"],
};

/**
 * Reads a faults file: `{"seed": 7, "faults": [{"kind": …}], "timeline": [{"kind": …}]}`, every part optional.
 *
 * @param json Text of the file
 * @param options Path of the file, for messages
 * @throws {TypeError} With the path of the first wrong field
 */
export function parseScenario(json: string, options: ConfigOptions = {}): Scenario {
  const scenario = fields({
    seed: number,
    faults: list(kinds(FAULTS, TARGET)),
    timeline: list(kinds(EVENTS, {})),
  })(parseConfigJson(json, "the faults file", options), rootOf(options));
  return { faults: [], timeline: [], ...scenario };
}

function kinds(
  table: Readonly<Record<string, FieldReaders>>,
  common: FieldReaders,
): Reader<unknown> {
  const kindOf = oneOfTexts(Object.keys(table));
  return (value, path) => {
    const given = asObject(value, path);
    const kind = kindOf(given.kind, `${path}.kind`);
    for (const name of REQUIRED[kind] ?? []) {
      if (given[name] === undefined) fail(`${path}.${name}`, "a value", undefined);
    }
    return fields({ kind: kindOf, ...common, ...table[kind] })(value, path);
  };
}

function camel(read: Reader<string>, value: unknown, path: string): string {
  return read(value, path) === "history_file" ? "historyFile" : read(value, path);
}
