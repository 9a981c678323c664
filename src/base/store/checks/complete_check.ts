import { createHash } from "node:crypto";
import type { Check, Coverage } from "../../contract/scores/check.ts";
import { type Factor, scoreNameOf } from "../../contract/factor.ts";
import type { CalendarDate, Instant } from "../../contract/instant.ts";
import {
  countScored,
  encodeScoreRows,
  parseScoreRows,
  type ScoreRows,
} from "../../contract/scores/score_rows.ts";
import { selectStatus } from "../../contract/scores/status.ts";
import { ContractViolation } from "../../contract/violation.ts";
import { IntegrityError } from "../../errors.ts";
import type { StoredSet } from "../scores/set_file.ts";
import type { Store } from "../store.ts";
import type { StoreReader } from "../store_reader.ts";

/** Findings of an hourly check: the scores and the state of the inputs. */
export interface CheckInput {
  /** Factor of the check. */
  readonly factor: Factor;
  /** Universe label. */
  readonly universe: string;
  /** Calculation definition. */
  readonly factorVersion: string;
  /** Recorded completion time of the check. */
  readonly checkedAt: Instant;
  /** Observation cutoff of the check; not after `checkedAt`. */
  readonly dataThrough: Instant;
  /** Latest stored benchmark price session. */
  readonly pricesThrough: CalendarDate;
  /** The complete set of scores as of the cutoff. */
  readonly rows: ScoreRows;
  /** `true` if source reconciliation was behind. */
  readonly callSourceDelayed: boolean;
  /** `true` if the latest session's benchmark prices are stored. */
  readonly benchmarkCurrent: boolean;
  /** Tickers of the tracked panel with current prices; `null` if unavailable. */
  readonly priceTickersCurrent: number | null;
  /** Size of the tracked price panel; `null` if unavailable. */
  readonly priceTickersTracked: number | null;
  /** Source-update queue: pending calls. */
  readonly pendingCalls: number;
  /** Source-update queue: failed calls. */
  readonly failedCalls: number;
  /** Call records that await factor processing; reported for `ecqdi` only. */
  readonly pendingFactorCalls: number;
  /** Fields of the check beyond the API document. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * Source of checks: the findings of the check of a full hour, or `null` for an hour without a completed check.
 *
 * The result depends only on factor and hour, so that a check is equal whenever and wherever it is completed.
 */
export type CheckSource = (
  factor: Factor,
  hour: Instant,
) => CheckInput | null | Promise<CheckInput | null>;

/** A check with its score set. */
export interface CompletedCheck {
  /** The check. */
  readonly check: Check;
  /** The set, published by this check or reused. */
  readonly set: StoredSet;
  /** `true` if this check published the set. */
  readonly published: boolean;
}

/** Options of completing a check. */
export interface CompleteCheckOptions {
  /** Name of the world or service of the check; stored with it. */
  readonly origin: string;
  /**
   * The previous check; `null` if there is none.
   *
   * @default the store's last check of the factor
   */
  readonly previous?: CompletedCheck | null;
}

/**
 * Completes a check as {@link planCheck} decides, and writes set and check to the store.
 *
 * Completing the last check again with the same input changes nothing.
 *
 * @throws {IntegrityError} If the store already has a later check, or another one of the same time
 * @throws {ContractViolation} If the input breaks the API document
 */
export async function completeCheck(
  store: Store,
  input: CheckInput,
  options: CompleteCheckOptions,
): Promise<CompletedCheck> {
  const { origin, previous = await readPrevious(store, input) } = options;
  const completed = planCheck(input, previous);
  if (completed.published) await store.putSet(completed.set);
  const stored = { check: completed.check, retrievedAt: input.checkedAt, origin };
  const name = await store.putCheck(stored);
  if (options.previous === undefined) await assertOnly(store, input, name);
  return completed;
}

/**
 * Decides the record of a check: unchanged numbers under the same definition reuse the previous set, and any change
 * publishes a new one at the time of the check (section 3, rule 6).
 *
 * The id of a set is derived from its content, so that equal histories have equal ids.
 *
 * @param input Findings of the check
 * @param previous The previous check, or `null` for the first
 * @throws {ContractViolation} If the input breaks the API document
 */
export function planCheck(input: CheckInput, previous: CompletedCheck | null): CompletedCheck {
  if (input.dataThrough > input.checkedAt) {
    throw new ContractViolation(
      "dataThrough",
      `a time not after the check at ${input.checkedAt}`,
      input.dataThrough,
    );
  }
  if (previous !== null && input.checkedAt <= previous.check.lastCheckedAt) {
    throw new ContractViolation(
      "checkedAt",
      `a time after the previous check at ${previous.check.lastCheckedAt}`,
      input.checkedAt,
    );
  }
  const reused = previous !== null && input.factorVersion === previous.set.factorVersion &&
    equalItems(input.rows.tickers, previous.set.rows.tickers) &&
    equalItems(input.rows.scores, previous.set.rows.scores);
  const set = reused ? previous.set : publishSet(input);
  return { check: toCheck(input, set), set, published: !reused };
}

function equalItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a === b || (a.length === b.length && a.every((item, i) => item === b[i]));
}

