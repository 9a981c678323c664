import type { DataFrame } from "nodejs-polars";
import type { Release } from "../../base/contract/release.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import type { Store } from "../../base/store/store.ts";
import { sayNotice } from "../../frames/notebook/kernel/say_notice.ts";
import { toReleaseChanges } from "../../frames/vintage/compare_releases.ts";
import type { KeptRelease } from "./release_rows.ts";

// Two releases that state all of these alike describe the same file.
const FACTS = [
  ...["factorVersion", "firstSession", "lastSession", "windowStart", "windowEnd"] as const,
  ...["rows", "sourceSha256"] as const,
] satisfies readonly (keyof Release)[];

/** The release of the store that was received last with the facts of another one, but with another file; `null` if there is none. */
export async function findRestated(
  store: Store,
  { factor, stored: { release } }: KeptRelease,
): Promise<StoredRelease | null> {
  const others = (await store.listReleases(factor)).filter(({ release: other }) =>
    other.downloadSha256 !== release.downloadSha256 &&
    FACTS.every((name) => other[name] === release[name])
  );
  return others.at(-1) ?? null;
}

/**
 * Tells that a release states the facts of an earlier one and has another file, with the number of rows that differ.
 *
 * @param before Rows of the earlier release, or `null` if they cannot be read
 */
export function sayRestated(
  { factor, stored: { release } }: KeptRelease,
  earlier: StoredRelease,
  before: DataFrame | null,
  after: DataFrame,
): void {
  const { downloadSha256 } = earlier.release;
  const [now, then] = [release.downloadSha256, downloadSha256].map((sha) => sha.slice(0, 12));
  const changed = before === null
    ? "its rows cannot be read for a comparison"
    : `rows that differ: ${toReleaseChanges(before, after).changes.height} of ${after.height}`;
  const load = (options: string) => `await api.history("${factor}"${options})`;
  sayNotice(
    `The ${factor} history ${now}… states the same sessions, rows and source as release ${then}…, received at ` +
      `${earlier.availableFrom}, and is another file: ${changed}; ` +
      `compare(${load(`, { downloadSha256: "${downloadSha256}" }`)}, ${load("")}) lists them`,
  );
}
