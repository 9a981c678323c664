import { stat } from "node:fs/promises";
import { IntegrityError } from "../../base/errors.ts";
import type { Check } from "../../base/contract/scores/check.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { View } from "../../base/contract/http/query.ts";
import { epochMsOf, type Instant, instantOf } from "../../base/contract/instant.ts";
import type { Release } from "../../base/contract/release.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import { inFuture, preparing, Refusal } from "../message/refusal.ts";
import {
  type Catalogue,
  otherThan,
  type PreparedSet,
  type Selection,
  withStatus,
} from "./catalogue.ts";
import { isStale } from "../../base/contract/scores/status.ts";

/** Time of a request. */
export interface AskedAt {
  /** Server time, epoch milliseconds; constant within a request. */
  readonly nowMs: number;
}

/** Contents for the handlers: those of a store, or of a relay and its service. */
export interface ScoreContents {
  /** Name and parameters of a synthetic world; `null` for other contents. */
  readonly world: Readonly<Record<string, unknown>> | null;
  /**
   * Check that a view selects, with the status for the request (sections 3 and 4.3).
   *
   * @throws {Refusal} If there is none, or it is unknown
   */
  select(
    request: { readonly factor: Factor; readonly view: View },
    asked: AskedAt,
  ): Promise<Check>;
  /** A set with its prepared rows, or `null`. */
  set(factor: Factor, snapshotId: string): Promise<PreparedSet | null>;
  /** Calculation definition of a factor, or `null` if unknown. */
  factorVersion(factor: Factor, asked: AskedAt): Promise<string | null>;
  /**
   * Metadata of the current release.
   *
   * @throws {Refusal} If there is none
   */
  release(factor: Factor, asked: AskedAt): Promise<Release>;
  /**
   * Size of the file of a release.
   *
   * @throws {Refusal} If it is unknown
   */
  releaseSize(factor: Factor, release: Release): Promise<number>;
  /**
   * Release with its complete file.
   *
   * @throws {Refusal} If the file is missing
   */
  releaseFile(factor: Factor, release: Release): Promise<StoredRelease>;
}

/** Contents of a store, through its catalogue. */
export class CatalogueContents implements ScoreContents {
  readonly #catalogue: Catalogue;
  readonly #releases = new WeakMap<Release, StoredRelease>();

  /** @param catalogue Contents of the store */
  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  get world(): Readonly<Record<string, unknown>> | null {
    return this.#catalogue.world;
  }

