import type { Loaded } from "../../client/verb/load_promise.ts";
import { readFactor } from "../../client/release/history_options.ts";
import {
  type ReleaseListColumns,
  toReleasesFrame,
} from "../../frames/frame/release/releases_frame.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import type { StudyContext } from "./study_context.ts";

/** Lists the releases of a factor in a lock, latest receipt first. */
export async function listStudyReleases(
  { place }: StudyContext,
  given: string,
): Promise<Loaded<TypedFrame<ReleaseListColumns>, readonly StoredRelease[]>> {
  const factor = readFactor(given, "list the releases");
  if (place.lock === null && place.isTimeless) {
    return { data: toReleasesFrame([]), raw: [], response: null };
  }
  const lock = place.isTimeless ? place.lock! : await place.refresh();
  const { raw } = await (await place.replay()).releases(factor).withResponse();
  const locked = raw.filter(({ release }) =>
    lock.releases.some((known) =>
      known.factor === factor && known.downloadSha256 === release.downloadSha256
    )
  );
  return { data: toReleasesFrame(locked), raw: locked, response: null };
}
