import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { zipSync } from "fflate";
import { expect, test } from "vitest";
import type { ArchiveBytes } from "../../src/base/read_zip.ts";
import { readZipDirectory, readZipEntry } from "../../src/base/read_zip.ts";

// Numbers that do not compress to nothing.
const LARGE = Uint8Array.from({ length: 5_000_000 }, (_, i) => (i * 2_654_435_761) >>> 24);

test.each([["stored", 0], ["deflated", 6]] as const)(
  "a large entry that is %s is read and given in pieces, none of which is large",
  async (_, level) => {
    const archive = Buffer.from(
      zipSync({ large: [LARGE, { level }], small: Buffer.from("small") }),
    );
    const reads: number[] = [];
    const bytes: ArchiveBytes = {
      sizeBytes: archive.length,
      read: (start, count) => {
        reads.push(count);
        return Promise.resolve(archive.subarray(start, start + count));
      },
    };
    const [large] = await readZipDirectory(bytes);
    const hash = createHash("sha256");
    let longest = 0;
    for await (const piece of readZipEntry(bytes, large!)) {
      longest = Math.max(longest, piece.length);
      hash.update(piece);
    }
    expect(hash.digest("hex")).toBe(createHash("sha256").update(LARGE).digest("hex"));
    expect(Math.max(longest, ...reads)).toBe(262_144);
  },
);
