import { isObject } from "./json_text.ts";
import {
  aFactor,
  aHash,
  type Form,
  object,
  orAbsent,
  read,
  readBy,
  theRest,
  valueOf,
  type Wire,
  write,
} from "./schema.ts";
import type { Factor } from "./factor.ts";
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

const count = given((value) => {
  const read = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (isObject(read)) return null;
  return Number.isSafeInteger(read) && (read as number) >= 0 ? read as number : undefined;
}, "a whole number of at least 0, or its text");
const date = given((value) => {
  if (isObject(value)) return null;
  const read = typeof value === "string" ? value.replace(MIDNIGHT, "") : value;
  return isCalendarDate(read) ? read : undefined;
}, "a date of the form YYYY-MM-DD");
// A descriptive field is never a reason to refuse a release.
const windowYears = given((value) => {
  const read = typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) && read >= 0 ? read : null;
});
const windowDate = given((value) => isCalendarDate(value) ? value : null);
const label = given((value) => {
  if (isObject(value)) return JSON.stringify(value);
  return typeof value === "string" ? value : undefined;
}, "text, or an object that describes it");
const sha256 = readBy((value, path) => read(aHash, value, path).toLowerCase());

const RELEASE = object<Release>({
  factor: orAbsent(aFactor),
  factorVersion: label,
  firstSession: date,
  lastSession: date,
  windowYears,
  windowStart: windowDate,
  windowEnd: windowDate,
  sessions: count,
  tickers: count,
  rows: count,
  scoredRows: count,
  missingRows: count,
  availability: label,
  universe: label,
  download: valueOf(`a relative URL under ${DOWNLOAD_PREFIX}`, isDownloadUrl),
  downloadSha256: sha256,
  sourceSha256: label,
  extra: theRest,
});

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
  const release = read(RELEASE, value, "$");
  if (release.factor === null || release.factor === factor) return release;
  throw new ContractViolation("$.factor", `"${factor}"`, release.factor);
}

/** Wire form of release metadata, without fields that are `null`. */
export function encodeRelease(release: Release): Wire {
  return write(RELEASE, release);
}

// Dot segments and backslashes may lead elsewhere after URL parsing.
function isDownloadUrl(value: unknown): value is string {
  if (typeof value !== "string" || !value.startsWith(DOWNLOAD_PREFIX)) return false;
  return new URL(value, "https://service.invalid").pathname.startsWith(DOWNLOAD_PREFIX);
}

// `null` from `read` means no information, `undefined` a wrong value.
function given<T>(
  read: (value: unknown) => T | null | undefined,
  required = "any value",
): Form<T | null> {
  return orAbsent(readBy<T | null>((value, path) => {
    const result = read(value);
    if (result !== undefined) return result;
    throw new ContractViolation(path, required, value);
  }));
}
