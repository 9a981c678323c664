import { parseBudgets } from "../../base/contract/http/header.ts";
import type { Factor } from "../../base/contract/factor.ts";
import { systemWords } from "../../base/disk/on_disk.ts";
import {
  IntegrityError,
  NotFoundError,
  ScoreframeError,
  StorageError,
  TransportError,
} from "../../base/errors.ts";
import type { ReleaseOffer } from "../../frames/frame/release_file/reconcile_facts.ts";
import type { AnswerHead } from "../transport/exchange.ts";
import type { ReadRelease } from "./verify_release.ts";

/** Cost of a started download, to end a sentence. */
export function spent(answer: Pick<AnswerHead, "headers">): string {
  const budget = parseBudgets(answer.headers).download;
  if (budget === undefined) return "the started download spent one of the day's allowance";
  return `the started download spent one of the day's ${budget.limit}, ${budget.remaining} are left`;
}

const NOT_FOUND = { status: 404, code: null, requestId: null, retryAtMs: null };

/** Error for a release that the store lacks, offline. */
export function notStored(factor: Factor, path: string, wanted: string | undefined): NotFoundError {
  const what = wanted === undefined ? "a release" : `the release ${wanted}`;
  return new NotFoundError(
    `Cannot load the ${factor} history offline: expected ${what} in the store ${path}, ` +
      "got none; load it once without offline",
    NOT_FOUND,
  );
}

/** Error for a release that neither store nor service has. */
export function notOffered(factor: Factor, wanted: string, offered: string): NotFoundError {
  return new NotFoundError(
    `Cannot load the ${factor} history: expected the release ${wanted} in the store or ` +
      `from the service, got ${offered} from the service, which keeps no earlier release; take it from a store or study that has it`,
    NOT_FOUND,
  );
}

/** Error for a needed download that the caller does not allow. */
export function noDownloadAllowed(announced: ReleaseOffer, maxDownloads: number): ScoreframeError {
  const { factor, release: { downloadSha256 } } = announced;
  return new ScoreframeError(
    `Cannot load the ${factor} history: expected the release ${downloadSha256} in the store, ` +
      `got none, and maxDownloads ${maxDownloads} does not allow a download; raise maxDownloads; ` +
      `no download was spent`,
  );
}

/** Error for a full disk, before a download is spent. */
export function noRoom(
  { factor }: ReleaseOffer,
  store: string,
  required: number,
  free: number,
): StorageError {
  return new StorageError(
    `Cannot download the ${factor} history: expected ${required} free bytes on the disk of ` +
      `${store}, got ${free}; free disk space or connect with another store; no download was ` +
      "spent",
  );
}

/** Adds the cost to a disk error during a download; returns other errors unchanged. */
export function withCost(
  error: unknown,
  { factor }: ReleaseOffer,
  { storePath, cost }: { readonly storePath: string; readonly cost: string },
): unknown {
  if (error instanceof TransportError) {
    return new TransportError(`${error.message}; ${cost}, and nothing was kept`, { cause: error });
  }
  const words = error instanceof StorageError ? error.message : wordsOfSystem(error);
  if (words === null) return error;
  return new StorageError(
    `Cannot keep the ${factor} history: expected a writable disk, got an error in ${storePath}, ` +
      `"${words}"; ${cost}, and nothing was kept`,
    { cause: error },
  );
}

/** Error for a store that cannot be written, before a download is spent. */
export function notWritable({ factor }: ReleaseOffer, storePath: string, error: unknown): unknown {
  const words = wordsOfSystem(error);
  if (words === null) return error;
  return new StorageError(
    `Cannot download the ${factor} history: expected a store that can be written, got an error ` +
      `in ${storePath}, "${words}"; connect with another store; no download was spent`,
    { cause: error },
  );
}

/** Error for a lazy frame whose Parquet file could not be written. */
export function notDerived(factor: Factor, path: string, error: unknown): StorageError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StorageError(
    `Cannot load the ${factor} history lazily: expected to write a Parquet file beside ${path}, ` +
      `got "${reason}"; load it without lazy, or with a store that can be written`,
    { cause: error },
  );
}

function wordsOfSystem(error: unknown): string | null {
  const words = systemWords(error);
  if (words === null) return null;
  return words.code === null ? words.message : `${words.message} (${words.code})`;
}

/** Error for a file that is not the one announced by the metadata before and after the download. */
export function wrongFile(
  file: { readonly read: ReadRelease; readonly answer: Pick<AnswerHead, "headers"> },
  announced: ReleaseOffer,
  fresh: ReleaseOffer,
): IntegrityError {
  const { factor, release } = announced;
  const { sha256, sizeBytes } = file.read.facts;
  const isChanged = fresh.release.downloadSha256 !== release.downloadSha256;
  const what = isChanged
    ? `the service replaced the release twice, and now announces ${fresh.release.downloadSha256}; ` +
      "raise maxDownloads to try once more"
    : "the service still announces the same file, so the bytes were damaged in transit; " +
      "loading it again spends another download";
  return new IntegrityError(
    `Cannot load the ${factor} history: expected a file with the SHA-256 ` +
      `${release.downloadSha256}, got ${sizeBytes} bytes with ${sha256}; ${what}; ` +
      `${spent(file.answer)}, and nothing was kept`,
  );
}
