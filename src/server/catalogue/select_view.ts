import type { Check } from "../../base/contract/scores/check.ts";
import type { Factor } from "../../base/contract/factor.ts";
import { epochMsOf, type Instant, instantOf } from "../../base/contract/instant.ts";
import type { View } from "../../base/contract/http/query.ts";
import { isStale } from "../../base/contract/scores/status.ts";
import { type Catalogue, otherThan, type Selection, withStatus } from "./catalogue.ts";
import { inFuture, preparing, Refusal } from "../message/refusal.ts";

/** Catalogue and time of the selection of a view. */
export interface SelectionContext {
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
export async function selectView(
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
