import { dirname } from "node:path";
import type { Factor } from "../../contract/factor.ts";
import { IntegrityError } from "../../errors.ts";
import type { VerificationStep } from "../../frame/release_file/verification_step.ts";
import { type RefusedRelease, refuseRelease } from "../../store/release/refuse_release.ts";
import type { ConnectionContext } from "../verb/connection_context.ts";
import { ReleaseReport } from "./release_report.ts";
import type { KeptRelease } from "./release_rows.ts";
import { releaseRefusal } from "./verify_release.ts";

/**
 * Sets a stored release aside whose file has the announced checksum and contradicts what is announced of it: another
 * download would bring the same bytes.
 *
 * @param failed Error of the verification, and its cost
 * @returns The error to throw: the given one, which says that the file is in the store, if it stays there
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
      `the file is what the service announced, ${aside(place)}; ${cost}`,
    );
  } catch {
    return error;
  }
}

/** A release that was set aside before is asked for, and nothing new is announced of it. */
export function refusedBefore(factor: Factor, { stored, checks }: RefusedRelease): IntegrityError {
  const { downloadSha256 } = stored.release;
  const report = new ReleaseReport(
    { factor, downloadSha256 },
    checks as readonly VerificationStep[],
  );
  const place = dirname(stored.path);
  return releaseRefusal(report, `it was refused before, ${aside(place)}; no download was spent`);
}

function aside(place: string): string {
  return `and is set aside as ${place}, where nothing reads it again until the service announces ` +
    "another file or other metadata";
}

// A length that was announced beside the metadata says nothing against the file.
function isContradicted({ checks, failed }: ReleaseReport): boolean {
  const checksum = checks.find(({ name }) => name === "SHA-256 of the compressed file");
  return checksum?.outcome === "passed" && failed.some(({ name }) => name !== "size in bytes");
}
