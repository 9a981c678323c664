import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { scoreNameOf } from "../../contract/factor.ts";
import { readKnownRows, type RowForm, toRowForm } from "./_known_rows.ts";
import { parseStoredSet, ROWS_START, type StoredSet, toStoredSet } from "./set_file.ts";

const ROWS_END = '}\n],"sha256":"';
const FILE_END = '"}\n';
const HASH_LENGTH = 64;
// Longer than the text before the rows of any set file.
const LONGEST_HEAD = 1_024;

/**
 * Reads set files one after another. Sets of one universe have nearly the same tickers: a file then takes a quarter of
 * the time of `parseStoredSet()`, and sets with equal tickers share one array of them.
 */
export class SetReader {
  #form: RowForm | null = null;

  /**
   * Reads the bytes of a set file.
   *
   * @throws {ContractViolation} As `parseStoredSet()` does
   */
  read(content: Uint8Array): StoredSet {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const known = this.#form === null ? null : readInForm(bytes, this.#form);
    const set = known ?? parseStoredSet(bytes.toString("utf8"));
    if (set.rows.tickers !== this.#form?.tickers) {
      this.#form = toRowForm(set.rows.tickers, scoreNameOf(set.factor));
    }
    return set;
  }
}

// After `null` the ordinary parser reads the text, and reports its fault.
function readInForm(bytes: Buffer, form: RowForm): StoredSet | null {
  const head = bytes.subarray(0, LONGEST_HEAD).indexOf(ROWS_START);
  if (head === -1) return null;
  const read = readKnownRows(bytes, head + ROWS_START.length, form);
  if (read === null) return null;
  const { rows, end } = read;
  const content = end + ROWS_END.indexOf(",");
  const hash = end + ROWS_END.length;
  const isEnded = bytes.toString("latin1", end, hash) === ROWS_END &&
    bytes.toString("latin1", hash + HASH_LENGTH) === FILE_END;
  if (!isEnded) return null;
  const found = createHash("sha256").update(bytes.subarray(0, content)).digest("hex");
  if (found !== bytes.toString("latin1", hash, hash + HASH_LENGTH)) return null;
  const value: Record<string, unknown> = JSON.parse(`${bytes.toString("utf8", 0, head)}}`);
  return toStoredSet(value, rows);
}
