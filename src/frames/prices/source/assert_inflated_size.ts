import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { IntegrityError } from "../../../base/errors.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";

// Deflate turns one byte into at most 1,032.
const MOST_A_BYTE = 1032;

/**
 * Refuses a compressed file that inflates to more than a size, before it is parsed. Files too small to do so are not read.
 *
 * @throws {IntegrityError} If it inflates to more or is damaged
 */
export async function assertInflatedSize(
  { path, title, size }: { readonly path: string; readonly title: string; readonly size: number },
  most: number,
): Promise<void> {
  if (size * MOST_A_BYTE <= most) return;
  let bytes = 0;
  let isTooLarge = false;
  const count = async (parts: AsyncIterable<Uint8Array>) => {
    for await (const part of parts) {
      bytes += part.length;
      isTooLarge = bytes > most;
      if (isTooLarge) return;
    }
  };
  try {
    await pipeline(createReadStream(path), createGunzip(), count);
  } catch (error) {
    if (!isTooLarge) {
      throw new IntegrityError(
        `Cannot read ${title}: expected a whole CSV file, got ${(error as Error).message}`,
        { cause: error },
      );
    }
  }
  if (!isTooLarge) return;
  throw new IntegrityError(
    `Cannot read ${title}: expected a file that inflates to at most ` +
      `${groupThousands(most)} bytes, got more; if the file is correct, raise maxInflatedBytes`,
  );
}
