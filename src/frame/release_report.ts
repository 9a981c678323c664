import type { Factor } from "../contract/factor.ts";
import type { Offence } from "./offence.ts";

/** How one check of a release ended; `not stated` if the metadata says nothing to compare with. */
export type ReleaseCheckOutcome = "passed" | "failed" | "not stated" | "not judged";

/** One check of a release. */
export interface ReleaseCheck {
  /** What was checked. */
  readonly name: string;
  /** How it ended. */
  readonly outcome: ReleaseCheckOutcome;
  /** What the metadata or the API document requires. */
  readonly required: string;
  /** What the file has. */
  readonly found: string;
  /** The first offending lines, if single lines offend. */
  readonly lines: readonly Offence[];
}

/** What the verification of a release found: every check, in the order in which a file is judged. */
export class ReleaseReport {
  /** Factor of the release. */
  readonly factor: Factor;
  /** Checksum that the metadata announces. */
  readonly downloadSha256: string;
  /** All checks. */
  readonly checks: readonly ReleaseCheck[];

  /**
   * Makes a report of checks that were made.
   *
   * @param release Factor and announced checksum
   * @param checks All checks
   */
  constructor(
    release: { readonly factor: Factor; readonly downloadSha256: string },
    checks: readonly ReleaseCheck[],
  ) {
    this.factor = release.factor;
    this.downloadSha256 = release.downloadSha256;
    this.checks = checks;
  }

  /** Whether nothing failed. */
  get passed(): boolean {
    return this.failed.length === 0;
  }

  /** The checks that failed. */
  get failed(): readonly ReleaseCheck[] {
    return this.checks.filter((check) => check.outcome === "failed");
  }

  /** The report as text: one line a check, the offending lines below it. */
  toString(): string {
    const verdict = this.passed ? "verified" : "refused";
    const head = `Release ${this.downloadSha256.slice(0, 12)}… of ${this.factor}: ${verdict}`;
    return [head, ...this.checks.flatMap(describeCheck)].join("\n");
  }
}

const MARKS: Readonly<Record<ReleaseCheckOutcome, string>> = {
  passed: "✓",
  failed: "✗",
  "not stated": "–",
  "not judged": "·",
};

/** One check as lines of text. */
export function describeCheck(check: ReleaseCheck): readonly string[] {
  const { name, outcome, required, found, lines } = check;
  const value = outcome === "failed"
    ? `${required} is required, found ${found}`
    : outcome === "passed"
    ? found
    : outcome;
  return [
    `  ${MARKS[outcome]} ${name}: ${value}`,
    ...lines.map((offence) => `      line ${offence.line}: ${offence.found}`),
  ];
}
