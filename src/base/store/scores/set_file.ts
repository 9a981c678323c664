import { gunzipSync, gzipSync } from "node:zlib";
import { type Factor, type ScoreName, scoreNameOf } from "../../contract/factor.ts";
import type { ScoreSet } from "../../contract/scores/score_set.ts";
import { parseScoreRows, type ScoreRows } from "../../contract/scores/score_rows.ts";
import type { Instant } from "../../contract/instant.ts";
import * as z from "zod/mini";
import { aFactor, anInstant, aText, object, read, write } from "../../contract/schema.ts";
import { ContractViolation } from "../../contract/violation.ts";
import { sha256Hex } from "../layout.ts";

/** Text before the first row of a set file. */
export const ROWS_START = ',"scores":[\n';

/** The immutable part of a published score set, which its id identifies. */
export interface StoredSet {
  /** Factor of the set. */
  readonly factor: Factor;
  /** Identity of the set. */
  readonly snapshotId: string;
  /** Calculation definition. */
  readonly factorVersion: string;
  /** Publication time. */
  readonly calculatedAt: Instant;
  /** All rows. */
  readonly rows: ScoreRows;
}

const HEAD = object<Omit<StoredSet, "rows"> & { readonly scoreName: ScoreName }>({
  factor: aFactor,
  scoreName: z.enum(["ecpnd_score", "ecqdi_score"]),
  factorVersion: aText,
  snapshotId: aText,
  calculatedAt: anInstant,
});

// Smaller files take the same disk blocks either way, and stay readable uncompressed.
const SMALL_CHARACTERS = 16_384;
// Far above any universe; larger contents are malicious.
const MAX_TEXT_BYTES = 64 << 20;
// The text of 3,000 rows in one piece; the default piece size takes half as long again.
const CHUNK_BYTES = 1 << 17;
const SYSTEM_BYTE = 9;
const UNKNOWN_SYSTEM = 255;

/** Extracts the immutable part of a complete score set response. */
export function storedSetOf(set: ScoreSet): StoredSet {
  const { factor, snapshotId, factorVersion, calculatedAt } = set.check;
  return { factor, snapshotId, factorVersion, calculatedAt, rows: set.rows };
}

/**
 * Text of a set file: one row per line, for readable diffs, and a hash of the whole at the end, which shows every changed
 * digit.
 */
export function encodeStoredSet(set: StoredSet): string {
  const scoreName: ScoreName = scoreNameOf(set.factor);
  const head = JSON.stringify(write(HEAD, { ...set, scoreName }));
  const content = `${head.slice(0, -1)}${ROWS_START}${encodeRows(set.rows, scoreName)}\n]`;
  return `${content},"sha256":"${sha256Hex(content)}"}\n`;
}

// Tickers need no JSON escapes and scores are finite: the same text as JSON.stringify gives, at a third of the cost.
function encodeRows({ tickers, scores }: ScoreRows, scoreName: ScoreName): string {
  const middle = `","${scoreName}":`;
  return tickers.map((ticker, i) => `{"ticker":"${ticker}${middle}${scores[i] ?? null}}`)
    .join(",\n");
}

/**
 * Reads the text of a set file.
 *
 * @throws {ContractViolation} If a row or a field is malformed, or the hash at the end does not match
 */
export function parseStoredSet(text: string): StoredSet {
  const value: Record<string, unknown> = JSON.parse(text);
  assertHash(text, value.sha256);
  const scoreName = scoreNameOf(read(aFactor, value.factor, "$.factor"));
  const rows = parseScoreRows(value.scores, scoreName);
  return toStoredSet(value, rows);
}

/**
 * Creates the set of a file from its parsed rows.
 *
 * @throws {ContractViolation} If a field is malformed
 */
export function toStoredSet(value: Record<string, unknown>, rows: ScoreRows): StoredSet {
  const { scoreName: _, ...head } = read(HEAD, value, "$");
  return { ...head, rows };
}

function assertHash(text: string, sha256: unknown): void {
  const found = sha256Hex(text.slice(0, text.lastIndexOf(',"sha256"')));
  if (found !== sha256) {
    throw new ContractViolation("$.sha256", `"${found}" of the content`, sha256);
  }
}

/** Tests if the text of a set is stored compressed. */
export function isPackedWhenKept(text: string): boolean {
  return text.length > SMALL_CHARACTERS;
}

/** Compresses a text with gzip, without time and system, so that equal texts give equal bytes. */
export function packText(text: string): Uint8Array {
  const bytes = gzipSync(text);
  bytes[SYSTEM_BYTE] = UNKNOWN_SYSTEM;
  return bytes;
}

/**
 * Decompresses gzip bytes.
 *
 * @throws {ContractViolation} If they are damaged, or inflate beyond any set
 */
export function unpackBytes(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_TEXT_BYTES, chunkSize: CHUNK_BYTES });
  } catch (error) {
    const { message } = error as Error;
    throw new ContractViolation("the file", "whole gzip data of a score set", message);
  }
}
