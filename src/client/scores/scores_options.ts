import {
  encodeScoresQuery,
  parseScoresQuery,
  type ScoresQuery,
  type View,
} from "../../base/contract/http/query.ts";
import { nearestHint } from "../../base/arguments/nearest_name.ts";
import { FACTORS } from "../../base/contract/factor.ts";
import { isTicker } from "../../base/contract/identifier.ts";
import { describe } from "../../base/contract/violation.ts";
import {
  PROVENANCE,
  type ProvenanceChoice,
} from "../../frames/frame/provenance/provenance_schema.ts";
import { EXCHANGE_RULES, type ExchangeOptions } from "../transport/exchange.ts";
import {
  AMOUNT,
  oneOf,
  type OptionRules,
  ruleBy,
  TEXT,
} from "../../base/arguments/check_options.ts";
import { INSTANT, type InstantInput, toInstant } from "../verb/instant_input.ts";
import type { Check } from "../../base/contract/scores/check.ts";
import { epochMsOf, type Instant } from "../../base/contract/instant.ts";
import { ScoreframeError } from "../../base/errors.ts";

/**
 * Freshness that a caller requires of a check.
 *
 * @internal
 */
export interface FreshnessOptions {
  /**
   * Refuses a check whose status is not `current`; an unknown status counts as not current.
   *
   * @default any status is accepted
   */
  readonly require?: "current";
  /**
   * Refuses a check whose `data_through` is older than this at the instant of the view: now for the latest view, `at` for a
   * view at an instant, and the publication for a set by its id.
   *
   * @default any age is accepted
   */
  readonly maxAgeMs?: number;
}

/** Scores to load, and options of their frame. */
export interface ScoresOptions<Choice extends ProvenanceChoice = ProvenanceChoice>
  extends ExchangeOptions, FreshnessOptions {
  /**
   * Selects the latest check completed no later than this; excludes `snapshotId`.
   *
   * @default the latest check
   */
  readonly at?: InstantInput;
  /**
   * Selects a published set by its id; excludes `at`.
   *
   * @default the latest check
   */
  readonly snapshotId?: string;
  /**
   * Returns only this ticker's row. The complete set is still loaded and stored, which costs the same single request; the next
   * ticker of the set then costs none.
   *
   * @default all rows
   */
  readonly ticker?: string;
  /**
   * Returns only these tickers' rows, in this order; excludes `ticker`. The complete set is still loaded and stored, with one
   * request. A ticker that is not in the set is a `NotFoundError` that names it.
   *
   * @default all rows
   */
  readonly tickers?: readonly string[];
  /**
   * Representation on the wire; the frame is the same. A CSV answer has no version, universe or coverage, so a check that is
   * not yet in the store costs a second, small request.
   *
   * @default "json"
   */
  readonly format?: "json" | "csv";
  /**
   * Provenance columns of the frame: all, none, or the given ones.
   *
   * @default true
   */
  readonly provenance?: Choice;
}

/** Accepted options of `scores()`. */
export const SCORES_RULES: OptionRules<ScoresOptions> = {
  at: { ...INSTANT, example: '"2026-11-19T15:00:00Z"' },
  snapshotId: TEXT,
  ticker: ruleBy("a ticker", (_, ticker: string) => assertTicker(ticker)),
  tickers: ruleBy("tickers", (_, tickers: readonly string[]) => assertTickers(tickers)),
  format: oneOf("json", "csv"),
  provenance: PROVENANCE,
  require: oneOf("current"),
  maxAgeMs: AMOUNT,
  ...EXCHANGE_RULES,
};

/**
 * Tickers of the wanted rows; `null` for all rows.
 *
 * @throws {TypeError} If `ticker` and `tickers` are both given
 */
export function readTickers({ ticker, tickers }: ScoresOptions): readonly string[] | null {
  if (tickers === undefined) return ticker === undefined ? null : [ticker];
  if (ticker === undefined) return tickers;
  throw new TypeError("Cannot load scores: expected ticker or tickers, got both; leave one out");
}

function assertTicker(ticker: unknown): void {
  if (typeof ticker === "string") return;
  throw new TypeError(
    `Cannot load scores: expected ticker to be text such as "BRK.B", got ${describe(ticker)}; ` +
      (Array.isArray(ticker)
        ? 'use tickers for several, such as { tickers: ["BRK.B", "NA"] }'
        : "omit it for all rows"),
  );
}

