import type { Factor } from "../../contract/factor.ts";
import type { Check } from "../../contract/scores/check.ts";
import { countScored, type ScoreRows } from "../../contract/scores/score_rows.ts";
import type { LockedCheck, LockedSet } from "../lock/lock.ts";
import { hashSetNumbers } from "../numbers/hash_numbers.ts";

/** What a lock says of a set. */
export function setFact(check: Check, rows: ScoreRows): LockedSet {
  const { factor, snapshotId, factorVersion, universe, calculatedAt } = check;
  return {
    factor,
    snapshotId,
    factorVersion,
    universe,
    calculatedAt,
    tickers: rows.tickers.length,
    scored: countScored(rows.scores),
    numbers: hashSetNumbers(factor, rows),
  };
}

/** What a lock says of the check of a view. */
export function checkFact({ lastCheckedAt, dataThrough, status }: Check): LockedCheck {
  return { lastCheckedAt, dataThrough, status };
}

/** Names a set in a lock. */
export function setKey(set: { readonly factor: Factor; readonly snapshotId: string }): string {
  return `${set.factor} ${set.snapshotId}`;
}
