import type { ReleaseOffer } from "../../../frames/frame/release_file/reconcile_facts.ts";
import { receiveRelease } from "../../../client/release/receive_release.ts";
import { setReleaseAside } from "../../../client/release/stored_releases.ts";
import { spent } from "../../../client/release/release_errors.ts";
import { assertReconciled, readReleaseFile } from "../../../client/release/verify_release.ts";
import type { ConnectionContext } from "../../../client/verb/connection_context.ts";
import type { StoredRelease } from "../../../base/store/release/release_file.ts";
import type { AnswerHead } from "../../../client/transport/exchange.ts";

/**
 * Downloads a release, and stores it once every check has passed.
 *
 * @param head Answer to a preceding HEAD; `null` to send one
 * @throws {IntegrityError} If a check failed; the file is set aside, so that no other download brings the same bytes
 */
export async function keepRelease(
  context: ConnectionContext,
  announced: ReleaseOffer,
  head: AnswerHead | null,
): Promise<StoredRelease> {
  const options = { progress: false, read: readReleaseFile, ...(head !== null && { head }) };
  const received = await receiveRelease(context, announced, options);
  if (!("file" in received)) return received;
  const { file, read, announced: now } = received;
  try {
    const stored = await file.keep(now);
    try {
      const advice = `the relay keeps the file but does not serve it; ${spent(file.answer)}`;
      assertReconciled(read, { ...now, sizeBytes: file.sizeBytes }, advice);
    } catch (error) {
      const kept = { factor: announced.factor, stored };
      throw await setReleaseAside(context, kept, { error, cost: spent(file.answer) });
    }
    return stored;
  } finally {
    await file.discard();
  }
}
