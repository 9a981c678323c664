import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import type { Factor } from "../../../base/contract/factor.ts";
import type { Release } from "../../../base/contract/release.ts";
import { describe } from "../../../base/contract/violation.ts";
import { type HistoryParser, isWeekend } from "./history_parser.ts";
import type { LineRule, VerificationStep } from "./offence.ts";

/** Facts from reading a compressed file to its end. */
export interface ReadFile {
  /** SHA-256 of the compressed bytes. */
  readonly sha256: string;
  /** Number of compressed bytes. */
  readonly sizeBytes: number;
  /** Fault of the gzip file, or `null`. */
  readonly fault: string | null;
}

/** Announced facts about a release file. */
export interface ReleaseOffer {
  /** Requested factor. */
  readonly factor: Factor;
  /** Metadata of the release. */
  readonly release: Release;
  /** Size of the compressed file, if known. */
  readonly sizeBytes: number | null;
}

/**
 * Compares a parsed file with its announced facts.
 *
 * Reports values that the metadata does not state, because the API document does not show its exact fields. A file with a wrong
 * checksum or damaged compression is not checked further: its lines do not describe the release.
 *
 * @see API document, sections 2.5 and 2.6
 */
export function reconcileFacts(
  announced: ReleaseOffer,
  file: ReadFile,
  parser: HistoryParser,
): readonly VerificationStep[] {
  const { release } = announced;
  const whole = wholeFile(announced, file);
  const content = [...lineRules(parser), ...counts(release, parser)];
  const isWhole = whole.every((check) => check.outcome !== "failed");
  const notJudged = { outcome: "not judged", lines: [] } as const;
  return [...whole, ...isWhole ? content : content.map((check) => ({ ...check, ...notJudged }))];
}

function wholeFile(
  { release, sizeBytes }: ReleaseOffer,
  file: ReadFile,
): readonly VerificationStep[] {
  return [
    compare("size in bytes", sizeBytes, file.sizeBytes),
    compare("SHA-256 of the compressed file", release.downloadSha256, file.sha256),
    {
      name: "gzip stream",
      outcome: file.fault === null ? "passed" : "failed",
      required: "a complete gzip file",
      found: file.fault ?? "complete, with the right CRC and length",
      lines: [],
    },
  ];
}

const RULES: readonly (readonly [rule: LineRule, name: string, required: string])[] = [
  ["header", "header", "the header of this factor"],
  ["line", "fields", "three fields on every line"],
  ["date", "dates", "market sessions as YYYY-MM-DD"],
  ["ticker", "tickers", "tickers of section 4.3"],
  ["score", "scores", "numbers from 0 to 1 or nothing"],
  ["duplicate", "duplicates", "each date and ticker once"],
];

function lineRules(parser: HistoryParser): readonly VerificationStep[] {
  const broken = parser.offences.broken();
  const kept = keptWords(parser);
  const rules = RULES.map(([rule, name, required]): VerificationStep => {
    const { count, first } = broken.get(rule) ?? { count: 0, first: [] };
    return {
      name,
      outcome: count === 0 ? "passed" : "failed",
      required: first[0]?.required ?? required,
      found: count === 0 ? kept[rule] : `${count} offending ${count === 1 ? "line" : "lines"}`,
      lines: first,
    };
  });
  // Checksum and trailer prove that the file is complete; a line break does not.
  const end = parser.hasOpenEnd ? "without a line ending" : "ends with a line ending";
  return rules.toSpliced(2, 0, noted("last line", end))
    .toSpliced(6, 0, noted("order", parser.order));
}

// Unusual facts that the API document does not forbid are reported, too (section 2.6).
function keptWords(
  { columns, hasByteOrderMark }: HistoryParser,
): Readonly<Record<LineRule, string>> {
  const weekends = columns.sessions.filter(isWeekend).length;
  return {
    header: hasByteOrderMark
      ? "as expected for this factor, after a byte order mark"
      : "as expected for this factor",
    line: "three on every line",
    date: `valid, ${weekends === 0 ? "none" : weekends} on a weekend`,
    ticker: "all well formed",
    score: "all from 0 to 1 or missing",
    duplicate: "none",
  };
}

/** A fact that no rule judges. */
function noted(name: string, found: string): VerificationStep {
  return { name, outcome: "passed", required: "", found, lines: [] };
}

function counts(release: Release, { columns }: HistoryParser): readonly VerificationStep[] {
  const sessions = columns.sessions;
  const date = (day: number | undefined) => day === undefined ? "none" : fromEpochDay(day);
  const scored = columns.rows - columns.missingRows;
  const stated: readonly (readonly [string, string, Comparable | null, Comparable])[] = [
    ["rows", "rows", release.rows, columns.rows],
    ["scored rows", "scored_rows", release.scoredRows, scored],
    ["missing rows", "missing_rows", release.missingRows, columns.missingRows],
    ["distinct sessions", "sessions", release.sessions, sessions.length],
    ["distinct tickers", "tickers", release.tickers, columns.names.length],
    ["first session", "first_session", release.firstSession, date(sessions[0])],
    ["last session", "last_session", release.lastSession, date(sessions.at(-1))],
  ];
  return stated.map(([name, field, required, found]) => {
    const check = compare(name, required, found);
    const unread = release.extra[field];
    return unread === undefined ? check : { ...check, required: describe(unread) };
  });
}

type Comparable = string | number;

function compare(name: string, required: Comparable | null, found: Comparable): VerificationStep {
  const outcome = required === null ? "not stated" : required === found ? "passed" : "failed";
  return { name, outcome, required: shown(required ?? ""), found: shown(found), lines: [] };
}

function shown(value: Comparable): string {
  return typeof value === "number" ? String(value).replace(/\B(?=(\d{3})+$)/g, ",") : value;
}
