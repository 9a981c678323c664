import { IntegrityError } from "../../base/errors.ts";
import { type Partition, placeOf } from "./state.ts";

/**
 * Refuses a second release of the same factor, because readers would mix both.
 *
 * @throws {IntegrityError} If there are two
 */
export function refuseOtherRelease(
  partitions: readonly Partition[],
  { table, factor, releases }: Pick<Partition, "table" | "factor" | "releases">,
): void {
  if (table !== "scores") return;
  const other = partitions.find((partition) =>
    partition.table === table && partition.factor === factor &&
    JSON.stringify(partition.releases) !== JSON.stringify(releases)
  );
  if (other === undefined) return;
  throw new IntegrityError(
    `Cannot export a dataset: expected the release of ${factor} that ${placeOf(other)} has ` +
      `(${shown(other.releases)}), got ${shown(releases)}; keep it beside that one with ` +
      "sideBySide: true, or export to another folder",
  );
}

function shown(releases: readonly string[]): string {
  return releases.map((sha256) => `${sha256.slice(0, 8)}…`).join(", ") || "scores of no release";
}
