import { Buffer } from "node:buffer";
import { open } from "node:fs/promises";
import { IntegrityError } from "../../base/errors.ts";

const ARROW_SCHEMA = "ARROW:schema";
const HIDDEN_SCHEMA = "arrow:schema";

// A length in four bytes, and "PAR1".
const TAIL_BYTES = 8;

/**
 * Makes readers of a Parquet file read its categories as text, which the file holds: renames the key of the Arrow schema in its
 * footer, the only place that calls them categories. Polars decodes text faster than it converts categories.
 *
 * @throws {IntegrityError} If the footer does not have the form that this version of Polars writes
 */
export async function hideCategories(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(TAIL_BYTES);
    await file.read(tail, 0, TAIL_BYTES, size - TAIL_BYTES);
    const footer = Buffer.alloc(Math.min(tail.readUInt32LE(0), size - TAIL_BYTES));
    const start = size - TAIL_BYTES - footer.length;
    await file.read(footer, 0, footer.length, start);
    const place = footer.indexOf(ARROW_SCHEMA);
    if (place === -1 || footer.indexOf(ARROW_SCHEMA, place + 1) !== -1) {
      throw new IntegrityError(
        `Cannot write ${path}: expected one Arrow schema in the footer of the Parquet file, got another number from this ` +
          "version of Polars; install the version of nodejs-polars that this package pins",
      );
    }
    await file.write(Buffer.from(HIDDEN_SCHEMA), 0, HIDDEN_SCHEMA.length, start + place);
  } finally {
    await file.close();
  }
}
