import type { Factor } from "../../base/contract/factor.ts";
import { parseRelease, type Release } from "../../base/contract/release.ts";
import { ScoreframeError } from "../../base/errors.ts";
import type { ReleaseOffer } from "../../frames/frame/release_file/reconcile_facts.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import type { AnswerHead, SendOptions } from "../transport/exchange.ts";
import { findAnnounced } from "./stored_releases.ts";
import { noDownloadAllowed, spent, wrongFile } from "./release_errors.ts";
import type { HistoryOptions } from "./history_options.ts";
import type { ReadRelease } from "./verify_release.ts";
import { type DownloadOptions, downloadRelease, type ReleaseDownload } from "./download_release.ts";
import { bodyJson, readAnswer } from "../verb/read_answer.ts";
import type { ConnectionContext } from "../verb/connection_context.ts";

/** A downloaded file, and the metadata that announces it. */
export interface ReleaseDelivery<Read extends ReadRelease> {
  /** The file, in the store's staging place. */
  readonly file: ReleaseDownload<Read>;
  /** Metadata that announces it. */
  readonly announced: ReleaseOffer;
  /** Facts from reading it. */
  readonly read: Read;
}

/** Options of receiving a release. */
export interface ReceiveOptions<Read extends ReadRelease>
  extends DownloadOptions<Read>, Pick<HistoryOptions, "maxDownloads"> {}

/**
 * Receives a release that the store lacks with one download, or with none if another notebook has brought it in the meantime.
 *
 * The release can change between its metadata and its file (section 4.5): then the file is kept under fresh metadata if it
 * announces that file, and requested again only if it announces yet another one. The ledger records a started download until
 * its file is in the store, so that the next load can report its cost.
 *
 * @throws {IntegrityError} If the file is not the announced one
 */
export async function receiveRelease<Read extends ReadRelease>(
  context: ConnectionContext,
  announced: ReleaseOffer,
  options: ReceiveOptions<Read>,
): Promise<ReleaseDelivery<Read> | StoredRelease> {
  const { factor, release } = announced;
  const { maxDownloads = 2 } = options;
  if (maxDownloads < 1) throw noDownloadAllowed(announced, maxDownloads);
  const find = () => findAnnounced(context, announced);
  const file = await downloadRelease(context, announced, {
    ...options,
    // A store that cannot be read fails below, before anything is spent.
    isNeeded: () => find().then((stored) => stored === null, () => false),
  });
  if (file === null) return await find() ?? await receiveRelease(context, announced, options);
  const { read, path } = file;
  try {
    if (read.facts.sha256 === release.downloadSha256) return { file, announced, read };
    const { release: now } = await loadReleaseMetadata(context, factor, options)
      .catch((error: unknown) => throwWithCost(error, file));
    const fresh = { factor, release: now, sizeBytes: null };
    if (read.facts.sha256 === now.downloadSha256) {
      const again = await options.read({ path }, fresh, options);
      return { file, announced: fresh, read: again };
    }
    const isChanged = now.downloadSha256 !== release.downloadSha256;
    if (!isChanged || maxDownloads <= 1) throw wrongFile(file, announced, fresh);
    await file.discard();
    return await receiveRelease(context, fresh, { ...options, maxDownloads: maxDownloads - 1 });
  } catch (error) {
    await file.discard();
    throw error;
  }
}

// Without its metadata, the received file cannot be kept.
function throwWithCost(error: unknown, { answer }: ReleaseDownload): never {
  if (error instanceof ScoreframeError) {
    error.message += `; the received file was not the announced one, ${spent(answer)}, and ` +
      "nothing was kept";
  }
  throw error;
}

/** Loads the metadata of the release that the service offers now. */
export async function loadReleaseMetadata(
  context: ConnectionContext,
  factor: Factor,
  verb: SendOptions,
): Promise<{ readonly release: Release; readonly answer: AnswerHead }> {
  const action = `load the metadata of the ${factor} history`;
  const answer = await context.exchange.send({
    method: "GET",
    endpoint: "history",
    path: `/v1/scores/history?factor=${factor}`,
    accept: "application/json",
    action,
  }, verb);
  const reading = { answer, action, redact: context.redact };
  return { release: readAnswer(reading, () => parseRelease(bodyJson(answer), factor)), answer };
}
