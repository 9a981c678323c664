import type { Factor } from "../../base/contract/factor.ts";
import {
  describeStep,
  foundBy,
  OUTCOME_MARKS,
  type VerificationStep,
} from "../../frames/frame/release_file/offence.ts";
import { DISPLAY, display, type MimeBundle } from "../../frames/notebook/display.ts";
import { escapeHtml, scrollHtml } from "../../frames/notebook/html.ts";

/**
 * Report of the verification of a release: every check, in order.
 *
 * Members of a gzip file are concatenated, and zeros after the last one are padding. Other trailing bytes, a wrong CRC or
 * length, a truncated file, and one that inflates to more than 64 bytes for each announced row are refused.
 *
 * The API document specifies no order of the rows (section 2.6): any order is accepted and reported, with each date and ticker
 * once, and the frame keeps it. Dates on weekends, a byte order mark, and a last line without a line break are accepted and
 * reported as well: the checksum proves that the file is the announced one.
 */
export class ReleaseReport {
  /** Factor of the release. */
  readonly factor: Factor;
  /** Checksum from the metadata. */
  readonly downloadSha256: string;
  /** All checks. */
  readonly checks: readonly VerificationStep[];

  /**
   * Creates a report.
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

  /** True if no check failed. */
  get passed(): boolean {
    return this.failed.length === 0;
  }

  /** Failed checks. */
  get failed(): readonly VerificationStep[] {
    return this.checks.filter((check) => check.outcome === "failed");
  }

  /** Display in a notebook: one row per check, with the offending lines below it. */
  [DISPLAY](): Promise<MimeBundle> {
    return display({ "text/html": reportHtml(this), "text/plain": String(this) });
  }

  /** The report as text: one line per check, with the offending lines below it. */
  toString(): string {
    return [titleOf(this), ...this.checks.flatMap(describeStep)].join("\n");
  }
}

function titleOf({ passed, factor, downloadSha256 }: ReleaseReport): string {
  const verdict = passed ? "verified" : "refused";
  return `Release ${downloadSha256.slice(0, 12)}… of ${factor}: ${verdict}`;
}

const CELL = "padding:1px 10px;text-align:left;vertical-align:top";
// The name of a check stays on one line; a long checksum wraps.
const NAME = `${CELL};white-space:nowrap`;
const FOUND = `${CELL};overflow-wrap:anywhere;min-width:14em`;

// Lines of a file can contain markup, which some notebooks would render.
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
  const table = `<table style="border-collapse:collapse;font-size:90%">${rows.join("")}</table>`;
  return `<b>${escapeHtml(titleOf(report))}</b>${scrollHtml("checks", table)}`;
}
