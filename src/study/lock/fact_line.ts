import { entryLine } from "./entry_line.ts";
import type {
  LockedAbsence,
  LockedFact,
  LockedInput,
  LockedRelease,
  LockedSet,
  LockedView,
} from "./lock.ts";

type Wire = Readonly<Record<string, unknown>>;

/** Line of a fact in a lock. */
export function factLine(fact: LockedFact): string {
  if ("kind" in fact) return entryLine(fact);
  if ("calculatedAt" in fact) return JSON.stringify(encodeSet(fact));
  if ("downloadSha256" in fact) return JSON.stringify(encodeRelease(fact));
  if ("path" in fact) return JSON.stringify(encodeInput(fact));
  return JSON.stringify("snapshotId" in fact ? encodeView(fact) : encodeAbsence(fact));
}

function encodeSet(set: LockedSet): Wire {
  return {
    factor: set.factor,
    calculated_at: set.calculatedAt,
    snapshot_id: set.snapshotId,
    factor_version: set.factorVersion,
    universe: set.universe,
    tickers: set.tickers,
    scored: set.scored,
    numbers: set.numbers,
  };
}

function encodeView({ factor, at, snapshotId, check, receipt }: LockedView): Wire {
  return {
    factor,
    at,
    snapshot_id: snapshotId,
    ...(check !== null && {
      last_checked_at: check.lastCheckedAt,
      data_through: check.dataThrough,
      status: check.status,
    }),
    ...(receipt !== null && { retrieved_at: receipt.retrievedAt, check: receipt.said }),
  };
}

function encodeAbsence({ factor, at }: LockedAbsence): Wire {
  return { factor, at };
}

function encodeRelease(release: LockedRelease): Wire {
  return {
    factor: release.factor,
    download_sha256: release.downloadSha256,
    default: release.isDefault,
    rows: release.rows,
    scored: release.scored,
    sessions: release.sessions,
    first_session: release.firstSession,
    last_session: release.lastSession,
    factor_version: release.factorVersion,
    universe: release.universe,
    availability: release.availability,
    numbers: release.numbers,
    ...(release.receipt !== null && {
      retrieved_at: release.receipt.retrievedAt,
      metadata: release.receipt.said,
    }),
  };
}

function encodeInput({ path, sha256, sizeBytes }: LockedInput): Wire {
  return { path, sha256, size_bytes: sizeBytes };
}
