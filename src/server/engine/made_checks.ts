import type { Factor } from "../../base/contract/factor.ts";
import { epochMsOf, instantOf, parseInstant } from "../../base/contract/instant.ts";
import {
  type CheckSource,
  completeCheck,
  type CompletedCheck,
  readLastCheck,
} from "../../base/store/checks/complete_check.ts";
import { Store } from "../../base/store/store.ts";
import type { StoreReader } from "../../base/store/store_reader.ts";

const CUTOFF_MS = 5 * 60_000;

/** Your own scores, as one check. */
export interface OwnScores {
  /** Factor to publish under. */
  readonly factor: Factor;
  /** Completion of the check, after the store's last check of the factor. */
  readonly at: string;
  /** Scores from 0 to 1 by ticker; null means that no eligible value is available. */
  readonly scores: Readonly<Record<string, number | null>>;
  /** Observation cutoff. @default five minutes before `at` */
  readonly dataThrough?: string;
  /** Calculation definition. @default "<factor>-v1" */
  readonly factorVersion?: string;
  /** Universe label. @default "own scores" */
  readonly universe?: string;
  /** Latest stored benchmark price session. @default the day before `at` */
  readonly pricesThrough?: string;
}

/**
 * Publishes your own scores in a store: a check at `at`, and a new set if the scores differ from the last set.
 *
 * @param store The store that takes them, from `openStore()`
 * @param own Scores with their factor and time
 * @throws {ContractViolation} If a ticker or a score breaks the API document
 * @throws {IntegrityError} If the store already has a later check
 */
export async function publishScores(store: StoreReader, own: OwnScores): Promise<CompletedCheck> {
  const { factor, scores } = own;
  const checkedAt = parseInstant(own.at, "at");
  const atMs = epochMsOf(checkedAt);
  const tickers = Object.keys(scores).sort();
  return await completeCheck(Store.of(store), {
    factor,
    universe: own.universe ?? "own scores",
    factorVersion: own.factorVersion ?? `${factor}-v1`,
    checkedAt,
    dataThrough: parseInstant(own.dataThrough ?? instantOf(atMs - CUTOFF_MS), "dataThrough"),
    pricesThrough: own.pricesThrough ?? instantOf(atMs - 86_400_000).slice(0, 10),
    rows: { tickers, scores: tickers.map((ticker) => scores[ticker] ?? null) },
    ...allCurrent(tickers.length),
    ...(store.info.synthetic ? { extra: { synthetic: true } } : {}),
  }, { origin: "own scores" });
}

/**
 * Creates a source that repeats the findings of the store's last check every hour, with all inputs current.
 *
 * It continues any store: only the time changes, unless a timeline or a publication changes more.
 *
 * @param store The store whose last check is repeated
 */
export function repeatLastCheck(store: StoreReader): CheckSource {
  return async (factor, hour) => {
    const last = await readLastCheck(store, factor);
    if (last === null) return null;
    const { universe, factorVersion, pricesThrough, coverage, extra } = last.check;
    return {
      factor,
      universe,
      factorVersion,
      pricesThrough,
      extra,
      checkedAt: hour,
      dataThrough: instantOf(epochMsOf(hour) - CUTOFF_MS),
      rows: last.set.rows,
      ...allCurrent(coverage.priceTickersTracked),
    };
  };
}

/** No call waits, and every price is there. */
function allCurrent(priceTickersTracked: number | null) {
  return {
    callSourceDelayed: false,
    benchmarkCurrent: true,
    priceTickersCurrent: priceTickersTracked,
    priceTickersTracked,
    pendingCalls: 0,
    failedCalls: 0,
    pendingFactorCalls: 0,
  };
}
