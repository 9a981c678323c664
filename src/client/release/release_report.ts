import type { Factor } from "../../contract/factor.ts";
import {
  describeStep,
  foundBy,
  OUTCOME_MARKS,
  type VerificationStep,
} from "../../frame/release_file/verification_step.ts";
import { DISPLAY, display, type MimeBundle } from "../../notebook/display.ts";
import { escapeHtml } from "../../notebook/escape_html.ts";

/**
 * Findings of the verification of a release: every step, in the order in which a file is judged.
 *
 * A gzip file of several members is read as their contents one after the other, and zeros behind the last one are
 * padding. Refused are anything else behind it, a wrong CRC or length, a file that is cut off, and one that inflates
 * to more than 64 bytes for each announced row.
 *
 * The API document names no order of the rows (section 2.6): any order is accepted and said, with each date and ticker
 * once, and the frame keeps it. So are days on a weekend, a byte order mark before the header, and a last line without
 * its end: the checksum tells that the file is what was announced.
 */
export class ReleaseReport {
  /** Factor of the release. */
  readonly factor: Factor;
  /** Checksum that the metadata announces. */
  readonly downloadSha256: string;
  /** All checks. */
  readonly checks: readonly VerificationStep[];

  /**
   * Makes a report of checks that were made.
   *
   * @param release Factor and announced checksum
   * @param checks All checks
   * @ignore
   */
  constructor(
    release: { readonly factor: Factor; readonly downloadSha256: string },
    checks: readonly VerificationStep[],
  ) {
    this.factor = release.factor;
    this.downloadSha256 = release.downloadSha256;
    this.checks = checks;
  }

  /** True if nothing failed. */
  get passed(): boolean {
    return this.failed.length === 0;
  }

  /** The checks that failed. */
  get failed(): readonly VerificationStep[] {
    return this.checks.filter((check) => check.outcome === "failed");
  }

  /** Display in a notebook: one row a step, the offending lines below it. */
  [DISPLAY](): Promise<MimeBundle> {
    return display({ "text/html": reportHtml(this), "text/plain": String(this) });
  }

  /** The report as text: one line per check, the offending lines below it. */
  toString(): string {
    return [titleOf(this), ...this.checks.flatMap(describeStep)].join("\n");
  }
}

function titleOf({ passed, factor, downloadSha256 }: ReleaseReport): string {
  const verdict = passed ? "verified" : "refused";
  return `Release ${downloadSha256.slice(0, 12)}… of ${factor}: ${verdict}`;
}

const CELL = "padding:1px 10px;text-align:left;vertical-align:top";
// The name of a step stands on one line; a checksum as long as the page is wide breaks.
const NAME = `${CELL};white-space:nowrap`;
const FOUND = `${CELL};overflow-wrap:anywhere;min-width:14em`;

// Lines of a file can hold anything, and some notebooks show what they are given.
function reportHtml(report: ReleaseReport): string {
  const rows = report.checks.map((check) => {
    const lines = check.lines.map((offence) =>
      `<br><code>line ${offence.line}: ${escapeHtml(offence.found)}</code>`
    );
    const cells = [OUTCOME_MARKS[check.outcome], check.name].map((text) =>
      `<td style="${NAME}">${escapeHtml(text)}</td>`
    );
    const found = `<td style="${FOUND}">${escapeHtml(foundBy(check))}${lines.join("")}</td>`;
    return `<tr>${cells.join("")}${found}</tr>`;
  });
  return `<b>${escapeHtml(titleOf(report))}</b>` +
    '<div role="group" tabindex="0" style="overflow-x:auto;max-width:100%" aria-label="checks">' +
    `<table style="border-collapse:collapse;font-size:90%">${rows.join("")}</table></div>`;
}