function assertTickers(given: unknown): void {
  const needed = 'Cannot load scores: expected tickers to be an array of tickers such as ["BRK.B"]';
  if (!Array.isArray(given)) throw new TypeError(`${needed}, got ${describe(given)}`);
  if (given.length === 0) throw new RangeError(`${needed}, got an empty one; omit it for all rows`);
  const seen = new Set<string>();
  for (const value of given) {
    if (typeof value !== "string") throw new TypeError(`${needed}, got ${describe(value)} in it`);
    if (!isTicker(value)) throw new RangeError(`${needed}, got ${describe(value)} in it`);
    if (seen.has(value)) throw new RangeError(`${needed}, got ${describe(value)} twice`);
    seen.add(value);
  }
}

/**
 * Query of a factor and options, checked by the rules of the API document before anything is sent.
 *
 * @throws {TypeError} If the factor or the format is unknown, or two options are given that exclude each other
 * @throws {RangeError} If a value is malformed
 * @see API document, section 4.3
 */
export function toScoresQuery(factor: string, options: ScoresOptions): ScoresQuery {
  const { at, snapshotId, ticker = null, format = "json" } = options;
  readTickers(options);
  if (at !== undefined && snapshotId !== undefined) {
    throw new TypeError(
      "Cannot load scores: expected at or snapshotId, got both (use_at_or_snapshot_id); leave one out",
    );
  }
  const view: View = at !== undefined
    ? { kind: "at", at: toInstant(at) }
    : snapshotId !== undefined
    ? { kind: "snapshot", snapshotId }
    : { kind: "latest" };
  // The caller's options are parsed by the same rules as the service applies.
  const query = { factor, view, ticker, format } as ScoresQuery;
  const parsed = parseScoresQuery(encodeScoresQuery(query));
  if (parsed.query !== undefined) return parsed.query;
  const { parameter, rule, kind = rule, code } = parsed.fault;
  const name = parameter === "snapshot_id" ? "snapshotId" : parameter;
  const { snapshotId: id } = view as { readonly snapshotId?: string };
  const value = { factor, ticker, format, snapshot_id: id }[parameter as "factor"];
  const message = `Cannot load scores: expected ${name} to be ${kind}, ` +
    `got ${describe(value)} (${code})`;
  // A factor or a format is one of a few names; an id or a ticker has a form.
  const near = nearValue(parameter, value);
  const isForm = parameter === "snapshot_id" || parameter === "ticker";
  throw isForm && typeof value === "string"
    ? new RangeError(message + near)
    : new TypeError(message + near);
}

function nearValue(parameter: string, value: unknown): string {
  if (parameter === "factor" && Array.isArray(value)) {
    return "; load one at a time, or both with panel()";
  }
  if (typeof value !== "string") return "";
  if (parameter === "factor") return nearestHint(value, FACTORS, JSON.stringify);
  const upper = value.trim().toUpperCase();
  return parameter === "ticker" && isTicker(upper) ? `; did you mean "${upper}"?` : "";
}

/**
 * Refuses a check that is not as fresh as required.
 *
 * @param seenFrom Instant at which the age is taken
 * @throws {ScoreframeError} If the status is not current, or the data is too old
 * @see API document, section 3
 */
export function assertFresh(
  check: Pick<Check, "factor" | "status" | "dataThrough" | "lastCheckedAt">,
  seenFrom: Instant,
  options: FreshnessOptions,
): void {
  const { factor, status, dataThrough, lastCheckedAt } = check;
  const { require, maxAgeMs } = options;
  const which = `the ${factor} scores of the check at ${lastCheckedAt}`;
  if (require === "current" && status !== "current") {
    throw new ScoreframeError(
      `Cannot accept ${which}: expected the status current, got ${status} with data through ` +
        `${dataThrough}; try again after the next check, or omit require`,
    );
  }
  if (maxAgeMs === undefined) return;
  const ageMs = epochMsOf(seenFrom) - epochMsOf(dataThrough);
  if (ageMs <= maxAgeMs) return;
  throw new ScoreframeError(
    `Cannot accept ${which}: expected data no older than ${exactly(maxAgeMs)}, got data_through ` +
      `${dataThrough}, ${minutes(ageMs)} before ${seenFrom}; the status is ${status}; ` +
      `try again after the next check, or raise maxAgeMs`,
  );
}

// A limit is shown unrounded: one of a millisecond would read as zero.
function exactly(durationMs: number): string {
  if (durationMs % 60_000 === 0) return `${durationMs / 60_000} min`;
  return durationMs < 1_000 ? `${durationMs} ms` : `${durationMs / 1_000} s`;
}

function minutes(durationMs: number): string {
  return `${Math.round(durationMs / 6_000) / 10} min`;
}
