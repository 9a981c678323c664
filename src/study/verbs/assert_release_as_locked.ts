import { dirname } from "node:path";
import type { HistoryFrame, VerifiedRelease } from "../../client/release/history_loader.ts";
import type { Loaded } from "../../client/verb/load_promise.ts";
import { IntegrityError } from "../../base/errors.ts";
import { releaseColumns } from "../../frames/frame/release/release_columns.ts";
import { factLine, type LockedRelease, type StudyLock } from "../lock/lock.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import { hashReleaseNumbers } from "../numbers/hash_numbers.ts";
import { hashRelease } from "../numbers/hash_said.ts";

/** A release of a store beside its line in a lock. */
export interface LockedReleaseLine {
  /** The line of the lock. */
  readonly line: LockedRelease;
  /** The lock. */
  readonly lock: StudyLock;
  /** The release in the store. */
  readonly stored: StoredRelease;
}

/**
 * Refuses rows of a release that differ from the lock. The returned rows are hashed, whichever file they come from, because the
 * checksum of the Parquet file beside the original could be forged.
 *
 * @throws {IntegrityError} With the line of the lock and the hash of the rows
 */
export async function assertReleaseAsLocked(
  locked: LockedReleaseLine,
  { data, raw }: Loaded<HistoryFrame, VerifiedRelease>,
): Promise<void> {
  assertReceipt(locked);
  const { line } = locked;
  const { factor } = line;
  const numbers = hashReleaseNumbers(factor, await releaseColumns(data, factor));
  if (numbers === line.numbers) return;
  throw new IntegrityError(
    `Cannot replay the study: expected ${
      factLine(line)
    } as its lock says, got rows with the numbers ${numbers} ` +
      `from its store; remove history.parquet from ${
        dirname(raw.path)
      }; it will be rebuilt from the original`,
  );
}

// Metadata are part of each row; lines of format 1 have no hash of them.
function assertReceipt(
  { line, lock, stored: { release, availableFrom } }: LockedReleaseLine,
): void {
  const { receipt } = line;
  const found = { said: hashRelease(release), retrievedAt: availableFrom };
  const isSame = receipt === null ||
    (receipt.said === found.said && receipt.retrievedAt === found.retrievedAt);
  const isHidden = lock.synthetic === false && release.extra.synthetic === true;
  if (isSame && !isHidden) return;
  const required = isSame ? '"synthetic": false' : factLine(line);
  const other = isSame ? "a release of synthetic numbers" : factLine({ ...line, receipt: found });
  throw new IntegrityError(
    `Cannot replay the study: expected ${required} as its lock says, got ${other} from its store; ` +
      `${commandLine()} study verify lists every such line, and study restore loads the locked data again`,
  );
}
