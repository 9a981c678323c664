import { dirname } from "node:path";
import type { Factor } from "../../base/contract/factor.ts";
import { IntegrityError } from "../../base/errors.ts";
import { type RefusedRelease, refuseRelease } from "../../base/store/release/refuse_release.ts";
import type { ConnectionContext } from "../verb/connection_context.ts";
import { ReleaseReport } from "./release_report.ts";
import { type KeptRelease, reportOf } from "./release_rows.ts";
import { releaseRefusal } from "./verify_release.ts";

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
  return `and was set aside as ${place}, where it is not read again until the service announces ` +
    "another file or other metadata";
}

// A wrong length in the metadata is no evidence against the file.
function isContradicted({ checks, failed }: ReleaseReport): boolean {
  const checksum = checks.find(({ name }) => name === "SHA-256 of the compressed file");
  return checksum?.outcome === "passed" && failed.some(({ name }) => name !== "size in bytes");
}
