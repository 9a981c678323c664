import type { ArchiveBytes } from "../../base/read_zip.ts";

const WINDOW_BYTES = 1 << 20;

/** Reads an archive a megabyte at a time, for readers of many small neighbouring entries. */
export function readAhead(archive: ArchiveBytes): ArchiveBytes {
  let [from, window] = [0, new Uint8Array() as Awaited<ReturnType<ArchiveBytes["read"]>>];
  return {
    sizeBytes: archive.sizeBytes,
    read: async (start, count) => {
      if (count > WINDOW_BYTES || start < 0) return await archive.read(start, count);
      if (start < from || start + count > from + window.length) {
        window = await archive.read(start, WINDOW_BYTES);
        from = start;
      }
      return window.subarray(start - from, start - from + count);
    },
  };
}
