import type { Factor } from "../../base/contract/factor.ts";
import {
  type ReleaseListColumns,
  toReleasesFrame,
} from "../../frames/frame/release/releases_frame.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import type { Store } from "../../base/store/store.ts";
import { readFactor } from "./history_options.ts";
import type { Loaded } from "../verb/load_promise.ts";
import type { ConnectionContext } from "../verb/connection_context.ts";

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