  select(
    request: { readonly factor: Factor; readonly view: View },
    { nowMs }: AskedAt,
  ): Promise<Check> {
    return selectView({ catalogue: this.#catalogue, nowMs }, request);
  }

  set(factor: Factor, snapshotId: string): Promise<PreparedSet | null> {
    return this.#catalogue.set(factor, snapshotId);
  }

  factorVersion(factor: Factor, { nowMs }: AskedAt): Promise<string | null> {
    return this.#catalogue.factorVersion(factor, nowMs);
  }

  /**
   * Metadata of the current release.
   *
   * @throws {Refusal} 503 `historical_export_preparing` if there is none yet; 404 `score_snapshot_not_available` if the server
   * serves a partial recording without one, which waiting would not change
   */
  async release(factor: Factor, { nowMs }: AskedAt): Promise<Release> {
    const stored = await this.#catalogue.release(factor, nowMs);
    if (stored !== null) {
      this.#releases.set(stored.release, stored);
      return stored.release;
    }
    if (this.#catalogue.provesNoRelease(factor, nowMs)) {
      const message = `The historical release of ${factor} is being prepared`;
      throw preparing("historical_export_preparing", message);
    }
    const now = instantOf(nowMs);
    const next = await this.#catalogue.nextRelease(factor, nowMs);
    throw new Refusal(
      "score_snapshot_not_available",
      `This server serves a recording without a release of ${factor} up to its time ${now}`,
      {
        details: { proved: false },
        ...(next !== null && { hint: `it has one from ${next} on, the time of its receipt` }),
      },
    );
  }

  async releaseSize(factor: Factor, release: Release): Promise<number> {
    return (await this.releaseFile(factor, release)).sizeBytes;
  }

  // A missing or truncated file is an error of the service, found before a length is sent.
  async releaseFile(_: Factor, release: Release): Promise<StoredRelease> {
    const stored = this.#releases.get(release);
    if (stored === undefined) throw new RangeError("expected a release from release()");
    const { size } = await stat(stored.path);
    if (size === stored.sizeBytes) return stored;
    throw new IntegrityError(
      `Cannot serve ${stored.path}: expected ${stored.sizeBytes} bytes, got ${size}; verify the store`,
    );
  }
}

/** Catalogue and time of the selection of a view. */
interface SelectionContext {
  /** Contents. */
  readonly catalogue: Catalogue;
  /** Server time, epoch milliseconds. */
  readonly nowMs: number;
}

/**
 * Selects the check of a view, with the status for the request (sections 3 and 4.3).
 *
 * @throws {Refusal} 400 `future_observation_requested`, 404 `score_snapshot_not_available` or 503 `score_snapshot_preparing`;
 * its note explains a near miss
 */
async function selectView(
  context: SelectionContext,
  request: { readonly factor: Factor; readonly view: View },
): Promise<Check> {
  const { factor, view } = request;
  if (view.kind === "latest") return await selectLatest(context, factor);
  if (view.kind === "at") return await selectAt(context, factor, view.at);
  return await selectSnapshot(context, factor, view.snapshotId);
}

async function selectLatest(context: SelectionContext, factor: Factor): Promise<Check> {
  const { catalogue, nowMs } = context;
  const found = await catalogue.latest(factor, nowMs);
  if (found === "unproved") throw await unprovedLatest(context, factor);
  if (found === "none") {
    const message = `The first ${factor} score set is being prepared`;
    const note = await storeNote(catalogue, factor);
    throw preparing("score_snapshot_preparing", message, { note });
  }
  const { check } = found;
  return isStale(epochMsOf(check.dataThrough), nowMs)
    ? withStatus(check, "stale")
    : asRecorded(check);
}

async function selectAt(context: SelectionContext, factor: Factor, at: Instant): Promise<Check> {
  const { catalogue, nowMs } = context;
  const now = instantOf(nowMs);
  if (at > now) {
    throw inFuture(`at ${at} is after the server's time ${now}`);
  }
  const found = await catalogue.at(factor, at);
  if (typeof found !== "string") return asRecorded(found.check);
  const message = found === "none"
    ? `No ${factor} score set was published by ${at}`
    : `This server serves a recording that does not prove which ${factor} check answers ${at}`;
  const span = await catalogue.shownSpan(factor, nowMs);
  const hint = span === null
    ? `there is no ${factor} check yet`
    : `there are ${factor} checks from ${span.first} to ${span.last}`;
  throw notAvailable(message, { hint, isProved: found === "none" });
}

async function selectSnapshot(
  context: SelectionContext,
  factor: Factor,
  snapshotId: string,
): Promise<Check> {
  const { catalogue, nowMs } = context;
  const found: Selection = await catalogue.publication(factor, snapshotId);
  if (found === "unproved") {
    const isHeld = await catalogue.set(factor, snapshotId) !== null;
    const message = isHeld
      ? `This server serves a recording with the ${factor} score set ${snapshotId}, but not its publication`
      : `This server serves a recording without a ${factor} score set with the id ${snapshotId}`;
    throw notAvailable(message, { isProved: false });
  }
  const unknown = `No published ${factor} score set has the id ${snapshotId}`;
  if (found === "none") {
    const other = otherThan(factor);
    const belongs = await catalogue.set(other, snapshotId) !== null;
    const note = belongs ? `the set belongs to ${other}` : "no factor has this set";
    throw notAvailable(unknown, { note });
  }
  if (found.check.lastCheckedAt > instantOf(nowMs)) {
    const note = `it is published at ${found.check.lastCheckedAt}, after now`;
    throw notAvailable(unknown, { note });
  }
  return asRecorded(found.check);
}

// A stale status belongs to a latest request at its time (section 3), and a recording may have a check only from such a
// request.
function asRecorded(check: Check): Check {
  if (check.status !== "stale") return check;
  throw notAvailable(
    `This server serves a recording that has the ${check.factor} check of ${check.lastCheckedAt} only ` +
      "from a latest request that found it stale, so its recorded status is unknown",
    { isProved: false },
  );
}

// A client would repeat a "preparing" request every minute, but waiting does not change a recording.
async function unprovedLatest(context: SelectionContext, factor: Factor): Promise<Refusal> {
  const { catalogue, nowMs } = context;
  const now = instantOf(nowMs);
  const proved = await catalogue.lastProved(factor, nowMs);
  const [message, hint] = proved === null
    ? [
      `This server serves a recording without a ${factor} check up to its time ${now}`,
      await storeNote(catalogue, factor),
    ]
    : [
      `This server serves a recording that does not prove the latest ${factor} check at its time ${now}`,
      `it proves the one at ${proved}`,
    ];
  return notAvailable(message, { hint, isProved: false });
}

// A set missing from a partial recording may exist; a client that lists publications has to distinguish the two cases.
function notAvailable(
  message: string,
  options: { readonly note?: string; readonly hint?: string; readonly isProved?: boolean },
): Refusal {
  const { isProved = true, ...rest } = options;
  return new Refusal("score_snapshot_not_available", message, {
    ...rest,
    ...(!isProved && { details: { proved: false } }),
  });
}

// The usual reason is a clock before the first check; another is the timeline.
async function storeNote(catalogue: Catalogue, factor: Factor): Promise<string> {
  const span = await catalogue.storedSpan(factor);
  return span === null
    ? `the store has no ${factor} check`
    : `the store has ${factor} checks from ${span.first} to ${span.last}`;
}