function publishSet(input: CheckInput): StoredSet {
  const { factor, factorVersion, checkedAt } = input;
  const scoreName = scoreNameOf(factor);
  parseScoreRows(encodeScoreRows(input.rows, scoreName), scoreName);
  const snapshotId = snapshotIdOf(input);
  return { factor, snapshotId, factorVersion, calculatedAt: checkedAt, rows: input.rows };
}

// UUID version 8 (RFC 9562) leaves all but six bits to the application: here, a digest of the set.
function snapshotIdOf(input: CheckInput): string {
  const { tickers, scores } = input.rows;
  const hex = createHash("sha256")
    .update(`${input.factor} ${input.factorVersion} ${input.checkedAt}\n`)
    .update(`${tickers.join()}\n${scores.join()}`)
    .digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-` +
    `${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function toCheck(input: CheckInput, set: StoredSet): Check {
  return {
    factor: input.factor,
    scoreName: scoreNameOf(input.factor),
    universe: input.universe,
    factorVersion: input.factorVersion,
    snapshotId: set.snapshotId,
    calculatedAt: set.calculatedAt,
    lastCheckedAt: input.checkedAt,
    dataThrough: input.dataThrough,
    status: selectStatus({
      callSourceDelayed: input.callSourceDelayed,
      callUpdatesPending: countWaiting(input) > 0,
      partialMarketData: !input.benchmarkCurrent || !isPanelCurrent(input),
    }),
    pricesThrough: input.pricesThrough,
    coverage: toCoverage(input, set.rows),
    extra: input.extra ?? {},
  };
}

function countWaiting(input: CheckInput): number {
  const processing = input.factor === "ecqdi" ? input.pendingFactorCalls : 0;
  return input.pendingCalls + input.failedCalls + processing;
}

// A panel of unknown size cannot count as current.
function isPanelCurrent(input: CheckInput): boolean {
  const { priceTickersCurrent: current, priceTickersTracked: tracked } = input;
  return current !== null && tracked !== null && current >= tracked;
}

function toCoverage(input: CheckInput, rows: ScoreRows): Coverage {
  const isEcqdi = input.factor === "ecqdi";
  return {
    tickers: rows.tickers.length,
    priceTickersCurrent: input.priceTickersCurrent,
    priceTickersTracked: input.priceTickersTracked,
    pendingCalls: input.pendingCalls,
    failedCalls: input.failedCalls,
    scoredTickers: isEcqdi ? countScored(rows) : null,
    pendingFactorCalls: isEcqdi ? input.pendingFactorCalls : null,
    extra: {},
  };
}

/**
 * Reads the last check of a factor in the store with its set; `null` if there is none.
 *
 * @param before Considers only checks before this instant
 * @throws {IntegrityError} If the set of the check is missing
 */
export async function readLastCheck(
  store: StoreReader,
  factor: Factor,
  before?: Instant,
): Promise<CompletedCheck | null> {
  const entries = await store.listChecks(factor);
  const entry = before === undefined
    ? entries.at(-1)
    : entries.findLast((candidate) => candidate.lastCheckedAt < before);
  const stored = entry === undefined ? null : await store.readCheck(factor, entry.name);
  if (stored === null) return null;
  const { check } = stored;
  const set = await store.readSet(factor, check.snapshotId);
  if (set === null) {
    throw new IntegrityError(
      `Cannot continue from the ${factor} check of ${check.lastCheckedAt}: expected its set ` +
        `${check.snapshotId} in the store "${store.path}", got none; verify the store`,
    );
  }
  return { check, set, published: check.calculatedAt === check.lastCheckedAt };
}

async function readPrevious(store: Store, input: CheckInput): Promise<CompletedCheck | null> {
  const last = (await store.listChecks(input.factor)).at(-1);
  if (last !== undefined && last.lastCheckedAt > input.checkedAt) {
    throw new IntegrityError(
      `Cannot complete the ${input.factor} check of ${input.checkedAt}: expected a time after the last ` +
        `check of the store "${store.path}", which is of ${last.lastCheckedAt}; complete checks in order`,
    );
  }
  return await readLastCheck(store, input.factor, input.checkedAt);
}

async function assertOnly(store: Store, input: CheckInput, name: string): Promise<void> {
  const entries = await store.listChecksAnew(input.factor);
  const other = entries.findLast((entry) =>
    entry.lastCheckedAt === input.checkedAt && entry.name !== name
  );
  if (other === undefined) return;
  throw new IntegrityError(
    `Cannot complete the ${input.factor} check of ${input.checkedAt}: expected one check of that time, ` +
      `got ${other.name} as well as ${name} in the store "${store.path}"; verify the store`,
  );
}
