import type { Factor } from "../contract/factor.ts";
import { IntegrityError, NotFoundError, ScoreframeError } from "../errors.ts";
import type { Announced } from "../frame/reconcile.ts";
import { type ArrivedFile, spent } from "./release_download.ts";

/** Offline, and the store does not have it. */
export function notStored(factor: Factor, path: string, wanted: string | undefined): NotFoundError {
  const what = wanted === undefined ? "a release" : `the release ${wanted}`;
  return new NotFoundError(
    `Cannot load the ${factor} history offline: ${what} is required in the store ${path}, it has ` +
      "none; load it once without offline",
    { status: 404, code: null, requestId: null, retryAtMs: null },
  );
}

/** A release that neither store nor service has. */
export function notOffered(factor: Factor, wanted: string, offered: string): NotFoundError {
  return new NotFoundError(
    `Cannot load the ${factor} history: the release ${wanted} is required, the store does not have ` +
      `it and the service now offers ${offered}; a service keeps no earlier release`,
    { status: 404, code: null, requestId: null, retryAtMs: null },
  );
}

/** A download would be needed, and the caller allows none. */
export function noDownloadAllowed(announced: Announced, maxDownloads: number): ScoreframeError {
  const { factor, release: { downloadSha256 } } = announced;
  return new ScoreframeError(
    `Cannot load the ${factor} history: the release ${downloadSha256} is required in the store, it ` +
      `is not there, and maxDownloads ${maxDownloads} allows no download; nothing was spent on one`,
  );
}

/** The file is another one than the metadata announced, before and after. */
export function wrongFile(
  file: ArrivedFile,
  announced: Announced,
  fresh: Announced,
): IntegrityError {
  const { factor, release } = announced;
  const { sha256, sizeBytes } = file.read.facts;
  const isChanged = fresh.release.downloadSha256 !== release.downloadSha256;
  const what = isChanged
    ? `the service changed the release twice, and now announces ${fresh.release.downloadSha256}; ` +
      "allow one more with maxDownloads"
    : "the service still announces the same file, so that the bytes went wrong on the way; " +
      "another try spends one more download";
  return new IntegrityError(
    `Cannot load the ${factor} history: a file with the SHA-256 ${release.downloadSha256} is ` +
      `required, ${sizeBytes} bytes with ${sha256} arrived; ${what}; ${spent(file.answer)}, and ` +
      "nothing was kept",
  );
}
