import { ScoreframeError } from "../../errors.ts";
import type { Announced } from "../../frame/release_file/reconcile.ts";
import type { StoredRelease } from "../../store/release/release_file.ts";
import { findAnnounced } from "./find_announced.ts";
import { noDownloadAllowed, spent, wrongFile } from "./release_errors.ts";
import type { HistoryOptions } from "./history_options.ts";
import { type ReadRelease, readRelease } from "./verify_release.ts";
import { type ArrivedFile, type DownloadOptions, downloadRelease } from "./download_release.ts";
import { loadReleaseMetadata } from "./release_metadata.ts";
import type { Session } from "../verb/connection_context.ts";

/** A file that was downloaded, and the metadata that announces it. */
export interface ArrivedRelease {
  /** The file, in the store's staging place. */
  readonly file: ArrivedFile;
  /** What it is judged by. */
  readonly announced: Announced;
  /** What reading it told. */
  readonly read: ReadRelease;
}

/** How a release is received. */
export interface ReceiveOptions extends DownloadOptions, Pick<HistoryOptions, "maxDownloads"> {}

/**
 * Receives a release that the store does not have, by one download; or finds that another notebook brought it in the
 * meantime, which costs none.
 *
 * The release can change between its metadata and its file (section 4.5): then the file is kept under the fresh
 * metadata if these announce it, and asked for again only if they announce yet another one. That a download was
 * begun stands in the ledger until its file is in the store, so that whoever comes next can say what it cost.
 *
 * @throws {IntegrityError} If another file than the announced one came
 */
export async function receiveRelease(
  session: Session,
  announced: Announced,
  options: ReceiveOptions,
): Promise<ArrivedRelease | StoredRelease> {
  const { factor, release } = announced;
  const { maxDownloads = 2 } = options;
  if (maxDownloads < 1) throw noDownloadAllowed(announced, maxDownloads);
  const find = () => findAnnounced(session, announced);
  const file = await downloadRelease(session, announced, {
    ...options,
    // A store that cannot be read fails below, before anything is spent.
    isNeeded: () => find().then((stored) => stored === null, () => false),
  });
  if (file === null) return await find() ?? await receiveRelease(session, announced, options);
  const { read, path } = file;
  try {
    if (read.facts.sha256 === release.downloadSha256) return { file, announced, read };
    const { release: now } = await loadReleaseMetadata(session, factor, options)
      .catch((error: unknown) => throwWithCost(error, file));
    const fresh = { factor, release: now, sizeBytes: null };
    if (read.facts.sha256 === now.downloadSha256) {
      const again = await readRelease({ path }, fresh, options.signal);
      return { file, announced: fresh, read: again };
    }
    const isChanged = now.downloadSha256 !== release.downloadSha256;
    if (!isChanged || maxDownloads <= 1) throw wrongFile(file, announced, fresh);
    await file.discard();
    return await receiveRelease(session, fresh, { ...options, maxDownloads: maxDownloads - 1 });
  } catch (error) {
    await file.discard();
    throw error;
  }
}

// The file that came is lost if nothing tells what it is.
function throwWithCost(error: unknown, { answer }: ArrivedFile): never {
  if (error instanceof ScoreframeError) {
    error.message += `; another file than announced had come, ${
      spent(answer)
    }, and nothing was kept`;
  }
  throw error;
}
