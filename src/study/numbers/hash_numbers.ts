import { createHash, type Hash } from "node:crypto";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { type Factor, scoreNameOf } from "../../base/contract/factor.ts";
import { type ScoreRows, scoreValues } from "../../base/contract/scores/score_rows.ts";
import { sha256Hex } from "../../base/store/layout.ts";
import { type Check, encodeCheck } from "../../base/contract/scores/check.ts";
import { encodeRelease, type Release } from "../../base/contract/release.ts";

const PIECE_BYTES = 1 << 16;
const BEFORE_SCORE = "\0\x01";
const SCORE_BYTES = 8;
// Bytes of one row: date, ticker, terminator, marker and score.
const LONGEST_ROW = 10 + 64 + BEFORE_SCORE.length + SCORE_BYTES;
// Shared by all hashes, which never overlap.
const PIECE = new DataView(new ArrayBuffer(PIECE_BYTES));

const hashes = new WeakMap<Check, string>();

/** The rows of a release by column. */
export interface ReleaseNumbers {
  /** Session of each row, as epoch days. */
  readonly days: Int32Array;
  /** Index of the ticker of each row. */
  readonly numbers: Uint32Array;
  /** Score of each row; NaN if missing. */
  readonly scores: Float64Array;
  /** Tickers by index. */
  readonly tickers: readonly string[];
}

/**
 * The hash of the numbers of a score set, independent of file and format.
 *
 * SHA-256 over the CSV header with its line end, then over each row, sorted by the bytes of the ticker: the ticker in
 * UTF-8, a zero byte, and the score. A missing score is a zero byte; any other is a byte 1 and the IEEE 754 double in
 * big-endian order, with negative zero as zero.
 */
export function hashSetNumbers(factor: Factor, rows: ScoreRows): string {
  const { tickers } = rows;
  const scores = scoreValues(rows);
  const writer = new NumberHash(`ticker,${scoreNameOf(factor)}\n`);
  const known = knownTickers(tickers);
  if (known === null) {
    for (const i of sortedPlaces(tickers)) writer.add("", tickers[i]!, scores[i]!);
  } else {
    const { bytes, ends } = known;
    let from = 0;
    for (let i = 0; i < ends.length; i++) {
      const to = ends[i]!;
      writer.addBytes(bytes, from, to, scores[i]!);
      from = to;
    }
  }
  return writer.digest();
}

/** The hash of the numbers of a release: like that of a set, with a date before each ticker, sorted by date and ticker. */
export function hashReleaseNumbers(factor: Factor, rows: ReleaseNumbers): string {
  const { days, numbers, scores, tickers } = rows;
  const rank = new Uint32Array(tickers.length);
  sortedPlaces(tickers).forEach((place, i) => rank[place] = i);
  const order = sortedRows(days, (row) => rank[numbers[row]!]!);
  const writer = new NumberHash(`date,ticker,${scoreNameOf(factor)}\n`);
  const dates = new Map<number, string>();
  for (const row of order) {
    const day = days[row]!;
    let date = dates.get(day);
    if (date === undefined) dates.set(day, date = fromEpochDay(day));
    const score = scores[row]!;
    writer.add(date, tickers[numbers[row]!]!, score);
  }
  return writer.digest();
}

/** Sorted tickers as they are hashed. */
interface KnownTickers {
  /** Each ticker with a zero byte and a 1, the marker of a score; then some zero bytes. */
  readonly bytes: DataView;
  /** End of the bytes of each ticker. */
  readonly ends: Uint32Array;
}

// Most sets of a panel share their tickers with the set before.
const KNOWN = new WeakMap<readonly string[], KnownTickers>();

// `null` unless the tickers are sorted.
function knownTickers(tickers: readonly string[]): KnownTickers | null {
  const known = KNOWN.get(tickers);
  if (known !== undefined || !isSorted(tickers)) return known ?? null;
  const ends = new Uint32Array(tickers.length);
  let end = 0;
  for (let i = 0; i < ends.length; i++) ends[i] = end += tickers[i]!.length + BEFORE_SCORE.length;
  const text = tickers.map((ticker) => `${ticker}${BEFORE_SCORE}`).join("");
  const { buffer, byteOffset } = new TextEncoder().encode(`${text}${"\0".repeat(SCORE_BYTES)}`);
  const made = { bytes: new DataView(buffer, byteOffset), ends };
  KNOWN.set(tickers, made);
  return made;
}

