import { isObject } from "./is_object.ts";
import { z } from "zod";
import { parseBy, text, unknownFields } from "./schema.ts";
import { type Factor, isFactor } from "./factor.ts";
import { isSha256 } from "./identifier.ts";
import { type CalendarDate, isCalendarDate } from "./instant.ts";
import { ContractViolation } from "./violation.ts";

/**
 * Metadata of a historical release (section 2.5).
 *
 * The API document does not show the exact names and JSON types, so everything but the download and its checksum may be absent
 * (`null`), a number may arrive as its text and a date with the time of midnight. Descriptive fields are never refused; a list
 * or an object in place of a single value is kept in `extra`.
 */
export interface Release {
  /** Factor of the release, if stated. */
  readonly factor: Factor | null;
  /** Calculation definition of the release, if stated. */
  readonly factorVersion: string | null;
  /** First included session. */
  readonly firstSession: CalendarDate | null;
  /** Last included session. */
  readonly lastSession: CalendarDate | null;
  /** Length of the nominal window. */
  readonly windowYears: number | null;
  /** Start of the nominal window. */
  readonly windowStart: CalendarDate | null;
  /** End of the nominal window. */
  readonly windowEnd: CalendarDate | null;
  /** Number of distinct dates. */
  readonly sessions: number | null;
  /** Number of distinct identifiers. */
  readonly tickers: number | null;
  /** Total records. */
  readonly rows: number | null;
  /** Rows with an available value. */
  readonly scoredRows: number | null;
  /** Explicit missing observations. */
  readonly missingRows: number | null;
  /** Reconstruction convention. */
  readonly availability: string | null;
  /** Coverage definition. */
  readonly universe: string | null;
  /** Relative URL of the file, with query parameters that must be retained. */
  readonly download: string;
  /** SHA-256 of the compressed file, lower case. */
  readonly downloadSha256: string;
  /** Separate provenance checksum; not that of the download. */
  readonly sourceSha256: string | null;
  /** Every other field, and every field of an unknown form, as received. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const MIDNIGHT = /T00:00(:00(\.0+)?)?(Z|[+-]00:00)?$/;

/** Required start of a download URL (section 2.5). */
const DOWNLOAD_PREFIX = "/v1/scores/";

const count = optional((value) => {
  const read = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (isObject(read)) return null;
  return Number.isSafeInteger(read) && (read as number) >= 0 ? read as number : undefined;
}, "a whole number of at least 0, or its text");
const date = optional((value) => {
  if (isObject(value)) return null;
  const read = typeof value === "string" ? value.replace(MIDNIGHT, "") : value;
  return isCalendarDate(read) ? read : undefined;
}, "a date of the form YYYY-MM-DD");
// A descriptive field is never a reason to refuse a release.
const windowYears = optional((value) => {
  const read = typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) && read >= 0 ? read : null;
});
const windowDate = optional((value) => isCalendarDate(value) ? value : null);
const label = optional((value) => {
  if (isObject(value)) return JSON.stringify(value);
  return typeof value === "string" ? value : undefined;
}, "text, or an object that describes it");
const sha256 = z.string().refine(isSha256, { error: "64 hexadecimal digits" })
  .transform((digest) => digest.toLowerCase());

const FIELDS = {
  factor: optional((value) => isFactor(value) ? value : undefined, '"ecpnd" or "ecqdi"'),
  factor_version: label,
  first_session: date,
  last_session: date,
  window_years: windowYears,
  window_start: windowDate,
  window_end: windowDate,
  sessions: count,
  tickers: count,
  rows: count,
  scored_rows: count,
  missing_rows: count,
  availability: label,
  universe: label,
  download: text,
  download_sha256: sha256,
  source_sha256: label,
};
const SCHEMA = z.looseObject(FIELDS);

/**
 * Reads the metadata of a historical release for a factor.
 *
 * @param value The parsed JSON object
 * @param factor Requested factor
 * @throws {ContractViolation} If the download or its checksum is missing, if a present field has the wrong form,
 * or if the release is of the other factor
 * @see API document, section 2.5
 */
export function parseRelease(value: unknown, factor: Factor): Release {
  const wire = parseBy(SCHEMA, value);
  if (wire.factor !== null && wire.factor !== factor) {
    throw new ContractViolation("$.factor", `"${factor}"`, wire.factor);
  }
  if (!isDownloadUrl(wire.download)) {
    throw new ContractViolation(
      "$.download",
      `a relative URL under ${DOWNLOAD_PREFIX}`,
      wire.download,
    );
  }
  return {
    factor: wire.factor,
    factorVersion: wire.factor_version,
    firstSession: wire.first_session,
    lastSession: wire.last_session,
    windowYears: wire.window_years,
    windowStart: wire.window_start,
    windowEnd: wire.window_end,
    sessions: wire.sessions,
    tickers: wire.tickers,
    rows: wire.rows,
    scoredRows: wire.scored_rows,
    missingRows: wire.missing_rows,
    availability: wire.availability,
    universe: wire.universe,
    download: wire.download,
    downloadSha256: wire.download_sha256,
    sourceSha256: wire.source_sha256,
    extra: { ...unknownFields(wire, Object.keys(FIELDS)), ...unreadFields(value, wire) },
  };
}

/** Wire form of release metadata, without fields that are `null`. */
export function encodeRelease(release: Release): Record<string, unknown> {
  const wire: Record<string, unknown> = {
    factor: release.factor,
    factor_version: release.factorVersion,
    first_session: release.firstSession,
    last_session: release.lastSession,
    window_years: release.windowYears,
    window_start: release.windowStart,
    window_end: release.windowEnd,
    sessions: release.sessions,
    tickers: release.tickers,
    rows: release.rows,
    scored_rows: release.scoredRows,
    missing_rows: release.missingRows,
    availability: release.availability,
    universe: release.universe,
    download: release.download,
    download_sha256: release.downloadSha256,
    source_sha256: release.sourceSha256,
  };
  const present = Object.entries(wire).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(present), ...release.extra };
}

// Dot segments and backslashes may lead elsewhere after URL parsing.
function isDownloadUrl(download: string): boolean {
  if (!download.startsWith(DOWNLOAD_PREFIX)) return false;
  return new URL(download, "https://service.invalid").pathname.startsWith(DOWNLOAD_PREFIX);
}

// Fields of an unknown form, kept as received.
function unreadFields(
  value: unknown,
  wire: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const given = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(
    given.filter(([name, field]) => field !== null && field !== undefined && wire[name] === null),
  );
}

// `null` from `read` means no information, `undefined` a wrong value.
function optional<T>(read: (value: unknown) => T | null | undefined, required = "any value") {
  return z.unknown().transform((value, context): T | null => {
    if (value === undefined || value === null) return null;
    const result = read(value);
    if (result !== undefined) return result;
    context.addIssue({ code: "custom", message: required });
    return z.NEVER;
  }).optional().transform((value): T | null => value ?? null);
}
