import { Zip, ZipDeflate } from "fflate";
import type { StudyFiles } from "./study_files.ts";

/**
 * The bytes of a zip, file after file, so that only one of them is in memory: equal files give equal bytes.
 *
 * @param files What it holds, in the order of their names
 */
export async function* zipChunks(files: StudyFiles): AsyncGenerator<Uint8Array, void, void> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for (const path of [...files.keys()].sort()) {
    // What is compressed already only takes time; as deflated blocks of stored bytes, because a reader that goes from
    // the beginning to the end finds the end of no other entry.
    const entry = new ZipDeflate(path, { level: path.endsWith(".gz") ? 0 : 6 });
    // The earliest time that the format has; the package writes it as local time.
    Object.assign(entry, { mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16 });
    zip.add(entry);
    entry.push(await files.get(path)!.read(), true);
    yield* chunks.splice(0);
  }
  zip.end();
  yield* chunks;
}