class NumberHash {
  readonly #hash: Hash = createHash("sha256");
  readonly #piece = new Uint8Array(PIECE.buffer);
  #length = 0;

  constructor(header: string) {
    this.#hash.update(header);
  }

  add(date: string, ticker: string, score: number): void {
    if (this.#length + LONGEST_ROW > PIECE_BYTES) this.#flush();
    const piece = this.#piece;
    // Tickers are ASCII (section 4.3): a loop writes them ten times as fast as a call for each.
    let at = this.#length;
    for (let i = 0; i < date.length; i++) piece[at++] = date.charCodeAt(i);
    for (let i = 0; i < ticker.length; i++) piece[at++] = ticker.charCodeAt(i);
    piece[at++] = 0;
    piece[at++] = 1;
    this.#length = endScore(at, score);
  }

  /** Adds known bytes before a score, eight at a time: those behind their end are overwritten. */
  addBytes(bytes: DataView, from: number, to: number, score: number): void {
    if (this.#length + LONGEST_ROW > PIECE_BYTES) this.#flush();
    const shift = this.#length - from;
    // Tickers are ASCII, so no eight bytes are a NaN, whose bits might change.
    for (let i = from; i < to; i += 8) PIECE.setFloat64(shift + i, bytes.getFloat64(i, true), true);
    this.#length = endScore(shift + to, score);
  }

  digest(): string {
    this.#flush();
    return this.#hash.digest("hex");
  }

  #flush(): void {
    this.#hash.update(this.#piece.subarray(0, this.#length));
    this.#length = 0;
  }
}

// Writes a score behind its marker, which is a 1; the end of the row.
function endScore(at: number, score: number): number {
  if (Number.isNaN(score)) {
    PIECE.setUint8(at - 1, 0);
    return at;
  }
  // Adding zero turns a negative zero into zero.
  PIECE.setFloat64(at, score + 0);
  return at + SCORE_BYTES;
}

// ASCII code units sort like their bytes.
function sortedPlaces(tickers: readonly string[]): readonly number[] {
  return tickers.map((_, i) => i).sort((a, b) => tickers[a]! < tickers[b]! ? -1 : 1);
}

function isSorted(tickers: readonly string[]): boolean {
  for (let i = 1; i < tickers.length; i++) if (tickers[i - 1]! >= tickers[i]!) return false;
  return true;
}

function sortedRows(days: Int32Array, rankOf: (row: number) => number): Uint32Array {
  const order = Uint32Array.from(days, (_, row) => row);
  const compare = (a: number, b: number) => days[a]! - days[b]! || rankOf(a) - rankOf(b);
  for (let i = 1; i < order.length; i++) {
    if (compare(i - 1, i) > 0) return order.sort(compare);
  }
  return order;
}

/**
 * The hash of a check: SHA-256 of its JSON from the service, with sorted names and without spaces. Rows and fields that the API
 * document does not define are left out; `synthetic` is added.
 */
export function hashCheck(check: Check): string {
  const known = hashes.get(check);
  if (known !== undefined) return known;
  const { coverage } = check;
  const plain = { ...check, extra: {}, coverage: { ...coverage, extra: {} } };
  const hash = hashOf({ ...encodeCheck(plain), synthetic: check.extra.synthetic === true });
  hashes.set(check, hash);
  return hash;
}

/** The hash of the metadata of a release without the address of its file, in the same form as that of a check. */
export function hashRelease(release: Release): string {
  const { download: _, ...said } = encodeRelease({ ...release, extra: {} });
  return hashOf({ ...said, synthetic: release.extra.synthetic === true });
}

function hashOf(said: Readonly<Record<string, unknown>>): string {
  return sha256Hex(JSON.stringify(sorted(said)));
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, field]) => [name, sorted(field)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1));
}
