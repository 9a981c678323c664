import { IntegrityError } from "../../errors.ts";

/** Size of a header, and of the blocks to which contents are padded. */
export const BLOCK = 512;

const BLANK = 32;
const NAME_LENGTH = 100;
const CHECKSUM = { at: 148, length: 8 } as const;
const SIZE = { at: 124, length: 12 } as const;

/** Name and size of a file, from its header. */
export interface TarEntry {
  /** Name of the file. */
  readonly name: string;
  /** Its length in bytes. */
  readonly size: number;
}

/**
 * The header of a file in a tar archive (POSIX.1-2017, pax, "ustar Interchange Format"): no owner and no time, so that
 * equal files give equal archives.
 */
export function encodeTarHeader({ name, size }: TarEntry): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const put = (at: number, text: string) => header.set(new TextEncoder().encode(text), at);
  if (name.length > NAME_LENGTH) {
    throw new RangeError(
      `Cannot archive ${name}: expected at most ${NAME_LENGTH} characters, got ${name.length}; use a shorter name`,
    );
  }
  put(0, name);
  put(100, "0000644\0" + "0000000\0" + "0000000\0");
  put(SIZE.at, `${size.toString(8).padStart(SIZE.length - 1, "0")}\0`);
  put(136, "00000000000\0");
  put(156, "0ustar\0" + "00");
  put(CHECKSUM.at, `${checksumOf(header).toString(8).padStart(6, "0")}\0 `);
  return header;
}

/**
 * Reads a header; `null` at the end of the archive.
 *
 * @throws {IntegrityError} If the header is malformed
 */
export function decodeTarHeader(header: Uint8Array, path: string): TarEntry | null {
  if (header.every((byte) => byte === 0)) return null;
  const text = (at: number, length: number) =>
    new TextDecoder().decode(header.subarray(at, at + length)).split("\0")[0]!;
  const expected = checksumOf(header);
  const found = Number.parseInt(text(CHECKSUM.at, CHECKSUM.length), 8);
  if (expected === found) {
    return { name: text(0, NAME_LENGTH), size: Number.parseInt(text(SIZE.at, SIZE.length), 8) };
  }
  throw new IntegrityError(
    `Cannot read ${path}: expected a tar header with the checksum ${expected}, got ${found}; ` +
      "remove the archive, and build the world again",
  );
}

/** The sum of all bytes, with blanks in place of the sum itself. */
function checksumOf(header: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) {
    sum += i >= CHECKSUM.at && i < CHECKSUM.at + CHECKSUM.length ? BLANK : header[i]!;
  }
  return sum;
}
