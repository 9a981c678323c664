import type { DataFrame } from "nodejs-polars";
import { toReleasesFrame } from "../../frame/releases_frame.ts";
import type { StoredRelease } from "../../store/release/release_file.ts";
import { readFactor } from "./history_options.ts";
import type { Loaded } from "../verb/load_promise.ts";
import type { Session } from "../verb/connection_context.ts";

/** Lists the releases of a factor that the store holds, the one that was received last first. */
export async function listReleases(
  { store }: Session,
  given: string,
): Promise<Loaded<DataFrame, readonly StoredRelease[]>> {
  const releases = (await store.listReleases(readFactor(given, "list the releases"))).toReversed();
  return { data: toReleasesFrame(releases), raw: releases, response: null };
}
