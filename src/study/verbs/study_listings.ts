import type { Loaded } from "../../client/verb/load_promise.ts";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import type { FactorEntry } from "../../base/contract/factor_list.ts";
import { type FactorListColumns, toFactorFrame } from "../../frames/frame/factor_frame.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import type { StudyLock } from "../lock/lock.ts";
import { readFactor } from "../../client/release/history_options.ts";
import {
  type ReleaseListColumns,
  toReleasesFrame,
} from "../../frames/frame/release/releases_frame.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import type { StudyContext } from "./study_context.ts";

/** Factors in a lock, each with its latest calculation definition. */
export function factorsOfLock(
  lock: StudyLock,
): Loaded<TypedFrame<FactorListColumns>, readonly FactorEntry[]> {
  const raw = FACTORS.flatMap((factor): FactorEntry[] => {
    const sets = lock.sets.filter((set) => set.factor === factor)
      .toSorted((a, b) => a.calculatedAt < b.calculatedAt ? -1 : 1);
    const release = lock.releases.find((known) => known.factor === factor);
    const factorVersion = sets.at(-1)?.factorVersion ?? release?.factorVersion ?? null;
    if (sets.length === 0 && release === undefined) return [];
    return [{
      factor,
      scoreName: scoreNameOf(factor),
      factorVersion: factorVersion ?? "",
      scores: `/v1/scores?factor=${factor}`,
      history: `/v1/scores/history?factor=${factor}`,
      extra: {},
    }];
  });
  return { data: toFactorFrame(raw), raw, response: null };
}

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
