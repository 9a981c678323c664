import type { Factor } from "../../base/contract/factor.ts";
import type { Check } from "../../base/contract/scores/check.ts";
import { countScored, type ScoreRows } from "../../base/contract/scores/score_rows.ts";
import type { LockedCheck, LockedReceipt, LockedSet } from "../lock/lock.ts";
import type { Instant } from "../../base/contract/instant.ts";
import { hashCheck, hashSetNumbers } from "../numbers/hash_numbers.ts";
import type { StoredSet } from "../../base/store/scores/set_file.ts";

/** Line of the lock for a set. */
export function setFact(check: Check, rows: ScoreRows): LockedSet {
  return { ...storedFact({ ...check, rows }), universe: check.universe };
}

/** The same for a set as it is stored, which has no universe. */
export function storedFact(
  { factor, snapshotId, factorVersion, calculatedAt, rows }: StoredSet,
): Omit<LockedSet, "universe"> {
  return {
    factor,
    snapshotId,
    factorVersion,
    calculatedAt,
    tickers: rows.tickers.length,
    scored: countScored(rows),
    numbers: hashSetNumbers(factor, rows),
  };
}

/** Fields of the lock for the check of a view. */
export function checkFact({ lastCheckedAt, dataThrough, status }: Check): LockedCheck {
  return { lastCheckedAt, dataThrough, status };
}

/** Key of a set in a lock. */
export function setKey(set: { readonly factor: Factor; readonly snapshotId: string }): string {
  return `${set.factor} ${set.snapshotId}`;
}

/** Receipt of a check in a lock: its hash and the time at which it was received first. */
export function checkReceipt(check: Check, retrievedAt: Instant): LockedReceipt {
  return { said: hashCheck(check), retrievedAt };
}
