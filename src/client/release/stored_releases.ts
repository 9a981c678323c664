import { dirname } from "node:path";
import type { Factor } from "../../base/contract/factor.ts";
import {
  type ReleaseListColumns,
  toReleasesFrame,
} from "../../frames/frame/release/releases_frame.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import { metadataId, type StoredRelease } from "../../base/store/release/release_file.ts";
import type { Store } from "../../base/store/store.ts";
import { readFactor } from "./history_options.ts";
import type { Loaded } from "../verb/load_promise.ts";
import type { ConnectionContext } from "../verb/connection_context.ts";
import { instantOf } from "../../base/contract/instant.ts";
import type { ReleaseOffer } from "../../frames/frame/release_file/reconcile_facts.ts";
import { adoptRelease } from "../../base/store/release/release_folder.ts";
import {
  listRefused,
  type RefusedRelease,
  refuseRelease,
  takeBackRelease,
} from "../../base/store/release/refuse_release.ts";
import { notWritable } from "./release_errors.ts";
import { IntegrityError } from "../../base/errors.ts";
import { ReleaseReport } from "./release_report.ts";
import { type KeptRelease, reportOf } from "./release_rows.ts";
import { releaseRefusal } from "./verify_release.ts";

/** Lists the releases of a factor in the store, the last received first. */
export async function listReleases(
  { store }: ConnectionContext,
  given: string,
): Promise<Loaded<TypedFrame<ReleaseListColumns>, readonly StoredRelease[]>> {
  const releases = (await store.listReleases(readFactor(given, "list the releases"))).toReversed();
  return { data: toReleasesFrame(releases), raw: releases, response: null };
}

/** Release with a checksum in a store, or `null`. */
export async function findRelease(
  store: Store,
  factor: Factor,
  downloadSha256: string,
): Promise<StoredRelease | null> {
  const releases = await store.listReleases(factor);
  return releases.find(({ release }) => release.downloadSha256 === downloadSha256) ?? null;
}

/**
 * Finds the stored release of the given metadata; `null` if the store lacks its file.
 *
 * A file without metadata, left by an interrupted process, is used if its checksum matches, because its download is spent
 * already. So is a file that was refused and set aside, once other metadata announces it.
 *
 * @throws {IntegrityError} If the file was refused under the same metadata
 */
export async function findAnnounced(
  context: ConnectionContext,
  announced: ReleaseOffer,
): Promise<StoredRelease | null> {
  const { store } = context;
  const { factor, release } = announced;
  const stored = await findRelease(store, factor, release.downloadSha256) ??
    await adopt(context, announced);
  if (stored !== null) return stored;
  const refused = (await listRefused(store, factor))
    .find((candidate) => candidate.stored.release.downloadSha256 === release.downloadSha256);
  if (refused === undefined) return null;
  if (metadataId(refused.stored.release) === metadataId(release)) {
    throw refusedBefore(factor, refused);
  }
  await takeBackRelease(refused);
  return await adopt(context, announced);
}

async function adopt(context: ConnectionContext, announced: ReleaseOffer) {
  const { store, clock, exchange, ledger } = context;
  const { factor, release } = announced;
  const availableFrom = instantOf(clock.now());
  const known = { release, availableFrom, origin: exchange.origin };
  const adopted = await adoptRelease(store, factor, known).catch((error: unknown) => {
    throw notWritable(announced, store.path, error);
  });
  if (adopted !== null) ledger.writeUnfinished(factor, null);
  return adopted;
}

/**
 * Sets aside a stored release whose file has the announced checksum but contradicts its metadata; another download would return
 * the same bytes.
 *
 * @param failed Error of the verification, and its cost
 * @returns The error to throw; the given one, which says that the file is in the store, if it stays there
 */
export async function setReleaseAside(
  { redact }: Pick<ConnectionContext, "redact">,
  { stored }: KeptRelease,
  { error, cost }: { readonly error: unknown; readonly cost: string },
): Promise<unknown> {
  const report = error instanceof IntegrityError ? error.cause : null;
  if (!(report instanceof ReleaseReport) || !isContradicted(report)) return error;
  try {
    const place = await refuseRelease(stored, redact(JSON.stringify(report.checks)));
    return releaseRefusal(
      report,
      `the file is the one that the service announced, ${aside(place)}; ${cost}`,
    );
  } catch {
    return error;
  }
}

/** Error for a release that was set aside earlier and whose metadata has not changed. */
export function refusedBefore(factor: Factor, { stored, checks }: RefusedRelease): IntegrityError {
  const report = reportOf({ factor, stored }, checks);
  const place = dirname(stored.path);
  return releaseRefusal(report, `it was refused earlier, ${aside(place)}; no download was spent`);
}

function aside(place: string): string {
  return `and was set aside as ${place}, where it is not read again until the service announces another file or other metadata`;
}

// A wrong length in the metadata is no evidence against the file.
function isContradicted({ checks, failed }: ReleaseReport): boolean {
  const checksum = checks.find(({ name }) => name === "SHA-256 of the compressed file");
  return checksum?.outcome === "passed" && failed.some(({ name }) => name !== "size in bytes");
}
